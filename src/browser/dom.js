// DOM helpers and number formats. Text is always inserted as text nodes.
"use strict";

/**
 * Sets attributes and listeners (`on…`) of an element and appends children (nodes or text).
 *
 * @template {Element} E
 * @param {E} node
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null | undefined)[]} children
 * @returns {E}
 */
export function populate(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/**
 * Creates an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, attributes = {}, ...children) {
  return populate(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null | undefined)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function shape(name, attributes = {}, ...children) {
  return populate(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * Replaces the placeholders of a text: `{name}`, `{Name}` with a capital letter, and `{count|move|moves}`, the
 * singular if `count` is 1.
 */
export function fill(/** @type {string} */ text, /** @type {Record<string, any>} */ values = {}) {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (all, /** @type {string} */ name, singular, plural) => {
    const value = `${values[name] ?? values[name.toLowerCase()] ?? all}`;
    if (plural !== undefined) return value === "1" ? singular : plural;
    return /^[A-Z]/.test(name) ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  });
}

export const MINUS = "\u2212";
export const NONE = "\u2013";
/** Numbers from here on stand for infinity. */
export const INFINITE = 1e9;

/** @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/** Formats a number with `digits` decimals. What rounds to zero has no sign. */
export function fixed(/** @type {number} */ number, /** @type {number} */ digits) {
  const text = number.toFixed(digits);
  return text.replace("-", Number(text) === 0 ? "" : MINUS);
}

/** Formats a number with its sign. What rounds to zero is positive. */
export function signed(/** @type {number} */ number, /** @type {number} */ digits) {
  if (Math.abs(number) >= INFINITE) return number > 0 ? "+\u221e" : `${MINUS}\u221e`;
  const text = fixed(number, digits);
  return text.startsWith(MINUS) ? text : `+${text}`;
}

/** @param {number} share */
export function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}\u202f%`;
}

/** Formats an engine score, in units of 100 cp or as a distance to mate. */
export function scoreText(/** @type {{ cp?: number, mate?: number } | null | undefined} */ score) {
  if (!score) return NONE;
  if (score.mate !== undefined) {
    return `${score.mate < 0 ? MINUS : "+"}M${Math.abs(score.mate)}`;
  }
  return signed((score.cp ?? 0) / 100, 2);
}

/** Formats seconds in a unit that fits. */
export function duration(/** @type {number | null | undefined} */ seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  if (seconds > 0 && seconds < 0.000995) return `${Number((1e6 * seconds).toPrecision(2))}\u202f\u00b5s`;
  if (seconds < 0.0995) return `${(1000 * seconds).toFixed(1)}\u202fms`;
  if (seconds < 0.9995) return `${(1000 * seconds).toFixed(0)}\u202fms`;
  if (seconds < 99.95) return `${seconds.toFixed(2)}\u202fs`;
  return `${Math.floor(seconds / 60)}\u202fmin ${Math.round(seconds % 60)}\u202fs`;
}

/** @param {string} result */
export function resultText(result) {
  return result === "1/2-1/2" ? "\u00bd\u2013\u00bd" : result.replace("-", "\u2013");
}

/**
 * Returns the element with an id, which must exist.
 *
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  return document.getElementById(id);
}
