// Showing a game to others: a link that carries it, an animated picture, and the report of its review.

import { createBoard } from "./board.js";
import { pictureOf } from "./board_view.js";
import { byId, element } from "./dom.js";
import { ownSideOf } from "./kept_games.js";
import { playerName } from "./players.js";
import { recordFields } from "./records.js";
import { toHash } from "./storage.js";
import { t } from "./texts.js";
import { IS_PUBLIC } from "./transport.js";
import { actions, button, copyText, download, note, toast } from "./widgets.js";

/** The width of an animated picture in pixels, and how long it shows each position. */
const GIF_WIDTH = 480;
const MOVE_MS = 700;
const LAST_MS = 3000;

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
      button(t("share.gif"), () => saveAnimation(app), { id: "save-gif" }),
      button(t("share.report"), () => saveReport(app), { id: "save-report", hidden: true }),
    ),
    element("div", { id: "gif-run" }),
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

async function saveAnimation(/** @type {App} */ app) {
  const controller = new AbortController();
  const { tree } = app.session;
  const bar = element("progress", {
    max: tree.path(tree.end()).length + 1,
    value: 0,
    "aria-label": t("share.drawing"),
  });
  const box = byId("gif-run");
  box.replaceChildren(bar, actions(button(t("cancel"), () => controller.abort(), { id: "gif-cancel" })));
  byId("save-gif").disabled = true;
  byId("gif-cancel").focus();
  try {
    const gif = await animation(app, controller.signal, (done) => {
      bar.value = done;
    });
    download(`${tree.game}.gif`, gif);
  } catch (error) {
    if (!controller.signal.aborted) toast(/** @type {Error} */ (error).message);
  }
  box.replaceChildren();
  const again = byId("save-gif");
  if (again) again.disabled = false;
  if (document.activeElement === document.body) again?.focus();
}

/**
 * The main line as an animated picture, in the colours of the page. A cancelled one ends with an error.
 *
 * @param {App} app
 * @param {AbortSignal} signal
 * @param {(done: number) => void} onProgress
 */
async function animation(app, signal, onProgress) {
  const { session, info } = app;
  const { tree } = session;
  const path = [tree.root, ...tree.path(tree.end())];
  const stage = element("div", { class: "offstage", inert: true });
  document.body.append(stage);
  const worker = new Worker(new URL("gif.js", import.meta.url), { type: "module" });
  /** Sends a message to the worker and returns its answer. @returns {Promise<any>} */
  const send = (/** @type {{ samples?: ImageData[], image?: ImageData, ms?: number }} */ message) =>
    new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => resolve(data), { once: true });
      worker.addEventListener("error", (event) => reject(new Error(event.message)), { once: true });
      signal.addEventListener("abort", reject, { once: true });
      worker.postMessage(message);
    });
  try {
    const draw = async (/** @type {TreeNode | undefined} */ node) => {
      signal.throwIfAborted();
      const position = await app.positions.get(tree.setup(node ?? tree.root));
      const board = createBoard(info.layout, {
        isFlipped: session.isFlipped,
        hasExtraLabels: position.labels.length > 0,
      });
      stage.replaceChildren(board.svg);
      board.show(position.shown, new Set(position.last), info.name);
      board.setExtraLabels(position.labels);
      return rasterized(pictureOf(board.svg));
    };
    const samples = [];
    for (const at of [0, path.length >> 1, path.length - 1]) samples.push(await draw(path[at]));
    await send({ samples });
    for (const [at, node] of path.entries()) {
      await send({ image: await draw(node), ms: at === path.length - 1 ? LAST_MS : MOVE_MS });
      onProgress(at + 1);
    }
    return await send({});
  } finally {
    stage.remove();
    worker.terminate();
  }
}

/** Draws a picture as pixels. */
async function rasterized(/** @type {string} */ svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = element("canvas", {
    width: GIF_WIDTH,
    height: Math.round(GIF_WIDTH * (image.height / image.width || 1)),
  });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return context.getImageData(0, 0, canvas.width, canvas.height);
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
