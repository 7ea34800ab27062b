// The browser part of scripts/web/check: the static site in Chromium. Prints what it does with times, then the problems;
// exits 1 if there are any.
//
//     node scripts/web/check.mjs PROGRAM [STEP...]

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const require = createRequire(resolve("target/gui-check/package.json"));
const { chromium } = require("playwright-core");
const SITE = resolve("target/site");
const PROGRAM = resolve(process.argv[2] ?? "target/release/zermelo");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };
/** The limit of every wait in milliseconds: it only ends checks that fail. */
const PATIENCE = 180_000;
/** A flag of Chromium that takes SIMD away. */
const WITHOUT_SIMD = "--js-flags=--no-enable-sse4-1";

const problems = [];
const began = performance.now();
const log = (text) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
function expect(holds, text) {
  if (holds) return;
  problems.push(text);
  console.log(`          PROBLEM: ${text}`);
}

/**
 * Serves a folder below `/some/path/`, as static hosts do: no headers but the type, compressed where the browser accepts it.
 * `suspends: false` is a browser that cannot suspend WebAssembly, `polls: false` an engine that receives nothing during a search.
 */
async function serve(folder, { suspends = true, polls = true } = {}) {
  const requests = [];
  const compressed = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const name = path.startsWith("/some/path/") ? path.slice(11) || "index.html" : null;
    requests.push(path);
    let content;
    try { content = readFileSync(name === "embed.html" ? "examples/embed.html" : join(folder, name)); } catch { response.writeHead(404).end(); return; }
    if (!polls && name === "host.js") content = `${content}`.replace("export const poll =", "export const poll = () => {};\nexport const unused =");
    if (!suspends && ["host.js", "transport.js"].includes(name)) content = `delete WebAssembly.Suspending;${content}`;
    const headers = { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" };
    if ((request.headers["accept-encoding"] ?? "").includes("gzip")) {
      if (!compressed.has(name)) compressed.set(name, gzipSync(content, { level: 6 }));
      content = compressed.get(name);
      headers["Content-Encoding"] = "gzip";
    }
    response.writeHead(200, headers).end(content);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/some/path/`, requests, end: () => { server.closeAllConnections(); server.close(); } };
}

const browsers = new Map();
async function start(flag = "") {
  if (!browsers.has(flag)) browsers.set(flag, await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...(flag ? [flag] : [])] }));
  return browsers.get(flag);
}

async function newContext(flag = "") {
  return (await start(flag)).newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
}

/** Opens the site and waits for the board. */
async function open(context, address, { fails = false } = {}) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => problems.push(`page error: ${error.stack}`));
  page.on("console", (message) => { if (!fails && ["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`); });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== new URL(address).origin) problems.push(`requests ${request.url()}`);
  });
  await page.goto(address);
  if (!fails) await page.waitForSelector(".board .hit[aria-label]");
  return page;
}

/** Gives a page an engine of its own, as a page that embeds one has it. */
async function embed(page) {
  await page.evaluate(async () => {
    const { Transport } = await import("./transport.js");
    const transport = new Transport();
    const frames = [];
    transport.onFrame = (frame) => frames.push({ frame, at: performance.now() });
    await new Promise((done) => { if (transport.isOpen) done(); else transport.onOpen = done; });
    /** Sends a frame; returns the first answer that matches, and the milliseconds until it came. */
    globalThis.converse = async (frame, pattern) => {
      frames.length = 0;
      const sent = performance.now();
      transport.send(frame);
      for (;;) {
        const answer = frames.find((one) => new RegExp(pattern).test(one.frame));
        if (answer) return { text: answer.frame, ms: answer.at - sent };
        if (performance.now() - sent > 60_000) throw new Error(`no answer to ${frame}: ${frames.at(-1)?.frame}`);
        await new Promise((done) => setTimeout(done, 2));
      }
    };
    globalThis.tell = (frame) => transport.send(frame);
  });
  let id = 0;
  return {
    tell: (frame) => page.evaluate((frame) => tell(frame), frame),
    converse: (frame, pattern) => page.evaluate(([frame, pattern]) => converse(frame, pattern), [frame, pattern]),
    async ask(fields) {
      id += 1;
      const { text, ms } = await this.converse(JSON.stringify({ id, ...fields }), `"id":${id}[,}](?!"progress)`);
      return { ...JSON.parse(text), ms };
    },
  };
}

