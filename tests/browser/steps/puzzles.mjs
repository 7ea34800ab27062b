// Puzzles: solved, refuted, shown, rated; several moves, the puzzle of the day, one's own mistakes, damaged and full storage.

import { audit, chooseGame, expect, hit, log, newContext, offers, open, PHONE, screenshot, settled, until } from "../driver.mjs";

const DAY = 86_400_000;

const isState = (name) => ({ asked: () => document.getElementById("puzzle-solution")?.disabled === false && document.querySelector("#board[aria-busy=false] .hit.legal") !== null,
  refuted: () => document.getElementById("puzzle-retry") !== null && document.querySelector(".arrow.bad") !== null,
  ended: () => document.getElementById("puzzle-next")?.classList.contains("primary") })[name];
const text = (page) => page.innerText("#puzzle-text");
const counts = (page) => page.innerText("#streak");

async function asked(page, what) {
  await until(page, isState("asked"), what);
  await settled(page);
}

/** Makes the page keep the puzzles that it receives. */
function hear(page) {
  return page.evaluate(() => {
    const { parse } = JSON;
    window.heard = [];
    JSON.parse = (...given) => {
      const message = parse(...given);
      if (message?.answer?.to_find) window.heard.push(message.answer);
      return message;
    };
  });
}

/** The last puzzle that the page received. */
const heard = (page) => page.evaluate(() => window.heard.at(-1));

/** Plays a move of the shown position by the names of its squares. */
async function type(page, move) {
  await settled(page);
  await page.evaluate(() => document.querySelector(".typed").classList.add("open"));
  await page.fill("#typed", move);
  await page.press("#typed", "Enter");
}

/** Solves the shown puzzle by its line. */
async function solve(page, { line, to_find: count }, withHints = false) {
  for (let found = 0; found < count; found += 1) {
    await asked(page, `move ${found + 1} of ${count} is asked`);
    if (withHints) {
      await page.click("#puzzle-hint");
      await until(page, () => /It is|one move is left/.test(document.getElementById("puzzle-text").textContent), `a hint at move ${found + 1}`);
    }
    await type(page, line[2 * found]);
    if (found + 1 < count) await until(page, (number) => document.getElementById("puzzle-text").textContent.includes(` ${number}`), "the opponent replies", found + 2);
  }
  await until(page, isState("ended"), "the puzzle is solved");
  await until(page, () => document.getElementById("puzzle-reason") !== null, "the reason for the solution");
}

async function refuted(address) {
  const page = await open(address);
  await hear(page);
  await chooseGame(page, "tictactoe");
  await page.click("#tab-puzzles");
  await asked(page, "a puzzle");
  await page.click("#puzzle-solution");
  await until(page, isState("ended"), "the solution");
  await until(page, () => /not solved|0 \/ 1/.test(document.getElementById("streak").textContent), "the shown puzzle counts");
  await until(page, () => document.getElementById("puzzle-change") !== null, "the rating changes");
  await audit(page, "puzzles");
  await page.click("#puzzle-next");
  await asked(page, "the next puzzle");
  // A wrong move is refuted on the board and taken back with the keyboard.
  const puzzle = await heard(page);
  const { targets } = await offers(page);
  const names = await page.evaluate((spots) => spots.map((spot) => document.querySelector(`.hit[data-spot="${spot}"]`).getAttribute("aria-label").split(",")[0]), targets);
  const wrong = targets[names.findIndex((name) => name !== puzzle.line[0])];
  const before = await page.evaluate(() => document.querySelector("#status").textContent);
  const rating = await page.innerText("#puzzle .note");
  await page.focus(hit(wrong));
  await page.keyboard.press("Enter");
  await until(page, isState("refuted"), "the refutation");
  expect((await page.innerText("#puzzle-reason")).includes(`${names[targets.indexOf(wrong)]} turns a `), "a wrong move has no reason");
  expect(!(await page.innerText("#puzzle")).includes("etter: "), "the refutation names the solution");
  expect(await page.evaluate(() => document.activeElement.id) === "puzzle-retry", "the focus is not on the second try");
  await audit(page, "a refuted move");
  await screenshot(page, "puzzle-refuted");
  await page.keyboard.press("Enter");
  await asked(page, "the second try");
  expect(await page.evaluate(() => document.activeElement.closest("#board") !== null), "the focus is not on the board for the second try");
  expect(await page.innerText("#status") === before, "the position after taking back is another one");
  await page.click("#puzzle-hint");
  await until(page, () => /It is|one move is left/.test(document.getElementById("puzzle-text").textContent), "the hint");
  expect(!(await text(page)).includes(names[targets.indexOf(wrong)]), "the hint names a refuted move");
  await until(page, () => document.getElementById("puzzle-change") !== null, "the rating changes");
  expect(await page.innerText("#puzzle .note") === rating, "the puzzle's rating changes while it is solved");
  await solve(page, puzzle);
  await until(page, () => /0 \/ 2/.test(document.getElementById("streak").textContent), "only the first try counts");
  await page.selectOption("#difficulty", "2");
  await page.click("#tab-explore");
  await page.click("#tab-puzzles");
  await asked(page, "a puzzle of a difficulty");
  await chooseGame(page, "ponghauki");
  expect(await page.inputValue("#difficulty") === "", "the difficulty is kept for another game");
  await asked(page, "a puzzle of another game");
  await page.selectOption("#difficulty", "5");
  await until(page, () => /No more puzzles/.test(document.getElementById("puzzle-text").textContent), "there is no puzzle of the difficulty");
  expect(!(await page.innerText("#puzzle")).includes("null"), "a missing text is shown as null");
  await page.context().close();
}

