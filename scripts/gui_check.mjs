// The browser part of scripts/gui_check. Prints what it does with times, then the problems; exits 1 if there are any.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const TOOLS = resolve("target/gui-check");
const SCREENS = `${TOOLS}/screens`;
const require = createRequire(`${TOOLS}/package.json`);
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const GAMES = ["tixtax", "tictactoe", "ponghauki", "nim", "tixtax-open"];
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
/** More plies than any game of this check has. */
const MAX_PLIES = 200;

const problems = [];
const began = performance.now();
function log(text) {
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
}
function expect(holds, text) {
  if (holds) return;
  problems.push(text);
  console.log(`          PROBLEM: ${text}`);
}

/** Starts the program; returns its address and a function that ends it. */
async function startServer(port, args = []) {
  const child = spawn(resolve(process.argv[2] ?? "target/release/zermelo"), ["gui", "--no-browser", "--port", `${port}`, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => { text += data; const match = /http:\/\/\S+/.exec(text); if (match) found(match[0]); });
    child.on("exit", () => failed(new Error(`the server ended: ${text}`)));
  });
  return { address, port: Number(new URL(address).port), end: () => new Promise((done) => { child.removeAllListeners("exit"); child.on("exit", done); child.kill("SIGKILL"); }) };
}

let seed = 1;
/** Returns a random number below `count`, the same in every run. */
function below(count) {
  seed = (seed * 48271) % 0x7fffffff;
  return seed % count;
}

