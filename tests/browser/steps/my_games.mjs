// The user's games: kept in the browser, exported and imported, reviewed, and shown to others as a link, a picture and a report.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DESKTOP, PHONE, audit, chooseGame, clickSpot, expect, log, newContext, open, screenshot, settled, startGame, until, untilPlies } from "../driver.mjs";
import { native } from "../native/server.mjs";

/** A game of tic-tac-toe between two people: a blunder lets the first player win. */
const SPOTS = [0, 1, 4, 2, 8];

const rows = (count) => document.querySelectorAll("#kept-games li").length === count;
const says = (words) => words.every((word) => document.getElementById("games-status")?.textContent.includes(word));

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFileSync(await file.path());
}

async function openGames(page, count, text) {
  await page.click("#tab-games");
  await until(page, rows, `${text}: ${count} games`, count);
}

async function playAll(page, spots) {
  for (const [at, spot] of spots.entries()) {
    await clickSpot(page, spot);
    await untilPlies(page, at + 1, `move ${at + 1}`);
  }
}

/** Plays a game of two people to its end, one against the engine that is resigned, and one that stays unfinished. */
async function playSome(page) {
  await startGame(page, "tictactoe");
  await playAll(page, SPOTS);
  await page.waitForSelector("#again");
  await page.locator("#setup input[value=engine]").check();
  await page.click("#new-game");
  await until(page, () => document.querySelectorAll("#play-moves .move").length === 0 && document.querySelector(".hit.legal"), "the game against the engine starts");
  await clickSpot(page, 4);
  await untilPlies(page, 2, "the engine answers");
  await settled(page);
  await page.click("#resign");
  await page.waitForSelector("#again");
  await startGame(page, "tixtax");
  await playAll(page, [40]);
}

async function list(page) {
  await openGames(page, 3, "all are listed");
  const texts = await page.locator(".kept-game").allInnerTexts();
  expect(/unfinished/.test(texts[0]) && /lost[^]*against Zermelo/.test(texts[1]) && /X won/.test(texts[2]), `the list is wrong: ${texts.join(" / ")}`);
  await page.selectOption("#kept-filter", "tictactoe");
  await until(page, rows, "one kind of game", 2);
  await page.selectOption("#kept-filter", "");
  await until(page, rows, "all games again", 3);
  await page.focus(".kept-game >> nth=0");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#tab-play[aria-selected=true]");
  await untilPlies(page, 1, "an unfinished game is played on");
  expect(await page.inputValue("#game") === "tixtax", "another game is opened");
  await openGames(page, 3, "back in the list");
  await page.click("#review-all");
  await until(page, () => !document.querySelector("#review-all:not([hidden])") && document.getElementById("games-run").hidden && [...document.querySelectorAll(".kept-game")].some((row) => /accuracy/.test(row.textContent)), "all finished games are reviewed");
  await audit(page, "games");
  await screenshot(page, "games");
  await page.click(".kept-game >> nth=2");
  await page.waitForSelector("#move-review");
  await openGames(page, 3, "after a review");
}

