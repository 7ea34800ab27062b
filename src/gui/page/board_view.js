// The board that people play on: mouse, drag, touch and keyboard. A move is a list of spots, clicked
// one after the other; which lists are legal comes from the engine.

import { createBoard, decodeSpot, drawPiece } from "./board.js";
import { byId, element, shape } from "./dom.js";
import { t } from "./texts.js";
import { shortValue } from "./values.js";
import { pictureOf } from "./picture.js";
import { toast } from "./widgets.js";

const DRAG_DISTANCE = 6;
export class BoardView {
  /** @type {ReturnType<typeof createBoard> | null} */
  #board = null;
  /** @type {GameInfo | null} */
  #info = null;
  /** @type {PositionAnswer | null} */
  #position = null;
  #isFlipped = false;
  #isActive = false;
  /** What is drawn on the board, also after it is flipped. @type {Arrow[]} */
  #arrows = [];
  /** @type {Map<number, Badge>} */
  #badges = new Map();
  /** @type {number | null} */
  #selected = null;
  /** @type {(SVGRectElement | null)[]} */
  #hits = [];
  #ghost = shape("g", { class: "ghost" });
  #focused = 0;
  /** @type {{ spot: number, x: number, y: number, id: number, isDragging: boolean } | null} */
  #press = null;
  /** Called with a legal move. */
  onMove = (/** @type {LegalMove} */ _move) => {};
  /** Called with the names of clicked spots that are no legal move. */
  onIllegal = (/** @type {string} */ _names) => {};
  /** Called with what else there is to say about a click. */
  onRemark = toast;
  /** Called with clicks while nobody may move, and in the editor. */
  onClick = (/** @type {number} */ _spot) => {};

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} evaluation the evaluation bar
   */
  constructor(host, evaluation) {
    this.host = host;
    this.evaluation = evaluation;
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => this.#cancelDrag());
  }

  /** Draws the empty board of a game; `isFlipped` if the second player sits below it. */
  setGame(/** @type {GameInfo} */ info, /** @type {boolean} */ isFlipped, hasExtraLabels = false) {
    this.#info = info;
    this.#isFlipped = isFlipped;
    // Pieces that are only placed look the same from both sides, and texts name the places of the board.
    const isTurned = isFlipped && info.layout.pieces.some(({ form }) => form === "disc");
    this.#board = createBoard(info.layout, { isFlipped: isTurned, hasExtraLabels });
    this.#selected = null;
    this.#position = null;
    const { svg, layout } = this.#board;
    svg.setAttribute("role", "group");
    svg.classList.add("playable");
    this.#hits = layout.spots.map(({ x, y, size, is_area }, index) =>
      is_area
        ? null
        : shape("rect", {
            class: "hit",
            x: x - size / 2,
            y: y - size / 2,
            width: size,
            height: size,
            role: "button",
            tabindex: -1,
            "data-spot": index,
          }),
    );
    this.#focused = this.#hits.findIndex((hit) => hit !== null);
    this.#ghost = shape("g", { class: "ghost" });
    svg.append(this.#ghost, shape("g", {}, ...this.#hits));
    svg.addEventListener("click", (event) => this.#click(event));
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#hover(event));
    svg.addEventListener("pointerleave", () => this.#ghost.replaceChildren());
    svg.addEventListener("focusin", (event) => {
      this.#focused = this.#spotOf(event.target) ?? this.#focused;
    });
    this.host.replaceChildren(svg);
    this.#placeBar();
    this.setArrows(this.#arrows);
    this.setBadges(this.#badges);
  }

  /**
   * Shows a position; `isOpen` if the game goes on from it, `isActive` if the user may move, `isMove` if the last move
   * was just made, `isSent` if the board that it sends to is pointed at.
   */
  show(
    /** @type {PositionAnswer} */ position,
    { isOpen = true, isActive = false, isMove = false, isSent = false } = {},
  ) {
    const board = this.#board;
    if (!board) return;
    this.#cancelDrag();
    const before = this.#position?.shown ?? "";
    this.#position = position;
    this.#isActive = isActive;
    this.#selected = null;
    this.#ghost.replaceChildren();
    const last = new Set(position.last);
    board.show(position.shown, last, t("board.name", { game: this.#info?.name ?? "" }), isOpen);
    board.setExtraLabels(position.labels);
    const areas = board.layout.spots.flatMap(({ is_area: isArea }, index) => (isArea ? [index] : []));
    const stateOf = (/** @type {number} */ index) => decodeSpot(position.shown[index] ?? ".");
    const boards = isOpen ? areas.filter((index) => stateOf(index).lit) : [];
    board.setSent(position.last.at(-1) ?? -1, boards, { isShown: isSent, isMove });
    if (isMove) {
      this.#animate(position.last);
      for (const index of areas)
        if (board.pieces.has(stateOf(index).mark) && before[index]?.toLowerCase() !== stateOf(index).mark)
          board.pieceOf(index)?.classList.add("is-won");
    }
    this.#mark();
    const states = new Map(
      areas.flatMap((index) => board.covered[index]?.map((cell) => [cell, this.#stateOfArea(index)]) ?? []),
    );
    this.#hits.forEach((hit, index) => {
      if (!hit) return;
      const spot = board.layout.spots[index];
      const piece = board.pieces.get(decodeSpot(position.shown[index] ?? ".").mark);
      const words = [
        spot?.name ?? "",
        piece ? (this.#info?.side_names[this.#info.sides.indexOf(piece.letter)] ?? "") : t("board.empty"),
      ];
      const isLegal = isActive && position.legal.some(({ spots }) => spots.includes(index));
      if (isLegal) words.push(t("board.legal"));
      if (last.has(index)) words.push(t("board.last"));
      const label = [...words, states.get(index)].filter(Boolean).join(", ");
      if (hit.getAttribute("aria-label") !== label) hit.setAttribute("aria-label", label);
      hit.classList.toggle("legal", isLegal);
      hit.classList.toggle(
        "grab",
        isActive && position.legal.some(({ spots }) => spots.length > 1 && spots[0] === index),
      );
      hit.setAttribute("tabindex", index === this.#focused ? "0" : "-1");
    });
  }

  /** Who has won a board, and whether it is closed; empty for one that is open to both. */
  #stateOfArea(/** @type {number} */ index) {
    const [board, shown] = [this.#board, this.#position?.shown ?? ""];
    const { mark } = decodeSpot(shown[index] ?? ".");
    const side = this.#info?.side_names[this.#info.sides.indexOf(mark)];
    const isClosed = !board?.covered[index]?.some((cell) => shown[cell] === ".");
    return [side ? t("board.wonBy", { side }) : "", isClosed ? t("board.closed") : ""].filter(Boolean).join(", ");
  }

  /** Lets the piece of the last move appear, or come from where it was. */
  #animate(/** @type {number[]} */ spots) {
    const [from, to] = [spots[0] ?? -1, spots[spots.length - 1] ?? -1];
    const piece = this.#board?.pieceOf(to)?.querySelector(".piece");
    const [start, end] = [from, to].map((spot) => this.#board?.layout.spots[spot]);
    if (!(piece instanceof SVGElement) || !start || !end) return;
    piece.style.setProperty("--dx", `${start.x - end.x}px`);
    piece.style.setProperty("--dy", `${start.y - end.y}px`);
    piece.classList.add(from === to ? "appears" : "slides");
  }

  setArrows(/** @type {Arrow[]} */ arrows) {
    this.#arrows = arrows;
    this.#board?.setArrows(arrows);
  }

  setBadges(/** @type {Map<number, Badge>} */ badges) {
    this.#badges = badges;
    this.#board?.setBadges(badges);
  }

  /** Gives the evaluation bar the height of the board, without its labels. */
  #placeBar() {
    const { svg, layout } = /** @type {ReturnType<typeof createBoard>} */ (this.#board);
    const { y, width, height } = svg.viewBox.baseVal;
    const side = Math.max(width, height);
    const top = (side - height) / 2 - y;
    const { style } = this.evaluation;
    style.top = `${(100 * top) / side}%`;
    style.height = `${(100 * layout.height) / side}%`;
  }

  /** Shows who is better beside the board, with the number at the end of the side that is ahead. */
  showEvaluation(
    /** @type {ShownValue | null} */ value,
    /** @type {string} */ label = "",
    /** @type {string | null} */ result = null,
  ) {
    const bar = this.evaluation;
    bar.hidden = value === null;
    if (!value) return;
    if (!bar.firstChild) bar.append(element("div", { class: "share" }), element("span", { class: "value" }));
    const pieces = this.#info?.layout.pieces ?? [];
    const [share, text] = /** @type {any} */ (bar.children);
    share.style.setProperty("--share", `${(100 * value.expected).toFixed(1)}%`);
    bar.className = `evaluation ${this.#isFlipped ? "flipped" : ""} ${value.expected >= 0.5 ? "" : "behind"}`;
    share.className = `share tone-${pieces[0]?.tone ?? "blue"}`;
    bar.classList.add(`tone-${pieces[1]?.tone ?? "orange"}`);
    text.textContent = result ?? shortValue(value);
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", t("evaluation", { value: label }));
    bar.title = label;
  }

  /** The board as it is shown, as an SVG document. */
  picture() {
    return pictureOf(/** @type {ReturnType<typeof createBoard>} */ (this.#board).svg);
  }

  focus() {
    this.#hits[this.#focused]?.focus();
  }

  /** Plays the move with these spots if it is legal; says why not otherwise. */
  #try(/** @type {number[]} */ spots) {
    const position = this.#position;
    const board = this.#board;
    if (!position || !board) return;
    const begins = position.legal.filter((legal) => spots.every((spot, at) => legal.spots[at] === spot));
    const exact = begins.find((legal) => legal.spots.length === spots.length);
    const last = spots[spots.length - 1] ?? 0;
    if (exact) return this.#play(exact);
    if (begins.length > 0) return this.#select(last);
    if (spots.length > 1) {
      if (spots[0] === last) return this.#select(null);
      if (position.legal.some((legal) => legal.spots[0] === last)) return this.#select(last);
    } else {
      const ends = position.legal.filter((legal) => legal.spots[legal.spots.length - 1] === last);
      if (ends.length === 1 && ends[0]) return this.#play(ends[0]);
      if (ends.length > 1) return this.onRemark(t("board.choose"));
    }
    this.#select(null);
    this.onIllegal(spots.map((spot) => board.layout.spots[spot]?.name ?? "").join(""));
  }

  #play(/** @type {LegalMove} */ move) {
    this.#select(null);
    this.#isActive = false;
    this.onMove(move);
  }

  #select(/** @type {number | null} */ spot) {
    this.#selected = spot;
    this.#mark();
  }

  /**
   * Marks the pieces that can move, or where the selected one can go. Where pieces are placed, the frames of the boards
   * say it.
   */
  #mark() {
    const legal = this.#isActive ? (this.#position?.legal ?? []) : [];
    const from = this.#selected;
    const targets = from === null ? [] : legal.filter(({ spots }) => spots[0] === from);
    const starts = legal.filter(({ spots }) => spots.length > 1);
    this.#board?.setTargets(
      new Set(targets.map(({ spots }) => spots[spots.length - 1] ?? 0)),
      new Set(from === null ? starts.map(({ spots }) => spots[0] ?? 0) : [from]),
    );
    const pieces = new Set(starts.map(({ spots }) => spots[0]));
    this.#hits.forEach((hit, index) => {
      hit?.classList.toggle("selected", index === from);
      if (pieces.has(index)) hit?.setAttribute("aria-pressed", `${index === from}`);
      else hit?.removeAttribute("aria-pressed");
    });
  }

  #spotOf(/** @type {EventTarget | null} */ target) {
    const text = target instanceof SVGElement ? target.dataset.spot : undefined;
    return text === undefined ? null : Number(text);
  }

  #click(/** @type {MouseEvent} */ event) {
    const spot = this.#spotOf(event.target);
    if (spot === null) return;
    this.#focusSpot(spot, false);
    if (!this.#isActive) return this.onClick(spot);
    this.#try(this.#selected === null ? [spot] : [this.#selected, spot]);
  }

  #key(/** @type {KeyboardEvent} */ event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (direction) this.#focusSpot(this.#neighbour(direction[0] ?? 0, direction[1] ?? 0), true);
    else if (event.key === "Enter" || event.key === " ")
      this.#hits[this.#focused]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if (event.key === "Escape" && this.#selected !== null) this.#select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest spot in a direction. */
  #neighbour(/** @type {number} */ dx, /** @type {number} */ dy) {
    const spots = this.#board?.layout.spots ?? [];
    const from = spots[this.#focused];
    let [best, least] = [this.#focused, Infinity];
    spots.forEach((spot, index) => {
      if (spot.is_area || !from || index === this.#focused) return;
      const along = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
      // Clockwise neighbours win ties, so that every spot can be reached.
      const across = (spot.y - from.y) * dx - (spot.x - from.x) * dy;
      const distance = Math.hypot(along, across) + (across > 0 ? 0.29 : 0.3) * Math.abs(across);
      if (along > 0.1 && Math.abs(across) <= 1.5 * along && distance < least) [best, least] = [index, distance];
    });
    return best;
  }

  #focusSpot(/** @type {number} */ spot, /** @type {boolean} */ isVisible) {
    this.#hits[this.#focused]?.setAttribute("tabindex", "-1");
    this.#focused = spot;
    this.#hits[spot]?.setAttribute("tabindex", "0");
    if (isVisible) this.#hits[spot]?.focus();
  }

  #down(/** @type {PointerEvent} */ event) {
    const spot = this.#spotOf(event.target);
    if (spot === null || event.button !== 0 || !this.#isActive) return;
    const canMove = this.#position?.legal.some(({ spots }) => spots.length > 1 && spots[0] === spot);
    if (canMove) this.#press = { spot, x: event.clientX, y: event.clientY, id: event.pointerId, isDragging: false };
  }

  #move(/** @type {PointerEvent} */ event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.isDragging) {
      if (Math.hypot(dx, dy) < DRAG_DISTANCE) return;
      press.isDragging = true;
      this.#select(press.spot);
    }
    const scale = this.#board?.svg.getScreenCTM()?.a ?? 1;
    const piece = this.#board?.pieceOf(press.spot);
    piece?.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
    piece?.classList.add("dragged");
  }

  #up(/** @type {PointerEvent} */ event) {
    const press = this.#press;
    this.#cancelDrag();
    if (!press?.isDragging) return;
    const spot = this.#spotOf(
      /** @type {Document | ShadowRoot} */ (this.host.getRootNode()).elementFromPoint(event.clientX, event.clientY),
    );
    if (spot === null || spot === press.spot) return this.#select(null);
    this.#try([press.spot, spot]);
  }

  #cancelDrag() {
    const press = this.#press;
    this.#press = null;
    if (!press) return;
    const piece = this.#board?.pieceOf(press.spot);
    piece?.removeAttribute("transform");
    piece?.classList.remove("dragged");
  }

  /** Shows the piece that a click would place. */
  #hover(/** @type {PointerEvent} */ event) {
    const spot = this.#spotOf(event.target);
    const position = this.#position;
    const board = this.#board;
    if (!board || !position || !this.#isActive || this.#press || event.pointerType === "touch")
      return this.#ghost.replaceChildren();
    const isPlacement = position.legal.some(({ spots }) => spots.length === 1 && spots[0] === spot);
    const at = board.layout.spots[spot ?? -1];
    const piece = board.pieces.get(this.#info?.sides[position.side] ?? "");
    this.#ghost.replaceChildren(...(isPlacement && at && piece ? [drawPiece(at, piece)] : []));
  }
}
