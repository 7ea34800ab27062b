// Loading and saving records, and pictures of the board.

import { isTime } from "./checks.js";
import { element } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { playerName } from "./players.js";
import { t } from "./texts.js";
import { actions, button, download, note, toast } from "./widgets.js";

/** The width of PNG pictures in pixels. */
const PICTURE_WIDTH = 1200;

/** The longest record in bytes. */
const MAX_RECORD = 64_000_000;
/** Longer records are read in parts of this many characters: the server bounds each request and its answer. */
const PART = 50_000;
/** What the page and `zermelo play` call the user in records. */
const USER = /^(you|你)$/i;

/** @param {App} app */
export function recordTools(app) {
  const file = element("input", {
    type: "file",
    class: "hidden",
    accept: ".pgn,.jsonl,.json,.txt",
    tabindex: -1,
    "aria-label": t("record.open"),
    onchange: () => {
      const chosen = file.files?.[0];
      file.value = "";
      if (chosen) openRecord(app, chosen);
    },
  });
  return element(
    "section",
    { class: "card" },
    element("h2", {}, t("record.title")),
    actions(
      button(t("record.open"), () => file.click(), { icon: "open", id: "open-record" }),
      file,
      button(t("record.save"), () => saveRecord(app), { icon: "save", id: "save-record" }),
      button(t("picture.svg"), () => savePicture(app, "svg"), { id: "save-svg" }),
      button(t("picture.png"), () => savePicture(app, "png"), { id: "save-png" }),
    ),
    note(t("record.note")),
  );
}

/** Cuts a record between its games into parts. */
function parts(/** @type {string} */ text) {
  const isLines = text.trimStart().startsWith("{");
  const games = isLines ? text.split(/^(?=\{)/m) : text.split(/\r?\n\r?\n(?=\[)/).map((game) => `${game}\n\n`);
  let part = "";
  const cut = [];
  for (const game of games) {
    if (part && part.length + game.length > PART) {
      cut.push(part);
      part = "";
    }
    part += game;
  }
  return [...cut, part];
}

/** Reads the games of a record. */
export async function readGames(/** @type {App} */ app, /** @type {File} */ file) {
  if (file.size > MAX_RECORD) throw new Error(t("record.tooLarge"));
  /** @type {RecordedGame[]} */
  const games = [];
  for (const text of parts(await file.text())) games.push(...(await app.connection.ask("read_record", { text })).games);
  return games;
}

/** The number of the last record: only the answer about that one is shown. */
let opened = 0;

/** Opens a game from a record. */
async function openRecord(/** @type {App} */ app, /** @type {File} */ file) {
  const number = (opened += 1);
  try {
    const games = await readGames(app, file);
    if (number !== opened) return;
    // Games without numbers of their own are numbered from 1 in each part.
    const numbers = games.map((game) => game.number).filter((own) => own > 0);
    if (new Set(numbers).size < numbers.length)
      games.forEach((game, at) => {
        game.number = at + 1;
      });
    /** @type {import("./review.js").ReviewTab} */ (app.tabs.review).chooseRecord(games);
  } catch (error) {
    toast(`${file.name}: ${/** @type {Error} */ (error).message}`);
  }
}

/** Opens a record that was dropped on the page. */
export function dropRecord(/** @type {App} */ app, /** @type {DragEvent} */ event) {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  openRecord(app, file);
}

/** A time as records have it; one that was stored damaged as the first that they can hold. */
export function inSeconds(/** @type {number} */ milliseconds) {
  return isTime(milliseconds) ? Math.max(1, Math.floor(milliseconds / 1000)) : 1;
}

/**
 * Returns the record of a game with its comments and variations.
 *
 * @param {App} app
 * @param {import("./game.js").Session} session
 * @param {string[]} players
 * @param {string} result
 * @param {{ started?: number, number?: number, data?: string }} [others]
 * @returns {Promise<string>}
 */
export async function writeRecord(app, session, players, result, others = {}) {
  const { tree } = session;
  return (
    await app.connection.ask("write_record", {
      setup: session.setupAt(tree.end()),
      players,
      result,
      ...others,
      ...tree.notes(),
    })
  ).text;
}

/** The game on the board as `write_record` takes it. */
export async function recordFields(/** @type {App} */ app) {
  const { session } = app;
  const setup = session.setupAt(session.tree.end());
  const { outcome } = await app.positions.get(setup);
  return {
    setup,
    players: [0, 1].map((side) => playerName(app, side)),
    result: outcome?.result ?? "*",
    ...(session.started === null ? {} : { started: inSeconds(session.started) }),
    ...session.tree.notes(),
  };
}

/** @param {App} app */
async function saveRecord(app) {
  try {
    const { text } = await app.connection.ask("write_record", await recordFields(app));
    download(`${app.session.tree.game}.pgn`, new Blob([text], { type: "text/plain" }));
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

async function savePicture(/** @type {App} */ app, /** @type {"svg" | "png"} */ kind) {
  try {
    const name = app.session.tree.game;
    const blob = new Blob([app.board.picture()], { type: "image/svg+xml" });
    if (kind === "svg") return download(`${name}.svg`, blob);
    const image = new Image();
    image.src = URL.createObjectURL(blob);
    await image.decode();
    const canvas = element("canvas", {
      width: PICTURE_WIDTH,
      height: Math.round(PICTURE_WIDTH * (image.height / image.width || 1)),
    });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    canvas.toBlob((png) => {
      if (png) download(`${name}.png`, png);
    });
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

/** Returns the game of a record. */
export function recordedSession(
  /** @type {RecordedGame} */ recorded,
  /** @type {NonNullable<RecordedGame["setup"]>} */ setup,
) {
  const tree = new GameTree(setup.game, setup.start);
  const end = tree.addLine(tree.root, setup.moves);
  const path = tree.path(end);
  const session = new Session(tree);
  session.names = recorded.players;
  const own = recorded.players.findIndex((name) => USER.test(name));
  session.ownSide = own < 0 ? null : own;
  session.resigned = setup.resigned;
  session.outOfTime = setup.out_of_time;
  session.live = end;
  for (const { ply, mark, line } of recorded.annotations) {
    const node = path[ply - 1];
    if (node?.parent) {
      node.mark = mark ?? "";
      tree.addLine(node.parent, line);
    }
  }
  const nodes = [tree.root, ...path];
  for (const { ply, moves } of recorded.variations) {
    const from = nodes[ply - 1];
    if (from) tree.addLine(from, moves);
  }
  for (const { ply, text, moves } of recorded.comments) {
    const from = nodes[moves.length ? ply - 1 : ply];
    if (from) tree.addLine(from, moves).comment = text;
  }
  return session;
}
