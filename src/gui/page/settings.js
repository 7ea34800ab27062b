// The top bar, and its dialogs: settings of the page, and its keys.

import { dictionary, isWhole } from "./checks.js";
import { byId, element, shape } from "./dom.js";
import { playSound } from "./sounds.js";
import { language, t } from "./texts.js";
import { actions, button, iconButton, segments, toggle } from "./widgets.js";

export const THEMES = ["auto", "light", "dark"];
/** @type {PlaySettings} */
export const DEFAULT_SETTINGS = {
  opponent: "engine",
  level: 10,
  otherLevel: 10,
  seconds: 1,
  engine: "",
  otherEngine: "",
  side: "first",
  start: "standard",
  coach: false,
  rules: true,
  clock: "",
  name: "",
  helps: false,
  sounds: false,
  sent: true,
  board: "plain",
  isNew: true,
};
const BOARDS = ["plain", "wood", "contrast"];
/** The keys of the page, and the texts that say what they do. @type {[string[], string][]} */
const KEYS = [
  [["←", "→"], "step"],
  [["Home", "End"], "ends"],
  [["Tab"], "board"],
  [["←", "↑", "→", "↓"], "square"],
  [["Enter", "Space"], "play"],
  [["Esc"], "drop"],
  [["F"], "flip"],
  [["A"], "sent"],
  [["H"], "hint"],
  [["U"], "undo"],
  [["←", "→"], "tab"],
  [["?"], "keys"],
];

const isLevel = (/** @type {unknown} */ one) => isWhole(one, 0, 20);
/** What a stored setting must be, beside its type. @type {Record<string, (value: any) => boolean>} */
const RANGES = dictionary({
  opponent: (value) => ["engine", "human", "links", "engines"].includes(value),
  level: isLevel,
  otherLevel: isLevel,
  seconds: (value) => value > 0 && value <= 60,
  side: (value) => ["first", "second", "random"].includes(value),
  start: (value) => ["standard", "full", "random", "balanced", "fen"].includes(value),
  board: (value) => BOARDS.includes(value),
});

/** The settings that were stored, with the usual ones in place of those that are missing or damaged. */
export function checkedSettings(/** @type {any} */ stored) {
  const usual = dictionary(/** @type {Record<string, any>} */ (DEFAULT_SETTINGS));
  const isSound = (/** @type {[string, unknown]} */ [name, value]) =>
    typeof value === typeof usual[name] && (RANGES[name]?.(value) ?? true);
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(Object.entries(dictionary(stored)).filter(isSound)) };
}

/** The parts of the top bar. */
export function topBar(/** @type {App} */ app) {
  const games = element(
    "select",
    { id: "game", "aria-label": t("game"), onchange: () => app.chooseGame(games.value) },
    ...app.catalogue.games.map(({ id, name }) =>
      element("option", { value: id, selected: id === app.session.tree.game }, name),
    ),
  );
  const other = language() === "en" ? "zh" : "en";
  return [
    element(
      "span",
      { class: "brand" },
      shape(
        "svg",
        { viewBox: "0 0 32 32", width: 26, height: 26, "aria-hidden": "true" },
        shape("rect", { width: 32, height: 32, rx: 6, class: "brand-box" }),
        shape("path", { d: "M9 9h14L9 23h14", class: "brand-letter" }),
      ),
      element("span", { class: "brand-name" }, "Zermelo"),
    ),
    games,
    element("span", { class: "spacer" }),
    element(
      "button",
      {
        type: "button",
        id: "language",
        lang: other === "zh" ? "zh-Hans" : "en",
        onclick: () => app.setLanguage(other),
      },
      other === "zh" ? "中文" : "English",
    ),
    iconButton(
      "theme",
      t(`theme.${app.theme}`),
      () => {
        app.changeTheme(THEMES[(THEMES.indexOf(app.theme) + 1) % THEMES.length] ?? "auto");
        byId("theme").focus();
      },
      { id: "theme" },
    ),
    iconButton("settings", t("settings.title"), () => openSettings(app), { id: "settings" }),
  ];
}

/** Opens a dialog, which is gone once it is closed. The browser then gives the focus back. */
function openDialog(/** @type {string} */ id, /** @type {string} */ title, /** @type {(Node | null)[]} */ ...content) {
  if (document.querySelector("dialog[open]")) return;
  const dialog = element(
    "dialog",
    {
      id,
      class: "dialog",
      "aria-labelledby": `${id}-title`,
      onclose: () => dialog.remove(),
      onclick: (/** @type {Event} */ event) => {
        if (event.target === dialog) dialog.close();
      },
    },
    element(
      "div",
      { class: "stack" },
      element("h2", { id: `${id}-title` }, title),
      ...content,
      actions(button(t("dialog.close"), () => dialog.close(), { class: "primary", id: `${id}-close` })),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {App} app */
export function openSettings(app) {
  const { settings } = app;
  openDialog(
    "settings-dialog",
    t("settings.title"),
    segments(
      t("settings.board"),
      BOARDS.map((board) => [board, t(`board.${board}`)]),
      settings.board,
      (board) => app.changeSettings({ board }),
    ),
    toggle(
      t("settings.sounds"),
      settings.sounds,
      (isOn) => {
        app.changeSettings({ sounds: isOn });
        if (isOn) playSound("move");
      },
      { id: "sounds" },
    ),
    toggle(t("settings.sent"), settings.sent, () => app.toggleSent(), { id: "sent" }),
    actions(
      button(
        t("keys.title"),
        () => {
          /** @type {HTMLDialogElement | null} */ (document.querySelector("#settings-dialog"))?.close();
          openKeys();
        },
        { id: "show-keys" },
      ),
    ),
  );
}

export function openKeys() {
  openDialog(
    "keys-dialog",
    t("keys.title"),
    element(
      "table",
      { class: "keys" },
      element(
        "tbody",
        {},
        ...KEYS.map(([keys, name]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, ...keys.flatMap((key) => [element("kbd", {}, key), " "])),
            element("td", {}, t(`keys.${name}`)),
          ),
        ),
      ),
    ),
  );
}
