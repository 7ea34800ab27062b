// <zermelo-board>: a board for any page, with its moves and a live analysis. It is made of the parts of the page of Zermelo.

import { BoardView } from "./board_view.js";
import { element } from "./dom.js";
import { Engine } from "./engine.js";
import { GameTree, Session } from "./game.js";
import { drawLines, valueOf } from "./lines.js";
import { showMoves } from "./moves.js";
import { loadTexts, t } from "./texts.js";
import { valueText } from "./values.js";
import { iconButton, toggle } from "./widgets.js";

/** Milliseconds between two changes of the analysis. */
const UPDATE_MS = 120;
const STYLES = ["components.css", "app.css", "zermelo-board.css"];

/** The texts of the page's language, for all boards. */
const texts = loadTexts(document.documentElement.lang.startsWith("zh") ? "zh" : "en");

export class ZermeloBoard extends HTMLElement {
  static observedAttributes = ["game", "fen", "moves", "lines"];
  #engine = null;
  #info = null;
  #position = null;
  #session = null;
  #ticket = 0;
  /** Which board is drawn: the game and how it is seen. */
  #drawn = "";
  #lines = [];
  #isUpdating = false;
  #showsAnalysis = true;
  #parts = {
    evaluation: element("div", { class: "evaluation", hidden: true }), board: element("div", { class: "board-host" }),
    status: element("p", { class: "status", role: "status" }), reply: element("p", { class: "reply", role: "status" }),
    controls: element("div", { class: "bar-row" }), analysis: element("ol", { class: "lines" }), moves: element("div", { class: "scroller tall" }),
  };
  #view = new BoardView(this.#parts.board, this.#parts.evaluation);

  constructor() {
    super();
    const { evaluation, board, status, reply, controls, analysis, moves } = this.#parts;
    this.attachShadow({ mode: "open" }).append(
      ...STYLES.map((name) => element("link", { rel: "stylesheet", href: new URL(name, import.meta.url) })),
      element("div", { class: "parts" }, element("div", {}, element("div", { class: "table" }, evaluation, board), status, reply),
        element("div", { class: "stack" }, controls, analysis, moves)));
    this.#view.onMove = ({ move }) => this.#show(this.#session.tree.add(this.#session.at, move));
    this.#view.onIllegal = async (move) => { reply.textContent = (await this.#engine.ask("why_illegal", { setup: this.#session.setup, move })).text ?? ""; };
    this.#view.onRemark = (text) => { reply.textContent = text; };
  }

  async connectedCallback() {
    const engine = this.#engine = new Engine();
    engine.addEventListener("info", ({ detail }) => this.#receive(detail));
    try {
      await texts;
      this.games = await engine.games();
      if (engine !== this.#engine) return;
      this.#buildControls();
      this.#open();
    } catch (error) {
      this.#parts.reply.textContent = error.message;
    }
  }

  disconnectedCallback() {
    this.#engine.close();
    this.#engine = this.#session = null;
  }

  attributeChangedCallback() {
    if (this.#session) this.#open();
  }

  /** The moves up to the shown position, as the attribute. */
  get moves() {
    return this.#session?.tree.moves(this.#session.at) ?? [];
  }

  /** The FEN of the shown position. */
  get fen() {
    return this.#position?.fen ?? null;
  }

  #buildControls() {
    const step = (name, target) => iconButton(name, t(`step.${name}`), () => { const node = target(this.#session); if (node) this.#show(node); });
    this.#parts.controls.replaceChildren(
      element("div", { class: "steps", role: "group", "aria-label": t("steps") },
        step("first", ({ tree }) => tree.root), step("previous", ({ at }) => at.parent), step("next", ({ at }) => at.children[0]),
        step("last", ({ tree, at }) => tree.end(at)),
        iconButton("flip", t("flip"), () => { this.#session.isFlipped = !this.#session.isFlipped; this.#draw(); this.#showLines(); })),
      toggle(t("analyse.engine"), this.#showsAnalysis, (isOn) => { this.#showsAnalysis = isOn; this.#analyse(); }));
    this.#parts.analysis.setAttribute("aria-label", t("analyse.title"));
  }

  /** Shows what the attributes say. */
  #open() {
    const game = this.getAttribute("game") ?? "tixtax";
    this.#info = this.games.find(({ id }) => id === game) ?? null;
    if (!this.#info) {
      this.#parts.reply.textContent = `unknown game "${game}", expected one of: ${this.games.map(({ id }) => id).join(" ")}`;
      return;
    }
    const tree = new GameTree(game, this.getAttribute("fen"));
    this.#session = new Session(tree);
    this.#show(tree.addLine(tree.root, (this.getAttribute("moves") ?? "").split(/\s+/).filter(Boolean)));
  }

  async #show(node) {
    const ticket = this.#ticket += 1;
    const session = this.#session;
    const { tree, at } = session;
    try {
      const position = await this.#engine.position({ game: tree.game, fen: tree.start, moves: tree.moves(node) });
      if (ticket !== this.#ticket) return;
      session.at = node;
      session.firstSide = (position.side + tree.moves(node).length) % 2;
      this.#position = position;
      this.#parts.status.textContent = position.status;
      this.#parts.reply.textContent = "";
      this.#draw(node.parent === at);
      showMoves(this.#parts.moves, { session, stepTo: (target) => this.#show(target) });
      this.#analyse();
      this.dispatchEvent(new CustomEvent("position", { bubbles: true, detail: { moves: this.moves, ...position } }));
    } catch (error) {
      if (ticket === this.#ticket) this.#parts.reply.textContent = error.message;
    }
  }

  #draw(isMove = false) {
    const isOpen = !this.#position.outcome;
    const board = `${this.#info.id} ${this.#session.isFlipped} ${this.#position.labels.length > 0}`;
    if (board !== this.#drawn) {
      this.#drawn = board;
      this.#view.setGame(this.#info, this.#session.isFlipped, this.#position.labels.length > 0);
    }
    this.#view.show(this.#position, { isOpen, isActive: isOpen, isMove });
  }

  #analyse() {
    this.#lines = [];
    const count = Math.min(Number(this.getAttribute("lines") ?? 2), this.#position.legal.length);
    const isOn = this.#showsAnalysis && count > 0;
    this.#parts.analysis.style.setProperty("--lines", `${isOn ? count : 0}`);
    this.#showLines();
    // Another position or the end of the element ends the analysis.
    if (isOn) this.#engine.analyse({ lines: count }).catch(() => {});
    else this.#engine.stop();
  }

  #receive(info) {
    if (info.bound || !this.#showsAnalysis) return;
    this.#lines[info.multipv - 1] = info;
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    setTimeout(() => { this.#isUpdating = false; this.#showLines(); }, UPDATE_MS);
  }

  #showLines() {
    const { side, legal } = this.#position;
    const lines = this.#lines.flatMap((info) => (info ? [[` ${info.multipv}`, info]] : []));
    const play = (move) => this.#show(this.#session.tree.add(this.#session.at, move));
    drawLines(this.#parts.analysis, lines, { info: this.#info, side, play });
    const [best] = this.#lines;
    const value = best ? valueOf(best, side) : null;
    this.#view.showEvaluation(value, value ? valueText(this.#info, value) : "");
    const arrows = lines.flatMap(([, { multipv, pv }]) => {
      const found = legal.find(({ move }) => move === pv[0]);
      return found ? [{ spots: found.spots, kind: multipv === 1 ? "best" : "second" }] : [];
    });
    this.#view.setArrows(arrows.reverse());
  }
}

customElements.define("zermelo-board", ZermeloBoard);
