// What survives a reload: in the session storage of the tab, and in the local storage for the next
// tab. The address holds the position as a link.

/** @typedef {import("./types").StoredGame} StoredGame */

const KEY = "zermelo";

/** The storages of the browser; reading their names throws where they are forbidden. */
const STORES = [() => sessionStorage, () => localStorage];

/** Reads what was stored; a damaged entry counts as none. */
export function readStored() {
  for (const store of STORES) {
    try {
      const value = JSON.parse(store().getItem(KEY) ?? "null");
      if (value && typeof value === "object") return value;
    } catch (error) {
      if (error instanceof SyntaxError) store().removeItem(KEY);
    }
  }
  return {};
}

/** Stores a value for this tab and the next one. */
export function writeStored(/** @type {object} */ value) {
  const text = JSON.stringify(value);
  for (const store of STORES) {
    try {
      store().setItem(KEY, text);
    } catch {
      // The storage is full or forbidden; the page works without it.
    }
  }
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
