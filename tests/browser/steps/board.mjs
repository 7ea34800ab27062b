// What the board itself says: where a move sends, the state of each small board, a win, the marks of advice; how it is read out.

import { chooseGame, clickSpot, expect, hit, log, open, settled, startGame, until, untilPlies } from "../driver.mjs";

const LATE = "xxx3ooo/1o1oo2x1/9/o2x5/3x5/3xo4/1o4x2/7x1/9 x 10 -";
const FULL = "3oo4/9/9/9/4o4/5x3/xox2x3/xoo6/oxx6 x 8 e5";
/** Either side wins the game with i1, and c1 sends the opponent there. */
const SHARP = "xxx3ooo/1o1oox1x1/9/o2x2ooo/x2x5/2xxo4/1o4x1o/3x3xo/1x7 x 15 -";
/** The opponent can win a board where c6 sends it. */
const DANGER = "ox1x1oo1x/o3o1o2/o2o5/xx1x2x2/9/9/6x2/9/9 x 9 g8";

const link = (address, tab, fen, moves = "") => `${address.split("#")[0]}#${new URLSearchParams({ tab, game: "tixtax", fen, moves })}`;
const count = (page, selector) => page.locator(`#board ${selector}`).count();
const spotOf = (page, name) => page.locator(".hit").evaluateAll((nodes, wanted) => nodes.find((node) => node.getAttribute("aria-label").split(",")[0] === wanted).dataset.spot, name);

/** A move points to the board that it opens until a key says no; in lessons always, and without motion, too. */
async function sent(address) {
  const page = await open(address);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await startGame(page, "tixtax");
  await clickSpot(page, await spotOf(page, "a9"));
  await untilPlies(page, 1, "a move");
  expect(await count(page, ".arrow.sent") === 0 && await count(page, ".glide") === 1, "a move into the same board has an arrow, or no frame");
  await clickSpot(page, await spotOf(page, "c9"));
  await untilPlies(page, 2, "another move");
  expect(await count(page, ".arrow.sent") === 1 && await count(page, ".lit-edge") === 1, "no arrow leads to the board to play in");
  await page.focus("#flip");
  await page.keyboard.press("a");
  await until(page, () => !document.querySelector(".arrow.sent"), "a key takes the arrow away");
  await page.reload();
  await settled(page);
  expect(await count(page, ".arrow.sent") === 0, "the arrow comes back with a reload");
  await page.click("#tab-learn");
  await page.waitForSelector("#lesson-hint");
  await clickSpot(page, await spotOf(page, "d6"));
  await page.waitForSelector(".arrow.sent");
  await page.context().close();
}

/** Won, drawn, open and playable boards have forms of their own, and numbers where a text has them. */
async function states(address) {
  const page = await open(link(address, "analyse", LATE));
  expect(await count(page, ".owned-edge") === 3 && await count(page, ".lit-edge") === 6 && await count(page, ".hatching") === 0, "won boards and boards to play in are not told apart");
  const status = await page.innerText("#status");
  const numbers = await page.locator("#board .number").allTextContents();
  expect(status.includes(`(${numbers.join(", ")})`), `the text says ${status}, the board ${numbers}`);
  const label = await page.getAttribute(hit(await spotOf(page, "b8")), "aria-label");
  expect(label === "b8, O, board won by X, closed", `a square of a won board is read out as ${label}`);
  await clickSpot(page, await spotOf(page, "i1"));
  await page.waitForSelector(".row-won");
  expect(await count(page, ".is-won") === 1 && await count(page, ".lit-edge") === 0, "a board that was just won looks like the others");
  await page.goto("about:blank");
  await page.goto(link(address, "analyse", FULL));
  await settled(page);
  expect(await count(page, ".hatching") === 1 && await count(page, ".owned-edge") === 0, "a drawn board is not hatched");
  await chooseGame(page, "tictactoe");
  await page.click("#tab-play");
  await page.locator("#setup input[value=human]").check();
  await page.click("#new-game");
  for (const [at, spot] of [4, 0, 3, 1, 5].entries()) {
    await clickSpot(page, spot);
    await untilPlies(page, at + 1, "a move");
  }
  await page.waitForSelector("#turn.is-won");
  expect(await count(page, ".row-won") === 1, "the row that won is not shown");
  await page.context().close();
}

/** The players change places without turning a board whose places are named; what is marked stays. */
async function flipped(address) {
  const page = await open(link(address, "play", DANGER));
  await page.locator("#setup input[value=second]").check();
  await page.click("#new-game");
  await untilPlies(page, 1, "the engine begins");
  expect((await page.innerText("#player-bottom")).startsWith("You"), "the user does not sit below the board");
  for (let step = 0; step < 3; step += 1) {
    await page.click("#hint");
    await until(page, () => !/Looking/.test(document.getElementById("hint-text")?.textContent ?? "Looking"), "a hint");
  }
  const place = () => page.evaluate(() => [document.querySelector(".hit").getBoundingClientRect().left, document.querySelectorAll(".arrow.best").length].join());
  const before = await place();
  await page.keyboard.press("f");
  await until(page, () => document.getElementById("player-top").textContent.startsWith("You"), "the players change places");
  expect(await place() === before, "the board turns, or the hint vanishes");
  await page.context().close();
}

/** A hint leads from the board to the move, and a bad move is framed with its refutation. */
async function advice(address) {
  const page = await open(link(address, "play", DANGER));
  await page.locator("#coach").check();
  await page.selectOption("#start", "fen");
  await page.fill("#setup-fen", SHARP);
  await page.click("#new-game");
  await until(page, () => document.querySelectorAll("#board .number").length === 5 && document.querySelector(".hit.legal"), "the position is set");
  await page.click("#hint");
  await until(page, () => /again/.test(document.getElementById("hint-text")?.textContent ?? ""), "a hint that leads on");
  expect(!/^[a-i]\d:/.test(await page.innerText("#hint-text")), "the first hint names the move");
  for (let step = 0; step < 3 && (await page.innerText("#hint-text")).includes("again"); step += 1) await page.click("#hint");
  expect(/^[a-i]\d:/.test(await page.innerText("#hint-text")) && await count(page, ".arrow.best.field") === 1, "the last hint does not show the move");
  await clickSpot(page, await spotOf(page, "c1"));
  await page.waitForSelector("#coach-warning");
  expect(!/Better/.test(await page.innerText("#coach-warning")), "the coach gives the better move away");
  await page.click("#coach-more");
  await until(page, () => document.getElementById("coach-told").textContent.includes("answers"), "the coach says what the opponent answers");
  expect(await count(page, ".arrow.bad:not(.field, .frame)") === 1, "the reply is no arrow");
  await page.click("#coach-more");
  await until(page, () => document.getElementById("coach-told").textContent.startsWith("Better"), "the coach shows a better move");
  await page.context().close();
}

export async function board(address) {
  await sent(address);
  await states(address);
  await flipped(address);
  await advice(address);
  log("board: where a move sends, states, wins, numbers, places of the players, hints and the coach");
}
