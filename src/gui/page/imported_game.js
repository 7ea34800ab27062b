// Games of a record with what this page wrote beside them, which is checked, since the file may come from anywhere.

import { checkedFriend, isId, isObject, isPair, isPlayer, isReview, isSide, isText, isTime } from "./checks.js";
import { reviewedLine } from "./kept_games.js";
import { recordedSession } from "./records.js";
import { markMoves } from "./review_run.js";

/** Returns the game of a record with what this page wrote beside it; null if it is damaged. */
export function importedSession(/** @type {RecordedGame} */ recorded) {
  if (!recorded.setup || recorded.error || !recorded.setup.moves.length) return null;
  const session = recordedSession(recorded, recorded.setup);
  session.started = recorded.started === null ? Date.now() : 1000 * recorded.started;
  const data = dataOf(recorded);
  if (!data) return { session, changed: session.started };
  session.id = data.id;
  if (isTime(data.started)) session.started = data.started;
  if (isPair(data.players, isPlayer)) session.players = data.players;
  if (isPair(data.names, isText)) session.names = data.names;
  session.ownSide = isSide(data.ownSide) ? data.ownSide : null;
  session.friend = checkedFriend(data.friend);
  const path = session.tree.path(session.tree.end());
  const isOnPath = (/** @type {ReviewedMove} */ { ply, move }) => path[ply - 1]?.move === move;
  if (isReview(data.review) && data.review.moves.every(isOnPath)) {
    session.review = { line: JSON.stringify(reviewedLine(session)), answer: data.review };
    markMoves(data.review, path);
  }
  return { session, changed: isTime(data.changed) ? data.changed : (session.started ?? 0) };
}

/** What this page wrote beside a game; null if it is missing or damaged. */
function dataOf(/** @type {RecordedGame} */ { data }) {
  try {
    const fields = JSON.parse(data ?? "null");
    return isObject(fields) && isId(fields.id) ? fields : null;
  } catch {
    return null;
  }
}
