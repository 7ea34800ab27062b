// worker.js in a thread of Node.js, which can receive messages during a search without suspending it.

import { readFileSync } from "node:fs";
import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import { fileAddress } from "./files.js";
import { platform, receive } from "./host.js";

/** Milliseconds between two looks for a message. */
const WAIT_MS = 2;
const never = new Int32Array(new SharedArrayBuffer(4));

platform.poll = () => {
  for (let arrived = receiveMessageOnPort(parentPort); arrived; arrived = receiveMessageOnPort(parentPort)) receive(arrived.message);
};
platform.wait = () => {
  Atomics.wait(never, 0, 0, WAIT_MS);
  platform.poll();
};
platform.load = (name) => new Uint8Array(readFileSync(fileAddress(name)));

globalThis.postMessage = (message) => parentPort.postMessage(message);
globalThis.addEventListener = (type, handle) => parentPort.on(type, (data) => handle({ data }));
// The parent ends the thread.
globalThis.close = () => {};

await import("./worker.js");
