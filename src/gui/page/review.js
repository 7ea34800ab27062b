// The review of a game: evaluation graph, accuracy, marks with reasons, and retrying mistakes.

import { lineChart } from "./charts.js";
import { byId, element, grouped } from "./dom.js";
import { reviewedLine } from "./kept_games.js";
import { hintSteps, judgementMarks } from "./marks.js";
import { MARK_CLASSES, markName, showMoves } from "./moves.js";
import { recordedSession, recordTools } from "./records.js";
import { reviewOf, ReviewRun } from "./review_run.js";
import { accuracyCards, MISTAKES, reviewChart } from "./review_summary.js";
import { shareTools } from "./share.js";
import { Tab } from "./tab.js";
import { language, t } from "./texts.js";
import { valueFor, valueText } from "./values.js";
import { actions, button, choice, note, showStage, toast } from "./widgets.js";

/** A retried move may lose this much of the expected score. */
const RETRY_LOSS = 0.03;

export class ReviewTab extends Tab {
  #run = new ReviewRun(this.app, () => this.#runChanged());
  /** @type {{ setMarker(x: number): void } | null} */
  #chart = null;
  /** The mistakes and inaccuracies to retry. @type {ReviewedMove[]} */
  #mistakes = [];
  #retry = -1;
  /** The number of them that were put right without help, and what a hint for the present one still says. */
  #found = 0;
  #isHelped = false;
  /** @type {ReturnType<typeof hintSteps> | null} */
  #hints = null;
  /** @type {RecordedGame[]} */
  #games = [];

