// The coach's warning of a bad move.

import { byId, element } from "./dom.js";
import { judgementMarks } from "./marks.js";
import { t } from "./texts.js";
import { actions, button, isNarrow } from "./widgets.js";

/**
 * Asks whether to play a bad move. At first only the board in danger is marked; the reply that the opponent has, and
 * then a better move, are told on demand.
 *
 * @param {App} app
 * @param {string} move
 * @param {Explanation} advice
 * @param {string} warning ends with the text of the advice
 * @param {(plays: boolean) => void} onAnswer
 */
export function showWarning(app, move, advice, warning, onAnswer) {
  const end = (/** @type {boolean} */ plays) => {
    hideWarning();
    onAnswer(plays);
  };
  const { spots, better, better_spots: betterSpots } = advice;
  const told = element("p", { id: "coach-told", "aria-live": "polite" });
  const back = button(t("coach.back"), () => end(false), { class: "primary" });
  const isLast = () => more.dataset.step === "better";
  const more = button(
    t("coach.why"),
    () => {
      told.textContent = isLast() ? `${t("coach.better", { move: better ?? "" })}` : advice.judgement;
      app.board.setArrows(isLast() ? [{ spots: betterSpots, kind: "best" }] : judgementMarks(spots, "bad", advice));
      more.hidden = isLast() || !better;
      more.textContent = t("coach.show");
      more.dataset.step = "better";
      if (more.hidden) back.focus();
    },
    { id: "coach-more" },
  );
  // On a phone the warning is seen together with the board.
  const place = byId(isNarrow() ? "reply" : "turn");
  place.after(
    element(
      "div",
      { class: "card warning", id: "coach-warning", role: "alertdialog", "aria-label": t("coach.title") },
      element("p", {}, element("strong", {}, t("coach.title")), " ", warning.slice(0, -advice.text.length)),
      told,
      actions(
        back,
        more,
        button(t("coach.play", { move }), () => end(true), { id: "coach-play" }),
      ),
    ),
  );
  back.focus();
}

export function hideWarning() {
  byId("coach-warning")?.remove();
}
