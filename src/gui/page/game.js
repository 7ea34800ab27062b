// A game: its moves with variations, the position on the board, and who plays. The first child of a node continues its
// main line.

import {
  checkedFriend,
  isId,
  isPlayer,
  isReview,
  isSide,
  isText,
  isTextList,
  isTime,
  isWhole,
  MARKS,
} from "./checks.js";
import { Clock } from "./clock.js";

/**
 * @param {string} move
 * @param {TreeNode | null} parent
 * @returns {TreeNode}
 */
function node(move, parent) {
  return { move, parent, children: [], comment: "", mark: "" };
}

/** Throws unless the parts of a stored game are texts. */
function requireTexts(/** @type {any[]} */ ...parts) {
  if (!isTextList(parts)) throw new Error("damaged game");
}

export class GameTree {
  /**
   * @param {string} game
   * @param {string | null} start the FEN, or null for the start position
   */
  constructor(game, start = null) {
    this.game = game;
    this.start = start;
    this.root = node("", null);
  }

  /** Returns the nodes from the root to `target`, without the root. */
  path(/** @type {TreeNode} */ target) {
    const nodes = [];
    for (let at = target; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** @returns {string[]} */
  moves(/** @type {TreeNode} */ target) {
    return this.path(target).map(({ move }) => move);
  }

  /** @returns {Setup} */
  setup(/** @type {TreeNode} */ target) {
    return { game: this.game, start: this.start, moves: this.moves(target) };
  }

  /** Returns the child with a move, which is added if it is missing. */
  add(/** @type {TreeNode} */ parent, /** @type {string} */ move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const child = node(move, parent);
    parent.children.push(child);
    return child;
  }

  /** Adds moves one after the other; returns the last node. */
  addLine(/** @type {TreeNode} */ parent, /** @type {string[]} */ moves) {
    return moves.reduce((at, move) => this.add(at, move), parent);
  }

  /** Returns the last node of the main line below a node. */
  end(from = this.root) {
    let at = from;
    while (at.children[0]) at = at.children[0];
    return at;
  }

  /** Makes the line to a node the main line. */
  promote(/** @type {TreeNode} */ target) {
    for (const at of this.path(target)) {
      const siblings = at.parent?.children ?? [];
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Removes a node with everything after it; returns its parent. */
  remove(/** @type {TreeNode} */ target) {
    const parent = target.parent ?? this.root;
    parent.children = parent.children.filter((child) => child !== target);
    return parent;
  }

  /** Collects all comments and variations, by the ply at which they leave the main line and the moves from there. */
  notes() {
    const comments = /** @type {{ ply: number, text: string, moves: string[] }[]} */ ([]);
    const variations = /** @type {{ ply: number, moves: string[] }[]} */ ([]);
    const collect = (/** @type {TreeNode} */ at, /** @type {number} */ ply, /** @type {string[]} */ moves) => {
      if (at.comment) comments.push({ ply, text: at.comment, moves });
      if (moves.length && !at.children.length) variations.push({ ply, moves });
      at.children.forEach((child, index) => {
        if (moves.length) collect(child, ply, [...moves, child.move]);
        else collect(child, ply + 1, index ? [child.move] : []);
      });
    };
    collect(this.root, 0, []);
    return { comments, variations };
  }

  /** Whether `target` is `from` or comes after it. */
  isWithin(/** @type {TreeNode} */ target, /** @type {TreeNode} */ from) {
    return target === from || this.path(target).includes(from);
  }

  isMainLine(/** @type {TreeNode} */ target) {
    return this.path(target).every((at) => at.parent?.children[0] === at);
  }

  /** @returns {StoredGame} */
  store(/** @type {TreeNode} */ at, /** @type {TreeNode} */ live) {
    const stored = (/** @type {TreeNode} */ one) => {
      // The main line is a flat list: each entry holds the alternatives to its move.
      const entry = (/** @type {TreeNode} */ { move, comment, mark }) => ({
        m: move,
        ...(comment ? { c: comment } : {}),
        ...(mark ? { k: mark } : {}),
      });
      /** @type {StoredNode[]} */
      const line = [];
      for (let point = one; point.children[0]; point = point.children[0]) {
        const [main, ...others] = point.children;
        line.push({
          ...entry(main),
          ...(others.length ? { n: others.map((other) => ({ ...entry(other), n: stored(other) })) } : {}),
        });
      }
      return line;
    };
    return {
      game: this.game,
      start: this.start,
      nodes: stored(this.root),
      comment: this.root.comment,
      at: this.moves(at),
      live: this.moves(live),
    };
  }

  /** Restores a stored game; throws if it is damaged. */
  static restore(/** @type {StoredGame} */ stored) {
    const { game, start = null, comment = "" } = stored;
    requireTexts(game, start ?? "", comment);
    const tree = new GameTree(game, start);
    tree.root.comment = comment;
    const restoreLine = (/** @type {TreeNode} */ parent, /** @type {StoredNode[]} */ line) => {
      let at = parent;
      const restore = (/** @type {StoredNode} */ { m: move, c: text = "", k: mark = "" }) => {
        requireTexts(move, text);
        const child = tree.add(at, move);
        child.comment = text;
        child.mark = MARKS.includes(mark) ? mark : "";
        return child;
      };
      for (const entry of line) {
        const main = restore(entry);
        for (const other of entry.n ?? []) restoreLine(restore(other), other.n ?? []);
        at = main;
      }
    };
    restoreLine(tree.root, stored.nodes ?? []);
    return tree;
  }

  /** Returns the node after a list of moves, or the last one of them that is in the tree. */
  find(/** @type {string[]} */ moves) {
    let at = this.root;
    for (const move of moves) {
      const next = at.children.find((child) => child.move === move);
      if (!next) break;
      at = next;
    }
    return at;
  }
}

/** @type {() => PlayerSettings} */
export const human = () => ({ kind: "human", level: 20, seconds: 1, engine: "" });

/** Returns 64 random bits as a word. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class Session {
  /** Tells this game from all others, also on the page of a friend. */
  id = newId();
  /**
   * When a person, or one of two engines, made the first move of the game on this page, in milliseconds since 1970.
   *
   * @type {number | null}
   */
  started = null;
  /** @type {PlayerSettings[]} */
  players = [human(), human()];
  /** The side that resigned. @type {number | null} */
  resigned = null;
  /** Whether the rules have ended the game in progress. */
  isEnded = false;
  /** Whether a game of two engines waits to be continued. */
  isPaused = false;
  isFlipped = false;
  /** What to say about the link that was opened. */
  notice = "";
  /** The side that makes the first move. */
  firstSide = 0;
  /** Makes the games of weaker levels differ. */
  seed = Math.floor(Math.random() * 1e9);
  /** The side that ran out of time. @type {number | null} */
  outOfTime = null;
  /** The clocks of a timed game. @type {Clock | null} */
  clock = null;
  /**
   * A game with a friend by links: the own side, whether both may have help, whether the last move was sent, and the
   * number of changes.
   *
   * @type {Friend | null}
   */
  friend = null;
  /** Names from a record or of friends; empty for players of this page. */
  names = ["", ""];
  /** The side of the user in a game from a record, if its names tell. @type {number | null} */
  ownSide = null;
  /** The number of positions in which a hint was asked for. */
  hints = 0;
  /** The review of a main line. @type {{ line: string, answer: ReviewAnswer } | null} */
  review = null;

  /** What another tab than Play showed, and where the game was then. @type {{ at: TreeNode, live: TreeNode } | null} */
  #elsewhere = null;
  /** The last position of the game before moves were taken back. @type {TreeNode | null} */
  furthest = null;

  /** @param {GameTree} tree */
  constructor(tree) {
    this.tree = tree;
    /** The shown position. @type {TreeNode} */
    this.at = tree.root;
    /** The last position of the game in progress. @type {TreeNode} */
    this.live = tree.root;
  }

  /**
   * Shows the game in progress in Play, and in the other tabs what was looked at there, until the game goes on.
   */
  turnTo(/** @type {boolean} */ isPlay) {
    const { at, live } = this;
    if (isPlay) [this.#elsewhere, this.at] = [{ at, live }, live];
    else if (at === live && this.#elsewhere?.live === live) this.at = this.#elsewhere.at;
  }

  get setup() {
    return this.tree.setup(this.at);
  }

  /** The setup of a position; that of the last one says how the game ended early. @returns {Setup} */
  setupAt(/** @type {TreeNode} */ node) {
    const { resigned, outOfTime } = this;
    const isLast = node === this.live;
    return {
      ...this.tree.setup(node),
      ...(isLast && resigned !== null ? { resigned } : {}),
      ...(isLast && outOfTime !== null ? { out_of_time: outOfTime } : {}),
    };
  }

  get isOver() {
    return this.isEnded || this.resigned !== null || this.outOfTime !== null;
  }

  /** Whether the clocks run in *Play*: once both sides have moved, until the game is over. */
  get isTimed() {
    return this.clock !== null && !this.isOver && this.tree.path(this.live).length >= 2;
  }

  /** Whether hints and engines are allowed: during a game with a friend only by agreement. */
  get allowsHelp() {
    return this.friend === null || this.friend.helps || this.isOver;
  }

  /** The name under which the game is stored: one unfinished game of each kind, and those with friends. */
  get key() {
    return this.friend ? `${this.tree.game}/${this.id}` : this.tree.game;
  }

  /** The side to move after the moves to a node. */
  sideAt(/** @type {TreeNode} */ node) {
    return (this.firstSide + this.tree.moves(node).length) % 2;
  }

  #isEngineAt(/** @type {TreeNode} */ node) {
    return this.players[this.sideAt(node)]?.kind === "engine";
  }

  /** The last decision of a human player; of two engines the last one of either. Null if there is none. */
  get decisionBefore() {
    let at = this.live.parent;
    while (at?.parent && this.#isEngineAt(at)) at = at.parent;
    return at && this.#isEngineAt(at) && this.players.some(({ kind }) => kind === "human") ? null : at;
  }

  /** The next decision of a human player among the moves that were taken back, or the last one of engines. */
  get decisionAfter() {
    const line = this.furthest && this.tree.path(this.furthest);
    const later = line?.slice(line.indexOf(this.live) + 1) ?? [];
    return later.find((at) => !this.#isEngineAt(at)) ?? later.at(-1);
  }

  store() {
    const {
      id,
      started,
      players,
      resigned,
      outOfTime,
      isEnded,
      isFlipped,
      firstSide,
      names,
      ownSide,
      review,
      friend,
      hints,
    } = this;
    return {
      ...this.tree.store(this.at, this.live),
      clock: this.clock?.store() ?? null,
      friend,
      outOfTime,
      isEnded,
      id,
      started,
      players,
      resigned,
      isFlipped,
      firstSide,
      names,
      ownSide,
      review,
      hints,
    };
  }

  /** Restores a stored session; throws if it is damaged. */
  static restore(/** @type {any} */ stored) {
    const session = new Session(GameTree.restore(stored));
    const side = (/** @type {unknown} */ one) => (isSide(one) ? one : null);
    session.at = session.tree.find(stored.at ?? []);
    session.live = session.tree.find(stored.live ?? []);
    if (isId(stored.id)) session.id = stored.id;
    if (isTime(stored.started)) session.started = stored.started;
    const players = [0, 1].map((index) => ({ ...human(), ...stored.players?.[index] }));
    if (players.every(isPlayer)) session.players = players;
    session.resigned = side(stored.resigned);
    session.outOfTime = side(stored.outOfTime);
    session.isEnded = Boolean(stored.isEnded);
    session.clock = Clock.restore(stored.clock);
    session.friend = checkedFriend(stored.friend);
    session.isFlipped = Boolean(stored.isFlipped);
    if (isWhole(stored.hints)) session.hints = stored.hints;
    session.firstSide = stored.firstSide === 1 ? 1 : 0;
    session.ownSide = side(stored.ownSide);
    if (isText(stored.review?.line) && isReview(stored.review.answer)) session.review = stored.review;
    session.names = [0, 1].map((index) => (isText(stored.names?.[index]) ? stored.names[index] : ""));
    return session;
  }
}
