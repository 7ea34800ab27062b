// How fast the page answers. The limits are far above the goals, so that a slow machine passes too.

import { below, clickSpot, expect, hit, log, median, offers, open, settled, startGame, until } from "../driver.mjs";

/** The goals in milliseconds, and how much slower a machine may be before the check fails. */
const GOALS = { move: 50, paint: 200, task: 50 };
const ALLOWANCE = 6;
const MOVES = 20;
const LOADS = 7;

/** Milliseconds from each click until its piece is painted. */
export async function moveDelays(page) {
  await startGame(page, "tixtax");
  await page.evaluate(() => {
    window.delays = [];
    document.querySelector("#board").addEventListener("click", () => {
      const start = performance.now();
      const count = document.querySelectorAll("#board .cell .piece").length;
      const look = () => requestAnimationFrame(() => (document.querySelectorAll("#board .cell .piece").length > count ? window.delays.push(performance.now() - start) : look()));
      look();
    }, { capture: true });
  });
  for (let ply = 0; ply < MOVES; ply += 1) {
    const { targets } = await offers(page);
    await page.click(hit(targets[below(targets.length)]), { force: true });
    await until(page, (count) => window.delays.length > count, "a move is drawn", ply);
  }
  return page.evaluate(() => window.delays);
}

/** Milliseconds from navigation to first paint. */
export async function paints(page) {
  const times = [];
  for (let load = 0; load < LOADS; load += 1) {
    await page.reload();
    await settled(page);
    await until(page, () => performance.getEntriesByName("first-contentful-paint").length > 0, "the first paint");
    times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  }
  return times;
}

/** Starts to collect the tasks of the main thread that take long. */
export async function watchTasks(page) {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: "longtask" });
  });
}

export async function speed(address) {
  const page = await open(address);
  const move = median(await moveDelays(page));
  const paint = median(await paints(page));
  await page.click("#tab-analyse");
  await until(page, () => document.querySelectorAll("#analysis .line").length > 0, "the analysis runs");
  await watchTasks(page);
  await clickSpot(page, 40);
  await page.waitForTimeout(3000);
  const tasks = await page.evaluate(() => window.longTasks);
  log(`speed (medians): click to drawn move ${move.toFixed(0)} ms, first paint ${paint.toFixed(0)} ms; tasks above 50 ms: ${tasks.join(", ") || "none"}`);
  for (const [name, value] of Object.entries({ move, paint, task: Math.max(0, ...tasks) })) {
    expect(value < ALLOWANCE * GOALS[name], `${name}: ${value} ms, the goal is ${GOALS[name]} ms`);
  }
  await page.context().close();
}
