// A game on the board: its tree, where the reader is, and who plays.

import { GameTree } from "./tree.js";

/** @typedef {import("./types").PlayerSettings} PlayerSettings */
/** @typedef {import("./types").TreeNode} TreeNode */

/** @type {() => PlayerSettings} */
export const human = () => ({ kind: "human", level: 20, seconds: 1, engine: "" });

export class Session {
  /** @type {PlayerSettings[]} */
  players = [human(), human()];
  /** The side that resigned. @type {number | null} */
  resigned = null;
  /** Whether the rules have ended the game in progress. */
  isEnded = false;
  /** Whether a game of two engines waits to be continued. */
  isPaused = false;
  isFlipped = false;
  /** The side that makes the first move. */
  firstSide = 0;
  /** Makes the games of weaker levels differ. */
  seed = Math.floor(Math.random() * 1e9);
  /** Names from a record; empty for players of this page. */
  names = ["", ""];

  /** @param {GameTree} tree */
  constructor(tree) {
    this.tree = tree;
    /** The shown position. @type {TreeNode} */
    this.at = tree.root;
    /** The last position of the game in progress. @type {TreeNode} */
    this.live = tree.root;
  }

  get setup() {
    return this.tree.setup(this.at);
  }

  /** The side to move after the moves to a node. */
  sideAt(/** @type {TreeNode} */ node) {
    return (this.firstSide + this.tree.moves(node).length) % 2;
  }

  store() {
    const { players, resigned, isFlipped, firstSide, names } = this;
    return { ...this.tree.store(this.at, this.live), players, resigned, isFlipped, firstSide, names };
  }

  /** Restores a stored session; throws if it is damaged. */
  static restore(/** @type {any} */ stored) {
    const session = new Session(GameTree.restore(stored));
    session.at = session.tree.find(stored.at ?? []);
    session.live = session.tree.find(stored.live ?? []);
    if (Array.isArray(stored.players) && stored.players.length === 2) {
      session.players = stored.players.map((/** @type {any} */ one) => ({ ...human(), ...one }));
    }
    session.resigned = stored.resigned ?? null;
    session.isFlipped = Boolean(stored.isFlipped);
    session.firstSide = stored.firstSide === 1 ? 1 : 0;
    if (Array.isArray(stored.names) && stored.names.length === 2) session.names = stored.names.map(String);
    return session;
  }
}
