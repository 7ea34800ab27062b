// A new game: the form, whose choices hold for the next one, and what they mean.

import { Clock, clockFields } from "./clock.js";
import { byId, element } from "./dom.js";
import { GameTree, human, Session } from "./game.js";
import { linkFields, playFriend } from "./links.js";
import { t } from "./texts.js";
import { button, choice, segments, toggle } from "./widgets.js";

const SECONDS = [0.1, 0.3, 1, 3, 10, 30];

/**
 * Builds the form. `game` starts a game, applies the strength to the one in progress, hears of changes, and keeps the
 * FEN.
 *
 * @param {App} app
 * @param {{ begin(): void, apply(): void, changed(): void, fen: string }} game
 */
export function newGameForm(app, game) {
  const { settings, catalogue } = app;
  const levels = catalogue.levels.map(({ level, name }, index) => {
    const elo = app.info.level_elos?.[index];
    return /** @type {[string, string]} */ ([`${level}`, elo ? t("level", { name, elo }) : name]);
  });
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
    const save = (/** @type {Partial<PlaySettings>} */ change) => {
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

/**
 * The engine of the settings, or the second one of a game to watch.
 *
 * @returns {PlayerSettings}
 */
function chosenEngine(/** @type {PlaySettings} */ settings, isOther = false) {
  const { level, otherLevel, engine, otherEngine, seconds } = settings;
  return { kind: "engine", level: isOther ? otherLevel : level, seconds, engine: isOther ? otherEngine : engine };
}

/** Whether the user plays second; drawn by lot if the settings say so. */
function playsSecond(/** @type {PlaySettings} */ { side }) {
  return side === "second" || (side === "random" && Math.random() < 0.5);
}

/** The players of the settings. @returns {PlayerSettings[]} */
export function chosenPlayers(/** @type {PlaySettings} */ settings) {
  if (settings.opponent === "human" || settings.opponent === "links") return [human(), human()];
  if (settings.opponent === "engines") return [chosenEngine(settings), chosenEngine(settings, true)];
  return playsSecond(settings) ? [chosenEngine(settings), human()] : [human(), chosenEngine(settings)];
}

/** The players of the game in progress, with level, time and engine of the settings. */
export function updatedPlayers(/** @type {App} */ { session: { players }, settings }) {
  const isWatching = players.every(({ kind }) => kind === "engine");
  return players.map((player, side) =>
    player.kind === "engine" ? chosenEngine(settings, isWatching && side === 1) : player,
  );
}

/** Offers the strength that was chosen for the game in progress, too. */
export function showApply(/** @type {App} */ app) {
  const { session, settings } = app;
  const isSame = JSON.stringify(updatedPlayers(app)) === JSON.stringify(session.players);
  byId("apply").hidden = isSame || session.isOver || ["human", "links"].includes(settings.opponent);
}

/**
 * The start position of the settings; null for the game's own.
 *
 * @param {App} app
 * @param {string} fen the one that was entered
 * @returns {Promise<string | null>}
 */
export async function chosenStart(app, fen) {
  const { game } = app.session.tree;
  const usual = app.info.has_random_start ? "random" : null;
  const chosen = app.settings.start;
  const kind = chosen === "standard" ? usual : chosen === "full" ? null : chosen;
  let start = null;
  if (kind === "fen") start = fen.trim() || null;
  else if (kind) {
    const seed = Math.floor(Math.random() * 1e9);
    start = (await app.connection.ask("start", { game, kind, seed })).fen;
  }
  return start && (await app.connection.ask("position", { setup: { game, start, moves: [] } })).fen;
}

/**
 * A game with the settings: by links if they are chosen on purpose, or another one with the same friend.
 *
 * @param {App} app
 * @param {string | null} start
 * @param {"" | "links" | "rematch"} kindOfLinks
 */
export function newSession(app, start, kindOfLinks) {
  const { settings } = app;
  const { friend, names, tree } = app.session;
  const session = new Session(new GameTree(tree.game, start));
  session.players = chosenPlayers(settings);
  const [first, second] = session.players;
  if (kindOfLinks === "links") playFriend(app, session, Number(playsSecond(settings)), settings.helps);
  else if (friend && kindOfLinks === "rematch") {
    session.players = [human(), human()];
    playFriend(app, session, 1 - friend.side, friend.helps, [...names].reverse());
  } else if (["engine", "human"].includes(settings.opponent)) session.clock = Clock.of(settings.clock);
  session.isFlipped = first?.kind === "engine" ? second?.kind === "human" : session.friend?.side === 1;
  return session;
}
