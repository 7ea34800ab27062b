// What Play says and offers at the shown position: whose turn it is or who won, and what can be done now.

import { byId, element } from "./dom.js";
import { isOwnTurnOver } from "./links.js";
import { playerName } from "./players.js";
import { lines, t } from "./texts.js";
import { button, icon } from "./widgets.js";

/** The headline: whose turn it is, or who won. */
export function headline(/** @type {App} */ app, /** @type {boolean} */ isThinking) {
  const { session, position } = app;
  if (!position) return "";
  if (session.at !== session.live) return t("play.earlier");
  if (session.isOver) {
    const winner = position.outcome?.result === "1-0" ? 0 : position.outcome?.result === "0-1" ? 1 : null;
    if (winner === null) return t("play.drawn");
    if (session.friend) return t(winner === session.friend.side ? "play.youWin" : "play.youLose");
    const people = session.players.filter(({ kind }) => kind === "human").length;
    if (people !== 1) return t("play.wins", { player: playerName(app, winner) });
    return t(session.players[winner]?.kind === "human" ? "play.youWin" : "play.youLose");
  }
  if (session.friend)
    return isOwnTurnOver(session, position)
      ? t(session.names[1 - session.friend.side] ? "friend.waiting" : "friend.waitingUnnamed", {
          player: playerName(app, 1 - session.friend.side),
        })
      : t("play.yourTurn");
  if (isThinking) return t("play.thinking", { player: playerName(app, position.side) });
  if (session.players[position.side]?.kind === "engine") return t("play.paused");
  return session.players.filter(({ kind }) => kind === "human").length === 1
    ? t("play.yourTurn")
    : t("play.turnOf", { player: playerName(app, position.side) });
}

/** The rules, and how a move is made by mouse or touch. */
export function rulesCard(/** @type {App} */ app) {
  const { id, summary } = app.info;
  const [goal = "", ...rules] = summary.split("\n");
  return element(
    "details",
    {
      class: "card rules",
      open: app.settings.rules,
      ontoggle: (/** @type {any} */ event) => app.changeSettings({ rules: event.target.open }),
    },
    element("summary", {}, t("play.rules")),
    element("ul", {}, ...[goal, ...lines(`choosing.${id}`), ...rules].map((line) => element("li", {}, line))),
  );
}

/** Enables those buttons below the headline that can do something now. */
export function enableButtons(/** @type {App} */ app) {
  const { session, position } = app;
  const { friend, live, tree, players, isOver } = session;
  const people = players.some(({ kind }) => kind === "human");
  const isLost = session.resigned !== null || session.outOfTime !== null;
  const hasMoved = tree
    .path(live)
    .some((node) => !people || players[session.sideAt(node.parent ?? node)]?.kind === "human");
  const isOwn = friend !== null && position !== null && isOwnTurnOver(session, position);
  byId("hint").disabled = !app.tab.canMove() || !session.allowsHelp;
  byId("undo").disabled = !(friend ? isOwn && !friend.isSent && (isLost || live.parent) : isLost || hasMoved);
  byId("redo").disabled = !session.decisionAfter || (friend !== null && (isOwn || isOver));
  byId("resign").hidden = !people;
  byId("resign").disabled = isOver || (live === tree.root && !friend);
  const pause = byId("pause");
  pause.hidden = people;
  pause.disabled = isOver;
  pause.replaceChildren(
    icon(session.isPaused ? "play" : "pause"),
    element("span", {}, t(session.isPaused ? "play.continue" : "play.pause")),
  );
}

/**
 * The buttons below the headline. `begin` starts another game, and `goOn` continues from the shown position.
 *
 * @param {App} app
 * @param {boolean} isThinking
 * @param {{ begin(): Promise<void>, goOn(): void }} play
 */
export function turnActions(app, isThinking, { begin, goOn }) {
  const { session } = app;
  if (session.at !== session.live) {
    return [
      button(t("play.return"), () => app.stepTo(session.live), { class: "primary", id: "return" }),
      ...(session.friend ? [] : [button(t("play.fromHere"), goOn, { id: "from-here" })]),
    ];
  }
  if (session.isOver) {
    return [
      button(t("play.again"), () => begin().then(() => app.board.focus()), { class: "primary", id: "again" }),
      button(
        t("play.review"),
        () => {
          app.enterTab("review");
          /** @type {import("./review.js").ReviewTab} */ (app.tabs.review).begin();
        },
        { id: "to-review" },
      ),
    ];
  }
  if (isThinking && session.players.some(({ kind }) => kind === "human")) {
    return [
      button(t("play.moveNow"), () => {
        const { side } = app.position ?? { side: 0 };
        app.engines.named(session.players[side]?.engine ?? "").answerNow();
      }),
    ];
  }
  if (
    app.settings.isNew &&
    session.live === session.tree.root &&
    !(/** @type {import("./learn.js").LearnTab} */ (app.tabs.learn).hasBegun())
  ) {
    return [button(t("play.learn"), () => app.enterTab("learn"), { id: "learn-first" })];
  }
  return [];
}
