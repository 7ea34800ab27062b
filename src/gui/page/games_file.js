// All games of the user as one record: a game carries beside its moves what the page keeps, and comes back with it.

import { importedSession } from "./imported_game.js";
import { keptGames, keptReview, MAX_GAMES, putGames, restoreKept, toKept } from "./kept_games.js";
import { playerName } from "./players.js";
import { inSeconds, writeRecord } from "./records.js";
import { t } from "./texts.js";
import { download } from "./widgets.js";

/** Offers all games as one record; returns how many. */
export async function exportGames(/** @type {App} */ app) {
  const texts = [];
  const { games } = await keptGames();
  for (const kept of games.reverse()) {
    const session = restoreKept(kept);
    const { id, names, players, ownSide, friend } = session;
    const { started, changed } = kept;
    const write = (/** @type {any} */ review) =>
      writeRecord(
        app,
        session,
        [0, 1].map((side) => playerName(app, side, session)),
        kept.result,
        {
          started: inSeconds(started),
          number: texts.length + 1,
          data: JSON.stringify({ id, started, changed, names, players, ownSide, friend, review }),
        },
      );
    const review = kept.accuracy && (await keptReview(id))?.answer;
    // The review of a very long game does not fit beside it.
    texts.push(
      await write(review).catch((error) => {
        if (!review) throw error;
        return write(null);
      }),
    );
  }
  download(`zermelo-${new Date().toISOString().slice(0, 10)}.pgn`, new Blob(texts, { type: "text/plain" }));
  return texts.length;
}

/** Adds the games of a record to those that are kept; returns what became of them in words. */
export async function importGames(/** @type {RecordedGame[]} */ recorded, /** @type {GameEntry[]} */ entries) {
  const known = new Map(entries.map(({ kept }) => [kept.id, kept]));
  const lines = new Set(entries.map(({ kept, session }) => lineOf(kept, session)));
  const read = [];
  const counts = { read: 0, known: 0, damaged: 0, excess: 0 };
  let reason = "";
  for (const game of recorded) {
    const imported = importedSession(game);
    if (!imported) {
      counts.damaged += 1;
      reason ||= game.error ?? "";
      continue;
    }
    const { session, changed } = imported;
    const one = toKept(session, game.result, changed);
    const before = known.get(session.id);
    if (before ? before.changed >= changed : lines.has(lineOf(one.game, session))) counts.known += 1;
    else if (!before && known.size >= MAX_GAMES) counts.excess += 1;
    else {
      counts.read += 1;
      known.set(session.id, one.game);
      lines.add(lineOf(one.game, session));
      read.push(one);
    }
  }
  await putGames(read);
  return [
    t("games.imported", counts),
    ...(reason ? [reason] : []),
    ...(counts.excess ? [t("games.excess", { count: counts.excess, most: MAX_GAMES })] : []),
  ].join(" ");
}

/** Identifies a game without an id: its moves and the second in which it began. */
function lineOf(/** @type {KeptGame} */ kept, /** @type {Session} */ { tree, live }) {
  return JSON.stringify([tree.setup(live), Math.floor(kept.started / 1000)]);
}
