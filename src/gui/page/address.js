// The address names the tab and the position. The browser's buttons walk through what it has named.

import { friendHash, openAddress } from "./links.js";
import { fromHash, toHash } from "./storage.js";

/** The tabs in which each position is a step for the browser's buttons; in the others only the tab is. */
const WALKED = ["analyse", "review", "explore"];

export class Address {
  #app;
  #shown = "";
  /** Whether the next address is no step: it is the first, or was chosen with the browser's buttons. */
  #isReplaced = true;

  constructor(/** @type {App} */ app) {
    this.#app = app;
    // The address may have been replaced by that of the game in the meantime.
    addEventListener("hashchange", ({ newURL }) => {
      const { hash } = new URL(newURL);
      if (hash === this.#shown) return;
      this.#shown = hash;
      this.#isReplaced = true;
      openAddress(app, hash);
    });
  }

  /** Names what is shown. */
  show() {
    const { tabName: tab, mainSession } = this.#app;
    const { tree, at, live, friend } = mainSession;
    const isFriends = tab === "play" && friend && at === live;
    const moves = tree.moves(at);
    this.#shown = isFriends ? friendHash(mainSession) : toHash({ tab, game: tree.game, start: tree.start, moves });
    const known = fromHash(location.hash);
    const isStep = known?.tab !== tab || known.game !== tree.game || WALKED.includes(tab);
    if (this.#shown !== location.hash)
      history[isStep && !this.#isReplaced ? "pushState" : "replaceState"](null, "", this.#shown);
    this.#isReplaced = false;
  }
}
