// What survives a reload: in the session storage of the tab, and in the local storage for the next
// tab. The address holds the position as a link.

/** @typedef {import("./types").StoredGame} StoredGame */

const KEY = "zermelo";

/** Reads one of the storages; null if it is empty, damaged or forbidden. */
function read(/** @type {"sessionStorage" | "localStorage"} */ store) {
  try {
    const value = JSON.parse(window[store].getItem(KEY) ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Returns what was stored by this tab, or by the last one. */
export function readStored() {
  return read("sessionStorage") ?? read("localStorage") ?? {};
}

/**
 * Stores a value for this tab and the next one, which keeps the games of other tabs. Returns false if the storage is full or
 * forbidden; it then keeps what it had.
 */
export function writeStored(/** @type {{ game: string, games: Record<string, any>, [name: string]: any }} */ value) {
  const shared = { ...value, games: { ...value.games, ...read("localStorage")?.games, [value.game]: value.games[value.game] } };
  let isStored = true;
  for (const [store, stored] of /** @type {const} */ ([["sessionStorage", value], ["localStorage", shared]])) {
    try {
      window[store].setItem(KEY, JSON.stringify(stored));
    } catch {
      isStored = false;
    }
  }
  return isStored;
}

/**
 * Returns the link to a position, as the fragment of the address.
 *
 * @param {{ tab: string, game: string, start: string | null, moves: string[] }} place
 */
export function toHash({ tab, game, start, moves }) {
  const fields = new URLSearchParams({ tab, game });
  if (start !== null) fields.set("fen", start);
  if (moves.length) fields.set("moves", moves.join(" "));
  return `#${fields}`;
}

/** Reads a link; returns null if it names no game. */
export function fromHash(/** @type {string} */ hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const game = fields.get("game");
  if (!game) return null;
  const moves = (fields.get("moves") ?? "").split(" ").filter((move) => move !== "").slice(0, 1000);
  return { tab: fields.get("tab") ?? "analyse", game, start: fields.get("fen"), moves };
}
