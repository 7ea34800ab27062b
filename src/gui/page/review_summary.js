// What a review says of a whole game: accuracy cards and the curve of the expected score.

import { element, fixed, percent } from "./dom.js";
import { MARK_CLASSES, markName } from "./moves.js";
import { pieceIcon, playerName, sideName } from "./players.js";
import { t } from "./texts.js";

export const MISTAKES = ["??", "?", "?!"];

/** The accuracy of both players and how often their moves got each mark. */
export function accuracyCards(/** @type {App} */ app, /** @type {ReviewAnswer} */ review) {
  return element(
    "div",
    { class: "accuracies" },
    ...[0, 1].map((side) =>
      element(
        "div",
        { class: "accuracy" },
        pieceIcon(app.info, side),
        element("strong", {}, playerName(app, side)),
        element(
          "span",
          {},
          review.accuracy[side] === null
            ? "–"
            : t("review.accuracy", { share: Math.round(review.accuracy[side] ?? 0) }),
        ),
        lossNote(review.players[side]),
        element(
          "span",
          { class: "note marks" },
          ...(review.players[side]?.marks ?? []).map(({ mark, count }) =>
            element(
              "span",
              {},
              element("b", { class: `mark ${MARK_CLASSES[mark] ?? ""}` }, mark),
              ` ${markName(mark)}: ${count}`,
            ),
          ),
        ),
      ),
    ),
  );
}

/** What the accuracy of a player comes from. Reviews by an earlier version lack it. */
function lossNote(/** @type {ReviewAnswer["players"][number] | undefined} */ player) {
  if (player?.loss === undefined) return null;
  const { moves, choices = 0, loss } = player;
  return element("span", { class: "note" }, t("review.lost", { points: fixed(loss, 2), moves, choices }));
}

/**
 * The curve of the expected score with the mistakes.
 *
 * @param {App} app
 * @param {ReviewAnswer} review
 * @returns {ChartOptions}
 */
export function reviewChart(app, review) {
  const [first] = review.moves;
  const points = [
    ...(first && review.start_expected !== null ? [[first.ply - 1, review.start_expected]] : []),
    ...review.moves.map((move) => [move.ply, move.expected]),
  ];
  return {
    title: t("review.chart", { side: sideName(app.info, 0) }),
    xName: t("review.ply"),
    yName: t("review.score"),
    series: [{ name: sideName(app.info, 0), style: 0, points }],
    range: [-0.03, 1.03],
    domain: [0, Math.max(2, review.moves.at(-1)?.ply ?? 0)],
    height: 170,
    lines: [[0.5, ""]],
    marks: review.moves.flatMap(({ ply, mark, expected: y }) =>
      mark && MISTAKES.includes(mark)
        ? [/** @type {[number, number, string, string]} */ ([ply, y, mark, MARK_CLASSES[mark] ?? ""])]
        : [],
    ),
    ticks: [
      [0, "0"],
      [0.5, "50\u202f%"],
      [1, "100\u202f%"],
    ],
    format: (y) => percent(y, 0),
    words: { empty: "", label: (title) => t("review.chartKeys", { title }), interval: () => "" },
  };
}
