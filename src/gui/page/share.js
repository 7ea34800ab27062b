// Showing a game to others: a link that carries it, and the report of its review.

import { element } from "./dom.js";
import { ownSideOf } from "./kept_games.js";
import { playerName } from "./players.js";
import { recordFields } from "./records.js";
import { toHash } from "./storage.js";
import { t } from "./texts.js";
import { IS_PUBLIC } from "./transport.js";
import { actions, button, copyText, download, note, toast } from "./widgets.js";

/** The tools for showing the game on the board to others. The report is hidden until there is a review. */
export function shareTools(/** @type {App} */ app) {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, t("share.title")),
    actions(
      button(t(IS_PUBLIC ? "share.link" : "share.text"), () => copyText(shareText(app)), {
        icon: "share",
        id: "share-game",
      }),
      button(t("share.report"), () => saveReport(app), { id: "save-report", hidden: true }),
    ),
    note(t(IS_PUBLIC ? "share.note" : "share.noteLocal")),
  );
}

/** The game as a link, or as a text to paste where the own address would lead nowhere. */
function shareText(/** @type {App} */ app) {
  const { session } = app;
  const { tree, live, players, names: own, resigned, outOfTime } = session;
  const end = tree.end();
  const names = [0, 1].map((side) =>
    players[side]?.kind === "engine"
      ? playerName(app, side)
      : own[side] || (ownSideOf(session) === side ? app.settings.name : ""),
  );
  const hash = toHash({
    tab: "review",
    game: tree.game,
    start: tree.start,
    moves: tree.moves(end),
    names,
    ...(end === live ? { resigned, outOfTime } : {}),
  });
  return IS_PUBLIC ? new URL(hash, location.href).href : hash;
}

async function saveReport(/** @type {App} */ app) {
  const { session } = app;
  if (!session.review) return;
  const { record: review, nodes } = session.review.answer;
  try {
    const game = await recordFields(app);
    const report = { game, review, nodes, flipped: session.isFlipped };
    const { html } = await app.connection.ask("report", report);
    download(`${session.tree.game}-review.html`, new Blob([html], { type: "text/html" }));
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}
