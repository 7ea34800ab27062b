// Drives the page in Chromium: opens it, waits for it, collects problems.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const TOOLS = resolve("target/gui-check");
export const SCREENS = `${TOOLS}/screens`;
const require = createRequire(`${TOOLS}/package.json`);
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };
/** The limit of every wait: it only ends checks that fail. */
export const PATIENCE = 60_000;

/** What was found. @type {string[]} */
export const problems = [];
const began = performance.now();

export function seconds() {
  return (performance.now() - began) / 1000;
}

export function log(text) {
  console.log(`${seconds().toFixed(1).padStart(6)} s  ${text}`);
}

export function expect(holds, text) {
  if (holds) return;
  problems.push(text);
  console.log(`          PROBLEM: ${text}`);
}

/** Settings of the run: the delay of messages in milliseconds. */
export const run = { delay: 0 };

let browser;
export async function launch() {
  mkdirSync(SCREENS, { recursive: true });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

export async function shutDown() {
  await browser.close();
}

/**
 * Runs in the page before its scripts: every message between page and engine, over a socket or to a worker, arrives in
 * order after a random time up to `limit`.
 */
function delayMessages(limit) {
  const inOrder = () => {
    let last = Promise.resolve();
    return (action) => {
      const wait = new Promise((done) => { setTimeout(done, Math.random() * limit); });
      last = last.then(() => wait).then(action);
    };
  };
  const delayed = (Base, send) => class extends Base {
    #outgoing = inOrder();
    #incoming = inOrder();

    [send](...message) {
      this.#outgoing(() => { if (this.readyState === undefined || this.readyState === 1) super[send](...message); });
    }

    addEventListener(type, listener, ...options) {
      super.addEventListener(type, (event) => this.#incoming(() => listener.call(this, event)), ...options);
    }
  };
  window.WebSocket = delayed(WebSocket, "send");
  window.Worker = delayed(Worker, "postMessage");
}

/** Opens a context whose messages are delayed as the run demands. */
export async function newContext(options = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, locale: "en-US", acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], ...options });
  if (run.delay) await context.addInitScript(delayMessages, run.delay);
  return context;
}

/** Opens a page that reports errors and requests to other places. */
export async function open(address, { viewport = DESKTOP, scheme = "light", locale = "en-US", touch = false, context = null } = {}) {
  const own = context ?? await newContext({ viewport, colorScheme: scheme, locale, hasTouch: touch });
  const page = await own.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.mayFail = false;
  page.on("console", (message) => { if (!page.mayFail && ["error", "warning"].includes(message.type())) expect(false, `console: ${message.text()}`); });
  page.on("pageerror", (error) => expect(false, `page error: ${error.stack}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== new URL(address).origin) expect(false, `requests ${request.url()}`);
  });
  await page.goto(address);
  await settled(page);
  return page;
}

/** Waits until a condition holds in the page. */
export async function until(page, condition, text, argument) {
  try {
    await page.waitForFunction(condition, argument, { polling: 20, timeout: PATIENCE });
    return true;
  } catch (error) {
    expect(false, `timeout: ${text} (${`${error}`.split("\n")[0]})`);
    return false;
  }
}

/** Waits until the board shows the chosen position. */
export async function settled(page) {
  await page.waitForSelector("#board[aria-busy=false] .hit[aria-label]", { state: "attached" });
}

/** Waits until the list of moves has `count` moves and the board shows the last one. */
export async function untilPlies(page, count, text) {
  const holds = await until(page, (wanted) => document.querySelectorAll("#play-moves .move").length === wanted && document.querySelector("#board[aria-busy=false]"), text, count);
  return holds;
}

export const hit = (spot) => `.hit[data-spot="${spot}"]`;

/** Clicks a spot of the board once the position is shown. */
export async function clickSpot(page, spot) {
  await settled(page);
  await page.click(hit(spot), { force: true });
}

/** Chooses a game. */
export async function chooseGame(page, game) {
  await page.selectOption("#game", game);
  await settled(page);
}

/** The games that the page offers. */
export function gamesOf(page) {
  return page.locator("#game option").evaluateAll((options) => options.map(({ value }) => value));
}

/** Starts a game between two human players. */
export async function startGame(page, game) {
  await chooseGame(page, game);
  await page.click("#tab-play");
  await page.locator("#setup input[value=human]").check();
  await page.click("#new-game");
  await settled(page);
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 0 && document.querySelector(".hit.legal") !== null, `${game} starts`);
}

/** What the board offers: pieces to click first, and squares to place a piece on or, after a selection, to move it to. */
export async function offers(page) {
  await settled(page);
  return page.evaluate(() => {
    const hits = [...document.querySelectorAll(".hit")].map((node) => ({ spot: node.dataset.spot, box: node.getBBox(), grab: node.classList.contains("grab"), legal: node.classList.contains("legal") }));
    const targets = [...document.querySelectorAll(".targets .target")].map((node) => hits.find(({ box }) =>
      Math.abs(box.x + box.width / 2 - node.cx.baseVal.value) < 0.01 && Math.abs(box.y + box.height / 2 - node.cy.baseVal.value) < 0.01)?.spot);
    const grabs = hits.filter(({ grab }) => grab).map(({ spot }) => spot);
    return { grabs, targets: grabs.length ? targets : hits.filter(({ legal }) => legal).map(({ spot }) => spot) };
  });
}

let seed = 1;
/** Returns a random number below `count`, the same in every run. */
export function below(count) {
  seed = (seed * 48271) % 0x7fffffff;
  return seed % count;
}

/** Runs the accessibility audit, and checks that nothing is wider than the window. */
export async function audit(page, name) {
  const found = await page.evaluate(`${AXE}; axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")).join(" | ")))`);
  for (const violation of found) expect(false, `axe, ${name}: ${violation}`);
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(content <= window, `${name}: the content is ${content} px wide, the window ${window}`);
}

export async function screenshot(page, name, fullPage = false) {
  await page.screenshot({ path: `${SCREENS}/${name}.png`, fullPage });
}

export function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
}

