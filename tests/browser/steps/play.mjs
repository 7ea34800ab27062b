// A game against the engine: hint, undo, redo, refusals, typed moves, resignation, announcements, coach, languages.

import { audit, chooseGame, clickSpot, expect, hit, log, open, settled, until, untilPlies } from "../driver.mjs";

const replied = () => document.getElementById("reply").textContent !== "";

async function opponent(page) {
  await chooseGame(page, "tictactoe");
  await clickSpot(page, 4);
  await untilPlies(page, 2, "the engine answers");
  expect(/o/i.test(await page.textContent("#live")), "the engine's move is not announced");
  await clickSpot(page, 4);
  await until(page, replied, "an illegal click is explained");
  await page.click("#hint");
  await until(page, () => document.getElementById("hint-text")?.textContent.includes("again"), "the first part of a hint");
  await page.click("#hint");
  await until(page, () => document.querySelector(".arrow") !== null && document.getElementById("hint-text").textContent.length > 5, "a hint with its mark");
  await page.click("#undo");
  await untilPlies(page, 0, "undo");
  expect(await page.locator(".arrow, #hint-text").count() === 0, "a hint outlives its position");
  await page.click("#redo");
  await untilPlies(page, 2, "redo");
  await page.fill("#typed", "b2");
  await page.keyboard.press("Enter");
  await until(page, replied, "an illegal typed move is explained");
  await page.click("#flip");
  await page.click("#step-previous");
  await page.waitForSelector("#return");
  await clickSpot(page, 4);
  await until(page, replied, "a click at an earlier position says how to go on");
  expect(await page.isDisabled("#typed"), "a move can be typed at an earlier position");
  await page.click("#return");
  await settled(page);
  // Leaves before the hint is there: it belongs to no other position.
  await page.click("#hint");
  await page.click("#step-first");
  await page.waitForSelector("#return");
  await page.click("#resign");
  await page.waitForSelector("#again");
  await page.waitForTimeout(1500);
  expect(await page.locator(".arrow, #hint-text").count() === 0, "a late hint is shown in another position");
  expect(await page.locator("#board .lit").count() === 0 && await page.isDisabled("#typed"), "a resigned game seems to go on");
  await page.click("#tab-analyse");
  await settled(page);
  await page.keyboard.press("ArrowLeft");
  await until(page, () => document.querySelector("#tree [aria-current]") && !document.getElementById("step-next").disabled, "an arrow key after a click on a tab goes back a move");
  await page.click("#tab-play");
  await settled(page);
  expect(await page.locator("#return").count() === 0, "Play shows what was looked at elsewhere");
  await page.click("#again");
  await until(page, () => document.activeElement?.classList.contains("hit"), "another game begins at the board");
  await page.focus("#tab-play");
}

/** What is chosen for the next game leaves this one alone, and a game that is left by mistake comes back. */
async function nextGame(page) {
  await chooseGame(page, "tictactoe");
  await page.click("#new-game");
  await settled(page);
  await clickSpot(page, 4);
  await untilPlies(page, 2, "the engine answers");
  const name = await page.innerText("#player-top");
  await page.selectOption("#level", "20");
  expect(await page.innerText("#player-top") === name, "the strength of the next game changes this one");
  expect(!name.includes("Elo"), "an Elo is shown where none was measured");
  await page.click("#new-game");
  await untilPlies(page, 0, "another game");
  await page.click(".toast-undo");
  await untilPlies(page, 2, "the game comes back");
  await chooseGame(page, "nim");
  await until(page, () => location.hash.includes("fen="), "Nim starts at random");
  expect(await page.locator(".rules[open] li").count() > 2, "the rules are not shown");
}

/** The coach warns before a losing move: o in a corner, x far from it. */
async function coach(page) {
  await page.locator("#setup input[value=second]").check();
  await page.locator("#coach").check();
  await page.selectOption("#start", "fen");
  await page.fill("#setup-fen", "x2/3/3 o");
  await page.click("#new-game");
  await until(page, () => document.querySelectorAll(".hit.legal").length === 8, "the position is set");
  await clickSpot(page, 1);
  await page.waitForSelector("#coach-warning");
  expect(/Careful: [^.]*\.\s+Choose another move\s+Why\?/.test(await page.innerText("#coach-warning")), "the coach names more than the danger");
  await page.keyboard.press("Enter");
  expect(await page.locator("#play-moves .move").count() === 0, "the coach does not take the move back");
  // Switches the tab while the coach considers: neither a warning nor a move may follow.
  await clickSpot(page, 1);
  await page.click("#tab-analyse");
  await page.waitForTimeout(1000);
  await settled(page);
  await page.click("#tab-play");
  await settled(page);
  expect(await page.locator("#coach-warning, #play-moves .move").count() === 0, "the coach acts in another tab");
  await clickSpot(page, 1);
  await page.waitForSelector("#coach-warning");
  await page.click("#coach-play");
  await until(page, () => document.querySelectorAll("#play-moves .move").length >= 1, "the move is played against the warning");
}

/** Several clicks on the language leave one language, and the game as it was. */
async function languages(page) {
  const rules = () => page.innerText(".rules");
  const english = await rules();
  expect(/^.*\n+Three in a row.* win\.\n+Choose /.test(english), `the rules do not begin with how to win: ${english}`);
  await page.click("#language");
  await until(page, () => document.getElementById("language").textContent === "English", "the page speaks Chinese");
  await until(page, (before) => document.querySelector(".rules").textContent !== before, "the rules are in Chinese", english);
  expect(/[\u4e00-\u9fff]{6}/.test(await rules()), "the Chinese rules are missing");
  await audit(page, "Chinese");
  // Before the page has changed, so that each of them asks for English.
  await page.evaluate(() => { for (let click = 0; click < 3; click += 1) document.getElementById("language").click(); });
  await until(page, () => document.getElementById("language").textContent === "中文" && document.documentElement.lang === "en", "the page speaks English again");
}

/** Two engines play to the end, with a pause. */
async function engines(page) {
  await page.locator("#setup input[value=engines]").check();
  await page.selectOption("#start", "standard");
  await page.click("#new-game");
  await page.waitForSelector("#pause");
  await until(page, () => document.querySelectorAll("#play-moves .move").length >= 2, "two engines play");
  await page.click("#pause");
  await settled(page);
  const plies = await page.locator("#play-moves .move").count();
  await page.waitForTimeout(1500);
  expect(await page.locator("#play-moves .move").count() === plies, "a paused game goes on");
  await page.click("#pause");
  await page.waitForSelector("#again");
  await page.click("#tab-games");
  await until(page, () => document.querySelector(".kept-game")?.textContent.match(/Zermelo.* – Zermelo/), "a game of two engines is in the list");
}

export async function play(address) {
  const page = await open(address);
  await opponent(page);
  await nextGame(page);
  await chooseGame(page, "tictactoe");
  await coach(page);
  await languages(page);
  await engines(page);
  log("play: engine, hint, undo, redo, reasons, resignation, coach, languages, two engines");
  await page.context().close();
}
