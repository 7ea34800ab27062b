// The sides of a game and their players: what they are called, and how they are drawn.

import { drawPiece } from "./board.js";
import { shape } from "./dom.js";
import { t } from "./texts.js";

export function sideName(/** @type {GameInfo} */ info, /** @type {number} */ side) {
  return t(side === 0 ? "side.first" : "side.second", { piece: info.side_names[side] ?? "" });
}

/** Draws the piece of a side. */
export function pieceIcon(/** @type {GameInfo} */ info, /** @type {number} */ side) {
  const piece = info.layout.pieces.find(({ letter }) => letter === info.sides[side]);
  return shape(
    "svg",
    { viewBox: "0 0 1 1", width: 22, height: 22, class: "piece-icon", "aria-hidden": "true" },
    piece ? drawPiece({ x: 0.5, y: 0.5, size: 1.25 }, piece) : null,
  );
}

/** What the player of a side is called: by name, as the user, or as an engine with its strength. */
export function playerName(
  /** @type {App} */ app,
  /** @type {number} */ side,
  { players, names, friend, tree } = app.session,
) {
  const player = players[side];
  if (names[side]) return names[side] ?? "";
  if (friend) return t(friend.side === side ? "player.you" : "friend.friend");
  const info = app.infoOf(tree.game);
  if (player?.kind !== "engine")
    return players.some(({ kind }) => kind === "engine") ? t("player.you") : sideName(info, side);
  if (player.engine) return player.engine;
  const { levels } = app.catalogue;
  const index = levels.findIndex((one) => one.level === player.level);
  const elo = info.level_elos?.[index];
  return t(elo ? "player.engine" : "player.level", { level: levels[index]?.name ?? player.level, elo: elo ?? "" });
}
