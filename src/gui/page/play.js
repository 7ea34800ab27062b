// Playing against the engine, another person, or watching two engines.

import { ClockRunner } from "./clock.js";
import { hideWarning, showWarning } from "./coach.js";
import { byId, element } from "./dom.js";
import { EngineReply } from "./engine_reply.js";
import { friendCard, shareBox } from "./links.js";
import { hintSteps, judgementMarks } from "./marks.js";
import { showMoves } from "./moves.js";
import { chosenPlayers, chosenStart, newGameForm, newSession, showApply, updatedPlayers } from "./new_game.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { enableButtons, headline, rulesCard, turnActions } from "./turn.js";
import { actions, button, note, showStage, toast } from "./widgets.js";

export class PlayTab extends Tab {
  /** @type {EngineReply} */
  #reply;
  /** Whether the coach still considers a move of the shown position, or warns of one. */
  #isAsking = () => false;
  /** Whether the game was chosen since the tab was shown. */
  #isChosen = false;
  /** What the form of a new game needs. */
  #newGame = {
    begin: () => {
      this.#begin(this.app.settings.opponent === "links" ? "links" : "");
    },
    apply: () => this.#updateEngines(),
    changed: () => showApply(this.app),
    fen: "",
  };
  /** The hint for the shown position, and what its steps still to come say. */
  #hint = "";
  /** @type {ReturnType<typeof hintSteps>} */
  #hints = [];
  /** @type {ClockRunner} */
  #clock;

  constructor(/** @type {App} */ app) {
    super(app);
    this.#reply = new EngineReply(
      app,
      (move) => this.#commit(move),
      () => this.#show(),
    );
    this.#clock = new ClockRunner(app, (side) => this.#flag(side));
  }

  build() {
    const { app } = this;
    if (this.#isFresh()) app.session.players = chosenPlayers(app.settings);
    return element(
      "div",
      { class: "stack" },
      element("div", { class: "card turn", id: "turn" }),
      // The same buttons at any time, so that a click is not lost when a move arrives.
      element(
        "div",
        { class: "actions", id: "play-actions" },
        button(t("play.hint"), () => this.#giveHint(), { icon: "hint", id: "hint" }),
        button(t("play.undo"), () => this.#undo(), { icon: "undo", id: "undo" }),
        button(t("play.redo"), () => this.#redo(), { icon: "redo", id: "redo" }),
        button(t("play.resign"), () => this.#resign(), { icon: "flag", id: "resign" }),
        element("button", { type: "button", id: "pause", hidden: true, onclick: () => this.#pause() }),
      ),
      element("div", { class: "scroller", id: "play-moves" }),
      rulesCard(app),
      element("div", { id: "friends" }),
      newGameForm(app, this.#newGame),
    );
  }

  onLeave() {
    this.#reply.stop();
    this.#clock.stop();
    this.app.board.setArrows([]);
  }

  onGame() {
    this.#isChosen = true;
  }

  onEnter(isOther = false) {
    const isUnset = this.app.info.has_random_start && this.app.session.tree.start === null;
    if ((this.#isChosen || isUnset) && this.#isFresh()) this.#begin();
    this.#isChosen = false;
    byId("friends").replaceChildren(friendCard(this.app));
    if (isOther && this.app.session.isTimed) toast(t("clock.resumed"));
  }

  /** Whether nothing was played yet. */
  #isFresh() {
    const { session } = this.app;
    return session.live === session.tree.root && session.tree.root.children.length === 0 && session.names[0] === "";
  }

  /** Stops waiting for the move of an engine that has ended. */
  onEngineEnd(/** @type {string} */ name) {
    const { session, position } = this.app;
    if (!position || session.players[position.side]?.engine !== name) return;
    this.#reply.isThinking = false;
    this.#show();
  }

  /** Applies a change of level, time or engine to the game in progress. */
  #updateEngines() {
    this.app.session.players = updatedPlayers(this.app);
    this.app.engines.halt();
    this.app.engines.clearNotice();
    this.app.draw();
    this.app.save();
    this.onPosition();
  }

  /**
   * Starts a new game with the settings, by links if they are chosen on purpose, or another one with the same friend. A
   * game in progress can be taken back for some seconds.
   */
  async #begin(/** @type {"" | "links" | "rematch"} */ kindOfLinks = "") {
    const { app } = this;
    app.saveNow();
    const before = app.session;
    const isShown = app.stillShown();
    this.#reply.stop();
    app.engines.clearNotice();
    // A move on the old board would come too late.
    app.setSettled(false);
    try {
      const start = await chosenStart(app, this.#newGame.fen);
      if (!isShown()) return;
      await app.openSession(newSession(app, start, kindOfLinks));
      byId("friends").replaceChildren(friendCard(app));
      if (before.live !== before.tree.root && !before.isOver)
        toast(t("play.started"), () => {
          app.openGame(before, "play");
        });
      byId("panel").scrollTop = 0;
      showStage();
    } catch (error) {
      if (!isShown()) return;
      toast(/** @type {Error} */ (error).message);
      app.setSettled(true);
      this.onPosition();
    }
  }

  /** Starts a game against a level; against the weakest with the coach, for someone who has just learnt the rules. */
  beginEasy(level = this.app.catalogue.levels[0]?.level ?? 0) {
    const { app } = this;
    app.changeSettings({
      opponent: "engine",
      level,
      engine: "",
      start: "standard",
      clock: "",
      coach: level === app.catalogue.levels[0]?.level,
    });
    app.enterTab("play");
    this.#begin();
  }

  /** The human player whose turn it is, or the only one. */
  #humanSide() {
    const { session } = this.app;
    if (session.friend) return session.friend.side;
    const side = session.sideAt(session.live);
    return session.players[side]?.kind === "human" ? side : session.players.findIndex(({ kind }) => kind === "human");
  }

  isOpen() {
    const { session } = this.app;
    return super.isOpen() && session.at === session.live;
  }

  /** Says how a move can be made where an earlier position is shown. */
  onClick() {
    const { session } = this.app;
    if (!session.isOver && session.at !== session.live) byId("reply").textContent = t("play.goBack");
  }

  canMove() {
    const { session, position } = this.app;
    return Boolean(
      super.canMove() &&
      position &&
      !session.isOver &&
      !this.#isAsking() &&
      session.players[position.side]?.kind === "human" &&
      (session.friend === null || session.friend.side === position.side),
    );
  }

  async onMove(/** @type {LegalMove} */ legal) {
    const { app } = this;
    if (app.settings.coach && app.session.players.some(({ kind }) => kind === "engine")) {
      const isShown = (this.#isAsking = app.stillShown());
      const advice = await app.connection
        .ask("explain", { setup: app.session.setup, move: legal.move })
        .catch((error) => toast(error.message));
      if (!isShown()) return;
      if (advice?.warning) return this.#warn(legal, advice, advice.warning);
    }
    this.#commit(legal.move);
  }

  /** Asks whether to play a bad move. */
  #warn(/** @type {LegalMove} */ legal, /** @type {Explanation} */ advice, /** @type {string} */ warning) {
    const { app } = this;
    app.board.setArrows(judgementMarks(legal.spots, "bad", { frames: advice.frames }));
    showWarning(app, legal.move, advice, warning, (plays) => {
      this.#isAsking = () => false;
      app.board.setArrows([]);
      if (plays) return this.#commit(legal.move);
      app.draw();
      app.board.focus();
    });
  }

  #commit(/** @type {string} */ move) {
    const { session } = this.app;
    const isHuman = session.players[session.sideAt(session.live)]?.kind === "human";
    if (isHuman && this.app.settings.isNew) this.app.changeSettings({ isNew: false });
    if (isHuman || session.players.every(({ kind }) => kind === "engine")) session.started ??= Date.now();
    const isAtLive = session.at === session.live;
    session.clock?.press();
    session.notice = "";
    if (session.friend) {
      Object.assign(session.friend, { isSent: false, step: session.friend.step + 1 });
      byId("panel").scrollTop = 0;
    }
    const child = session.tree.add(session.live, move);
    session.tree.promote(child);
    session.live = child;
    session.furthest = null;
    this.#clock.run(session, this.#reply.isThinking);
    if (isAtLive) this.app.showPosition(child);
    else {
      this.onPosition();
      this.app.save();
    }
  }

  awaitsReply(/** @type {TreeNode} */ node) {
    const { session } = this.app;
    return (
      node === session.live &&
      !session.isOver &&
      !session.isPaused &&
      session.players[session.sideAt(node)]?.kind === "engine"
    );
  }

  onPosition() {
    const { app } = this;
    const { session, position } = app;
    hideWarning();
    this.#isAsking = () => false;
    this.#hint = "";
    this.#hints = [];
    app.board.setArrows([]);
    const player = position ? session.players[position.side] : undefined;
    const isAtLive = session.at === session.live;
    if (isAtLive && position && !position.outcome && player?.kind === "engine" && !session.isPaused)
      this.#reply.ask(player);
    else if (isAtLive) this.#reply.stop();
    if (isAtLive && session.isOver) {
      showStage();
      /** @type {import("./learn.js").LearnTab} */ (app.tabs.learn).gameOver();
    }
    this.#clock.run(session, this.#reply.isThinking);
    this.#show();
  }

  /** Ends the game on time, unless its last move, which may not be shown, ended it. */
  async #flag(/** @type {number} */ side) {
    const { app } = this;
    const { session } = app;
    const { live } = session;
    this.#clock.stop();
    const position = await app.positions.get(session.setupAt(live)).catch(() => null);
    if (app.session !== session || session.live !== live) return;
    if (position?.outcome) session.isEnded = true;
    else session.outOfTime = side;
    this.#reply.stop();
    app.showPosition(live);
  }

  /** Goes back to the last decision of a human player. */
  #undo() {
    const { session } = this.app;
    if (session.friend?.isSent) return;
    if (session.resigned !== null || session.outOfTime !== null) {
      if (session.friend) session.friend.step += 1;
      // After a loss on time the game goes on without clocks.
      if (session.outOfTime !== null) session.clock = null;
      session.resigned = session.outOfTime = null;
      return this.app.showPosition(session.live);
    }
    const at = session.decisionBefore;
    if (at) this.#moveLive(at);
  }

  #redo() {
    const at = this.app.session.decisionAfter;
    if (at) this.#moveLive(at);
  }

  #moveLive(/** @type {TreeNode} */ node) {
    const { app } = this;
    this.#reply.stop();
    const { session } = app;
    if (session.outOfTime !== null) session.clock = session.outOfTime = null;
    if (session.friend) session.friend.step += 1;
    if (!session.furthest || !session.tree.isWithin(session.furthest, node)) session.furthest = session.live;
    session.live = node;
    app.showPosition(node);
  }

  async #giveHint() {
    const { app } = this;
    const isShown = app.stillShown();
    if (!this.#hints.length) {
      this.#hint = t("hint.thinking");
      this.#show();
      const hint = await app.connection
        .ask("hint", { setup: app.session.setup })
        .catch((error) => ({ text: error.message, spots: [], frames: [] }));
      if (!isShown()) return;
      this.#hints = hintSteps(app, hint);
      app.session.hints += 1;
    }
    const { text = "", arrows = [] } = this.#hints.shift() ?? {};
    this.#hint = this.#hints.length ? `${text} ${t("hint.more")}` : text;
    app.board.setArrows(arrows);
    this.#show();
  }

  #resign() {
    const { app } = this;
    const side = this.#humanSide();
    if (side < 0) return;
    this.#reply.stop();
    const { session } = app;
    session.resigned = side;
    session.notice = "";
    if (session.friend) Object.assign(session.friend, { isSent: false, step: session.friend.step + 1 });
    app.showPosition(session.live);
    toast(t("play.resigned"), () => {
      if (app.session === session && session.resigned !== null) this.#undo();
    });
  }

  #show() {
    const { app } = this;
    const { session } = app;
    if (!byId("turn")) return;
    showApply(app);
    const [isOver, isEarlier] = [session.isOver, session.at !== session.live];
    const focused = document.activeElement;
    byId("turn").classList.toggle("is-won", isOver && !isEarlier);
    byId("turn").replaceChildren(
      element("p", { class: "headline" }, headline(app, this.#reply.isThinking)),
      ...(session.notice
        ? [element("p", { class: "link-notice", id: "link-notice", role: "alert" }, session.notice)]
        : []),
      ...(isOver && !isEarlier ? [element("p", {}, app.position?.outcome?.text ?? "")] : []),
      ...(isOver && !isEarlier && session.hints ? [note(t("play.hints", { count: session.hints }))] : []),
      ...(this.#hint && !isEarlier ? [element("p", { class: "hint", id: "hint-text" }, this.#hint)] : []),
      session.allowsHelp ? "" : note(t("friend.noHelp")),
      shareBox(app) ?? "",
      actions(
        ...turnActions(app, this.#reply.isThinking, {
          begin: () => this.#begin(session.friend ? "rematch" : ""),
          goOn: () => this.#moveLive(session.at),
        }),
      ),
    );
    showMoves(byId("play-moves"), app, session.live);
    enableButtons(app);
    if (focused instanceof HTMLButtonElement && (focused.disabled || focused.hidden)) byId("panel").focus();
  }

  /** Interrupts or continues a game of two engines. */
  #pause() {
    const { app } = this;
    app.session.isPaused = !app.session.isPaused;
    if (app.session.isPaused) this.#reply.stop();
    this.onPosition();
  }
}
