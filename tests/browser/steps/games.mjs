// Whole games of every game, by mouse with drags, by touch and by keyboard.

import { PHONE, below, clickSpot, expect, gamesOf, hit, log, offers, open, settled, startGame, until } from "../driver.mjs";

/** More plies than any game of this check has. */
const MAX_PLIES = 300;

/** The ways to use a spot. */
const WAYS = {
  mouse: clickSpot,
  touch: (page, spot) => page.tap(hit(spot), { force: true }),
  async keyboard(page, spot) {
    page.routes ??= await keyRoutes(page);
    const from = await page.evaluate(() => document.activeElement?.dataset?.spot ?? document.querySelector(".hit[tabindex='0']").dataset.spot);
    await page.focus(hit(from));
    for (const key of route(page.routes, from, spot)) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
  },
};

/** Where each arrow key leads from each spot. */
async function keyRoutes(page) {
  const routes = await page.evaluate(() => [...document.querySelectorAll(".hit")].map((node) => [node.dataset.spot,
    Object.fromEntries(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => {
      node.focus();
      node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      return [key, document.activeElement.dataset.spot];
    }))]));
  return new Map(routes);
}

function route(routes, from, to) {
  const queue = [[from, []]];
  const seen = new Set([from]);
  for (const [at, keys] of queue) {
    if (at === to) return keys;
    for (const [key, next] of Object.entries(routes.get(at))) if (!seen.has(next)) { seen.add(next); queue.push([next, [...keys, key]]); }
  }
  expect(false, `no arrow keys lead from spot ${from} to ${to}`);
  return [];
}

async function drag(page, from, action) {
  await page.hover(hit(from), { force: true });
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await action();
  await page.mouse.up();
}

/** Plays random moves to the end of the game. */
export async function playOut(page, game, way) {
  page.routes = undefined;
  let drags = 0;
  for (let ply = 0; ply < MAX_PLIES; ply += 1) {
    const { grabs, targets } = await offers(page);
    if (grabs.length === 0 && targets.length === 0) break;
    const target = async () => {
      const { targets: ends } = await offers(page);
      expect(ends.length > 0, `${game}: a piece without targets`);
      return ends[below(ends.length)];
    };
    if (grabs.length === 0) await WAYS[way](page, targets[below(targets.length)]);
    else {
      const from = grabs[below(grabs.length)];
      if (way === "mouse" && ply % 3 === 0) {
        await drag(page, from, async () => page.hover(hit(await target()), { force: true }));
        drags += 1;
      } else {
        await WAYS[way](page, from);
        await WAYS[way](page, await target());
      }
    }
    if (!await until(page, (before) => document.querySelectorAll("#play-moves .move").length > before, `${game} by ${way}: move ${ply + 1} is drawn`, ply)) return;
    await settled(page);
  }
  await page.waitForSelector("#again");
  const plies = await page.locator("#play-moves .move").count();
  expect(await page.locator(".board .last").count() > 0, `${game}: the last move is not marked`);
  log(`${game} by ${way}: ${plies} plies${drags ? `, ${drags} dragged` : ""}; ${await page.innerText("#turn .headline")}`);
}

export async function games(address) {
  const ways = [["mouse", {}], ["touch", { viewport: PHONE, touch: true, locale: "zh-CN", scheme: "dark" }], ["keyboard", { locale: "zh-CN" }]];
  await Promise.all(ways.map(async ([way, options]) => {
    const page = await open(address, options);
    for (const game of await gamesOf(page)) {
      await startGame(page, game);
      await playOut(page, game, way);
    }
    await page.context().close();
  }));
}
