// Puzzles: positions with one right move, by difficulty, with a streak.

import { byId, element } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { button, choice, note } from "./widgets.js";

const DIFFICULTIES = ["", "1", "2", "3", "4", "5"];

export class PuzzlesTab extends Tab {
  hasOwnSession = true;
  /** @type {Session | null} */
  #session = null;
  /** @type {import("./types").PuzzleAnswer | null} */
  #puzzle = null;
  /** @type {"searching" | "asked" | "missed" | "solved" | "shown" | "none"} */
  #state = "none";
  #difficulty = "";
  #seed = Math.floor(Math.random() * 1e9);
  #number = 0;
  #text = "";
  /** @type {AbortController | null} */
  #search = null;

  ownSession() {
    return this.#session;
  }

  build() {
    return element("div", { class: "stack" },
      element("div", { class: "card turn", id: "puzzle", role: "status" }),
      element("div", { class: "actions", id: "puzzle-actions" }),
      choice(t("puzzle.difficulty"), DIFFICULTIES.map((value) => [value, value === "" ? t("puzzle.any") : value]), this.#difficulty,
        (value) => { this.#difficulty = value; this.#next(); }, { id: "difficulty" }),
      element("dl", { class: "counts", id: "streak" }));
  }

  onEnter() {
    this.#show();
    if (this.#session?.tree.game !== this.app.mainSession.tree.game || !this.#puzzle || this.#state === "searching") this.#next();
  }

  onLeave() {
    this.#search?.abort();
    this.app.board.setArrows([]);
  }

  onGame() {
    this.#session = null;
    this.#puzzle = null;
    this.#difficulty = "";
  }

  onPosition() {
    this.#show();
  }

  canMove() {
    return super.canMove() && (this.#state === "asked" || this.#state === "missed") && this.app.session === this.#session && this.app.session.at === this.app.session.tree.root;
  }

  async #next() {
    const { app } = this;
    this.#search?.abort();
    const controller = this.#search = new AbortController();
    this.#state = "searching";
    this.#number += 1;
    app.board.setArrows([]);
    this.#text = t("puzzle.searching");
    this.#show();
    try {
      const game = app.mainSession.tree.game;
      const puzzle = await app.connection.ask("puzzle", { game, seed: this.#seed + this.#number, number: 1, ...(this.#difficulty ? { difficulty: Number(this.#difficulty) } : {}) },
        { signal: controller.signal, onProgress: ({ examined }) => { this.#text = t("puzzle.examined", { count: examined }); this.#show(); } });
      if (controller.signal.aborted) return;
      this.#puzzle = puzzle;
      this.#state = puzzle ? "asked" : "none";
      this.#text = puzzle ? "" : t("puzzle.none");
      if (!puzzle) return this.#show();
      this.#session = new Session(new GameTree(game, puzzle.fen));
      await app.openSession(this.#session);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#state = "none";
      this.#text = /** @type {Error} */ (error).message;
      this.#show();
    }
  }

  onMove(/** @type {import("./types").LegalMove} */ legal) {
    const { app } = this;
    const puzzle = this.#puzzle;
    if (!puzzle || !this.#session) return;
    const isFirst = this.#state === "asked";
    const isRight = legal.move === puzzle.solution;
    if (isFirst) {
      app.streak.tried += 1;
      app.streak.solved += isRight ? 1 : 0;
      app.streak.row = isRight ? app.streak.row + 1 : 0;
      app.streak.best = Math.max(app.streak.best, app.streak.row);
      app.save();
    }
    this.#state = isRight ? "solved" : "missed";
    this.#text = t(isRight ? "puzzle.right" : "puzzle.wrong", { move: legal.move, line: puzzle.line.join(" ") });
    app.board.setArrows(isRight ? [] : [{ spots: legal.spots, kind: "bad" }]);
    if (isRight) this.#showLine();
    else {
      app.draw();
      this.#show();
    }
  }

  /** Shows the position after the solution; the line can be walked. */
  #showLine() {
    const { app } = this;
    const session = this.#session;
    if (!session || !this.#puzzle) return;
    session.tree.addLine(session.tree.root, this.#puzzle.line);
    app.showPosition(session.tree.add(session.tree.root, this.#puzzle.solution)).then(() => byId("puzzle-next")?.focus());
  }

  #show() {
    const { app } = this;
    const puzzle = this.#puzzle;
    if (!byId("puzzle")) return;
    const isOpen = this.#state === "asked" || this.#state === "missed";
    const isEnded = this.#state === "solved" || this.#state === "shown";
    byId("puzzle").replaceChildren(
      element("p", { class: "headline" }, puzzle && this.#state !== "searching" ? puzzle.goal : t("tab.puzzles")),
      ...(puzzle && this.#state !== "searching" ? [note(t("puzzle.rated", { difficulty: puzzle.difficulty, side: app.sideName(puzzle.side) }))] : []),
      element("p", { id: "puzzle-text" }, this.#text));
    const focused = document.activeElement?.id;
    byId("puzzle-actions").replaceChildren(
      button(t(isEnded ? "puzzle.next" : "puzzle.skip"), () => this.#next(), { class: isEnded ? "primary" : "", icon: "skip", id: "puzzle-next", disabled: this.#state === "searching" }),
      button(t("puzzle.solution"), () => {
        if (this.#state === "asked") { app.streak.tried += 1; app.streak.row = 0; app.save(); }
        this.#state = "shown";
        this.#text = t("puzzle.was", { line: puzzle?.line.join(" ") ?? "" });
        this.#showLine();
      }, { id: "puzzle-solution", disabled: !isOpen }));
    if (focused === "puzzle-next" || focused === "puzzle-solution") byId(focused).focus();
    const { solved, tried, row, best } = app.streak;
    byId("streak").replaceChildren(...[[t("puzzle.streak"), row], [t("puzzle.best"), best], [t("puzzle.solved"), `${solved} / ${tried}`]].map(([name, value]) =>
      element("div", {}, element("dt", {}, `${name}`), element("dd", {}, `${value}`))));
  }
}
