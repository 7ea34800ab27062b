// The connection to the engine: requests with answers, and lines of the protocol. It reconnects by
// itself, and sends again what was not answered.

import { language, t } from "./texts.js";
import { Transport } from "./transport.js";

/** An error that the engine answered, in words for people. */
export class Refusal extends Error {
  /** @param {{ message: string, ply?: number }} error */
  constructor(error) {
    super(error.message);
    this.ply = error.ply;
  }
}

/**
 * @typedef {object} Pending
 * @property {string} text
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {((progress: any) => void) | undefined} onProgress
 * @property {boolean} isSent
 * @property {boolean} isRepeated whether it is sent again after a lost connection
 */

/** Requests beyond this number wait; the server refuses more than eight. */
const MAX_OUTSTANDING = 6;
/** The longest message in bytes that the server takes. */
const MAX_MESSAGE = 1 << 20;
const RETRY_MS = [150, 300, 600, 1200, 2500];

export class Connection {
  /** @type {Transport | null} */
  #transport = null;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #nextId = 1;
  #failures = 0;
  /** Why the engine cannot run. @type {Error | null} */
  #failure = null;
  /** Called with every line of the protocol. */
  onLine = (/** @type {string} */ _line) => {};
  /** Called with messages that answer no request. */
  onEvent = (/** @type {any} */ _event) => {};
  /** Called when the engine cannot run. */
  onFailure = (/** @type {Error} */ _error) => {};
  /** Called when the connection is made or lost. */
  onState = (/** @type {boolean} */ _isOpen) => {};

  get isOpen() {
    return Boolean(this.#transport?.isOpen);
  }

  connect() {
    const transport = new Transport();
    this.#transport = transport;
    transport.onOpen = () => {
      this.#failures = 0;
      for (const [id, request] of this.#pending) {
        request.isSent = false;
        if (!request.isRepeated) (this.#pending.delete(id), request.reject(new Error("disconnected")));
      }
      this.onState(true);
      this.#sendWaiting();
    };
    transport.onFrame = (frame) => this.#receive(frame);
    transport.onFailure = (error) => this.#fail(error);
    transport.onClose = () => {
      if (this.#transport !== transport) return;
      this.onState(false);
      const delay = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
      this.#failures += 1;
      setTimeout(() => this.connect(), delay);
    };
  }

  /** Ends the connection for good. */
  close(reason = new Error("the engine is closed")) {
    this.#transport?.close();
    this.#fail(reason);
  }

  #fail(/** @type {Error} */ error) {
    this.#failure = error;
    for (const request of this.#pending.values()) request.reject(error);
    this.#pending.clear();
    this.onFailure(error);
  }

  /** Sends a line of the protocol; returns whether there is a connection. */
  sendLine(/** @type {string} */ line) {
    if (!this.isOpen) return false;
    this.#transport?.send(line);
    return true;
  }

  /**
   * Asks the engine.
   *
   * @param {string} name
   * @param {Record<string, any>} [fields]
   * @param {{ onProgress?: (progress: any) => void, signal?: AbortSignal, isRepeated?: boolean }} [options]
   * @returns {Promise<any>}
   */
  ask(name, fields = {}, { onProgress, signal, isRepeated = true } = {}) {
    const id = this.#nextId;
    this.#nextId += 1;
    const text = JSON.stringify({ id, ask: name, lang: language(), ...fields });
    if (this.#failure) return Promise.reject(this.#failure);
    const size = 3 * text.length > MAX_MESSAGE ? new Blob([text]).size : 0;
    if (size > MAX_MESSAGE) return Promise.reject(new Error(t("request.tooLarge", { size, limit: MAX_MESSAGE })));
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new DOMException("cancelled", "AbortError"));
      this.#pending.set(id, { text, resolve, reject, onProgress, isSent: false, isRepeated });
      signal?.addEventListener("abort", () => {
        const request = this.#pending.get(id);
        if (!request) return;
        if (request.isSent && this.isOpen) {
          Object.assign(request, { isRepeated: false, onProgress: undefined });
          this.#transport?.send(JSON.stringify({ cancel: id }));
        } else this.#pending.delete(id);
        reject(new DOMException("cancelled", "AbortError"));
      });
      this.#sendWaiting();
    });
  }

  #sendWaiting() {
    if (!this.isOpen) return;
    let outstanding = [...this.#pending.values()].filter(({ isSent }) => isSent).length;
    for (const request of this.#pending.values()) {
      if (outstanding >= MAX_OUTSTANDING) return;
      if (request.isSent) continue;
      request.isSent = true;
      outstanding += 1;
      this.#transport?.send(request.text);
    }
  }

  #receive(/** @type {string} */ frame) {
    if (!frame.startsWith("{")) {
      for (const line of frame.split("\n")) if (line) this.onLine(line);
      return;
    }
    const message = JSON.parse(frame);
    const request = this.#pending.get(message.id);
    if (!request) {
      if (message.id === undefined) this.onEvent(message);
      return;
    }
    if (message.progress !== undefined) return request.onProgress?.(message.progress);
    this.#pending.delete(message.id);
    if (message.error) request.reject(new Refusal(message.error));
    else request.resolve(message.answer);
    this.#sendWaiting();
  }
}
