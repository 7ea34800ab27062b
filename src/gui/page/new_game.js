// The form of a new game. What it chooses holds for the next game.

import { clockFields } from "./clock.js";
import { byId, element } from "./dom.js";
import { linkFields } from "./links.js";
import { t } from "./texts.js";
import { button, choice, segments, toggle } from "./widgets.js";

const SECONDS = [0.1, 0.3, 1, 3, 10, 30];

/**
 * Builds the form. `game` starts a game, applies the strength to the one in progress, hears of changes, and keeps the
 * FEN.
 *
 * @param {import("./app.js").App} app
 * @param {{ begin(): void, apply(): void, changed(): void, fen: string }} game
 */
export function newGameForm(app, game) {
  const { settings, catalogue } = app;
  const levels = catalogue.levels.map(
    ({ level, name, elo }) =>
      /** @type {[string, string]} */ ([`${level}`, app.info.has_elo ? t("level", { name, elo }) : name]),
  );
  const engines = [["", "Zermelo"], ...catalogue.engines.map((name) => [name, name])].map(
    ([id = "", name = ""]) => /** @type {[string, string]} */ ([id, name]),
  );
  const box = element("form", {
    class: "card setup",
    id: "setup",
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      game.begin();
    },
  });
  const fill = () => {
    const isWatching = settings.opponent === "engines";
    const hasEngine = isWatching || settings.opponent === "engine";
    const isLinks = settings.opponent === "links";
    const isTimed = settings.opponent === "engine" && settings.clock !== "";
    const save = (/** @type {Partial<import("./types").PlaySettings>} */ change) => {
      app.changeSettings(change);
      game.changed();
    };
    const starts = app.info.has_random_start
      ? [
          ["standard", t("setup.randomStart")],
          ["full", t("setup.full")],
        ]
      : [
          ["standard", t("setup.standard")],
          ["random", t("setup.randomStart")],
        ];
    box.replaceChildren(
      element("h2", {}, t("setup.title")),
      segments(
        t("setup.opponent"),
        [
          ["engine", t("setup.engine")],
          ["human", t("setup.human")],
          ["links", t("setup.links")],
          ["engines", t("setup.engines")],
        ],
        settings.opponent,
        (value) => {
          save({ opponent: /** @type {any} */ (value) });
          fill();
          /** @type {any} */ (box.querySelector("input:checked")).focus();
        },
      ),
      ...(hasEngine
        ? [
            element(
              "div",
              { class: "fields" },
              choice(
                isWatching ? t("setup.levelFirst") : t("setup.level"),
                levels,
                `${settings.level}`,
                (value) => save({ level: Number(value) }),
                { id: "level" },
              ),
              ...(engines.length > 1
                ? [
                    choice(
                      t(isWatching ? "setup.programFirst" : "setup.program"),
                      engines,
                      settings.engine,
                      (value) => save({ engine: value }),
                      { id: "engine" },
                    ),
                  ]
                : []),
              ...(isWatching
                ? [
                    choice(
                      t("setup.levelSecond"),
                      levels,
                      `${settings.otherLevel}`,
                      (value) => save({ otherLevel: Number(value) }),
                      { id: "other-level" },
                    ),
                    engines.length > 1
                      ? choice(
                          t("setup.programSecond"),
                          engines,
                          settings.otherEngine,
                          (value) => save({ otherEngine: value }),
                          { id: "other-engine" },
                        )
                      : null,
                  ]
                : []),
              isTimed
                ? null
                : choice(
                    t("setup.time"),
                    SECONDS.map((seconds) => [`${seconds}`, t("setup.seconds", { seconds })]),
                    `${settings.seconds}`,
                    (value) => save({ seconds: Number(value) }),
                  ),
            ),
          ]
        : []),
      ...(isLinks ? linkFields(settings, save) : []),
      ...(settings.opponent === "engine" || isLinks
        ? [
            segments(
              t("setup.side"),
              [
                ["first", t("setup.first")],
                ["second", t("setup.second")],
                ["random", t("setup.random")],
              ],
              settings.side,
              (value) => save({ side: /** @type {any} */ (value) }),
            ),
          ]
        : []),
      element(
        "div",
        { class: "fields" },
        ...(isWatching || isLinks
          ? []
          : clockFields(
              settings.clock,
              (clock) => save({ clock }),
              () => {
                fill();
                byId("clock").focus();
              },
            )),
        choice(
          t("setup.start"),
          /** @type {[string, string][]} */ ([...starts, ["balanced", t("setup.balanced")], ["fen", "FEN"]]),
          settings.start,
          (value) => {
            save({ start: /** @type {any} */ (value) });
            fill();
            byId("start").focus();
          },
          { id: "start" },
        ),
        ...(settings.start === "fen"
          ? [
              element(
                "label",
                { class: "field" },
                element("span", {}, "FEN"),
                element("input", {
                  type: "text",
                  id: "setup-fen",
                  value: game.fen,
                  spellcheck: "false",
                  autocomplete: "off",
                  oninput: (/** @type {any} */ event) => {
                    game.fen = event.target.value;
                  },
                }),
              ),
            ]
          : []),
      ),
      ...(settings.opponent === "engine"
        ? [toggle(t("setup.coach"), settings.coach, (value) => save({ coach: value }), { id: "coach" })]
        : []),
      element(
        "div",
        { class: "actions" },
        element("button", { type: "submit", class: "primary", id: "new-game" }, t("setup.begin")),
        button(t("setup.apply"), () => game.apply(), { id: "apply", hidden: true }),
      ),
    );
  };
  fill();
  return box;
}
