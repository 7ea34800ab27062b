// The engines of this tab: the built-in one, and those given by `--engine`. Each runs one search at a time: a new one stops
// the one before it, and starts when that has answered.

import { Refusal } from "./connection.js";
import { byId, element } from "./dom.js";
import { t } from "./texts.js";
import { button, toast } from "./widgets.js";

/** @typedef {import("./types").SearchJob} SearchJob */
/** @typedef {import("./types").SearchInfo} SearchInfo */

/** Parses an `info` line; returns null if it carries no variation. */
function parseInfo(/** @type {string} */ line) {
  const words = line.split(" ");
  /** @type {SearchInfo} */
  const info = { depth: 0, multipv: 1, pv: [] };
  for (let at = 1; at < words.length; at += 1) {
    const number = (offset = 1) => Number(words[at + offset]);
    switch (words[at]) {
      case "string": return null;
      case "depth": info.depth = number(); break;
      case "seldepth": info.seldepth = number(); break;
      case "multipv": info.multipv = number(); break;
      case "cp": info.cp = number(); break;
      case "mate": info.mate = number(); break;
      case "lowerbound": case "upperbound": info.bound = words[at]; break;
      case "wdl": info.wdl = [number(1), number(2), number(3)]; break;
      case "nodes": info.nodes = number(); break;
      case "nps": info.nps = number(); break;
      case "time": info.time = number(); break;
      case "pv": info.pv = words.slice(at + 1); at = words.length; break;
      default: break;
    }
  }
  return info.cp === undefined && info.mate === undefined ? null : info;
}

/** The `position` command of a setup. */
function positionCommand(/** @type {import("./types").Setup} */ { start, moves }) {
  return ["position", ...(start === null ? ["startpos"] : ["fen", start]), ...(moves.length ? ["moves", ...moves] : [])].join(" ");
}

class Engine {
  /** @type {(line: string) => boolean} */
  #send;
  #isReady = false;
  /** @type {SearchJob | null} */
  #running = null;
  /** The search to run next, or to run again after a lost connection. @type {SearchJob | null} */
  #wanted = null;
  #isStopping = false;
  /** @type {Map<string, string>} */
  #options = new Map();
  #handshake = "ugi";
  /** Called with errors that the engine reports. */
  onError = (/** @type {string} */ _text) => {};
  /** Called after a failed engine session was restarted. */
  onReset = () => {};

  /** @param {(line: string) => boolean} send */
  constructor(send, handshake = "ugi") {
    this.#send = send;
    this.#handshake = handshake;
  }

  /** Begins a session; the engine forgot everything. */
  start() {
    this.#isReady = false;
    this.#running = null;
    this.#isStopping = false;
    this.#options.clear();
    this.#send(this.#handshake);
  }

  /** Notes that the connection is lost. */
  lose() {
    this.#isReady = false;
    this.#running = null;
    this.#isStopping = false;
  }

