// Links and stored settings that name what every object has, or hold anything else than the page writes; a page that cannot start.

import { clickSpot, expect, log, newContext, open, settled, startGame, until, untilPlies } from "../driver.mjs";

/** What a lookup finds in every object that is not guarded. */
const INHERITED = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"];
const TABS = ["play", "learn", "puzzles", "analyse", "review", "explore", "games"];

/** A link to a tab or a game that does not exist leaves the page usable, now and after a reload. */
async function inheritedNames(address) {
  const page = await open(address);
  const base = page.url().split("#")[0];
  for (const name of INHERITED) {
    for (const link of [`tab=${name}&game=tictactoe&moves=b2&resigned=${name}`, `tab=play&game=${name}`]) {
      await page.goto("about:blank");
      await page.goto(`${base}#${link}`);
      await settled(page);
      await page.reload();
      await settled(page);
      expect(await page.locator("#tabs [aria-selected=true]").count() === 1, `no tab is open after ${link}`);
    }
  }
  await page.context().close();
}

/** Values of the wrong kind in the storage are left out, one by one. */
async function damaged(address) {
  const context = await newContext();
  await context.addInitScript((names) => {
    if (sessionStorage.isDamaged) return;
    sessionStorage.isDamaged = "yes";
    const everywhere = (value) => names.map((name) => `"${name}":${JSON.stringify(value)}`).join();
    const game = { game: "tixtax", start: null, nodes: [{ m: "e5", c: {}, k: [] }], at: [], live: ["e5"], players: "x", names: [{}, 1], review: { line: "", answer: { moves: [{ values: [] }] } } };
    const settings = { level: "x", otherLevel: 99, seconds: -1, opponent: {}, side: "third", start: 5, board: "constructor", clock: 5, name: {}, rules: "yes" };
    const state = { tab: { toString: 1 }, game: "constructor", theme: "toString", language: "__proto__", settings, streak: { solved: "x" }, lines: "x" };
    const text = JSON.stringify(state).slice(0, -1);
    localStorage.zermelo = `${text},"lessons":{${everywhere({ x: "y" })}},"games":{"tixtax":${JSON.stringify(game)},${everywhere(game)}}}`;
  }, INHERITED);
  const page = await open(address, { context });
  for (const name of TABS) {
    await page.click(`#tab-${name}`);
    await settled(page);
  }
  await page.click("#tab-play");
  const choices = await page.evaluate(() => [document.documentElement.dataset.board, document.querySelector("#setup input[value=engine]").checked, document.querySelector("#level").value]);
  expect(choices.slice(0, 2).join() === "plain,true" && choices[2] !== "", `damaged settings are used: ${choices}`);
  await clickSpot(page, 40);
  await untilPlies(page, 2, "a game can be played after damaged settings");
  await context.close();
}

/** A page that cannot start because of what it kept starts without that, and has its games. */
async function afresh(address) {
  const page = await open(address);
  await startGame(page, "tictactoe");
  await clickSpot(page, 4);
  await untilPlies(page, 1, "a game begins");
  await page.click("#tab-games");
  await until(page, () => document.querySelectorAll("#kept-games li").length === 1, "the game is kept");
  await until(page, () => localStorage.zermelo?.includes('"tab":"games"'), "the tab is stored");
  // Stands for any state that the page cannot show.
  await page.addInitScript(() => {
    const { replaceChildren } = Element.prototype;
    Element.prototype.replaceChildren = function replace(...nodes) {
      if (this.id === "top" && localStorage.zermelo?.includes('"tab":"games"')) throw new Error("cannot start");
      replaceChildren.apply(this, nodes);
    };
  });
  await page.reload();
  await page.click("#start-afresh");
  await settled(page);
  expect(await page.isHidden("#banner"), "the page starts with a failure");
  await page.evaluate(() => localStorage.removeItem("zermelo"));
  await page.click("#tab-games");
  await until(page, () => document.querySelectorAll("#kept-games li").length === 1, "the games are lost");
  await page.context().close();
}

export async function stored(address) {
  await inheritedNames(address);
  await damaged(address);
  await afresh(address);
  log("stored: inherited names, damaged settings, a start without the kept state");
}
