// What is known about a game and a position: the engine's study, the values of the moves, and the
// graph of a small game.

import { showAtlas } from "./atlas.js";
import { createBoard } from "./board.js";
import { byId, element, shape } from "./dom.js";
import { showRatings } from "./ratings.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { boundsText } from "./values.js";
import { button, note } from "./widgets.js";

const STUDY_MS = 2000;
/** Longer tables are folded, like those of single facts. */
const SHOWN_ROWS = 8;
const OPPOSITE = { win: "loss", loss: "win", draw: "draw" };
/** The size of a position of the graph, and the distance between two. */
const [NODE, STEP] = [64, 96];

export class ExploreTab extends Tab {
  /** @type {AbortController | null} */
  #search = null;

  build() {
    return element(
      "div",
      { class: "stack" },
      element("section", { class: "card", id: "values" }),
      element("div", { id: "atlas" }),
      element("div", { id: "graph" }),
      element("div", { class: "stack", id: "study" }),
    );
  }

  onLeave() {
    this.#search?.abort();
    this.app.board.setBadges(new Map());
  }

  onPosition() {
    this.#search?.abort();
    const { signal } = (this.#search = new AbortController());
    this.app.board.setBadges(new Map());
    if (!this.app.session.allowsHelp) {
      for (const id of ["atlas", "graph", "study"]) byId(id).replaceChildren();
      return byId("values").replaceChildren(element("p", {}, t("friend.noHelp")));
    }
    this.#values(signal);
    this.#study(signal);
    if (this.app.info.has_graph) this.#graph(signal);
    else byId("graph").replaceChildren();
  }

  /** Shows the values of the moves, in the panel and on the board: those of the atlas or, outside it, of a search. */
  async #values(/** @type {AbortSignal} */ signal) {
    const { app } = this;
    const box = byId("values");
    const title = element("h2", {}, t("explore.values"));
    box.replaceChildren();
    const known = await showAtlas(this, byId("atlas"));
    if (signal.aborted) return;
    if (!app.position || app.position.outcome)
      return box.replaceChildren(title, element("p", {}, app.position?.outcome?.text ?? ""));
    box.replaceChildren(title, note(t("analyse.waiting")));
    await showRatings(
      this,
      signal,
      (list) => box.replaceChildren(title, list, note(t(known.length ? "explore.atlasLegend" : "explore.legend"))),
      (message) => box.replaceChildren(title, note(message)),
      known,
    );
  }

  /** Shows what the engine knows: about the game at its start, about the position later. */
  async #study(/** @type {AbortSignal} */ signal) {
    const { app } = this;
    const { setup } = app.session;
    const subject = setup.moves.length || setup.start !== null ? { setup } : { game: setup.game };
    /** @type {{ title: string, blocks: StudyBlock[], data: any } | null} */
    const study = await app.connection.ask("analysis", { ...subject, ms: STUDY_MS }, { signal }).catch(() => null);
    if (signal.aborted) return;
    // The title and the values of the moves are shown above, and the picture of a position is the board.
    const isKnown = (/** @type {StudyBlock} */ block) =>
      block.kind === "heading"
        ? block.text === study?.title
        : "setup" in subject && (block.kind === "figure" || this.#isMoveTable(block));
    const blocks = study?.blocks.filter((block) => !isKnown(block)) ?? [];
    const { value } = study?.data ?? {};
    byId("study").replaceChildren(
      ...(study
        ? [
            element(
              "section",
              { class: "card study" },
              element("h2", {}, study.title),
              value?.at_least ? element("p", {}, boundsText(value)) : null,
              ...blocks.map((block) => this.#block(block)),
            ),
          ]
        : []),
    );
  }

  /** Whether a block is the table of the moves with their values; that of the reasons has two columns. */
  #isMoveTable(/** @type {StudyBlock} */ block) {
    const { legal = [] } = this.app.position ?? {};
    return (
      block.kind === "table" &&
      block.columns.length > 2 &&
      block.rows.length > 0 &&
      block.rows.every(([cell]) => legal.some(({ move }) => move === cell))
    );
  }

