// Recently requested positions, so that stepping through a game and expected replies show at once.

import { language } from "./texts.js";

const MAX_CACHED = 600;

export class Positions {
  #connection;
  /** @type {Map<string, PositionAnswer>} */
  #known = new Map();

  constructor(/** @type {import("./connection.js").Connection} */ connection) {
    this.#connection = connection;
  }

  /**
   * Returns the position of a setup. With `replies` the positions after all legal moves come along and are kept.
   *
   * @returns {Promise<PositionAnswer>}
   */
  async get(/** @type {Setup} */ setup, replies = false) {
    const known = this.#known.get(keyOf(setup));
    if (known) return known;
    /** @type {PositionAnswer} */
    const answer = await this.#connection.ask("position", { setup, ...(replies ? { replies } : {}) });
    if (this.#known.size > MAX_CACHED) this.#known.clear();
    this.#known.set(keyOf(setup), answer);
    for (const [move, reply] of Object.entries(answer.replies ?? {}))
      this.#known.set(keyOf({ ...setup, moves: [...setup.moves, move] }), reply);
    return answer;
  }
}

function keyOf(/** @type {Setup} */ { game, start, moves, resigned, out_of_time: outOfTime }) {
  return `${language()}|${game}|${start ?? ""}|${moves.join(" ")}|${resigned ?? ""}|${outOfTime ?? ""}`;
}
