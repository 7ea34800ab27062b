// The tests of bindings/web/check. Prints what they do with times, then the problems; exits 1 if there are any.
//
//     node bindings/web/check.mjs PROGRAM [STEP...]

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const require = createRequire(resolve("target/gui-check/package.json"));
const { chromium } = require("playwright-core");
const PROGRAM = resolve(process.argv[2] ?? "target/release/zermelo");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };
/** The limit of a package, and of what a page loads, compressed, in bytes. */
const MAX_SIZE = 3e6;
/** The limit of every wait in milliseconds: it only ends checks that fail. */
const PATIENCE = 180_000;
/** Flags of V8 that take SIMD away. */
const WITHOUT_SIMD = "--no-enable-sse4-1";

const problems = [];
const began = performance.now();
const log = (text) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
function expect(holds, text) {
  if (holds) return;
  problems.push(text);
  console.log(`          PROBLEM: ${text}`);
}

const project = mkdtempSync(join(tmpdir(), "zermelo-npm-"));
const installed = join(project, "node_modules/zermelo-engine");
const readme = readFileSync("bindings/web/README.md", "utf8");
const [script, markup] = ["js", "html"].map((language) => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)[1]);

/** Runs a module in the project. */
function run(text, ...flags) {
  writeFileSync(join(project, "test.mjs"), text);
  return execFileSync("node", [...flags, "test.mjs"], { cwd: project, encoding: "utf8", timeout: PATIENCE });
}

function install() {
  const version = /^version = "(.*)"/m.exec(readFileSync("Cargo.toml", "utf8"))[1];
  const tarballs = ["zermelo-engine", "zermelo-engine-weights"].map((name) => resolve("target/npm", `${name}-${version}.tgz`));
  const sizes = tarballs.map((tarball) => statSync(tarball).size);
  expect(Math.max(...sizes) < MAX_SIZE, `the tarballs have ${sizes} bytes`);
  execFileSync("npm", ["init", "--yes"], { cwd: project });
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], { cwd: project });
  log(`tarballs of ${sizes.map((size) => (size / 1e6).toFixed(2)).join(" and ")} MB installed`);
}

/** The example of the README plays a game. */
function example() {
  expect(script.trimEnd().split("\n").filter(Boolean).length === 10, "the example of the README has not ten lines");
  const output = run(script).trim();
  expect(/^([a-i][1-9] ){17,}.*(won|wins|draw)/i.test(output), `the example prints ${output}`);
  log(`the example: ${output}`);
}

/** The same answers as the program, with both builds. */
function answers() {
  const positions = [["tixtax", "e5 d6 a9", 9], ["tixtax-count", "e5 d6", 7], ["tictactoe", "a3 b3", 9], ["nim", "c1c4", 5]];
  for (const flag of [null, WITHOUT_SIMD]) {
    const found = JSON.parse(run(`
      import { Engine } from "zermelo-engine";
      const engine = new Engine();
      const found = [];
      for (const [game, moves, depth] of ${JSON.stringify(positions)}) {
        await engine.position({ game, moves: moves.split(" ") });
        const { move, info } = await engine.go({ depth });
        found.push([move, info.pv.join(" ")]);
      }
      engine.close();
      console.log(JSON.stringify(found));`, ...(flag ? [flag] : [])));
    positions.forEach(([game, moves, depth], at) => {
      const lines = execFileSync(PROGRAM, ["--", `setoption name UCI_Variant value ${game}`, "ugi", `position startpos moves ${moves}`, `go depth ${depth}`], { encoding: "utf8" }).trim().split("\n");
      const best = lines.at(-1).split(" ")[1];
      const line = lines.findLast((one) => one.includes(" pv ")).split(" pv ")[1];
      expect(found[at][0] === best && found[at][1] === line, `${game}${flag ? " without SIMD" : ""}: ${found[at]}, the program ${best}, ${line}`);
    });
  }
  log("the answers of the program");
}

