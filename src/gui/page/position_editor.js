// Setting a position up by clicks: a click puts a piece on the board, or takes it away.

import { isSide, isText, isTextList } from "./checks.js";
import { byId, element } from "./dom.js";
import { sideName } from "./players.js";
import { t } from "./texts.js";
import { actions, button, note } from "./widgets.js";

/** The field of a FEN that names the last move, in games of several boards. */
const LAST_MOVE = 3;

export class PositionEditor {
  /**
   * What the board shows while editing.
   *
   * @type {{ base: string, letters: string[], side: number, piece: string, last: string } | null}
   */
  #edit = null;
  /** The number of changes on the edited board: only the answer about the last one counts. */
  #changes = 0;
  #app;
  #open;

  /** `open` shows the finished position. */
  constructor(/** @type {App} */ app, /** @type {(fen: string) => Promise<void>} */ open) {
    this.#app = app;
    this.#open = open;
  }

  get isOpen() {
    return this.#edit !== null;
  }

  get stored() {
    return this.#edit;
  }

  restore(/** @type {any} */ stored) {
    const { base, letters, side, piece, last } = stored ?? {};
    if (isTextList(letters) && isSide(side) && [base, piece, last].every(isText)) this.#edit = stored;
  }

  /** What is edited: the shown position. */
  get #base() {
    return JSON.stringify(this.#app.session.setup);
  }

  /** Goes on with the edited board after another tab, language or run; not on another position. */
  resume() {
    if (this.#edit?.base === this.#base && this.#edit.letters.length === this.#app.info.layout.spots.length)
      this.#build();
    else this.end();
  }

  /** Lets clicks put pieces on the board. */
  start() {
    const app = this.#app;
    const { position } = app;
    if (!app.isSettled || !position) return;
    const letters = app.info.layout.spots.map((spot, at) =>
      spot.is_area ? "." : (position.shown[at] ?? ".").toLowerCase().replace("*", "."),
    );
    const last = position.fen.split(" ")[LAST_MOVE] ?? "-";
    const piece = app.info.layout.pieces[0]?.letter ?? "";
    this.#edit = { base: this.#base, letters, side: position.side, piece, last };
    this.#build();
  }

  #build() {
    const app = this.#app;
    const edit = this.#edit;
    if (!edit) return;
    app.engines.halt();
    app.board.setArrows([]);
    app.board.setBadges(new Map());
    app.board.showEvaluation(null);
    const side = element(
      "select",
      {
        onchange: () => {
          edit.side = Number(side.value);
          this.#showEdit();
        },
      },
      ...[0, 1].map((one) => element("option", { value: one, selected: one === edit.side }, sideName(app.info, one))),
    );
    const piece = element(
      "select",
      {
        id: "edit-piece",
        onchange: () => {
          edit.piece = piece.value;
        },
      },
      ...[...app.info.sides, "."].map((letter, at) =>
        element(
          "option",
          { value: letter, selected: letter === edit.piece },
          app.info.side_names[at] ?? t("board.empty"),
        ),
      ),
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
            this.end();
            await this.#open(fen);
          },
          { class: "primary", id: "edit-done" },
        ),
        button(t("edit.cancel"), () => {
          this.end();
          app.showPosition(app.session.at);
        }),
      ),
    );
    this.#showEdit();
  }

  end() {
    this.#edit = null;
    byId("editor")?.replaceChildren();
  }

  async #showEdit() {
    const edit = this.#edit;
    const app = this.#app;
    if (!edit || !app.position) return;
    app.save();
    this.#showLastMoves(edit.side);
    const { spots } = app.info.layout;
    const last = spots.flatMap(({ name }, at) => (name === edit.last ? [at] : []));
    const show = (/** @type {string} */ shown) =>
      app.board.show({ .../** @type {any} */ (app.position), shown, last, legal: [], labels: [] });
    // At once, so that the next click is no move.
    show(edit.letters.join(""));
    const answer = await this.#editedFen();
    if (answer && edit === this.#edit && byId("editor")) show(answer.shown);
  }

  /** Whether a position of the game names the last move. */
  #hasLastMove() {
    return this.#app.info.layout.spots.some(({ is_area: isArea }) => isArea);
  }

  /** Offers the pieces of the opponent as the last move, with the board that each of them sends to. */
  #showLastMoves(/** @type {number} */ side) {
    const edit = this.#edit;
    if (!edit || !this.#hasLastMove()) return;
    const { spots } = this.#app.info.layout;
    const areas = spots.filter(({ is_area: isArea }) => isArea);
    const options = spots.flatMap(({ x, y, name }, at) => {
      if (edit.letters[at] !== this.#app.info.sides[1 - side]) return [];
      const number = 1 + Math.floor(x % 3) + 3 * Math.floor(y % 3);
      return [
        /** @type {[string, string]} */ ([name, `${name} → ${t("board.place", { place: t(`place.${number}`) })}`]),
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
    const isCurrent = () => edit === this.#edit && change === this.#changes && byId("editor") !== null;
    const app = this.#app;
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
    const { fen } = await app.positions.get({ game, start: null, moves: [] });
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

  click(/** @type {number} */ spot) {
    const edit = this.#edit;
    if (!edit) return;
    edit.letters[spot] = edit.letters[spot] === edit.piece ? "." : edit.piece;
    this.#showEdit();
  }
}
