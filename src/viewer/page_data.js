// The embedded data, and the language of the page.

const page = JSON.parse(byId("data").textContent);

/** Returns a text in the language of the page, filled with values. The English text is the key. */
function t(text, values) {
  // A text may be a name from the record, such as `constructor`.
  return fill(Object.hasOwn(page.texts, text) ? page.texts[text] : text, values);
}

/** Returns a value such as `win 5` in the language of the page. */
function valueText(value) {
  return value.replace(/^[a-z]+/, (word) => t(word));
}

const CHART_WORDS = chartWords(t);

/** Returns the name of a player by its index. */
function playerName(number) {
  return page.names[number] ?? "?";
}
