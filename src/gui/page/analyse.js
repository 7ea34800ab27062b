// Analysis: live lines, the values of all moves, variations, positions, proofs.

import { showAtlas } from "./atlas.js";
import { byId, element, grouped } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { drawLines, expectedScore, isExact, valueOf } from "./lines.js";
import { showMoves } from "./moves.js";
import { ratingBadges } from "./ratings.js";
import { recordTools } from "./records.js";
import { toHash } from "./storage.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { boundsText, valueText } from "./values.js";
import { actions, button, choice, copyText, download, note, toast, toggle } from "./widgets.js";

/** @typedef {import("./types").SearchInfo} SearchInfo */

const MAX_LINES = 5;
const UPDATE_MS = 120;
const PROOF_MS = 3_600_000;
/** The field of a FEN that names the last move, in games of several boards. */
const LAST_MOVE = 3;

export class AnalyseTab extends Tab {
  #isOn = true;
  /** The number of lines that the engine shows. */
  #chosenLines = 2;
  #showsRatings = false;
  #otherEngine = "";
  /** The lines of the built-in and of the other engine. @type {Map<string, SearchInfo>} */
  #lines = new Map();
  #nextUpdate = 0;
  /** @type {AbortController | null} */
  #proving = null;
  /**
   * What the board shows while editing.
   *
   * @type {{ letters: string[], side: number, piece: string, last: string } | null}
   */
  #edit = null;
  /** The number of changes on the edited board: only the answer about the last one counts. */
  #changes = 0;

  restore(/** @type {any} */ { lines }) {
    this.#chosenLines = lines ?? this.#chosenLines;
  }

