// Watching a match: standings, the Elo curve and the latest boards.

import { createBoard } from "./board.js";
import { lineChart } from "./charts.js";
import { byId, element, estimate, signed } from "./dom.js";
import { Session } from "./session.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { GameTree } from "./tree.js";
import { button } from "./widgets.js";

const SHOWN_BOARDS = 4;

export class WatchTab extends Tab {
  hasOwnSession = true;
  /** The report. @type {any} */
  #data = null;
  /** The games in progress. @type {any[]} */
  #playing = [];
  /** What tells the game on the large board from others. */
  #key = "";
  /** The game on the large board. @type {Session | null} */
  #session = null;
  /** The number of the game that the reader chose; by default the latest one is shown. */
  #chosen = 0;

  ownSession() {
    return this.#session;
  }

  build() {
    return element("div", { class: "stack" }, element("div", { class: "stack", id: "watch" }, element("p", { class: "note" }, t("watch.waiting"))));
  }

  onEnter() {
    this.#show();
    this.onReconnect();
  }

  onReconnect() {
    this.app.connection.ask("watch").catch((error) => byId("watch")?.replaceChildren(element("p", { class: "note" }, error.message)));
  }

  canMove() {
    return false;
  }

  onMove() {}

  onWatch(/** @type {{ watch?: any, playing?: any[] }} */ { watch, playing }) {
    this.#data = watch ?? this.#data;
    this.#playing = playing ?? this.#playing;
    if (this.app.tab === this) this.#show();
  }

  /** Shows a game on the large board. A reader who follows its last move sees the next one. */
  #open(/** @type {any} */ game) {
    const { app } = this;
    const moves = game.moves.slice(0, game.changes.length);
    const known = this.#session;
    const key = JSON.stringify([game.number, game.start, this.#players(game)]);
    if (known && key === this.#key) {
      const { tree } = known;
      const isAtEnd = known.at === tree.end();
      const end = tree.addLine(tree.root, moves);
      if (isAtEnd && end !== known.at) app.go(end);
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

  #players(/** @type {any} */ game) {
    return game.players.map((/** @type {number | string | null} */ player) => (typeof player === "string" ? player : this.#data.standings[player ?? -1]?.name ?? "?"));
  }

  playerName(/** @type {number} */ side) {
    return this.#session?.names[side] || super.playerName(side);
  }

  #show() {
    if (!this.#data) return;
    const { standings, games, elo, title, counted, sprt } = this.#data;
    const row = (/** @type {any} */ player) => element("tr", {}, element("th", { scope: "row" }, player.name),
      ...[player.games, player.wins, player.draws, player.losses, player.points, estimate(player.elo)].map((cell) => element("td", {}, `${cell}`)));
    const head = ["player", "games", "wins", "draws", "losses", "points", "elo"].map((key) => element("th", { scope: "col" }, t(`watch.${key}`)));
    const figure = element("figure", {});
    const drawn = (/** @type {any[]} */ list) => list.filter((game) => game.start && this.#layout(game)).slice(-SHOWN_BOARDS);
    const [playing, last] = [drawn(this.#playing), drawn(games).reverse()];
    const boards = (/** @type {string} */ id, /** @type {any[]} */ list) => (list.length ? [element("h2", {}, t(`watch.${id}`)),
      element("div", { class: "boards", id: `watch-${id}` }, ...list.map((game) => this.#board(game)))] : []);
    byId("watch").replaceChildren(element("h2", {}, title), element("p", { class: "note" }, t("watch.counted", { count: counted })),
      element("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": t("watch.standings") }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...standings.map(row)))),
      ...(sprt ? [element("p", { id: "watch-sprt" }, t("watch.sprt", { elo0: sprt.elo0, elo1: sprt.elo1, ratio: signed(sprt.ratio, 2), low: signed(sprt.bounds[0], 2), high: signed(sprt.bounds[1], 2) }), ` ${sprt.conclusion ?? ""}`)] : []),
      figure, ...boards("playing", playing), ...boards("latest", last));
    const isChosen = (/** @type {any} */ game) => game.number === this.#chosen;
    const shown = this.#playing.find(isChosen) ?? games.find(isChosen) ?? playing[0] ?? last[0];
    if (shown) this.#open(shown);
    lineChart(figure, { title: "Elo", xName: t("watch.games"), yName: "Elo", height: 170, lines: [[0, ""]], format: (y) => signed(y, 0),
      series: elo.map((/** @type {any} */ { player, points }) => ({ name: standings[player].name, style: player, points })) });
  }

  #layout(/** @type {any} */ game) {
    return this.#data.layouts?.[game.game] ?? this.app.catalogue.games.find(({ id }) => id === game.game)?.layout;
  }

  /** Draws the last position of a game. */
  #board(/** @type {any} */ game) {
    const letters = [...game.shown];
    for (const change of game.changes) for (const word of change.split(" ").filter(Boolean)) letters[parseInt(word, 10)] = word.at(-1);
    const board = createBoard({ ...this.#layout(game), labels: [] });
    const caption = t("watch.game", { number: game.number, players: this.#players(game).join(" – "), result: game.result === "*" ? t("watch.ply", { ply: game.moves.length }) : game.result });
    board.show(letters, new Set(), caption);
    return element("figure", {}, button(caption, () => { this.#chosen = game.number; this.#open(game); }, { class: "move" }), board.svg);
  }
}
