// Draws docs/board.png, the picture in the README: a game of TixTax under analysis.

import { fileURLToPath } from "node:url";

import { log, open, until } from "../driver.mjs";

const MOVES = "e5 d6 a9 c8 i6 h7 f2 g4 c3 h9 f9 g8 b4 d2 c4 g2 a4 b3 f7 i1 h3 f8 h6 e9 d9 b9";
const DEPTH = 18;

export async function readme(address) {
  const page = await open(`${address}#${new URLSearchParams({ tab: "analyse", game: "tixtax", moves: MOVES })}`, { viewport: { width: 1240, height: 790 } });
  await until(page, (depth) => Number(/Depth (\d+)/.exec(document.body.innerText)?.[1]) >= depth, `the analysis reaches depth ${DEPTH}`, DEPTH);
  await page.screenshot({ path: fileURLToPath(new URL("../../../docs/board.png", import.meta.url)) });
  log("docs/board.png");
  await page.context().close();
}
