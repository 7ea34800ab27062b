// Watching a match: what the tournament report shows, and the boards of its games.

import { createBoard } from "./board.js";
import { drawCharts } from "./charts.js";
import { dictionary } from "./checks.js";
import { byId, element, fill, resultText } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { Tournament } from "./tournament.js";
import { actions, button, choice, note } from "./widgets.js";

const SHOWN_BOARDS = 4;
/** The parts of the panel, which change independently of each other. */
const PARTS = ["standings", "boards", "games", "crosstable"];

export class WatchTab extends Tab {
  hasOwnSession = true;
  /** The report. @type {TournamentData | null} */
  #data = null;
  /** The games in progress. @type {TournamentGame[]} */
  #playing = [];
  /** @type {ReturnType<typeof drawCharts>} */
  #charts = [];
  /** What tells the game on the large board from others. */
  #key = "";
  /** The game on the large board. @type {Session | null} */
  #session = null;
  /** The number of the game that the user chose; by default the latest one is shown. */
  #chosen = 0;

  ownSession() {
    return this.#session;
  }

  build() {
    this.#charts = [];
    return element(
      "div",
      { class: "stack" },
      element("div", { class: "stack", id: "watch" }, note(t("watch.waiting"))),
    );
  }

  onEnter() {
    this.#show();
    this.onReconnect();
  }

  onReconnect() {
    this.app.connection.ask("watch").catch((error) => byId("watch")?.replaceChildren(note(error.message)));
  }

  canMove() {
    return false;
  }

  onMove() {}

  onWatch(/** @type {{ watch?: TournamentData | null, playing?: TournamentGame[] }} */ { watch, playing }) {
    this.#data = watch ?? this.#data;
    this.#playing = playing ?? this.#playing;
    if (this.app.tab === this) this.#show(!!watch);
  }

