/** A position: where to start, and the moves from there. What is left out is the game of the last position, its start, no moves. */
export interface Setup {
  /** `tixtax`, `tixtax-open`, `tixtax-count`, `tictactoe`, `ponghauki` or `nim`; the first is the default. */
  game?: string;
  /** The start position as a FEN; null for the start of the game. */
  fen?: string | null;
  /** In any notation of the game. */
  moves?: string[];
}

/** Limits of a search, in the words of the protocol: milliseconds, plies, nodes. Without any it runs until `stop`. */
export interface Limits {
  depth?: number;
  nodes?: number;
  movetime?: number;
  mate?: number;
  movestogo?: number;
  p1time?: number;
  p2time?: number;
  p1inc?: number;
  p2inc?: number;
}

export interface LegalMove {
  move: string;
  /** The places on the board, as indices into `layout.spots`, in the order in which they are clicked. */
  spots: number[];
}

export interface Position {
  fen: string;
  /** The side to move; also if the game is over. */
  side: 0 | 1;
  /** Empty if the game is over. */
  legal: LegalMove[];
  /** Who is to move and where, or how the game ended. */
  status: string;
  /** Null during the game. */
  outcome: { result: "1-0" | "0-1" | "1/2-1/2"; text: string } | null;
  plies: number;
  /** A character per place: a letter of a piece, `.` for an empty one, `#` for a closed one; highlighted ones in upper case, or `*`. */
  shown: string;
  /** The places of the last move. */
  last: number[];
  /** Labels beside the board that depend on the position. */
  labels: { x: number; y: number; text: string }[];
}

export interface Game {
  id: string;
  name: string;
  summary: string;
  rules: string;
  side_names: string[];
  layout: {
    width: number;
    height: number;
    strokes: { from: [number, number]; to: [number, number]; heavy: boolean }[];
    spots: { x: number; y: number; size: number; name: string; is_area: boolean }[];
    labels: { x: number; y: number; text: string }[];
    pieces: { letter: string; form: string; tone: string }[];
  };
}

/** What a search has found; from the view of the side to move. */
export interface Info {
  depth: number;
  seldepth?: number;
  /** The number of the line, from 1. */
  multipv: number;
  /** Hundredths of a point. */
  cp?: number;
  /** Plies to a proven win, or negative to a proven loss. */
  mate?: number;
  /** How likely win, draw and loss are, in thousandths. */
  wdl?: [number, number, number];
  nodes?: number;
  nps?: number;
  /** Milliseconds. */
  time?: number;
  /** Whether the value is only a bound. */
  bound?: "lowerbound" | "upperbound";
  pv: string[];
}

/** An engine with workers of its own. It sends the event `info` while it searches. */
export class Engine extends EventTarget {
  /** Options of the protocol, such as `{ "Skill Level": 5, Hash: 64 }`; changes count from the next search on. */
  options: Record<string, string | number | boolean>;
  constructor(settings?: { options?: Record<string, string | number | boolean> });
  /** All games, with their rules and boards. */
  games(): Promise<Game[]>;
  /** Sets the position; fails if the FEN or a move is illegal. This takes no search. */
  position(setup?: Setup): Promise<Position>;
  /** Searches for the best move; fails if the game is over, or another search begins. */
  go(limits?: Limits): Promise<{ move: string; info: Info | null }>;
  /** Analyses several moves at a time, the best first. Without limits the events `info` tell what is found until `stop`. */
  analyse(settings?: Limits & { lines?: number }): Promise<Info[]>;
  /** Ends the search, which answers at once. */
  stop(): void;
  /** Sends a request of docs/gui-protocol.md, such as `hint`, `ratings`, `review` or `prove`. */
  ask(name: string, fields?: Record<string, unknown>, options?: { onProgress?: (progress: any) => void; signal?: AbortSignal }): Promise<any>;
  /** Ends the workers. */
  close(): void;
  addEventListener(type: "info", listener: (event: CustomEvent<Info>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}