let browser;
/** Opens a page that reports errors and requests to other places. */
async function open(address, { viewport = DESKTOP, scheme = "light", locale = "en-US", touch = false, context = null } = {}) {
  const own = context ?? await browser.newContext({ viewport, colorScheme: scheme, locale, hasTouch: touch, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await own.newPage();
  page.setDefaultTimeout(10_000);
  page.isClosing = false;
  page.on("console", (message) => { if (!page.mayFail && ["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => problems.push(`page error: ${error.stack}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== new URL(address).origin) problems.push(`requests ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector(".board .hit[aria-label]");
  return page;
}

async function until(page, condition, text, argument) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await page.evaluate(condition, argument)) return true;
    await page.waitForTimeout(25);
  }
  expect(false, `timeout: ${text}`);
  return false;
}

/** Chooses a game and starts it between two persons. */
async function startGame(page, game) {
  await page.selectOption("#game", game);
  await page.click("#tab-play");
  await page.locator("#setup input[value=person]").check();
  await page.click("#new-game");
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 0 && document.querySelector(".hit.legal") !== null, `${game} starts`);
}

/** What the board offers: squares to click first, and after a selection the targets. */
function offers(page) {
  return page.evaluate(() => {
    const hits = [...document.querySelectorAll(".hit")].map((node) => ({ spot: node.dataset.spot, box: node.getBBox(), grab: node.classList.contains("grab"), legal: node.classList.contains("legal"), selected: node.classList.contains("selected") }));
    const targets = [...document.querySelectorAll(".targets .target")].map((node) => hits.find(({ box }) =>
      Math.abs(box.x + box.width / 2 - node.cx.baseVal.value) < 0.01 && Math.abs(box.y + box.height / 2 - node.cy.baseVal.value) < 0.01)?.spot);
    return { grabs: hits.filter(({ grab }) => grab).map(({ spot }) => spot), targets, plies: document.querySelectorAll("#play-moves .move").length };
  });
}

const hit = (spot) => `.hit[data-spot="${spot}"]`;

/** The ways to touch a spot. */
const WAYS = {
  mouse: (page, spot) => page.click(hit(spot), { force: true }),
  touch: (page, spot) => page.tap(hit(spot), { force: true }),
  async keyboard(page, spot) {
    page.routes ??= await keyRoutes(page);
    const from = await page.evaluate(() => document.activeElement?.dataset?.spot ?? document.querySelector(".hit[tabindex='0']").dataset.spot);
    await page.focus(hit(from));
    for (const key of route(page.routes, from, spot)) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
  },
};

/** Where each arrow key leads from each spot. */
async function keyRoutes(page) {
  const spots = await page.evaluate(() => [...document.querySelectorAll(".hit")].map((node) => node.dataset.spot));
  const routes = new Map();
  for (const spot of spots) {
    routes.set(spot, await page.evaluate((from) => Object.fromEntries(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => {
      const node = document.querySelector(`.hit[data-spot="${from}"]`);
      node.focus();
      node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      return [key, document.activeElement.dataset.spot];
    })), spot));
  }
  return routes;
}

function route(routes, from, to) {
  const queue = [[from, []]];
  const seen = new Set([from]);
  for (const [at, keys] of queue) {
    if (at === to) return keys;
    for (const [key, next] of Object.entries(routes.get(at))) if (!seen.has(next)) { seen.add(next); queue.push([next, [...keys, key]]); }
  }
  expect(false, `no arrow keys lead from spot ${from} to ${to}`);
  return [];
}

/** Plays random moves to the end of the game. */
async function playOut(page, game, way) {
  page.routes = undefined;
  let drags = 0;
  for (let ply = 0; ply < MAX_PLIES; ply += 1) {
    const { grabs, targets } = await offers(page);
    if (grabs.length === 0 && targets.length === 0) break;
    if (grabs.length > 0) {
      const from = grabs[below(grabs.length)];
      const isDrag = way === "mouse" && ply % 3 === 0;
      if (!isDrag) await WAYS[way](page, from);
      else await page.hover(hit(from), { force: true }), await page.mouse.down(), await page.mouse.move(5, 5), drags += 1;
      const { targets: ends } = await offers(page);
      const end = ends[below(ends.length)];
      expect(end !== undefined, `${game}: a piece without targets`);
      if (!isDrag) await WAYS[way](page, end);
      else await page.hover(hit(end), { force: true }), await page.mouse.up();
    } else await WAYS[way](page, targets[below(targets.length)]);
    if (!await until(page, (before) => document.querySelectorAll("#play-moves .move").length > before, `${game} by ${way}: move ${ply + 1} is drawn`, ply)) return;
  }
  await page.waitForSelector("#again");
  const plies = await page.locator("#play-moves .move").count();
  expect(await page.locator(".board .last").count() > 0, `${game}: the last move is not marked`);
  log(`${game} by ${way}: ${plies} plies${drags ? `, ${drags} dragged` : ""}; ${await page.innerText("#turn .headline")}`);
}

async function audit(page, name) {
  const found = await page.evaluate(`${AXE}; axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")).join(" | ")))`);
  for (const violation of found) expect(false, `axe, ${name}: ${violation}`);
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(content <= window, `${name}: the content is ${content} px wide, the window ${window}`);
}

async function whole(address) {
  const ways = [["mouse", {}], ["touch", { viewport: PHONE, touch: true, locale: "zh-CN", scheme: "dark" }], ["keyboard", { locale: "zh-CN" }]];
  await Promise.all(ways.map(async ([way, options]) => {
    const page = await open(address, options);
    for (const game of GAMES) {
      await startGame(page, game);
      await playOut(page, game, way);
    }
    await page.context().close();
  }));
}

/** A game against the engine: hint, undo, redo, refusals, typed moves, resignation, announcements. */
async function engineGame(address) {
  const page = await open(address);
  await page.selectOption("#game", "tictactoe");
  await page.click(hit(4), { force: true });
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 2, "the engine answers");
  expect(/o/i.test(await page.textContent("#live")), "the engine's move is not announced");
  await page.click(hit(4), { force: true });
  await until(page, () => document.getElementById("reply").textContent !== "", "an illegal click is explained");
  await page.click("#hint");
  await until(page, () => document.querySelector(".arrow") !== null && document.getElementById("hint-text").textContent.length > 5, "a hint with its mark");
  await page.click("#undo");
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 0, "undo");
  await page.click("#redo");
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 2, "redo");
  await page.fill("#typed", "b2");
  await page.keyboard.press("Enter");
  await until(page, () => document.getElementById("reply").textContent !== "", "an illegal typed move is explained");
  await page.click("#flip");
  await page.click("#step-previous");
  await page.waitForSelector("#return");
  await page.click("#return");
  await page.click("#resign");
  await page.waitForSelector("#again");
  // The coach warns before a losing move: o in a corner, x far from it.
  await page.locator("#setup input[value=second]").check();
  await page.locator("#coach").check();
  await page.selectOption("#start", "fen");
  await page.fill("#setup-fen", "x2/3/3 o");
  await page.click("#new-game");
  await until(page, () => document.querySelectorAll(".hit.legal").length === 8, "the position is set");
  await page.click(hit(1), { force: true });
  await page.waitForSelector("#coach-warning");
  await page.keyboard.press("Enter");
  expect(await page.locator("#play-moves .move").count() === 0, "the coach does not take the move back");
  log("engine game: hint, undo, redo, reasons, resignation, coach");
  await page.context().close();
}