  #block(/** @type {StudyBlock} */ block) {
    const parts = (/** @type {StudyPart[]} */ list) =>
      list.map(({ text, style }) =>
        style === "plain" || style === "link"
          ? text
          : element(style === "code" ? "code" : style === "strong" ? "strong" : "em", {}, text),
      );
    switch (block.kind) {
      case "heading":
        return element("h3", {}, block.text);
      case "paragraph":
        return element("p", {}, ...parts(block.parts));
      case "list":
        return element(
          block.is_numbered ? "ol" : "ul",
          {},
          ...block.items.map((item) => element("li", {}, ...parts(item))),
        );
      case "diagram":
        return element("pre", { tabindex: 0 }, block.text);
      case "figure": {
        // A part of the page, so that it has its colours.
        const picture = document.adoptNode(new DOMParser().parseFromString(block.svg, "image/svg+xml").documentElement);
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", block.caption);
        return element("figure", {}, picture, element("figcaption", {}, block.caption));
      }
      default: {
        const row = (/** @type {string[]} */ cells) =>
          element("tr", {}, ...cells.map((cell) => element("td", {}, this.#moveOr(cell))));
        const table = element(
          "div",
          { class: "wide-table", tabindex: 0, role: "region", "aria-label": block.caption || t("explore.table") },
          element(
            "table",
            {},
            block.caption ? element("caption", {}, block.caption) : null,
            element(
              "thead",
              {},
              element(
                "tr",
                {},
                ...block.columns.map(({ label }) => (label ? element("th", { scope: "col" }, label) : element("td"))),
              ),
            ),
            element("tbody", {}, ...block.rows.map(row)),
          ),
          ...block.notes.map((text) => note(text)),
        );
        const isDump = block.rows.length > SHOWN_ROWS || block.columns.every(({ label }) => label === "");
        return isDump
          ? element("details", {}, element("summary", {}, block.caption || t("explore.table")), table)
          : table;
      }
    }
  }

  /** A button that plays a cell which names a legal move. */
  #moveOr(/** @type {string} */ cell) {
    return this.app.position?.legal.some(({ move }) => move === cell)
      ? button(cell, () => this.play(cell), { class: "move" })
      : cell;
  }

  /** Draws all positions of the game; a neighbour of the current one is played by clicking it. */
  async #graph(/** @type {AbortSignal} */ signal) {
    const { app } = this;
    /** @type {GraphAnswer | null} */
    const graph = await app.connection.ask("graph", { setup: app.session.setup }, { signal }).catch(() => null);
    if (!graph || signal.aborted) return;
    const [columns, rows] = [graph.nodes.map(({ column }) => column), graph.nodes.map(({ row }) => row)];
    const place = (/** @type {{ column: number, row: number }} */ { column, row }) => [
      (column - Math.min(...columns) + 0.5) * STEP,
      (row - Math.min(...rows) + 0.5) * STEP,
    ];
    const [width, height] = [
      (Math.max(...columns) - Math.min(...columns) + 1) * STEP,
      (Math.max(...rows) - Math.min(...rows) + 1) * STEP,
    ];
    const lines = graph.arrows.map(([from, to]) => {
      const [a, b] = [graph.nodes[from], graph.nodes[to]];
      if (!a || !b) return null;
      const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [place(a), place(b)];
      const isNext = from === graph.current && graph.moves.some((move) => move.to === to);
      return shape("line", { x1, y1, x2, y2, class: isNext ? "edge next" : "edge" });
    });
    // A forced move decides the value: at the start not every move of the position is legal.
    const forced = graph.moves.length === 1 ? graph.nodes[graph.moves[0]?.to ?? -1]?.value : undefined;
    const nodes = graph.nodes.map((node, index) => {
      const [x = 0, y = 0] = place(node);
      const move = graph.moves.find(({ to }) => to === index)?.move;
      const isCurrent = index === graph.current;
      const worth = isCurrent && forced ? OPPOSITE[forced] : node.value;
      const value = t(`value.${worth}`);
      const picture = createBoard({ ...app.info.layout, labels: [] });
      picture.show(node.shown, new Set(), "");
      for (const [name, size] of Object.entries({ x: x - NODE / 2, y: y - NODE / 2, width: NODE, height: NODE }))
        picture.svg.setAttribute(name, `${size}`);
      picture.svg.setAttribute("aria-hidden", "true");
      picture.svg.removeAttribute("aria-label");
      const label = t(isCurrent ? "graph.current" : move ? "graph.move" : "graph.state", {
        name: node.name,
        value,
        move: move ?? "",
      });
      const play = move ? () => this.play(move) : undefined;
      const area = { x: x - NODE / 2 - 6, y: y - NODE / 2 - 6, width: NODE + 12, height: NODE + 12, rx: 8 };
      return shape(
        "g",
        {
          class: `state value-${worth}${isCurrent ? " current" : ""}${node.is_reached ? "" : " unreached"}${move ? " next" : ""}`,
        },
        shape("rect", area),
        picture.svg,
        shape(
          "text",
          { x, y: y + NODE / 2 + 19, "text-anchor": "middle", "aria-hidden": "true" },
          `${node.name} ${value}`,
        ),
        shape("rect", {
          ...area,
          class: "hit",
          role: move ? "button" : "img",
          tabindex: move ? 0 : null,
          "aria-label": label,
          onclick: play,
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (play && (event.key === "Enter" || event.key === " ")) {
              event.preventDefault();
              play();
            }
          },
        }),
      );
    });
    const box = element(
      "div",
      { class: "graph-box", tabindex: 0, role: "region", "aria-label": t("graph.all") },
      shape(
        "svg",
        { viewBox: `0 0 ${width} ${height + 12}`, class: "graph", role: "group", "aria-label": t("graph.all") },
        ...lines,
        ...nodes,
      ),
    );
    byId("graph").replaceChildren(
      element("section", { class: "card" }, element("h2", {}, t("graph.all")), note(t("graph.note")), box),
    );
    const [x = 0] = place(graph.nodes[graph.current ?? 0] ?? { column: 0, row: 0 });
    box.scrollLeft = (x / width) * box.scrollWidth - box.clientWidth / 2;
  }
}
