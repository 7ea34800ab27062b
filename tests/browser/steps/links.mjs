// A game with a friend by links: two browsers exchange messages, and links that do not continue the game are refused.

import { audit, chooseGame, clickSpot, expect, log, newContext, open, settled, until, untilPlies } from "../driver.mjs";

/** Opens a message: its address where it has one, otherwise by pasting it. */
async function receive(page, message) {
  const link = /https?:\/\/\S+/.exec(message)?.[0];
  if (link) {
    await page.goto(link);
    return settled(page);
  }
  await page.click("#tab-play");
  if (!await page.isVisible("#link-text")) await page.click("#friends summary");
  await page.fill("#link-text", message);
  await page.click("#open-link");
}

const message = (page) => page.inputValue("#share-text");
const isRefused = (page, words, text) => until(page, (wanted) => document.getElementById("link-notice")?.textContent.includes(wanted), text, words);
const moves = (page) => page.locator("#play-moves .move").count();

/** Replaces a field of the link in a message. */
function changed(text, field, value) {
  const at = text.indexOf("#") + 1;
  const fields = new URLSearchParams(text.slice(at));
  fields.set(field, value);
  return `${text.slice(0, at)}${fields}`;
}

export async function links(address) {
  const contexts = [await newContext(), await newContext({ locale: "zh-CN" })];
  // A browser that can share.
  await contexts[1].addInitScript(() => { Navigator.prototype.share = async ({ text }) => { window.shared = text; }; });
  const [anna, bo] = await Promise.all(contexts.map((context) => open(address, { context })));
  await chooseGame(anna, "tictactoe");
  await anna.click("#tab-play");
  await anna.locator("#setup input[value=links]").check();
  await anna.click("#new-game");
  expect(await anna.locator("#share, #link-notice").count() === 0, "a game by links begins without a name");
  await anna.fill("#own-name", "Anna");
  await anna.click("#new-game");
  await until(anna, () => document.getElementById("player-bottom").textContent.includes("Anna"), "Anna's name is shown");
  await clickSpot(anna, 4);
  await anna.waitForSelector("#share-text");
  // A move can be taken back until it is sent.
  await anna.click("#undo");
  await untilPlies(anna, 0, "a move that was not sent is taken back");
  await clickSpot(anna, 4);
  await anna.click("#share-copy");
  const first = await message(anna);
  expect(await anna.evaluate(() => navigator.clipboard.readText()) === first, "the message is not copied");
  expect(first.includes("Anna") && await anna.isDisabled("#undo") && await anna.isDisabled("#hint"), "undo or hints after the move was sent");
  await audit(anna, "a game by links");

  await receive(bo, first);
  await untilPlies(bo, 1, "the friend sees the move");
  expect((await bo.innerText("#player-bottom, #player-top")).length > 0 && (await bo.innerText("#stage")).includes("Anna"), "the friend does not see who plays");
  await bo.click("#tab-analyse");
  await until(bo, () => document.getElementById("engine-on").disabled && /[\u4e00-\u9fff]/.test(document.getElementById("facts").textContent), "the engine is off and says why");
  await bo.click("#tab-explore");
  await until(bo, () => document.querySelector("#values p") !== null, "Explore is off");
  expect(await bo.locator("#values .ratings").count() === 0, "Explore shows values");
  await bo.click("#tab-play");
  await clickSpot(bo, 0);
  await bo.fill("#share-name", "小波");
  const second = await message(bo);
  expect(second.includes("小波"), "the name is not in the message");
  await bo.click("#share-native");
  await until(bo, (text) => window.shared === text, "the message is shared", second);
  await until(bo, () => document.getElementById("undo").disabled, "a shared move can be taken back");

  await receive(anna, second);
  await untilPlies(anna, 2, "the answer arrives");
  expect((await anna.innerText("#stage")).includes("小波"), "the friend's name does not arrive");
  // Links that do not continue the game change nothing.
  await receive(anna, first);
  await isRefused(anna, "older", "an older link says so");
  await receive(anna, changed(second, "moves", "b2 c3"));
  await isRefused(anna, "move 2", "a link that went on differently says so");
  await receive(anna, changed(second, "moves", "b2 b2"));
  await isRefused(anna, "not opened", "an illegal move says so");
  expect(await moves(anna) === 2, "a refused link changes the game");
  for (const damaged of [changed(second, "plies", "3"), changed(second, "game", "chess"), changed(second, "friend", "x")]) {
    await anna.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));
    await anna.fill("#link-text", damaged);
    await anna.click("#open-link");
    await anna.waitForSelector(".toast");
  }
  // Without a name the game is opened all the same.
  const third = await open(address, { context: await newContext() });
  await receive(third, [["first", ""], ["help", "1"], ["friend", "0123456789abcdef"]].reduce((text, [field, value]) => changed(text, field, value), first));
  await isRefused(third, "who sent it", "a link without a name says so");
  expect(await moves(third) === 1, "a link without a name is not opened");
  await until(third, () => !document.getElementById("hint").disabled, "hints are there if both agreed");
  await third.context().close();

  // Another game leaves the one with the friend in the list.
  await chooseGame(anna, "nim");
  await anna.click(".friend-games button");
  await untilPlies(anna, 2, "the game comes back from the list");
  await anna.reload();
  await settled(anna);
  await untilPlies(anna, 2, "a reload keeps the game");
  const other = await open(address, { context: contexts[0] });
  await untilPlies(other, 2, "another tab has the game");
  await clickSpot(anna, 1);
  await anna.waitForSelector("#share-text");
  await untilPlies(other, 3, "another tab follows the game");
  await other.close();
  await receive(bo, await message(anna));
  await untilPlies(bo, 3, "the third move arrives");
  await bo.click("#resign");
  await bo.waitForSelector("#share-text");
  await receive(anna, await message(bo));
  await until(anna, () => document.querySelector("#turn .headline")?.textContent === "You win!", "the resignation arrives");
  await anna.click("#tab-analyse");
  await until(anna, () => !document.getElementById("engine-on").disabled, "the engine is back after the game");
  log("links: a game with a friend, links that do not continue it, damaged ones");
  for (const context of contexts) await context.close();
}