  store() {
    return { lines: this.#chosenLines };
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
        actions(button(t("prove.start"), () => this.#prove(), { id: "prove" })),
        element("p", { id: "proof", role: "status" }),
      ),
      // Last, because nothing may move when it arrives.
      element("div", { id: "atlas" }),
    );
  }

  onLeave() {
    this.#edit = null;
    this.#dropProof();
    this.app.board.setBadges(new Map());
    this.app.board.setArrows([]);
  }

  canMove() {
    return super.canMove() && !this.#edit;
  }

  onPosition() {
    const { app } = this;
    if (this.#edit) this.#endEdit();
    byId("fen").value = app.position?.fen ?? "";
    byId("fen-error").textContent = "";
    byId("comment").value = app.session.at.comment;
    this.#dropProof();
    byId("proof").textContent = "";
    const { allowsHelp, isTimed } = app.session;
    byId("clock-note").hidden = !isTimed;
    for (const id of ["engine-on", "prove"]) byId(id).disabled = !allowsHelp;
    byId("engine-on").checked = this.#isOn && allowsHelp;
    byId("ratings-on").checked = this.#showsRatings && allowsHelp;
    this.#showTree();
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
      this.#edit
    )
      return app.engines.halt();
    const { side } = app.position;
    const setup = app.session.setup;
    const job = (/** @type {string} */ name) =>
      /** @type {import("./types").SearchJob} */ ({
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
        /** @type {import("./types").Rating["value"]} */
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
    if (this.#edit) return;
    app.board.setBadges(this.#showsRatings ? ratingBadges(moves) : new Map());
    app.board.setArrows(
      this.#showsRatings
        ? []
        : moves
            .map((move, at) => ({
              spots: move.spots,
              kind: /** @type {"best" | "second"} */ (at === 0 ? "best" : "second"),
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
        button(t("position.copy"), () => copyText(this.#edit ? fen.value : (app.position?.fen ?? ""))),
        button(t("position.link"), () => {
          const { tree, at } = app.session;
          copyText(
            new URL(
              toHash({ tab: "analyse", game: tree.game, start: tree.start, moves: tree.moves(at) }),
              location.href,
            ).href,
          );
        }),
        button(t("edit.start"), () => this.#startEdit(), { id: "edit" }),
      ),
      element("div", { id: "editor" }),
    );
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

  /** Lets clicks put pieces on the board. */
  #startEdit() {
    const { app } = this;
    const { position } = app;
    if (!app.isSettled || !position) return;
    app.engines.halt();
    app.board.setArrows([]);
    app.board.setBadges(new Map());
    const letters = app.info.layout.spots.map((spot, at) =>
      spot.is_area ? "." : (position.shown[at] ?? ".").toLowerCase().replace("*", "."),
    );
    const last = position.fen.split(" ")[LAST_MOVE] ?? "-";
    const edit = (this.#edit = {
      letters,
      side: /** @type {number} */ (position.side),
      piece: app.info.layout.pieces[0]?.letter ?? "",
      last,
    });
    const side = element(
      "select",
      {
        onchange: () => {
          edit.side = Number(side.value);
          this.#showEdit();
        },
      },
      ...[0, 1].map((one) => element("option", { value: one, selected: one === edit.side }, app.sideName(one))),
    );
    const piece = element(
      "select",
      {
        id: "edit-piece",
        onchange: () => {
          edit.piece = piece.value;
        },
      },
      ...app.info.sides.map((letter, at) => element("option", { value: letter }, app.info.side_names[at] ?? letter)),
      element("option", { value: "." }, t("board.empty")),
    );
    byId("editor").replaceChildren(
      note(t("edit.note")),
      element(
        "div",
        { class: "fields" },
        element("label", { class: "field" }, element("span", {}, t("edit.piece")), piece),
        element("label", { class: "field" }, element("span", {}, t("edit.side")), side),
        this.#hasLastMove()
          ? element(
              "label",
              { class: "field whole" },
              element("span", {}, t("edit.last")),
              element("select", {
                id: "edit-last",
                onchange: (/** @type {any} */ event) => {
                  edit.last = event.target.value;
                  this.#showEdit();
                },
              }),
            )
          : null,
      ),
      actions(
        button(t("edit.clear"), () => {
          edit.letters.fill(".");
          this.#showEdit();
        }),
        button(
          t("edit.done"),
          async () => {
            const { fen } = (await this.#editedFen()) ?? {};
            if (!fen || edit !== this.#edit) return;
            this.#endEdit();
            await this.#setFen(fen);
          },
          { class: "primary", id: "edit-done" },
        ),
        button(t("edit.cancel"), () => {
          this.#endEdit();
          app.showPosition(app.session.at);
        }),
      ),
    );
    this.#showEdit();
  }

  #endEdit() {
    this.#edit = null;
    byId("editor")?.replaceChildren();
  }

  async #showEdit() {
    const edit = this.#edit;
    const { app } = this;
    if (!edit || !app.position) return;
    this.#showLastMoves(edit.side);
    const { spots } = app.info.layout;
    const last = spots.flatMap(({ name }, at) => (name === edit.last ? [at] : []));
    const show = (/** @type {string} */ shown) =>
      app.board.show({ .../** @type {any} */ (app.position), shown, last, legal: [], labels: [] });
    // At once, so that the next click is no move.
    show(edit.letters.join(""));
    const answer = await this.#editedFen();
    if (answer && edit === this.#edit) show(answer.shown);
  }

  /** Whether a position of the game names the last move. */
  #hasLastMove() {
    return this.app.info.layout.spots.some(({ is_area: isArea }) => isArea);
  }

  /** Offers the pieces of the opponent as the last move, with the board that each of them sends to. */
  #showLastMoves(/** @type {number} */ side) {
    const edit = this.#edit;
    if (!edit || !this.#hasLastMove()) return;
    const { spots } = this.app.info.layout;
    const areas = spots.filter(({ is_area: isArea }) => isArea);
    const options = spots.flatMap(({ x, y, name }, at) => {
      if (edit.letters[at] !== this.app.info.sides[1 - side]) return [];
      const number = 1 + Math.floor(x % 3) + 3 * Math.floor(y % 3);
      return [
        /** @type {[string, string]} */ ([
          name,
          `${name} → ${t("board.place", { number, place: t(`place.${number}`) })}`,
        ]),
      ];
    });
    if (!options.some(([name]) => name === edit.last)) edit.last = "-";
    byId("edit-last").replaceChildren(
      ...[["-", t("edit.free")], ...options].map(([name, text]) =>
        element("option", { value: name, selected: name === edit.last }, text ?? ""),
      ),
    );
  }

  /**
   * Writes the edited board as a FEN: rank by rank, then the side to move and the fields of the start position.
   * Returns null if the position is invalid or has changed meanwhile.
   */
  async #editedFen() {
    const edit = this.#edit;
    if (!edit) return null;
    const change = (this.#changes += 1);
    const isCurrent = () => edit === this.#edit && change === this.#changes;
    const { app } = this;
    const game = app.session.tree.game;
    /** @type {Map<number, [number, string][]>} */
    const rows = new Map();
    app.info.layout.spots.forEach(({ x, y, is_area: isArea }, at) => {
      if (!isArea) rows.set(y, [...(rows.get(y) ?? []), [x, edit.letters[at] ?? "."]]);
    });
    const ranks = [...rows]
      .sort(([one], [other]) => one - other)
      .map(([, row]) =>
        row
          .sort(([one], [other]) => one - other)
          .map(([, letter]) => letter)
          .join("")
          .replace(/\.+/g, (empty) => `${empty.length}`),
      );
    const { fen } = await app.positionOf({ game, start: null, moves: [] });
    if (!isCurrent()) return null;
    const fields = fen.split(" ").slice(2);
    if (this.#hasLastMove()) fields[LAST_MOVE - 2] = edit.last;
    let reason = "";
    // A count of 0 may be reserved for the start position.
    for (const rest of [fields, fields.map((field) => (field === "0" ? "1" : field))]) {
      const text = [ranks.join("/"), app.info.sides[edit.side], ...rest].join(" ");
      byId("fen").value = text;
      try {
        const answer = await app.connection.ask("position", { setup: { game, start: text, moves: [] } });
        if (!isCurrent()) return null;
        byId("fen-error").textContent = "";
        return answer;
      } catch (error) {
        if (!isCurrent()) return null;
        reason ||= /** @type {Error} */ (error).message;
      }
    }
    byId("fen-error").textContent = reason;
    return null;
  }

  onClick(/** @type {number} */ spot) {
    const edit = this.#edit;
    if (!edit) return;
    edit.letters[spot] = edit.letters[spot] === edit.piece ? "." : edit.piece;
    this.#showEdit();
  }

  /** Starts or stops the proof of the shown position. */
  async #prove() {
    const { app } = this;
    if (this.#proving) return this.#proving.abort();
    const controller = (this.#proving = new AbortController());
    const isRunning = () => this.#proving === controller;
    const show = (/** @type {string} */ text) => {
      if (isRunning()) box.textContent = text;
    };
    const [box, label] = [byId("proof"), byId("prove").querySelector("span")];
    label.textContent = t("prove.stop");
    box.ariaBusy = "true";
    try {
      const answer = await app.connection.ask(
        "prove",
        { setup: app.session.setup, ms: PROOF_MS, memory: 64, certificate: true },
        {
          signal: controller.signal,
          onProgress: (progress) =>
            show(
              t("prove.progress", {
                ...progress,
                nodes: grouped(progress.nodes),
                seconds: Math.round(progress.seconds),
              }) +
                (progress.target
                  ? t("prove.numbers", {
                      target: t(`prove.${progress.target}`),
                      proof: grouped(progress.proof),
                      disproof: grouped(progress.disproof),
                    })
                  : ""),
            ),
        },
      );
      if (isRunning()) this.#showProof(box, answer);
    } catch (error) {
      show(controller.signal.aborted ? t("prove.stopped") : /** @type {Error} */ (error).message);
    }
    if (isRunning()) this.#proving = null;
    if (this.#proving) return;
    label.textContent = t("prove.start");
    box.ariaBusy = "false";
  }

  /** Shows what was proven, the best move, the effort and, where there is one, the certificate. */
  #showProof(/** @type {HTMLElement} */ box, /** @type {import("./types").ProofAnswer} */ answer) {
    const { value, text, best, nodes, seconds, certificate } = answer;
    const { game } = this.app.session.tree;
    box.replaceChildren(
      element("strong", {}, value ? t("prove.value", { value: text ?? "" }) : boundsText(answer)),
      " ",
      ...(best
        ? [t("prove.best"), " ", button(best, () => this.play(best), { class: "move", id: "proof-best" }), " "]
        : []),
      t("prove.effort", { nodes: grouped(nodes), seconds: seconds.toFixed(2) }),
      ...(certificate
        ? [
            actions(
              button(
                t("prove.certificate"),
                () =>
                  download(`${game}.cert`, new Blob([Uint8Array.from(certificate, (letter) => letter.charCodeAt(0))])),
                { icon: "save", id: "save-certificate" },
              ),
            ),
          ]
        : []),
    );
  }

  /** Ends a proof that is no longer about the shown position. */
  #dropProof() {
    this.#proving?.abort();
    this.#proving = null;
  }
}
