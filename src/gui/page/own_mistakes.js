// Puzzles from one's own games: the positions of reviewed games in which the user made a mistake.

import { Session } from "./game.js";

const MARKS = ["??", "?"];

/**
 * Returns the mistakes of the user in a stored game; null, if it is damaged, not reviewed or not the user's own.
 *
 * @returns {OwnMistake[] | null}
 */
export function ownMistakes(/** @type {any} */ stored) {
  try {
    const { tree, review, ownSide, names, players } = Session.restore(stored);
    const { game, start, moves } = tree.setup(tree.end());
    if (review?.line !== JSON.stringify({ game, start, moves })) return null;
    const isOwn = (/** @type {number} */ side) =>
      ownSide === null ? names[0] === "" && players[side]?.kind === "human" : side === ownSide;
    if (![0, 1].some(isOwn)) return null;
    return review.answer.moves
      .filter(({ side, mark }) => isOwn(side) && MARKS.includes(mark ?? ""))
      .map((mistake) => ({ game, start, moves: moves.slice(0, mistake.ply - 1), mistake }));
  } catch {
    return null;
  }
}

/** Identifies a mistake. */
export function mistakeKey(/** @type {OwnMistake} */ { game, start, moves }) {
  return JSON.stringify([game, start, moves]);
}
