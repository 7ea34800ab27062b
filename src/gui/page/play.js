// Playing against the engine, another person, or watching two engines.

import { Clock, showClock } from "./clock.js";
import { byId, element } from "./dom.js";
import { GameTree, human, Session } from "./game.js";
import { friendCard, isOwnTurnOver, playFriend, shareBox } from "./links.js";
import { showMoves } from "./moves.js";
import { newGameForm } from "./new_game.js";
import { playerName } from "./players.js";
import { Tab } from "./tab.js";
import { lines, t } from "./texts.js";
import { actions, button, icon, isNarrow, note, showStage, toast } from "./widgets.js";

/** @typedef {import("./types").LegalMove} LegalMove */
/** @typedef {import("./types").PlayerSettings} PlayerSettings */

/** The shortest time before the engine's move is shown, so that one's own move is seen first. */
const REPLY_MS = 250;
const WATCH_MS = 700;
const COACH_MS = 400;
const HINT_MS = 700;
/** How often running clocks are shown. */
const CLOCK_MS = 100;

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
  /** What the form of a new game needs. */
  #newGame = {
    begin: () => {
      this.#begin(this.app.settings.opponent === "links" ? "links" : "");
    },
    apply: () => this.#updateEngines(),
    changed: () => this.#showApply(),
    fen: "",
  };
  /** The hint for the shown position. */
  #hint = "";
  /** The clock that is shown, which may run. @type {Clock | null} */
  #clock = null;

  constructor(/** @type {import("./app.js").App} */ app) {
    super(app);
    setInterval(() => this.#tick(), CLOCK_MS);
  }

  build() {
    const { app } = this;
    this.#box = element(
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
      element(
        "details",
        {
          class: "card rules",
          open: app.settings.rules,
          ontoggle: (/** @type {any} */ event) => app.changeSettings({ rules: event.target.open }),
        },
        element("summary", {}, t("play.rules")),
        element("ul", {}, ...lines(`rules.${app.info.id}`).map((line) => element("li", {}, line))),
        button(t("play.learn"), () => app.enterTab("learn"), { id: "to-lessons" }),
      ),
      element("div", { id: "friends" }),
      newGameForm(app, this.#newGame),
    );
    if (this.#isFresh()) this.#applyPlayers();
    return this.#box;
  }

  onLeave() {
    this.#isThinking = false;
    this.#clock?.run(null);
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

  /** @returns {PlayerSettings} */
  #engine(isOther = false) {
    const { level, otherLevel, engine, otherEngine, seconds } = this.app.settings;
    return { kind: "engine", level: isOther ? otherLevel : level, seconds, engine: isOther ? otherEngine : engine };
  }

  /** Gives the sides to the players of the settings. */
  #applyPlayers(session = this.app.session) {
    const { opponent, side } = this.app.settings;
    if (opponent === "human" || opponent === "links") session.players = [human(), human()];
    else if (opponent === "engines") session.players = [this.#engine(), this.#engine(true)];
    else {
      const isSecond = side === "second" || (side === "random" && Math.random() < 0.5);
      session.players = isSecond ? [this.#engine(), human()] : [human(), this.#engine()];
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
    const { players } = this.app.session;
    const isWatching = players.every(({ kind }) => kind === "engine");
    return players.map((player, side) => (player.kind !== "engine" ? player : this.#engine(isWatching && side === 1)));
  }

  /** Offers the strength that was chosen for the game in progress, too. */
  #showApply() {
    const isSame = JSON.stringify(this.#updatedPlayers()) === JSON.stringify(this.app.session.players);
    byId("apply").hidden = isSame || this.app.session.isOver || ["human", "links"].includes(this.app.settings.opponent);
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

  /**
   * Starts a new game with the settings, by links if they are chosen on purpose, or another one with the same friend. A
   * game in progress can be taken back for some seconds.
   *
   * @param {"" | "links" | "rematch"} kindOfLinks
   */
  async #begin(kindOfLinks = "") {
    const { app } = this;
    app.saveNow();
    const { settings } = app;
    const before = app.session;
    const isLeft = before.live !== before.tree.root && !before.isOver;
    const {
      friend,
      names,
      tree: { game },
    } = before;
    const { has_random_start: isRandom } = app.info;
    const usual = isRandom ? "random" : null;
    const kind = settings.start === "standard" ? usual : settings.start === "full" ? null : settings.start;
    const isShown = app.stillShown();
    clearTimeout(this.#reply);
    app.engines.halt();
    app.engines.clearNotice();
    // A move on the old board would come too late.
    app.setSettled(false);
    try {
      let start = null;
      if (kind === "fen") start = this.#newGame.fen.trim() || null;
      else if (kind) {
        const seed = Math.floor(Math.random() * 1e9);
        start = (await app.connection.ask("start", { game, kind, seed })).fen;
      }
      if (start !== null) start = (await app.connection.ask("position", { setup: { game, start, moves: [] } })).fen;
      if (!isShown()) return;
      const session = new Session(new GameTree(game, start));
      this.#applyPlayers(session);
      const [first, second] = session.players;
      const isSecond = settings.side === "second" || (settings.side === "random" && Math.random() < 0.5);
      if (kindOfLinks === "links") playFriend(app, session, Number(isSecond), settings.helps);
      else if (friend && kindOfLinks === "rematch") {
        session.players = [human(), human()];
        playFriend(app, session, 1 - friend.side, friend.helps, [...names].reverse());
      } else if (["engine", "human"].includes(settings.opponent)) session.clock = Clock.of(settings.clock);
      const isTop = first?.kind === "engine" ? second?.kind === "human" : session.friend?.side === 1;
      session.isFlipped = isTop && (app.position?.legal[0]?.spots.length ?? 1) > 1;
      await app.openSession(session);
      byId("friends").replaceChildren(friendCard(app));
      if (isLeft)
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

  /** Starts a game against the weakest level, with the coach, for someone who has just learnt the rules. */
  beginEasy() {
    const { app } = this;
    app.changeSettings({
      opponent: "engine",
      level: app.catalogue.levels[0]?.level ?? 0,
      engine: "",
      start: "standard",
      clock: "",
      coach: true,
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
        .ask("explain", { setup: app.session.setup, move: legal.move, ms: COACH_MS })
        .catch((error) => toast(error.message));
      if (!isShown()) return;
      if (advice?.warning) return this.#warn(legal, advice, advice.warning);
    }
    this.#commit(legal.move);
  }

  /** Asks whether to play a bad move. The warning ends with the text of the advice, which is folded on a phone. */
  #warn(
    /** @type {LegalMove} */ legal,
    /** @type {import("./types").Explanation} */ advice,
    /** @type {string} */ warning,
  ) {
    const { app } = this;
    const end = (/** @type {boolean} */ plays) => {
      this.#isAsking = () => false;
      byId("coach-warning")?.remove();
      app.board.setArrows([]);
      if (plays) this.#commit(legal.move);
      else {
        app.draw();
        app.board.focus();
      }
    };
    app.board.setArrows([{ spots: legal.spots, kind: "bad" }]);
    const back = button(t("coach.back"), () => end(false), { class: "primary" });
    // On a phone the warning is seen together with the board.
    const place = byId(isNarrow() ? "reply" : "turn");
    place.after(
      element(
        "div",
        { class: "card warning", id: "coach-warning", role: "alertdialog", "aria-label": t("coach.title") },
        element(
          "p",
          {},
          element("strong", {}, t("coach.title")),
          " ",
          warning.slice(0, -advice.text.length),
          advice.better ? t("coach.better", { move: advice.better }) : "",
        ),
        element(
          "details",
          { open: !isNarrow() },
          element("summary", {}, t("coach.why")),
          element("p", {}, advice.text),
        ),
        actions(
          back,
          button(t("coach.play", { move: legal.move }), () => end(true)),
        ),
      ),
    );
    back.focus();
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
    this.#runClock();
    if (isAtLive) this.app.showPosition(child);
    else {
      this.onPosition();
      this.app.save();
    }
  }

  awaitsReply(/** @type {import("./types").TreeNode} */ node) {
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
    byId("coach-warning")?.remove();
    this.#isAsking = () => false;
    this.#hint = "";
    app.board.setArrows([]);
    const player = position ? session.players[position.side] : undefined;
    const isAtLive = session.at === session.live;
    if (isAtLive && position && !position.outcome && player?.kind === "engine" && !session.isPaused)
      this.#think(player);
    else if (isAtLive) {
      this.#isThinking = false;
      app.engines.halt();
    }
    this.#runClock();
    this.#show();
  }

  /**
   * Runs the clock of the side to move, after the first move of each side. An engine's clock starts with its search.
   */
  #runClock() {
    const { session } = this.app;
    if (this.#clock !== session.clock) this.#clock?.run(null);
    this.#clock = session.clock;
    const side = session.sideAt(session.live);
    const waits = !session.isTimed || (session.players[side]?.kind === "engine" && !this.#isThinking);
    this.#clock?.run(waits ? null : side);
    if (this.#clock) showClock(this.#clock);
  }

  #tick() {
    const { app } = this;
    if (app.tab !== this || !this.#clock || this.#clock !== app.session.clock) return;
    showClock(this.#clock);
    if (this.#clock.running !== null && this.#clock.remaining(this.#clock.running) === 0)
      this.#flag(this.#clock.running);
  }

  /** Ends the game on time, unless its last move, which may not be shown, ended it. */
  async #flag(/** @type {number} */ side) {
    const { app } = this;
    const { session } = app;
    const { live } = session;
    this.#clock?.run(null);
    const position = await app.positionOf(session.setupAt(live)).catch(() => null);
    if (app.session !== session || session.live !== live) return;
    if (position?.outcome) session.isEnded = true;
    else session.outOfTime = side;
    clearTimeout(this.#reply);
    app.engines.halt();
    app.showPosition(live);
  }

  #think(/** @type {PlayerSettings} */ player) {
    const { app } = this;
    const { session } = app;
    const { live } = session;
    const began = performance.now();
    const isWatching = session.players.every(({ kind }) => kind === "engine");
    this.#isThinking = true;
    const left = session.clock?.remaining(session.sideAt(live)) ?? Infinity;
    app.engines.named(player.engine).run({
      setup: session.tree.setup(live),
      go: session.clock?.limits(REPLY_MS) ?? `movetime ${Math.round(1000 * player.seconds)}`,
      options:
        player.engine === ""
          ? { UCI_AnalyseMode: false, "Skill Level": player.level, MultiPV: 1, Seed: session.seed }
          : {},
      onBest: (move) => {
        const wait = Math.max(0, (isWatching ? WATCH_MS : Math.min(REPLY_MS, left / 40)) - (performance.now() - began));
        this.#reply = setTimeout(() => {
          if (app.session !== session || session.live !== live || session.isOver || session.isPaused) return;
          this.#isThinking = false;
          if (move === null || app.tab !== this) return;
          if (session.at !== live || app.position?.legal.some((legal) => legal.move === move))
            return this.#commit(move);
          toast(t("play.illegal", { player: playerName(this.app, session.sideAt(live)), move }));
          this.#show();
        }, wait);
      },
    });
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
    let at = session.live.parent;
    while (at?.parent && session.players[session.sideAt(at)]?.kind === "engine") at = at.parent;
    if (
      !at ||
      (session.players[session.sideAt(at)]?.kind === "engine" && session.players.some(({ kind }) => kind === "human"))
    )
      return;
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
    const { session } = app;
    if (session.outOfTime !== null) session.clock = session.outOfTime = null;
    if (session.friend) session.friend.step += 1;
    session.live = node;
    app.showPosition(node);
  }

  async #giveHint() {
    const { app } = this;
    const isShown = app.stillShown();
    this.#hint = t("hint.thinking");
    this.#show();
    /** @type {{ text: string, spots: number[] }} */
    const hint = await app.connection
      .ask("hint", { setup: app.session.setup, ms: HINT_MS })
      .catch((error) => ({ text: error.message, spots: [] }));
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
    session.notice = "";
    if (session.friend) Object.assign(session.friend, { isSent: false, step: session.friend.step + 1 });
    app.showPosition(session.live);
    toast(t("play.resigned"), () => {
      if (app.session === session && session.resigned !== null) this.#undo();
    });
  }

  /** The headline: whose turn it is, or who won. */
  #headline() {
    const { session, position } = this.app;
    if (!position) return "";
    if (session.at !== session.live) return t("play.earlier");
    if (session.isOver) {
      const winner = position.outcome?.result === "1-0" ? 0 : position.outcome?.result === "0-1" ? 1 : null;
      if (winner === null) return t("play.drawn");
      if (session.friend) return t(winner === session.friend.side ? "play.youWin" : "play.youLose");
      const people = session.players.filter(({ kind }) => kind === "human").length;
      if (people !== 1) return t("play.wins", { player: playerName(this.app, winner) });
      return t(session.players[winner]?.kind === "human" ? "play.youWin" : "play.youLose");
    }
    if (session.friend)
      return isOwnTurnOver(session, position)
        ? t(session.names[1 - session.friend.side] ? "friend.waiting" : "friend.waitingUnnamed", {
            player: playerName(this.app, 1 - session.friend.side),
          })
        : t("play.yourTurn");
    if (this.#isThinking) return t("play.thinking", { player: playerName(this.app, position.side) });
    if (session.players[position.side]?.kind === "engine") return t("play.paused");
    return session.players.filter(({ kind }) => kind === "human").length === 1
      ? t("play.yourTurn")
      : t("play.turnOf", { player: playerName(this.app, position.side) });
  }

  #show() {
    const { app } = this;
    const { session } = app;
    if (!byId("turn")) return;
    this.#showApply();
    const [isOver, isEarlier] = [session.isOver, session.at !== session.live];
    const focused = document.activeElement;
    byId("turn").replaceChildren(
      element("p", { class: "headline" }, this.#headline()),
      ...(session.notice
        ? [element("p", { class: "link-notice", id: "link-notice", role: "alert" }, session.notice)]
        : []),
      ...(isOver && !isEarlier ? [element("p", {}, app.position?.outcome?.text ?? "")] : []),
      ...(this.#hint && !isEarlier ? [element("p", { class: "hint", id: "hint-text" }, this.#hint)] : []),
      session.allowsHelp ? "" : note(t("friend.noHelp")),
      shareBox(app) ?? "",
      actions(...this.#turnActions(isOver, isEarlier)),
    );
    showMoves(byId("play-moves"), app, session.live);
    this.#showButtons();
    if (focused instanceof HTMLButtonElement && (focused.disabled || focused.hidden)) byId("panel").focus();
  }

  /** Enables those buttons below the headline that can do something now. */
  #showButtons() {
    const { session, position } = this.app;
    const { friend, live, tree, players, isOver } = session;
    const people = players.some(({ kind }) => kind === "human");
    const isLost = session.resigned !== null || session.outOfTime !== null;
    const hasMoved = tree
      .path(live)
      .some((node) => !people || players[session.sideAt(node.parent ?? node)]?.kind === "human");
    const isOwn = friend !== null && position !== null && isOwnTurnOver(session, position);
    byId("hint").disabled = !this.canMove() || !session.allowsHelp;
    byId("undo").disabled = !(friend ? isOwn && !friend.isSent && (isLost || live.parent) : isLost || hasMoved);
    byId("redo").disabled = live.children.length === 0 || (friend !== null && (isOwn || isOver));
    byId("resign").hidden = !people;
    byId("resign").disabled = isOver || (live === tree.root && !friend);
    const pause = byId("pause");
    pause.hidden = people;
    pause.disabled = isOver;
    pause.replaceChildren(
      icon(session.isPaused ? "play" : "pause"),
      element("span", {}, t(session.isPaused ? "play.continue" : "play.pause")),
    );
  }

  /** Interrupts or continues a game of two engines. */
  #pause() {
    const { app } = this;
    app.session.isPaused = !app.session.isPaused;
    if (app.session.isPaused) {
      this.#isThinking = false;
      app.engines.halt();
    }
    this.onPosition();
  }

  #turnActions(/** @type {boolean} */ isOver, /** @type {boolean} */ isEarlier) {
    const { app } = this;
    if (isEarlier) {
      return [
        button(t("play.return"), () => app.stepTo(app.session.live), { class: "primary", id: "return" }),
        ...(app.session.friend
          ? []
          : [button(t("play.fromHere"), () => this.#moveLive(app.session.at), { id: "from-here" })]),
      ];
    }
    if (isOver) {
      return [
        button(t("play.again"), () => this.#begin(app.session.friend ? "rematch" : "").then(() => app.board.focus()), {
          class: "primary",
          id: "again",
        }),
        button(
          t("play.review"),
          () => {
            app.enterTab("review");
            /** @type {import("./review.js").ReviewTab} */ (app.tabs.review).begin();
          },
          { id: "to-review" },
        ),
      ];
    }
    if (this.#isThinking && app.session.players.some(({ kind }) => kind === "human")) {
      return [
        button(t("play.moveNow"), () => {
          const { side } = app.position ?? { side: 0 };
          app.engines.named(app.session.players[side]?.engine ?? "").answerNow();
        }),
      ];
    }
    if (
      app.settings.isNew &&
      app.session.live === app.session.tree.root &&
      !(/** @type {import("./learn.js").LearnTab} */ (app.tabs.learn).hasBegun())
    ) {
      return [button(t("play.learn"), () => app.enterTab("learn"), { id: "learn-first" })];
    }
    return [];
  }
}
