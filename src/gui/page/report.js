// The report of a review: one HTML file without scripts that anyone can open, print and pass on. It has the styles of
// the page for boards and curves, and follows the reader's light or dark colours.

import { createBoard } from "./board.js";
import { lineChart } from "./charts.js";
import { element, grouped } from "./dom.js";
import { MARK_CLASSES, markName } from "./moves.js";
import { accuracyCards, MISTAKES, reviewChart } from "./review_summary.js";
import { language, t } from "./texts.js";
import { valueText } from "./values.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types").ReviewedMove} ReviewedMove */

/** The rules of app.css that a report needs beside components.css. */
const NEEDED = /^\.(arrow|accurac|marks?\b|note|piece-icon|board)/;
const CHART_WIDTH = 480;
const STYLE = `
* { box-sizing: border-box; }
body {
  max-width: 46rem; margin: 0 auto; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 var(--sans); overflow-wrap: anywhere;
}
h1 { margin: 0 0 0.2rem; font-size: 1.6rem; }
h2 { margin: 1.6rem 0 0.6rem; font-size: 1.2rem; }
p { margin: 0.3rem 0; }
figure { margin: 1.2rem 0; }
figcaption { font-weight: 600; }
.plot svg { width: 100%; max-width: 42rem; height: auto; }
.moment {
  display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 1.2rem; margin: 1rem 0; padding: 0.8rem;
  border: 1px solid var(--rule); border-radius: 8px; break-inside: avoid;
}
.moment h3 { margin: 0; font-size: 1.05rem; }
.moment svg { width: 100%; }
.moves { columns: 12rem; margin: 0; padding: 0; list-style: none; }
.moves li { display: grid; grid-template-columns: 2.2rem 1fr 1fr; break-inside: avoid; }
.number { color: var(--soft); }
@media (max-width: 36rem) {
  .moment, .accuracies { grid-template-columns: minmax(0, 1fr); }
  .moment svg { max-width: 18rem; }
}
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; } * { print-color-adjust: exact; } }
`;

