// A worker with one instance of the engine, which serves the lines of the protocol or the requests of the page.

import { Refusal, emit, hasFrames, provideWeights, receive, suspendable, unanswered } from "./host.js";
import { initSync, start } from "./zermelo.js";

let run = null;
let isRunning = false;

async function handleFrames() {
  if (!run || isRunning) return;
  isRunning = true;
  try {
    while (hasFrames()) await run();
  } catch (error) {
    if (error instanceof Refusal) return postMessage({ refused: error.message });
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
    for (const [name, address] of data.weights) provideWeights(name, address);
    run = suspendable(exports.run);
    handleFrames();
  } catch (error) {
    postMessage({ refused: error.message });
  }
});
