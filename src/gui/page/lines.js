// The lines of a live analysis: values, shares of wins, draws and losses, moves.

import { element } from "./dom.js";
import { t } from "./texts.js";
import { valueText } from "./values.js";

/** The expected score of the side to move, 0 to 1. */
export function expectedScore(/** @type {SearchInfo} */ { cp, mate, wdl }) {
  if (mate !== undefined) return mate > 0 ? 1 : 0;
  if (wdl) return (wdl[0] + wdl[1] / 2) / 1000;
  return 1 / (1 + 10 ** (-(cp ?? 0) / 400));
}

/** Whether the value is known: a win or loss in a number of plies, or certainly a draw. */
export function isExact(/** @type {SearchInfo} */ { mate, wdl }) {
  return mate !== undefined || wdl?.[1] === 1000;
}

/** The value of a line, for the first player. @returns {ShownValue} */
export function valueOf(/** @type {SearchInfo} */ info, /** @type {number} */ side) {
  const expected = expectedScore(info);
  return {
    expected: side === 0 ? expected : 1 - expected,
    is_proven: isExact(info),
    plies: info.mate === undefined ? null : Math.abs(info.mate),
  };
}

/**
 * Draws lines as the items of a list and keeps the focus while they change.
 *
 * @param {any} rows the list
 * @param {[string, SearchInfo][]} lines by the name of the engine, which is empty for the built-in one, and the number of the line
 * @param {{ info: GameInfo, side: number, play: (move: string) => void }} context
 */
export function drawLines(rows, lines, { info: game, side, play }) {
  while (rows.children.length > lines.length) rows.lastChild.remove();
  lines.forEach(([key, info], at) => {
    const row =
      rows.children[at] ??
      rows.appendChild(
        element(
          "li",
          {},
          element(
            "button",
            { type: "button", class: "line" },
            element("span", { class: "score" }),
            element("span", { class: "wdl", role: "img" }, element("i"), element("i"), element("i")),
            element("span", { class: "pv" }),
          ),
        ),
      );
    const node = row.firstChild;
    const [score, wdl, pv] = node.children;
    node.onclick = () => {
      if (info.pv[0]) play(info.pv[0]);
    };
    const value = valueOf(info, side);
    const better = value.expected >= 0.5 ? 0 : 1;
    score.textContent = valueText(game, value);
    score.className = `score side-${better}${isExact(info) ? " exact" : ""}${info.mate === undefined && isExact(info) ? " draw" : ""}`;
    const name = key.slice(0, key.lastIndexOf(" "));
    pv.textContent = [...(name ? [`${name}:`] : []), ...info.pv.slice(0, 12)].join(" ");
    wdl.hidden = !info.wdl;
    const shares = info.wdl ? (side === 0 ? info.wdl : [info.wdl[2], info.wdl[1], info.wdl[0]]) : [0, 0, 0];
    const label = t("analyse.wdl", {
      first: game.side_names[0] ?? "",
      second: game.side_names[1] ?? "",
      wins: Math.round((shares[0] ?? 0) / 10),
      draws: Math.round((shares[1] ?? 0) / 10),
      losses: Math.round((shares[2] ?? 0) / 10),
    });
    wdl.setAttribute("aria-label", label);
    wdl.title = label;
    shares.forEach((share, part) => {
      wdl.children[part].style.flexGrow = `${share}`;
    });
  });
}
