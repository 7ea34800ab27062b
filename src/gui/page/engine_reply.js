// The reply of an engine in Play, which is shown after a moment.

import { playerName } from "./players.js";
import { t } from "./texts.js";
import { toast } from "./widgets.js";

/** The shortest time before the engine's move is shown, so that one's own move is seen first. */
const REPLY_MS = 250;
const WATCH_MS = 700;

export class EngineReply {
  isThinking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #app;
  #onMove;
  #onIllegal;

  /**
   * @param {App} app
   * @param {(move: string) => void} onMove
   * @param {() => void} onIllegal called after an illegal move
   */
  constructor(app, onMove, onIllegal) {
    this.#app = app;
    this.#onMove = onMove;
    this.#onIllegal = onIllegal;
  }

  /** Asks the engine whose turn it is. */
  ask(/** @type {PlayerSettings} */ player) {
    const app = this.#app;
    const { session } = app;
    const { live } = session;
    const began = performance.now();
    const isWatching = session.players.every(({ kind }) => kind === "engine");
    this.isThinking = true;
    const left = session.clock?.remaining(session.sideAt(live)) ?? Infinity;
    app.engines.named(player.engine).run({
      setup: session.tree.setup(live),
      go: session.clock?.limits(REPLY_MS) ?? `movetime ${Math.round(1000 * player.seconds)}`,
      options:
        player.engine === ""
          ? { UCI_AnalyseMode: false, "Skill Level": player.level, MultiPV: 1, Seed: session.seed }
          : {},
      onBest: (move) => {
        const wait = Math.max(0, (isWatching ? WATCH_MS : Math.min(REPLY_MS, left / 40)) - (performance.now() - began));
        this.#timer = setTimeout(() => {
          if (app.session !== session || session.live !== live || session.isOver || session.isPaused) return;
          this.isThinking = false;
          if (move === null) return;
          if (session.at !== live || app.position?.legal.some((legal) => legal.move === move))
            return this.#onMove(move);
          toast(t("play.illegal", { player: playerName(app, session.sideAt(live)), move }));
          this.#onIllegal();
        }, wait);
      },
    });
  }

  /** Waits for no move any more. */
  stop() {
    clearTimeout(this.#timer);
    this.isThinking = false;
    this.#app.engines.halt();
  }
}
