// Types of the messages between page and engine (docs/gui-protocol.md), and of the page's own components. They are global, so that
// no script has to import them.

type App = import("./app.js").App;
type Session = import("./game.js").Session;
interface Spot {
  x: number;
  y: number;
  size: number;
  name: string;
  is_area: boolean;
}
interface Label {
  x: number;
  y: number;
  text: string;
}
interface Piece {
  letter: string;
  form: "cross" | "ring" | "disc";
  tone: "blue" | "orange" | "black" | "red";
}
interface Layout {
  width: number;
  height: number;
  strokes: { from: [number, number]; to: [number, number]; heavy: boolean }[];
  spots: Spot[];
  labels: Label[];
  pieces: Piece[];
}

/** The value of a move drawn on the board. */
interface Badge {
  text: string;
  kind: "win" | "draw" | "loss" | "even";
  isExact: boolean;
}
/** A move drawn on the board as an arrow, or as a filled square if it has one spot; an area is framed. */
interface Arrow {
  spots: number[];
  kind: "best" | "second" | "bad" | "sent";
}

interface Series {
  name: string;
  style: number;
  points: number[][];
  text?: (x: number, y: number) => string;
}
interface ChartWords {
  empty: string;
  label(title: string, y: string, x: string): string;
  interval(low: string, high: string): string;
}
interface ChartOptions {
  title: string;
  xName: string;
  yName: string;
  series: Series[];
  format(y: number): string;
  lines?: [number, string][];
  ticks?: [number, string][];
  range?: [number, number];
  domain?: [number, number];
  height?: number;
  pick?: (x: number) => void;
  /** Places to mark: x, y, a text and a class. */
  marks?: [number, number, string, string][];
  words?: ChartWords;
  /** Whether the chart takes the whole width. */
  wide?: boolean;
}
interface Chart extends ChartOptions {
  words: ChartWords;
  /** The names of the hidden series. */
  hidden: Set<string>;
  cursor: number | null;
  marker: number | null;
  box: HTMLElement;
  readout: HTMLElement;
  xs: number[];
  svg: SVGSVGElement | null;
  markers: SVGGElement | null;
  size: { width: number; height: number };
  toX(x: number): number;
  toY(y: number): number;
}

/** What fills the placeholders of a text. */
type TextValues = Record<string, any>;
/** Translates an English text and fills its placeholders. */
type Say = (text: string, values?: TextValues) => string;
/** A value with its confidence interval. */
type Estimate = [number, number, number];
interface Tally {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  points: number;
  elo: Estimate | null;
}
interface Standing extends Tally {
  name: string;
  pairs: number[];
  share: number | null;
  rating: Estimate | null;
  superiority: number;
  faults: Record<string, number>;
  broken_claims: number;
  mean_time: number | null;
  greatest_over: number | null;
  mean_depth: number | null;
}
interface Curve {
  player: number;
  points: number[][];
}
/** A game of a tournament. Its players are indices of the standings; of a game in progress, names. */
interface TournamentGame {
  number: number;
  game: string;
  /** The start position; null if the game cannot be replayed. */
  start: string | null;
  players: (number | string | null)[];
  result: string;
  /** How it ended; games in progress have none. */
  reason?: string;
  shown: string;
  /** What each move that can be replayed changes on the board. */
  changes: string[];
  moves: string[];
}
/** The data of the tournament report. */
interface TournamentData {
  title: string;
  setup: [string, string][];
  counted: number;
  distinct: number;
  uncounted: number;
  warnings: string[][];
  broken_claims: number;
  standings: Standing[];
  first: number;
  regularized: boolean;
  crosstable: Tally[][];
  terminations: [string, number][];
  faults: string[];
  sprt: {
    player: string;
    opponent: string;
    elo0: number;
    elo1: number;
    alpha: number;
    beta: number;
    model: string;
    bounds: [number, number];
    ratio: number;
    decided_after: number | null;
    verdict: string;
    conclusion: [string, TextValues] | null;
    curve: Curve;
  } | null;
  elo: Curve[];
  time: Curve[];
  depth: Curve[];
  layouts: Record<string, Layout>;
  games: TournamentGame[];
  left_out: number;
}

