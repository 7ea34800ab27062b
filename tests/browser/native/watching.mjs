// Watching a match while it runs: tables, curves and boards change, the focus stays; the games in progress are shown; the end stays.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { PHONE, audit, expect, log, open, screenshot, settled, until } from "../driver.mjs";
import { native, startServer } from "./server.mjs";

const HOSTILE = "<i>one";
const ROUNDS = 4;

/** Plays a match of slow games; returns a promise of its exit code. */
function startMatch(record) {
  const child = spawn(resolve(native.program), ["match", "--engine", `name=${HOSTILE}`, "--engine", "name=two", "option.Searcher=mcts", "--each", "st=0.1", "timemargin=2000",
    "--openings", "random=4", "--rounds", `${ROUNDS}`, "--concurrency", "2", "--sprt", "elo0=0", "elo1=50", "--jsonl", record], { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((done) => { child.on("exit", done); });
}

const games = () => Number(document.querySelector("#watch-standings tbody td:nth-of-type(2)")?.textContent ?? 0);

export async function watching() {
  const folder = mkdtempSync(join(tmpdir(), "zermelo-watching-"));
  const record = join(folder, "games.jsonl");
  const server = await startServer(0, ["--watch", record]);
  const page = await open(server.address);
  await page.waitForSelector("#tab-watch[aria-selected=true]");
  const ended = startMatch(record);
  await page.waitForSelector("#watch-playing .board");
  const moves = () => document.querySelector("#watch-playing button")?.textContent;
  const before = await page.evaluate(moves);
  await until(page, (old) => document.querySelector("#watch-playing button")?.textContent !== old, "a game in progress goes on", before);
  await settled(page);
  expect(await page.locator("#board .cell .piece").count() > 0, "the large board does not show a game in progress");
  await until(page, games, "the standings have a game");
  await until(page, () => document.querySelectorAll("#watch-curves .plot svg").length === 4, "all four charts have data");
  expect(await page.locator("#watch-crosstable .cross").count() === 2 && await page.locator("#watch-standings .gauge").count() === 1, "the crosstable or the SPRT is missing");
  const first = await page.evaluate(games);
  await page.locator("#watch-curves .key").last().click();
  await until(page, (count) => Number(document.querySelector("#watch-standings tbody td:nth-of-type(2)").textContent) > count, "the standings change while the match runs", first);
  expect(await page.locator("#watch-curves .key[aria-pressed=false]").count() === 1, "a hidden curve comes back");
  await page.focus("#watch-standings .scroll");
  expect((await page.innerText("#watch")).includes(HOSTILE) && await page.locator("#watch i").count() === 0, "the name of a player becomes markup");
  await audit(page, "watch");
  await screenshot(page, "watch");
  expect(await ended === 0, "the match fails");
  await until(page, (count) => Number(document.querySelector("#watch-standings tbody td:nth-of-type(2)").textContent) === count, "the standings show all games", 2 * ROUNDS);
  expect(await page.evaluate(() => document.activeElement.matches("#watch-standings .scroll")), "a new report takes the focus away");
  await until(page, () => document.getElementById("watch-playing") === null, "no game is in progress after the match");
  await page.selectOption("#watch-game", "1");
  await until(page, () => document.getElementById("moves")?.textContent || document.querySelector("#board .cell .piece"), "a chosen game is shown");
  expect(/\w/.test(await page.innerText("#watch-games .note")), "it is not said how the game ended");
  await page.click("#watch-latest button >> nth=1");
  await settled(page);
  await page.click("#step-first");
  await settled(page);
  await page.click("#step-next");
  await settled(page);
  await page.click("#watch-review");
  await page.waitForSelector("#tab-review[aria-selected=true]");
  expect(await page.locator(".move").count() > 4, "the watched game is not opened in Review");
  await page.click("#tab-watch");
  await page.waitForSelector("#watch-latest .board");
  await page.reload();
  await page.waitForSelector("#watch-latest .board");
  const phone = await open(server.address, { viewport: PHONE, touch: true, locale: "zh-CN", scheme: "dark" });
  await phone.waitForSelector("#watch-latest .board");
  await audit(phone, "watch on a phone");
  await screenshot(phone, "watch-360-dark", true);
  log("watching a running match");
  await phone.context().close();
  await page.context().close();
  await server.end();
  rmSync(folder, { recursive: true });
}
