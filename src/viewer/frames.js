// The positions of a game, rebuilt from the differences between them, and the boards that show them.

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

/** Creates a board whose parts, such as `board 5`, are named in the language of the page. */
function newBoard(layout) {
  const named = (spot) => (spot.is_area ? { ...spot, name: spot.name.replace("board", t("board")) } : spot);
  return createBoard({ ...layout, spots: layout.spots.map(named) }, { isFlipped: page.is_flipped });
}

function boardName(game, ply) {
  return ply === 0
    ? t("Board before the first move")
    : t("Board after move {ply}, {move}", { ply, move: game.moves[ply - 1] });
}
