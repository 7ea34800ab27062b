// What all tabs of the panel have in common.

export class Tab {
  /** Whether the tab has a game of its own. */
  hasOwnSession = false;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** @returns {import("./session.js").Session | null} */
  ownSession() {
    return null;
  }

  onPosition() {}

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
    if (app.isSettled) app.go(app.session.tree.add(app.session.at, move));
  }

  playerName(/** @type {number} */ side) {
    return this.app.sideName(side);
  }
}
