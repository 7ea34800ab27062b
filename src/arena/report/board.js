// Boards, drawn from a layout and a character a spot; no game is known here.

const EMPTY = ".";
const CLOSED = "#";

/** Takes a character apart: what stands there, and whether it is lit. */
function shownBy(letter) {
  if (letter === "*") return { mark: EMPTY, lit: true };
  const lower = letter.toLowerCase();
  return { mark: lower, lit: lower !== letter };
}

function square({ x, y, size }, inset, kind) {
  const side = size - 2 * inset;
  return shape("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, class: kind });
}

/** A piece on a spot. */
function drawPiece({ x, y, size }, piece) {
  const tone = `piece tone-${piece.tone} form-${piece.form}`;
  const reach = 0.25 * size;
  if (piece.form === "cross") {
    return shape("path", { class: tone, "stroke-width": 0.11 * size,
      d: `M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x - reach} ${y + reach}L${x + reach} ${y - reach}` });
  }
  if (piece.form === "ring") {
    return shape("circle", { class: tone, cx: x, cy: y, r: 0.27 * size, "stroke-width": 0.11 * size });
  }
  return shape("g", { class: tone },
    shape("circle", { cx: x, cy: y, r: 0.37 * size }),
    shape("text", { x, y, "font-size": 0.4 * size, "text-anchor": "middle", dy: "0.35em" }, piece.letter));
}

/** An empty board; `show` puts up a position and marks the spots of the last move. */
function createBoard(layout) {
  const away = 0.8;
  const pieces = new Map(layout.pieces.map((piece) => [piece.letter, piece]));
  const under = layout.spots.map(() => shape("g"));
  const over = layout.spots.map(() => shape("g"));
  const stroke = ({ from, to, heavy }) => shape("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1],
    class: heavy ? "stroke heavy" : "stroke" });
  const label = ({ x, y, text }) => shape("text", { x, y, dy: "0.35em", "text-anchor": "middle",
    class: "label", "font-size": 0.012 * layout.width + 0.25 }, text);
  const isArea = (index) => layout.spots[index].is_area;
  const layer = (nodes, areas) => shape("g", {}, ...nodes.filter((_, index) => isArea(index) === areas));
  const svg = shape("svg", { class: "board", role: "img",
    viewBox: `${-away} ${-0.15} ${layout.width + away + 0.15} ${layout.height + away + 0.1}` },
  layer(under, true), layer(under, false),
  shape("g", {}, ...layout.strokes.filter(({ heavy }) => !heavy).map(stroke)),
  layer(over, false),
  shape("g", {}, ...layout.strokes.filter(({ heavy }) => heavy).map(stroke)),
  layer(over, true),
  shape("g", {}, ...layout.labels.map(label)));

  svg.style.setProperty("--files", layout.width);

  /** The places over which an area lies. */
  const covered = layout.spots.map((area) => layout.spots.flatMap((place, index) => {
    const within = Math.max(Math.abs(place.x - area.x), Math.abs(place.y - area.y)) < area.size / 2;
    return area.is_area && !place.is_area && within ? [index] : [];
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
    under[index].replaceChildren(...back);
    over[index].replaceChildren(...front);
    over[index].setAttribute("class", spot.is_area ? `area${lit ? " open" : ""}` : "place");
    const decided = spot.is_area && !lit && mark !== EMPTY;
    for (const place of covered[index]) over[place].classList.toggle("faded", decided);
  };

  return {
    svg,
    show(letters, last, name) {
      svg.setAttribute("aria-label", name);
      layout.spots.forEach((spot, index) => drawSpot(spot, index, shownBy(letters[index]), last.has(index)));
    },
  };
}

/** A text that is told by its difference from the one before, as in `4,2,xo`. */
function patched(before, difference) {
  const [, head, tail, middle] = /^(\d+),(\d+),([^]*)$/.exec(difference);
  return before.slice(0, Number(head)) + middle + before.slice(before.length - Number(tail));
}

/** The positions of a game: letters, FEN, diagram, and the places that the last move changed. */
function framesOf(game, layout) {
  if (!game.start) return [];
  let letters = [...game.shown];
  let fen = game.start;
  const frames = [{ letters, fen, last: new Set(), diagram: game.diagrams?.[0] }];
  game.fens.forEach((difference, ply) => {
    const last = new Set();
    letters = [...letters];
    for (const word of game.changes[ply].split(" ").filter((text) => text)) {
      const [index, letter] = [parseInt(word, 10), word.at(-1)];
      const mark = shownBy(letter).mark;
      const moved = mark !== CLOSED && mark !== shownBy(letters[index]).mark;
      if (moved && !layout.spots[index].is_area) last.add(index);
      letters[index] = letter;
    }
    fen = patched(fen, difference);
    frames.push({ letters, fen, last, diagram: game.diagrams?.[ply + 1] });
  });
  return frames;
}
