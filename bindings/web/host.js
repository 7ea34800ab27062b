// What the engine in WebAssembly calls. A search calls `poll` every few milliseconds and `wait` when it has nothing to do.
//
// Where WebAssembly can be suspended (JSPI), both give the worker's event loop a turn, in which messages arrive. Elsewhere
// the page revokes the address of a blob to stop a search, which a synchronous request notices: no static host sends the
// headers that shared memory needs.

import { fileAddress } from "./files.js";

/** The frames that have arrived. @type {string[]} */
const frames = [];
/** For each of them the address whose end stops it, or nothing. @type {string[]} */
const stops = [];
/** The id of the request that is being answered, and whether it was cancelled. */
let current = null;
let isCancelled = false;
/** The address whose end stops what is running now; only without JSPI. */
let stopAddress = "";
let wake = () => {};

const canSuspend = typeof WebAssembly.Suspending === "function" && typeof WebAssembly.promising === "function";
const turns = new MessageChannel();
let endTurn = () => {};
turns.port1.onmessage = () => endTurn();

/** Adds a message of the page: `frame`, and without JSPI `stop`, the address that ends it. */
export function receive({ frame, stop }) {
  const cancelled = /^\{"cancel":(\d+)\}$/.exec(frame)?.[1];
  if (cancelled === undefined) {
    frames.push(frame);
    stops.push(stop ?? "");
  } else if (Number(cancelled) === current) {
    isCancelled = true;
  } else {
    const at = frames.findIndex((one) => one.startsWith(`{"id":${cancelled},`));
    if (at < 0) return;
    frames.splice(at, 1);
    stops.splice(at, 1);
    emit(JSON.stringify({ id: Number(cancelled), error: { message: "cancelled" } }));
  }
  wake();
}

export function hasFrames() {
  return frames.length > 0;
}

/** The request that was being answered when the engine failed. */
export function unanswered() {
  return current;
}

export function take() {
  const frame = frames.shift();
  const stop = stops.shift();
  if (frame === undefined) {
    current = null;
    return undefined;
  }
  if (frame.startsWith("{")) {
    current = JSON.parse(frame).id ?? null;
    isCancelled = false;
  }
  if (stop) stopAddress = stop;
  return frame;
}

export function is_cancelled() {
  return isCancelled;
}

export function emit(frame) {
  postMessage({ frame });
}

export function report_panic(message) {
  console.error(message);
}

/** Why the engine cannot run. */
export class Refusal extends Error {}

export function refuse(reason) {
  throw new Refusal(reason);
}

/** The addresses of weights that the page has loaded, by name. @type {Map<string, string>} */
const loadedWeights = new Map();

export function provideWeights(name, address) {
  loadedWeights.set(name, address);
}

/** Loads a weights file while the engine waits. */
function load(name) {
  const request = new XMLHttpRequest();
  request.open("GET", loadedWeights.get(name) ?? fileAddress(name), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch (error) {
    refuse(`cannot load ${name}: ${error.message}`);
  }
  if (request.status !== 200) refuse(`cannot load ${name}: the server answers ${request.status}`);
  return new Uint8Array(request.response);
}

/** What Node.js does in another way (node_worker.js): receiving messages during a search, waiting for one, loading a file. */
export const platform = { poll: checkStop, wait: checkStop, load };

export function weights(name) {
  return platform.load(name);
}

export const now = () => performance.now();
export const unix_time = () => Date.now();

/** Milliseconds between two synchronous requests, which take up to a few milliseconds each. */
const REQUEST_INTERVAL = 32;
let lastRequest = 0;

/** Notices without the event loop that the page has revoked an address. */
function checkStop() {
  if (!stopAddress || performance.now() - lastRequest < REQUEST_INTERVAL) return;
  try {
    const request = new XMLHttpRequest();
    request.open("GET", stopAddress, false);
    request.send();
  } catch {
    stopAddress = "";
    if (current === null) { frames.unshift("stop"); stops.unshift(""); } else isCancelled = true;
  }
  lastRequest = performance.now();
}

export const poll = canSuspend
  ? new WebAssembly.Suspending(() => new Promise((done) => { endTurn = () => done(undefined); turns.port2.postMessage(null); }))
  : () => platform.poll();

export const wait = canSuspend
  ? new WebAssembly.Suspending(() => new Promise((done) => { if (frames.length) done(undefined); else wake = () => { wake = () => {}; done(undefined); }; }))
  : () => platform.wait();

/** Wraps an export that may call `poll` or `wait`. */
export function suspendable(exported) {
  return canSuspend ? WebAssembly.promising(exported) : async () => exported();
}