/** Rules without a search, errors, live analysis, the end of searches. */
function calls() {
  const found = JSON.parse(run(`
    import { Engine } from "zermelo-engine";
    const engine = new Engine({ options: { "Skill Level": 20 } });
    const refused = (promise) => promise.then(() => "accepted", (error) => error.message);
    const found = {};
    const position = await engine.position({ game: "tictactoe", moves: ["b2", "a1"] });
    found.legal = position.legal.map(({ move }) => move).sort().join(" ");
    found.illegal = await refused(engine.position({ game: "tictactoe", moves: ["b2", "b2"] }));
    found.fen = await refused(engine.position({ game: "tictactoe", fen: "nonsense" }));
    found.limit = await refused(engine.go({ seconds: 3 }));
    found.kept = (await engine.go({ depth: 3 })).move;
    found.games = (await engine.games()).map(({ id }) => id).join(" ");
    await engine.position({ game: "tixtax", moves: ["e5"] });
    let infos = 0;
    engine.addEventListener("info", ({ detail }) => { infos += 1; if (detail.depth >= 5 && detail.multipv === 3) engine.stop(); });
    const lines = await engine.analyse({ lines: 3 });
    found.lines = [lines.length, new Set(lines.map(({ pv }) => pv[0])).size, infos > 5];
    const replaced = refused(engine.go());
    found.second = /^[a-i][1-9]$/.test((await engine.go({ depth: 4 })).move);
    found.replaced = await replaced;
    const stopped = engine.go();
    engine.stop();
    found.stopped = /^[a-i][1-9]$/.test((await stopped).move);
    const times = [];
    for (let round = 0; round < 5; round += 1) {
      const search = engine.go();
      await new Promise((done) => setTimeout(done, 300));
      const asked = performance.now();
      engine.stop();
      await search;
      times.push(performance.now() - asked);
    }
    found.stop = times.sort((one, other) => one - other)[2];
    await engine.position({ game: "tictactoe", moves: "a1 a2 b1 b2 c1".split(" ") });
    found.over = await refused(engine.go({ depth: 3 }));
    found.hint = (await engine.ask("hint", { setup: { game: "tictactoe", moves: ["a1"] } })).move;
    const closed = refused(engine.go());
    engine.close();
    found.closed = [await closed, await refused(engine.position())];
    console.log(JSON.stringify(found));`));
  const expected = { legal: "a2 a3 b1 b3 c1 c2 c3", games: "tixtax tixtax-open tixtax-count tictactoe ponghauki nim", lines: [3, 3, true], second: true, stopped: true, over: "the game is over", hint: "b2",
    replaced: "another search has begun", closed: ["the engine is closed", "the engine is closed"] };
  for (const [name, value] of Object.entries(expected)) {
    const sorted = (one) => JSON.stringify(name === "games" ? one.split(" ").sort() : one);
    expect(sorted(found[name]) === sorted(value), `${name}: ${JSON.stringify(found[name])}, expected ${JSON.stringify(value)}`);
  }
  expect(/illegal move "b2"/.test(found.illegal), `an illegal move: ${found.illegal}`);
  expect(/nonsense/.test(found.fen), `a wrong FEN: ${found.fen}`);
  expect(/unknown limit "seconds", expected one of: depth/.test(found.limit), `an unknown limit: ${found.limit}`);
  expect(found.legal.includes(found.kept), `after refused positions the engine plays ${found.kept}`);
  expect(found.stop < 150, `stop is answered after ${found.stop} ms`);
  log(`rules, errors, analysis; stop is answered after ${found.stop.toFixed(0)} ms`);
}

/** The types fit the examples, and refuse what is wrong. */
function types() {
  writeFileSync(join(project, "use.mts"), `${script}
import { ZermeloBoard } from "zermelo-engine/zermelo-board.js";
engine.addEventListener("info", ({ detail }) => detail.pv.join(" "));
const board: ZermeloBoard = document.createElement("zermelo-board") as ZermeloBoard;
board.addEventListener("position", ({ detail }) => detail.moves.length + detail.legal.length);
// @ts-expect-error
engine.go({ seconds: 1 });
// @ts-expect-error
engine.position("e5");
`);
  for (const resolution of ["bundler", "nodenext"]) {
    const settings = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--types", "", "--module", resolution === "bundler" ? "es2022" : "nodenext", "--moduleResolution", resolution];
    try {
      execFileSync(resolve("target/gui-check/node_modules/.bin/tsc"), [...settings, "use.mts"], { cwd: project, encoding: "utf8" });
    } catch (error) {
      expect(false, `types, ${resolution}: ${error.stdout}`);
    }
  }
  log("types");
}

