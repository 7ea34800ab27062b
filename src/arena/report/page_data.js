// The embedded data, and how the report shows names, times, results and tables.

const page = JSON.parse(byId("data").textContent);
const names = page.standings.map((row) => row.name);

/**
 * Returns a text in the language of the page. The English text is the key; values replace {0}, {1}, …
 */
function t(text, ...values) {
  const translated = page.texts[text] ?? text;
  return translated.replace(/\{(\d)\}/g, (_, index) => `${values[index]}`);
}

/** Returns a value such as `win 5` in the language of the page. */
function valueText(value) {
  return value.replace(/^[a-z]+/, (word) => t(word));
}

/** The texts of charts. */
const CHART_WORDS = {
  empty: t("No data."),
  label: (title, y, x) => t("{0}. {1} by {2}. Arrow keys move the crosshair.", title, y, x),
  interval: (low, high) => t(" ({0} to {1})", low, high),
};

/** Returns the name of a player by index in the standings. */
function playerName(number) {
  return number === null ? "?" : names[number];
}

/** Formats seconds in a unit that fits. */
function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  if (seconds < 0.0995) return `${(1000 * seconds).toFixed(1)}\u202fms`;
  if (seconds < 0.9995) return `${(1000 * seconds).toFixed(0)}\u202fms`;
  if (seconds < 99.95) return `${seconds.toFixed(2)}\u202fs`;
  return `${Math.floor(seconds / 60)}\u202fmin ${Math.round(seconds % 60)}\u202fs`;
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
