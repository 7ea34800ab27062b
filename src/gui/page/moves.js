// The list of moves: the main line in rows, variations and comments between them.

import { dictionary } from "./checks.js";
import { element } from "./dom.js";
import { t } from "./texts.js";
import { note } from "./widgets.js";

/** The classes of the marks of a review. @type {Record<string, string>} */
export const MARK_CLASSES = dictionary({ "??": "bad", "?": "bad", "?!": "doubtful", "!": "good" });
/** The keys of their names. @type {Record<string, string>} */
const MARK_NAMES = dictionary({
  "??": "grades.blunder",
  "?": "grades.mistake",
  "?!": "grades.inaccuracy",
  "!": "grades.onlyMove",
});

/** The name of a mark. */
export function markName(/** @type {string} */ mark) {
  return t(MARK_NAMES[mark] ?? "");
}

/**
 * Lists the moves of the game on the board.
 * @param {App} app
 * @param {TreeNode} [end]
 */
function moveList(app, end) {
  const { tree, at, firstSide } = app.session;
  const list = element("div", { class: "moves", role: "group", "aria-label": t("moves.label") });
  const moveButton = (/** @type {TreeNode} */ node) =>
    element(
      "button",
      {
        type: "button",
        class: "move",
        "aria-current": node === at ? "step" : null,
        onclick() {
          app.stepTo(node);
        },
      },
      node.move,
      node.mark ? element("span", { class: `mark ${MARK_CLASSES[node.mark] ?? ""}` }, node.mark) : null,
    );

  const variation = (/** @type {TreeNode} */ start, /** @type {number} */ ply) => {
    const box = element("div", { class: "variation" });
    /** Writes a line in running text; alternatives follow in brackets. */
    const write = (/** @type {TreeNode} */ first, /** @type {number} */ from) => {
      let isStart = true;
      for (let node = /** @type {TreeNode | undefined} */ (first), at = from; node; at += 1) {
        const side = (firstSide + at) % 2;
        if (side === 0 || isStart)
          box.append(
            element("span", { class: "number" }, `${1 + Math.floor((at + firstSide) / 2)}${side === 0 ? "." : "…"} `),
          );
        isStart = Boolean(node.comment);
        box.append(moveButton(node), " ");
        if (node.comment) box.append(element("span", { class: "comment" }, node.comment), " ");
        const [main, ...others] = node.children;
        for (const other of others) {
          box.append("(");
          write(other, at + 1);
          box.append(") ");
          isStart = true;
        }
        node = main;
      }
    };
    write(start, ply);
    return box;
  };

  if (!end && tree.root.comment) list.append(element("p", { class: "comment" }, tree.root.comment));
  /** @type {HTMLElement | null} */
  let row = null;
  let ply = 0;
  for (let node = end === tree.root ? undefined : tree.root.children[0]; node; node = node.children[0], ply += 1) {
    const side = (firstSide + ply) % 2;
    if (side === 0 || !row) {
      row = element(
        "div",
        { class: "row" },
        element("span", { class: "number" }, `${1 + Math.floor((ply + firstSide) / 2)}.`),
      );
      if (side === 1) row.append(element("span", { class: "absent" }, "…"));
      list.append(row);
    }
    row.append(moveButton(node));
    const siblings = end ? [] : (node.parent?.children.slice(1) ?? []);
    if (!end && node.comment) list.append(element("p", { class: "comment" }, node.comment));
    for (const sibling of siblings) list.append(variation(sibling, ply));
    if (siblings.length || (!end && node.comment)) row = null;
    if (node === end) break;
  }
  if (!list.firstChild) list.append(note(t("moves.none")));
  return list;
}

/**
 * Shows the moves of the game on the board, with the current one visible and focused if the list had the focus.
 * @param {HTMLElement} host
 * @param {App} app
 * @param {TreeNode} [end] the last move to show, without variations; by default all are shown
 */
export function showMoves(host, app, end) {
  const hadFocus = host.contains(document.activeElement);
  host.replaceChildren(moveList(app, end));
  scrollToCurrent(host);
  const current = host.querySelector("[aria-current]");
  if (hadFocus && current instanceof HTMLElement) current.focus({ preventScroll: true });
}

/** Scrolls a list so that the current move is visible, without scrolling the page. */
function scrollToCurrent(/** @type {HTMLElement} */ list) {
  const current = list.querySelector("[aria-current]");
  if (!(current instanceof HTMLElement)) return;
  const top = current.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}