const SPEED = "^\\d+ nodes \\d+ nps";
function speed(text) {
  const [nodes, , nps] = text.split(" ").map(Number);
  return { nodes, nps };
}

/** Opens the site with an engine in each kind of browser. */
async function inEachBrowser(step) {
  for (const { name, flag = "", suspends = true } of [{ name: "with SIMD" }, { name: "without SIMD", flag: WITHOUT_SIMD }, { name: "without suspension", suspends: false }]) {
    const site = await serve(SITE, { suspends });
    const context = await newContext(flag);
    const page = await open(context, site.address);
    const engine = await embed(page);
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name).filter((file) => file.endsWith(".wasm")));
    expect(loaded.length > 0 && loaded.every((file) => file.includes(flag ? "plain" : "simd")), `${name}: loads ${loaded}`);
    await engine.converse("ugi", "^ugiok");
    await step(engine, { name, suspends });
    await context.close();
    site.end();
  }
}

/** `bench` in the tab searches the same nodes as the program. */
async function bench() {
  // Each TixTax rule has a network of its own, which is loaded when a search needs it.
  const games = ["tixtax", "tixtax-count", "nim"];
  const expected = games.map((game) => speed(execFileSync(PROGRAM, ["bench", "--game", game], { encoding: "utf8" }).trim().split("\n").at(-1)).nodes);
  await inEachBrowser(async (engine, { name }) => {
    for (const [index, game] of games.entries()) {
      await engine.tell(`setoption name UCI_Variant value ${game}`);
      const { nodes } = speed((await engine.converse("bench", SPEED)).text);
      expect(nodes === expected[index], `${game} ${name}: bench searches ${nodes} nodes, the program ${expected[index]}`);
      log(`bench of ${game} ${name}: ${nodes} nodes`);
    }
  });
}

/** A search stops at once, and while it runs it accepts what the protocol says. */
async function stopping() {
  await inEachBrowser(async (engine, { name, suspends }) => {
    const times = [];
    for (let round = 0; round < 9; round += 1) {
      await engine.converse("go infinite", "^info depth [5-9]");
      times.push((await engine.converse("stop", "^bestmove")).ms);
    }
    times.sort((one, other) => one - other);
    log(`answer to stop ${name}: median ${times[4].toFixed(0)} ms, at most ${times[8].toFixed(0)} ms`);
    expect(times[4] < 150, `${name}: stop is answered after ${times[4]} ms`);
    // A proven position has nothing to search, and still answers only after `stop`.
    await engine.tell("setoption name UCI_Variant value tictactoe");
    await engine.converse("go infinite", "^info depth");
    await engine.converse("stop", "^bestmove");
    await engine.tell("setoption name UCI_Variant value tixtax");
    if (!suspends) return;
    await engine.tell("go infinite");
    expect((await engine.converse("isready", "^readyok")).ms < 500, "isready waits for the search");
    await engine.converse("position startpos", "^info string error.*search");
    await engine.converse("stop", "^bestmove");
  });
}