  /** Shows a game on the large board. A reader who follows its last move sees the next one. */
  #open(/** @type {TournamentGame} */ game) {
    const { app } = this;
    const moves = game.moves.slice(0, game.changes.length);
    const known = this.#session;
    const key = JSON.stringify([game.number, game.start, this.#players(game)]);
    if (known && key === this.#key) {
      const { tree } = known;
      const isAtEnd = known.at === tree.end();
      const end = tree.addLine(tree.root, moves);
      if (isAtEnd && end !== known.at) app.showPosition(end);
      else app.draw();
      return;
    }
    const session = new Session(new GameTree(game.game, game.start));
    session.at = session.tree.addLine(session.tree.root, moves);
    session.names = this.#players(game);
    this.#session = session;
    this.#key = key;
    app.openSession(session);
  }

  #players(/** @type {TournamentGame} */ { players }) {
    return players.map((player) =>
      typeof player === "string" ? player : (this.#data?.standings[player ?? -1]?.name ?? "?"),
    );
  }

  playerName(/** @type {number} */ side) {
    return this.#session?.names[side] || super.playerName(side);
  }

  #show(hasNewReport = true) {
    if (!this.#data) return;
    if (!byId("watch-curves"))
      byId("watch").replaceChildren(
        ...[...PARTS, "curves", "endings"].map((id) => element("div", { id: `watch-${id}` })),
      );
    if (hasNewReport) this.#showReport(this.#data);
    this.#showGames(this.#data);
  }

  #showReport(/** @type {TournamentData} */ data) {
    const say = (/** @type {string} */ text, /** @type {TextValues} */ values = {}) =>
      fill(dictionary(this.app.catalogue.texts)[text] ?? text, values);
    const report = new Tournament(data, say);
    const heading = (/** @type {string} */ text) => element("h2", {}, say(text));
    const sprt = report.sprt();
    this.#replace(
      "standings",
      element("h2", {}, report.names.length === 2 ? report.versus() : data.title),
      element("p", {}, report.summary()),
      ...data.warnings.map((lines) => element("p", { class: "notice" }, lines.join(" "))),
      ...report.standings(),
      ...(sprt.length ? [heading("SPRT"), ...sprt] : []),
    );
    this.#replace("crosstable", heading("Crosstable"), ...report.crosstable(), heading("Charts"));
    this.#charts = drawCharts(byId("watch-curves"), report.charts(), this.#charts);
    this.#replace(
      "endings",
      heading("Terminations and faults"),
      ...report.terminations(),
      ...data.setup.map(([name, value]) => note(`${say(name)}: ${value}`)),
    );
  }

  #showGames(/** @type {TournamentData} */ { games }) {
    const drawn = (/** @type {TournamentGame[]} */ list) =>
      list.filter((game) => game.start && this.#layout(game)).slice(-SHOWN_BOARDS);
    const [playing, last] = [drawn(this.#playing), drawn(games).reverse()];
    const boards = (/** @type {string} */ id, /** @type {TournamentGame[]} */ list) =>
      list.length
        ? [
            element("h2", {}, t(`watch.${id}`)),
            element("div", { class: "boards", id: `watch-${id}` }, ...list.map((game) => this.#board(game))),
          ]
        : [];
    this.#replace("boards", ...boards("playing", playing), ...boards("latest", last));
    const options = games
      .map((game) => /** @type {[string, string]} */ ([`${game.number}`, this.#caption(game)]))
      .reverse();
    const isChosen = (/** @type {TournamentGame} */ game) => game.number === this.#chosen;
    const shown = this.#playing.find(isChosen) ?? games.find(isChosen) ?? playing[0] ?? last[0];
    const reason = shown?.reason;
    this.#replace(
      "games",
      choice(
        t("watch.shown"),
        [["0", t("watch.newest")], ...options],
        `${this.#chosen}`,
        (number) => this.#choose(Number(number)),
        { id: "watch-game" },
      ),
      ...(reason ? [note(dictionary(this.app.catalogue.texts)[reason] ?? reason)] : []),
      actions(
        button(t("play.review"), () => this.#take("review"), { id: "watch-review" }),
        button(t("tab.analyse"), () => this.#take("analyse"), { id: "watch-analyse" }),
      ),
    );
    if (shown) this.#open(shown);
  }

  /** Opens the shown game in another tab, as it is now. */
  #take(/** @type {string} */ tab) {
    const { app } = this;
    if (!this.#session) return;
    app.saveNow();
    app.openGame(Session.restore(this.#session.store()), tab);
  }

  #choose(/** @type {number} */ number) {
    this.#chosen = number;
    this.#show(false);
  }

  /** Replaces a part of the panel if it has changed, without moving the focus. An open list stays. */
  #replace(/** @type {string} */ id, /** @type {Node[]} */ ...nodes) {
    const before = byId(`watch-${id}`);
    const after = element("div", { id: before.id, class: "stack" }, ...nodes);
    const { activeElement } = document;
    const isInside = before.contains(activeElement);
    if (before.isEqualNode(after) || (isInside && activeElement?.matches("select"))) return;
    const regions = (/** @type {Element} */ part) => [...part.querySelectorAll(".scroll")];
    const known = regions(before);
    const places = known.map((region) => region.scrollLeft);
    before.replaceWith(after);
    regions(after).forEach((region, index) => {
      region.scrollLeft = places[index] ?? 0;
    });
    const focused =
      isInside && activeElement ? (byId(activeElement.id) ?? regions(after)[known.indexOf(activeElement)]) : null;
    focused?.focus({ preventScroll: true });
  }

  #layout(/** @type {TournamentGame} */ game) {
    return (
      dictionary(this.#data?.layouts)[game.game] ?? this.app.catalogue.games.find(({ id }) => id === game.game)?.layout
    );
  }

  #caption(/** @type {TournamentGame} */ game) {
    return t("watch.game", {
      number: game.number,
      players: this.#players(game).join(" – "),
      result: game.result === "*" ? t("watch.ply", { ply: game.moves.length }) : resultText(game.result),
    });
  }

  /** Draws the last position of a game. */
  #board(/** @type {TournamentGame} */ game) {
    const letters = [...game.shown];
    for (const change of game.changes)
      for (const word of change.split(" ").filter(Boolean)) letters[parseInt(word, 10)] = word.at(-1) ?? ".";
    const board = createBoard({ .../** @type {Layout} */ (this.#layout(game)), labels: [] });
    const caption = this.#caption(game);
    board.show(letters, new Set(), caption);
    return element(
      "figure",
      {},
      button(caption, () => this.#choose(game.number), { class: "move", id: `watch-game-${game.number}` }),
      board.svg,
    );
  }
}
