// The page: its parts, the position on the board, and how they are kept.

import { Address } from "./address.js";
import { BoardView } from "./board_view.js";
import { buildControls, buildTabs, enableControls, onKey, sayWhyIllegal, showPlayers } from "./controls.js";
import { dictionary } from "./checks.js";
import { Connection, Refusal } from "./connection.js";
import { byId } from "./dom.js";
import { Engines } from "./engines.js";
import { showFailure, showStartFailure } from "./failure.js";
import { GameTree, Session } from "./game.js";
import { followOtherTab, openAddress } from "./links.js";
import { Positions } from "./positions.js";
import { dropRecord } from "./records.js";
import { checkedSettings, DEFAULT_SETTINGS, THEMES, topBar } from "./settings.js";
import { moveSound, playSound } from "./sounds.js";
import { readStored, writeStored } from "./storage.js";
import { createTabs } from "./tabs.js";
import { language, loadTexts, preferredLanguage, t } from "./texts.js";
import { showStage, toast } from "./widgets.js";

/** @typedef {import("./tab.js").Tab} Tab */

export class App {
  /** Complete once the page has started. @type {Catalogue} */
  catalogue = /** @type {any} */ ({ games: [], levels: [], engines: [] });
  connection = new Connection();
  positions = new Positions(this.connection);
  engines = new Engines(this.connection);
  #address = new Address(this);
  board = new BoardView(byId("board"), byId("evaluation"));
  /** @type {PositionAnswer | null} */
  position = null;
  /** The game of Play, Analyse and Review. */
  mainSession = new Session(new GameTree(""));
  session = this.mainSession;
  /** Unfinished games, by game. @type {Record<string, any>} */
  stored = dictionary({});
  theme = "auto";
  /** @type {PlaySettings} */
  settings = { ...DEFAULT_SETTINGS };
  /** @type {Record<string, Tab>} */
  tabs = {};
  tabName = "play";
  /** The number of the last step to a position: only the answer about that one is shown. */
  #ticket = 0;
  /** Whether `position` shows the session; otherwise its answer is on the way. */
  isSettled = false;
  #languages = 0;
  /** What the drawn board depends on, beside the position. */
  #drawn = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saving;
  #wasLost = false;
  /** Whether the user has been warned that games are not stored. */
  #isUnstored = false;
  /** Whether the page is in use: what was stored is replaced only then. */
  #isStarted = false;

  get tab() {
    return /** @type {Tab} */ (this.tabs[this.tabName]);
  }

  get info() {
    return this.infoOf(this.session.tree.game);
  }

  infoOf(/** @type {string} */ game) {
    return this.catalogue.games.find(({ id }) => id === game) ?? /** @type {GameInfo} */ (this.catalogue.games[0]);
  }

  async start() {
    const stored = readStored();
    this.theme = THEMES.includes(stored.theme) ? stored.theme : "auto";
    this.settings = checkedSettings(stored.settings);
    this.stored = dictionary(stored.games);
    this.#showTheme();
    const texts = loadTexts(
      stored.language === "zh" || stored.language === "en" ? stored.language : preferredLanguage(),
    );
    this.connection.onState = (isOpen) => this.#connectionChanged(isOpen);
    this.connection.onEvent = (event) => this.#receiveEvent(event);
    this.connection.onFailure = showFailure;
    this.engines.onRestart = () => {
      if (this.isSettled) this.tab.onPosition();
    };
    this.engines.onEnd = (name) => this.tab.onEngineEnd(name);
    this.connection.connect();
    await texts;
    byId("status").textContent = t("connecting");
    this.catalogue = await this.connection.ask("games");
    if (!stored.language && this.catalogue.default_lang && this.catalogue.default_lang !== language()) {
      await loadTexts(this.catalogue.default_lang);
      this.catalogue = await this.connection.ask("games");
    }
    if (stored.settings?.level === undefined) this.settings.level = this.catalogue.default_level;
    if (!this.#isOffered(this.settings.engine)) this.settings.engine = "";
    if (!this.#isOffered(this.settings.otherEngine)) this.settings.otherEngine = "";
    this.tabs = createTabs(this);
    for (const tab of Object.values(this.tabs)) tab.restore(stored);
    this.board.onMove = (move) => {
      if (this.tab.canMove()) this.tab.onMove(move);
    };
    this.board.onIllegal = (names) => sayWhyIllegal(this, names, false);
    this.board.onClick = (spot) => this.tab.onClick(spot);
    document.addEventListener("keydown", (event) => onKey(this, event));
    document.addEventListener("visibilitychange", () => this.tab.onVisibility());
    addEventListener("pagehide", () => this.saveNow());
    addEventListener("storage", () => followOtherTab(this));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => dropRecord(this, event));
    const kept = this.restoredSession(`${stored.game}`);
    const game = this.isGame(stored.game) ? stored.game : this.catalogue.default_game;
    this.session = this.mainSession = kept ?? this.restoredSession(game) ?? new Session(new GameTree(game));
    const isReload = performance
      .getEntriesByType("navigation")
      .some((entry) => /** @type {PerformanceNavigationTiming} */ (entry).type === "reload");
    this.tabName = this.catalogue.watch && !isReload ? "watch" : this.tabs[stored.tab] ? stored.tab : "play";
    this.build();
    openAddress(this, location.hash);
    this.#isStarted = true;
    for (const tab of Object.values(this.tabs)) tab.onStart();
  }

  isGame(/** @type {unknown} */ id) {
    return this.catalogue.games.some((game) => game.id === id);
  }

  /** Whether the server has an engine: an earlier run may have had others. */
  #isOffered(/** @type {string} */ engine) {
    return engine === "" || this.catalogue.engines.includes(engine);
  }

