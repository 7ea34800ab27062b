// The values of all moves, as a list and on the board.

import { element } from "./dom.js";
import { button } from "./widgets.js";

/** The value of a move. @typedef {Pick<Rating, "spots" | "expected"> & Partial<Rating>} MoveValue */

const RATING_MS = 1500;

/** The badges of rated moves, on the spots where the moves can be told apart. */
export function ratingBadges(/** @type {MoveValue[]} */ ratings) {
  const ends = ratings.map(({ spots }) => spots[spots.length - 1] ?? 0);
  const isDistinct = new Set(ends).size === ends.length;
  return new Map(
    ratings.map(({ spots, expected, is_proven: isExact = false, value, plies }, index) => {
      /** @type {Badge["kind"]} */
      const kind = value ?? (expected > 0.55 ? "win" : expected < 0.45 ? "loss" : "even");
      const sign = { win: "+", draw: "=", loss: "−", even: "" }[kind];
      const text = isExact ? `${sign}${value === "draw" ? "" : (plies ?? "")}` : `${Math.round(100 * expected)}`;
      return [(isDistinct ? ends[index] : spots[0]) ?? 0, { text, kind, isExact }];
    }),
  );
}

/**
 * Shows the values of all moves of the shown position on the board, and as a list of buttons that play them.
 *
 * @param {import("./tab.js").Tab} tab
 * @param {AbortSignal} signal
 * @param {(list: HTMLElement) => void} showList
 * @param {(message: string) => void} showError
 */
export async function showRatings(tab, signal, showList, showError) {
  const { app } = tab;
  const show = (/** @type {{ moves: Rating[] }} */ { moves }) => {
    if (signal.aborted) return;
    app.board.setBadges(ratingBadges(moves));
    showList(
      element(
        "ul",
        { class: "ratings" },
        ...moves.map((rating) =>
          element(
            "li",
            {},
            button(`${rating.move} · ${rating.text}`, () => tab.play(rating.move), {
              class: rating.is_proven ? `exact value-${rating.value}` : "",
            }),
          ),
        ),
      ),
    );
  };
  try {
    show(
      await app.connection.ask("ratings", { setup: app.session.setup, ms: RATING_MS }, { onProgress: show, signal }),
    );
  } catch (error) {
    if (!signal.aborted) showError(/** @type {Error} */ (error).message);
  }
}
