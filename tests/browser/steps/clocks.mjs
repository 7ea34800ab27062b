// Clocks: a loss on time between two people and its record, and a timed game against the engine.

import { readFileSync } from "node:fs";

import { audit, chooseGame, clickSpot, expect, log, open, settled, until, untilPlies } from "../driver.mjs";

const time = (page, side) => page.evaluate((id) => document.getElementById(id).textContent.split(":").reduce((sum, part) => 60 * sum + Number(part), 0), `clock-${side}`);

async function lossOnTime(page) {
  await chooseGame(page, "tictactoe");
  await page.locator("#setup input[value=human]").check();
  await page.selectOption("#clock", "*");
  await page.fill("#clock-minutes", "0.05");
  await page.fill("#clock-seconds", "0");
  await page.click("#new-game");
  await page.waitForSelector("#clock-0");
  expect(await time(page, 0) === 3, "the clock does not show its time");
  await clickSpot(page, 4);
  await untilPlies(page, 1, "the first move");
  expect(await page.locator(".clock.running").count() === 0, "a clock runs before both have moved");
  await clickSpot(page, 0);
  await page.waitForSelector("#clock-0.running");
  await page.waitForSelector("#again");
  expect((await page.innerText("#turn")).includes("ran out of time") && await time(page, 0) === 0, "the loss on time is not told");
  await page.click("#tab-review");
  await settled(page);
  expect(await page.locator(".clock").count() === 0, "a review shows clocks");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-record")]);
  const record = readFileSync(await file.path(), "utf8");
  expect(record.includes("[Result \"0-1\"]") && record.includes("[Termination \"time\"]"), `the record does not tell the loss on time: ${record}`);
  await page.setInputFiles("input[type=file]", { name: "lost.pgn", mimeType: "text/plain", buffer: Buffer.from(record) });
  await until(page, () => document.getElementById("step-first").disabled, "the record is opened at its start");
  await page.click("#step-last");
  await until(page, () => document.getElementById("status").textContent.includes("ran out of time"), "the record is read back");
}

async function againstTheEngine(page) {
  await chooseGame(page, "tixtax");
  await page.click("#tab-play");
  await page.locator("#setup input[value=engine]").check();
  await page.selectOption("#clock", "1+0");
  await page.click("#new-game");
  await page.waitForSelector("#clock-0");
  await clickSpot(page, 40);
  await untilPlies(page, 2, "the engine moves by its clock");
  await page.waitForSelector("#clock-0.running");
  await until(page, () => /^0:5/.test(document.getElementById("clock-0").textContent), "the clock runs");
  await audit(page, "clocks");
  await page.click("#undo");
  await untilPlies(page, 0, "undo");
  const left = await time(page, 0);
  expect(left < 60 && await page.locator(".clock.running").count() === 0, "undo gives time back, or the clock runs on");
  await page.click("#redo");
  await untilPlies(page, 2, "redo");
  const before = await time(page, 0);
  await page.click("#tab-analyse");
  await settled(page);
  expect(await page.innerText(".clock") === "paused" && await page.isVisible("#clock-note"), "analysis does not say that the clock is paused");
  await page.reload();
  await settled(page);
  await page.waitForTimeout(2500);
  await page.click("#tab-play");
  await page.waitForSelector(".toast:has-text('paused')");
  expect(before - await time(page, 0) <= 2, "the clock runs during analysis or a reload");
}

export async function clocks(address) {
  const page = await open(address);
  await lossOnTime(page);
  await againstTheEngine(page);
  log("clocks: loss on time, record, engine, undo, analysis, reload");
  await page.context().close();
}