  /** Restores a stored game: the unfinished one of a kind, or one with a friend; in another state, if one is given. */
  restoredSession(/** @type {string} */ key, /** @type {any} */ state = null) {
    if (state) this.stored[key] = state;
    try {
      if (!this.stored[key]) return null;
      const session = Session.restore(this.stored[key]);
      if (!this.isGame(session.tree.game)) return null;
      for (const player of session.players) if (!this.#isOffered(player.engine)) player.engine = "";
      return session;
    } catch {
      return null;
    }
  }

  #connectionChanged(/** @type {boolean} */ isOpen) {
    const banner = byId("banner");
    banner.hidden = isOpen;
    if (!isOpen) {
      banner.textContent = t("connectionLost");
      this.engines.lose();
      this.#wasLost = true;
      return;
    }
    this.engines.start();
    if (this.#wasLost) {
      this.#wasLost = false;
      toast(t("connectionBack"));
      this.tab?.onReconnect();
      if (!this.isSettled) return;
      this.draw();
      this.tab.onPosition();
    }
  }

  #receiveEvent(/** @type {any} */ event) {
    if (event.engine !== undefined) this.engines.receive(event);
    else this.tabs.watch?.onWatch(event);
    if (event.watch === null) toast(event.message);
  }

  /** Builds everything that depends on language, game or tab. */
  build() {
    document.documentElement.lang = language() === "zh" ? "zh-Hans" : "en";
    document.title = `${this.info.name} · Zermelo`;
    byId("game-title").textContent = this.info.name;
    byId("top").replaceChildren(...topBar(this));
    buildTabs(this);
    buildControls(this);
  }

  #showTheme() {
    document.documentElement.dataset.theme = this.theme;
    document.documentElement.dataset.board = this.settings.board;
  }

  changeTheme(/** @type {string} */ theme) {
    this.theme = theme;
    this.#showTheme();
    this.build();
    this.save();
  }

  async setLanguage(/** @type {import("./texts.js").Language} */ wanted) {
    const change = (this.#languages += 1);
    const isCurrent = () => change === this.#languages;
    if (!(await loadTexts(wanted, isCurrent))) return;
    const catalogue = await this.connection.ask("games");
    if (!isCurrent()) return;
    this.catalogue = catalogue;
    const isFocused = document.activeElement?.id === "language";
    this.build();
    this.enterTab(this.tabName);
    if (isFocused) byId("language").focus();
  }

  /** Switches to a tab. */
  enterTab(/** @type {string} */ name) {
    const isOther = name !== this.tabName;
    this.tab.onLeave();
    this.engines.halt();
    this.engines.clearNotice();
    this.tabName = name;
    if (isOther) this.mainSession.turnTo(name === "play");
    if (this.tab.hasOwnSession) this.session = this.tab.ownSession() ?? this.session;
    else this.session = this.mainSession;
    for (const one of Object.keys(this.tabs)) {
      const node = byId(`tab-${one}`);
      node.setAttribute("aria-selected", String(one === name));
      node.tabIndex = one === name ? 0 : -1;
    }
    const panel = byId("panel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.board.showEvaluation(null);
    panel.className = `panel panel-${name}`;
    panel.replaceChildren(this.tab.build());
    panel.scrollTop = 0;
    this.openSession(this.session);
    this.tab.onEnter(isOther);
  }

  /** Shows a session on the board. */
  openSession(/** @type {Session} */ session) {
    this.session = session;
    if (!this.tab.hasOwnSession) this.mainSession = session;
    byId("game").value = session.tree.game;
    document.title = `${this.info.name} · Zermelo`;
    byId("game-title").textContent = this.info.name;
    this.position = null;
    this.#drawn = "";
    return this.showPosition(session.at);
  }

  /** Shows a game in Play, Analyse or Review, which then have it. */
  openGame(/** @type {Session} */ session, /** @type {string} */ tab) {
    this.mainSession = this.session = session;
    this.enterTab(tab);
  }

  /** Replaces the game of Play, Analyse and Review; shows it if one of them is open. */
  replaceGame(/** @type {Session} */ session) {
    this.mainSession = session;
    if (!this.tab.hasOwnSession) this.openSession(session);
  }

  changeSettings(/** @type {Partial<PlaySettings>} */ change) {
    Object.assign(this.settings, change);
    this.#showTheme();
    this.save();
  }

  chooseGame(/** @type {string} */ game) {
    this.saveNow();
    this.engines.halt();
    this.session = this.mainSession = this.restoredSession(game) ?? new Session(new GameTree(game));
    for (const tab of Object.values(this.tabs)) tab.onGame();
    this.enterTab(this.tabName);
    this.saveNow();
  }

  /** Points at the board that a move sends to, or no longer. */
  toggleSent() {
    this.changeSettings({ sent: !this.settings.sent });
    this.draw();
  }

  flip() {
    this.session.isFlipped = !this.session.isFlipped;
    this.draw();
    this.save();
  }

  /** Shows a position of the current session. */
  async showPosition(/** @type {TreeNode} */ node) {
    const ticket = (this.#ticket += 1);
    const { session } = this;
    const before = session.at;
    session.at = node;
    this.setSettled(false);
    try {
      const position = await this.positions.get(session.setupAt(node), this.tab.awaitsReply(node));
      if (ticket !== this.#ticket) return;
      const isMove = node !== before && node.parent === before;
      if (isMove && this.settings.sounds) playSound(moveSound(this.info, this.position, position));
      this.position = position;
      if (node === session.live) session.isEnded = Boolean(position.outcome);
      this.setSettled(true);
      const plies = session.tree.moves(node).length;
      session.firstSide = (position.side + plies) % 2;
      this.draw(isMove);
      this.#announce(before === node ? null : node, position);
      this.save();
      this.tab.onPosition();
    } catch (error) {
      if (ticket !== this.#ticket) return;
      this.#refused(error, node);
    }
  }

  /** Notes whether the board shows the chosen position; moves are accepted only then. */
  setSettled(/** @type {boolean} */ isSettled) {
    this.isSettled = isSettled;
    this.board.host.setAttribute("aria-busy", `${!isSettled}`);
  }

  /** Returns a function that tells whether the same position is still shown, in the same tab. */
  stillShown() {
    const ticket = this.#ticket;
    return () => ticket === this.#ticket;
  }

  /** Leaves a position whose start or moves are refused. */
  #refused(/** @type {any} */ error, /** @type {TreeNode} */ node) {
    toast(error.message);
    if (!(error instanceof Refusal) || error.ply === undefined) return;
    const { tree } = this.session;
    if (error.ply === 0) {
      if (tree.start !== null) this.openSession(new Session(new GameTree(tree.game)));
      return;
    }
    const bad = tree.path(node)[error.ply - 1] ?? node;
    const parent = tree.remove(bad);
    if (tree.isWithin(this.session.live, bad) || !tree.find(tree.moves(this.session.live))) this.session.live = parent;
    this.showPosition(parent);
  }

  #announce(/** @type {TreeNode | null} */ node, /** @type {PositionAnswer} */ position) {
    const side = this.info.side_names[1 - position.side] ?? "";
    const words = node?.move ? [t("announce.move", { side, move: node.move })] : [];
    byId("live").textContent = [...words, position.status].join(" ");
  }

  /** Goes to another position on behalf of the user. */
  stepTo(/** @type {TreeNode | null | undefined} */ node) {
    if (!node || node === this.session.at) return;
    this.showPosition(node);
    showStage();
  }

  /** Draws the position, the players and the state of the buttons; `isMove` lets the piece of the last move come. */
  draw(isMove = false) {
    const { position, session } = this;
    if (!position) return;
    const drawn = `${session.tree.game} ${session.isFlipped} ${position.labels.length > 0} ${language()}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.board.setGame(this.info, session.isFlipped, position.labels.length > 0);
    }
    const isOpen = this.tab.isOpen();
    const isSent = this.settings.sent || this.tabName === "learn";
    this.board.show(position, { isOpen, isActive: this.tab.canMove(), isMove, isSent });
    byId("reply").textContent = "";
    byId("status").textContent = position.status;
    showPlayers(this, position, isOpen);
    enableControls(this, isOpen);
  }

  save() {
    for (const tab of Object.values(this.tabs)) tab.onSave(this.mainSession);
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.saveNow(), 120);
  }

  saveNow() {
    clearTimeout(this.#saving);
    const { key } = this.mainSession;
    if (!this.#isStarted) return;
    this.stored[key] = this.mainSession.store();
    const isStored = writeStored({
      language: language(),
      theme: this.theme,
      tab: this.tabName,
      game: key,
      settings: this.settings,
      ...Object.assign({}, ...Object.values(this.tabs).map((tab) => tab.store())),
      games: this.stored,
    });
    if (!isStored && !this.#isUnstored) toast(t("notStored"));
    this.#isUnstored = !isStored;
    this.#address.show();
  }
}

new App().start().catch(showStartFailure);
