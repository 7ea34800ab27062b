#!/usr/bin/env node
// A bot for ultimate tic-tac-toe that speaks UGI and CodinGame's protocol.
//
// Elo 1754 ± 33 with depth=6, which takes less than 0.1 s a move (docs/bots.md).

// A move is 9 * board + cell: nine small boards of nine cells, each row by row from the top left.
// A set of cells, or of boards, is a number with one bit for each.
const LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100];
const ALL = 0b111111111;
const WIN = 10_000;
const WORTH = [1, 3, 9, 0]; // of a line, by the number of own cells in it
const upTo = (count) => [...Array(count).keys()];
const HAS_LINE = upTo(512).map((bits) => LINES.some((line) => (bits & line) === line));
const MEMBERS = upTo(512).map((bits) => upTo(9).filter((member) => (bits >> member) & 1));
// The row and the column of each move.
const SQUARES = upTo(9).flatMap((b) => upTo(9).map((c) => [b - (b % 3) + Math.floor(c / 3), (b % 3) * 3 + (c % 3)]));
const NAMES = SQUARES.map(([row, column]) => "abcdefghi"[column] + (9 - row));

class Position {
  constructor(byCount) {
    this.byCount = byCount; // the rule if nobody gets a line of boards: more boards win
    this.cells = [Array(9).fill(0), Array(9).fill(0)]; // of each player, in each board
    this.won = [0, 0]; // the boards of each player
    this.closed = 0; // the boards that are won or full; all of them when the game is over
    this.player = 0;
    this.last = null; // the last move; its cell names the board to play in
    this.score = 0;
  }

  put(player, move) {
    const board = Math.floor(move / 9);
    const own = (this.cells[player][board] |= 1 << (move % 9));
    this.won[player] |= HAS_LINE[own] << board;
    this.closed |= (HAS_LINE[own] || (own | this.cells[1 - player][board]) === ALL) << board;
    if (HAS_LINE[this.won[player]]) this.closed = ALL;
  }

  after(move) {
    const child = new Position(this.byCount);
    child.cells = [this.cells[0].slice(), this.cells[1].slice()];
    child.won = this.won.slice();
    child.closed = this.closed;
    child.put(this.player, move);
    child.player = 1 - this.player;
    child.last = move;
    child.score = child.evaluate();
    return child;
  }

  moves() {
    const isFree = this.last === null || (this.closed >> (this.last % 9)) & 1;
    const boards = isFree ? MEMBERS[ALL ^ this.closed] : [this.last % 9];
    const [x, o] = this.cells;
    return boards.flatMap((b) => MEMBERS[ALL ^ (x[b] | o[b])].map((cell) => 9 * b + cell));
  }

  // Of a finished game: 1 if the first player has won, -1 if the second has, otherwise 0.
  winner() {
    const [x, o] = this.won;
    if (HAS_LINE[x] || HAS_LINE[o]) return HAS_LINE[x] ? 1 : -1;
    return this.byCount ? Math.sign(MEMBERS[x].length - MEMBERS[o].length) : 0;
  }

  // The score of the player to move: the worth of lines of cells and, twelvefold, of boards.
  evaluate() {
    const sign = this.player === 0 ? 1 : -1;
    if (this.closed === ALL) return sign * WIN * this.winner();
    const [[x, o], [xWon, oWon]] = [this.cells, this.won];
    const boards = worth(xWon, this.closed & ~xWon) - worth(oWon, this.closed & ~oWon);
    const cells = MEMBERS[ALL ^ this.closed].map((b) => worth(x[b], o[b]) - worth(o[b], x[b]));
    return sign * cells.reduce((sum, score) => sum + score, 12 * boards);
  }
}

// What the lines are worth that a player can still complete.
function worth(own, blocked) {
  const points = (line) => (line & blocked ? 0 : WORTH[MEMBERS[line & own].length]);
  return LINES.reduce((sum, line) => sum + points(line), 0);
}

