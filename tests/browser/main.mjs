// The browser part of scripts/gui_check. Prints what it does with times, then the problems; exits 1 if there are any.

import { parseArgs } from "node:util";

import { expect, launch, problems, run, seconds, shutDown } from "./driver.mjs";
import { engines } from "./native/engines.mjs";
import { reports } from "./native/reports.mjs";
import { restarts } from "./native/restarts.mjs";
import { native, startServer } from "./native/server.mjs";
import { watching } from "./native/watching.mjs";
import { analysis } from "./steps/analysis.mjs";
import { board } from "./steps/board.mjs";
import { clocks } from "./steps/clocks.mjs";
import { explore } from "./steps/explore.mjs";
import { games } from "./steps/games.mjs";
import { guide } from "./steps/guide.mjs";
import { learn } from "./steps/learn.mjs";
import { links } from "./steps/links.mjs";
import { myGames } from "./steps/my_games.mjs";
import { pictures } from "./steps/pictures.mjs";
import { play } from "./steps/play.mjs";
import { puzzles } from "./steps/puzzles.mjs";
import { readme } from "./steps/readme.mjs";
import { review } from "./steps/review.mjs";
import { settings } from "./steps/settings.mjs";
import { speed } from "./steps/speed.mjs";
import { stored } from "./steps/stored.mjs";
import { tabs } from "./steps/tabs.mjs";
import { views } from "./steps/views.mjs";

/** Steps that run against any address, and steps that start the native program themselves. */
const SHARED = { games, board, play, learn, clocks, links, settings, stored, analysis, review, puzzles, explore, tabs, myGames, pictures, views, speed };
const NATIVE = { restarts, engines, watching };
/** Steps that run only if they are named. */
const NAMED = { readme, guide, reports };

const { values, positionals } = parseArgs({ allowPositionals: true, options: {
  program: { type: "string", default: native.program }, address: { type: "string" }, delay: { type: "string" },
} });
const steps = { ...SHARED, ...(values.address ? {} : NATIVE) };
const known = { ...steps, ...NAMED };
const unknown = positionals.filter((name) => !(name in known));
if (unknown.length) {
  console.error(`unknown step ${unknown[0]}, expected one of: ${Object.keys(known).join(" ")}`);
  process.exit(2);
}
native.program = values.program;
const server = values.address ? { address: values.address, end: async () => {} } : await startServer(0);
await launch();

run.delay = Number(values.delay ?? 0);
for (const name of positionals.length ? positionals : Object.keys(steps)) {
  await known[name](server.address).catch((error) => expect(false, `${name}: ${error.stack}`));
}
await shutDown();
await server.end();
console.log(problems.length ? `${problems.length} problems:\n${[...new Set(problems)].join("\n")}` : `The browser check passed in ${seconds().toFixed(0)} s.`);
process.exit(problems.length ? 1 : 0);
