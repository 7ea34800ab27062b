// The engine in Node.js, where its workers are threads and its files are on the disk.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { fileAddress } from "./files.js";
import { platform } from "./transport.js";

platform.startWorker = () => {
  const worker = new Worker(new URL("node_worker.js", import.meta.url));
  worker.addEventListener = (type, handle) => worker.on(type, type === "message" ? (data) => handle({ data }) : handle);
  return worker;
};
platform.load = async (name) => new Response(await readFile(fileAddress(name)));

export { Engine } from "./engine.js";
