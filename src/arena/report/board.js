// Draws boards from a layout and one character per spot, independent of the game.

const EMPTY = ".";
const CLOSED = "#";

/** Decodes a character into the mark on a spot and whether the spot is highlighted. */
function decodeSpot(letter) {
  if (letter === "*") return { mark: EMPTY, lit: true };
  const lower = letter.toLowerCase();
  return { mark: lower, lit: lower !== letter };
}

function square({ x, y, size }, inset, className) {
  const side = size - 2 * inset;
  return shape("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, class: className });
}

/** Draws a piece on a spot. */
function drawPiece({ x, y, size }, piece) {
  const className = `piece tone-${piece.tone} form-${piece.form}`;
  const arm = 0.25 * size;
  if (piece.form === "cross") {
    return shape("path", { class: className, "stroke-width": 0.11 * size,
      d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}` });
  }
  if (piece.form === "ring") {
    return shape("circle", { class: className, cx: x, cy: y, r: 0.27 * size, "stroke-width": 0.11 * size });
  }
  return shape("g", { class: className },
    shape("circle", { cx: x, cy: y, r: 0.37 * size }),
    shape("text", { x, y, "font-size": 0.4 * size, "text-anchor": "middle", dy: "0.35em" }, piece.letter));
}

/** Creates an empty board; `show` displays a position and marks the spots of the last move. */
function createBoard(layout) {
  const labelMargin = 0.8;
  const pieces = new Map(layout.pieces.map((piece) => [piece.letter, piece]));
  const lower = layout.spots.map(() => shape("g"));
  const upper = layout.spots.map(() => shape("g"));
  const stroke = ({ from, to, heavy }) => shape("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1],
    class: heavy ? "stroke heavy" : "stroke" });
  const label = ({ x, y, text }) => shape("text", { x, y, dy: "0.35em", "text-anchor": "middle",
    class: "label", "font-size": 0.012 * layout.width + 0.25 }, text);
  const isArea = (index) => layout.spots[index].is_area;
  const layer = (nodes, areas) => shape("g", {}, ...nodes.filter((_, index) => isArea(index) === areas));
  const svg = shape("svg", { class: "board", role: "img",
    viewBox: `${-labelMargin} ${-0.15} ${layout.width + labelMargin + 0.15} ${layout.height + labelMargin + 0.1}` },
  layer(lower, true), layer(lower, false),
  shape("g", {}, ...layout.strokes.filter(({ heavy }) => !heavy).map(stroke)),
  layer(upper, false),
  shape("g", {}, ...layout.strokes.filter(({ heavy }) => heavy).map(stroke)),
  layer(upper, true),
  shape("g", {}, ...layout.labels.map(label)));

  svg.style.setProperty("--files", layout.width);

  /** The cells covered by each area. */
  const covered = layout.spots.map((area) => layout.spots.flatMap((cell, index) => {
    const within = Math.max(Math.abs(cell.x - area.x), Math.abs(cell.y - area.y)) < area.size / 2;
    return area.is_area && !cell.is_area && within ? [index] : [];
  }));

  const drawSpot = (spot, index, { mark, lit }, isLast) => {
    const piece = pieces.get(mark);
    const back = [];
    const front = [shape("title", {}, `${spot.name}${piece ? ` ${piece.letter}` : ""}`)];
    if (spot.is_area && piece) back.push(square(spot, 0, `owned tone-${piece.tone}`));
    if (spot.is_area && mark === CLOSED) back.push(square(spot, 0, "closed"));
    if (lit) back.push(square(spot, 0, "lit"));
    if (isLast) back.push(square(spot, 0.02, "last"));
    if (piece) front.push(drawPiece(spot, piece));
    if (lit) front.push(square(spot, 0.03, "lit-edge"));
    lower[index].replaceChildren(...back);
    upper[index].replaceChildren(...front);
    upper[index].setAttribute("class", spot.is_area ? `area${lit ? " open" : ""}` : "cell");
    const decided = spot.is_area && !lit && mark !== EMPTY;
    for (const cell of covered[index]) upper[cell].classList.toggle("faded", decided);
  };

  return {
    svg,
    show(letters, last, name) {
      svg.setAttribute("aria-label", name);
      layout.spots.forEach((spot, index) => drawSpot(spot, index, decodeSpot(letters[index]), last.has(index)));
    },
  };
}

/** Applies a difference such as `4,2,xo`: kept prefix, kept suffix, text between them. */
function applyDifference(before, difference) {
  const [, head, tail, middle] = /^(\d+),(\d+),([^]*)$/.exec(difference);
  return before.slice(0, Number(head)) + middle + before.slice(before.length - Number(tail));
}

/** Returns the positions of a game: spots, FEN, diagram, and the cells changed by the last move. */
function buildFrames(game, layout) {
  if (!game.start) return [];
  let letters = [...game.shown];
  let fen = game.start;
  const frames = [{ letters, fen, last: new Set(), diagram: game.diagrams?.[0] }];
  game.fens.forEach((difference, ply) => {
    const last = new Set();
    letters = [...letters];
    for (const word of game.changes[ply].split(" ").filter((text) => text)) {
      const [index, letter] = [parseInt(word, 10), word.at(-1)];
      const mark = decodeSpot(letter).mark;
      const moved = mark !== CLOSED && mark !== decodeSpot(letters[index]).mark;
      if (moved && !layout.spots[index].is_area) last.add(index);
      letters[index] = letter;
    }
    fen = applyDifference(fen, difference);
    frames.push({ letters, fen, last, diagram: game.diagrams?.[ply + 1] });
  });
  return frames;
}
