// The engine for other programs, in a browser or in Node.js: rules, searches, live analysis. engine.d.ts describes it.

import { Connection } from "./connection.js";
import { EngineSession } from "./engine_session.js";

/** Limits of a search that are numbers, by the words of the protocol. */
const LIMITS = ["depth", "nodes", "movetime", "mate", "movestogo", "p1time", "p2time", "p1inc", "p2inc"];

/** The arguments of `go`. */
function goArguments(limits) {
  const words = Object.entries(limits).flatMap(([name, value]) => {
    if (!LIMITS.includes(name)) throw new TypeError(`unknown limit "${name}", expected one of: ${LIMITS.join(" ")}`);
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`invalid ${name} ${value}, expected a whole number from 0`);
    return [name, value];
  });
  return words.length ? words.join(" ") : "infinite";
}

export class Engine extends EventTarget {
  #connection = new Connection();
  #session = new EngineSession((line) => this.#connection.sendLine(line));
  #setup = { game: "tixtax", start: null, moves: [] };
  /** Settles once the last position was accepted or refused. */
  #positioned = Promise.resolve();
  #job = null;

  constructor({ options = {} } = {}) {
    super();
    this.options = options;
    this.#connection.onLine = (line) => this.#session.receive(line);
    this.#connection.onState = (isOpen) => { if (isOpen) this.#session.start(); else this.#session.lose(); };
    this.#connection.onFailure = (error) => this.#job?.onFailure(error);
    this.#session.onError = (text) => this.#job?.onFailure(new Error(text));
    this.#connection.connect();
  }

  async games() {
    return (await this.ask("games")).games;
  }

  async position({ game = this.#setup.game, fen = null, moves = [] } = {}) {
    const setup = { game, start: fen, moves };
    const answer = this.ask("position", { setup });
    this.#positioned = answer.then(() => { this.#setup = setup; }, () => {});
    return answer;
  }

  async go(limits = {}) {
    const { move, lines } = await this.#search(limits, { MultiPV: 1, UCI_AnalyseMode: false, UCI_ShowWDL: true });
    return { move, info: lines[0] ?? null };
  }

  async analyse({ lines: count = 1, ...limits } = {}) {
    const { lines } = await this.#search(limits, { MultiPV: count, UCI_AnalyseMode: true, UCI_ShowWDL: true });
    return lines;
  }

  async #search(limits, options) {
    const go = goArguments(limits);
    this.#job?.onFailure(new Error("another search has begun"));
    return new Promise((resolve, reject) => {
      const lines = [];
      const settle = (end, value) => {
        if (this.#job !== job) return;
        this.#job = null;
        end(value);
      };
      const job = {
        go,
        options: { ...options, ...this.options },
        onInfo: (info) => {
          if (!info.bound) lines[info.multipv - 1] = info;
          this.dispatchEvent(new CustomEvent("info", { detail: info }));
        },
        onBest: (move) => (move === null ? settle(reject, new Error("the game is over")) : settle(resolve, { move, lines })),
        onFailure: (error) => {
          this.#session.halt();
          settle(reject, error);
        },
      };
      this.#job = job;
      this.#positioned.then(() => {
        if (this.#job === job) this.#session.run(Object.assign(job, { setup: this.#setup }));
      });
    });
  }

  stop() {
    if (this.#job) this.#job.isHurried = true;
    this.#session.answerNow();
  }

  ask(name, fields = {}, { onProgress, signal } = {}) {
    return this.#connection.ask(name, fields, { onProgress, signal });
  }

  close() {
    this.#connection.close();
  }
}
