// The embedded data, DOM helpers and number formats. Text is always inserted as text nodes.
"use strict";

const page = JSON.parse(document.getElementById("data").textContent);
const names = page.standings.map((row) => row.name);

/** Sets attributes and listeners (`on…`) of an element and appends children (nodes or text). */
function populate(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Creates an HTML element. */
function element(name, attributes = {}, ...children) {
  return populate(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
function shape(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  return populate(node, attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

/** Returns the name of a player by index in the standings. */
function playerName(number) {
  return number === null ? "?" : names[number];
}

const MINUS = "\u2212";
const NONE = "\u2013";
/** Numbers from here on stand for infinity. */
const INFINITE = 1e9;

function grouped(number) {
  return number.toLocaleString("en-US");
}

/** Formats a number with `digits` decimals. What rounds to zero has no sign. */
function fixed(number, digits) {
  const text = number.toFixed(digits);
  return text.replace("-", Number(text) === 0 ? "" : MINUS);
}

/** Formats a number with its sign. What rounds to zero is positive. */
function signed(number, digits) {
  if (Math.abs(number) >= INFINITE) return number > 0 ? "+\u221e" : `${MINUS}\u221e`;
  const text = fixed(number, digits);
  return text.startsWith(MINUS) ? text : `+${text}`;
}

function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}\u202f%`;
}

/** Formats an estimate as `+12.3 ± 4.5`, or with its interval if that is asymmetric. */
function estimate(values) {
  if (!values) return NONE;
  const [value, low, high] = values;
  if (Math.abs(value) >= INFINITE) {
    return value > 0 ? `above ${signed(low, 0)}` : `below ${signed(high, 0)}`;
  }
  const [down, up] = [value - low, high - value];
  const isSymmetric = Math.max(down, up) < 1.15 * Math.min(down, up) || Math.max(down, up) < 3;
  if (isSymmetric) return `${signed(value, 1)} \u00b1 ${((high - low) / 2).toFixed(1)}`;
  return `${signed(value, 0)} (${signed(low, 0)} to ${signed(high, 0)})`;
}

/** Formats seconds in a unit that fits. */
function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  if (seconds < 0.0995) return `${(1000 * seconds).toFixed(1)}\u202fms`;
  if (seconds < 0.9995) return `${(1000 * seconds).toFixed(0)}\u202fms`;
  if (seconds < 99.95) return `${seconds.toFixed(2)}\u202fs`;
  return `${Math.floor(seconds / 60)}\u202fmin ${Math.round(seconds % 60)}\u202fs`;
}

/** Formats an engine score, in units of 100 cp or as a distance to mate. */
function scoreText(score) {
  if (!score) return NONE;
  if (score.mate !== undefined) {
    return `${score.mate < 0 ? MINUS : "+"}M${Math.abs(score.mate)}`;
  }
  return signed(score.cp / 100, 2);
}

function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return grouped(whole);
  return whole === 0 ? "\u00bd" : `${grouped(whole)}\u00bd`;
}

function resultText(result) {
  return result === "1/2-1/2" ? "\u00bd\u2013\u00bd" : result.replace("-", "\u2013");
}

/** Creates a scrollable table. `columns` are headings, as text or with class and title. */
function table(caption, columns, rows, className = "") {
  const heading = (column) =>
    typeof column === "string"
      ? element("th", { scope: "col" }, column)
      : element("th", { scope: "col", class: column.class, title: column.title }, column.text);
  return element("div", { class: `scroll ${className}`, tabindex: 0, role: "region", "aria-label": caption },
    element("table", {},
      element("caption", { class: "hidden" }, caption),
      element("thead", {}, element("tr", {}, ...columns.map(heading))),
      element("tbody", {}, ...rows)));
}

function numberCell(text, attributes = {}) {
  return element("td", { ...attributes, class: `number ${attributes.class ?? ""}` }, text);
}