async function analysis(address) {
  const page = await open(address);
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: "longtask" });
  });
  await page.click("#tab-analyse");
  await until(page, () => document.querySelectorAll("#analysis .line").length === 2 && /[1-9]/.test(document.getElementById("facts").textContent), "two lines of analysis");
  const facts = await page.textContent("#facts");
  await until(page, (before) => document.getElementById("facts").textContent !== before, "the analysis goes on", facts);
  await page.click(hit(40), { force: true });
  await page.click("#step-previous");
  await page.click(hit(30), { force: true });
  await until(page, () => document.querySelectorAll("#tree .variation").length === 1, "a variation");
  await page.fill("#comment", "<b>hostile</b> & kind");
  await page.click("#promote");
  await until(page, () => document.getElementById("promote").disabled, "the variation is promoted");
  expect(await page.locator("#tree b").count() === 0, "a comment becomes markup");
  await page.reload();
  await page.waitForSelector(".board .hit[aria-label]");
  await page.waitForSelector("#tree .variation");
  expect((await page.innerText("#tree")).includes("<b>hostile</b> & kind"), "a reload loses the comment");
  await page.fill("#fen", "9/9 nonsense");
  await page.click("#set-fen");
  await until(page, () => document.getElementById("fen-error").textContent.length > 10, "a bad FEN is explained");
  await page.selectOption("#game", "ponghauki");
  await page.click("#edit");
  for (const [piece, spot] of [["x", 2], [".", 2]]) {
    await page.selectOption("#edit-piece", piece);
    await page.click(hit(spot), { force: true });
  }
  await until(page, () => document.getElementById("fen-error").textContent === "", "an edited position is accepted");
  await page.selectOption("#edit-piece", "x");
  await page.click(hit(2), { force: true });
  await until(page, () => document.getElementById("fen-error").textContent !== "", "a wrong position is explained");
  await page.click(hit(0), { force: true });
  await until(page, () => document.getElementById("fen-error").textContent === "", "a corrected position is accepted");
  await page.click("#edit-done");
  await until(page, () => document.getElementById("editor").childElementCount === 0, "the edited position is set up");
  expect((await page.inputValue("#fen")).startsWith("1x/x/oo"), "the edited position is lost");
  // Chooses another game before the answer about the edited position is back.
  await page.click("#edit");
  await page.evaluate(() => {
    const game = /** @type {HTMLSelectElement} */ (document.getElementById("game"));
    document.getElementById("edit-done").click();
    game.value = "nim";
    game.dispatchEvent(new Event("change"));
  });
  await page.locator("#ratings-on").check();
  await page.waitForSelector(".badge.exact");
  await until(page, () => location.hash.includes("nim"), "the address names the game");
  const link = await page.evaluate(() => location.href);
  const tasks = await page.evaluate(() => window.longTasks ?? []);
  log(`analysis; tasks above 50 ms: ${tasks.length ? tasks.join(", ") : "none"}`);
  const second = await open(link, { context: page.context() });
  expect(await second.inputValue("#game") === "nim", "a link does not open its game");
  await second.click("#tab-play");
  await second.close();
  await page.context().close();
}

