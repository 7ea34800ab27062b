// The games that the browser keeps. They are in a database that all tabs share, with the reviews beside them. A game is
// replaced only by one that continues it: where two tabs play it on differently, both are kept.

import { isAccuracy, isReview } from "./checks.js";
import { GameTree, newId, Session } from "./game.js";
import { t } from "./texts.js";

/** With more games the oldest goes. */
export const MAX_GAMES = 1000;

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("zermelo", 1);
    request.onupgradeneeded = () => ["games", "reviews"].forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Runs an action in one transaction: all of it is stored, or nothing.
 *
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(games: IDBObjectStore, reviews: IDBObjectStore) => Promise<T>} action
 * @returns {Promise<T>}
 */
async function transact(mode, action) {
  const transaction = (await open()).transaction(["games", "reviews"], mode);
  const end = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  end.catch(() => {});
  try {
    const result = await action(transaction.objectStore("games"), transaction.objectStore("reviews"));
    await end;
    return result;
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      /* It has ended already. */
    }
    throw error;
  }
}

/** The side of the user, if there is one: null where two people share the screen. */
export function ownSideOf(/** @type {Session} */ { ownSide, players }) {
  if (ownSide !== null) return ownSide;
  const people = [0, 1].filter((side) => players[side]?.kind === "human");
  return people.length === 1 ? (people[0] ?? null) : null;
}

/** The main line that a review is about. */
export function reviewedLine(/** @type {Session} */ { tree }) {
  return tree.setup(tree.end());
}

/** Returns a session in the form in which it is kept, and its review. */
export function toKept(/** @type {Session} */ session, /** @type {string} */ result, changed = Date.now()) {
  const { review, at: _, ...stored } = session.store();
  const current = review?.line === JSON.stringify(reviewedLine(session)) ? review : null;
  /** @type {KeptGame} */
  const game = {
    id: session.id,
    started: session.started ?? changed,
    changed,
    result,
    session: stored,
    accuracy: current?.answer.accuracy ?? null,
  };
  return { game, review: current };
}

/**
 * Whether a game may take the place of a kept one: it goes on from its last position. A game that is over stays as it
 * ended.
 */
export function continues(/** @type {KeptGame} */ game, /** @type {KeptGame} */ kept) {
  const [own, before] = [game, kept].map(({ session: { game: id, start, live } }) => ({ id, start, live }));
  if (!own || !before) return false;
  const goesOn =
    own.id === before.id &&
    own.start === before.start &&
    before.live.every((/** @type {string} */ move, /** @type {number} */ at) => move === own.live[at]);
  return goesOn && (kept.result === "*" || (kept.result === game.result && own.live.length === before.live.length));
}

function contains(/** @type {GameTree} */ tree, /** @type {string[]} */ moves) {
  return tree.moves(tree.find(moves)).length === moves.length;
}

async function removeOldest(/** @type {IDBObjectStore} */ games, /** @type {IDBObjectStore} */ reviews) {
  const excess = (await answer(games.count())) - MAX_GAMES;
  if (excess <= 0) return;
  /** @type {KeptGame[]} */
  const all = await answer(games.getAll());
  for (const { id } of all.sort((one, other) => one.started - other.started).slice(0, excess)) {
    games.delete(id);
    reviews.delete(id);
  }
}

/**
 * Keeps a game. If another tab has played it on differently, the session becomes a game of its own. Returns the number
 * of games.
 */
export function keepSession(/** @type {Session} */ session, /** @type {string} */ result) {
  const { game, review } = toKept(session, result);
  return transact("readwrite", async (games, reviews) => {
    /** @type {KeptGame | undefined} */
    const before = await answer(games.get(game.id));
    if (before) {
      const live = { own: game.session.live, other: before.session.live };
      if (!contains(GameTree.restore(game.session), live.other)) {
        if (contains(GameTree.restore(before.session), live.own)) return answer(games.count());
        session.id = game.id = game.session.id = newId();
      } else if (!review && JSON.stringify(live.own) === JSON.stringify(live.other)) game.accuracy = before.accuracy;
    }
    await answer(games.put(game, game.id));
    if (review) await answer(reviews.put(review, game.id));
    await removeOldest(games, reviews);
    return answer(games.count());
  });
}

/** Restores a session that was kept; throws if it is damaged. */
export function restoreKept(/** @type {KeptGame} */ { session: stored }) {
  const session = Session.restore(stored);
  session.at = session.live;
  return session;
}

/** Returns all games that can be read, the newest first, and the number of the others. */
export async function keptGames() {
  /** @type {KeptGame[]} */
  const all = await transact("readonly", (games) => answer(games.getAll()));
  const games = all.filter((game) => {
    try {
      const { id, started, result, accuracy } = game;
      if (accuracy !== null && !isAccuracy(accuracy)) game.accuracy = null;
      return Number.isFinite(started) && typeof result === "string" && restoreKept(game).id === id;
    } catch {
      return false;
    }
  });
  return { games: games.sort((one, other) => other.started - one.started), damaged: all.length - games.length };
}

/** Returns the review of a game, if it has one that is whole. @returns {Promise<StoredReview | null>} */
export async function keptReview(/** @type {string} */ id) {
  const review = await transact("readonly", (_, reviews) => answer(reviews.get(id)));
  return isReview(review?.answer) ? review : null;
}

/** Puts games with their reviews in place of those with the same ids. */
export function putGames(/** @type {{ game: KeptGame, review: StoredReview | null }[]} */ list) {
  return transact("readwrite", async (games, reviews) => {
    for (const { game, review } of list) {
      await answer(games.put(game, game.id));
      if (review) await answer(reviews.put(review, game.id));
    }
  });
}

/** Removes a game and returns what `putGames` needs to bring it back. */
export function removeGame(/** @type {KeptGame} */ game) {
  return transact("readwrite", async (games, reviews) => {
    const review = (await answer(reviews.get(game.id))) ?? null;
    await answer(games.delete(game.id));
    await answer(reviews.delete(game.id));
    return { game, review };
  });
}

/** Returns the reviewed games as `Session.store` writes them, the newest first. @returns {Promise<any[]>} */
export async function reviewedGames() {
  const { games } = await keptGames();
  const reviewed = games.filter(({ accuracy }) => accuracy !== null);
  return Promise.all(reviewed.map(async ({ id, session }) => ({ ...session, review: await keptReview(id) })));
}

/** Why something cannot be stored, in words. */
export function storageMessage(/** @type {unknown} */ error) {
  return error instanceof DOMException && error.name === "QuotaExceededError" ? t("games.full") : t("games.blocked");
}