/** Returns the report of the reviewed game on the board as HTML. */
export async function reviewReport(/** @type {App} */ app) {
  const { session, info } = app;
  const { tree, review, firstSide } = session;
  if (!review) throw new Error(t("review.empty"));
  const { answer } = review;
  const end = await app.positionOf(session.setupAt(tree.end()));
  const title = `${info.name}: ${[0, 1].map((side) => app.tabs.play?.playerName(side) ?? "").join(" – ")}`;
  const date =
    session.started === null
      ? []
      : [new Date(session.started).toLocaleDateString(language() === "zh" ? "zh-CN" : "en", { dateStyle: "long" })];
  const isShown = (/** @type {ReviewedMove} */ { ply, mark }) =>
    answer.turning_points.includes(ply) || MISTAKES.includes(mark ?? "");
  const moments = await Promise.all(answer.moves.filter(isShown).map((move) => moment(app, move)));
  const main = element(
    "main",
    {},
    element("h1", {}, title),
    element(
      "p",
      { class: "note" },
      [...date, end.outcome ? `${end.outcome.text} ${end.outcome.result}` : end.status].join(" · "),
    ),
    accuracyCards(app, answer),
    chart(app),
    element(
      "p",
      { class: "note" },
      t("share.accuracy"),
      answer.nodes ? ` ${t("grades.nodes", { nodes: grouped(answer.nodes) })}` : "",
    ),
    element("h2", {}, t("share.moments")),
    ...(moments.length ? moments : [element("p", {}, t("review.noTurning"))]),
    element("h2", {}, t("moves.label")),
    moveRows(answer.moves, firstSide),
    element("p", { class: "note" }, t("share.by", { version: app.catalogue.version })),
  );
  const write = (/** @type {Element} */ node) => new XMLSerializer().serializeToString(node);
  return (
    `<!DOCTYPE html>\n<html lang="${document.documentElement.lang}">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `${write(element("title", {}, title))}\n<style>${styles()}${STYLE}</style>\n</head>\n` +
    `<body>\n${write(main)}\n</body>\n</html>\n`
  );
}

/** The page's rules for colours, boards, curves and marks. */
function styles() {
  return [...document.styleSheets]
    .flatMap((sheet) => {
      const isShared = sheet.href?.endsWith("/components.css");
      return [...sheet.cssRules]
        .filter((rule) => isShared || (rule instanceof CSSStyleRule && NEEDED.test(rule.selectorText)))
        .map(({ cssText }) => cssText);
    })
    .join("\n");
}

/** The curve as a picture. */
function chart(/** @type {App} */ app) {
  const figure = element("figure");
  const stage = element("div", { class: "offstage", inert: true }, figure);
  stage.style.width = `${CHART_WIDTH}px`;
  document.body.append(stage);
  const options = reviewChart(app, /** @type {import("./types").ReviewAnswer} */ (app.session.review?.answer));
  lineChart(figure, options);
  stage.remove();
  const svg = figure.querySelector("svg");
  svg?.removeAttribute("tabindex");
  svg?.setAttribute("aria-label", options.title);
  return element("figure", {}, element("figcaption", {}, options.title), element("div", { class: "plot" }, svg));
}

function numbered(/** @type {number} */ ply, /** @type {number} */ firstSide) {
  const at = ply - 1 + firstSide;
  return `${1 + Math.floor(at / 2)}${at % 2 ? "…" : "."}`;
}

function markOf(/** @type {ReviewedMove} */ { mark }, isNamed = false) {
  return mark
    ? element("span", { class: `mark ${MARK_CLASSES[mark] ?? ""}` }, isNamed ? `${mark} ${markName(mark)}` : mark)
    : "";
}

/** A move that mattered, on the board before it: the played move in red, the better one in green. */
async function moment(/** @type {App} */ app, /** @type {ReviewedMove} */ move) {
  const { session, info } = app;
  const { tree } = session;
  const setup = tree.setup(tree.end());
  const position = await app.positionOf({ ...setup, moves: setup.moves.slice(0, move.ply - 1) });
  const board = createBoard(info.layout, { isFlipped: session.isFlipped, hasExtraLabels: position.labels.length > 0 });
  board.show(position.shown, new Set(position.last), t("share.board", { move: move.move, best: move.best }));
  board.setExtraLabels(position.labels);
  const isBest = move.best === move.move;
  board.setArrows([
    { spots: move.best_spots, kind: "best" },
    ...(isBest ? [] : [{ spots: move.spots, kind: /** @type {"bad"} */ ("bad") }]),
  ]);
  return element(
    "section",
    { class: "moment" },
    element("div", {}, board.svg),
    element(
      "div",
      {},
      element("h3", {}, `${numbered(move.ply, session.firstSide)} ${move.move} `, markOf(move, true)),
      element(
        "p",
        { class: "note" },
        t("review.values", { before: valueText(info, move.values[0]), after: valueText(info, move.values[1]) }),
      ),
      element("p", {}, move.texts[language()] ?? ""),
    ),
  );
}

/** All moves, two in a row. */
function moveRows(/** @type {ReviewedMove[]} */ moves, /** @type {number} */ firstSide) {
  /** @type {HTMLElement[]} */
  const rows = [];
  for (const move of moves) {
    const isFirst = (move.ply - 1 + firstSide) % 2 === 0;
    if (isFirst || rows.length === 0)
      rows.push(
        element(
          "li",
          {},
          element("span", { class: "number" }, numbered(move.ply, firstSide).replace("…", ".")),
          ...(isFirst ? [] : [element("span", {}, "…")]),
        ),
      );
    rows.at(-1)?.append(element("span", {}, move.move, " ", markOf(move)));
  }
  return element("ol", { class: "moves" }, ...rows);
}