/** One file holds all games with their reviews; `zermelo review` reads it, too. */
async function exported(page) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#export-games")]);
  const path = await file.path();
  const text = readFileSync(path).toString();
  expect((text.match(/^\[Game /gm) ?? []).length === 3 && text.includes("[Page "), `not all games are exported: ${text.slice(0, 300)}`);
  expect((text.match(/^\[Number .*/gm) ?? []).join() === '[Number "1"],[Number "2"],[Number "3"]', "the exported games are not numbered");
  const program = resolve(native.program);
  if (existsSync(program)) {
    const review = execFileSync(program, ["review", path, "--nodes", "1000"], { encoding: "utf8" });
    expect(review.includes("b3??"), `zermelo review does not read the file: ${review.slice(0, 300)}`);
  }
  const rowsBefore = await page.locator(".kept-game").allInnerTexts();
  await page.click("#kept-games .icon-only >> nth=0");
  await until(page, rows, "a game is deleted", 2);
  await page.click(".toast-undo");
  await until(page, rows, "the deletion is undone", 3);
  for (let left = 2; left >= 0; left -= 1) {
    await page.focus("#kept-games .icon-only >> nth=0");
    await page.keyboard.press("Enter");
    await until(page, rows, "games are deleted by keyboard", left);
  }
  const importText = (name, content) => page.setInputFiles("#import-file", { name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await importText("mine.pgn", text);
  await until(page, says, "the games are imported", ["Added: 3"]);
  await until(page, rows, "the imported games are listed", 3);
  const rowsAfter = await page.locator(".kept-game").allInnerTexts();
  expect(rowsAfter.join() === rowsBefore.join(), `import changes the games:\n${rowsBefore.join()}\n->\n${rowsAfter.join()}`);
  await importText("again.pgn", text);
  await until(page, says, "known games are skipped", ["Added: 0", "already: 3"]);
  await importText("nonsense.pgn", "nonsense");
  await until(page, says, "nonsense is damaged", ["Added: 0", "Damaged: 1"]);
  const hostile = text.replace(/(Page "\{.*?players\\":)\[.*?\]/, '$1[{\\"kind\\":{}},{\\"level\\":\\"x\\"}]').replaceAll(/\\"started\\":1/g, '\\"started\\":2').replaceAll(/\\"id\\":\\"..../g, '\\"id\\":\\"0000').replace("1. a3 b3", "1. a3 a3");
  await importText("hostile.pgn", hostile);
  await until(page, says, "games of a damaged file are read", ["Added: 2", "Damaged: 1"]);
  await until(page, rows, "they are listed", 5);
}

/** Replaces fields of what the page wrote beside the games of a record. */
function forged(text, change) {
  return text.replace(/^\[Page "(.*)"\]$/gm, (_, data) => {
    const fields = { ...JSON.parse(JSON.parse(`"${data}"`)), ...change };
    return `[Page ${JSON.stringify(JSON.stringify(fields))}]`;
  });
}

/** A record with the id of a kept game replaces it only if it goes on from it; fields of the wrong kind do no harm. */
async function imported(page) {
  const importText = (content) => page.setInputFiles("#import-file", { name: "forged.pgn", mimeType: "text/plain", buffer: Buffer.from(content) });
  await startGame(page, "tictactoe");
  await playAll(page, [0, 4]);
  await openGames(page, 6, "an unfinished game");
  const texts = () => page.locator(".kept-game").allInnerTexts();
  const before = await texts();
  const text = (await download(page, "#export-games")).toString();
  const own = text.split(/^(?=\[Game )/m).find((game) => game.includes("1. a3 b2 *")) ?? "";
  await importText(own);
  await until(page, says, "the same game is known", ["Added: 0", "already: 1"]);
  // Later, other moves, a time that no record can hold.
  const later = forged(own, { changed: 9e15, started: 9e15, names: [{ toString: 1 }, 5], players: [{ kind: "constructor" }, null], friend: { side: "x" }, review: { accuracy: [{}, 1], moves: 5 } });
  await importText(forged(later, { changed: Date.now() + 1e6 }).replace("1. a3 b2", "1. a3 a2"));
  await until(page, says, "a game that went on differently is another one", ["Added: 1"]);
  await until(page, rows, "both are kept", 7);
  await importText(later.replace("1. a3 b2", "1. a3"));
  await until(page, says, "an earlier state of the game changes nothing", ["Added: 0"]);
  expect((await texts()).filter((row) => before.includes(row)).length >= 6, "an import changes a kept game");
  await importText(later.replace("1. a3 b2", "1. a3 b2 2. c3"));
  await until(page, says, "a game that goes on replaces the kept one", ["Added: 1"]);
  await until(page, rows, "it is not kept twice", 7);
  for (let at = 0; at < 7; at += 1) {
    await page.click(`.kept-game >> nth=${at}`);
    await page.waitForSelector("#tab-games[aria-selected=false]");
    await settled(page);
    await openGames(page, 7, "after an imported game");
  }
  expect((await download(page, "#export-games")).toString().includes("[Game "), "the games cannot be exported any more");
  for (const left of [6, 5]) {
    await page.click("#kept-games .icon-only >> nth=0");
    await until(page, rows, "the forged games are deleted", left);
  }
}

/** Damaged entries are reported; with full storage the game goes on, and what was kept stays. */
async function damagedAndFull(page) {
  await page.evaluate(() => new Promise((done) => {
    const request = indexedDB.open("zermelo");
    request.onsuccess = () => {
      const transaction = request.result.transaction("games", "readwrite");
      transaction.objectStore("games").put({ id: "x", session: null }, "x");
      transaction.oncomplete = done;
    };
  }));
  await page.click("#tab-play");
  await page.click("#tab-games");
  await until(page, () => document.getElementById("kept-more")?.textContent.includes("not shown: 1"), "a damaged entry is told of");
  await page.click("#tab-play");
  await page.evaluate(() => { IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }; });
  await startGame(page, "tixtax-count");
  await clickSpot(page, 0);
  await untilPlies(page, 1, "the game goes on with full storage");
  await until(page, () => [...document.querySelectorAll(".toast")].some((toast) => toast.textContent.includes("full")), "full storage is told of");
  await openGames(page, 5, "what was kept stays");
}

/** Many games: the progress, more rows on demand, and the oldest goes only after a warning. */
async function many(address) {
  const page = await open(address, { viewport: { width: 1366, height: 768 } });
  await startGame(page, "tixtax");
  await playAll(page, [40]);
  await openGames(page, 1, "the first of many");
  await page.evaluate(() => new Promise((done, failed) => {
    const request = indexedDB.open("zermelo");
    request.onsuccess = () => {
      const games = request.result.transaction("games", "readwrite").objectStore("games");
      games.getAll().onsuccess = ({ target }) => {
        const [one] = target.result;
        const day = 86_400_000;
        const engine = (level) => ({ kind: "engine", level, seconds: 1, engine: "" });
        for (let at = 1; at < 1000; at += 1) {
          const id = at.toString(16).padStart(16, "0");
          const players = [one.session.players[0], engine([0, 4, 10][at % 3])];
          games.put({ ...one, id, started: one.started - at * day, result: ["1-0", "0-1", "1/2-1/2", "1-0"][at % 4], accuracy: at % 3 ? [90 - (at % 40), 50] : null, session: { ...one.session, id, players } }, id);
        }
        games.transaction.oncomplete = done;
        games.transaction.onabort = () => failed(games.transaction.error);
      };
    };
  }));
  await page.click("#tab-play");
  await openGames(page, 50, "the first rows of many");
  await page.focus("#more-games");
  await page.keyboard.press("Enter");
  await until(page, rows, "more rows", 100);
  expect(await page.evaluate(() => document.activeElement === document.querySelectorAll(".kept-game")[50]), "the focus is not on the first new row");
  expect(await page.locator("#progress .plot polyline").count() === 2 && await page.locator("#progress tbody tr").count() === 3, "the progress is not shown");
  await page.locator("#progress").scrollIntoViewIfNeeded();
  await audit(page, "many games");
  await screenshot(page, "games-progress");
  const has = (id) => page.evaluate((wanted) => new Promise((done) => {
    indexedDB.open("zermelo").onsuccess = ({ target }) => { target.result.transaction("games").objectStore("games").count(wanted).onsuccess = (event) => done(event.target.result === 1); };
  }), id);
  const oldest = (999).toString(16).padStart(16, "0");
  expect(await has(oldest), "the oldest game goes too early");
  await startGame(page, "tictactoe");
  await playAll(page, [4]);
  await until(page, () => [...document.querySelectorAll(".toast")].some((toast) => toast.textContent.includes("1000")), "the limit is told of");
  await openGames(page, 100, "the list at its limit");
  expect(!await has(oldest), "more games are kept than the limit");
  await page.context().close();
}

/** Two tabs that play on one game differently: both are kept. */
async function twoTabs(address) {
  const context = await newContext();
  const one = await open(address, { context });
  await startGame(one, "tictactoe");
  await playAll(one, [4]);
  await until(one, () => location.hash.includes("moves"), "the first tab stores its game");
  const [two] = await Promise.all([context.waitForEvent("page"), one.evaluate(() => { window.open(location.href); })]);
  await settled(two);
  await untilPlies(two, 1, "the second tab has the game of the first");
  for (const [page, spot] of [[one, 0], [two, 8]]) {
    await clickSpot(page, spot);
    await untilPlies(page, 2, "both tabs play on");
    await openGames(page, page === one ? 1 : 2, "games of both tabs");
  }
  await one.reload();
  await openGames(one, 2, "after a reload");
  await context.close();
}

async function shared(page) {
  await startGame(page, "tictactoe");
  await playAll(page, SPOTS);
  await page.click("#to-review");
  await page.click("#share-game");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(page.url().split("#")[0]);
  await other.evaluate((hash) => { location.hash = hash; }, text.slice(text.indexOf("#")));
  await until(other, (count) => document.querySelectorAll("#review-moves .row .move").length === count, "the link carries the game", SPOTS.length);
  await other.context().close();
  await settled(page);
  await page.click("#run-review");
  await page.waitForSelector("#move-review");
  const report = (await download(page, "#save-report")).toString();
  expect(!/<link|<script src|https?:\/\/(?!www\.w3\.org)/.test(report), "the report needs something from elsewhere");
  return report;
}

async function reportShown(report, scheme, viewport) {
  const page = await (await newContext({ viewport, colorScheme: scheme })).newPage();
  await page.setContent(report);
  expect(await page.locator(".moment svg .arrow").count() > 0 && await page.locator(".plot polyline").count() === 1, "the report lacks boards or the curve");
  await audit(page, `report-${scheme}`);
  await screenshot(page, `report-${viewport.width}-${scheme}`, true);
  await page.context().close();
}

export async function myGames(address) {
  const page = await open(address);
  await playSome(page);
  await list(page);
  await exported(page);
  await imported(page);
  await damagedAndFull(page);
  await page.context().close();
  await many(address);
  await twoTabs(address);
  log("my games: list, reviews, export, import, damaged and full storage, two tabs");
  await Promise.all([[DESKTOP, "light", "en-US"], [PHONE, "dark", "zh-CN"]].map(async ([viewport, scheme, locale]) => {
    const own = await open(address, { viewport, scheme, locale, touch: viewport === PHONE });
    const report = await shared(own);
    await chooseGame(own, "tictactoe");
    await openGames(own, 1, "the shared game");
    await audit(own, `games-${viewport.width}-${scheme}`);
    await screenshot(own, `games-${viewport.width}-${scheme}`, true);
    await own.context().close();
    await reportShown(report, scheme, viewport);
  }));
  log("my games: link, report");
}