/** A puzzle of several moves, its history, the other language, and a reload. */
async function several(address) {
  const page = await open(address);
  await hear(page);
  await chooseGame(page, "nim");
  await page.click("#tab-puzzles");
  await asked(page, "a puzzle");
  for (let tries = 0; (await heard(page)).to_find < 2 && tries < 30; tries += 1) {
    await page.click("#puzzle-next");
    await asked(page, "the next puzzle");
  }
  const puzzle = await heard(page);
  expect(puzzle.to_find > 1, "no puzzle has several moves");
  await solve(page, puzzle);
  await until(page, () => /1 \/ 1/.test(document.getElementById("streak").textContent), "the puzzle counts once");
  await until(page, () => document.getElementById("puzzle-change") !== null, "the rating changes");
  await page.click("#language");
  await until(page, () => document.documentElement.lang === "zh-Hans" && /正确/.test(document.getElementById("puzzle-text").textContent)
    && document.getElementById("puzzle-reason") !== null && /我的等级分/.test(document.getElementById("puzzle-change").textContent), "the texts change with the language");
  await page.click("#puzzle-history summary");
  await until(page, () => document.querySelectorAll("#puzzle-results tbody tr").length === 1, "the history has the puzzle");
  await audit(page, "puzzles in Chinese");
  await screenshot(page, "puzzle-history");
  const rating = await page.evaluate(() => JSON.parse(localStorage.getItem("zermelo.puzzles")).solvers.nim.rating);
  expect(rating > 1200, `the rating does not rise: ${rating}`);
  await page.reload();
  await settled(page);
  await asked(page, "a puzzle after the reload");
  expect((await counts(page)).includes(`${Math.round(rating)}`), "the rating is lost by a reload");
  await page.click("#puzzle-history summary");
  await page.click("#language");
  await page.click("#puzzle-results tbody button");
  await asked(page, "a puzzle of the history");
  await solve(page, puzzle, true);
  const again = await page.evaluate(() => JSON.parse(localStorage.getItem("zermelo.puzzles")).history.length);
  expect(again === 1, "a puzzle of the history counts again");
  await page.context().close();
}

/** The puzzle of the day is the same in two browsers; solved on two days, it makes a streak. */
async function daily(address) {
  const context = await newContext();
  await context.clock.setFixedTime(new Date("2026-11-27T12:00:00Z"));
  const page = await open(address, { context });
  await hear(page);
  await chooseGame(page, "tictactoe");
  await page.click("#tab-puzzles");
  await asked(page, "a puzzle");
  const chooseDaily = () => page.locator(".segments input[value=daily]").check();
  await chooseDaily();
  await until(page, () => /2026-11-27/.test(document.getElementById("puzzle-note").textContent), "the day is named");
  await asked(page, "the puzzle of the day");
  const first = await heard(page);
  await solve(page, first);
  await until(page, () => document.getElementById("puzzle-change") !== null, "the puzzle of the day counts");
  const row = () => page.locator("#streak dd").last().innerText();
  expect(await row() === "1", `one day in a row: ${await row()}`);
  const other = await open(address);
  await other.clock.setFixedTime(new Date("2026-11-27T23:59:00Z"));
  await hear(other);
  await chooseGame(other, "tictactoe");
  await other.click("#tab-puzzles");
  await asked(other, "a puzzle");
  await other.locator(".segments input[value=daily]").check();
  await until(other, () => /2026-11-27/.test(document.getElementById("puzzle-note").textContent), "the day is named");
  await asked(other, "the same puzzle");
  expect((await heard(other)).fen === first.fen, "two people get different puzzles of the day");
  await other.context().close();
  await context.clock.setFixedTime(new Date(Date.parse("2026-11-27T12:00:00Z") + DAY));
  await page.click("#tab-explore");
  await page.click("#tab-puzzles");
  await until(page, () => /2026-11-28/.test(document.getElementById("puzzle-note").textContent), "the next day has its own");
  await asked(page, "the puzzle of the next day");
  await solve(page, await heard(page));
  await until(page, () => [...document.querySelectorAll("#streak dd")].at(-1).textContent === "2", "two days in a row");
  await context.close();
}