/** Milliseconds from a click until the piece is painted, and from navigation to first paint. */
async function speed(address) {
  const page = await open(address);
  await page.locator("#setup input[value=person]").check();
  await page.click("#new-game");
  await page.evaluate(() => {
    window.delays = [];
    document.querySelector("#board").addEventListener("click", () => {
      const start = performance.now();
      const count = document.querySelectorAll("#board .cell .piece").length;
      const look = () => requestAnimationFrame(() => (document.querySelectorAll("#board .cell .piece").length > count ? window.delays.push(performance.now() - start) : look()));
      look();
    }, { capture: true });
  });
  for (let ply = 0; ply < 20; ply += 1) {
    const { targets } = await offers(page);
    await page.click(hit(targets[below(targets.length)]), { force: true });
    await until(page, (count) => window.delays.length > count, "a move is drawn", ply);
  }
  const middle = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
  const delay = middle(await page.evaluate(() => window.delays));
  const paints = [];
  for (let load = 0; load < 5; load += 1) {
    await page.reload();
    await page.waitForSelector(".board .hit[aria-label]");
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN));
  }
  log(`speed: click to drawn move ${delay.toFixed(0)} ms, first paint ${middle(paints).toFixed(0)} ms (medians)`);
  expect(delay < 100, `click to drawn move takes ${delay} ms`);
  await page.context().close();
}

const HOSTILE = "<img src=x onerror=alert(1)>";
async function records(address) {
  const page = await open(address);
  const moves = ["a1", "b2", "c3", "a3", "c1", "b1", "c2"];
  const numbered = moves.map((move, ply) => (ply % 2 ? move : `${ply / 2 + 1}. ${move}`)).join(" ");
  const text = `[Event "${HOSTILE}"]\n[Site "?"]\n[Date "2026.01.01"]\n[Round "1"]\n[White "${HOSTILE}"]\n[Black "B & co"]\n[Result "1-0"]\n[Game "tictactoe"]\n\n${numbered} 1-0\n`;
  await page.click("#tab-review");
  await page.setInputFiles("input[type=file]", { name: "game.pgn", mimeType: "text/plain", buffer: Buffer.from(text) });
  if (!await until(page, (count) => document.querySelectorAll("#review-moves .move").length === count, "the record is opened", moves.length)) {
    return expect(false, await page.innerText("#toasts"));
  }
  await page.click("#run-review");
  await page.waitForSelector("#move-review", { timeout: 30_000 });
  expect((await page.innerText("#stage")).includes(HOSTILE), "the name of a player is not shown");
  expect(await page.locator("img").count() === 0, "a name becomes markup");
  await page.locator("#review-moves .move").nth(1).click();
  await page.waitForSelector("#move-review .headline");
  await audit(page, "review");
  await page.screenshot({ path: `${SCREENS}/review.png` });
  if (await page.locator("#start-retry").count()) {
    await page.click("#start-retry");
    await page.click("#retry-solution");
    await page.waitForSelector(".arrow.best");
    await page.click("#retry-stop");
  } else expect(false, "no mistake to retry");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-record")]);
  expect(readFileSync(await saved.path(), "utf8").includes(HOSTILE), "the saved record lacks the name");
  const [picture] = await Promise.all([page.waitForEvent("download"), page.click("#save-svg")]);
  expect(readFileSync(await picture.path(), "utf8").includes("<svg"), "the picture is no SVG");
  const [png] = await Promise.all([page.waitForEvent("download"), page.click("#save-png")]);
  expect(readFileSync(await png.path()).subarray(1, 4).toString() === "PNG", "the picture is no PNG");
  log("review, retry, records and pictures");
  await page.context().close();
}

