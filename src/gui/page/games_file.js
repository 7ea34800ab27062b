// All games of the user as one record: a game carries beside its moves what the page keeps, and comes back with it.

import { newId } from "./game.js";
import { importedSession } from "./imported_game.js";
import { continues, keptGames, keptReview, MAX_GAMES, putGames, restoreKept, toKept } from "./kept_games.js";
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
    let one = toKept(session, game.result, Math.min(changed, Date.now()));
    let before = known.get(session.id);
    const isNewer = before !== undefined && continues(one.game, before);
    const isOlder = before !== undefined && continues(before, one.game);
    if (before && !isNewer && !isOlder) {
      // Both are kept, as where two tabs play a game on differently.
      session.id = newId();
      one = toKept(session, game.result, one.game.changed);
      before = undefined;
    }
    const isKnown = before
      ? !isNewer || (isOlder && before.changed >= one.game.changed)
      : lines.has(lineOf(one.game, session));
    if (isKnown) counts.known += 1;
    else if (!before && known.size >= MAX_GAMES) counts.excess += 1;
    else {
      counts.read += 1;
      if (before) keepPlayers(one.game, before);
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

/** A game that goes on from a kept one has its players, and began when that did. */
function keepPlayers(/** @type {KeptGame} */ game, /** @type {KeptGame} */ kept) {
  const { players, ownSide, friend, names } = kept.session;
  game.started = game.session.started = kept.started;
  const named = game.session.names.map((/** @type {string} */ name, /** @type {number} */ at) => names[at] || name);
  Object.assign(game.session, { players, ownSide, friend, names: named });
}

/** Identifies a game without an id: its moves and the second in which it began. */
function lineOf(/** @type {KeptGame} */ kept, /** @type {Session} */ { tree, live }) {
  return JSON.stringify([tree.setup(live), Math.floor(kept.started / 1000)]);
}