// Alpha-beta. Returns the score of the player to move and the best move, null if all moves lose.
function search(position, depth, alpha, beta, deadline) {
  if (depth === 0 || position.closed === ALL || performance.now() > deadline) return [position.score, null];
  // The worst for the opponent first, so that the others are soon refuted.
  const children = position.moves().map((move) => position.after(move));
  children.sort((one, other) => one.score - other.score);
  let best = null;
  for (const child of children) {
    const score = -search(child, depth - 1, -beta, -alpha, deadline)[0];
    if (score > alpha) [alpha, best] = [score, child.last];
    if (alpha >= beta) break;
  }
  return [alpha, best];
}

// Searches deeper and deeper until the time is up or the result is certain.
function think(position, milliseconds, maxDepth = 81) {
  const deadline = performance.now() + milliseconds;
  let [depth, score, best] = [0, 0, position.moves()[0]];
  while (depth < maxDepth && score < WIN) {
    const [found, move] = search(position, depth + 1, -WIN, WIN, deadline);
    if (move === null || performance.now() > deadline) break; // if every move loses, the last one seemed best
    [depth, score, best] = [depth + 1, found, move];
  }
  return [best, `info depth ${depth} score cp ${score} pv ${NAMES[best]}`];
}

// Reads `startpos` or `fen F`, and the moves after it. Throws an error if it cannot.
function readPosition(text, byCount) {
  const [start, moves = ""] = text.split(" moves ");
  let position = new Position(byCount);
  if (start !== "startpos") {
    const [, board, mover, , last] = start.split(" ");
    const rows = board.replace(/\d/g, (digit) => ".".repeat(digit)).split("/");
    for (const [move, [row, column]] of SQUARES.entries()) {
      if (rows[row][column] !== ".") position.put("xo".indexOf(rows[row][column]), move);
    }
    position.player = "xo".indexOf(mover);
    position.last = last === "-" ? null : NAMES.indexOf(last);
  }
  for (const name of moves.split(" ").filter((name) => name !== "")) {
    const move = NAMES.indexOf(name);
    if (!position.moves().includes(move)) throw new Error(`illegal move ${name}`);
    position = position.after(move);
  }
  return position;
}

async function main() {
  let position = new Position(false);
  const lines = require("node:readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for await (const line of lines) {
    const [command, ...words] = line.trim().split(" ");
    const rest = words.join(" ");
    const isOver = position.closed === ALL;
    if (command === "ugi") {
      console.log("id name bot.js\nid author Zermelo");
      console.log("option name UCI_Variant type combo default tixtax var tixtax var tixtax-count\nugiok");
    } else if (command === "isready") {
      console.log("readyok");
    } else if (command === "setoption" && words.includes("UCI_Variant")) {
      position.byCount = rest.endsWith("tixtax-count");
    } else if (command === "position") {
      try {
        position = readPosition(rest, position.byCount);
      } catch {
        console.log("info string error: not a position:", rest);
      }
    } else if (command === "query") {
      const result = isOver ? ["p2win", "draw", "p1win"][position.winner() + 1] : "none";
      console.log("response", { p1turn: position.player === 0, gameover: isOver, result }[rest]);
    } else if (command === "go" && !isOver) {
      const limit = (name, otherwise) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : otherwise);
      const clock = limit(`p${position.player + 1}time`, 20_000);
      const [move, info] = think(position, 0.9 * limit("movetime", clock / 20), limit("depth", 81));
      console.log(`${info}\nbestmove ${NAMES[move]}`);
    } else if (command === "quit") {
      process.exit();
    } else if (/^-?\d+$/.test(command)) {
      // CodinGame: the opponent's move, then the number of legal moves and the moves.
      const played = SQUARES.findIndex((square) => square.join(" ") === line.trim());
      if (played >= 0) position = position.after(played);
      for (let { value: count } = await lines.next(); count > 0; count--) await lines.next();
      position.byCount = true;
      const [move] = think(position, 85);
      console.log(SQUARES[move].join(" "));
      position = position.after(move);
    }
  }
}

main();