/** Serves the project, as any file server does. */
async function serve() {
  const requests = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    requests.push(pathname);
    try {
      const content = readFileSync(join(project, pathname));
      response.writeHead(200, { "Content-Type": TYPES[extname(pathname)] ?? "application/octet-stream", "Access-Control-Allow-Origin": "*" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, requests, end: () => { server.closeAllConnections(); server.close(); } };
}

/** The board in a page: from its own server and from another one, with and without SIMD. */
async function board() {
  for (const { name, flag, isForeign, lines } of [{ name: "board" }, { name: "board without SIMD", flag: `--js-flags=${WITHOUT_SIMD}` }, { name: "board from another server", isForeign: true }, { name: "board without analysis", lines: 0 }]) {
    const server = await serve();
    const own = isForeign ? await serve() : server;
    const text = markup.replace("node_modules", isForeign ? `${server.address}node_modules` : "node_modules").replace("<zermelo-board", lines === 0 ? '<zermelo-board lines="0"' : "<zermelo-board");
    writeFileSync(join(project, "index.html"), `<!DOCTYPE html>\n<title>A page</title>\n${text}`);
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...(flag ? [flag] : [])] });
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => problems.push(`${name}: ${error.stack}`));
    page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !message.text().includes("favicon")) problems.push(`${name}: ${message.text()} ${message.location().url}`); });
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(`${own.address}index.html`);
    await page.evaluate(() => {
      globalThis.seen = [];
      document.querySelector("zermelo-board").addEventListener("position", ({ detail }) => seen.push(detail.moves.join(" ")));
    });
    const moves = page.locator("zermelo-board .moves .move");
    await page.waitForFunction(() => document.querySelector("zermelo-board").moves.length === 3);
    const wasm = server.requests.filter((path) => path.endsWith(".wasm"));
    expect(wasm.length > 0 && wasm.every((path) => path.includes(flag ? "plain" : "simd")), `${name}: loads ${wasm}`);
    if (lines !== 0) {
      await page.locator("zermelo-board .line .pv:not(:empty)").nth(1).waitFor();
      expect(await page.locator("zermelo-board .evaluation").isVisible(), `${name}: no evaluation bar`);
      const size = [...new Set(server.requests)].reduce((sum, path) => sum + gzipSync(readFileSync(join(project, path))).length, 0);
      expect(size < MAX_SIZE, `${name}: loads ${size} bytes`);
      log(`${name}: ${(size / 1e6).toFixed(2)} MB with gzip`);
      await page.screenshot({ path: resolve("target/npm", `${name.replaceAll(" ", "-")}.png`) });
    }
    // A click on a legal cell, one on an illegal one, and a step back.
    await page.locator("zermelo-board .hit.legal").first().click();
    await page.waitForFunction(() => document.querySelector("zermelo-board").moves.length === 4);
    expect(await moves.count() === 4, `${name}: lists ${await moves.count()} moves`);
    await page.locator('zermelo-board .hit[data-spot="40"]').click();
    await page.locator("zermelo-board .reply:not(:empty)").waitFor();
    await page.locator("zermelo-board .icon-previous").click();
    await page.waitForFunction(() => document.querySelector("zermelo-board").moves.length === 3);
    const weights = () => server.requests.filter((path) => path.endsWith(".eval"));
    expect(lines === 0 ? weights().length === 0 : weights().every((path) => path.endsWith("/tixtax.eval")), `${name}: loads ${weights()}`);
    await page.evaluate(() => { Object.entries({ moves: "", game: "nim" }).forEach(([key, value]) => document.querySelector("zermelo-board").setAttribute(key, value)); });
    await page.waitForFunction(() => document.querySelector("zermelo-board").fen?.startsWith("rrrrrrrr"));
    expect((await page.evaluate(() => seen)).includes("e5 d6 a9"), `${name}: no event for the first position`);
    await page.evaluate(() => document.querySelector("zermelo-board").remove());
    const end = performance.now() + PATIENCE;
    while (page.workers().length > 0 && performance.now() < end) await page.waitForTimeout(50);
    expect(page.workers().length === 0, `${name}: ${page.workers().length} workers are left`);
    await browser.close();
    server.end();
    if (own !== server) own.end();
    log(name);
  }
}

const steps = { example, answers, calls, types, board };
const chosen = process.argv.slice(3);
install();
for (const name of chosen.length ? chosen : Object.keys(steps)) {
  if (!(name in steps)) throw new Error(`unknown step ${name}, expected one of: ${Object.keys(steps).join(" ")}`);
  try { await steps[name](); } catch (error) { expect(false, `${name}: ${error.stack}`); }
}
rmSync(project, { recursive: true });
console.log(problems.length ? `${problems.length} problems:\n${[...new Set(problems)].join("\n")}` : "The check of the package passed.");
process.exit(problems.length ? 1 : 0);
