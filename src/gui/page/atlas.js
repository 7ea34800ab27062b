// The atlas of the opening: what long searches made beforehand say about the moves of the shown position.

import { element } from "./dom.js";
import { t } from "./texts.js";
import { valueText } from "./values.js";
import { button, note } from "./widgets.js";

/** The atlas ends with the moves after this many plies. */
const LAST_PLY = 3;
const MAX_ROWS = 9;

/**
 * Shows and returns the moves that the atlas knows; nothing outside it.
 *
 * @param {import("./tab.js").Tab} tab
 * @param {HTMLElement} host
 * @returns {Promise<AtlasMove[]>}
 */
export async function showAtlas(tab, host, isFolded = false) {
  const { app } = tab;
  const isShown = app.stillShown();
  const { setup } = app.session;
  const isOpening =
    app.info.has_atlas && app.session.allowsHelp && setup.start === null && setup.moves.length <= LAST_PLY;
  try {
    /** @type {{ moves: AtlasMove[] }} */
    const { moves } = isOpening ? await app.connection.ask("atlas", { setup }) : { moves: [] };
    if (!isShown()) return [];
    const side = app.position?.side ?? 0;
    const hasGames = moves.some(({ results }) => results);
    const columns = ["move", "value", ...(hasGames ? ["games"] : []), "line"];
    // The list of values has the others, too.
    const rows = moves.slice(0, MAX_ROWS).map(({ move, expected, depth, line, results }) =>
      element(
        "tr",
        {},
        element(
          "td",
          {},
          button(move, () => tab.play(move), { class: "move" }),
        ),
        element(
          "td",
          {},
          valueText(app.info, { expected: side === 0 ? expected : 1 - expected, is_proven: false, plies: null }),
        ),
        hasGames ? element("td", {}, results ? resultBar(results) : null) : null,
        element("td", { title: t("atlas.depth", { depth }) }, line.slice(1).join(" ")),
      ),
    );
    host.replaceChildren(
      ...(rows.length
        ? [
            element(
              isFolded ? "details" : "section",
              { class: "card" },
              element(isFolded ? "summary" : "h2", {}, t("atlas.title")),
              element(
                "div",
                { class: "wide-table atlas", tabindex: 0, role: "region", "aria-label": t("atlas.title") },
                element(
                  "table",
                  {},
                  element(
                    "thead",
                    {},
                    element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, t(`atlas.${name}`)))),
                  ),
                  element("tbody", {}, ...rows),
                ),
              ),
              note(t("atlas.note")),
            ),
          ]
        : []),
    );
    return moves;
  } catch (error) {
    if (isShown()) host.replaceChildren(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
    return [];
  }
}

/** How often the player of a move won, drew and lost, as a bar. */
function resultBar(/** @type {[number, number, number]} */ [won, drawn, lost]) {
  const label = t("atlas.results", { won, drawn, lost });
  const part = (/** @type {number} */ games) => {
    const bar = element("i", {});
    bar.style.flexGrow = `${games}`;
    return bar;
  };
  return element(
    "span",
    { class: "wdl", role: "img", "aria-label": label, title: label },
    part(won),
    part(drawn),
    part(lost),
  );
}
