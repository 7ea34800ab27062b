// Two tabs of one browser: each keeps its game, and neither loses that of the other.

import { chooseGame, clickSpot, expect, log, newContext, open, settled, startGame, untilPlies } from "../driver.mjs";

export async function tabs(address) {
  const context = await newContext();
  const one = await open(address, { context });
  const two = await open(address, { context });
  await startGame(one, "tictactoe");
  await startGame(two, "tixtax");
  await clickSpot(one, 4);
  await clickSpot(two, 40);
  await untilPlies(one, 1, "the first tab plays");
  await untilPlies(two, 1, "the second tab plays");
  await clickSpot(one, 0);
  await untilPlies(one, 2, "the first tab plays on");
  await one.reload();
  await settled(one);
  await untilPlies(one, 2, "the first tab keeps its game");
  expect(await one.inputValue("#game") === "tictactoe", "the first tab has the game of the second");
  await two.reload();
  await untilPlies(two, 1, "the second tab keeps its game");
  await one.close();
  await two.close();
  const third = await open(address, { context });
  await third.click("#tab-play");
  await chooseGame(third, "tictactoe");
  await untilPlies(third, 2, "the game of the first tab survives");
  await chooseGame(third, "tixtax");
  await untilPlies(third, 1, "the game of the second tab survives");
  const isShown = await third.evaluate(() => {
    document.getElementById("tab-explore").click();
    return location.hash.includes("tab=explore");
  });
  expect(isShown, "a reload at once after a change of the section would show the old one");
  log("two tabs");
  await context.close();
}
