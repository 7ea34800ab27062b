// A short check of the static site in Firefox, which playwright-core cannot drive as distributions build it: a move against the
// engine, `bench`, a reload without the server. Exits 1 if something is missing.
//
//     node scripts/web/firefox.mjs PROGRAM

import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve("target/gui-check/package.json"));
const { default: puppeteer } = await import(require.resolve("puppeteer-core"));
const PATIENCE = 60_000;
const BENCH = "bench --game tixtax";

const began = performance.now();
const log = (text) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const nodes = (line) => Number(line.split(" ")[0]);

const server = spawn("scripts/web/serve", ["0"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((found) => { server.stdout.once("data", (data) => found(`${data}`.trim())); });
const browser = await puppeteer.launch({ browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", headless: true });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => { throw error; });
  const twoMoves = () => page.waitForFunction(() => document.querySelectorAll("#play-moves .move").length === 2);

  await page.goto(address);
  await page.waitForSelector(".board .hit[aria-label]");
  await page.evaluate(() => document.querySelector('.hit[data-spot="40"]').dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await twoMoves();
  log(`${await browser.version()}: the engine answers`);

  const found = nodes(await page.evaluate(async () => {
    const { Transport } = await import("./transport.js");
    const engine = new Transport();
    return new Promise((done) => {
      engine.onFrame = (line) => {
        if (line === "ugiok") engine.send("bench");
        if (/^\d+ nodes/.test(line)) done(line);
      };
      engine.onOpen = () => engine.send("ugi");
    });
  }));
  const expected = nodes(execFileSync(process.argv[2], BENCH.split(" "), { encoding: "utf8" }).trim().split("\n").at(-1));
  if (found !== expected) throw new Error(`bench searches ${found} nodes, the program ${expected}`);
  log(`bench: ${found} nodes`);

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  server.kill();
  await page.reload();
  await page.waitForSelector(".board .hit[aria-label]");
  await twoMoves();
  log("the game after a reload, offline");
} finally {
  server.kill();
  await browser.close();
}