  /** Restarts the session of a failed engine, which sends no answer and has lost its options. */
  #reset(/** @type {string} */ text) {
    this.onError(text);
    this.#wanted = null;
    this.start();
    this.onReset();
  }

  /** Runs a search in place of the one that is running. */
  run(/** @type {SearchJob} */ job) {
    this.#wanted = job;
    if (this.#running) this.#stop();
    else this.#startWanted();
  }

  /** Ends the search without an answer. */
  halt() {
    this.#wanted = null;
    if (this.#running) this.#stop();
  }

  /** Asks for the answer at once. */
  answerNow() {
    if (this.#running && !this.#isStopping) this.#send("stop");
  }

  #stop() {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#send("stop");
  }

  #startWanted() {
    const job = this.#wanted;
    if (!job || !this.#isReady || this.#running) return;
    this.#running = job;
    this.#isStopping = false;
    this.#set("UCI_Variant", job.setup.game);
    for (const [name, value] of Object.entries(job.options)) this.#set(name, `${value}`);
    this.#send(positionCommand(job.setup));
    this.#send(`go ${job.go}`);
  }

  #set(/** @type {string} */ name, /** @type {string} */ value) {
    if (this.#options.get(name) === value) return;
    this.#options.set(name, value);
    this.#send(`setoption name ${name} value ${value}`);
  }

  /** Handles a line of the engine. */
  receive(/** @type {string} */ line) {
    if (line === "ugiok" || line === "uciok") {
      this.#isReady = true;
      this.#startWanted();
      return;
    }
    const job = this.#running;
    if (line.startsWith("info string error")) {
      const text = line.slice("info string error: ".length);
      if (text.startsWith("internal error")) this.#reset(text);
      else if (!this.#isStopping) this.onError(text);
      return;
    }
    if (!job) return;
    if (line.startsWith("bestmove")) {
      this.#running = null;
      const isCurrent = job === this.#wanted;
      if (isCurrent) this.#wanted = null;
      this.#isStopping = false;
      const move = line.split(" ")[1] ?? null;
      if (isCurrent) job.onBest?.(move === "(none)" ? null : move);
      this.#startWanted();
      return;
    }
    if (this.#isStopping && job !== this.#wanted) return;
    if (!line.startsWith("info ") || line.startsWith("info string ")) return;
    const info = parseInfo(line);
    if (info) job.onInfo?.(info);
  }
}

export class Engines {
  /** The sessions of engines given by `--engine`. @type {Map<string, Engine>} */
  #others = new Map();
  /** Called after an engine was restarted. */
  onRestart = () => {};
  /** The names of engines that have ended. @type {Set<string>} */
  #ended = new Set();
  /** Called after an engine has ended. */
  onEnd = (/** @type {string} */ _name) => {};

  /** @param {import("./connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.own = new Engine((line) => connection.sendLine(line));
    this.own.onError = toast;
    this.own.onReset = () => this.onEnd("");
    connection.onLine = (line) => this.own.receive(line);
  }

  /** Returns the session of an engine given by `--engine`, restarted if it has ended; the built-in one for an empty name. */
  named(/** @type {string} */ name) {
    if (name === "") return this.own;
    let other = this.#others.get(name);
    if (!other) {
      other = new Engine((line) => {
        if (!this.connection.isOpen) return false;
        this.connection.ask("engine", { name, line }, { isRepeated: false }).catch((error) => {
          if (error instanceof Refusal) this.receive({ engine: name, state: "crashed", message: error.message });
        });
        return true;
      });
      other.onError = (text) => toast(`${name}: ${text}`);
      this.#others.set(name, other);
      other.start();
    } else if (this.#ended.has(name)) this.#restart(name);
    return other;
  }

  #all() {
    return [this.own, ...this.#others.values()];
  }

  /** Restarts all sessions once the connection is open. */
  start() {
    for (const engine of this.#all()) engine.start();
  }

  /** Notes that the connection is lost. */
  lose() {
    for (const engine of this.#all()) engine.lose();
  }

  /** Removes the notice about an engine. */
  clearNotice() {
    byId("engine-state").replaceChildren();
  }

  halt() {
    for (const engine of this.#all()) engine.halt();
  }

  /** Handles a line or the state of an engine given by `--engine`. */
  receive(/** @type {{ engine: string, line?: string, state?: string, message?: string }} */ { engine, line, state, message }) {
    const other = this.#others.get(engine);
    if (line !== undefined) return other?.receive(line);
    if (state !== "started" && state !== "crashed") return;
    const notice = byId("engine-state");
    if (state === "started") {
      if (notice.dataset.engine === engine) notice.replaceChildren();
      return;
    }
    other?.lose();
    this.#ended.add(engine);
    this.onEnd(engine);
    notice.dataset.engine = engine;
    notice.replaceChildren(element("p", {}, t("engine.crashed", { engine, message: message ?? "" })), button(t("engine.restart"), () => this.#restart(engine), { id: "restart-engine" }));
  }

  async #restart(/** @type {string} */ name) {
    this.clearNotice();
    this.#ended.delete(name);
    try {
      await this.connection.ask("restart_engine", { name }, { isRepeated: false });
      this.#others.get(name)?.start();
      this.onRestart();
    } catch (error) {
      this.#ended.add(name);
      toast(/** @type {Error} */ (error).message);
    }
  }
}
