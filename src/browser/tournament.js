// The tables and charts of a tournament: standings, SPRT, crosstable, curves, terminations.

import { chartWords } from "./charts.js";
import { duration, element, fixed, grouped, INFINITE, NONE, percent, signed } from "./dom.js";

/** @param {number} points */
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return grouped(whole);
  return whole === 0 ? "\u00bd" : `${grouped(whole)}\u00bd`;
}

/**
 * Creates a scrollable table. `columns` are headings, as text or with class and title.
 *
 * @param {string} caption
 * @param {(string | { text: string, title?: string, class?: string })[]} columns
 * @param {Node[]} rows
 */
export function table(caption, columns, rows, className = "") {
  const heading = (/** @type {string | { text: string, title?: string, class?: string }} */ column) =>
    typeof column === "string"
      ? element("th", { scope: "col" }, column)
      : element("th", { scope: "col", class: column.class, title: column.title }, column.text);
  return element(
    "div",
    { class: `scroll ${className}`, tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", { class: "hidden" }, caption),
      element("thead", {}, element("tr", {}, ...columns.map(heading))),
      element("tbody", {}, ...rows),
    ),
  );
}

export function numberCell(/** @type {string | number} */ text, /** @type {Record<string, string>} */ attributes = {}) {
  return element("td", { ...attributes, class: `number ${attributes.class ?? ""}` }, `${text}`);
}

/** Formats an estimate with its interval: `+89 (−172 to +238)`. */
export function estimate(/** @type {Estimate | null} */ values, /** @type {Say} */ say) {
  if (!values) return NONE;
  const [value, low, high] = values;
  if (Math.abs(value) >= INFINITE)
    return value > 0
      ? say("above {value}", { value: signed(low, 0) })
      : say("below {value}", { value: signed(high, 0) });
  const digits = high - low < 20 ? 1 : 0;
  return signed(value, digits) + say(" ({low} to {high})", { low: signed(low, digits), high: signed(high, digits) });
}

const note = (/** @type {string} */ text) => element("p", { class: "note" }, text);

/** The tables and charts of a tournament. `say` translates English texts. */
export class Tournament {
  /** @type {TournamentData} */
  #data;
  /** @type {Say} */
  #say;
  /** The players, best first. @type {string[]} */
  names;
  /** The players of a match, as they were given. @type {[string, string]} */
  pair;

  constructor(/** @type {TournamentData} */ data, /** @type {Say} */ say) {
    this.#data = data;
    this.#say = say;
    this.names = data.standings.map(({ name }) => name);
    this.pair = [this.playerName(data.first), this.playerName(1 - data.first)];
  }

  /** Returns the name of a player by index in the standings. */
  playerName(/** @type {number | null} */ number) {
    return this.names[number ?? -1] ?? "?";
  }

  /** The players of a match. */
  versus() {
    const [player, opponent] = this.pair;
    return this.#say("{player} against {opponent}", { player, opponent });
  }

  /** Summarizes the outcome in a few sentences. */
  summary() {
    const [{ standings, first, counted, distinct, uncounted }, say] = [this.#data, this.#say];
    const [best, other] = [standings[first], standings[1 - first]];
    if (counted === 0 || !best) return say("No finished games yet.");
    const notes =
      say(" Distinct games: {distinct} of {games}.", { distinct: grouped(distinct), games: grouped(counted) }) +
      (uncounted > 0 ? say(" {count} more without a result.", { count: grouped(uncounted) }) : "");
    const score = { player: best.name, points: pointsText(best.points), games: grouped(best.games) };
    if (standings.length === 2 && other) {
      return (
        say(
          "{player} scored {points} of {games} points against {opponent}: Elo {elo}, likelihood of superiority {superiority}.",
          { ...score, opponent: other.name, elo: estimate(best.elo, say), superiority: percent(best.superiority) },
        ) + notes
      );
    }
    return (
      say("{games} games between {players} players.", { games: grouped(counted), players: standings.length }) +
      say(" {player} leads with {points} of {games} points.", score) +
      notes
    );
  }

  /** Draws wins, draws and losses as a bar. */
  #resultBar(/** @type {Tally} */ { wins, draws, losses }) {
    const label = this.#say("{wins} won, {draws} drawn, {losses} lost", { wins, draws, losses });
    const part = (/** @type {string} */ kind, /** @type {number} */ count) => {
      const node = element("span", { class: kind });
      node.style.flexGrow = `${count}`;
      return node;
    };
    return element(
      "div",
      { class: "bar", role: "img", "aria-label": label, title: label },
      part("won", wins),
      part("drawn", draws),
      part("lost", losses),
    );
  }

