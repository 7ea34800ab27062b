// Reviewing a game, which goes on while other tabs of the panel are shown, and begins again after a reload.

import { byId, element } from "./dom.js";
import { reviewedLine } from "./kept_games.js";
import { t } from "./texts.js";
import { actions, button, toast } from "./widgets.js";

/**
 * Reviews the main line of a session and marks its moves.
 *
 * @param {App} app
 * @param {Session} session
 * @param {{ signal: AbortSignal, onProgress(progress: { done: number, of: number }): void }} options
 */
export async function reviewSession(app, session, options) {
  const setup = reviewedLine(session);
  const path = session.tree.path(session.tree.end());
  session.review = { line: JSON.stringify(setup), answer: await app.connection.ask("review", { setup }, options) };
  markMoves(session.review.answer, path);
}

/** Gives moves the marks of their review. */
export function markMoves(/** @type {ReviewAnswer} */ { moves }, /** @type {TreeNode[]} */ path) {
  for (const { ply, mark } of moves) {
    const node = path[ply - 1];
    if (node) node.mark = mark ?? "";
  }
}

/** The review of a session's main line, if there is one. @returns {ReviewAnswer | null} */
export function reviewOf(/** @type {Session} */ session) {
  const { review } = session;
  return review?.line === JSON.stringify(reviewedLine(session)) ? review.answer : null;
}

export class ReviewRun {
  #app;
  #onChange;
  /** @type {{ session: Session, controller: AbortController, done: number, of: number } | null} */
  #running = null;
  /** The id of the game whose review an earlier run of the page did not finish. */
  #unfinished = "";

  /**
   * @param {App} app
   * @param {() => void} onChange called after progress, and when a review has ended
   */
  constructor(app, onChange) {
    this.#app = app;
    this.#onChange = onChange;
  }

  restore(/** @type {any} */ { reviewing }) {
    if (typeof reviewing === "string") this.#unfinished = reviewing;
  }

  store() {
    return { reviewing: this.#running?.session.id ?? "" };
  }

  /** Begins the review again that was not finished. */
  resume() {
    const { mainSession } = this.#app;
    if (mainSession.id === this.#unfinished && mainSession.allowsHelp && !reviewOf(mainSession))
      this.start(mainSession);
  }

  /** Reviews a game in place of the one whose review still runs. */
  async start(/** @type {Session} */ session) {
    if (this.#running?.session.id === session.id) return;
    this.#running?.controller.abort();
    const controller = new AbortController();
    const running = (this.#running = { session, controller, done: 0, of: reviewedLine(session).moves.length });
    this.#app.save();
    this.#onChange();
    try {
      await reviewSession(this.#app, session, {
        signal: controller.signal,
        onProgress: (progress) => {
          Object.assign(running, progress);
          this.#onChange();
        },
      });
      this.#keep(session);
    } catch (error) {
      if (!controller.signal.aborted) toast(/** @type {Error} */ (error).message);
    }
    if (this.#running !== running) return;
    this.#running = null;
    this.#app.save();
    this.#onChange();
  }

  /** Stores the review of a game that was left meanwhile: it may have been opened again, or be opened later. */
  #keep(/** @type {Session} */ session) {
    const { mainSession, stored, tabs } = this.#app;
    const { id, key, review } = session;
    if (session === mainSession || !review) return;
    if (stored[key]?.id === id) stored[key].review = review;
    tabs.games?.onSave(session);
    if (mainSession.id !== id) return;
    mainSession.review = review;
    if (reviewOf(mainSession)) markMoves(review.answer, mainSession.tree.path(mainSession.tree.end()));
  }

  /** Shows how far the review of the game on the board is; returns whether one runs. */
  show(/** @type {HTMLElement} */ box) {
    const running = this.#running;
    if (running?.session.id !== this.#app.session.id) return false;
    const known = byId("review-bar");
    if (known) Object.assign(known, { max: running.of, value: running.done });
    else {
      const { of: max, done: value, controller } = running;
      box.replaceChildren(
        element("p", {}, t("review.running")),
        element("progress", { id: "review-bar", max, value, "aria-label": t("review.running") }),
        actions(button(t("cancel"), () => controller.abort())),
      );
    }
    return true;
  }
}