/** All solved positions of the tests are proven in the tab, with the right values. */
async function proofs(site) {
  const positions = readFileSync("tests/data/tixtax-solved.txt", "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  const context = await newContext();
  const engine = await embed(await open(context, site.address));
  let slowest = 0;
  for (const line of positions) {
    const [value, ...fen] = line.split(" ");
    const { answer, error, ms } = await engine.ask({ ask: "prove", setup: { game: "tixtax", start: fen.join(" ") }, memory: 128, ms: 120_000 });
    expect(answer?.value === value, `${line}: ${JSON.stringify(answer ?? error)}`);
    slowest = Math.max(slowest, ms);
  }
  log(`${positions.length} positions proven, the slowest in ${(slowest / 1000).toFixed(1)} s`);
  for (const [game, value] of [["tictactoe", "draw"], ["ponghauki", "draw"], ["nim", null]]) {
    const { answer, ms } = await engine.ask({ ask: "prove", setup: { game } });
    expect(answer?.value && (value === null || answer.value === value), `${game}: ${JSON.stringify(answer)}`);
    expect(ms < 2000, `${game} is solved after ${ms} ms`);
  }
  await context.close();
}

const hit = (spot) => `.hit[data-spot="${spot}"]`;
async function until(page, condition, text) {
  await page.waitForFunction(condition, null, { timeout: PATIENCE }).catch(() => expect(false, `timeout: ${text}`));
}

/** A reload, a killed tab and the loss of the network keep the game. */
async function offline(site) {
  const context = await newContext();
  const page = await open(context, site.address);
  await page.click(hit(40), { force: true });
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 2, "the engine answers");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.reload();
  await page.waitForSelector(".board .hit[aria-label]");
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 2, "the game after a reload");
  await context.setOffline(true);
  // Kills the process of the tab.
  const crashed = new Promise((done) => { page.once("crash", done); });
  await ofRenderers("", ({ id }) => process.kill(id, "SIGKILL"));
  await crashed;
  const requests = site.requests.length;
  const again = await open(context, site.address);
  await until(again, () => document.querySelectorAll("#play-moves .move").length === 2, "the game offline");
  await again.click("#tab-analyse");
  await until(again, () => document.querySelectorAll(".line, #lines li").length > 0 || document.querySelector("#panel")?.textContent.length > 40, "analysis offline");
  await again.selectOption("#game", "nim");
  await until(again, () => document.querySelectorAll(".hit").length > 9, "another game offline");
  // The browser itself looks for a new service worker, also in a context that is offline.
  const others = site.requests.slice(requests).filter((path) => !path.endsWith("/service_worker.js"));
  expect(others.length === 0, `offline, but requests ${others}`);
  log("reload, killed tab, offline");
  await context.close();
}

/** Broken links, records, storage and files are reported, and what was stored stays. */
async function badInput(site) {
  const context = await newContext();
  const page = await open(context, `${site.address}#tab=analyse&game=tixtax&fen=garbage`);
  await until(page, () => document.querySelector(".toast") !== null || !document.getElementById("banner").hidden, "a broken link is reported");
  const text = `[Event "?"]\n[Site "?"]\n[Date "2026.01.01"]\n[Round "1"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n[Game "checkers"]\n\n1. e4 *\n`;
  await page.click("#tab-review");
  await page.setInputFiles("input[type=file]", { name: "other.pgn", mimeType: "text/plain", buffer: Buffer.from(text) });
  await until(page, () => [...document.querySelectorAll(".toast, #panel")].some((node) => /checkers/.test(node.textContent)), "the record of another game is refused by name");
  await context.close();

  for (const [name, script] of [
    ["full", () => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; }],
    ["forbidden", () => { for (const store of ["localStorage", "sessionStorage"]) Object.defineProperty(window, store, { get() { throw new DOMException("forbidden", "SecurityError"); } }); }],
  ]) {
    const limited = await newContext();
    await limited.addInitScript(script);
    // A toast may be gone before the engine has answered.
    await limited.addInitScript(() => {
      globalThis.toasts = new Set();
      new MutationObserver(() => document.querySelectorAll(".toast").forEach(({ textContent }) => toasts.add(textContent))).observe(document, { subtree: true, childList: true });
    });
    const own = await open(limited, site.address);
    await own.click(hit(40), { force: true });
    await until(own, () => document.querySelectorAll("#play-moves .move").length === 2, `the engine answers with ${name} storage`);
    await until(own, () => [...toasts].some((text) => /storage is full or blocked/.test(text)), `${name} storage is reported`);
    await limited.close();
  }

  const broken = mkdtempSync(join(tmpdir(), "zermelo-site-"));
  for (const [name, damage, said, use = null] of [
    ["damaged weights", () => { const file = join(broken, "tixtax.eval"); const bytes = readFileSync(file); bytes[bytes.length >> 1] ^= 1; writeFileSync(file, bytes); }, /checksum|corrupt/, (page) => page.click(hit(40), { force: true })],
    ["missing weights", () => rmSync(join(broken, "tixtax.eval")), /404/],
    ["missing weights of another game", () => rmSync(join(broken, "tixtax-count.eval")), /tixtax-count.*404/,
      async (page) => { await page.selectOption("#game", "tixtax-count"); await page.click(hit(40), { force: true }); }],
    ["a damaged engine", () => writeFileSync(join(broken, "engine-simd.wasm"), "no module"), /WebAssembly|wasm/],
  ]) {
    cpSync(SITE, broken, { recursive: true });
    damage();
    const damaged = await serve(broken);
    const limited = await newContext();
    const own = await open(limited, damaged.address, { fails: true });
    if (use) {
      await own.waitForSelector(".board .hit[aria-label]");
      await use(own);
    }
    await until(own, () => !document.getElementById("banner").hidden, name);
    const banner = await own.innerText("#banner");
    expect(said.test(banner), `${name}: the page says ${JSON.stringify(banner)}`);
    await limited.close();
    damaged.end();
  }
  rmSync(broken, { recursive: true });
  log("broken links, other records, storage, damaged files");
}

