// What is in view together at several sizes, what survives another tab, language or a reload, and the browser's buttons.

import { chooseGame, clickSpot, expect, hit, log, open, settled, startGame, until, untilPlies } from "../driver.mjs";

/** A laptop, a phone on its side and upright, and the laptop at 200 %. */
const SIZES = [[1366, 768], [844, 390], [390, 844], [683, 384]];
const MOVES = ["a1", "b2", "c3", "a3", "c1", "b1", "c2"];

const link = (address, fields) => `${address.split("#")[0]}#${new URLSearchParams(fields)}`;

/** Expects elements to lie inside the window. */
async function seen(page, selectors, what) {
  for (const selector of selectors) {
    const out = await page.evaluate((wanted) => {
      const { top, bottom, left, right } = document.querySelector(wanted).getBoundingClientRect();
      return top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1 ? [top, bottom, left, right, innerHeight].map(Math.round).join(" ") : "";
    }, selector);
    expect(!out, `${what}: ${selector} is out of sight (${out})`);
  }
}

async function together(address) {
  for (const [width, height] of SIZES) {
    const size = `${width}×${height}`;
    const page = await open(link(address, { tab: "play", game: "tictactoe" }), { viewport: { width, height } });
    await startGame(page, "tictactoe");
    await page.evaluate(() => { document.getElementById("panel").scrollTop = 1e4; });
    for (const [at, spot] of [4, 0, 3, 1, 5].entries()) {
      await clickSpot(page, spot);
      await untilPlies(page, at + 1, "a move");
    }
    await page.waitForSelector("#to-review");
    await page.waitForTimeout(200);
    await seen(page, ["#board", "#turn .headline", "#to-review"], `the end of a game at ${size}`);
    await page.goto("about:blank");
    await page.goto(link(address, { tab: "review", game: "tictactoe", moves: MOVES.join(" ") }));
    await settled(page);
    await page.click("#run-review");
    await page.waitForSelector("#move-review");
    await page.locator("#review-result .actions button").first().click();
    await page.waitForSelector("#move-review .headline");
    await page.waitForTimeout(200);
    await seen(page, ["#board", "#move-review .headline", "#move-review p:nth-of-type(3)"], `a turning point at ${size}`);
    await page.context().close();
  }
  const page = await open(address, { viewport: { width: 320, height: 640 } });
  for (const tab of ["play", "learn", "puzzles", "analyse", "review", "explore", "games"]) {
    await page.click(`#tab-${tab}`);
    await settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= 320, `${tab} is ${wide} px wide in a window of 320`);
    const low = await page.evaluate(() => [...document.querySelectorAll("main button, .top button, select")].filter((node) => node.offsetParent && !node.closest(".variation, .toast") && node.getBoundingClientRect().height < 43.5).map((node) => node.id || node.textContent));
    expect(low.length === 0, `buttons of ${tab} are too low for a finger: ${low.slice(0, 4)}`);
  }
  await page.context().close();
}

/** An edited position, a puzzle with a wrong answer and the place of each tab stay. */
async function kept(address) {
  const page = await open(address);
  await chooseGame(page, "ponghauki");
  await page.click("#tab-analyse");
  await page.click("#edit");
  await page.selectOption("#edit-piece", ".");
  await page.click(hit(0), { force: true });
  const isEdited = () => document.getElementById("editor")?.childElementCount > 0 && !document.querySelector(".hit[data-spot='0']").getAttribute("aria-label").includes("X");
  await until(page, isEdited, "the position is edited");
  await page.click("#language");
  await until(page, () => document.getElementById("language").textContent === "English", "the page speaks Chinese");
  await until(page, isEdited, "the edited position survives the language");
  await page.click("#language");
  await page.click("#tab-review");
  await page.click("#tab-analyse");
  await until(page, isEdited, "the edited position survives another tab");
  await page.reload();
  await until(page, isEdited, "the edited position survives a reload");
  await chooseGame(page, "tictactoe");
  await page.evaluate(() => {
    const { parse } = JSON;
    JSON.parse = (...given) => {
      const message = parse(...given);
      if (message?.answer?.to_find) window.right = message.answer.line[0];
      return message;
    };
  });
  await page.click("#tab-puzzles");
  await until(page, () => document.getElementById("puzzle-solution")?.disabled === false, "a puzzle");
  const task = () => page.evaluate(() => [...document.querySelectorAll(".hit")].map((node) => node.getAttribute("aria-label")).join().replaceAll(", last move", ""));
  await settled(page);
  const before = await task();
  const wrong = await page.evaluate(() => [...document.querySelectorAll(".hit.legal")].find((node) => !node.getAttribute("aria-label").startsWith(window.right)).dataset.spot);
  await clickSpot(page, wrong);
  await page.waitForSelector("#puzzle-retry");
  await page.reload();
  await until(page, () => document.getElementById("puzzle-solution")?.disabled === false, "a puzzle after the reload");
  await settled(page);
  expect(await task() === before, "a wrong answer and a reload lose the puzzle");
  // What is tried elsewhere is no part of the game in Play.
  await startGame(page, "tictactoe");
  await clickSpot(page, 4);
  await untilPlies(page, 1, "a move");
  await page.click("#tab-explore");
  await clickSpot(page, 0);
  await until(page, () => document.getElementById("status").textContent.includes("X"), "a move in Explore");
  await page.click("#tab-play");
  await settled(page);
  expect(await page.locator("#return").count() === 0 && await page.isDisabled("#redo"), "a move in Explore is part of the game in Play");
  await page.click("#tab-explore");
  await settled(page);
  expect(!await page.isDisabled("#step-previous") && (await page.getAttribute(hit(0), "aria-label")).includes("O"), "the place in Explore is lost");
  await page.reload();
  await settled(page);
  expect((await page.getAttribute(hit(0), "aria-label")).includes("O"), "the place in Explore is lost with a reload");
  await page.context().close();
}

/** Back and forward walk through tabs, and through positions where they are looked at. */
async function buttons(address) {
  const page = await open(address);
  await startGame(page, "tictactoe");
  await clickSpot(page, 4);
  await untilPlies(page, 1, "a move");
  await page.click("#tab-analyse");
  await settled(page);
  for (const spot of [0, 1]) {
    await clickSpot(page, spot);
    await until(page, (wanted) => document.querySelector(`.hit[data-spot="${wanted}"]`).getAttribute("aria-label").includes("last move"), "a move in Analyse", spot);
    await page.waitForTimeout(300);
  }
  await page.goBack();
  await until(page, () => document.querySelector(".hit[data-spot='0']").getAttribute("aria-label").includes("last move"), "back to the position before");
  await page.goForward();
  await until(page, () => document.querySelector(".hit[data-spot='1']").getAttribute("aria-label").includes("last move"), "forward again");
  await page.click("#tab-games");
  await page.waitForTimeout(300);
  await page.goBack();
  await page.waitForSelector("#tab-analyse[aria-selected=true]");
  for (let step = 0; step < 3; step += 1) {
    await page.goBack();
    await page.waitForTimeout(300);
  }
  await page.waitForSelector("#tab-play[aria-selected=true]");
  await settled(page);
  expect(await page.locator("#return").count() === 0, "back to Play shows an earlier position");
  await page.context().close();
}

export async function views(address) {
  await together(address);
  await kept(address);
  await buttons(address);
  log("views: what is seen together, what stays, back and forward");
}
