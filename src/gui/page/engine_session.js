// A session of an engine that speaks UGI or UCI. It runs one search at a time: a new one stops the one before it, and
// starts when that has answered.

/** Parses an `info` line; returns null if it carries no variation. */
function parseInfo(/** @type {string} */ line) {
  const words = line.split(" ");
  /** @type {SearchInfo} */
  const info = { depth: 0, multipv: 1, pv: [] };
  for (let at = 1; at < words.length; at += 1) {
    const number = (offset = 1) => Number(words[at + offset]);
    switch (words[at]) {
      case "string":
        return null;
      case "depth":
        info.depth = number();
        break;
      case "seldepth":
        info.seldepth = number();
        break;
      case "multipv":
        info.multipv = number();
        break;
      case "cp":
        info.cp = number();
        break;
      case "mate":
        info.mate = number();
        break;
      case "lowerbound":
      case "upperbound":
        info.bound = words[at];
        break;
      case "wdl":
        info.wdl = [number(1), number(2), number(3)];
        break;
      case "nodes":
        info.nodes = number();
        break;
      case "nps":
        info.nps = number();
        break;
      case "time":
        info.time = number();
        break;
      case "pv":
        info.pv = words.slice(at + 1);
        at = words.length;
        break;
      default:
        break;
    }
  }
  return info.cp === undefined && info.mate === undefined ? null : info;
}

/** The `position` command of a setup. */
function positionCommand(/** @type {Setup} */ { start, moves }) {
  return [
    "position",
    ...(start === null ? ["startpos"] : ["fen", start]),
    ...(moves.length ? ["moves", ...moves] : []),
  ].join(" ");
}

export class EngineSession {
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

  /** Asks for the answer at once, or as soon as the search has begun. */
  answerNow() {
    if (this.#running && !this.#isStopping) this.#send("stop");
    else if (this.#wanted) this.#wanted.isHurried = true;
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
    if (job.isHurried) this.#send("stop");
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
