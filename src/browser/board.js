// Draws boards from a layout and one character per spot, independent of the game.

import { shape } from "./dom.js";

const EMPTY = ".";
export const CLOSED = "#";
/** The margin for labels, which small boards need less of, and the part of it that the layout knows. */
const LABEL_MARGIN = 0.8;
const marginOf = (/** @type {Layout} */ { width }) => Math.min(LABEL_MARGIN, 0.24 + 0.06 * width);

/** Decodes a character into the mark on a spot and whether the spot is highlighted. */
export function decodeSpot(/** @type {string} */ letter) {
  if (letter === "*") return { mark: EMPTY, lit: true };
  const lower = letter.toLowerCase();
  return { mark: lower, lit: lower !== letter };
}

function square(/** @type {Spot} */ { x, y, size }, /** @type {number} */ inset, /** @type {string} */ className) {
  const side = size - 2 * inset;
  return shape("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, class: className });
}

/**
 * Draws a piece on a spot.
 *
 * @param {{ x: number, y: number, size: number }} spot
 * @param {Piece} piece
 */
export function drawPiece({ x, y, size }, piece) {
  const className = `piece tone-${piece.tone} form-${piece.form}`;
  const arm = 0.25 * size;
  if (piece.form === "cross") {
    return shape("path", {
      class: className,
      "stroke-width": 0.11 * size,
      d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`,
    });
  }
  if (piece.form === "ring") {
    return shape("circle", { class: className, cx: x, cy: y, r: 0.27 * size, "stroke-width": 0.11 * size });
  }
  // Discs of crosses and rings carry these, so that they can be told apart without colours; others look like draughts.
  const r = 0.37 * size;
  const mark =
    piece.letter === "x"
      ? shape("path", {
          class: "face",
          "stroke-width": 0.09 * size,
          d: `M${x - 0.4 * r} ${y - 0.4 * r}L${x + 0.4 * r} ${y + 0.4 * r}M${x - 0.4 * r} ${y + 0.4 * r}L${x + 0.4 * r} ${y - 0.4 * r}`,
        })
      : shape("circle", {
          class: "face",
          cx: x,
          cy: y,
          r: piece.letter === "o" ? 0.42 * r : 0.66 * r,
          "stroke-width": (piece.letter === "o" ? 0.09 : 0.035) * size,
        });
  return shape("g", { class: className }, shape("circle", { cx: x, cy: y, r }), mark);
}

/**
 * Rotates a layout by half a turn. Labels stay on their side of the board.
 *
 * @param {Layout} layout
 * @returns {Layout}
 */
export function rotated(layout) {
  const { width, height } = layout;
  /** @type {(point: [number, number]) => [number, number]} */
  const turn = ([x, y]) => [width - x, height - y];
  return {
    ...layout,
    strokes: layout.strokes.map((stroke) => ({ ...stroke, from: turn(stroke.from), to: turn(stroke.to) })),
    spots: layout.spots.map((spot) => ({ ...spot, x: width - spot.x, y: height - spot.y })),
    labels: layout.labels.map((label) => rotatedLabel(layout, label)),
  };
}

function rotatedLabel(/** @type {Layout} */ { width, height }, /** @type {Label} */ { x, y, text }) {
  const isInside = (/** @type {number} */ at, /** @type {number} */ size) => at >= 0 && at <= size;
  return { text, x: isInside(x, width) ? width - x : x, y: isInside(y, height) ? height - y : y };
}

/**
 * Draws the mark of a move: an arrow from spot to spot, a filled square on a single spot, which resembles no piece, or a
 * frame around an area.
 */
function drawArrow(/** @type {Spot[]} */ spots, /** @type {Arrow} */ arrow) {
  const path = arrow.spots.map((index) => spots[index]);
  const [from, to] = [path[0], path[path.length - 1]];
  const className = `arrow ${arrow.kind}`;
  if (!from || !to) return null;
  if (path.length < 2) {
    return to.is_area ? square(to, 0.14, `${className} frame`) : square(to, 0.12 * to.size, `${className} field`);
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const distance = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / distance, dy / distance];
  const size = from.size;
  // An arrow to an area ends at its edge; none leads from an area to itself.
  const inside = to.is_area ? (0.5 * to.size - 0.55 * size) / Math.max(Math.abs(ux), Math.abs(uy)) : 0;
  const length = distance - inside;
  if (length < 0.5 * size) return null;
  const at = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${(from.x + ux * along - uy * across).toFixed(3)} ${(from.y + uy * along + ux * across).toFixed(3)}`;
  const [start, neck, tip, half, wing] = [
    0.3 * size,
    length - 0.42 * size,
    length - 0.06 * size,
    0.07 * size,
    0.2 * size,
  ];
  return shape("path", {
    class: className,
    d:
      `M${at(start, -half)}L${at(neck, -half)}L${at(neck, -wing)}L${at(tip, 0)}` +
      `L${at(neck, wing)}L${at(neck, half)}L${at(start, half)}Z`,
  });
}

/** Strokes across an area that nobody can win any more. */
function hatching(/** @type {Spot} */ { x, y, size }) {
  const [left, top, step] = [x - size / 2, y - size / 2, size / 8];
  const lines = Array.from({ length: 15 }, (_, at) => {
    const [from, to] = [Math.max(0, at - 7) * step, Math.min(8, at + 1) * step];
    return `M${left + from} ${top + to}L${left + to} ${top + from}`;
  });
  return shape("path", { class: "hatching", d: lines.join("") });
}

/** Draws a line through each three of the spots that lie in a row. */
function drawRows(/** @type {Spot[]} */ spots, /** @type {Piece | undefined} */ piece) {
  const isBetween = (/** @type {Spot} */ one, /** @type {Spot} */ middle, /** @type {Spot} */ other) =>
    Math.abs(one.x + other.x - 2 * middle.x) + Math.abs(one.y + other.y - 2 * middle.y) < 0.01;
  return spots.flatMap((one, at) =>
    spots
      .slice(at + 1)
      .filter((other) => spots.some((middle) => isBetween(one, middle, other)))
      .map((other) => {
        const [dx, dy] = [0.14 * (other.x - one.x), 0.14 * (other.y - one.y)];
        const d = `M${one.x - dx} ${one.y - dy}L${other.x + dx} ${other.y + dy}`;
        const width = 0.09 * one.size;
        return shape(
          "g",
          { class: `row-won tone-${piece?.tone}` },
          shape("path", { d, pathLength: 1, class: "halo", "stroke-width": 1.5 * width }),
          shape("path", { d, pathLength: 1, "stroke-width": width }),
        );
      }),
  );
}

/** Draws the value of a move: filled if it is exact, outlined if it is estimated. */
function drawBadge(/** @type {Spot} */ { x, y, size }, /** @type {Badge} */ { text, kind, isExact }) {
  const [width, height] = [Math.min(0.98, 0.3 + 0.19 * text.length) * size, 0.46 * size];
  return shape(
    "g",
    { class: `badge ${kind}${isExact ? " exact" : ""}` },
    shape("rect", {
      x: x - width / 2,
      y: y - height / 2,
      width,
      height,
      rx: isExact ? 0.06 * size : height / 2,
      "stroke-width": 0.035 * size,
    }),
    shape("text", { x, y, "font-size": 0.31 * size, "text-anchor": "middle", dy: "0.35em" }, text),
  );
}

/**
 * Creates an empty board; `show` displays a position and marks the spots of the last move.
 *
 * @param {Layout} given
 * @param {{ isFlipped?: boolean, hasExtraLabels?: boolean }} options
 */
export function createBoard(given, { isFlipped = false, hasExtraLabels = false } = {}) {
  const layout = isFlipped ? rotated(given) : given;
  const pieces = new Map(layout.pieces.map((piece) => [piece.letter, piece]));
  const lower = layout.spots.map(() => shape("g"));
  const upper = layout.spots.map(() => shape("g"));
  const stroke = (/** @type {Layout["strokes"][number]} */ { from, to, heavy }) =>
    shape("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: heavy ? "stroke heavy" : "stroke" });
  const margin = marginOf(layout);
  const outside = (/** @type {number} */ at, /** @type {number} */ size) =>
    at < 0 ? (at * margin) / LABEL_MARGIN : at > size ? size + ((at - size) * margin) / LABEL_MARGIN : at;
  const label = (/** @type {Label} */ { x, y, text }) =>
    shape(
      "text",
      {
        x: outside(x, layout.width),
        y: outside(y, layout.height),
        dy: "0.35em",
        "text-anchor": "middle",
        class: "label",
        "font-size": 0.05 + 0.034 * layout.width,
      },
      text,
    );
  const layer = (/** @type {SVGGElement[]} */ nodes, /** @type {boolean} */ areas) =>
    shape("g", {}, ...nodes.filter((_, index) => layout.spots[index]?.is_area === areas));
  const above = hasExtraLabels ? margin : 0.15;
  /** Layers for marks: below the pieces, above them, and labels that depend on the position. */
  const [targets, won, sent, arrows, badges, extra] = [
    shape("g", { class: "targets" }),
    shape("g", { class: "won-rows" }),
    shape("g", { class: "arrows" }),
    shape("g", { class: "arrows" }),
    shape("g", { class: "badges" }),
    shape("g", { class: "extra" }),
  ];
  const svg = shape(
    "svg",
    {
      class: "board",
      role: "img",
      viewBox: `${-margin} ${-above} ${layout.width + margin + 0.15} ${layout.height + margin + above}`,
    },
    layer(lower, true),
    layer(lower, false),
    shape("g", {}, ...layout.strokes.filter(({ heavy }) => !heavy).map(stroke)),
    targets,
    layer(upper, false),
    shape("g", {}, ...layout.strokes.filter(({ heavy }) => heavy).map(stroke)),
    layer(upper, true),
    shape("g", {}, ...layout.labels.map(label)),
    extra,
    won,
    sent,
    arrows,
    badges,
  );

  svg.style.setProperty("--files", `${layout.width}`);

  /** The cells covered by each area. */
  const covered = layout.spots.map((area) =>
    layout.spots.flatMap((cell, index) => {
      const within = Math.max(Math.abs(cell.x - area.x), Math.abs(cell.y - area.y)) < area.size / 2;
      return area.is_area && !cell.is_area && within ? [index] : [];
    }),
  );

  /** What each spot shows, to redraw only what changes. */
  const drawn = layout.spots.map(() => "");

  const drawSpot = (
    /** @type {Spot} */ spot,
    /** @type {number} */ index,
    /** @type {string} */ letter,
    /** @type {boolean} */ isLast,
    /** @type {boolean} */ isWon,
  ) => {
    if (drawn[index] === letter + isLast + isWon) return;
    drawn[index] = letter + isLast + isWon;
    const { mark, lit } = decodeSpot(letter);
    const piece = pieces.get(mark);
    const back = [];
    const front = [];
    front.push(shape("title", {}, [spot.name, piece?.letter ?? ""].join(" ").trimEnd()));
    if (spot.is_area && piece) {
      back.push(square(spot, 0, `owned tone-${piece.tone}`));
      front.push(square(spot, 0.17, `owned-edge tone-${piece.tone}`));
    }
    if (spot.is_area && mark === CLOSED) back.push(square(spot, 0, "closed"), hatching(spot));
    if (lit && !isWon) back.push(square(spot, 0, "lit"));
    if (isLast) back.push(square(spot, 0.02, "last"));
    if (piece) front.push(drawPiece(spot, piece));
    if (lit && !isWon) front.push(square(spot, 0.06, "lit-edge"));
    lower[index]?.replaceChildren(...back);
    upper[index]?.replaceChildren(...front);
    upper[index]?.setAttribute("class", spot.is_area ? `area${lit && !isWon ? " open" : ""}` : "cell");
  };

  const drawBadges = (/** @type {Map<number, Badge>} */ values) =>
    [...values].flatMap(([index, badge]) => {
      const spot = layout.spots[index];
      return spot ? [drawBadge(spot, badge)] : [];
    });

  return {
    svg,
    layout,
    pieces,
    covered,
    /** The group of a spot's piece. */
    pieceOf: (/** @type {number} */ index) => upper[index],
    /**
     * @param {ArrayLike<string>} letters
     * @param {Set<number>} last
     * @param {string} name
     * @param {boolean} isOpen whether the boards to play in are marked
     */
    show(letters, last, name, isOpen = true) {
      svg.setAttribute("aria-label", name);
      const shown = layout.spots.map((_, index) => decodeSpot(letters[index] ?? EMPTY));
      const areas = layout.spots.filter(({ is_area: isArea }) => isArea);
      const litSpots = layout.spots.filter((spot, index) => shown[index]?.lit && (spot.is_area || !areas.length));
      const marks = litSpots.map((spot) => shown[layout.spots.indexOf(spot)]?.mark ?? EMPTY);
      // The line that won the game, rather than boards to play in.
      const isWon = marks.length > 2 && marks.every((mark) => mark !== EMPTY && mark === marks[0]);
      const rows = isWon ? `${litSpots.map(({ name }) => name)}` : "";
      if (won.dataset.rows !== rows)
        won.replaceChildren(...(isWon ? drawRows(litSpots, pieces.get(marks[0] ?? "")) : []));
      won.dataset.rows = rows;
      layout.spots.forEach((spot, index) => {
        const isHidden = spot.is_area && !isOpen && !isWon;
        drawSpot(
          spot,
          index,
          isHidden ? (shown[index]?.mark ?? EMPTY) : (letters[index] ?? EMPTY),
          last.has(index),
          isWon,
        );
      });
      layout.spots.forEach((spot, index) => {
        const { mark, lit } = shown[index] ?? decodeSpot(EMPTY);
        if (!spot.is_area) return;
        for (const cell of covered[index] ?? [])
          upper[cell]?.classList.toggle("faded", (!lit || isWon || !isOpen) && mark !== EMPTY);
      });
    },
    /** Marks spots that a chosen piece can move to with dots, and pieces that can move with halos. */
    setTargets(/** @type {Iterable<number>} */ spots, /** @type {Iterable<number>} */ movable = []) {
      const circles = (
        /** @type {Iterable<number>} */ list,
        /** @type {string} */ className,
        /** @type {number} */ radius,
      ) =>
        [...list].flatMap((index) => {
          const spot = layout.spots[index];
          return spot ? [shape("circle", { class: className, cx: spot.x, cy: spot.y, r: radius * spot.size })] : [];
        });
      targets.replaceChildren(...circles(movable, "movable", 0.45), ...circles(spots, "target", 0.085));
    },
    /**
     * Shows where the move on a spot sends the opponent: the number of each board, if there are several to choose from, an
     * arrow to the only one, and frames that grow out of the spot, if the move was just made.
     */
    setSent(
      /** @type {number} */ from,
      /** @type {number[]} */ boards,
      /** @type {{ isShown: boolean, isMove: boolean }} */ { isShown, isMove },
    ) {
      const cell = layout.spots[from];
      const isSingle = isShown && boards.length === 1;
      const arrow = isSingle ? drawArrow(layout.spots, { spots: [from, ...boards], kind: "sent" }) : null;
      const count = layout.spots.filter(({ is_area: isArea }) => isArea).length;
      const numbers = boards.flatMap((index) => {
        const { x = 0, y = 0, size = 0, name = "" } = layout.spots[index] ?? {};
        const place = {
          x: x - 0.42 * size,
          y: y - 0.4 * size,
          dy: "0.35em",
          "text-anchor": "middle",
          "font-size": 0.4,
        };
        return isSingle || boards.length === count
          ? []
          : [shape("text", { ...place, class: "number" }, name.replace(/\D+/, ""))];
      });
      const frames = boards.flatMap((index) => {
        const area = layout.spots[index];
        if (!isShown || !isMove || !cell || !area) return [];
        const frame = square(area, 0.06, "glide");
        frame.style.setProperty("--dx", `${cell.x - area.x}px`);
        frame.style.setProperty("--dy", `${cell.y - area.y}px`);
        return [frame];
      });
      sent.replaceChildren(...numbers, ...(arrow ? [arrow] : []), ...frames);
    },
    setArrows(/** @type {Arrow[]} */ list) {
      arrows.replaceChildren(...list.flatMap((arrow) => drawArrow(layout.spots, arrow) ?? []));
    },
    setBadges(/** @type {Map<number, Badge>} */ values) {
      badges.replaceChildren(...drawBadges(values));
    },
    setExtraLabels(/** @type {Label[]} */ labels) {
      extra.replaceChildren(...labels.map((one) => label(isFlipped ? rotatedLabel(given, one) : one)));
    },
  };
}
