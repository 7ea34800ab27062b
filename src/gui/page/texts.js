// The page's own words in English and Chinese. Texts about games come from the engine.

import { dictionary } from "./checks.js";
import { fill } from "./dom.js";

/** @typedef {"en" | "zh"} Language */

/** @type {Record<string, string | string[]>} */
let texts = dictionary({});
/** @type {Language} */
let current = "en";

export function language() {
  return current;
}

/** Loads the texts of a language and uses them if they are still wanted; returns whether they are. */
export async function loadTexts(/** @type {Language} */ wanted, isWanted = () => true) {
  const answer = await fetch(new URL(`texts.${wanted}.json`, import.meta.url));
  const loaded = await answer.json();
  if (!isWanted()) return false;
  texts = dictionary(loaded);
  current = wanted;
  return true;
}

/**
 * Returns a text, its placeholders replaced by `values`.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values) {
  return fill(`${texts[key] ?? key}`, values);
}

/** The lines of a text. @returns {string[]} */
export function lines(/** @type {string} */ key) {
  return [texts[key] ?? []].flat();
}

/** The language of the browser, if the page speaks it. */
export function preferredLanguage() {
  return /** @type {Language} */ (
    navigator.languages.some((name) => name.startsWith("zh")) && !(navigator.languages[0] ?? "").startsWith("en")
      ? "zh"
      : "en"
  );
}