  /** The moves of the main line. */
  #line() {
    return reviewedLine(this.app.session);
  }

  get #review() {
    return reviewOf(this.app.session);
  }

  restore(/** @type {any} */ stored) {
    this.#run.restore(stored);
  }

  store() {
    return this.#run.store();
  }

  onStart() {
    this.#run.resume();
  }

  build() {
    this.#retry = -1;
    return element(
      "div",
      { class: "stack" },
      element("div", { id: "games" }),
      element("div", { class: "card", id: "retry", role: "status", hidden: true }),
      element("div", { id: "review-result", class: "stack" }),
      element("div", { class: "card", id: "review-run" }),
      element("div", { class: "scroller tall", id: "review-moves" }),
      shareTools(this.app),
      recordTools(this.app),
    );
  }

  onEnter() {
    this.#showGames();
    this.#showResult();
  }

  onLeave() {
    this.app.board.setArrows([]);
  }

  onGame() {
    this.#games = [];
  }

  onPosition() {
    const { app } = this;
    const { session } = app;
    showMoves(byId("review-moves"), app);
    const ply = session.tree.moves(session.at).length;
    const move = session.tree.isMainLine(session.at) ? this.#review?.moves.find((one) => one.ply === ply) : undefined;
    if (session.tree.isMainLine(session.at)) this.#chart?.setMarker(ply);
    const box = byId("move-review");
    app.board.setArrows([]);
    if (this.#retry >= 0) return;
    // The shown position is the one after the move, where its reply is an arrow and what it turns on is framed.
    if (move)
      app.board.setArrows(judgementMarks(move.spots, MISTAKES.includes(move.mark ?? "") ? "bad" : "best", move));
    app.board.showEvaluation(move?.values[1] ?? null, move ? valueText(app.info, move.values[1]) : "");
    box?.replaceChildren(...(move ? this.#moveText(move) : [note(t("review.pick"))]));
  }

  /** Whether the move that led to the shown position ended the game. */
  #endsGame() {
    const { position, session } = this.app;
    return Boolean(position?.outcome) && session.resigned === null && session.outOfTime === null;
  }

  #moveText(/** @type {ReviewedMove} */ move) {
    return [
      element(
        "p",
        { class: "headline" },
        `${move.move} `,
        move.mark
          ? element("span", { class: `mark ${MARK_CLASSES[move.mark] ?? ""}` }, `${move.mark} ${markName(move.mark)}`)
          : null,
      ),
      element(
        "p",
        {},
        this.#endsGame()
          ? t("review.ends", { outcome: this.app.position?.outcome?.text ?? "" })
          : t("review.values", {
              side: this.app.info.side_names[move.side] ?? "",
              before: valueFor(move.side, move.values[0]),
              after: valueFor(move.side, move.values[1]),
            }),
      ),
      element("p", {}, move.texts[language()] ?? ""),
      // Reviews by an earlier version do not say whether there is a reason.
      (move.is_improvable ?? MISTAKES.includes(move.mark ?? ""))
        ? button(
            t("review.showBest", { move: move.best }),
            () => {
              const { app } = this;
              const node = app.session.tree.find(app.session.tree.moves(app.session.tree.end()).slice(0, move.ply - 1));
              app.session.tree.addLine(node, move.line);
              app.showPosition(app.session.tree.add(node, move.best));
            },
            { id: "show-best" },
          )
        : null,
    ].filter((node) => node !== null);
  }

  /** Reviews the game at once, unless that was done. */
  begin() {
    byId("panel").focus();
    if (!this.#review && this.app.session.allowsHelp) this.#run.start(this.app.session);
  }

  /** Shows how far the review of the shown game is, or that it has ended. */
  #runChanged() {
    const { app } = this;
    if (app.tab !== this || this.#run.show(byId("review-run"))) return;
    this.#showResult();
    this.onPosition();
  }

  #showResult() {
    const { app } = this;
    const review = this.#review;
    // A review kept by an earlier version has no record.
    byId("save-report").hidden = !review?.record;
    const { moves } = this.#line();
    if (!this.#run.show(byId("review-run")))
      byId("review-run").replaceChildren(
        element("h2", {}, t("review.title")),
        moves.length === 0
          ? element("p", {}, t("review.empty"))
          : !app.session.allowsHelp
            ? element("p", {}, t("friend.noHelp"))
            : button(t(review ? "review.again" : "review.start"), () => this.#run.start(app.session), {
                class: review ? "" : "primary",
                id: "run-review",
              }),
      );
    const box = byId("review-result");
    if (!review) {
      this.#chart = null;
      return box.replaceChildren();
    }
    const figure = element("figure", { class: "plain" });
    const expected = new Map(review.moves.map((move) => [move.ply, move]));
    box.replaceChildren(
      // First, so that it is seen with the board.
      element("div", { class: "card", id: "move-review", "aria-live": "polite" }),
      figure,
      review.turning_points.length
        ? actions(
            element("span", {}, t("review.turning")),
            ...review.turning_points.map((ply) =>
              button(
                `${1 + Math.floor((ply - 1 + app.session.firstSide) / 2)}. ${expected.get(ply)?.move ?? ""} ${expected.get(ply)?.mark ?? ""}`,
                () => this.#goTo(ply),
              ),
            ),
          )
        : note(t("review.noTurning")),
      ...this.#retryButtons(review),
      accuracyCards(app, review),
      note(t("grades.accuracyLegend")),
      ...(review.nodes ? [note(t("grades.nodes", { nodes: grouped(review.nodes) }))] : []),
    );
    this.#chart = lineChart(figure, { ...reviewChart(app, review), pick: (ply) => this.#goTo(ply) });
  }

  /** A button for the mistakes of the user; of each side, if the user played both or neither is known. */
  #retryButtons(/** @type {ReviewAnswer} */ review) {
    const { players, ownSide } = this.app.session;
    const isOpen = ownSide === null && players.every(({ kind }) => kind === players[0]?.kind);
    return [0, 1]
      .filter((side) => isOpen || (ownSide === null ? players[side]?.kind === "human" : side === ownSide))
      .flatMap((side) => {
        const mistakes = review.moves.filter((move) => move.side === side && MISTAKES.includes(move.mark ?? ""));
        if (!mistakes.length) return [];
        const text = isOpen
          ? t("review.retryOf", { side: this.playerName(side), count: mistakes.length })
          : t("review.retry", { count: mistakes.length });
        return [
          button(
            text,
            () => {
              this.#mistakes = mistakes;
              this.#found = 0;
              this.#startRetry(0);
            },
            { icon: "retry", class: "primary start-retry" },
          ),
        ];
      });
  }

  #goTo(/** @type {number} */ ply) {
    const { app } = this;
    const { tree } = app.session;
    app.stepTo(ply === 0 ? tree.root : tree.path(tree.end())[ply - 1]);
  }

  /** Asks for a better move than a mistake. */
  #startRetry(/** @type {number} */ index) {
    const move = this.#mistakes[index];
    this.#retry = move ? index : -1;
    this.#isHelped = false;
    this.#hints = null;
    byId("retry").hidden = !move;
    byId("review-result").hidden = Boolean(move);
    if (!move) {
      if (index > 0) toast(t("retry.score", { found: this.#found, count: index }));
      return (this.#showResult(), this.onPosition());
    }
    this.app.board.showEvaluation(null);
    this.#goTo(move.ply - 1);
    this.#showRetry(t("retry.ask", { move: move.move, mark: markName(move.mark ?? "") }), false);
    showStage();
  }

  #showRetry(/** @type {string} */ text, /** @type {boolean} */ isDone) {
    const { app } = this;
    const move = this.#mistakes[this.#retry];
    byId("retry").replaceChildren(
      element(
        "h2",
        {},
        t("retry.title", { number: this.#retry + 1, count: this.#mistakes.length, found: this.#found }),
      ),
      element("p", {}, text),
      actions(
        ...(isDone
          ? [
              button(
                this.#retry + 1 < this.#mistakes.length ? t("retry.next") : t("retry.done"),
                () => this.#startRetry(this.#retry + 1),
                { class: "primary", id: "retry-next" },
              ),
            ]
          : [
              button(t("play.hint"), () => this.#giveHint(), { icon: "hint", id: "retry-hint" }),
              button(
                t("retry.solution"),
                () => {
                  app.board.setArrows(move ? [{ spots: move.best_spots, kind: "best" }] : []);
                  this.#showRetry(
                    `${t("retry.best", { move: move?.best ?? "" })} ${move?.texts[language()] ?? ""}`,
                    true,
                  );
                },
                { id: "retry-solution" },
              ),
            ]),
        button(t("retry.stop"), () => this.#startRetry(-1), { id: "retry-stop" }),
      ),
    );
  }

  /** Shows the next step of a hint: in which board, why, and the move. */
  async #giveHint() {
    const { app } = this;
    const move = this.#mistakes[this.#retry];
    if (!move) return;
    const isShown = app.stillShown();
    if (!this.#hints) {
      /** @type {Hint} */
      const { reasons, frames, move: found } = await app.connection.ask("hint", { setup: app.session.setup });
      if (!isShown() || move !== this.#mistakes[this.#retry]) return;
      // The review may prefer another move than a shorter search.
      const known = found === move.best ? { reasons, frames } : { reasons: "", frames: [] };
      const text = t("retry.best", { move: move.best });
      this.#hints = hintSteps(app, { ...known, move: move.best, spots: move.best_spots, text });
    }
    this.#isHelped = true;
    const { text = "", arrows = [] } = (this.#hints.length > 1 ? this.#hints.shift() : this.#hints[0]) ?? {};
    this.#showRetry(text, false);
    app.board.setArrows(arrows);
    byId("retry-hint").focus({ preventScroll: true });
  }

  async onMove(/** @type {LegalMove} */ legal) {
    const { app } = this;
    const retried = this.#mistakes[this.#retry];
    const { tree, at } = app.session;
    const isAsked = retried && at === (tree.path(tree.end())[retried.ply - 2] ?? tree.root);
    if (!isAsked) return this.play(legal.move);
    const isShown = app.stillShown();
    /** @type {Explanation | undefined} */
    const advice = await app.connection
      .ask("explain", { setup: app.session.setup, move: legal.move })
      .catch((error) => toast(error.message));
    if (!isShown() || retried !== this.#mistakes[this.#retry]) return;
    app.draw();
    if (!advice) return;
    const isBest = legal.move === retried.best || advice.loss <= 0;
    const isGood = isBest || advice.loss <= RETRY_LOSS;
    if (isGood && !this.#isHelped) this.#found += 1;
    this.#isHelped = true;
    const key = isBest ? "retry.right" : isGood ? "retry.good" : "retry.wrong";
    this.#showRetry(`${t(key, { move: legal.move, best: retried.best })} ${advice.judgement}`, isGood);
    app.board.setArrows(
      judgementMarks(legal.spots, isGood ? "best" : "bad", isGood ? { frames: advice.frames } : advice),
    );
    if (isGood) byId("retry-next").focus({ preventScroll: true });
  }

  /** Opens a game of a record, or lets the user choose one. */
  chooseRecord(/** @type {RecordedGame[]} */ games) {
    this.#games = games;
    const playable = games.filter(({ setup }) => setup !== null);
    if (playable.length === 0) throw new Error(games[0]?.error ?? t("record.none"));
    if (playable[0]) this.#open(playable[0]);
  }

  #open(/** @type {RecordedGame} */ recorded) {
    const { app } = this;
    const { setup } = recorded;
    if (!setup) return;
    app.openGame(recordedSession(recorded, setup), "review");
    if (recorded.error) byId("reply").textContent = recorded.error;
  }

  #showGames() {
    if (this.#games.length < 2) return;
    const options = this.#games.map(
      ({ number, players, result }, at) =>
        /** @type {[string, string]} */ ([`${at}`, `${number}. ${players.join(" – ")} ${result}`]),
    );
    byId("games").replaceChildren(
      choice(
        t("record.games", { count: this.#games.length }),
        options,
        `${this.#games.findIndex(({ players }) => players === this.app.session.names)}`,
        (value) => {
          const game = this.#games[Number(value)];
          if (game) this.#open(game);
        },
        { id: "record-game" },
      ),
    );
  }
}
