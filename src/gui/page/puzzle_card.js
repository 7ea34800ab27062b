// What the Puzzles tab says about a puzzle and about the solver.

import { byId, element } from "./dom.js";
import { markName } from "./moves.js";
import { sideName } from "./players.js";
import { daysInARow, solverRating, today } from "./puzzle_log.js";
import { t } from "./texts.js";
import { button, note } from "./widgets.js";

/**
 * Why a move is right or wrong: a sentence, and the rest, which unfolds.
 *
 * @typedef {{ summary: string, rest: string, isOpen: boolean }} PuzzleReason
 */

/** The first sentence of a judgement, and the rest. */
export function reasonOf(/** @type {Explanation} */ { summary, judgement }) {
  return { summary, rest: judgement.slice(summary.length) };
}

/** What counts in puzzles of a kind. */
export function remark(/** @type {string} */ kind) {
  const key = { own: "puzzle.ownNote", daily: "puzzle.dailyNote" }[kind] ?? "puzzle.note";
  return t(key, { date: today() });
}

/**
 * Shows the task, the feedback and the reason.
 *
 * @param {HTMLElement} card
 * @param {App} app
 * @param {{
 *   task: PuzzleTask | null, text: string, reason: PuzzleReason | null, change: Record<string, any> | null
 * }} puzzle
 */
export function showCard(card, app, { task, text, reason, change }) {
  const isAtReason = document.activeElement?.id === "puzzle-more";
  card.replaceChildren(
    element("p", { class: "headline" }, task ? goal(task) : t("tab.puzzles")),
    ...(task ? [note(facts(app, task))] : []),
    element("p", { id: "puzzle-text" }, text),
    ...(reason?.summary ? [reasonBox(reason)] : []),
    ...(change ? [element("p", { id: "puzzle-change" }, t("puzzle.change", change))] : []),
  );
  if (isAtReason) byId("puzzle-more")?.focus({ preventScroll: true });
}

function goal(/** @type {PuzzleTask} */ { puzzle, mistake }) {
  if (mistake) return t("retry.ask", { move: mistake.move, mark: markName(mistake.mark ?? "") });
  return t(puzzle?.value === "win" ? "puzzle.goalWin" : "puzzle.goalHold");
}

function facts(/** @type {App} */ app, /** @type {PuzzleTask} */ { puzzle, rating, mistake, toFind }) {
  const side = sideName(app.info, puzzle?.side ?? mistake?.side ?? 0);
  if (!puzzle) return t("puzzle.toMove", { side });
  return t(toFind > 1 ? "puzzle.ratedSeveral" : "puzzle.rated", {
    side,
    difficulty: puzzle.difficulty,
    rating,
    count: toFind,
  });
}

function reasonBox(/** @type {PuzzleReason} */ reason) {
  const more = element(
    "details",
    {
      open: reason.isOpen,
      ontoggle: () => {
        reason.isOpen = more.open;
      },
    },
    element("summary", { id: "puzzle-more" }, t("puzzle.more")),
    element("p", {}, reason.rest.trim()),
  );
  return element("div", { id: "puzzle-reason" }, element("p", {}, reason.summary), reason.rest ? more : null);
}

/**
 * Shows the buttons below the card, with the focus where it was.
 *
 * @param {HTMLElement} box
 * @param {{
 *   state: string, isDaily: boolean, canHint: boolean, onRetry(): void, onReview: (() => void) | null, onNext(): void,
 *   onHint(): void, onSolution(): void
 * }} puzzle
 */
export function showActions(box, { state, isDaily, canHint, onRetry, onReview, onNext, onHint, onSolution }) {
  const isOpen = state === "asked" || state === "refuted";
  const isEnded = state === "solved" || state === "shown";
  const focused = box.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
  const next = button(t(isEnded ? "puzzle.next" : "puzzle.skip"), onNext, {
    class: isEnded ? "primary" : "",
    icon: "skip",
    id: "puzzle-next",
    disabled: state === "searching" || state === "checking",
  });
  box.replaceChildren(
    ...(state === "refuted"
      ? [button(t("puzzle.retry"), onRetry, { class: "primary", icon: "undo", id: "puzzle-retry" })]
      : []),
    ...(onReview ? [button(t("tab.review"), onReview, { class: "primary", id: "puzzle-review" })] : []),
    ...((isDaily && !isEnded) || onReview ? [] : [next]),
    ...(state === "none"
      ? []
      : [
          button(t("puzzle.hint"), onHint, { icon: "hint", id: "puzzle-hint", disabled: !canHint }),
          button(t("puzzle.solution"), onSolution, { id: "puzzle-solution", disabled: !isOpen }),
        ]),
  );
  if (focused) byId(focused)?.focus({ preventScroll: true });
}

/** Counts the first try of a puzzle. */
export function countTry(
  /** @type {Record<"solved" | "tried" | "row" | "best", number>} */ streak,
  /** @type {boolean} */ isSolved,
) {
  streak.tried += 1;
  streak.solved += isSolved ? 1 : 0;
  streak.row = isSolved ? streak.row + 1 : 0;
  streak.best = Math.max(streak.best, streak.row);
}

/**
 * The solver's rating and results, as terms with their values.
 *
 * @param {string} kind
 * @param {string} game
 * @param {{ solved: number, tried: number, row: number, best: number }} streak
 */
export function counts(kind, game, streak) {
  const { rating, deviation } = solverRating(game);
  const mine = [t("puzzle.myRating"), `${Math.round(rating)} ± ${Math.round(2 * deviation)}`];
  const rows =
    kind === "own"
      ? []
      : kind === "daily"
        ? [mine, [t("puzzle.days"), daysInARow(game)]]
        : [
            mine,
            [t("puzzle.streak"), streak.row],
            [t("puzzle.best"), streak.best],
            [t("puzzle.solved"), `${streak.solved} / ${streak.tried}`],
          ];
  return rows.map(([name, value]) => element("div", {}, element("dt", {}, `${name}`), element("dd", {}, `${value}`)));
}