async function puzzles(address) {
  const page = await open(address);
  await page.selectOption("#game", "tictactoe");
  await page.click("#tab-puzzles");
  await until(page, () => document.getElementById("puzzle-solution")?.disabled === false, "a puzzle");
  await page.click("#puzzle-solution");
  await until(page, () => document.querySelector(".board .last") !== null, "the solution");
  const streak = await page.innerText("#streak");
  expect(streak.includes("0 / 1"), `the puzzle does not count: ${streak}`);
  await audit(page, "puzzles");
  await page.click("#puzzle-next");
  await until(page, () => document.getElementById("puzzle-solution").disabled === false, "the next puzzle");
  log("puzzles");
  await page.context().close();
}

async function explorers(address) {
  const page = await open(address);
  await page.selectOption("#game", "ponghauki");
  await page.click("#tab-explore");
  await page.waitForSelector(".state .hit[role=button]");
  await page.focus(".state .hit[role=button]");
  await page.keyboard.press("Enter");
  await until(page, () => document.getElementById("step-previous").disabled === false, "the graph plays a move");
  await page.waitForSelector("#values .exact");
  await audit(page, "explore");
  await page.screenshot({ path: `${SCREENS}/explore-ponghauki.png`, fullPage: true });
  await page.selectOption("#game", "nim");
  await page.waitForSelector("#values .exact");
  await page.screenshot({ path: `${SCREENS}/explore-nim.png` });
  log("explorers");
  await page.context().close();
}

/** A lost socket heals; a killed and restarted program finds the unfinished game. */
async function restarts() {
  const first = await startServer(0);
  const context = await browser.newContext({ viewport: DESKTOP });
  let sockets = [];
  await context.routeWebSocket(/socket$/, (socket) => { sockets.push(socket); socket.connectToServer(); });
  const page = await open(first.address, { context });
  await page.locator("#setup input[value=person]").check();
  await page.click("#new-game");
  await page.click(hit(40), { force: true });
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 1, "a move");
  for (const socket of sockets) await socket.close();
  await until(page, () => document.getElementById("banner").hidden && document.querySelector(".toast") !== null, "the connection heals");
  page.mayFail = true;
  await first.end();
  await until(page, () => !document.getElementById("banner").hidden, "a lost connection is shown");
  const second = await startServer(first.port);
  const again = await open(second.address, { context });
  await until(again, () => document.querySelectorAll("#play-moves .move").length === 1, "the game survives a restart of the program");
  await second.end();
  log("reconnection and restart");
  page.mayFail = again.mayFail = true;
  await context.close();
}

/** Audits and photographs every tab. */
async function pictures(address) {
  await Promise.all([[DESKTOP, "light", "en-US"], [DESKTOP, "dark", "zh-CN"], [PHONE, "light", "zh-CN"], [PHONE, "dark", "en-US"]].map(async ([viewport, scheme, locale]) => {
    const page = await open(address, { viewport, scheme, locale, touch: viewport === PHONE });
    await page.click(hit(40), { force: true });
    await until(page, () => document.querySelectorAll("#play-moves .move").length === 2, "the engine answers");
    for (const tab of ["play", "analyse", "review", "explore"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(tab === "play" ? 200 : 900);
      const name = `${tab}-${viewport.width}-${scheme}`;
      await audit(page, name);
      await page.screenshot({ path: `${SCREENS}/${name}.png`, fullPage: true });
    }
    await page.context().close();
  }));
  log("audits and pictures");
}

mkdirSync(SCREENS, { recursive: true });
browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const server = process.env.GUI_ADDRESS ? { address: process.env.GUI_ADDRESS, end: async () => {} } : await startServer(0);
const steps = { whole, engineGame, analysis, records, puzzles, explorers, pictures, speed, restarts };
const chosen = process.argv.slice(3);
for (const [name, step] of Object.entries(steps)) {
  if (chosen.length && !chosen.includes(name)) continue;
  await step(server.address).catch((error) => expect(false, `${name}: ${error.stack}`));
}
await browser.close();
await server.end();
console.log(problems.length ? `${problems.length} problems:\n${[...new Set(problems)].join("\n")}` : `The browser check passed in ${((performance.now() - began) / 1000).toFixed(0)} s.`);
process.exit(problems.length ? 1 : 0);
