// Values in words and numbers: the share of the side that is ahead, or how far away its proven win is.

import { percent } from "./dom.js";
import { t } from "./texts.js";

const shareOf = (/** @type {number} */ expected) => percent(Math.max(expected, 1 - expected), 0);
const isDraw = (/** @type {ShownValue} */ { expected, is_proven: isProven }) => isProven && expected === 0.5;

/** A value with the name of the side that is ahead. */
export function valueText(/** @type {GameInfo} */ info, /** @type {ShownValue} */ value) {
  const { expected, is_proven: isProven, plies } = value;
  const side = info.side_names[expected >= 0.5 ? 0 : 1] ?? "";
  if (isDraw(value)) return t("score.draw");
  if (!isProven) return t("score.expected", { side, share: shareOf(expected) });
  return plies === null ? t("score.won", { side }) : t("score.wins", { side, plies });
}

/** A value for one side: its expected score, or how far away its proven win or loss is. */
export function valueFor(/** @type {number} */ side, /** @type {ShownValue} */ value) {
  const { expected, is_proven: isProven, plies } = value;
  const own = side === 0 ? expected : 1 - expected;
  if (isDraw(value)) return t("brief.draw");
  if (!isProven) return t("brief.estimate", { percent: Math.round(100 * own) });
  const kind = own > 0.5 ? "brief.win" : "brief.loss";
  return plies ? t(`${kind}In`, { plies }) : t(kind);
}

/** What is proven of a value for the side to move. */
export function boundsText(
  /** @type {{ value: string | null, at_least: string, at_most: string }} */ {
    value,
    at_least: atLeast,
    at_most: atMost,
  },
) {
  if (value && value !== "unknown") return t("prove.value", { value: t(`value.${value}`) });
  return atLeast === "draw" ? t("prove.atLeast") : atMost === "draw" ? t("prove.atMost") : t("prove.unknown");
}

/** The same value, short enough for the bar beside the board. */
export function shortValue(/** @type {ShownValue} */ value) {
  const { expected, is_proven: isProven, plies } = value;
  if (isDraw(value)) return "=";
  return isProven ? `+${plies ?? ""}` : shareOf(expected).replace(/\s/u, "");
}
