// What the page keeps of puzzles: the ratings of the solver and of the puzzles, the last results, the days on which the
// puzzle of the day was solved, and the user's mistakes that were corrected. All tabs of the browser share it.

import { dictionary, isObject, isText } from "./checks.js";
import { readShared, writeShared } from "./storage.js";
import { t } from "./texts.js";
import { toast } from "./widgets.js";

const NAME = "puzzles";
const MAX_HISTORY = 200;
const MAX_RATED = 500;
const MAX_CORRECTED = 500;
/** A rating below that of most puzzles, which the first results change quickly. */
const NEW_SOLVER = { rating: 1200, deviation: 350, volatility: 0.06 };

/** What could not be stored, for as long as the page is open. @type {PuzzleLog | null} */
let unstored = null;

/** The same ranges as in the engine (teaching/glicko.rs). */
const isRating = (/** @type {any} */ one) =>
  isObject(one) &&
  one.rating >= 0 &&
  one.rating <= 4000 &&
  one.deviation >= 10 &&
  one.deviation <= 500 &&
  one.volatility >= 0.001 &&
  one.volatility <= 1;
const isPuzzle = (/** @type {any} */ one) =>
  isObject(one) &&
  isText(one.fen) &&
  isRating(one.rating) &&
  Array.isArray(one.line) &&
  one.line.every(isText) &&
  one.to_find >= 1 &&
  2 * one.to_find - 1 <= one.line.length &&
  ["win", "draw"].includes(one.value) &&
  Number.isFinite(one.difficulty) &&
  [0, 1].includes(one.side);
const isResult = (/** @type {any} */ one) =>
  isObject(one) &&
  isText(one.game) &&
  Number.isFinite(Date.parse(one.date)) &&
  isPuzzle(one.puzzle) &&
  typeof one.isSolved === "boolean" &&
  Number.isFinite(one.rating) &&
  Number.isFinite(one.change);
const isDays = (/** @type {any} */ one) =>
  isObject(one) && isText(one.tried) && isText(one.solved) && Number.isInteger(one.row);

/**
 * Returns the valid part of what was stored, and whether that is all of it.
 *
 * @param {any} stored
 * @returns {{ log: PuzzleLog, isWhole: boolean }}
 */
function soundPart(stored) {
  let isWhole = stored === null || isObject(stored);
  const table = (/** @type {any} */ own, /** @type {(one: any) => boolean} */ isSound) => {
    const entries = Object.entries(isObject(own) ? own : {});
    const sound = entries.filter(([, one]) => isSound(one));
    if (sound.length < entries.length || (own !== undefined && !isObject(own))) isWhole = false;
    return dictionary(Object.fromEntries(sound));
  };
  const list = (/** @type {any} */ own, /** @type {(one: any) => boolean} */ isSound) => {
    const sound = Array.isArray(own) ? own.filter(isSound) : [];
    if (own !== undefined && sound.length !== own?.length) isWhole = false;
    return sound;
  };
  const log = {
    solvers: table(stored?.solvers, isRating),
    puzzles: table(stored?.puzzles, isRating),
    history: list(stored?.history, isResult),
    days: table(stored?.days, isDays),
    corrected: list(stored?.corrected, isText),
  };
  return { log, isWhole };
}

/** Reads the log without its damaged parts, and tells the user once if there are any. */
export function readLog() {
  if (unstored) return unstored;
  const { log, isWhole } = soundPart(readShared(NAME));
  if (!isWhole) {
    toast(t("puzzle.damaged"));
    writeShared(NAME, log);
  }
  return log;
}

/** Changes the log. If it cannot be stored, the page keeps it while it is open, and tells the user once. */
export function changeLog(/** @type {(log: PuzzleLog) => void} */ change) {
  const log = readLog();
  change(log);
  log.history.splice(MAX_HISTORY);
  log.corrected.splice(0, log.corrected.length - MAX_CORRECTED);
  const rated = Object.keys(log.puzzles);
  for (const key of rated.slice(0, Math.max(0, rated.length - MAX_RATED))) delete log.puzzles[key];
  const isStored = writeShared(NAME, log);
  if (!isStored && !unstored) toast(t("puzzle.notStored"));
  unstored = isStored ? null : log;
}

/** Variants of a game share a rating. */
export function familyOf(/** @type {string} */ game) {
  return game.split("-")[0] ?? game;
}

/** @returns {GlickoRating} */
export function solverRating(/** @type {string} */ game) {
  return readLog().solvers[familyOf(game)] ?? NEW_SOLVER;
}

const puzzleKey = (/** @type {string} */ game, /** @type {PuzzleAnswer} */ puzzle) => `${game} ${puzzle.fen}`;

/** @returns {GlickoRating} */
export function puzzleRating(/** @type {string} */ game, /** @type {PuzzleAnswer} */ puzzle) {
  return readLog().puzzles[puzzleKey(game, puzzle)] ?? puzzle.rating;
}

/**
 * Rates solver and puzzle after the first try of a task, and stores the result.
 *
 * @param {App} app
 * @param {PuzzleTask & { puzzle: PuzzleAnswer }} task
 * @param {boolean} isSolved
 */
export async function rateTry(app, { kind, puzzle, setup: { game }, day }, isSolved) {
  if (kind === "daily") logDay(game, day, false);
  const before = { solver: solverRating(game), puzzle: puzzleRating(game, puzzle) };
  const after = await app.connection.ask("rate_puzzle", { ...before, solved: isSolved });
  /** @type {PuzzleResult} */
  const result = {
    date: new Date().toISOString(),
    game,
    kind: kind === "daily" ? "daily" : "any",
    puzzle,
    isSolved,
    rating: after.solver.rating,
    change: after.solver.rating - before.solver.rating,
  };
  changeLog((log) => {
    const key = puzzleKey(game, puzzle);
    log.solvers[familyOf(game)] = after.solver;
    delete log.puzzles[key];
    log.puzzles[key] = after.puzzle;
    log.history.unshift(result);
  });
  return result;
}

/** Today's date, which is the same everywhere. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

const dayBefore = (/** @type {string} */ day) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** Stores that the puzzle of a day was tried or solved. */
export function logDay(/** @type {string} */ game, /** @type {string} */ day, /** @type {boolean} */ isSolved) {
  changeLog(({ days }) => {
    const { solved, row } = days[game] ?? { solved: "", row: 0 };
    if (!isSolved || solved === day) days[game] = { tried: day, solved, row };
    else days[game] = { tried: day, solved: day, row: solved === dayBefore(day) ? row + 1 : 1 };
  });
}

/** On how many days in a row, up to today or yesterday, the puzzle of the day was solved. */
export function daysInARow(/** @type {string} */ game) {
  const days = readLog().days[game];
  return days && [today(), dayBefore(today())].includes(days.solved) ? days.row : 0;
}
