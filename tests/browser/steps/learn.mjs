// Lessons: wrong moves, hints, progress, both languages, by mouse and by keyboard.

import { audit, chooseGame, clickSpot, expect, gamesOf, hit, log, open, screenshot, settled, until } from "../driver.mjs";

/** Waits for a step of a lesson. */
async function untilStep(page, text) {
  await until(page, (wanted) => document.getElementById("lesson")?.textContent.includes(wanted) && document.getElementById("lesson-hint"), text, text);
  await settled(page);
}

/** Waits for the answer to a move. */
const untilAnswered = (page, kind) => until(page, (wanted) => document.querySelector(`#lesson-answer .${wanted}`), `an answer that is ${kind}`, kind);

/** The spot of a square. */
const spotOf = (page, name) => page.locator(".hit").evaluateAll((nodes, wanted) =>
  nodes.find((node) => node.getAttribute("aria-label").split(",")[0] === wanted).dataset.spot, name);

export async function learn(address) {
  const page = await open(address);
  await chooseGame(page, "tictactoe");
  await page.click("#tab-play");
  await page.click("#learn-first");
  await untilStep(page, "Step 1 of 6");
  await clickSpot(page, 4);
  await untilAnswered(page, "right");
  await page.click("#lesson-next");
  await untilStep(page, "Step 2 of 6");
  // A wrong move is explained; a click on the board or the button takes it back.
  await clickSpot(page, await spotOf(page, "b2"));
  await untilAnswered(page, "wrong");
  await audit(page, "a wrong move of a lesson");
  await page.click("#lesson-next");
  await untilStep(page, "Step 2 of 6");
  await clickSpot(page, await spotOf(page, "a1"));
  await untilAnswered(page, "wrong");
  await clickSpot(page, 4);
  await untilStep(page, "Step 2 of 6");
  await page.click("#lesson-hint");
  await until(page, () => document.querySelectorAll(".arrow").length === 1, "a hint");
  // An illegal move is explained.
  await clickSpot(page, await spotOf(page, "a3"));
  await until(page, () => document.getElementById("reply").textContent.includes("occupied"), "why a move is illegal");
  // By keyboard; the last stone lies at a3.
  await page.focus(hit(await spotOf(page, "b2")));
  for (const key of ["ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await untilAnswered(page, "right");
  await until(page, () => document.activeElement?.id === "lesson-next", "the focus goes to the next step");
  await page.keyboard.press("Enter");
  await untilStep(page, "Step 3 of 6");
  await until(page, () => document.activeElement?.classList.contains("hit"), "the focus goes to the board");
  // The progress is kept, and the language changes what is shown.
  await page.reload();
  await untilStep(page, "Step 3 of 6");
  await page.click("#language");
  await untilStep(page, "第 3 步，共 6 步");
  await clickSpot(page, await spotOf(page, "c3"));
  await untilAnswered(page, "wrong");
  expect((await page.innerText("#lesson-answer")).startsWith("再想想。"), "a wrong move is not explained in Chinese");
  await audit(page, "a lesson in Chinese");
  await page.click("#language");
  await until(page, () => document.getElementById("lesson-answer")?.textContent.startsWith("Not quite."), "the answer in English");
  await page.click("#lesson-next");
  // The rest of the lesson; after the fourth step O replies.
  for (const [at, name] of ["c1", "b1", "c3", "a2"].entries()) {
    await untilStep(page, `Step ${at + 3} of 6`);
    await clickSpot(page, await spotOf(page, name));
    await untilAnswered(page, "right");
    if (name === "b1") await until(page, () => [...document.querySelectorAll(".hit")].some((node) => /^c1, O.*last move/.test(node.getAttribute("aria-label"))), "the reply");
    if (name !== "a2") await page.click("#lesson-next");
  }
  await until(page, () => document.getElementById("lesson").textContent.includes("You have learnt") && document.querySelector(".lessons .state").textContent.includes("learnt"), "the lesson is learnt");
  await audit(page, "a lesson that is learnt");
  await page.click("#lesson-play");
  await settled(page);
  expect(await page.isChecked("#coach") && (await page.innerText("#player-top")).includes("beginner"), "the first game is not an easy one");
  await page.click("#tab-learn");
  await until(page, () => document.getElementById("lesson-next"), "the lesson that was learnt");
  await page.click("#lesson-next");
  await untilStep(page, "Forks");
  await page.click("#lesson-0");
  await untilStep(page, "Step 1 of 6");
  // What other tabs of the browser have learnt is kept.
  const other = await open(address, { context: page.context() });
  await chooseGame(other, "nim");
  await other.click("#tab-learn");
  await until(other, () => document.querySelector(".lessons"), "the lessons of another game");
  await chooseGame(other, "tictactoe");
  await until(other, () => document.querySelector(".lessons .state")?.textContent.includes("learnt"), "another tab knows what was learnt");
  await other.close();
  // Every game has lessons.
  for (const game of await gamesOf(page)) {
    await chooseGame(page, game);
    await untilStep(page, "Step 1 of");
    expect(await page.locator(".lessons li").count() >= 2, `${game} has too few lessons`);
  }
  // A link to another game leaves the lessons of the first one.
  await page.click("#tab-play");
  await page.evaluate(() => { location.hash = "#tab=learn&game=ponghauki"; });
  await untilStep(page, "top left piece");
  await screenshot(page, "learn");
  log("lessons");
  await page.context().close();
}