/** The example that docs/integration.md shows. */
async function embedding(site) {
  const script = /<script type="module">\n([^]*)<\/script>/.exec(readFileSync("examples/embed.html", "utf8"))[1];
  expect(readFileSync("docs/integration.md", "utf8").includes(script), "docs/integration.md shows another example than examples/embed.html");
  const context = await newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`${site.address}embed.html`);
  await until(page, () => /^[a-i][1-9]$/.test(document.getElementById("move").textContent), "the embedded engine moves");
  log("embedded engine");
  await context.close();
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1];

/** The figures of a visit and of an analysis; meaningful on an idle machine. */
async function figures(site) {
  const visits = { first: [], second: [] };
  // The page's own clock starts with the navigation and leaves out the driver of the browser.
  const playAtOnce = () => {
    let hasPlayed = false;
    new MutationObserver(() => {
      const cell = document.querySelector('.board .hit[data-spot="40"][aria-label]');
      if (cell && !hasPlayed && location.search !== "?wait") {
        hasPlayed = true;
        setTimeout(() => cell.dispatchEvent(new MouseEvent("click", { bubbles: true })));
      }
      if (document.querySelector("#play-moves .move")) globalThis.firstMove ??= performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  };
  const visit = async (page, address) => {
    await page.goto(address);
    await until(page, () => globalThis.firstMove, "the first move is drawn");
    return page.evaluate(() => globalThis.firstMove);
  };
  let context;
  for (let round = 0; round < 5; round += 1) {
    const fresh = await newContext();
    await fresh.addInitScript(playAtOnce);
    visits.first.push(await visit(await fresh.newPage(), site.address));
    await fresh.close();
    // The second visit finds no game to resume.
    await context?.close();
    context = await newContext();
    await context.addInitScript(playAtOnce);
    const page = await open(context, `${site.address}?wait`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.goto("about:blank");
    visits.second.push(await visit(page, site.address));
  }
  const times = (list) => `${median(list).toFixed(0)} ms (${list.map((ms) => ms.toFixed(0)).join(", ")})`;
  log(`navigation to first move drawn: first visit ${times(visits.first)}, second visit ${times(visits.second)}`);
  const [page] = context.pages();
  await page.click("#tab-analyse");
  const long = await page.evaluate(() => new Promise((done) => {
    const found = [];
    new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    setTimeout(() => done(found), 5000);
  }));
  log(`main-thread tasks over 50 ms in 5 s of analysis: ${long.length ? long.map(Math.round) : "none"}`);
  await context.close();

  const size = (names) => names.map((name) => gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length / 1e6).map((megabytes) => megabytes.toFixed(2));
  log(`compressed with gzip: engine ${size(["engine-simd.wasm"])} MB, without SIMD ${size(["engine-plain.wasm"])} MB, weights ${size(["tixtax.eval", "tixtax-count.eval"]).join(" + ")} MB`);
}

/** Sums a figure of the renderer processes of a browser. */
async function ofRenderers(flag, figure) {
  const session = await (await start(flag)).newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, one) => sum + figure(one), 0);
}

/**
 * The speed of the engine against the program's, and what receiving messages costs. Processor time instead of wall time, since
 * other work on the machine hardly changes it.
 */
async function speeds() {
  const BENCHES = 4;
  const ROUNDS = 5;
  const seconds = async ({ flag = "", polls = true }) => {
    const own = await serve(SITE, { polls });
    const context = await newContext(flag);
    const engine = await embed(await open(context, own.address));
    await engine.converse("bench", SPEED);
    const before = await ofRenderers(flag, ({ cpuTime }) => cpuTime);
    for (let number = 0; number < BENCHES; number += 1) await engine.converse("bench", SPEED);
    const spent = await ofRenderers(flag, ({ cpuTime }) => cpuTime) - before;
    await context.close();
    own.end();
    return spent;
  };
  const user = (count) => {
    const command = `{ TIMEFORMAT=%U; time "$0" -- ${"bench ".repeat(count)} >/dev/null; } 2>&1`;
    return Number(execFileSync("bash", ["-c", command, PROGRAM], { encoding: "utf8" }));
  };
  // Without the start of the program, as the tab is measured without its start.
  const native = () => user(BENCHES + 1) - user(1);
  const shares = { "with SIMD": [], "without SIMD": [], "receiving nothing": [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const program = native();
    const simd = await seconds({});
    shares["with SIMD"].push(program / simd);
    shares["without SIMD"].push(program / await seconds({ flag: WITHOUT_SIMD }));
    shares["receiving nothing"].push(await seconds({ polls: false }) / simd);
  }
  const percent = (name) => `${(100 * median(shares[name])).toFixed(1)} %`;
  log(`nodes per second of processor time against the program: with SIMD ${percent("with SIMD")}, without ${percent("without SIMD")}`);
  log(`against a search that receives nothing: ${percent("receiving nothing")} (medians of ${ROUNDS} rounds)`);
}

/** The memory of the browser during an analysis of MINUTES, from the environment. */
async function memory(site) {
  const context = await newContext();
  const page = await open(context, site.address);
  await page.click("#tab-analyse");
  const resident = ({ id }) => Number(/^Rss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]) / 1024;
  for (let minute = 0; minute <= Number(process.env.MINUTES ?? 60); minute += 1) {
    await page.waitForTimeout(60_000);
    log(`memory of the renderers after ${minute + 1} min: ${(await ofRenderers("", resident)).toFixed(0)} MiB`);
  }
  await context.close();
}

const site = await serve(SITE);
const checks = { bench, stopping, proofs, offline, badInput, embedding };
const steps = { ...checks, figures, speeds, memory };
const chosen = process.argv.slice(3);
for (const name of chosen.length ? chosen : Object.keys(checks)) {
  if (!(name in steps)) throw new Error(`unknown step ${name}, expected one of: ${Object.keys(steps).join(" ")}`);
  await steps[name](site).catch((error) => expect(false, `${name}: ${error.stack}`));
}
for (const browser of browsers.values()) await browser.close();
site.end();
console.log(problems.length ? `${problems.length} problems:\n${[...new Set(problems)].join("\n")}` : `The check of the site passed in ${((performance.now() - began) / 1000).toFixed(0)} s.`);
process.exit(problems.length ? 1 : 0);
