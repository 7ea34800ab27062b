// What the Puzzles tab asks: a generated puzzle, that of the day, or a mistake from one's own games.

import { isObject, isText, isTextList, isWhole } from "./checks.js";
import { reviewedGames } from "./kept_games.js";
import { mistakeKey, ownMistakes } from "./own_mistakes.js";
import { puzzleRating, readLog, solverRating, today } from "./puzzle_log.js";

/** The rating that puzzles of the day come near. */
const DAILY_RATING = 1400;
/** Puzzles among this many latest results are not offered again. */
const MAX_SEEN = 100;
/** A hint names at most this many moves beside the right one, and never all. */
const MAX_OTHERS = 2;

/**
 * A puzzle that was not offered lately: near the solver's rating, of a difficulty if one is chosen, or that of the day;
 * the key of a text that says why there is none.
 *
 * @param {App} app
 * @param {"any" | "daily"} kind
 * @param {string} difficulty
 * @param {number} seed
 * @param {{ signal: AbortSignal, onProgress(progress: { examined: number }): void }} options
 * @returns {Promise<PuzzleTask | string>}
 */
export async function generatedTask(app, kind, difficulty, seed, options) {
  const { game } = app.mainSession.tree;
  const day = kind === "daily" ? today() : "";
  const { history, days } = readLog();
  const seen = history
    .filter((result) => result.game === game)
    .slice(0, MAX_SEEN)
    .map(({ puzzle }) => puzzle.fen);
  const wanted = day
    ? { seed: Number(day.replaceAll("-", "")), near: DAILY_RATING }
    : difficulty
      ? { seed, difficulty: Number(difficulty) }
      : { seed, near: solverRating(game).rating, seen };
  /** @type {PuzzleAnswer | null} */
  const puzzle = await app.connection.ask("puzzle", { game, ...wanted }, options);
  return puzzle ? taskOf(game, puzzle, kind, day, !day || days[game]?.tried !== day) : "puzzle.none";
}

/**
 * A task of a puzzle, which does not count by default.
 *
 * @param {string} game
 * @param {PuzzleAnswer} puzzle
 * @param {"any" | "daily"} kind
 * @returns {PuzzleTask}
 */
export function taskOf(game, puzzle, kind, day = "", counts = false) {
  return {
    kind,
    setup: { game, start: puzzle.fen, moves: [] },
    line: puzzle.line,
    toFind: puzzle.to_find,
    puzzle,
    rating: Math.round(puzzleRating(game, puzzle).rating),
    mistake: null,
    day,
    counts,
  };
}

/**
 * A puzzle that an earlier run of the page left unsolved, as it was stored; null if it is damaged.
 *
 * @param {App} app
 * @param {any} stored
 * @returns {{ task: PuzzleTask, asked: string[], found: number, tried: string[] } | null}
 */
export function storedTask(app, stored) {
  const { task, asked, found, tried } = stored ?? {};
  const { kind, setup, line, toFind, puzzle, rating, day } = task ?? {};
  const isSound =
    ["any", "daily"].includes(kind) &&
    isObject(puzzle?.rating) &&
    ["win", "draw"].includes(puzzle.value) &&
    [puzzle.side, puzzle.difficulty, rating, toFind, found].every((count) => isWhole(count)) &&
    [line, asked, tried, setup?.moves].every(isTextList) &&
    [setup.start, day].every(isText) &&
    app.isGame(setup.game);
  return isSound ? stored : null;
}

/**
 * A mistake from the user's games that was not put right; the key of a text that says why there is none.
 *
 * @param {App} app
 * @param {number} seed
 * @returns {Promise<PuzzleTask | string>}
 */
export async function ownTask(app, seed) {
  const { game } = app.mainSession.tree;
  const stored = [app.mainSession.store(), ...(await reviewedGames().catch(() => []))];
  const reviewed = stored
    .filter((one) => one.game === game)
    .map(ownMistakes)
    .filter((one) => one !== null);
  const mistakes = new Map(reviewed.flat().map((one) => [mistakeKey(one), one]));
  const { corrected } = readLog();
  const open = [...mistakes.keys()].filter((key) => !corrected.includes(key));
  const chosen = mistakes.get(open[seed % open.length] ?? "");
  if (!chosen) return mistakes.size ? "puzzle.ownDone" : reviewed.length ? "puzzle.ownClean" : "puzzle.ownNone";
  const { start, moves, mistake } = chosen;
  return {
    kind: "own",
    setup: { game, start, moves },
    line: mistake.line,
    toFind: 1,
    puzzle: null,
    rating: 0,
    mistake,
    day: "",
    counts: false,
  };
}

/**
 * Names a few moves, one of which is right; of two, the wrong one. Returns the moves with what is said: a key of the
 * texts and its values.
 *
 * @param {PuzzleTask} task
 * @param {string} right
 * @param {LegalMove[]} legal those that were not tried
 * @returns {{ named: LegalMove[], key: string, values: Record<string, string> }}
 */
export function hintOf(task, right, legal) {
  const others = legal.filter(({ move }) => move !== right);
  // Of an own mistake, another move may be right, too.
  if (others.length < (task.mistake ? 1 : 2)) {
    const key = others[0] ? "puzzle.notThis" : "puzzle.lastLeft";
    return { named: [], key, values: { move: others[0]?.move ?? "" } };
  }
  const step = Math.ceil(others.length / Math.min(MAX_OTHERS, others.length - 1));
  const named = legal.filter((one) => one.move === right || others.indexOf(one) % step === 0);
  const moves = named.map(({ move }) => move).sort();
  return { named, key: "puzzle.candidates", values: { moves: moves.join(" ") } };
}
