// What survives a reload: in the session storage of the tab, and in the local storage for the next
// tab. The address holds the position as a link.

import { dictionary, isObject, isText } from "./checks.js";

const KEY = "zermelo";
const MAX_MOVES = 1000;
export const MAX_NAME = 40;

/** Reads one of the storages; null if it is empty, damaged or forbidden. */
function read(/** @type {"sessionStorage" | "localStorage"} */ store) {
  try {
    const value = JSON.parse(window[store].getItem(KEY) ?? "null");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Merges the progress of two tabs: for each lesson the higher number of steps. */
function mostDone(/** @type {Record<string, Record<string, number>>} */ one, /** @type {any} */ other) {
  const joined = dictionary(other);
  for (const [game, lessons] of Object.entries(one)) {
    const known = (joined[game] = dictionary(joined[game]));
    for (const [id, done] of Object.entries(lessons ?? {})) known[id] = Math.max(done, Number(known[id]) || 0);
  }
  return joined;
}

/** Returns what was stored by this tab, or by the last one. */
export function readStored() {
  const stored = read("sessionStorage") ?? read("localStorage") ?? {};
  for (const name of ["game", "tab"]) if (!isText(stored[name])) delete stored[name];
  return stored;
}

/** The number of finished games with friends that are kept, so that their links are known. */
const MAX_FINISHED = 24;

/** Returns the stored games of all tabs. @returns {Record<string, any>} */
export function sharedGames() {
  return dictionary(read("localStorage")?.games);
}

/** The later of two states of a game with a friend: another tab may have opened a link meanwhile. */
export function later(/** @type {any} */ own, /** @type {any} */ other) {
  return own?.friend && other?.friend && other.friend.step > own.friend.step ? other : (own ?? other);
}

/**
 * Stores a value for this tab and the next one, which keeps the games and lessons of other tabs. Returns false if the
 * storage is full or forbidden; it then keeps what it had.
 */
export function writeStored(/** @type {{ game: string, games: Record<string, any>, [name: string]: any }} */ value) {
  const others = sharedGames();
  const own = later(value.games[value.game], others[value.game]);
  const games = dictionary({ ...value.games, ...others, [value.game]: own });
  const finished = Object.keys(games).filter((key) => games[key]?.friend && games[key].isEnded && key !== value.game);
  for (const key of finished.slice(0, -MAX_FINISHED)) delete games[key];
  const lessons = mostDone(value.lessons ?? {}, read("localStorage")?.lessons);
  let isStored = true;
  for (const [store, stored] of /** @type {const} */ ([
    ["sessionStorage", value],
    ["localStorage", { ...value, games, lessons }],
  ])) {
    try {
      window[store].setItem(KEY, JSON.stringify(stored));
    } catch {
      isStored = false;
    }
  }
  return isStored;
}

/** Forgets what was stored, except the games with friends, which are kept nowhere else. */
export function forgetStored() {
  const games = Object.fromEntries(Object.entries(sharedGames()).filter(([, game]) => game?.friend));
  sessionStorage.removeItem(KEY);
  localStorage.setItem(KEY, JSON.stringify({ games }));
}

/** Reads what all tabs share under a name; null if there is nothing, undefined if it is damaged. */
export function readShared(/** @type {string} */ name) {
  try {
    return JSON.parse(localStorage.getItem(`${KEY}.${name}`) ?? "null");
  } catch {
    return undefined;
  }
}

/**
 * Stores what all tabs share under a name. Returns false if the storage is full or forbidden; it then keeps what it
 * had.
 */
export function writeShared(/** @type {string} */ name, /** @type {unknown} */ value) {
  try {
    localStorage.setItem(`${KEY}.${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** A side of a game as a field of a link; nothing for neither. */
const sideField = (/** @type {string} */ name, /** @type {number | null | undefined} */ side) =>
  /** @type {[string, string][]} */ (side === 0 || side === 1 ? [[name, `${side}`]] : []);

/** Returns the link to a position or a whole game, as the fragment of the address. */
export function toHash(/** @type {Link} */ { tab, game, start, moves, names = [], resigned, outOfTime, friend }) {
  const fields = new URLSearchParams([
    ["tab", tab],
    ["game", game],
    ...(friend ? [["friend", friend.id], ["plies", `${moves.length}`], ...(friend.helps ? [["help", "1"]] : [])] : []),
    ...(start === null ? [] : [["fen", start]]),
    ...(names[0] ? [["first", names[0]]] : []),
    ...(names[1] ? [["second", names[1]]] : []),
    ...sideField("resigned", resigned),
    ...sideField("time", outOfTime),
    ...(moves.length ? [["moves", moves.join(" ")]] : []),
  ]);
  return `#${fields}`;
}

/** Reads a link; returns null if it names no game or is damaged. @returns {Link | null} */
export function fromHash(/** @type {string} */ hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const game = fields.get("game");
  if (!game) return null;
  const moves = (fields.get("moves") ?? "")
    .split(" ")
    .filter((move) => move !== "")
    .slice(0, MAX_MOVES);
  const side = (/** @type {string} */ name) => [0, 1].find((one) => fields.get(name) === `${one}`) ?? null;
  const name = (/** @type {string} */ which) =>
    (fields.get(which) ?? "").replace(/\p{C}/gu, "").trim().slice(0, MAX_NAME);
  const id = fields.get("friend");
  if (id !== null && (!/^[0-9a-f]{16}$/.test(id) || fields.get("plies") !== `${moves.length}`)) return null;
  return {
    tab: fields.get("tab") ?? "analyse",
    game,
    start: fields.get("fen"),
    moves,
    names: [name("first"), name("second")],
    resigned: side("resigned"),
    outOfTime: side("time"),
    friend: id === null ? null : { id, helps: fields.get("help") === "1" },
  };
}
