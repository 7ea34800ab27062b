// Audits and photographs every tab in both languages, light and dark, on a laptop and on a phone.

import { DESKTOP, PHONE, audit, clickSpot, expect, log, open, screenshot, settled, until, untilPlies } from "../driver.mjs";

const READY = {
  play: () => true,
  analyse: () => document.querySelectorAll("#analysis .line").length > 0,
  review: () => document.getElementById("run-review") !== null,
  games: () => document.querySelectorAll("#kept-games li").length === 1,
  explore: () => document.querySelector("#study h2") !== null && document.querySelector("#values .ratings, #atlas tbody") !== null,
};

export async function pictures(address) {
  await Promise.all([[DESKTOP, "light", "en-US"], [DESKTOP, "dark", "zh-CN"], [PHONE, "light", "zh-CN"], [PHONE, "dark", "en-US"]].map(async ([viewport, scheme, locale]) => {
    const page = await open(address, { viewport, scheme, locale, touch: viewport === PHONE });
    if (viewport === PHONE) {
      const { y, height } = await page.locator("#board").boundingBox();
      expect(y < 110 && y + height < viewport.height - 100 && !(await page.isVisible("#typed")), "the board is not the first thing on a phone");
    }
    await clickSpot(page, 40);
    await untilPlies(page, 2, "the engine answers");
    for (const [tab, isReady] of Object.entries(READY)) {
      await page.click(`#tab-${tab}`);
      await settled(page);
      await until(page, isReady, `${tab} is shown`);
      const name = `${tab}-${viewport.width}-${scheme}`;
      await audit(page, name);
      await screenshot(page, name, true);
    }
    await page.context().close();
  }));
  log("audits and pictures");
}
