// The engines of this tab: the built-in one, and those given by `--engine`.

import { Refusal } from "./connection.js";
import { byId, element } from "./dom.js";
import { EngineSession } from "./engine_session.js";
import { t } from "./texts.js";
import { button, toast } from "./widgets.js";

export class Engines {
  /** The sessions of engines given by `--engine`. @type {Map<string, EngineSession>} */
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
    this.own = new EngineSession((line) => connection.sendLine(line));
    this.own.onError = toast;
    this.own.onReset = () => this.onEnd("");
    connection.onLine = (line) => this.own.receive(line);
  }

  /**
   * Returns the session of an engine given by `--engine`, restarted if it has ended; the built-in one for an empty
   * name.
   */
  named(/** @type {string} */ name) {
    if (name === "") return this.own;
    let other = this.#others.get(name);
    if (!other) {
      other = new EngineSession((line) => {
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
  receive(
    /** @type {{ engine: string, line?: string, state?: string, message?: string }} */ { engine, line, state, message },
  ) {
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
    notice.replaceChildren(
      element("p", {}, t("engine.crashed", { engine, message: message ?? "" })),
      button(t("engine.restart"), () => this.#restart(engine), { id: "restart-engine" }),
    );
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
