// Games of a record with what this page wrote beside them, which is checked, since the file may come from anywhere.

import { reviewedLine } from "./kept_games.js";
import { recordedSession } from "./records.js";
import { markMoves } from "./review.js";

/** Returns the game of a record with what this page wrote beside it; null if it is damaged. */
export function importedSession(/** @type {RecordedGame} */ recorded) {
  if (!recorded.setup || recorded.error || !recorded.setup.moves.length) return null;
  const session = recordedSession(recorded, recorded.setup);
  session.started = recorded.started === null ? Date.now() : 1000 * recorded.started;
  const data = dataOf(recorded);
  if (!data) return { session, changed: session.started };
  session.id = data.id;
  if (Number.isFinite(data.started)) session.started = data.started;
  if (data.players.every(isPlayer)) session.players = data.players;
  session.names = [0, 1].map((side) => `${data.names[side] ?? ""}`);
  session.ownSide = [0, 1].includes(data.ownSide) ? data.ownSide : null;
  const { friend } = data;
  if ([0, 1].includes(friend?.side))
    session.friend = {
      side: friend.side,
      helps: friend.helps === true,
      isSent: friend.isSent !== false,
      step: Number(friend.step) || 0,
    };
  const path = session.tree.path(session.tree.end());
  if (isReview(data.review, path)) {
    session.review = { line: JSON.stringify(reviewedLine(session)), answer: data.review };
    markMoves(data.review, path);
  }
  return { session, changed: Number.isFinite(data.changed) ? data.changed : (session.started ?? 0) };
}

/** What this page wrote beside a game; null if it is missing or damaged. */
function dataOf(/** @type {RecordedGame} */ { data }) {
  try {
    const fields = JSON.parse(data ?? "null");
    return /^[0-9a-f]{16}$/.test(fields.id) && fields.names.length === 2 && fields.players.length === 2 ? fields : null;
  } catch {
    return null;
  }
}

function isPlayer(/** @type {any} */ one) {
  return (
    ["human", "engine"].includes(one?.kind) &&
    Number.isInteger(one.level) &&
    one.level >= 0 &&
    one.level <= 20 &&
    one.seconds > 0 &&
    one.seconds <= 60 &&
    typeof one.engine === "string"
  );
}

/** Whether something is a review of the moves on a path. */
function isReview(/** @type {any} */ review, /** @type {TreeNode[]} */ path) {
  const isValue = (/** @type {any} */ value) => Number.isFinite(value?.expected);
  const isMove = (/** @type {any} */ move) =>
    path[move?.ply - 1]?.move === move?.move &&
    [0, 1].includes(move.side) &&
    typeof move.texts === "object" &&
    isValue(move) &&
    move.values?.length === 2 &&
    move.values.every(isValue) &&
    typeof move.best === "string" &&
    [move.spots, move.best_spots, move.line].every(Array.isArray);
  const { accuracy, players, moves, turning_points: turns } = review ?? {};
  return (
    accuracy?.length === 2 &&
    players?.length === 2 &&
    Array.isArray(turns) &&
    Array.isArray(moves) &&
    moves.every(isMove) &&
    players.every((/** @type {any} */ player) => Array.isArray(player?.marks))
  );
}
