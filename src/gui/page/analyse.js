// Analysis: live lines, the values of all moves, variations, positions, proofs.

import { showAtlas } from "./atlas.js";
import { isWhole } from "./checks.js";
import { byId, element, grouped } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { drawLines, expectedScore, isExact, valueOf } from "./lines.js";
import { showMoves } from "./moves.js";
import { ratingBadges } from "./ratings.js";
import { PositionEditor } from "./position_editor.js";
import { Proof } from "./proof.js";
import { recordTools } from "./records.js";
import { toHash } from "./storage.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { valueText } from "./values.js";
import { actions, button, choice, copyText, note, toggle } from "./widgets.js";

const MAX_LINES = 5;
const UPDATE_MS = 120;
/** A line that gives away more of the expected score is drawn as a bad one. */
const MUCH = 0.1;

export class AnalyseTab extends Tab {
  #isOn = true;
  /** The number of lines that the engine shows. */
  #chosenLines = 2;
  #showsRatings = false;
  #otherEngine = "";
  /** The lines of the built-in and of the other engine. @type {Map<string, SearchInfo>} */
  #lines = new Map();
  #nextUpdate = 0;
  #editor = new PositionEditor(this.app, (fen) => this.#setFen(fen));
  #proof = new Proof(this.app, (move) => this.play(move));

  restore(/** @type {any} */ { lines, edit }) {
    this.#editor.restore(edit);
    if (isWhole(lines, 1)) this.#chosenLines = lines;
  }

