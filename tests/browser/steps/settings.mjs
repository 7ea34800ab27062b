// Sounds, colours of the board, short animations, and the dialogs of settings and keys.

import { DESKTOP, PHONE, audit, clickSpot, expect, log, newContext, open, screenshot, settled, until, untilPlies } from "../driver.mjs";

/** The least contrast between the board and its pieces, lines and labels. */
function contrasts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const board = document.querySelector("#board .board");
  const paper = light(getComputedStyle(board).backgroundColor);
  const contrast = (selector, property) => {
    const own = light(getComputedStyle(board.querySelector(selector))[property]);
    return (Math.max(own, paper) + 0.05) / (Math.min(own, paper) + 0.05);
  };
  return { cross: contrast(".form-cross", "stroke"), ring: contrast(".form-ring", "stroke"), line: contrast(".stroke.heavy", "stroke"), label: contrast(".label", "fill") };
}

async function shown(address, viewport, scheme, locale) {
  const context = await newContext({ viewport, colorScheme: scheme, locale, hasTouch: viewport === PHONE });
  await context.addInitScript(() => {
    window.tones = 0;
    window.OscillatorNode = class extends OscillatorNode { constructor(...given) { super(...given); window.tones += 1; } };
  });
  const page = await open(address, { context });
  await clickSpot(page, 40);
  await untilPlies(page, 2, "the engine answers");
  expect(await page.evaluate(() => window.tones) === 0, "there are sounds before they are switched on");
  for (const board of ["plain", "wood", "contrast"]) {
    await page.click("#settings");
    await page.locator(`#settings-dialog input[value=${board}]`).check();
    if (board === "wood") {
      await page.locator("#sounds").check();
      await audit(page, `settings, ${viewport.width}, ${scheme}`);
      await screenshot(page, `settings-${viewport.width}-${scheme}`);
    }
    await page.keyboard.press("Escape");
    await until(page, () => document.activeElement?.id === "settings", "the dialog gives the focus back");
    for (const [part, value] of Object.entries(await page.evaluate(contrasts))) {
      expect(value >= (part === "label" ? 4.5 : 3), `${board}, ${scheme}: the contrast of ${part} is ${value.toFixed(2)}`);
    }
    await screenshot(page, `board-${board}-${viewport.width}-${scheme}`);
  }
  const before = await page.evaluate(() => window.tones);
  await clickSpot(page, Number(await page.locator(".hit.legal").first().getAttribute("data-spot")));
  await until(page, (tones) => window.tones > tones, "a move is heard", before);
  await until(page, () => document.querySelector("#board .appears") !== null, "the piece appears");
  await untilPlies(page, 4, "the engine answers again");
  await until(page, () => location.hash.includes([...document.querySelectorAll("#play-moves .move")].at(-1).innerText), "the address follows the game");
  await page.reload();
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.dataset.board) === "contrast", "a reload forgets the board");
  await page.keyboard.press("?");
  await page.waitForSelector("#keys-dialog[open]");
  await audit(page, `keys, ${viewport.width}, ${scheme}`);
  await screenshot(page, `keys-${viewport.width}-${scheme}`);
  await page.keyboard.press("u");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#keys-dialog", { state: "detached" });
  const plies = await page.locator("#play-moves .move").count();
  await page.keyboard.press("h");
  await page.waitForSelector("#hint-text");
  await page.keyboard.press("u");
  await untilPlies(page, plies - 2, "a key takes a move back, once the dialog is closed");
  const name = await page.innerText("#player-top");
  await page.keyboard.press("f");
  expect(await page.innerText("#player-top") !== name, "a key does not flip the board");
  await context.close();
}

export async function settings(address) {
  await Promise.all([[DESKTOP, "light", "en-US"], [PHONE, "dark", "zh-CN"]].map(([viewport, scheme, locale]) => shown(address, viewport, scheme, locale)));
  log("settings: sounds, boards, animations, keys");
}
