// The coach's warning of a bad move.

import { byId, element } from "./dom.js";
import { t } from "./texts.js";
import { actions, button, isNarrow } from "./widgets.js";

/**
 * Asks whether to play a bad move. The warning ends with the text of the advice, which is folded on a phone.
 *
 * @param {string} move
 * @param {Explanation} advice
 * @param {string} warning
 * @param {(plays: boolean) => void} onAnswer
 */
export function showWarning(move, advice, warning, onAnswer) {
  const end = (/** @type {boolean} */ plays) => {
    hideWarning();
    onAnswer(plays);
  };
  const back = button(t("coach.back"), () => end(false), { class: "primary" });
  // On a phone the warning is seen together with the board.
  const place = byId(isNarrow() ? "reply" : "turn");
  place.after(
    element(
      "div",
      { class: "card warning", id: "coach-warning", role: "alertdialog", "aria-label": t("coach.title") },
      element(
        "p",
        {},
        element("strong", {}, t("coach.title")),
        " ",
        warning.slice(0, -advice.text.length),
        advice.better ? t("coach.better", { move: advice.better }) : "",
      ),
      element("details", { open: !isNarrow() }, element("summary", {}, t("coach.why")), element("p", {}, advice.text)),
      actions(
        back,
        button(t("coach.play", { move }), () => end(true)),
      ),
    ),
  );
  back.focus();
}

export function hideWarning() {
  byId("coach-warning")?.remove();
}
