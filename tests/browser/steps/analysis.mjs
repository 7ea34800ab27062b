// Live lines, variations, comments, positions, links, values of the moves, proofs.

import { readFileSync } from "node:fs";

import { chooseGame, clickSpot, expect, hit, log, open, settled, until } from "../driver.mjs";

const LATE = "1x6o/1x1o1xxxx/1x1ooo1oo/1xo3ooo/8x/1x1ooo3/2x1x1oxx/2xoxo2x/2o1xx1ox o 20 -";
const noError = () => document.getElementById("fen-error").textContent === "";
const [RUNNING, ENDED] = ["#proof[aria-busy=true]", "#proof[aria-busy=false]"];
const hasError = () => document.getElementById("fen-error").textContent.length > 10;

async function lines(page) {
  const players = await page.innerText("#player-top");
  await page.click("#tab-analyse");
  expect(await page.innerText("#player-top") === players, "the players lose their names");
  await settled(page);
  // A click is lost if its target leaves the pointer while the button is pressed.
  const places = () => page.evaluate(() => ["delete", "edit", "board"].map((id) => document.getElementById(id).getBoundingClientRect()).map(({ left, top }) => `${left} ${top}`).join(", "));
  const before = await places();
  await until(page, () => document.querySelectorAll("#analysis .line").length === 2 && /[1-9]/.test(document.getElementById("facts").textContent), "two lines of analysis");
  expect(await places() === before, `what is below the lines moves when they arrive: ${before} to ${await places()}`);
  const facts = await page.textContent("#facts");
  await until(page, (before) => document.getElementById("facts").textContent !== before, "the analysis goes on", facts);
  await page.selectOption("#lines", "5");
  await until(page, () => document.querySelectorAll("#analysis .line").length === 5, "five lines of analysis");
  await page.selectOption("#lines", "2");
  await until(page, () => document.querySelectorAll("#analysis .line").length === 2, "two lines again");
  const [bar, line] = await page.evaluate(() => [document.querySelector(".evaluation .value"), document.querySelector("#analysis .score")].map((node) => node.textContent));
  expect(/\d/.test(bar) && line.replace(/\s/gu, "").includes(bar.replace("+", "")), `the bar says ${bar}, the line ${line}`);
  expect(await page.evaluate(() => { const node = document.querySelector(".evaluation .value"); return node.scrollWidth <= node.clientWidth; }), "the number leaves the bar");
}

async function variations(page) {
  await clickSpot(page, 40);
  await settled(page);
  await page.click("#step-previous");
  await clickSpot(page, 30);
  await until(page, () => document.querySelectorAll("#tree .variation").length === 1, "a variation");
  await settled(page);
  await page.fill("#comment", "<b>hostile</b> & kind");
  await page.click("#promote");
  await until(page, () => document.getElementById("promote").disabled, "the variation is promoted");
  expect(await page.locator("#tree b").count() === 0, "a comment becomes markup");
  await page.reload();
  await settled(page);
  await page.waitForSelector("#tree .variation");
  expect((await page.innerText("#tree")).includes("<b>hostile</b> & kind"), "a reload loses the comment");
  await page.click("#tree .variation .move");
  await settled(page);
  await page.click("#delete");
  await until(page, () => document.querySelector("#tree .variation") === null, "the variation is deleted");
}

async function positions(page) {
  await settled(page);
  await page.fill("#fen", "9/9 nonsense");
  await page.click("#set-fen");
  await until(page, hasError, "a bad FEN is explained");
  await chooseGame(page, "ponghauki");
  await page.click("#edit");
  for (const [piece, spot] of [["x", 2], [".", 2]]) {
    await page.selectOption("#edit-piece", piece);
    await page.click(hit(spot), { force: true });
  }
  await until(page, noError, "an edited position is accepted");
  await page.selectOption("#edit-piece", "x");
  await page.click(hit(2), { force: true });
  await until(page, hasError, "a wrong position is explained");
  await page.click(hit(0), { force: true });
  await until(page, noError, "a corrected position is accepted");
  await page.click("#edit-done");
  await until(page, () => document.getElementById("editor").childElementCount === 0, "the edited position is set up");
  await settled(page);
  expect((await page.inputValue("#fen")).startsWith("1x/x/oo"), "the edited position is lost");
  // The last move of an edited position names the board to play in.
  await chooseGame(page, "tixtax");
  await page.click("#edit");
  await page.click(hit(40), { force: true });
  await page.locator("#editor select").nth(1).selectOption("1");
  await page.selectOption("#edit-last", "e5");
  await until(page, () => document.getElementById("fen").value.endsWith(" o 1 e5"), "the last move is set");
  await page.click("#edit-done");
  await until(page, () => document.querySelectorAll(".hit.legal").length === 8, "the opponent plays in the centre");
  await chooseGame(page, "ponghauki");
  // Chooses another game before the answer about the edited position is back.
  await page.click("#edit");
  await page.evaluate(() => {
    const game = document.getElementById("game");
    document.getElementById("edit-done").click();
    game.value = "nim";
    game.dispatchEvent(new Event("change"));
  });
  await settled(page);
}

