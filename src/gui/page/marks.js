// What advice draws on the board, and how a hint leads to the move step by step.

import { t } from "./texts.js";

/**
 * The marks of a move that was judged: the move, an arrow to the reply that refutes it, and frames around what it turns
 * on.
 *
 * @param {number[]} spots
 * @param {"best" | "bad"} kind
 * @param {{ reply_spots?: number[], frames?: number[] }} judgement
 * @returns {Arrow[]}
 */
export function judgementMarks(spots, kind, { reply_spots: reply = [], frames = [] }) {
  const from = reply.length === 1 ? spots.slice(-1) : [];
  return [
    ...frames.filter((spot) => !spots.includes(spot)).map((spot) => ({ spots: [spot], kind })),
    { spots, kind },
    ...(reply.length ? [{ spots: [...from, ...reply], kind: /** @type {const} */ ("bad") }] : []),
  ];
}

/**
 * The steps of a hint: in which board, what there is to see, and the move.
 *
 * @param {App} app
 * @param {Hint} hint
 * @returns {{ text: string, arrows: Arrow[] }[]}
 */
export function hintSteps({ info, position }, { spots, text, reasons, frames }) {
  const all = info.layout.spots;
  const cell = all[spots.at(-1) ?? -1];
  const open = all.flatMap((area, index) =>
    area.is_area && /[*A-Z]/.test(position?.shown[index] ?? "") ? [{ area, index }] : [],
  );
  const own = open.find(
    ({ area }) => cell && Math.max(Math.abs(cell.x - area.x), Math.abs(cell.y - area.y)) < area.size / 2,
  );
  const mark = (/** @type {number} */ spot) => ({ spots: [spot], kind: /** @type {const} */ ("best") });
  return [
    ...(own && open.length > 1 ? [{ text: t("hint.board"), arrows: [mark(own.index)] }] : []),
    ...(reasons ? [{ text: t("hint.reasons", { reasons }), arrows: frames.map(mark) }] : []),
    { text, arrows: judgementMarks(spots, "best", { frames }) },
  ];
}
