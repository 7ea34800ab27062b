// Uses reports of tournaments as a reader would. `cargo test --test library report:: -- --ignored` writes the sample pages.

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { DESKTOP, PHONE, audit, expect, log, newContext, screenshot } from "../driver.mjs";

const FOLDER = resolve("target/tmp/report");

/** Waits until a condition holds. The page forbids what Playwright's own function needs. */
async function until(page, condition) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await page.evaluate(condition)) return;
    await page.waitForTimeout(50);
  }
  expect(false, `timeout: ${condition}`);
}

const text = (page, selector) => page.locator(selector).first().innerText();

async function openReport(page, address, fragment = "") {
  await page.goto("about:blank");
  await page.goto(address + fragment);
  await page.waitForSelector("#game-count");
}

async function checkList(page, count) {
  const rows = page.locator("#games-body tbody tr");
  const shown = async () => Number((await text(page, "#game-count")).split(" ")[0].replaceAll(",", ""));
  expect(await shown() === count, "the count is wrong");
  const first = await rows.nth(0).innerText();
  const sort = page.locator("#sort-order button");
  await sort.click();
  expect(count < 2 || await rows.nth(0).innerText() !== first, "sorting has no effect");
  expect(await page.getAttribute("#sort-order", "aria-sort") === "descending", "the sort order is not descending");
  for (const heading of await page.locator("#games-body thead button").all()) await heading.click();
  await sort.click();
  for (const key of ["player", "ending", "kind"]) {
    const select = page.locator(`#filter-${key}`);
    await select.selectOption({ index: await select.locator("option").count() - 1 });
    expect(await shown() > 0 && await shown() <= count, `filter ${key} shows ${await shown()}`);
    await select.selectOption({ index: 0 });
  }
  const taken = await page.evaluate("(() => { const start = performance.now(); sortBy('time'); list.box.offsetHeight; return performance.now() - start; })()");
  expect(taken < 300, `sorting takes ${taken} ms`);
  await sort.click();
  await page.selectOption("#filter-player", { index: 1 });
  await page.selectOption("#filter-result", "won");
  const wins = await page.evaluate("page.games.filter((game) => resultFor(game, 0) === 'won' && game.players.includes(0)).length");
  expect(await shown() === wins, `${await shown()} games won by the first player are listed of ${wins}`);
  await page.selectOption("#filter-player", { index: 0 });
  // Scrolling loads all rows.
  for (let tries = 0; tries < 40 && await rows.count() < count; tries += 1) {
    await page.evaluate("list.box.scrollTop = list.box.scrollHeight");
    await page.waitForTimeout(40);
  }
  expect(await rows.count() === count, `${await rows.count()} rows of ${count}`);
}

/** Steps to the end and back, then jumps to a move. */
async function checkViewer(page, { number, game, plies, shown }, name) {
  await page.evaluate(`location.hash = "#game=${number}&ply=0"`);
  await until(page, `viewer.game?.number === ${number} && viewer.ply === 0`);
  const board = () => page.evaluate("viewer.board ? viewer.board.svg.innerHTML : null");
  for (let ply = 1; ply <= plies; ply += 1) {
    const before = await board();
    await page.click("#next");
    expect(await text(page, "#counter") === `${ply} / ${plies}`, `${name}: wrong counter at ${ply}`);
    expect(before === null || ply > shown || before !== await board(), `${name}: the board does not change at ${ply}`);
  }
  expect(!plies || await page.isDisabled("#next"), `${name}: next is enabled at the end`);
  expect(shown < plies || await page.locator(".board .last").count() > 0, `${name}: the last move is not marked`);
  for (let ply = 0; ply < plies; ply += 1) await page.click("#previous");
  expect(await text(page, "#counter") === `0 / ${plies}`, `${name}: not back at the start`);
  expect(await page.locator(".board .last").count() === 0, `${name}: a marked move before the first move`);
  if (plies) {
    await page.click("#last");
    await page.locator(".move").nth(Math.floor(plies * 2 / 3)).click();
  }
  // The score of a move keeps its distance from the next move.
  const distance = await page.evaluate(`Math.min(...[...document.querySelectorAll(".moves li")].map((row) => [...row.querySelectorAll(".move")])
    .filter((moves) => moves.length === 2)
    .map(([one, two]) => two.firstElementChild.getBoundingClientRect().left - one.lastElementChild.getBoundingClientRect().right))`);
  expect(distance === null || distance >= 12, `${name}: moves are ${distance} px apart`);
  const [content, window] = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  expect(content <= window, `${name}: ${game} is ${content} px wide, the window ${window}`);
  await screenshot(page, `${name}-viewer-${game}`);
}

