// What all tabs of the panel have in common: what the page calls, and what most of them do.

import { playerName } from "./players.js";

export class Tab {
  /** Whether the tab has a game of its own. */
  hasOwnSession = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** @returns {Session | null} */
  ownSession() {
    return null;
  }

  /** Takes over what the tab stored in an earlier run, checked, from what the page and all tabs stored. */
  restore(/** @type {any} */ _stored) {}

  /**
   * What the tab stores for the next run, under names of its own; `app.save()` stores it after a change.
   * @returns {Record<string, any>}
   */
  store() {
    return {};
  }

  /** Builds the panel. @returns {HTMLElement} */
  build() {
    return document.createElement("div");
  }

  /** Called once the page shows its first game. */
  onStart() {}

  /** Called after the tab is shown; `isOther` tells whether another one was shown before. */
  onEnter(_isOther = false) {}

  onLeave() {}

  /** Called after another position is shown. */
  onPosition() {}

  /** Called when the game of Play, Analyse and Review is stored. */
  onSave(/** @type {Session} */ _session) {}

  /** Called after another game is chosen. */
  onGame() {}

  onVisibility() {}

  /** Called after a lost connection is made again. */
  onReconnect() {}

  onWatch(/** @type {{ watch?: TournamentData | null, playing?: TournamentGame[] }} */ _event) {}

  onEngineEnd(/** @type {string} */ _name) {}

  /** Called with clicks while nobody may move. */
  onClick(/** @type {number} */ _spot) {}

  /** Whether an engine will reply to the moves up to a node. */
  awaitsReply(/** @type {TreeNode} */ _node) {
    return false;
  }

  /** Whether the game goes on from the shown position. */
  isOpen() {
    return !this.app.position?.outcome;
  }

  /** Whether the user may move now. */
  canMove() {
    return this.app.isSettled && this.isOpen();
  }

  onMove(/** @type {LegalMove} */ legal) {
    this.play(legal.move);
  }

  /** Plays a move in the shown position; a variation, if another one follows there. */
  play(/** @type {string} */ move) {
    const { app } = this;
    if (app.isSettled) app.showPosition(app.session.tree.add(app.session.at, move));
  }

  /** What the player of a side is called beside the board. */
  playerName(/** @type {number} */ side) {
    return playerName(this.app, side);
  }
}
