// What all tabs of the panel have in common.

export class Tab {
  /** Whether the tab has a game of its own. */
  hasOwnSession = false;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** @returns {import("./game.js").Session | null} */
  ownSession() {
    return null;
  }

  onPosition() {}

  /** Whether an engine will reply to the moves up to a node. */
  awaitsReply(/** @type {import("./types").TreeNode} */ _node) {
    return false;
  }

  /** Whether the user may move now. */
  canMove() {
    return this.app.isSettled && !this.app.position?.outcome;
  }

  onMove(/** @type {import("./types").LegalMove} */ legal) {
    this.play(legal.move);
  }

  /** Plays a move in the shown position; a variation, if another one follows there. */
  play(/** @type {string} */ move) {
    const { app } = this;
    if (app.isSettled) app.showPosition(app.session.tree.add(app.session.at, move));
  }

  playerName(/** @type {number} */ side) {
    return this.app.sideName(side);
  }
}