/** A game as a start position and moves. `start` is a FEN, or null for the start position of the game. */
interface Setup {
  game: string;
  start: string | null;
  moves: string[];
  resigned?: number | null;
  out_of_time?: number | null;
}
/** A position or a whole game in an address. */
interface Link {
  tab: string;
  game: string;
  start: string | null;
  moves: string[];
  names?: string[];
  resigned?: number | null;
  outOfTime?: number | null;
  /** A game with a friend by links: its id, and whether both may have help. */
  friend?: { id: string; helps: boolean } | null;
}
interface Friend {
  side: number;
  helps: boolean;
  isSent: boolean;
  step: number;
}
interface GameInfo {
  id: string;
  name: string;
  summary: string;
  /** The letters of both sides' pieces, and what the sides are called. */
  sides: string[];
  side_names: string[];
  /** Whether the Elo of the levels was measured in this game. */
  /** The Elo of the levels, in their order; null without a scale. */
  level_elos: number[] | null;
  has_lessons: boolean;
  has_random_start: boolean;
  is_solved: boolean;
  has_graph: boolean;
  has_atlas: boolean;
  layout: Layout;
}
interface Catalogue {
  version: string;
  games: GameInfo[];
  levels: { level: number; name: string }[];
  default_game: string;
  default_level: number;
  default_lang: "en" | "zh" | null;
  engines: string[];
  watch: boolean;
  /** The texts of the tournament report by the English ones. */
  texts: Record<string, string>;
}
interface LegalMove {
  move: string;
  spots: number[];
}
interface Outcome {
  result: string;
  text: string;
}
interface PositionAnswer {
  fen: string;
  side: 0 | 1;
  shown: string;
  labels: Label[];
  legal: LegalMove[];
  last: number[];
  status: string;
  outcome: Outcome | null;
  plies: number;
  replies?: Record<string, PositionAnswer>;
}
interface Rating {
  move: string;
  spots: number[];
  expected: number;
  is_proven: boolean;
  value: "win" | "draw" | "loss" | null;
  plies: number | null;
  text: string;
  line: string[];
}
/** A move of the atlas. `results`: how many games its player won, drew and lost. */
interface AtlasMove {
  move: string;
  spots: number[];
  expected: number;
  text: string;
  depth: number;
  line: string[];
  results: [number, number, number] | null;
}
interface Explanation {
  move: string;
  text: string;
  /** The first sentence of the judgement. */
  summary: string;
  /** The same as the text without the better move. */
  judgement: string;
  loss: number;
  warning: string | null;
  spots: number[];
  better: string | null;
  better_spots: number[];
  reply: string | null;
  reply_spots: number[];
  frames: number[];
}
interface Hint {
  move: string;
  spots: number[];
  text: string;
  reasons: string;
  frames: number[];
}
/**
 * A value: the expected score of the first player and, if it is proven, the distance to the end where that is known.
 */
interface ShownValue {
  expected: number;
  is_proven: boolean;
  plies: number | null;
}
interface ReviewedMove {
  ply: number;
  side: number;
  move: string;
  spots: number[];
  mark: string | null;
  /** The reasons in each language. */
  texts: Record<string, string>;
  /** The values before and after the move. */
  values: [ShownValue, ShownValue];
  /** The expected score of the first player after the move. */
  expected: number;
  is_proven: boolean;
  loss: number;
  best: string;
  best_spots: number[];
  /** Whether the best move is better, and of a move without a mark, whether there is a reason. */
  is_improvable?: boolean;
  line: string[];
  /** What reviews by earlier versions lack: the reply to a mistake, and what the reasons name. */
  reply_spots?: number[];
  frames?: number[];
}
interface ReviewAnswer {
  complete: boolean;
  moves: ReviewedMove[];
  nodes: number | null;
  start_expected: number | null;
  accuracy: (number | null)[];
  /** Reviews by earlier versions lack choices and loss, the points that all moves together lost. */
  players: { moves: number; choices?: number; loss?: number; marks: { mark: string; count: number }[] }[];
  turning_points: number[];
  /** The game with its review as a record, from which reports are made. */
  record: string;
}
interface RecordedGame {
  number: number;
  setup: {
    game: string;
    start: string | null;
    moves: string[];
    resigned: number | null;
    out_of_time: number | null;
  } | null;
  players: string[];
  result: string;
  /** In seconds since 1970. */
  started: number | null;
  /** What this page wrote beside the game. */
  data: string | null;
  annotations: { ply: number; mark: string | null; line: string[] }[];
  comments: { ply: number; text: string; moves: string[] }[];
  variations: { ply: number; moves: string[] }[];
  error: string | null;
}
interface ProofAnswer {
  value: string | null;
  at_least: string;
  at_most: string;
  /** The value in words. */
  text: string | null;
  best: string | null;
  nodes: number;
  seconds: number;
  /** The certificate, a character for each byte. */
  certificate: string | null;
}
interface GraphAnswer {
  nodes: {
    name: string;
    shown: string;
    value: "win" | "draw" | "loss";
    is_reached: boolean;
    column: number;
    row: number;
  }[];
  arrows: [number, number][];
  current: number | null;
  moves: { move: string; to: number | null }[];
}
interface StudyPart {
  text: string;
  style: "plain" | "emphasis" | "strong" | "code" | "link";
}
type StudyBlock =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; parts: StudyPart[] }
  | { kind: "list"; is_numbered: boolean; items: StudyPart[][] }
  | { kind: "diagram"; text: string }
  | { kind: "figure"; svg: string; caption: string }
  | {
      kind: "table";
      caption: string;
      columns: { label: string; is_numeric: boolean }[];
      rows: string[][];
      notes: string[];
    };
