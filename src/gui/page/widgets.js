// Small controls of the page.

import { byId, element, shape } from "./dom.js";
import { t } from "./texts.js";

/** Icons as paths in a 24 × 24 view box. @type {Record<string, string>} */
const ICONS = {
  first: "M6 5v14M18 5l-8 7 8 7",
  previous: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  flip: "M7 4v15M3 15l4 4 4-4M17 20V5M13 9l4-4 4 4",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10c1 1 1 2 1 2h6s0-1 1-2a6 6 0 0 0-4-10z",
  undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-2",
  redo: "M15 6l5 5-5 5M20 11H10a5 5 0 0 0 0 10h2",
  flag: "M6 21V4h11l-2 4 2 4H6",
  play: "M8 5l10 7-10 7z",
  pause: "M9 5v14M15 5v14",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z",
  up: "M12 19V6M6 12l6-6 6 6",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  open: "M12 16V5M7 9l5-5 5 5M5 20h14",
  share: "M8 12h8M13 7l5 5-5 5M4 5v14",
  skip: "M6 5l9 7-9 7zM18 5v14",
  type: "M3 6h18v12H3zM7 10h0M11 10h0M15 10h2M8 14h8",
  retry: "M20 12a8 8 0 1 1-3-6M20 3v5h-5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
};

export function icon(/** @type {string} */ name) {
  return shape(
    "svg",
    { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", class: `icon icon-${name}` },
    shape("path", { d: ICONS[name] ?? "" }),
  );
}

/**
 * @param {string} text
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(text, action, attributes = {}) {
  const { icon: name, ...others } = attributes;
  return element(
    "button",
    { type: "button", onclick: action, ...others },
    name ? icon(name) : null,
    element("span", {}, text),
  );
}

/** The windows in which the panel is below the board, as in app.css. */
const NARROW = "(max-width: 60rem) and (min-height: 34.01rem), (max-width: 34rem)";

export function isNarrow() {
  return matchMedia(NARROW).matches;
}

/** Brings the board into sight where the panel is below it, with what the panel says first. */
export function showStage() {
  const { top, bottom } = byId("board").getBoundingClientRect();
  const isSeen = top >= 0 && bottom <= 0.75 * innerHeight;
  if (isNarrow() && !isSeen) byId("stage").scrollIntoView({ block: "start" });
}

/** A remark in small print. */
export function note(/** @type {any[]} */ ...content) {
  return element("p", { class: "note" }, ...content);
}

/** A row of buttons, with the texts between them. */
export function actions(/** @type {any[]} */ ...content) {
  return element("div", { class: "actions" }, ...content);
}

/**
 * A button that shows only an icon.
 *
 * @param {string} name
 * @param {string} label
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function iconButton(name, label, action, attributes = {}) {
  return element(
    "button",
    {
      type: "button",
      "aria-label": label,
      title: label,
      onclick: action,
      ...attributes,
      class: `icon-only ${attributes.class ?? ""}`,
    },
    icon(name),
  );
}

/**
 * A labelled choice.
 *
 * @param {string} label
 * @param {[string, string][]} options values and texts
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {Record<string, any>} [attributes]
 */
export function choice(label, options, value, change, attributes = {}) {
  const select = element(
    "select",
    {
      ...attributes,
      onchange() {
        change(select.value);
      },
    },
    ...options.map(([key, text]) => element("option", { value: key, selected: key === value }, text)),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

/**
 * A row of buttons of which one is pressed.
 *
 * @param {string} label
 * @param {[string, string][]} options values and texts
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function segments(label, options, value, change) {
  const name = `segments-${Math.random().toString(36).slice(2)}`;
  return element(
    "fieldset",
    { class: "segments" },
    element("legend", {}, label),
    element(
      "div",
      {},
      ...options.map(([key, text]) =>
        element(
          "label",
          {},
          element("input", {
            type: "radio",
            name,
            value: key,
            checked: key === value,
            onchange() {
              change(key);
            },
          }),
          element("span", {}, text),
        ),
      ),
    ),
  );
}

/**
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} change
 * @param {Record<string, any>} [attributes]
 */
export function toggle(label, isOn, change, attributes = {}) {
  const input = element("input", {
    type: "checkbox",
    checked: isOn,
    ...attributes,
    onchange() {
      change(input.checked);
    },
  });
  return element("label", { class: "toggle" }, input, element("span", {}, label));
}

/** Shows a message for a few seconds, with a button that undoes what it tells in place of an earlier one. */
export function toast(/** @type {string} */ text, /** @type {(() => void) | null} */ undo = null) {
  const node = element(
    "p",
    { class: "toast" },
    text,
    undo
      ? button(
          t("play.undo"),
          () => {
            node.remove();
            undo();
          },
          { class: "toast-undo" },
        )
      : null,
  );
  if (undo)
    byId("toasts")
      .querySelectorAll(":has(> button)")
      .forEach((/** @type {Element} */ earlier) => earlier.remove());
  byId("toasts").append(node);
  setTimeout(() => node.remove(), undo ? 10_000 : 6000);
}

/** Offers a text or picture as a file. */
export function download(/** @type {string} */ name, /** @type {Blob} */ blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copies a text and says so on the button. */
export async function copyText(/** @type {string} */ text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    toast(t("copyFailed"));
  }
}
