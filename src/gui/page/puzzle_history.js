// The last puzzles in a game, and the solver's rating.

import { lineChart } from "./charts.js";
import { byId, element, signed } from "./dom.js";
import { familyOf, readLog } from "./puzzle_log.js";
import { t } from "./texts.js";
import { button, note } from "./widgets.js";

export class PuzzleHistory {
  #app;
  #onReopen;
  #isShown = false;

  constructor(/** @type {App} */ app, /** @type {(puzzle: PuzzleAnswer) => void} */ onReopen) {
    this.#app = app;
    this.#onReopen = onReopen;
  }

  build() {
    const box = element(
      "details",
      {
        class: "card",
        id: "puzzle-history",
        open: this.#isShown,
        ontoggle: () => {
          this.#isShown = box.open;
          this.show();
        },
      },
      element("summary", {}, t("puzzle.history")),
      element("div", { class: "stack", id: "puzzle-results" }),
    );
    return box;
  }

  /** Lists the last results in this game, with the rating over all games of its family. */
  show() {
    const box = byId("puzzle-results");
    if (!box || !this.#isShown) return;
    const { game } = this.#app.mainSession.tree;
    const { history } = readLog();
    const rated = history.filter((result) => familyOf(result.game) === familyOf(game)).reverse();
    const results = history.filter((result) => result.game === game);
    const figure = element("figure", { class: "plain" });
    const column = (/** @type {string} */ name) => element("th", { scope: "col" }, name);
    box.replaceChildren(
      ...(rated.length > 1 ? [figure] : []),
      results.length === 0
        ? note(t("puzzle.noHistory"))
        : element(
            "div",
            { class: "scroller tall wide-table", tabindex: 0, role: "region", "aria-label": t("puzzle.history") },
            element(
              "table",
              {},
              element(
                "thead",
                {},
                element(
                  "tr",
                  {},
                  column(t("puzzle.date")),
                  column(t("puzzle.puzzle")),
                  column(t("puzzle.result")),
                  column(t("puzzle.myRating")),
                ),
              ),
              element(
                "tbody",
                {},
                ...results.map(({ date, kind, puzzle, isSolved, rating, change }) =>
                  element(
                    "tr",
                    {},
                    element("td", {}, date.slice(0, 10)),
                    element(
                      "td",
                      {},
                      button(
                        t(kind === "daily" ? "puzzle.kind.daily" : "puzzle.ofDifficulty", {
                          difficulty: puzzle.difficulty,
                        }),
                        () => this.#onReopen(puzzle),
                      ),
                    ),
                    element("td", {}, t(isSolved ? "puzzle.isSolved" : "puzzle.isMissed")),
                    element("td", {}, `${Math.round(rating)} (${signed(change, 0)})`),
                  ),
                ),
              ),
            ),
          ),
    );
    if (rated.length > 1) {
      lineChart(figure, {
        title: t("puzzle.chart"),
        xName: t("puzzle.puzzle"),
        yName: t("puzzle.myRating"),
        height: 140,
        series: [{ name: t("puzzle.myRating"), style: 0, points: rated.map(({ rating }, at) => [at + 1, rating]) }],
        format: (y) => `${Math.round(y)}`,
        words: { empty: "", label: (title) => title, interval: () => "" },
      });
    }
  }
}
