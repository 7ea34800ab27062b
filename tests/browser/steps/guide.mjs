// Draws the pictures of docs/gui.md, one for each tab: docs/gui/TAB.png.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { chooseGame, clickSpot, log, open, settled, startGame, until, untilPlies } from "../driver.mjs";

const FOLDER = fileURLToPath(new URL("../../../docs/gui/", import.meta.url));
const VIEW = { viewport: { width: 1080, height: 700 } };
const MOVES = "e5 d6 a9 c8 i6 h7 f2 g4 c3 h9 f9 g8 b4 d2 c4 g2 a4 b3 f7 i1 h3 f8 h6 e9 d9 b9";

/** What each tab shows, as a function that leads the page there. */
const TABS = {
  async play(page) {
    await page.click("#new-game");
    await clickSpot(page, 40);
    await untilPlies(page, 2, "the engine replies");
    await page.click("#hint");
    await page.waitForSelector(".arrow, .ring, .hinted");
  },
  async learn(page) {
    await page.click("#tab-learn");
    await page.waitForSelector("#lesson-hint");
  },
  async review(page) {
    await page.click("#run-review");
    await page.waitForSelector("#move-review");
    await page.locator("#review-moves .move").nth(24).click();
    await page.waitForSelector("#move-review .headline");
    await page.evaluate(() => document.getElementById("panel").scrollTo(0, 0));
  },
  async puzzles(page) {
    await until(page, () => document.getElementById("puzzle-solution")?.disabled === false, "a puzzle");
  },
  async explore(page) {
    await chooseGame(page, "ponghauki");
    await page.waitForSelector("#graph .state.current");
    await page.waitForSelector("#values .exact");
  },
  async games(page) {
    for (const spots of [[0, 1, 4, 2, 8], [4, 0, 2, 6, 3, 5, 1, 7, 8]]) {
      await startGame(page, "tictactoe");
      for (const [at, spot] of spots.entries()) {
        await clickSpot(page, spot);
        await untilPlies(page, at + 1, "a move");
      }
      await page.waitForSelector("#again");
    }
    await page.click("#tab-games");
    await until(page, () => document.querySelectorAll("#kept-games li").length === 2, "two games");
  },
};

export async function guide(address) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [tab, lead] of Object.entries(TABS)) {
    const moves = tab === "review" ? MOVES : "";
    const page = await open(`${address}#${new URLSearchParams({ tab: tab === "learn" ? "play" : tab, game: "tixtax", moves })}`, VIEW);
    await lead(page);
    await settled(page);
    await page.screenshot({ path: `${FOLDER}${tab}.png` });
    log(`docs/gui/${tab}.png`);
    await page.context().close();
  }
}
