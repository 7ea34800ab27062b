// The ladder: the levels of the engine from the weakest on, each open once the one before it was beaten.

import { element } from "./dom.js";
import { t } from "./texts.js";
import { button, note } from "./widgets.js";

/**
 * The number of levels that are beaten after a game of Play: one more if the user has won against the next one, or a
 * higher one, without hints.
 *
 * @param {App} app
 * @param {number} beaten
 */
export function beatenAfter({ session, position, catalogue }, beaten) {
  const own = session.players.findIndex(({ kind }) => kind === "human");
  const rival = session.players[1 - own];
  const isWon = session.isOver && position?.outcome?.result === ["1-0", "0-1"][own];
  if (own < 0 || rival?.kind !== "engine" || rival.engine || !isWon || session.hints) return beaten;
  return Math.max(beaten, 1 + catalogue.levels.findIndex(({ level }) => level === rival.level));
}

/**
 * The list of the levels.
 *
 * @param {App} app
 * @param {number} beaten
 * @param {(level: number) => void} play
 */
export function ladder({ catalogue, info }, beaten, play) {
  const rows = catalogue.levels.map(({ level, name }, at) => {
    const elo = info.level_elos?.[at];
    const state = at < beaten ? "ladder.beaten" : at === beaten ? "ladder.next" : "ladder.locked";
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          id: `ladder-${at}`,
          disabled: at > beaten,
          "aria-current": at === beaten ? "true" : null,
          onclick: () => play(level),
        },
        element("span", {}, elo ? t("level", { name, elo }) : name),
        element("span", { class: "state" }, t(state)),
      ),
    );
  });
  const elo = info.level_elos?.[beaten - 1];
  return [
    element("h2", {}, t("ladder.title")),
    note(t("ladder.note"), elo ? ` ${t("ladder.rating", { elo })}` : ""),
    element("ol", { class: "lessons", id: "ladder" }, ...rows),
  ];
}
