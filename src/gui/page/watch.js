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
  /** @type {any} */
  #data = null;
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
    if (this.#data) this.#show();
    this.app.connection.ask("watch").catch((error) => byId("watch")?.replaceChildren(element("p", { class: "note" }, error.message)));
  }

  canMove() {
    return false;
  }

  onMove() {}

  onWatch(/** @type {any} */ data) {
    if (data) this.#data = data;
    if (data && this.app.tab === this) this.#show();
  }

  /** Shows a game on the large board, unless it is shown already. */
  #open(/** @type {any} */ game) {
    const { app } = this;
    const tree = new GameTree(game.game, game.start);
    const session = new Session(tree);
    session.at = tree.addLine(tree.root, game.moves.slice(0, game.changes.length));
    session.names = this.#players(game);
    const known = this.#session;
    if (known && JSON.stringify([known.tree.setup(known.tree.end()), known.names]) === JSON.stringify([session.setup, session.names])) return;
    this.#session = session;
    app.openSession(session);
  }

  #players(/** @type {any} */ game) {
    return game.players.map((/** @type {number | null} */ player) => this.#data.standings[player ?? -1]?.name ?? "?");
  }

  playerName(/** @type {number} */ side) {
    return this.#session?.names[side] || super.playerName(side);
  }

  #show() {
    const { standings, games, elo, title, counted } = this.#data;
    const row = (/** @type {any} */ player) => element("tr", {}, element("th", { scope: "row" }, player.name),
      ...[player.games, player.wins, player.draws, player.losses, player.points, estimate(player.elo)].map((cell) => element("td", {}, `${cell}`)));
    const head = ["player", "games", "wins", "draws", "losses", "points", "elo"].map((key) => element("th", { scope: "col" }, t(`watch.${key}`)));
    const figure = element("figure", {});
    const last = games.filter((/** @type {any} */ game) => game.start && this.#layout(game)).slice(-SHOWN_BOARDS).reverse();
    byId("watch").replaceChildren(element("h2", {}, title), element("p", { class: "note" }, t("watch.counted", { count: counted })),
      element("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": t("watch.standings") }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...standings.map(row)))),
      figure, element("div", { class: "boards" }, ...last.map((/** @type {any} */ game) => this.#board(game))));
    const shown = games.find((/** @type {any} */ game) => game.number === this.#chosen) ?? last[0];
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
    const caption = t("watch.game", { number: game.number, players: this.#players(game).join(" – "), result: game.result });
    board.show(letters, new Set(), caption);
    return element("figure", {}, button(caption, () => { this.#chosen = game.number; this.#open(game); }, { class: "move" }), board.svg);
  }
}