async function ratings(page) {
  await page.locator("#ratings-on").check();
  await page.waitForSelector(".badge.exact");
  await until(page, () => document.querySelectorAll("#analysis .line").length > document.querySelectorAll(".hit.grab").length, "every move has a line");
  await page.locator("#engine-on").uncheck();
  await until(page, () => document.querySelector(".badge") === null && document.getElementById("ratings-on").disabled, "without the engine there are no values");
  await page.locator("#engine-on").check();
  await until(page, () => location.hash.includes("nim"), "the address names the game");
  const second = await open(await page.evaluate(() => location.href), { context: page.context() });
  expect(await second.inputValue("#game") === "nim", "a link does not open its game");
  await second.close();
  const broken = await open(`${page.url().split("#")[0]}#tab=analyse&game=nim&moves=a1a3+a8a3`, { context: page.context() });
  await broken.waitForSelector(".toast");
  await until(broken, () => document.querySelectorAll("#tree .move").length === 1, "a link with an illegal move keeps the legal ones");
  await broken.close();
  await page.locator("#ratings-on").uncheck();
}

/** A proof near the start goes on until it is stopped; one near the end of a game has a value. */
async function proofs(page) {
  await chooseGame(page, "tixtax");
  await page.fill("#fen", "9/9/9/9/9/9/9/9/9 x 1 -");
  await page.click("#set-fen");
  await until(page, () => document.querySelectorAll(".hit.legal").length === 81, "the start position is set up");
  await settled(page);
  await page.locator("#engine-on").uncheck();
  await page.click("#prove");
  await page.waitForSelector(RUNNING);
  const text = () => document.getElementById("proof").textContent;
  await until(page, () => /[0-9]/.test(document.getElementById("proof").textContent), "the progress of a proof");
  const before = await page.evaluate(text);
  expect(/proof number [0-9,]+, disproof number [0-9,]+/i.test(before), `the progress lacks proof and disproof numbers: ${before}`);
  await until(page, (old) => document.getElementById("proof").textContent !== old, "the proof goes on", before);
  await page.click("#prove");
  await page.waitForSelector(ENDED);
  expect(!/[0-9]/.test(await page.evaluate(text)), "a stopped proof shows progress");
  await chooseGame(page, "ponghauki");
  await page.click("#prove");
  await page.waitForSelector(ENDED);
  expect(/Proven: (win|draw|loss).* [a-c][1-3][a-c][1-3] .*nodes in/.test(await page.textContent("#proof")), `a proof lacks value, move or effort: ${await page.textContent("#proof")}`);
  // Leaves the position before the answer: the text must not be shown with another one.
  await chooseGame(page, "tixtax");
  await page.click("#prove");
  await page.waitForSelector(RUNNING);
  await clickSpot(page, 40);
  await settled(page);
  await page.waitForTimeout(500);
  expect(await page.textContent("#proof") === "", "the text of a proof outlives its position");
  await page.fill("#fen", LATE);
  await page.click("#set-fen");
  await until(page, () => document.querySelectorAll(".hit.legal").length === 12, "the late position is set up");
  await settled(page);
  await page.click("#prove");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-certificate")]);
  expect(readFileSync(await file.path()).subarray(0, 7).toString() === "zermelo", "the certificate is damaged");
  await page.locator("#engine-on").check();
}

export async function analysis(address) {
  const page = await open(address);
  await lines(page);
  await variations(page);
  await positions(page);
  await ratings(page);
  await proofs(page);
  log("analysis: lines, variations, comments, positions, values, links, proofs");
  await page.context().close();
}
