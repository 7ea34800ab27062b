// The progress of a player: accuracy and points game by game, and the results against each opponent.

import { lineChart } from "./charts.js";
import { element, percent } from "./dom.js";
import { t } from "./texts.js";

/** The progress shows the mean of this many games. */
const LAST = 10;

/** Shows the curves of accuracy and points, and the results against each opponent. */
export function showProgress(/** @type {HTMLElement} */ box, /** @type {GameEntry[]} */ entries) {
  const finished = entries.filter(({ points }) => points !== null).reverse();
  if (finished.length < 2) return box.replaceChildren();
  const accuracy = finished.flatMap(({ kept, own }, at) => {
    const share = kept.accuracy?.[own ?? 0] ?? null;
    return share === null ? [] : [[at + 1, share / 100]];
  });
  const points = finished.map(({ points: one }, at) => [at + 1, one ?? 0]);
  const means = (/** @type {number[][]} */ all) =>
    all.map(([x = 0], at) => {
      const last = all.slice(Math.max(0, at + 1 - LAST), at + 1);
      return [x, last.reduce((sum, [, y = 0]) => sum + y, 0) / last.length];
    });
  const figure = element("figure");
  box.replaceChildren(
    element("section", { class: "card" }, element("h2", {}, t("games.progress")), figure, levelTable(finished)),
  );
  lineChart(figure, {
    title: t("games.chart", { count: LAST }),
    xName: t("games.number"),
    yName: t("review.score"),
    height: 170,
    series: [
      { name: t("games.accuracy"), style: 0, points: means(accuracy) },
      { name: t("games.points"), style: 1, points: means(points) },
    ],
    range: [-0.03, 1.03],
    domain: [1, Math.max(2, finished.length)],
    ticks: [
      [0, "0"],
      [0.5, "50\u202f%"],
      [1, "100\u202f%"],
    ],
    format: (y) => percent(y, 0),
    words: { empty: "", label: (title) => t("games.chartKeys", { title }), interval: () => "" },
  });
}

/** The results against each opponent, the strongest last. */
function levelTable(/** @type {GameEntry[]} */ finished) {
  /** @type {Map<string, { level: number, points: number[] }>} */
  const opponents = new Map();
  for (const { session, own, opponent, points } of finished) {
    const player = session.players[1 - (own ?? 0)];
    const row = opponents.get(opponent) ?? {
      level: player?.kind === "engine" && !player.engine ? player.level : Infinity,
      points: [],
    };
    row.points.push(points ?? 0);
    opponents.set(opponent, row);
  }
  const rows = [...opponents].sort(([, one], [, other]) => one.level - other.level || 0);
  const count = (/** @type {number[]} */ points, /** @type {number} */ wanted) =>
    `${points.filter((one) => one === wanted).length}`;
  const number = (/** @type {string} */ text, /** @type {"td" | "th"} */ tag = "td") =>
    element(tag, { class: "number", ...(tag === "th" ? { scope: "col" } : {}) }, text);
  return element(
    "div",
    { class: "scroll", role: "region", "aria-label": t("games.opponents"), tabindex: 0 },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { class: "name", scope: "col" }, t("setup.opponent")),
          ...["games.count", "games.won", "games.drawn", "games.lost", "games.share"].map((key) =>
            number(t(key), "th"),
          ),
        ),
      ),
      element(
        "tbody",
        {},
        ...rows.map(([opponent, { points }]) =>
          element(
            "tr",
            {},
            element("th", { class: "name", scope: "row" }, opponent),
            ...[
              `${points.length}`,
              count(points, 1),
              count(points, 0.5),
              count(points, 0),
              percent(points.reduce((sum, one) => sum + one, 0) / points.length, 0),
            ].map((text) => number(text)),
          ),
        ),
      ),
    ),
  );
}
