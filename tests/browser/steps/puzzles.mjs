// Puzzles: solved, missed, shown, graded.

import { audit, chooseGame, clickSpot, expect, log, open, offers, settled, until } from "../driver.mjs";

const isAsked = () => document.getElementById("puzzle-solution")?.disabled === false;

export async function puzzles(address) {
  const page = await open(address);
  await chooseGame(page, "tictactoe");
  await page.click("#tab-puzzles");
  await until(page, isAsked, "a puzzle");
  await settled(page);
  await page.click("#puzzle-solution");
  await until(page, () => document.querySelector(".board .last") !== null, "the solution");
  const streak = await page.innerText("#streak");
  expect(streak.includes("0 / 1"), `the puzzle does not count: ${streak}`);
  await audit(page, "puzzles");
  await page.click("#puzzle-next");
  await until(page, isAsked, "the next puzzle");
  // Tries every move: all but one are wrong, and only the first try counts.
  const { targets } = await offers(page);
  for (const spot of targets) {
    await clickSpot(page, spot);
    await until(page, () => document.getElementById("puzzle-text").textContent !== "", "an answer to a move");
    await settled(page);
    if (await page.isDisabled("#puzzle-solution")) break;
  }
  expect(await page.isDisabled("#puzzle-solution"), "no move solves the puzzle");
  expect((await page.innerText("#streak")).includes("/ 2"), "a puzzle counts more than once");
  await page.selectOption("#difficulty", "2");
  await page.click("#tab-explore");
  await page.click("#tab-puzzles");
  await until(page, isAsked, "a puzzle of a difficulty");
  await chooseGame(page, "ponghauki");
  expect(await page.inputValue("#difficulty") === "", "the difficulty is kept for another game");
  await page.selectOption("#difficulty", "5");
  await until(page, () => /No more puzzles/.test(document.getElementById("puzzle-text").textContent), "there is no puzzle of the difficulty");
  expect(!(await page.innerText("#puzzle")).includes("null"), "a missing text is shown as null");
  log("puzzles");
  await page.context().close();
}