  store() {
    return { lines: this.#chosenLines, edit: this.#editor.stored };
  }

  build() {
    const { app } = this;
    const engines = /** @type {[string, string][]} */ ([
      ["", t("analyse.none")],
      ...app.catalogue.engines.map((name) => [name, name]),
    ]);
    return element(
      "div",
      { class: "stack" },
      element("p", { class: "link-notice", id: "clock-note", hidden: true }, t("analyse.clock")),
      element(
        "div",
        { class: "card" },
        element(
          "div",
          { class: "bar-row" },
          toggle(
            t("analyse.engine"),
            this.#isOn,
            (isOn) => {
              this.#isOn = isOn;
              this.#analyse();
            },
            { id: "engine-on" },
          ),
          toggle(
            t("analyse.ratings"),
            this.#showsRatings,
            (isOn) => {
              this.#showsRatings = isOn;
              this.#analyse();
            },
            { id: "ratings-on" },
          ),
          choice(
            t("analyse.lines"),
            Array.from({ length: MAX_LINES }, (_, at) => [`${at + 1}`, `${at + 1}`]),
            `${this.#chosenLines}`,
            (value) => {
              this.#chosenLines = Number(value);
              app.save();
              this.#analyse();
            },
            { id: "lines" },
          ),
          ...(engines.length > 1
            ? [
                choice(
                  t("analyse.second"),
                  engines,
                  this.#otherEngine,
                  (value) => {
                    app.engines.halt();
                    this.#otherEngine = value;
                    this.#analyse();
                  },
                  { id: "second" },
                ),
              ]
            : []),
        ),
        element("p", { class: "search-facts", id: "facts" }),
        element("ol", { class: "lines", id: "analysis", "aria-label": t("analyse.title") }),
      ),
      element("div", { class: "scroller tall", id: "tree" }),
      actions(
        button(
          t("analyse.promote"),
          () => {
            app.session.tree.promote(app.session.at);
            app.save();
            this.#showTree();
          },
          { icon: "up", id: "promote" },
        ),
        button(t("analyse.delete"), () => this.#delete(), { icon: "trash", id: "delete" }),
      ),
      element(
        "label",
        { class: "field" },
        element("span", {}, t("analyse.comment")),
        element("textarea", {
          id: "comment",
          maxlength: 2000,
          oninput: (/** @type {any} */ event) => {
            app.session.at.comment = event.target.value;
            this.#showMoves();
            app.save();
          },
        }),
      ),
      this.#positionTools(),
      recordTools(app),
      element(
        "section",
        { class: "card" },
        element("h2", {}, t("prove.title")),
        note(t("prove.note")),
        actions(button(t("prove.start"), () => this.#proof.toggle(), { id: "prove" })),
        element("p", { id: "proof", role: "status" }),
      ),
      // Last, because nothing may move when it arrives.
      element("div", { id: "atlas" }),
    );
  }

  onLeave() {
    this.#proof.drop();
    this.app.board.setBadges(new Map());
    this.app.board.setArrows([]);
  }

  canMove() {
    return super.canMove() && !this.#editor.isOpen;
  }

  onPosition() {
    const { app } = this;
    byId("fen").value = app.position?.fen ?? "";
    byId("fen-error").textContent = "";
    byId("comment").value = app.session.at.comment;
    this.#proof.drop();
    byId("proof").textContent = "";
    const { allowsHelp, isTimed } = app.session;
    byId("clock-note").hidden = !isTimed;
    for (const id of ["engine-on", "prove"]) byId(id).disabled = !allowsHelp;
    byId("engine-on").checked = this.#isOn && allowsHelp;
    byId("ratings-on").checked = this.#showsRatings && allowsHelp;
    this.#showTree();
    this.#editor.resume();
    this.#analyse();
    showAtlas(this, byId("atlas"), true);
  }

  onVisibility() {
    if (document.hidden) this.app.engines.halt();
    else this.#analyse();
  }

  #showMoves() {
    showMoves(byId("tree"), this.app);
  }

  #showTree() {
    const { tree, at, live, friend, isOver } = this.app.session;
    this.#showMoves();
    byId("promote").disabled = at.parent === null || tree.isMainLine(at);
    // What was played with a friend stays.
    byId("delete").disabled = at.parent === null || (friend !== null && !isOver && tree.isWithin(live, at));
  }

  /** Deletes the shown position with everything after it. */
  #delete() {
    const { app } = this;
    const { session } = app;
    const parent = session.tree.remove(session.at);
    if (session.tree.isWithin(session.live, session.at)) session.live = parent;
    app.showPosition(parent);
  }

  /** Starts the live analysis of the shown position. */
  #analyse() {
    const { app } = this;
    this.#lines.clear();
    byId("ratings-on").disabled = !this.#isOn || !app.session.allowsHelp;
    byId("lines").disabled = this.#showsRatings;
    this.#showLines(true);
    if (
      !this.#isOn ||
      !app.session.allowsHelp ||
      !app.isSettled ||
      !app.position ||
      app.position.outcome ||
      document.hidden ||
      this.#editor.isOpen
    )
      return app.engines.halt();
    const { side } = app.position;
    const setup = app.session.setup;
    const job = (/** @type {string} */ name) =>
      /** @type {SearchJob} */ ({
        setup,
        go: "infinite",
        options:
          name === "" ? { UCI_AnalyseMode: true, UCI_ShowWDL: true, "Skill Level": 20, MultiPV: this.#lineCount } : {},
        onInfo: (/** @type {SearchInfo} */ info) => {
          if (!info.bound) this.#lines.set(`${name} ${info.multipv}`, info);
          this.#showLines(false);
        },
      });
    this.#side = side;
    app.engines.own.run(job(""));
    if (this.#otherEngine) app.engines.named(this.#otherEngine).run(job(this.#otherEngine));
  }

  #side = 0;

  /** The number of lines of the built-in engine: with the values of all moves, one for each move. */
  get #lineCount() {
    const count = this.app.position?.legal.length ?? 0;
    return this.#showsRatings ? count : Math.min(this.#chosenLines, count);
  }

  #showLines(/** @type {boolean} */ isNow) {
    const now = performance.now();
    if (!isNow && now < this.#nextUpdate) {
      if (!this.#isWaiting) {
        this.#isWaiting = true;
        setTimeout(() => {
          this.#isWaiting = false;
          this.#showLines(true);
        }, this.#nextUpdate - now);
      }
      return;
    }
    this.#nextUpdate = now + UPDATE_MS;
    if (!byId("analysis")) return;
    const { app } = this;
    const lines = [...this.#lines].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
    const best = this.#lines.get(" 1");
    byId("facts").textContent = best
      ? t("analyse.facts", { depth: best.depth, nodes: grouped(best.nodes ?? 0), nps: grouped(best.nps ?? 0) })
      : (app.position?.outcome?.text ??
        t(!app.session.allowsHelp ? "friend.noHelp" : this.#isOn ? "analyse.waiting" : "analyse.off"));
    // Keeps what is below in its place while the lines are searched for.
    const rows = byId("analysis");
    const isSearching = this.#isOn && app.session.allowsHelp && app.position && !app.position.outcome;
    rows.style.setProperty("--lines", isSearching ? this.#lineCount + (this.#otherEngine ? 1 : 0) : 0);
    drawLines(rows, lines, { info: app.info, side: this.#side, play: (move) => this.play(move) });
    const { outcome } = app.position ?? {};
    if (outcome)
      app.board.showEvaluation(
        { expected: { "1-0": 1, "0-1": 0 }[outcome.result] ?? 0.5, is_proven: true, plies: 0 },
        outcome.text,
        { "1-0": "1–0", "0-1": "0–1" }[outcome.result] ?? "½",
      );
    else
      app.board.showEvaluation(
        best ? valueOf(best, this.#side) : null,
        best ? valueText(app.info, valueOf(best, this.#side)) : "",
      );
    const spots = (/** @type {string | undefined} */ move) =>
      app.position?.legal.find((legal) => legal.move === move)?.spots;
    const moves = lines
      .filter(([key]) => key.startsWith(" "))
      .flatMap(([, info]) => {
        const [found, expected, isProven] = [spots(info.pv[0]), expectedScore(info), isExact(info)];
        /** @type {Rating["value"]} */
        const value = !isProven ? null : expected === 1 ? "win" : expected === 0 ? "loss" : "draw";
        return found
          ? [
              {
                spots: found,
                expected,
                is_proven: isProven,
                value,
                plies: info.mate === undefined ? null : Math.abs(info.mate),
              },
            ]
          : [];
      });
    if (this.#editor.isOpen) return;
    app.board.setBadges(this.#showsRatings ? ratingBadges(moves, this.#side) : new Map());
    app.board.setArrows(
      this.#showsRatings
        ? []
        : moves
            .map((move, at) => ({
              spots: move.spots,
              kind: /** @type {Arrow["kind"]} */ (
                at === 0 ? "best" : (moves[0]?.expected ?? 0) - move.expected > MUCH ? "bad" : "second"
              ),
            }))
            .reverse(),
    );
  }

  #isWaiting = false;

  #positionTools() {
    const { app } = this;
    const fen = element("input", { type: "text", id: "fen", spellcheck: "false", autocomplete: "off", maxlength: 400 });
    return element(
      "section",
      { class: "card" },
      element("h2", {}, t("position.title")),
      element(
        "form",
        {
          class: "fen-form",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.#setFen(fen.value);
          },
        },
        element("label", { class: "field" }, element("span", {}, "FEN"), fen),
        element("button", { type: "submit", id: "set-fen" }, t("position.set")),
      ),
      element("p", { class: "reply", id: "fen-error", role: "status" }),
      actions(
        button(t("position.copy"), () => copyText(this.#editor.isOpen ? fen.value : (app.position?.fen ?? ""))),
        button(t("position.link"), () => {
          const { tree, at } = app.session;
          copyText(
            new URL(
              toHash({ tab: "analyse", game: tree.game, start: tree.start, moves: tree.moves(at) }),
              location.href,
            ).href,
          );
        }),
        button(t("edit.start"), () => this.#editor.start(), { id: "edit" }),
      ),
      element("div", { id: "editor" }),
    );
  }

  onClick(/** @type {number} */ spot) {
    this.#editor.click(spot);
  }

  async #setFen(/** @type {string} */ text) {
    const { app } = this;
    const { game } = app.session.tree;
    const isCurrent = app.stillShown();
    try {
      const { fen } = await app.connection.ask("position", { setup: { game, start: text.trim(), moves: [] } });
      if (isCurrent()) await app.openSession(new Session(new GameTree(game, fen)));
    } catch (error) {
      if (isCurrent()) byId("fen-error").textContent = /** @type {Error} */ (error).message;
    }
  }
}
