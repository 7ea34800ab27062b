// A worker with one instance of the engine, which serves the lines of the protocol or the requests of the page.

import { emit, hasFrames, receive, suspendable, unanswered } from "./host.js";
import { initSync, load_weights, start } from "./zermelo.js";

/** Bytes before and after the numbers of a weights file. */
const HEAD = 31;
const CHECKSUM = 4;

/** Reverses scripts/web/pack_weights. */
function unpack(packed) {
  const weights = packed.slice();
  const count = (packed.length - HEAD - CHECKSUM) >> 1;
  for (let at = 0; at < count; at += 1) {
    const unsigned = packed[HEAD + at] | (packed[HEAD + count + at] << 8);
    const number = (unsigned >> 1) ^ -(unsigned & 1);
    weights[HEAD + 2 * at] = number;
    weights[HEAD + 2 * at + 1] = number >> 8;
  }
  return weights;
}

let run = null;
let isRunning = false;

async function handleFrames() {
  if (!run || isRunning) return;
  isRunning = true;
  try {
    while (hasFrames()) await run();
  } catch (error) {
    const id = unanswered();
    if (id !== null) emit(JSON.stringify({ id, error: { message: "internal error" } }));
    postMessage({ failed: `${error}` });
    close();
  }
  isRunning = false;
}

addEventListener("message", async ({ data }) => {
  if (data.frame !== undefined) {
    receive(data);
    return handleFrames();
  }
  try {
    const exports = initSync({ module: data.module });
    start();
    if (data.weights) load_weights(...(await Promise.all(data.weights.map(async (blob) => unpack(new Uint8Array(await blob.arrayBuffer()))))));
    run = suspendable(exports.run);
    handleFrames();
  } catch (error) {
    postMessage({ refused: error.message });
  }
});
