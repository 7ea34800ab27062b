// Playing against the engine, another person, or watching two engines.

import { byId, element } from "./dom.js";
import { GameTree, human, Session } from "./game.js";
import { showMoves } from "./moves.js";
import { Tab } from "./tab.js";
import { lines, t } from "./texts.js";
import { actions, button, choice, segments, toast, toggle } from "./widgets.js";

/** @typedef {import("./types").LegalMove} LegalMove */
/** @typedef {import("./types").PlayerSettings} PlayerSettings */

const SECONDS = [0.1, 0.3, 1, 3, 10, 30];
/** The shortest time before the engine's move is shown, so that one's own move is seen first. */
const REPLY_MS = 250;
const WATCH_MS = 700;
const COACH_MS = 400;
const HINT_MS = 700;
/** The windows in which the panel is below the board, as in app.css. */
const NARROW = "(max-width: 60rem)";

export class PlayTab extends Tab {
  /** @type {HTMLElement} */
  #box = element("div");
  #isThinking = false;
  /** The timer of the engine's reply. @type {ReturnType<typeof setTimeout> | undefined} */
  #reply;
  /** Whether the coach still considers a move of the shown position, or warns of one. */
  #isAsking = () => false;
  /** Whether the game was chosen since the tab was shown. */
  #isChosen = false;
  #fen = "";
  /** The hint for the shown position. */
  #hint = "";

