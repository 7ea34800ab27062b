// The embedded data, and the language of the page.

const page = JSON.parse(byId("data").textContent);

/** Returns a text in the language of the page, filled with values. The English text is the key. */
function t(text, values) {
  return fill(page.texts[text] ?? text, values);
}

/** Returns a value such as `win 5` in the language of the page. */
function valueText(value) {
  return value.replace(/^[a-z]+/, (word) => t(word));
}

const CHART_WORDS = chartWords(t);
const tournament = new Tournament(page, t);
const { names } = tournament;

/** Returns the name of a player by index in the standings. */
function playerName(number) {
  return tournament.playerName(number);
}