  standings() {
    const [{ standings, first, regularized }, say] = [this.#data, this.#say];
    const isLarge = standings.length > 2;
    const number = (/** @type {string} */ text, title = "") => ({
      text: say(text),
      title: title && say(title),
      class: "number",
    });
    const columns = [
      number("#"),
      say("Player"),
      number("Games"),
      number("Won"),
      number("Drawn"),
      number("Lost"),
      say("Result"),
      number("Points"),
      number("Score"),
      number("Elo", "against the field, with 95 % confidence interval"),
      ...(isLarge ? [number("Rating", "maximum likelihood rating on one scale, with 95 % confidence interval")] : []),
      number("Faults", "games lost by a fault"),
      number("Broken claims"),
      number("Time/move"),
      number("Max over", "largest excess over the time limit"),
      number("Depth", "mean of the reported depths"),
    ];
    const alarm = (/** @type {number} */ count) => numberCell(grouped(count), { class: count ? "alarm" : "" });
    const rows = standings.map((row, place) =>
      element(
        "tr",
        {},
        numberCell(place + 1),
        this.#nameCell(place),
        ...[row.games, row.wins, row.draws, row.losses].map((count) => numberCell(grouped(count))),
        element("td", { class: "bar-column" }, this.#resultBar(row)),
        numberCell(pointsText(row.points), { class: "strong" }),
        numberCell(row.share === null ? NONE : percent(row.share)),
        numberCell(estimate(row.elo, say)),
        isLarge ? numberCell(estimate(row.rating, say)) : null,
        alarm(Object.values(row.faults).reduce((sum, count) => sum + count, 0)),
        alarm(row.broken_claims),
        numberCell(duration(row.mean_time)),
        numberCell(duration(row.greatest_over)),
        numberCell(row.mean_depth === null ? NONE : row.mean_depth.toFixed(1)),
      ),
    );
    const pairs = isLarge ? [] : (standings[first]?.pairs ?? []);
    return [
      table(say("Standings"), columns, rows),
      ...(pairs.some((count) => count > 0)
        ? [
            note(
              say("Game pairs by points of {player}: ", { player: this.playerName(first) }) +
                pairs.map((count, points) => `${pointsText(points / 2)}: ${grouped(count)}`).join(" \u00b7 "),
            ),
          ]
        : []),
      ...(isLarge
        ? [
            note(
              say(
                "Elo is the difference to the opponents met. Ratings place all players on one scale with an average of 0; the difference of two ratings is their Elo difference.",
              ),
            ),
          ]
        : []),
      ...(isLarge && regularized
        ? [note(say("A player won or lost every game; ratings include one virtual draw per player."))]
        : []),
    ];
  }

  #nameCell(/** @type {number} */ place) {
    return element("th", { scope: "row", class: "name", title: this.playerName(place) }, this.playerName(place));
  }

  /** The SPRT; empty if there is none. */
  sprt() {
    const [{ sprt }, say] = [this.#data, this.#say];
    if (!sprt) return [];
    const [low, high] = sprt.bounds;
    const needle = element("span", { class: "needle" });
    needle.style.left = `${100 * Math.min(1, Math.max(0, (sprt.ratio - low) / (high - low)))}%`;
    const [ratio, from, to] = [fixed(sprt.ratio, 2), fixed(low, 2), fixed(high, 2)];
    const open =
      sprt.verdict === "copies"
        ? "The test stopped without a verdict: too many games are copies of earlier ones."
        : "The test is undecided.";
    const [conclusion, values] = sprt.conclusion ?? [open, {}];
    const { player, opponent, alpha, beta } = sprt;
    return [
      element(
        "p",
        {},
        element("strong", {}, say(conclusion, values)),
        " ",
        say("{player} against {opponent}: log-likelihood ratio {ratio} between {low} and {high}", {
          player,
          opponent,
          ratio,
          low: from,
          high: to,
        }),
        sprt.decided_after === null ? "" : say(", decided after {games} games", { games: sprt.decided_after }),
        say("; elo0 {elo0}, elo1 {elo1}, {model} model, alpha {alpha}, beta {beta}.", {
          elo0: fixed(sprt.elo0, 1),
          elo1: fixed(sprt.elo1, 1),
          model: say(sprt.model),
          alpha,
          beta,
        }),
      ),
      element(
        "div",
        {
          class: "gauge",
          role: "img",
          "aria-label": say("log-likelihood ratio {ratio} between {low} and {high}", { ratio, low: from, high: to }),
        },
        element("span", {}, `H0 ${from}`),
        needle,
        element("span", {}, `H1 ${to}`),
      ),
    ];
  }

  crosstable() {
    const [{ standings, crosstable }, say] = [this.#data, this.#say];
    const columns = [
      { text: "#", class: "number" },
      say("Player"),
      ...this.names.map((title, place) => ({ text: `${place + 1}`, title, class: "number" })),
      { text: say("Points"), class: "number" },
    ];
    const cell = (/** @type {Tally} */ entry, /** @type {number} */ row, /** @type {number} */ column) => {
      if (row === column) return numberCell("\u00d7", { class: "diagonal" });
      if (entry.games === 0) return numberCell(NONE, { class: "faint" });
      const title = say("{player} against {opponent}: +{wins} ={draws} \u2212{losses}, Elo {elo}", {
        ...entry,
        player: this.playerName(row),
        opponent: this.playerName(column),
        elo: estimate(entry.elo, say),
      });
      const share = entry.points / entry.games;
      const node = element(
        "td",
        { class: `number cross ${share >= 0.5 ? "above" : "below"}`, title },
        element("span", {}, pointsText(entry.points)),
        element("span", { class: "games-played" }, ` / ${grouped(entry.games)}`),
      );
      node.style.setProperty("--share", `${Math.round(Math.abs(share - 0.5) * 60)}%`);
      return node;
    };
    const rows = crosstable.map((entries, row) =>
      element(
        "tr",
        {},
        numberCell(row + 1),
        this.#nameCell(row),
        ...entries.map((entry, column) => cell(entry, row, column)),
        numberCell(pointsText(standings[row]?.points ?? 0), { class: "strong" }),
      ),
    );
    return [
      table(say("Points of the row against the column"), columns, rows, "compact"),
      note(say("Points of the row against the column / games.")),
    ];
  }

  terminations() {
    const [{ standings, terminations, faults, broken_claims: brokenClaims }, say] = [this.#data, this.#say];
    const columns = [
      say("Termination"),
      { text: say("Games"), class: "number" },
      ...this.names.map((text) => ({
        text,
        title: say("games lost by {player} this way", { player: text }),
        class: "number name",
      })),
    ];
    const lost = (/** @type {number | undefined} */ count, className = "alarm") =>
      numberCell(count ? grouped(count) : NONE, { class: count ? className : "faint" });
    const rows = terminations.map(([word, count]) =>
      element(
        "tr",
        {},
        element(
          "th",
          { scope: "row" },
          say(word),
          faults.includes(word) ? element("span", { class: "tag" }, say("fault")) : null,
        ),
        numberCell(grouped(count)),
        ...standings.map((row) => (faults.includes(word) ? lost(row.faults[word]) : numberCell(""))),
      ),
    );
    if (brokenClaims > 0) {
      rows.push(
        element(
          "tr",
          {},
          element("th", { scope: "row" }, say("broken claims")),
          numberCell(grouped(brokenClaims)),
          ...standings.map((row) => lost(row.broken_claims, "")),
        ),
      );
    }
    return [
      table(say("Terminations, and games lost by faults"), columns, rows, "compact"),
      note(say("Player columns count the games lost by that fault.")),
    ];
  }

  /** The curves: Elo and SPRT by games, time and depth by plies. @returns {ChartOptions[]} */
  charts() {
    const [{ elo, sprt, time, depth }, say] = [this.#data, this.#say];
    const curves = (/** @type {Curve[]} */ list) =>
      list.map(({ player, points }) => ({ name: this.playerName(player), style: player, points }));
    const [words, games, ply] = [chartWords(say), say("games"), say("ply")];
    const isMatch = this.names.length === 2;
    const pair = this.versus();
    return [
      {
        title: say(
          isMatch ? "Elo with 95 % confidence interval" : "Elo against the field with 95 % confidence interval",
        ),
        xName: games,
        yName: "Elo",
        series: curves(elo).map((curve) => (isMatch ? { ...curve, name: pair } : curve)),
        format: (y) => (Math.abs(y) < 0.5 ? "0" : signed(y, 0)),
        lines: [[0, ""]],
        wide: true,
        words,
      },
      ...(sprt
        ? [
            /** @type {ChartOptions} */ ({
              title: say("Log-likelihood ratio of the SPRT"),
              xName: games,
              yName: "LLR",
              series: [
                {
                  name: say("{player} against {opponent}", { player: sprt.player, opponent: sprt.opponent }),
                  style: 0,
                  points: sprt.curve.points,
                },
              ],
              lines: [
                [sprt.bounds[0], "H0"],
                [sprt.bounds[1], "H1"],
              ],
              format: (y) => fixed(y, 1),
              wide: true,
              words,
            }),
          ]
        : []),
      {
        title: say("Mean time per move"),
        xName: ply,
        yName: say("time"),
        series: curves(time),
        format: (y) => (y === 0 ? "0" : duration(y)),
        lines: [[0, ""]],
        words,
      },
      {
        title: say("Mean depth"),
        xName: ply,
        yName: say("depth"),
        series: curves(depth),
        format: (y) => fixed(y, Number.isInteger(y) ? 0 : 1),
        lines: [[0, ""]],
        words,
      },
    ];
  }
}