async function checkLinksAndKeys(page, address, { number, plies }) {
  await openReport(page, address, `#game=${number}&ply=3`);
  expect(await text(page, "#counter") === `3 / ${plies}`, "a link to a ply does not work");
  const top = await page.evaluate("byId('viewer').getBoundingClientRect().top");
  expect(Math.abs(top) < 400, `a link scrolls the viewer to ${top}`);
  await page.click("#next");
  await until(page, `location.hash === "#game=${number}&ply=4"`);
  await page.click("#copy");
  await until(page, "byId('copy').textContent === 'Copied'");
  await openReport(page, address, `#game=${number}&ply=2`);
  await page.keyboard.press("ArrowRight");
  expect((await text(page, "#counter")).startsWith("3 "), "the right arrow does not step");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect((await text(page, "#counter")).startsWith("1 "), "the left arrow does not step");
  await page.click("#play");
  await until(page, "viewer.ply >= 2");
  await page.click("#play");
  const stopped = await text(page, "#counter");
  await page.waitForTimeout(900);
  expect(await text(page, "#counter") === stopped, "play does not pause");
}

/** A game whose moves cannot all be replayed has a notice; one without a layout has text diagrams. */
async function checkUnusualGames(page, address, games, name) {
  for (const { number, game, plies, shown } of games.filter((one) => one.shown < one.plies)) {
    await openReport(page, address, `#game=${number}&ply=2`);
    expect(await page.locator("#viewer .notice").count() > 0, "no notice about a damaged game");
    expect(await page.locator(".move").count() === plies, "moves are missing");
    await screenshot(page, `${name}-damaged-${game}`);
  }
  const diagram = await page.evaluate(`(() => {
    const game = page.games.find(({ moves, fens }) => fens.length === moves.length && fens.length > 3);
    const blank = game.changes.map(() => "");
    const diagrams = ["", ...blank].map((_, ply) => "board " + ply);
    openGame({ ...game, game: "no-layout", shown: "", changes: blank, diagrams }, 2);
    return document.querySelector("#viewer .diagram").textContent;
  })()`);
  expect(diagram === "board 2", `wrong diagram: ${diagram}`);
}

/** Mouse and keys move the crosshair; a click on the score chart opens that ply. */
async function checkCharts(page, address) {
  const chart = page.locator("#curves svg[role=img]").first();
  await chart.scrollIntoViewIfNeeded();
  await chart.hover();
  expect(await text(page, "#curves .readout") !== "", "a chart ignores the mouse");
  await page.mouse.move(1, 1);
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  expect(await text(page, "#curves .readout") !== "", "a chart ignores the keys");
  const key = page.locator("#curves .key").first();
  await key.click();
  expect(await key.getAttribute("aria-pressed") === "false", "a series cannot be hidden");
  await key.click();
  const number = await page.evaluate("page.games.find((game) => game.scores && game.moves.length > 8)?.number");
  if (number === undefined) return;
  await openReport(page, address, `#game=${number}&ply=1`);
  const graph = page.locator("#viewer svg.pickable").last();
  await graph.click({ position: { x: (await graph.boundingBox()).width * 0.7, y: 60 } });
  expect(await page.evaluate("viewer.ply") > 1, "a click on the score chart has no effect");
}

async function checkReport(file, viewport, colorScheme) {
  const name = `${file.replace(".html", "")}-${viewport.width}-${colorScheme}`;
  const address = pathToFileURL(`${FOLDER}/${file}`).href;
  const context = await newContext({ viewport, colorScheme, hasTouch: viewport === PHONE, offline: true });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.on("console", (message) => expect(!["error", "warning"].includes(message.type()), `${name}: console: ${message.text()}`));
  page.on("pageerror", (error) => expect(false, `${name}: ${error.stack}`));
  page.on("request", (request) => expect(["about:blank", address].includes(request.url().split("#")[0]), `${name}: requests ${request.url()}`));
  await openReport(page, address);
  await audit(page, name);
  await screenshot(page, name, true);
  const games = await page.evaluate("page.games.map(({ number, game, moves, fens }) => ({ number, game, plies: moves.length, shown: fens.length }))");
  if (games.length) {
    await checkList(page, games.length);
    for (const kind of new Set(games.map(({ game }) => game))) await checkViewer(page, games.find(({ game }) => game === kind), name);
    await checkLinksAndKeys(page, address, games.find(({ plies }) => plies > 3));
    await checkUnusualGames(page, address, games, name);
    await checkCharts(page, address);
  }
  await context.close();
}

export async function reports() {
  for (const file of readdirSync(FOLDER)) {
    await Promise.all([[DESKTOP, "light"], [PHONE, "dark"]].map(([viewport, scheme]) => checkReport(file, viewport, scheme)));
    log(`reports: ${file}`);
  }
}
