// How frames reach the engine in WebAssembly: it runs in workers, each with an instance of its own, so that a long request
// delays neither the analysis nor the board.

import { fileAddress } from "./files.js";

/** Whether others can open this page by its address. */
export const IS_PUBLIC = true;

/** A module with an instruction of SIMD, to learn whether the browser has it. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
/** The build for this browser. */
export const ENGINE = typeof WebAssembly === "object" && WebAssembly.validate(SIMD) ? "engine-simd.wasm" : "engine-plain.wasm";
/** The weights that a page loads in advance. Others are loaded by a worker when it needs them. */
const WEIGHTS = "tixtax.eval";

/** Which worker answers a request; all others are for the quick one. */
const ROLES = { hint: "search", explain: "search", start: "search",
  ratings: "long", review: "review", puzzle: "long", analysis: "long", prove: "long" };

const canSuspend = typeof WebAssembly === "object" && "Suspending" in WebAssembly;

/** What Node.js does in another way (node.js). */
export const platform = {
  startWorker() {
    const address = new URL("worker.js", import.meta.url);
    if (address.origin === location.origin) return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    // Workers have to be of the page's own origin, but may import from another one.
    const script = new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" });
    return new Worker(URL.createObjectURL(script), { type: "module" });
  },
  async load(name) {
    const answer = await fetch(fileAddress(name));
    if (!answer.ok) throw new Error(`cannot load ${name}: the server answers ${answer.status}`);
    return answer;
  },
};

async function compile() {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, which the engine needs");
  const answer = await platform.load(ENGINE);
  const isTyped = (answer.headers.get("Content-Type") ?? "").startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** The engine, compiled once for all workers. */
let module = null;
/** The weights that were loaded in advance: names and addresses. */
let weights = Promise.resolve([]);
/** The first worker, which loads its scripts while the engine is compiled. */
let spare = null;

function loadModule() {
  module ??= compile();
  return module;
}

/** Starts to load what the engine needs for the default game. */
export function prepare() {
  spare ??= platform.startWorker();
  weights = platform.load(WEIGHTS).then(async (answer) => [[WEIGHTS, URL.createObjectURL(await answer.blob())]]);
  // The transport reports errors.
  for (const file of [loadModule(), weights]) file.catch(() => {});
}

/** A worker with an instance of the engine. */
class EngineWorker {
  #worker = spare ?? platform.startWorker();
  /** The addresses whose end stops what is running, by the id of the request. */
  #stops = new Map();

  constructor({ needsWeights, onFrame, onEnd }) {
    spare = null;
    this.#worker.addEventListener("message", ({ data }) => {
      if (data.frame !== undefined) return onFrame(data.frame);
      this.#worker.terminate();
      onEnd(data.refused ? new Error(data.refused) : null);
    });
    this.#worker.addEventListener("error", (event) => onEnd(new Error(event.message || "cannot start a worker")));
    Promise.all([loadModule(), needsWeights ? weights : []]).then(
      ([compiled, loaded]) => this.#worker.postMessage({ module: compiled, weights: loaded }), onEnd);
  }

  /** Sends a frame; `id` names what it starts, so that it can be stopped. */
  send(frame, id = null) {
    if (canSuspend || id === null) return this.#worker.postMessage({ frame });
    this.stop(id);
    const stop = URL.createObjectURL(new Blob([]));
    this.#stops.set(id, stop);
    this.#worker.postMessage({ frame, stop });
  }

  stop(id) {
    URL.revokeObjectURL(this.#stops.get(id) ?? "");
    this.#stops.delete(id);
  }

  terminate() {
    this.#worker.terminate();
  }
}

/** Milliseconds from the first answer to a request to the start of the session's worker, so that the board is drawn first. */
const DRAWING_TIME = 50;

export class Transport {
  /** @type {Map<string, EngineWorker>} */
  #workers = new Map();
  /** Lines of the session until its worker starts; then null. @type {string[] | null} */
  #heldLines = [];
  /** Which worker answers a request. @type {Map<number, string>} */
  #roles = new Map();
  #isStarting = false;
  isOpen = false;
  onOpen = () => {};
  onFrame = (_frame) => {};
  onClose = () => {};
  /** Called when the engine cannot run. */
  onFailure = (_error) => {};

  constructor() {
    this.#worker("quick");
    loadModule().then(() => {
      this.isOpen = true;
      this.onOpen();
      if (!this.#roles.size) this.#startSession();
    }, (error) => this.#refuse(error));
    weights.catch((error) => this.#refuse(error));
  }

  /** Sends a line of the protocol or a JSON message. */
  send(frame) {
    if (!frame.startsWith("{")) return this.#heldLines ? this.#heldLines.push(frame) : this.#sendLine(frame);
    const { id, ask, cancel } = JSON.parse(frame);
    if (cancel !== undefined) {
      const worker = this.#worker(this.#roles.get(cancel) ?? "quick");
      worker.stop(cancel);
      return worker.send(frame);
    }
    const role = ROLES[ask] ?? "quick";
    this.#roles.set(id, role);
    this.#worker(role).send(frame, role === "quick" ? null : id);
  }

  /** Sends a line of the protocol to the session. */
  #sendLine(line) {
    const word = line.split(" ", 1)[0];
    if (word === "stop") this.#worker("engine").stop("go");
    this.#worker("engine").send(line, ["go", "bench", "perft", "values"].includes(word) ? "go" : null);
  }

  #startSession() {
    const lines = this.#heldLines ?? [];
    this.#heldLines = null;
    this.#worker("engine");
    for (const line of lines) this.#sendLine(line);
  }

  #worker(role) {
    let worker = this.#workers.get(role);
    if (!worker) {
      worker = new EngineWorker({ needsWeights: role !== "quick", onFrame: (frame) => this.#receive(frame), onEnd: (error) => this.#end(role, error) });
      this.#workers.set(role, worker);
    }
    return worker;
  }

  #receive(frame) {
    if (this.#heldLines && !this.#isStarting) {
      this.#isStarting = true;
      setTimeout(() => this.#startSession(), DRAWING_TIME);
    }
    if (frame.startsWith('{"id":') || frame.startsWith('{"answer":') || frame.startsWith('{"error":')) {
      const { id, progress } = JSON.parse(frame);
      if (progress === undefined) this.#forget(id);
    }
    this.onFrame(frame);
  }

  #forget(id) {
    this.#workers.get(this.#roles.get(id) ?? "")?.stop(id);
    this.#roles.delete(id);
  }

  /** A worker has failed: it is started again with the next frame. Whoever uses the engine starts a new session. */
  #end(role, error) {
    this.#workers.delete(role);
    if (error) return this.#refuse(error);
    if (role === "engine") {
      this.close();
      return this.onClose();
    }
    for (const [id, own] of [...this.#roles]) {
      if (own === role) this.#receive(JSON.stringify({ id, error: { message: "internal error" } }));
    }
  }

  /** Ends all workers. */
  close() {
    this.isOpen = false;
    for (const worker of this.#workers.values()) worker.terminate();
    this.#workers.clear();
  }

  /** Reports why the engine cannot run. */
  #refuse(error) {
    this.isOpen = false;
    this.onFailure(new Error(`The engine cannot start: ${error.message}. If starting it again does not help, its files are incomplete.`));
  }
}
