// The controls around the board: tabs, steps, typed moves, keys, and the names of the players.

import { showClock } from "./clock.js";
import { byId, element } from "./dom.js";
import { pieceIcon } from "./players.js";
import { openKeys } from "./settings.js";
import { t } from "./texts.js";
import { iconButton } from "./widgets.js";

/** The buttons that keys press. @type {Record<string, string>} */
const SHORTCUTS = { f: "#flip", h: "#hint, #lesson-hint, #puzzle-hint", u: "#undo, #puzzle-retry, #lesson-next.undo" };

export function buildTabs(/** @type {App} */ app) {
  byId("tabs").setAttribute("aria-label", t("tabs"));
  byId("tabs").replaceChildren(
    ...Object.keys(app.tabs).map((name) =>
      element(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-selected": String(name === app.tabName),
          "aria-controls": "panel",
          tabindex: name === app.tabName ? 0 : -1,
          // After a click with the mouse the arrow keys still step through the game.
          onclick: (/** @type {MouseEvent} */ event) => {
            if (event.detail > 0) byId(`tab-${name}`).blur();
            app.enterTab(name);
            app.saveNow();
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => tabKey(app, event, name),
        },
        t(`tab.${name}`),
      ),
    ),
  );
}

function tabKey(/** @type {App} */ app, /** @type {KeyboardEvent} */ event, /** @type {string} */ name) {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  const names = Object.keys(app.tabs);
  app.enterTab(names[(names.indexOf(name) + step + names.length) % names.length] ?? name);
  app.saveNow();
  byId(`tab-${app.tabName}`).focus();
  event.preventDefault();
  event.stopPropagation();
}

/** Builds the buttons below the board and the field for typed moves. */
export function buildControls(/** @type {App} */ app) {
  const step = (/** @type {string} */ name, /** @type {() => void} */ action) =>
    iconButton(name, t(`step.${name}`), action, { id: `step-${name}` });
  const input = element("input", {
    type: "text",
    id: "typed",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 40,
    placeholder: t("typed.label"),
    "aria-label": t("typed.label"),
  });
  const form = element(
    "form",
    {
      class: "typed",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const text = input.value.trim();
        input.value = "";
        if (text) typeMove(app, text);
      },
    },
    input,
    element("button", { type: "submit" }, t("typed.play")),
  );
  byId("controls").replaceChildren(
    element(
      "div",
      { class: "steps", role: "group", "aria-label": t("steps") },
      step("first", () => app.stepTo(app.session.tree.root)),
      step("previous", () => app.stepTo(app.session.at.parent)),
      step("next", () => app.stepTo(app.session.at.children[0])),
      step("last", () => app.stepTo(app.session.tree.end(app.session.at))),
      iconButton("flip", t("flip"), () => app.flip(), { id: "flip" }),
      iconButton(
        "type",
        t("typed.label"),
        () => {
          form.classList.toggle("open");
          input.focus();
        },
        { id: "type" },
      ),
    ),
    form,
  );
}

/** Enables a control; the focus leaves one that is disabled. */
function enable(/** @type {any} */ node, /** @type {boolean} */ isPossible) {
  if (!isPossible && document.activeElement === node) byId("flip").focus();
  node.disabled = !isPossible;
}

/** Enables those controls below the board that can do something now. */
export function enableControls(/** @type {App} */ app, /** @type {boolean} */ isOpen) {
  for (const node of byId("typed").form.elements) enable(node, isOpen);
  const { parent, children } = app.session.at;
  for (const name of ["first", "previous"]) enable(byId(`step-${name}`), parent !== null);
  for (const name of ["next", "last"]) enable(byId(`step-${name}`), children.length > 0);
}

/** Says why a move is illegal, quoted if it was typed; returns the move if it is legal. */
export async function sayWhyIllegal(/** @type {App} */ app, /** @type {string} */ move, isTyped = true) {
  const isShown = app.stillShown();
  /** @type {{ text: string | null, move: string | null }} */
  const answer = await app.connection
    .ask("why_illegal", { setup: app.session.setup, move })
    .catch((error) => ({ text: error.message, move: null }));
  if (!isShown()) return null;
  const text = answer.text ?? "";
  byId("reply").textContent = isTyped ? text : text.replaceAll(/["“”]/g, "");
  return answer.move;
}

/** Plays a move that the user typed. */
async function typeMove(/** @type {App} */ app, /** @type {string} */ text) {
  if (!app.isSettled) return;
  const isNamed = app.position?.legal.some(({ move }) => move === text);
  const move = isNamed ? text : await sayWhyIllegal(app, text);
  const found = app.position?.legal.find((one) => one.move === move);
  if (!found) return;
  if (app.tab.canMove()) app.tab.onMove(found);
  else byId("reply").textContent = t("notYourTurn");
}

/** Draws the name of each player beside the board. */
export function showPlayers(
  /** @type {App} */ app,
  /** @type {PositionAnswer} */ position,
  /** @type {boolean} */ isOpen,
) {
  const { clock, isTimed, live } = app.session;
  const bottom = app.session.isFlipped ? 1 : 0;
  for (const [id, side] of /** @type {[string, number][]} */ ([
    ["player-bottom", bottom],
    ["player-top", 1 - bottom],
  ])) {
    const isToMove = isOpen && position.side === side;
    const isPaused = isTimed && side === app.session.sideAt(live);
    byId(id).replaceChildren(
      pieceIcon(app.info, side),
      element("span", { class: "player-name" }, app.tab.playerName(side)),
      ...(isToMove ? [element("span", { class: "to-move" }, t("toMove"))] : []),
      ...(clock && app.tabName === "play"
        ? [element("span", { class: "clock", role: "timer", id: `clock-${side}` })]
        : isPaused
          ? [element("span", { class: "clock" }, t("clock.paused"))]
          : []),
    );
    byId(id).classList.toggle("is-to-move", isToMove);
  }
  if (clock) showClock(clock);
}

/** Presses a button, or steps through the game. */
export function onKey(/** @type {App} */ app, /** @type {KeyboardEvent} */ event) {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
  if (event.key === "?" && !event.target.closest("input, select, textarea")) return openKeys();
  const shortcut = SHORTCUTS[event.key.toLowerCase()];
  if (shortcut && !event.repeat && !event.target.closest("input, select, textarea, dialog"))
    return void (/** @type {HTMLElement | null} */ (document.querySelector(shortcut))?.click());
  if (event.target.closest("input, select, textarea, pre, [role=tab], [role=region], dialog")) return;
  if (event.key.toLowerCase() === "a" && !event.repeat) return app.toggleSent();
  const { at, tree } = app.session;
  const target = { ArrowLeft: at.parent, ArrowRight: at.children[0], Home: tree.root, End: tree.end(at) }[event.key];
  if (target === undefined || target === null) return;
  event.preventDefault();
  app.stepTo(target);
}
