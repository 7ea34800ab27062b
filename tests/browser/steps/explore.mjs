// The explorers: the values of the moves, the chapter of each game, the graph of Pong Hau K'i.

import { audit, chooseGame, expect, gamesOf, log, open, screenshot, settled, until } from "../driver.mjs";

export async function explore(address) {
  const page = await open(address);
  await chooseGame(page, "ponghauki");
  await page.click("#tab-explore");
  await page.waitForSelector(".state .hit[role=button]");
  expect(/draw/.test(await page.getAttribute(".state.current > .hit", "aria-label")), "the start has not the value of its only move");
  await page.focus(".state .hit[role=button]");
  await page.keyboard.press("Enter");
  await until(page, () => document.getElementById("step-previous").disabled === false, "the graph plays a move");
  await settled(page);
  await page.waitForSelector("#values .exact");
  await page.waitForSelector("#graph .state.current");
  await audit(page, "explore");
  await screenshot(page, "explore-ponghauki", true);
  for (const game of await gamesOf(page)) {
    await chooseGame(page, game);
    await page.waitForSelector("#values .ratings button, #atlas tbody button");
    await page.waitForSelector("#study h2");
    const chapter = await page.innerText("#study");
    expect(chapter.length > 80, `the chapter of ${game} is short: ${chapter}`);
  }
  await chooseGame(page, "nim");
  await page.waitForSelector("#values .exact");
  await page.waitForSelector("#study table", { state: "attached" });
  await page.locator("#values .ratings button").first().click();
  await until(page, () => document.getElementById("step-previous").disabled === false && document.querySelector("#study h2") !== null, "a move is played");
  await settled(page);
  await page.waitForSelector("#study table", { state: "attached" });
  expect(!(await page.textContent("#study")).includes("Moves, best first"), "the values of the moves are told twice");
  await page.click("#language");
  await until(page, () => /[\u4e00-\u9fff]{4}/.test(document.getElementById("study")?.textContent ?? ""), "the chapter is in Chinese");
  await screenshot(page, "explore-nim", true);
  await page.click("#language");
  await chooseGame(page, "tixtax");
  await page.waitForSelector("#atlas tbody button");
  await until(page, () => document.querySelectorAll("#values .ratings button").length === 81 && document.querySelectorAll(".badge").length === 81, "every first move has a value");
  await page.click("#atlas tbody button");
  await until(page, () => document.querySelectorAll("#values .ratings button").length >= 8, "every reply has a value, in the atlas or not");
  await page.click("#step-first");
  await page.waitForSelector("#atlas tbody button");
  await audit(page, "atlas");
  await screenshot(page, "explore-atlas", true);
  for (let ply = 0; ply < 2; ply += 1) {
    const before = await page.innerText("#atlas");
    await page.focus("#atlas tbody button");
    await page.keyboard.press("Enter");
    await page.waitForFunction((text) => document.getElementById("atlas")?.innerText !== text, before);
    await settled(page);
  }
  await page.click("#step-first");
  await page.click("#tab-analyse");
  await page.click("#atlas summary");
  await page.waitForSelector("#atlas tbody button");
  log("explorers");
  await page.context().close();
}
