// Records, reviews, retried mistakes, pictures.

import { readFileSync } from "node:fs";
import { audit, chooseGame, clickSpot, expect, log, open, screenshot, settled, until } from "../driver.mjs";

const HOSTILE = "<img src=x onerror=alert(1)>";
const MOVES = ["a1", "b2", "c3", "a3", "c1", "b1", "c2"];

function record(name, moves, game = "tictactoe") {
  const numbered = moves.map((move, ply) => (ply % 2 ? move : `${ply / 2 + 1}. ${move}`)).join(" ");
  return `[Event "${name}"]\n[Site "?"]\n[Date "2026.01.01"]\n[Round "1"]\n[White "${name}"]\n[Black "B & co"]\n[Result "1-0"]\n[Game "${game}"]\n\n${numbered} 1-0\n\n`;
}

async function openText(page, name, text) {
  await page.setInputFiles("input[type=file]", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFileSync(await file.path());
}

const shows = (count) => document.querySelectorAll("#review-moves .row .move").length === count;

async function reviewed(page) {
  await page.click("#tab-review");
  await openText(page, "game.pgn", record(HOSTILE, MOVES));
  await until(page, shows, "the record is opened", MOVES.length);
  await settled(page);
  await page.click("#run-review");
  await page.waitForSelector("#move-review");
  expect((await page.innerText("#stage")).includes(HOSTILE), "the name of a player is not shown");
  expect(await page.locator("img").count() === 0, "a name becomes markup");
  await page.locator("#review-moves .move").nth(1).click();
  await page.waitForSelector("#move-review .headline");
  await audit(page, "review");
  await screenshot(page, "review");
  const edges = await page.evaluate(() => ["evaluation", "lines"].map((id) => document.getElementById(id) ?? document.querySelector("#board .stroke").parentNode).map((node) => node.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
  expect(edges[0].every((edge, at) => Math.abs(edge - edges[1][at]) < 8), `the evaluation bar is not beside the board: ${JSON.stringify(edges)}`);
  expect(await page.locator(".plot circle.mark").count() > 0, "the chart does not mark mistakes");
  await page.click(".plot svg", { position: { x: 60, y: 60 } });
  await until(page, () => document.querySelector("#review-moves .row .move").ariaCurrent === "step" || !document.querySelector("#review-moves [aria-current]"), "a click on the chart shows the position");
  await page.click("#review-moves .move >> nth=1");
  await until(page, () => document.querySelector("#move-review .headline")?.textContent.startsWith("b2"), "the move is shown");
  expect((await page.locator("#move-review p").nth(1).innerText()).startsWith("O: "), "the chances before and after a move name no player");
  expect(/[\d.]+ points lost in 4 moves, \d of them with a choice/.test(await page.locator(".accuracy").first().innerText()), "the accuracy does not say what it comes from");
  for (const [at] of MOVES.entries()) {
    await page.locator("#review-moves .move").nth(at).click();
    await until(page, (start) => document.querySelector("#move-review .headline")?.textContent.startsWith(start), "a move is shown", MOVES[at]);
    const text = await page.innerText("#move-review");
    expect(text.includes("Show ") === text.includes("etter: "), `a better move is offered without saying why: ${text}`);
  }
  await page.click("#review-moves .move >> nth=1");
  await until(page, () => document.querySelector("#move-review .headline")?.textContent.startsWith("b2"), "the move is shown again");
  const words = () => document.getElementById("move-review")?.textContent ?? "";
  const english = await page.evaluate(words);
  await page.click("#language");
  await until(page, () => /[\u4e00-\u9fff]{2}/.test(document.getElementById("move-review")?.textContent ?? ""), "marks and reasons are in Chinese");
  await page.click("#language");
  await chooseGame(page, "nim");
  await chooseGame(page, "tictactoe");
  await page.reload();
  await until(page, (before) => document.getElementById("move-review")?.textContent === before, "the review survives another game, language and a reload", english);
  await page.click(".start-retry >> nth=0");
  await settled(page);
  await page.click("#retry-solution");
  await page.waitForSelector(".arrow.best");
  await page.click("#retry-stop");
  await settled(page);
  await page.click(".start-retry >> nth=0");
  await settled(page);
  const legal = await page.locator(".hit.legal").first().getAttribute("data-spot");
  await clickSpot(page, legal);
  await page.waitForSelector(".arrow");
  await page.click("#retry-stop");
  await settled(page);
}

async function files(page) {
  const saved = (await download(page, "#save-record")).toString();
  expect(saved.includes(HOSTILE) && !saved.includes("0.0000s"), `the saved record lacks the name or has times: ${saved}`);
  const picture = (await download(page, "#save-svg")).toString();
  expect(picture.includes("<svg") && picture.includes("rgb(230, 184, 0)"), "the picture is no SVG, or lacks the last move");
  expect((await download(page, "#save-png")).subarray(1, 4).toString() === "PNG", "the picture is no PNG");
  await openText(page, "nonsense.pgn", "no record");
  await page.waitForSelector(".toast");
  await openText(page, "two.pgn", record("first", MOVES.slice(0, 5)) + record("second", MOVES));
  await page.waitForSelector("#record-game");
  await until(page, shows, "the first game is shown", 5);
  await page.selectOption("#record-game", "1");
  await until(page, shows, "the second game is shown", MOVES.length);
  // Starts a review and leaves: its answer must not appear in another game.
  await settled(page);
  await page.click("#run-review");
  await chooseGame(page, "nim");
  await page.waitForTimeout(500);
  expect(await page.locator("#move-review").count() === 0, "a review appears in another game");
}

/** A saved game against the engine still knows which side the user played. */
async function ownMistakes(page) {
  await chooseGame(page, "tictactoe");
  await page.click("#tab-review");
  // Shorter than the game that comes back with the choice.
  const moves = MOVES.slice(0, -1);
  await openText(page, "own.pgn", record("You", moves));
  await until(page, shows, "the record is opened", moves.length);
  await settled(page);
  await page.click("#run-review");
  await page.waitForSelector("#move-review");
  expect(await page.locator(".start-retry").count() <= 1 && !(await page.innerText("#review-result")).includes("weak moves of"), "the review does not know the user");
}

/** Comments and variations survive saving and loading wherever they are in the tree. */
async function annotated(page) {
  await chooseGame(page, "tictactoe");
  await page.click("#tab-analyse");
  await settled(page);
  const playAll = async (spots) => { for (const spot of spots) { await clickSpot(page, spot); await settled(page); } };
  const comment = async (text) => page.fill("#comment", text);
  const back = async (plies) => { for (let ply = 0; ply < plies; ply += 1) { await page.click("#step-previous"); await settled(page); } };
  await comment("the root");
  await playAll([0, 1, 2]);
  await comment("main\nsecond line");
  await back(2);
  await playAll([4, 5, 6]);
  await comment("in a variation");
  await back(1);
  await playAll([7]);
  await comment("in a variation of a variation");
  await back(3);
  await playAll([8]);
  const tree = () => page.evaluate(() => document.getElementById("tree").innerText);
  await page.click("#step-first");
  await settled(page);
  const before = await tree();
  for (const text of ["the root", "second line", "in a variation", "in a variation of a variation"]) expect(before.includes(text), `the tree lacks "${text}"`);
  const saved = (await download(page, "#save-record")).toString();
  await openText(page, "tree.pgn", saved);
  await page.waitForSelector("#tab-review[aria-selected=true]");
  await page.click("#tab-analyse");
  await settled(page);
  const after = await tree();
  expect(after === before, `a saved record changes the tree:\n${before}\n->\n${after}\n${saved}`);
}

/** What a record claims of itself is shown as text, and its illegal variations are removed when they are opened. */
async function hostile(page) {
  await page.click("#tab-review");
  const tags = [`Comment "0 \u202e${HOSTILE}"`, `Comment "1/zz/__proto__ ${HOSTILE}"`, `Variation "2 zz ${HOSTILE}"`, 'Variation "18446744073709551615 a1"', 'Comment "99999 far"'];
  await openText(page, "hostile.pgn", record(HOSTILE, MOVES).replace("\n\n", `\n${tags.map((tag) => `[${tag}]\n`).join("")}\n`));
  await until(page, shows, "the hostile record is opened", MOVES.length);
  await page.click("#tab-analyse");
  await settled(page);
  for (const left of [1, 0]) {
    await page.locator("#tree .move", { hasText: "zz" }).first().click();
    await until(page, (count) => [...document.querySelectorAll("#tree .move")].filter((move) => move.textContent === "zz").length === count, "an illegal variation is removed", left);
  }
  await page.click("#step-first");
  await settled(page);
  expect(await page.locator(".hit.legal").count() === 9, "the start cannot be reached after an illegal variation");
  expect(await page.locator("img").count() === 0, "a comment or variation becomes markup");
}

/** A review goes on while other tabs are shown, begins again after a reload, and ends without another click. */
async function survives(page) {
  await chooseGame(page, "tixtax");
  await page.click("#tab-review");
  const moves = ["e5", "d5", "a4", "b2", "e4", "e2"];
  await openText(page, "long.pgn", record("long", moves, "tixtax"));
  await until(page, shows, "the record is opened", moves.length);
  await settled(page);
  await page.click("#run-review");
  await page.waitForSelector("#review-bar");
  for (const tab of ["play", "analyse", "review"]) await page.click(`#tab-${tab}`);
  await page.waitForSelector("#review-bar, #move-review");
  expect(await page.locator("#run-review").count() === await page.locator("#move-review").count(), "a change of tab ends the review");
  await page.reload();
  await page.click("#tab-play");
  await settled(page);
  await page.click("#tab-review");
  await page.waitForSelector("#move-review");
}

/** No two ticks of an axis read the same. */
async function ticks(page) {
  const texts = await page.evaluate(async () => {
    const { lineChart } = await import("./charts.js");
    const figure = document.body.appendChild(document.createElement("figure"));
    lineChart(figure, { title: "t", xName: "x", yName: "y", height: 400, series: [{ name: "s", style: 0, points: [[0, 0], [9, 0.1]] }], format: (y) => `${y.toFixed(1)} ms` });
    const found = [...figure.querySelectorAll("text")].map((text) => text.textContent).filter((text) => text.endsWith(" ms"));
    figure.remove();
    return found;
  });
  expect(texts.length > 1 && new Set(texts).size === texts.length, `ticks are repeated: ${texts.join(", ")}`);
}

export async function review(address) {
  const page = await open(address);
  await reviewed(page);
  await files(page);
  await ownMistakes(page);
  await survives(page);
  await hostile(page);
  await ticks(page);
  await page.context().close();
  const other = await open(address);
  await annotated(other);
  log("review: retry, records, pictures, comments, variations");
  await other.context().close();
}
