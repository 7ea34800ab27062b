// Checks of what comes from outside: links, records, and what an earlier version or another page of this address stored.

export const MARKS = ["??", "?", "?!", "!"];
/** The end of the year 9999 in milliseconds since 1970: records cannot hold later times. */
const MAX_TIME = 253_402_300_799_000;

/**
 * Entries that are looked up by names from outside: without a prototype, `constructor` and the like are not among them.
 *
 * @template T
 * @param {Record<string, T> | null | undefined} entries
 * @returns {Record<string, T>}
 */
export function dictionary(entries) {
  return Object.assign(Object.create(null), isObject(entries) ? entries : {});
}

/** @returns {one is Record<string, any>} */
export const isObject = (/** @type {any} */ one) => typeof one === "object" && one !== null && !Array.isArray(one);

/** @returns {one is string} */
export const isText = (/** @type {unknown} */ one) => typeof one === "string";

export const isTextList = (/** @type {unknown} */ one) => Array.isArray(one) && one.every(isText);

export const isId = (/** @type {unknown} */ one) => isText(one) && /^[0-9a-f]{16}$/.test(one);

/** @returns {one is 0 | 1} */
export const isSide = (/** @type {unknown} */ one) => one === 0 || one === 1;

/** Whether something is a time in milliseconds since 1970. */
export const isTime = (/** @type {any} */ one) => Number.isFinite(one) && one >= 0 && one <= MAX_TIME;

export const isWhole = (/** @type {any} */ one, least = 0, most = Infinity) =>
  Number.isInteger(one) && one >= least && one <= most;

export const isPair = (/** @type {any} */ one, /** @type {(part: any) => boolean} */ isPart) =>
  Array.isArray(one) && one.length === 2 && one.every(isPart);

export const isPlayer = (/** @type {any} */ one) =>
  isObject(one) &&
  ["human", "engine"].includes(one.kind) &&
  isWhole(one.level, 0, 20) &&
  one.seconds > 0 &&
  one.seconds <= 60 &&
  isText(one.engine);

/** A stored game with a friend; null if it is none. @returns {Friend | null} */
export function checkedFriend(/** @type {any} */ stored) {
  if (!isSide(stored?.side)) return null;
  const { side, helps, isSent, step } = stored;
  return { side, helps: helps === true, isSent: isSent !== false, step: Number.isFinite(step) ? step : 0 };
}

export const isAccuracy = (/** @type {any} */ one) =>
  isPair(one, (share) => share === null || (share >= 0 && share <= 100));

const isValue = (/** @type {any} */ value) => Number.isFinite(value?.expected);

const isReviewedMove = (/** @type {any} */ move) =>
  isObject(move) &&
  isWhole(move.ply, 1) &&
  isSide(move.side) &&
  isText(move.move) &&
  (move.mark === null || MARKS.includes(move.mark)) &&
  isObject(move.texts) &&
  Object.values(move.texts).every(isText) &&
  isValue(move) &&
  isPair(move.values, isValue) &&
  isText(move.best) &&
  isTextList(move.line) &&
  [move.spots, move.best_spots].every((spots) => Array.isArray(spots) && spots.every((spot) => isWhole(spot)));

const isMarkCount = (/** @type {any} */ one) => isObject(one) && MARKS.includes(one.mark) && isWhole(one.count);

const isPlayerReview = (/** @type {any} */ one) =>
  isObject(one) &&
  [one.moves, one.choices ?? 0].every((count) => isWhole(count)) &&
  Number.isFinite(one.loss ?? 0) &&
  Array.isArray(one.marks) &&
  one.marks.every(isMarkCount);

/** Whether something is the review of a game. @returns {review is ReviewAnswer} */
export const isReview = (/** @type {any} */ review) =>
  isObject(review) &&
  isAccuracy(review.accuracy) &&
  isPair(review.players, isPlayerReview) &&
  Array.isArray(review.turning_points) &&
  review.turning_points.every((/** @type {any} */ ply) => isWhole(ply)) &&
  Array.isArray(review.moves) &&
  review.moves.every(isReviewedMove);