  build() {
    const { app } = this;
    this.#box = element("div", { class: "stack" },
      element("div", { class: "card turn", id: "turn" }),
      element("div", { class: "actions", id: "play-actions" }),
      element("div", { class: "scroller", id: "play-moves" }),
      element("details", { class: "card rules", open: app.settings.rules, ontoggle: (/** @type {any} */ event) => { app.settings.rules = event.target.open; app.save(); } },
        element("summary", {}, t("play.rules")),
        element("ul", {}, ...lines(`rules.${app.info.id}`).map((line) => element("li", {}, line)))),
      this.#form());
    if (this.#isFresh()) this.#applyPlayers();
    return this.#box;
  }

  onLeave() {
    this.#isThinking = false;
    this.app.board.setArrows([]);
  }

  onGame() {
    this.#isChosen = true;
  }

  onEnter() {
    const isUnset = this.app.info.has_random_start && this.app.session.tree.start === null;
    if ((this.#isChosen || isUnset) && this.#isFresh()) this.#begin();
    this.#isChosen = false;
  }

  /** Whether nothing was played yet. */
  #isFresh() {
    const { session } = this.app;
    return session.live === session.tree.root && session.tree.root.children.length === 0 && session.names[0] === "";
  }

  #engine(/** @type {number} */ level) {
    const { seconds, engine } = this.app.settings;
    return /** @type {PlayerSettings} */ ({ kind: "engine", level, seconds, engine });
  }

  /** Gives the sides to the players of the settings. */
  #applyPlayers() {
    const { app } = this;
    const { opponent, level, otherLevel, side } = app.settings;
    const { session } = app;
    if (opponent === "human") session.players = [human(), human()];
    else if (opponent === "engines") session.players = [{ ...this.#engine(level), engine: "" }, this.#engine(otherLevel)];
    else {
      const isSecond = side === "second" || (side === "random" && Math.random() < 0.5);
      session.players = isSecond ? [this.#engine(level), human()] : [human(), this.#engine(level)];
    }
  }

  /** Stops waiting for the move of an engine that has ended. */
  onEngineEnd(/** @type {string} */ name) {
    const { session, position } = this.app;
    if (!position || session.players[position.side]?.engine !== name) return;
    this.#isThinking = false;
    this.#show();
  }

  /** The players of the game in progress, with level, time and engine of the settings. */
  #updatedPlayers() {
    const { level, otherLevel } = this.app.settings;
    const { players } = this.app.session;
    const isWatching = players.every(({ kind }) => kind === "engine");
    return players.map((player, side) => (player.kind !== "engine" ? player
      : isWatching && side === 0 ? { ...this.#engine(level), engine: "" } : this.#engine(isWatching ? otherLevel : level)));
  }

  /** Offers the strength that was chosen for the game in progress, too. */
  #showApply() {
    const isSame = JSON.stringify(this.#updatedPlayers()) === JSON.stringify(this.app.session.players);
    byId("apply").hidden = isSame || this.isOver() || this.app.settings.opponent === "human";
  }

  /** Applies a change of level, time or engine to the game in progress. */
  #updateEngines() {
    this.app.session.players = this.#updatedPlayers();
    this.app.engines.halt();
    this.app.engines.clearNotice();
    this.app.draw();
    this.app.save();
    this.onPosition();
  }

  #form() {
    const { app } = this;
    const { settings, catalogue } = app;
    const levels = catalogue.levels.map(({ level, name, elo }) => /** @type {[string, string]} */ ([`${level}`, app.info.has_elo ? t("level", { name, elo }) : name]));
    const engines = [["", "Zermelo"], ...catalogue.engines.map((name) => [name, name])].map(([id = "", name = ""]) => /** @type {[string, string]} */ ([id, name]));
    const box = element("form", { class: "card setup", id: "setup", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.#begin(); } });
    const fill = () => {
      const isWatching = settings.opponent === "engines";
      const hasEngine = settings.opponent !== "human";
      const save = (/** @type {Partial<import("./types").PlaySettings>} */ change) => { Object.assign(settings, change); app.save(); this.#showApply(); };
      const starts = app.info.has_random_start ? [["standard", t("setup.randomStart")], ["full", t("setup.full")]] : [["standard", t("setup.standard")], ["random", t("setup.randomStart")]];
      box.replaceChildren(
        element("h2", {}, t("setup.title")),
        segments(t("setup.opponent"), [["engine", t("setup.engine")], ["human", t("setup.human")], ["engines", t("setup.engines")]], settings.opponent,
          (value) => { save({ opponent: /** @type {any} */ (value) }); fill(); /** @type {any} */ (box.querySelector("input:checked")).focus(); }),
        ...(hasEngine ? [element("div", { class: "fields" },
          choice(isWatching ? t("setup.levelFirst") : t("setup.level"), levels, `${settings.level}`, (value) => save({ level: Number(value) }), { id: "level" }),
          ...(isWatching ? [choice(t("setup.levelSecond"), levels, `${settings.otherLevel}`, (value) => save({ otherLevel: Number(value) }))] : []),
          choice(t("setup.time"), SECONDS.map((seconds) => [`${seconds}`, t("setup.seconds", { seconds })]), `${settings.seconds}`,
            (value) => save({ seconds: Number(value) })),
          ...(engines.length > 1 ? [choice(t("setup.program"), engines, settings.engine, (value) => save({ engine: value }), { id: "engine" })] : []))] : []),
        ...(settings.opponent === "engine" ? [segments(t("setup.side"), [["first", t("setup.first")], ["second", t("setup.second")], ["random", t("setup.random")]], settings.side,
          (value) => save({ side: /** @type {any} */ (value) }))] : []),
        element("div", { class: "fields" },
          choice(t("setup.start"), /** @type {[string, string][]} */ ([...starts, ["balanced", t("setup.balanced")], ["fen", "FEN"]]), settings.start,
            (value) => { save({ start: /** @type {any} */ (value) }); fill(); byId("start").focus(); }, { id: "start" }),
          ...(settings.start === "fen" ? [element("label", { class: "field" }, element("span", {}, "FEN"),
            element("input", { type: "text", id: "setup-fen", value: this.#fen, spellcheck: "false", autocomplete: "off", oninput: (/** @type {any} */ event) => { this.#fen = event.target.value; } }))] : [])),
        ...(settings.opponent === "engine" ? [toggle(t("setup.coach"), settings.coach, (value) => save({ coach: value }), { id: "coach" })] : []),
        element("div", { class: "actions" }, element("button", { type: "submit", class: "primary", id: "new-game" }, t("setup.begin")),
          button(t("setup.apply"), () => this.#updateEngines(), { id: "apply", hidden: true })));
    };
    fill();
    return box;
  }

  /** Starts a new game with the settings. A game in progress can be taken back for some seconds. */
  async #begin() {
    const { app } = this;
    const { settings } = app;
    const before = app.session;
    const isLeft = before.live !== before.tree.root && !this.isOver();
    const { game } = before.tree;
    const { has_random_start: isRandom } = app.info;
    const usual = isRandom ? "random" : null;
    const kind = settings.start === "standard" ? usual : settings.start === "full" ? null : settings.start;
    const isShown = app.stillShown();
    clearTimeout(this.#reply);
    app.engines.halt();
    try {
      let start = null;
      if (kind === "fen") start = this.#fen.trim() || null;
      else if (kind) {
        const seed = Math.floor(Math.random() * 1e9);
        start = (await app.connection.ask("start", { game, kind, seed })).fen;
      }
      if (start !== null) start = (await app.connection.ask("position", { setup: { game, start, moves: [] } })).fen;
      if (!isShown()) return;
      const session = new Session(new GameTree(game, start));
      app.session = session;
      this.#applyPlayers();
      const [first, second] = session.players;
      session.isFlipped = first?.kind === "engine" && second?.kind === "human" && (app.position?.legal[0]?.spots.length ?? 1) > 1;
      app.openSession(session);
      if (isLeft) toast(t("play.started"), () => { app.mainSession = before; app.enterTab("play"); });
      if (matchMedia(NARROW).matches) byId("stage").scrollIntoView({ block: "start" });
    } catch (error) {
      if (!isShown()) return;
      toast(/** @type {Error} */ (error).message);
      this.onPosition();
    }
  }

  /** The human player whose turn it is, or the only one. */
  #humanSide() {
    const { session } = this.app;
    const side = session.sideAt(session.live);
    return session.players[side]?.kind === "human" ? side : session.players.findIndex(({ kind }) => kind === "human");
  }

  isOver() {
    const { session } = this.app;
    return session.resigned !== null || session.isEnded;
  }

  canMove() {
    const { session, position } = this.app;
    return Boolean(super.canMove() && position && session.resigned === null && session.at === session.live && !this.#isAsking()
      && session.players[position.side]?.kind === "human");
  }

  async onMove(/** @type {LegalMove} */ legal) {
    const { app } = this;
    if (app.settings.coach && app.settings.opponent === "engine") {
      const isShown = this.#isAsking = app.stillShown();
      const advice = await app.connection.ask("explain", { setup: app.session.setup, move: legal.move, ms: COACH_MS })
        .catch((error) => toast(error.message));
      if (!isShown()) return;
      if (advice?.warning) return this.#warn(legal, advice);
    }
    this.#commit(legal.move);
  }

  /** Asks whether to play a bad move. */
  #warn(/** @type {LegalMove} */ legal, /** @type {import("./types").Explanation} */ advice) {
    const { app } = this;
    const end = (/** @type {boolean} */ plays) => {
      this.#isAsking = () => false;
      byId("coach-warning")?.remove();
      app.board.setArrows([]);
      if (plays) this.#commit(legal.move);
      else { app.draw(); app.board.focus(); }
    };
    app.board.setArrows([{ spots: legal.spots, kind: "bad" }]);
    const back = button(t("coach.back"), () => end(false), { class: "primary" });
    // On a phone the warning is seen together with the board.
    const place = byId(matchMedia(NARROW).matches ? "reply" : "turn");
    place.after(element("div", { class: "card warning", id: "coach-warning", role: "alertdialog", "aria-label": t("coach.title") },
      element("p", {}, element("strong", {}, t("coach.title")), " ", advice.warning),
      actions(back, button(t("coach.play", { move: legal.move }), () => end(true)))));
    back.focus();
  }

  #commit(/** @type {string} */ move) {
    const { session } = this.app;
    if (session.players[session.sideAt(session.live)]?.kind === "human") session.started ??= Date.now();
    const isAtLive = session.at === session.live;
    const child = session.tree.add(session.live, move);
    session.tree.promote(child);
    session.live = child;
    if (isAtLive) this.app.showPosition(child);
    else {
      this.onPosition();
      this.app.save();
    }
  }

  awaitsReply(/** @type {import("./types").TreeNode} */ node) {
    const { session } = this.app;
    return node === session.live && session.resigned === null && !session.isPaused && session.players[session.sideAt(node)]?.kind === "engine";
  }

  onPosition() {
    const { app } = this;
    const { session, position } = app;
    byId("coach-warning")?.remove();
    this.#isAsking = () => false;
    this.#hint = "";
    app.board.setArrows([]);
    const player = position ? session.players[position.side] : undefined;
    const isAtLive = session.at === session.live;
    if (isAtLive) session.isEnded = Boolean(position?.outcome);
    if (isAtLive && position && !position.outcome && session.resigned === null && player?.kind === "engine" && !session.isPaused) this.#think(player);
    else if (isAtLive) {
      this.#isThinking = false;
      app.engines.halt();
    }
    this.#show();
  }

  #think(/** @type {PlayerSettings} */ player) {
    const { app } = this;
    const { session } = app;
    const { live } = session;
    const began = performance.now();
    const isWatching = session.players.every(({ kind }) => kind === "engine");
    this.#isThinking = true;
    app.engines.named(player.engine).run({ setup: session.tree.setup(live), go: `movetime ${Math.round(1000 * player.seconds)}`,
      options: player.engine === "" ? { "UCI_AnalyseMode": false, "Skill Level": player.level, MultiPV: 1, Seed: session.seed } : {},
      onBest: (move) => {
        const wait = Math.max(0, (isWatching ? WATCH_MS : REPLY_MS) - (performance.now() - began));
        this.#reply = setTimeout(() => {
          if (app.session !== session || session.live !== live || session.resigned !== null || session.isPaused) return;
          this.#isThinking = false;
          if (move === null || app.tab !== this) return;
          if (session.at !== live || app.position?.legal.some((legal) => legal.move === move)) return this.#commit(move);
          toast(t("play.illegal", { player: this.playerName(session.sideAt(live)), move }));
          this.#show();
        }, wait);
      } });
  }

  /** Goes back to the last decision of a human player. */
  #undo() {
    const { session } = this.app;
    if (session.resigned !== null) {
      session.resigned = null;
      return this.app.showPosition(session.live);
    }
    let at = session.live.parent;
    while (at?.parent && session.players[session.sideAt(at)]?.kind === "engine") at = at.parent;
    if (!at || (session.players[session.sideAt(at)]?.kind === "engine" && session.players.some(({ kind }) => kind === "human"))) return;
    this.#moveLive(at);
  }

  #redo() {
    const { session } = this.app;
    let at = session.live.children[0];
    while (at?.children[0] && session.players[session.sideAt(at)]?.kind === "engine") at = at.children[0];
    if (at) this.#moveLive(at);
  }

  #moveLive(/** @type {import("./types").TreeNode} */ node) {
    const { app } = this;
    app.engines.halt();
    app.session.live = node;
    app.showPosition(node);
  }

  async #giveHint() {
    const { app } = this;
    const isShown = app.stillShown();
    this.#hint = t("hint.thinking");
    this.#show();
    /** @type {{ text: string, spots: number[] }} */
    const hint = await app.connection.ask("hint", { setup: app.session.setup, ms: HINT_MS }).catch((error) => ({ text: error.message, spots: [] }));
    if (!isShown()) return;
    this.#hint = hint.text;
    if (hint.spots.length) app.board.setArrows([{ spots: hint.spots, kind: "best" }]);
    this.#show();
  }

  #resign() {
    const { app } = this;
    const side = this.#humanSide();
    if (side < 0) return;
    app.engines.halt();
    const { session } = app;
    session.resigned = side;
    app.showPosition(session.live);
    toast(t("play.resigned"), () => { if (app.session === session && session.resigned !== null) this.#undo(); });
  }

  /** The headline: whose turn it is, or who won. */
  #headline() {
    const { session, position } = this.app;
    if (!position) return "";
    if (session.at !== session.live) return t("play.earlier");
    if (this.isOver()) {
      const winner = position.outcome?.result === "1-0" ? 0 : position.outcome?.result === "0-1" ? 1 : null;
      if (winner === null) return t("play.drawn");
      const people = session.players.filter(({ kind }) => kind === "human").length;
      if (people !== 1) return t("play.wins", { player: this.playerName(winner) });
      return t(session.players[winner]?.kind === "human" ? "play.youWin" : "play.youLose");
    }
    if (this.#isThinking) return t("play.thinking", { player: this.playerName(position.side) });
    if (session.players[position.side]?.kind === "engine") return t("play.paused");
    return session.players.filter(({ kind }) => kind === "human").length === 1 ? t("play.yourTurn")
      : t("play.turnOf", { player: this.playerName(position.side) });
  }

  playerName(/** @type {number} */ side) {
    const { session, catalogue } = this.app;
    const player = session.players[side];
    if (session.names[side]) return session.names[side] ?? "";
    if (player?.kind !== "engine") return session.players.some(({ kind }) => kind === "engine") ? t("player.you") : this.app.sideName(side);
    if (player.engine) return player.engine;
    const level = catalogue.levels.find((one) => one.level === player.level);
    return t(this.app.info.has_elo ? "player.engine" : "player.level", { level: level?.name ?? player.level, elo: level?.elo ?? "" });
  }

  #show() {
    const { app } = this;
    const { session } = app;
    if (!byId("turn")) return;
    this.#showApply();
    const isOver = this.isOver();
    const isEarlier = session.at !== session.live;
    byId("turn").replaceChildren(
      element("p", { class: "headline" }, this.#headline()),
      ...(isOver && !isEarlier ? [element("p", {}, app.position?.outcome?.text ?? "")] : []),
      ...(this.#hint && !isEarlier ? [element("p", { class: "hint", id: "hint-text" }, this.#hint)] : []),
      actions(...this.#turnActions(isOver, isEarlier)));
    showMoves(byId("play-moves"), app, session.live);
    const people = session.players.some(({ kind }) => kind === "human");
    const canUndo = session.resigned !== null || session.tree.path(session.live).some((node) =>
      !people || session.players[session.sideAt(node.parent ?? node)]?.kind === "human");
    const focused = document.activeElement?.id;
    byId("play-actions").replaceChildren(
      button(t("play.hint"), () => this.#giveHint(), { icon: "hint", id: "hint", disabled: !this.canMove() }),
      button(t("play.undo"), () => this.#undo(), { icon: "undo", id: "undo", disabled: !canUndo }),
      button(t("play.redo"), () => this.#redo(), { icon: "redo", id: "redo", disabled: session.live.children.length === 0 }),
      people ? button(t("play.resign"), () => this.#resign(), { icon: "flag", id: "resign", disabled: isOver || session.live === session.tree.root })
        : button(session.isPaused ? t("play.continue") : t("play.pause"), () => {
          session.isPaused = !session.isPaused;
          if (session.isPaused) { this.#isThinking = false; app.engines.halt(); }
          this.onPosition();
        }, { icon: session.isPaused ? "play" : "pause", id: "pause", disabled: isOver }));
    if (focused && ["hint", "undo", "redo", "resign", "pause"].includes(focused)) {
      const again = byId(focused);
      if (again && !again.disabled) again.focus();
      else byId("panel").focus();
    }
  }

  #turnActions(/** @type {boolean} */ isOver, /** @type {boolean} */ isEarlier) {
    const { app } = this;
    if (isEarlier) {
      return [button(t("play.return"), () => app.stepTo(app.session.live), { class: "primary", id: "return" }),
        button(t("play.fromHere"), () => this.#moveLive(app.session.at), { id: "from-here" })];
    }
    if (isOver) {
      return [button(t("play.again"), () => this.#begin(), { class: "primary", id: "again" }),
        button(t("play.review"), () => app.enterTab("review"), { id: "to-review" })];
    }
    if (this.#isThinking && app.session.players.some(({ kind }) => kind === "human")) {
      return [button(t("play.moveNow"), () => { const { side } = app.position ?? { side: 0 }; app.engines.named(app.session.players[side]?.engine ?? "").answerNow(); })];
    }
    return [];
  }
}
