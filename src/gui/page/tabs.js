// The tabs of the panel, in their order.

import { AnalyseTab } from "./analyse.js";
import { dictionary } from "./checks.js";
import { ExploreTab } from "./explore.js";
import { LearnTab } from "./learn.js";
import { GamesTab } from "./my_games.js";
import { PlayTab } from "./play.js";
import { PuzzlesTab } from "./puzzles.js";
import { ReviewTab } from "./review.js";
import { WatchTab } from "./watch.js";

/** @returns {Record<string, import("./tab.js").Tab>} */
export function createTabs(/** @type {App} */ app) {
  return dictionary({
    play: new PlayTab(app),
    learn: new LearnTab(app),
    puzzles: new PuzzlesTab(app),
    analyse: new AnalyseTab(app),
    review: new ReviewTab(app),
    explore: new ExploreTab(app),
    games: new GamesTab(app),
    ...(app.catalogue.watch ? { watch: new WatchTab(app) } : {}),
  });
}
