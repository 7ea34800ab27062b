// The values of all moves, as a list and on the board.

import { element } from "./dom.js";
import { shortValue, valueText } from "./values.js";
import { button } from "./widgets.js";

/** The value of a move. @typedef {Pick<Rating, "spots" | "expected"> & Partial<Rating>} MoveValue */

const RATING_MS = 1500;

/** The value of a move for the first player. @returns {ShownValue} */
const valueOf = (
  /** @type {MoveValue} */ { expected, is_proven: isProven = false, plies = null },
  /** @type {number} */ side,
) => ({ expected: side === 0 ? expected : 1 - expected, is_proven: isProven, plies });

/**
 * The badges of rated moves, on the spots where the moves can be told apart: the chance of the side that is ahead, in its
 * colour, or how far away its win is.
 *
 * @param {MoveValue[]} ratings
 * @param {number} side the side to move
 */
export function ratingBadges(ratings, side) {
  const ends = ratings.map(({ spots }) => spots[spots.length - 1] ?? 0);
  const isDistinct = new Set(ends).size === ends.length;
  return new Map(
    ratings.map((rating, index) => {
      const value = valueOf(rating, side);
      /** @type {Badge["kind"]} */
      const kind = value.expected > 0.5 ? "win" : value.expected < 0.5 ? "loss" : value.is_proven ? "draw" : "even";
      const text = shortValue(value).replace("%", "");
      return [(isDistinct ? ends[index] : rating.spots[0]) ?? 0, { text, kind, isExact: value.is_proven }];
    }),
  );
}

/**
 * Shows the values of all moves of the shown position on the board, and as a list of buttons that play them: those of the
 * atlas, and of a short search for the others.
 *
 * @param {import("./tab.js").Tab} tab
 * @param {AbortSignal} signal
 * @param {(list: HTMLElement) => void} showList
 * @param {(message: string) => void} showError
 * @param {AtlasMove[]} known
 */
export async function showRatings(tab, signal, showList, showError, known) {
  const { app } = tab;
  const side = app.position?.side ?? 0;
  const show = (/** @type {{ moves: Rating[] }} */ answer) => {
    if (signal.aborted) return;
    const searched = answer.moves.filter(({ move }) => !known.some((one) => one.move === move));
    /** @type {(MoveValue & { move: string, depth?: number })[]} */
    const moves = [...known, ...searched].sort((one, other) => other.expected - one.expected);
    app.board.setBadges(ratingBadges(moves, side));
    showList(
      element(
        "ul",
        { class: "ratings" },
        ...moves.map((rating) =>
          element(
            "li",
            {},
            button(`${rating.move} · ${valueText(app.info, valueOf(rating, side))}`, () => tab.play(rating.move), {
              class: rating.is_proven ? `exact value-${rating.value}` : rating.depth ? "exact from-atlas" : "",
            }),
          ),
        ),
      ),
    );
  };
  if (known.length) show({ moves: [] });
  if (known.length === app.position?.legal.length) return;
  try {
    show(
      await app.connection.ask("ratings", { setup: app.session.setup, ms: RATING_MS }, { onProgress: show, signal }),
    );
  } catch (error) {
    if (!signal.aborted) showError(/** @type {Error} */ (error).message);
  }
}
