import type { Position } from "./engine.js";

/**
 * The element `<zermelo-board>`. Attributes: `game`, `fen` and `moves` are the position to show, `lines` is the number of lines that
 * the analysis shows, 2 by default. It sends the event `position` after another one is shown.
 */
export class ZermeloBoard extends HTMLElement {
  /** The moves up to the shown position. */
  readonly moves: string[];
  /** The shown position; null until there is one. */
  readonly fen: string | null;
  addEventListener(type: "position", listener: (event: CustomEvent<Position & { moves: string[] }>) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}