interface LessonAnswer {
  moves: string[];
  reply: string | null;
  text: string;
}
interface LessonStep {
  start: string | null;
  moves: string[];
  task: string;
  accepted: string[];
  /** Whether the accepted moves win, if not at once. */
  is_win: boolean;
  right: LessonAnswer;
  /** The first one that names the move, or names none, applies. */
  wrong: LessonAnswer[];
}
interface Lesson {
  id: string;
  title: string;
  steps: LessonStep[];
}
/** A rating by Glicko-2. */
interface GlickoRating {
  rating: number;
  deviation: number;
  volatility: number;
}
interface PuzzleAnswer {
  fen: string;
  side: number;
  value: "win" | "draw";
  difficulty: number;
  rating: GlickoRating;
  /** The moves to find, with the opponent's replies between them, and best play after them. */
  line: string[];
  /** The number of moves to find. */
  to_find: number;
}
/** A mistake in a reviewed game of the user, with the moves before it. */
interface OwnMistake {
  game: string;
  start: string | null;
  moves: string[];
  mistake: ReviewedMove;
}
/** What the Puzzles tab asks. */
interface PuzzleTask {
  kind: "any" | "daily" | "own";
  setup: Setup;
  line: string[];
  toFind: number;
  /** The puzzle; null if it is a mistake from one's own games. */
  puzzle: PuzzleAnswer | null;
  /** The puzzle's rating before it is tried. */
  rating: number;
  mistake: ReviewedMove | null;
  /** The day of a puzzle of the day. */
  day: string;
  /** Whether a first try still counts. */
  counts: boolean;
}
/** The result of the first try of a puzzle, with the solver's rating after it. */
interface PuzzleResult {
  date: string;
  game: string;
  kind: "any" | "daily";
  puzzle: PuzzleAnswer;
  isSolved: boolean;
  rating: number;
  change: number;
}
/** The last days on which the puzzle of the day was tried and solved, and on how many days in a row it was solved. */
interface PuzzleDays {
  tried: string;
  solved: string;
  row: number;
}
interface PuzzleLog {
  /** By family of games. */
  solvers: Record<string, GlickoRating>;
  /** By game and FEN, the latest last. */
  puzzles: Record<string, GlickoRating>;
  /** The latest first. */
  history: PuzzleResult[];
  /** By game. */
  days: Record<string, PuzzleDays>;
  /** The mistakes from one's own games that were put right, the latest last. */
  corrected: string[];
}

/** A search of the engine session. `moves` are played from `start`. */
interface SearchJob {
  setup: Setup;
  /** The arguments of `go`. */
  go: string;
  options: Record<string, string | number | boolean>;
  onInfo?(info: SearchInfo): void;
  onBest?(move: string | null): void;
  /** Whether the search ends as soon as it has begun. */
  isHurried?: boolean;
}
interface SearchInfo {
  depth: number;
  seldepth?: number;
  multipv: number;
  cp?: number;
  mate?: number;
  wdl?: [number, number, number];
  nodes?: number;
  nps?: number;
  time?: number;
  bound?: string;
  pv: string[];
}

/** A position in the tree of a game. */
interface TreeNode {
  move: string;
  parent: TreeNode | null;
  children: TreeNode[];
  comment: string;
  /** The mark of the review. */
  mark: string;
}
interface StoredNode {
  m: string;
  c?: string;
  k?: string;
  n?: StoredNode[];
}
interface StoredGame {
  game: string;
  start: string | null;
  nodes: StoredNode[];
  comment: string;
  at: string[];
  live: string[];
}

/** A review and the main line that it is about, as JSON. */
interface StoredReview {
  line: string;
  answer: ReviewAnswer;
}
/** A kept game in the list: its session, the user's side, and what the list says of it. */
interface GameEntry {
  kept: KeptGame;
  session: Session;
  own: number | null;
  opponent: string;
  points: number | null;
}
/** A game that the browser keeps; times are in milliseconds since 1970. */
interface KeptGame {
  id: string;
  started: number;
  changed: number;
  /** `1-0`, `0-1`, `1/2-1/2`, or `*` while it goes on. */
  result: string;
  /** The session as `Session.store` writes it, without the review. */
  session: any;
  /** The accuracy of both players, once the game is reviewed. */
  accuracy: (number | null)[] | null;
}

type PlayerKind = "human" | "engine";
interface PlayerSettings {
  kind: PlayerKind;
  level: number;
  seconds: number;
  engine: string;
}
interface PlaySettings {
  opponent: "engine" | "human" | "links" | "engines";
  level: number;
  otherLevel: number;
  seconds: number;
  engine: string;
  otherEngine: string;
  side: "first" | "second" | "random";
  /** `standard` is the usual way to start: at random where the game asks for it. */
  start: "standard" | "full" | "random" | "balanced" | "fen";
  coach: boolean;
  /** Whether the rules are unfolded. */
  rules: boolean;
  /** The time control, such as `5+3`; empty for none. */
  clock: string;
  /** The name of the user in games by links, and whether both players of a new one may have help. */
  name: string;
  helps: boolean;
  sounds: boolean;
  /** Whether the board that a move sends to is pointed at. */
  sent: boolean;
  /** The colours of the board. */
  board: string;
  /** Whether the user has neither played nor learnt yet. */
  isNew: boolean;
}
