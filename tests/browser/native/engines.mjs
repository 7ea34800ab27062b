// Engines given by --engine: an opponent, a second line of analysis, a crash and a hang with a restart from the page.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { chooseGame, clickSpot, expect, log, open, settled, until, untilPlies } from "../driver.mjs";
import { native, startServer } from "./server.mjs";

/** An engine that crashes in its first search and works after a restart. */
const CRASHES_ONCE = (folder) => `#!/bin/sh
while read -r line; do case $line in
uci) echo uciok ;;
isready) echo readyok ;;
go*) if [ ! -e ${folder}/crashed ]; then : > ${folder}/crashed; echo "out of cheese" >&2; exit 3; fi; echo "bestmove b2" ;;
esac; done
`;

/** An engine that does not answer its first search. */
const HANGS_ONCE = (folder) => `#!/bin/sh
while read -r line; do case $line in
uci) echo uciok ;;
isready) echo readyok ;;
go*) if [ ! -e ${folder}/hung ]; then : > ${folder}/hung; exec sleep 1000; fi; echo "bestmove b2" ;;
esac; done
`;

function script(folder, name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

async function chooseEngine(page, name) {
  await page.selectOption("#engine", name);
  await page.click("#new-game");
  await settled(page);
}

/** Moves in the corner; the engine fails, is restarted, and answers in the middle. */
async function failsOnce(page, name, reason) {
  await chooseEngine(page, name);
  await clickSpot(page, 0);
  await page.waitForSelector("#restart-engine");
  const notice = await page.innerText("#engine-state");
  expect(notice.includes(name) && reason.test(notice), `${name} is reported as: ${notice}`);
  const [{ y, height }, board] = await Promise.all(["#engine-state", "#board"].map((part) => page.locator(part).boundingBox()));
  expect(y > 0 && y + height <= board.y, `the report about ${name} is not above the board`);
  await page.click("#restart-engine");
  await untilPlies(page, 2, `${name} answers after a restart`);
  expect(await page.textContent("#engine-state") === "", "the notice stays after a restart");
}

/** An engine that cannot be started: the page stops waiting for it, and another program moves in its place. */
async function cannotStart(page, name) {
  await chooseEngine(page, name);
  await clickSpot(page, 0);
  await page.waitForSelector("#restart-engine");
  expect(!(await page.innerText("#turn")).includes("thinking"), "an engine that has ended is said to think");
  await page.selectOption("#engine", "");
  await page.waitForTimeout(300);
  expect(await page.locator("#play-moves .move").count() === 1, "a setting of the next game changes this one");
  await page.click("#apply");
  await untilPlies(page, 2, "another program moves in its place");
  expect(await page.textContent("#engine-state") === "", "the notice outlives the engine");
}

export async function engines() {
  const folder = mkdtempSync(join(tmpdir(), "zermelo-engines-"));
  const own = resolve(native.program);
  const server = await startServer(0, [
    "--engine", `cmd=${own}`, "name=<b>other", "proto=ugi",
    "--engine", `cmd=${script(folder, "crash.sh", CRASHES_ONCE(folder))}`, "name=crash",
    "--engine", `cmd=${script(folder, "hang.sh", HANGS_ONCE(folder))}`, "name=hang",
    "--engine", `cmd=${join(folder, "missing")}`, "name=missing",
  ]);
  const page = await open(server.address);
  await chooseGame(page, "tictactoe");
  await chooseEngine(page, "<b>other");
  await clickSpot(page, 4);
  await untilPlies(page, 2, "another engine plays");
  expect((await page.innerText("#player-top")).includes("<b>other"), "the name of the engine is not shown");
  await page.locator("#setup input[value=engines]").check();
  await page.selectOption("#other-engine", "<b>other");
  await chooseEngine(page, "<b>other");
  await until(page, () => ["#player-top", "#player-bottom"].every((id) => document.querySelector(id).textContent.includes("<b>other")), "both programs are chosen");
  await page.waitForSelector("#again");
  await page.locator("#setup input[value=engine]").check();
  await failsOnce(page, "crash", /exit status: 3.*out of cheese/s);
  await failsOnce(page, "hang", /bestmove/);
  await cannotStart(page, "missing");
  log("other engines play; a crash and a hang are reported and the engines restarted");
  await page.click("#tab-analyse");
  await chooseGame(page, "tixtax");
  await page.selectOption("#second", "<b>other");
  await until(page, () => [...document.querySelectorAll("#analysis .pv")].some((node) => node.textContent.startsWith("<b>other: ")), "a line of the second engine");
  await clickSpot(page, 40);
  await until(page, () => document.querySelectorAll("#analysis .line").length === 3, "both engines follow the position");
  log("a second line of analysis");
  await page.context().close();
  await server.end();
  rmSync(folder, { recursive: true });
}
