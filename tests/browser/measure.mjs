// The figures of the board in the browser, printed with medians. Started by scripts/gui_measure.

import { execSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { launch, median, open, settled, shutDown, until } from "./driver.mjs";
import { native, startServer } from "./native/server.mjs";
import { moveDelays, paints, watchTasks } from "./steps/speed.mjs";

const { values } = parseArgs({ options: {
  program: { type: "string", default: native.program }, rounds: { type: "string", default: "7" },
  seconds: { type: "string", default: "5" }, minutes: { type: "string", default: "3" },
} });
native.program = values.program;
const [rounds, seconds, minutes] = [values.rounds, values.seconds, values.minutes].map(Number);
/** What the page sends for its analysis of the start position. */
const ANALYSIS = ["setoption name UCI_Variant value tixtax", "setoption name UCI_AnalyseMode value true", "setoption name UCI_ShowWDL value true",
  "setoption name Skill Level value 20", "setoption name MultiPV value 2", "position startpos", "go infinite"];

const load = () => readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" ");
const list = (numbers, digits = 0) => `${median(numbers).toFixed(digits)} (${numbers.map((number) => number.toFixed(digits)).join(", ")})`;

/** Nodes per second in the last line of a search. */
function speedOf(line) {
  const [nodes, time] = ["nodes", "time"].map((word) => Number(new RegExp(` ${word} (\\d+)`).exec(line)?.[1] ?? NaN));
  return (1000 * nodes) / time;
}

/** The search without the page: the engine with its lines discarded. */
async function searchAlone() {
  const engine = spawn(native.program, [], { stdio: ["pipe", "pipe", "inherit"] });
  let last = "";
  createInterface(engine.stdout).on("line", (line) => { if (/ nodes /.test(line)) last = line; });
  engine.stdin.write(["ugi", ...ANALYSIS, ""].join("\n"));
  await new Promise((done) => { setTimeout(done, 1000 * seconds); });
  const speed = speedOf(last);
  engine.stdin.end("quit\n");
  await new Promise((done) => { engine.on("exit", done); });
  return speed;
}

/** The same search shown by the page. */
async function searchShown(address) {
  const page = await open(address);
  let last = "";
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => { for (const line of `${payload}`.split("\n")) if (/^info .* nodes /.test(line)) last = line; }));
  await page.click("#tab-analyse");
  await settled(page);
  await page.reload();
  await until(page, () => document.querySelectorAll("#analysis .line").length === 2, "the analysis runs");
  await watchTasks(page);
  await page.waitForTimeout(1000 * seconds);
  const speed = speedOf(last);
  const tasks = await page.evaluate(() => window.longTasks);
  await page.context().close();
  return { speed, tasks };
}

/** The memory of the server and of the page after a collection of garbage, in MiB. */
async function memory(page, pid) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return [usedSize / 2 ** 20, Number(resident?.[1]) / 1024];
}

console.log(`${execSync("uptime").toString().trim()}; ${rounds} rounds of ${seconds} s`);
await launch();
const server = await startServer(0);
const page = await open(server.address);
console.log(`click to drawn move, ms: ${list(await moveDelays(page))}`);
console.log(`first paint, ms: ${list(await paints(page))}`);
await page.context().close();

const [alone, shown, costs, tasks] = [[], [], [], []];
for (let round = 0; round < rounds; round += 1) {
  alone.push(await searchAlone());
  const measured = await searchShown(server.address);
  shown.push(measured.speed);
  tasks.push(...measured.tasks);
  costs.push(100 * (1 - measured.speed / alone[round]));
}
console.log(`nodes per second alone: ${list(alone)}`);
console.log(`nodes per second shown: ${list(shown)}`);
console.log(`cost of the page, %: ${list(costs, 1)}; of the medians: ${(100 * (1 - median(shown) / median(alone))).toFixed(1)}`);
console.log(`main-thread tasks above 50 ms: ${tasks.join(", ") || "none"}; load ${load()}`);

const analysed = await open(server.address);
await analysed.click("#tab-analyse");
await watchTasks(analysed);
console.log("memory in MiB: minutes, page, server");
for (let minute = 0; minute <= minutes; minute += 1) {
  // The first look comes after the hash table has been filled.
  await analysed.waitForTimeout(minute ? 60_000 : 15_000);
  const [heap, resident] = await memory(analysed, server.pid);
  console.log(`${minute} ${heap.toFixed(2)} ${resident.toFixed(1)}`);
}
const long = await analysed.evaluate(() => window.longTasks);
console.log(`main-thread tasks above 50 ms: ${long.join(", ") || "none"}; load ${load()}`);
await shutDown();
await server.end();