/** A mistake in a reviewed game comes up until it is corrected. */
async function own(address) {
  const page = await open(address, { viewport: PHONE, touch: true });
  await chooseGame(page, "tictactoe");
  await page.click("#tab-puzzles");
  await page.locator(".segments input[value=own]").check();
  await until(page, () => document.getElementById("puzzle-review") !== null, "a review is offered");
  expect(await page.innerText("#puzzle .headline") === "Puzzles" && await page.locator("#puzzle .note").count() === 0, "the last puzzle is still shown");
  await audit(page, "no mistakes of one's own");
  await page.click("#tab-play");
  await page.locator("#setup input[value=human]").check();
  await page.click("#new-game");
  await until(page, () => document.querySelector(".hit.legal") !== null, "the game starts");
  // The second move, b3 as a reply to b2, loses.
  const moves = ["b2", "b3", "a1", "c3", "a3", "c1", "a2"];
  for (const [at, move] of moves.entries()) {
    await type(page, move);
    await until(page, (count) => document.querySelectorAll("#play-moves .move").length === count, `${move} is played`, at + 1);
  }
  await page.click("#tab-review");
  await page.click("#run-review");
  await until(page, () => document.querySelector(".accuracies") !== null, "the review");
  await page.click("#tab-puzzles");
  await asked(page, "a mistake of one's own");
  expect((await page.innerText("#puzzle .headline")).includes("b3"), "the mistake is not named");
  // The game is still known after another one was started.
  await page.click("#tab-play");
  await page.locator("#setup input[value=human]").check();
  await page.click("#new-game");
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 0, "another game is started");
  await page.click("#tab-puzzles");
  await asked(page, "a mistake of the earlier game");
  await audit(page, "an own mistake");
  await page.tap('.hit[aria-label^="b1,"]', { force: true });
  await until(page, isState("refuted"), "another mistake is refuted");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && Math.abs(document.getElementById("stage").getBoundingClientRect().top) < 60),
    "the page is too wide, or the refutation out of sight");
  await page.click("#puzzle-retry");
  await asked(page, "the second try");
  await type(page, "a3");
  await until(page, isState("ended"), "any corner is right");
  await page.click("#puzzle-next");
  await until(page, () => /corrected every mistake/.test(document.getElementById("puzzle-text").textContent), "no mistake is left");
  await page.context().close();
}

/** Damaged results are reported once and valid ones kept; full storage is reported, too. */
async function storage(address) {
  const context = await newContext();
  const page = await open(address, { context });
  await chooseGame(page, "nim");
  await page.evaluate(() => localStorage.setItem("zermelo.puzzles", JSON.stringify({
    solvers: { nim: { rating: 1432, deviation: 80, volatility: 0.06 }, tictactoe: { rating: "high" } }, history: [{ date: 5 }], days: 7 })));
  await page.click("#tab-puzzles");
  await until(page, () => /damaged/.test(document.getElementById("toasts").textContent), "a damaged history is told of");
  await asked(page, "a puzzle in spite of it");
  expect((await counts(page)).includes("1432"), "the sound rating is lost");
  expect((await page.innerText("#toasts")).match(/damaged/g).length === 1, "the message comes more than once");
  await page.evaluate(() => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; });
  await page.click("#puzzle-solution");
  await until(page, () => /results of puzzles/.test(document.getElementById("toasts").textContent), "a full storage is told of");
  await until(page, () => document.getElementById("puzzle-change") !== null && !document.getElementById("streak").textContent.includes("1432"), "the rating changes nevertheless");
  await context.close();
}

export async function puzzles(address) {
  await refuted(address);
  await several(address);
  await daily(address);
  await own(address);
  await storage(address);
  log("puzzles");
}
