// Links to a position or a whole game, and games with a friend by links: each carries the whole game, so that no server
// is needed, and is opened only if it continues the game that is known here.

import { byId, element } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { sideName } from "./players.js";
import { fromHash, later, MAX_NAME, sharedGames, toHash } from "./storage.js";
import { t } from "./texts.js";
import { IS_PUBLIC } from "./transport.js";
import { actions, button, copyText, note, showStage, toast, toggle } from "./widgets.js";

/** The link that carries a game with a friend. */
export function friendHash(/** @type {Session} */ { tree, live, names, resigned, id, friend }) {
  return toHash({
    tab: "play",
    game: tree.game,
    start: tree.start,
    moves: tree.moves(live),
    names,
    resigned,
    friend: { id, helps: Boolean(friend?.helps) },
  });
}

/** Whether the last thing that happened in the game came from the user, who has to send it. */
export function isOwnTurnOver(/** @type {Session} */ { friend, resigned }, /** @type {PositionAnswer} */ { side }) {
  return resigned === null ? side !== friend?.side : resigned === friend?.side;
}

/** All stored games with friends: of this tab, or later states from other tabs. @returns {Record<string, any>} */
function friendGames(/** @type {App} */ { stored }) {
  const shared = sharedGames();
  return Object.fromEntries(
    Object.entries({ ...shared, ...stored })
      .filter(([, game]) => game?.friend)
      .map(([key, own]) => [key, later(own, shared[key])]),
  );
}

/** Shows what happened in another tab to the game with a friend. */
export function followOtherTab(/** @type {App} */ app) {
  const { key, friend } = app.mainSession;
  const other = sharedGames()[key];
  if (!friend || !(other?.friend?.step > friend.step)) return;
  const session = app.restoredSession(key, other);
  if (session) app.replaceGame(session);
}

/** Makes a session a game with a friend. */
export function playFriend(
  /** @type {App} */ app,
  /** @type {Session} */ session,
  /** @type {number} */ side,
  /** @type {boolean} */ helps,
  names = ["", ""],
) {
  session.friend = { side, helps, isSent: false, step: 0 };
  session.ownSide = side;
  session.names = [...names];
  session.names[side] ||= app.settings.name;
}

/** Opens the link in the address, or what was shown last. */
export function openAddress(/** @type {App} */ app, /** @type {string} */ hash) {
  if (!hash || !openLink(app, hash)) openPlace(app, null);
}

/** Opens a link, given as a fragment of the address or in a pasted message; returns whether it can be read. */
function openLink(/** @type {App} */ app, /** @type {string} */ hash, isPasted = false) {
  const link = fromHash(hash);
  if (!link || !app.isGame(link.game)) {
    toast(t("link.damaged"));
    return false;
  }
  if (link.friend) {
    openPlace(app, null, "play");
    receiveLink(app, link, isPasted);
  } else {
    openPlace(app, link);
    if (isPasted) showStage();
  }
  return true;
}

/** Opens a position or a whole game, unless it is the one that was stored. */
function openPlace(/** @type {App} */ app, /** @type {Link | null} */ link, name = app.tabName) {
  let session = app.mainSession;
  if (link) {
    const { game, start, moves } = link;
    const known = game === app.mainSession.tree.game ? app.mainSession : app.restoredSession(game);
    if (known && known.tree.start === start && known.tree.moves(known.tree.find(moves)).length === moves.length) {
      session = known;
      known.at = link.tab === "play" ? known.live : known.tree.find(moves);
    } else {
      session = new Session(new GameTree(game, start));
      session.at = session.live = session.tree.addLine(session.tree.root, moves);
      session.names = link.names ?? ["", ""];
      session.resigned = link.resigned ?? null;
      session.outOfTime = link.outOfTime ?? null;
    }
    if (app.tabs[link.tab]) name = link.tab;
  }
  app.openGame(session, name);
}

/** Opens the link of a friend. One that does not continue the game known here changes nothing. */
async function receiveLink(
  /** @type {App} */ app,
  /** @type {Link} */ { game, start, moves, names = [], resigned = null, friend },
  isPasted = false,
) {
  /** @type {PositionAnswer | null} */
  let position = null;
  try {
    position = await app.connection.ask("position", { setup: { game, start, moves, resigned } });
  } catch (error) {
    return show(app, app.mainSession, t("link.refused", { reason: /** @type {Error} */ (error).message }));
  }
  if (!position || !friend) return;
  app.saveNow();
  const [key, stored] = Object.entries(friendGames(app)).find(([one]) => one.endsWith(`/${friend.id}`)) ?? ["", null];
  const known = app.restoredSession(key, stored);
  const session = known ?? new Session(new GameTree(game, start));
  if (!known) {
    session.id = friend.id;
    session.started = Date.now();
    session.firstSide = (position.side + moves.length) % 2;
    playFriend(app, session, resigned === null ? position.side : 1 - resigned, friend.helps, names);
    session.isFlipped = session.friend?.side === 1;
  }
  const { tree, live } = session;
  const here = tree.moves(live);
  const differs = here.findIndex((move, at) => move !== moves[at]);
  if (tree.game !== game || tree.start !== start) return show(app, session, t("link.otherStart"));
  if (differs >= 0 && differs < moves.length)
    return show(
      app,
      session,
      t("link.diverges", { ply: differs + 1, here: here[differs] ?? "", there: moves[differs] ?? "" }),
    );
  if (differs >= 0 || (session.resigned !== null && resigned === null && moves.length === here.length)) {
    return show(app, session, t("link.behind", { here: here.length, there: moves.length }));
  }
  if (session.resigned !== null && moves.length > here.length) return show(app, session, t("link.afterEnd"));
  const isNew = !known || moves.length > here.length || resigned !== session.resigned;
  const end = tree.addLine(live, moves.slice(here.length));
  tree.promote(end);
  session.live = end;
  // The friend's move is seen to come.
  session.at = isNew ? (end.parent ?? end) : end;
  session.resigned = resigned;
  session.isEnded = position.outcome !== null;
  const own = /** @type {Friend} */ (session.friend);
  session.names[1 - own.side] = names[1 - own.side] || session.names[1 - own.side] || "";
  if (isNew) Object.assign(own, { isSent: true, step: own.step + 1 });
  const isOwn = isPasted && !isNew && isOwnTurnOver(session, position);
  show(app, session, isOwn ? t("link.own") : session.names[1 - own.side] ? "" : t("link.noName"));
}

/** Shows a game in Play with a notice. */
function show(/** @type {App} */ app, /** @type {Session} */ session, /** @type {string} */ notice) {
  session.notice = notice;
  app.openGame(session, "play");
  if (session.at !== session.live) app.showPosition(session.live);
  showStage();
  // At once, so that a reload shows the same game.
  app.saveNow();
}

/** What to send to the friend, with the link. */
function message(/** @type {App} */ app) {
  const { session, position } = app;
  const side = session.friend?.side ?? 0;
  const hash = friendHash(session);
  const key =
    session.resigned !== null
      ? "friend.gaveUp"
      : position?.outcome
        ? "friend.ended"
        : session.live.parent
          ? "friend.played"
          : "friend.invites";
  const text = t(key, {
    game: app.info.name,
    name: session.names[side] || sideName(app.info, side),
    move: session.live.move,
  });
  return IS_PUBLIC ? `${text}\n${new URL(hash, location.href).href}` : `${text}\n${t("friend.paste")}\n${hash}`;
}

/** What the user has to do in a game with a friend: send the link, or wait for one. */
export function shareBox(/** @type {App} */ app) {
  const { session, position, settings } = app;
  const { friend } = session;
  if (!friend || !position || session.at !== session.live || !isOwnTurnOver(session, position)) return null;
  const sent = () => {
    if (!friend.isSent) Object.assign(friend, { isSent: true, step: friend.step + 1 });
    byId("undo").disabled = true;
    app.save();
  };
  const text = element(
    "textarea",
    {
      id: "share-text",
      readonly: true,
      rows: 5,
      "aria-label": t("friend.message"),
      onfocus: () => text.select(),
      oncopy: sent,
    },
    message(app),
  );
  const rename = (/** @type {string} */ name) => {
    settings.name = session.names[friend.side] = name.trim();
    friend.step += 1;
    text.value = message(app);
    app.save();
  };
  return element(
    "div",
    { class: "stack share", id: "share" },
    session.names[friend.side] ? null : nameField("share-name", "", rename),
    text,
    actions(
      button(
        t("friend.copy"),
        () => {
          copyText(message(app));
          sent();
        },
        { class: "primary", id: "share-copy" },
      ),
      typeof navigator.share === "function"
        ? button(t("friend.share"), () => navigator.share({ text: message(app) }).then(sent, () => {}), {
            id: "share-native",
          })
        : null,
    ),
    note(t(IS_PUBLIC ? "friend.note" : "friend.noteLocal")),
  );
}

function nameField(
  /** @type {string} */ id,
  /** @type {string} */ value,
  /** @type {(name: string) => void} */ change,
  attributes = {},
) {
  const input = element("input", {
    type: "text",
    id,
    value,
    maxlength: MAX_NAME,
    autocomplete: "nickname",
    oninput: () => change(input.value),
    ...attributes,
  });
  return element("label", { class: "field" }, element("span", {}, t("friend.name")), input);
}

/** The fields of a new game by links. */
export function linkFields(
  /** @type {PlaySettings} */ settings,
  /** @type {(change: Partial<PlaySettings>) => void} */ save,
) {
  return [
    nameField("own-name", settings.name, (name) => save({ name: name.trim() }), { required: true }),
    toggle(t("friend.helps"), settings.helps, (helps) => save({ helps }), { id: "helps" }),
  ];
}

/** Opens the link in a text, such as a message. */
function openText(/** @type {App} */ app, /** @type {string} */ text) {
  const found = /\S*\bgame=\S+/.exec(text.slice(text.lastIndexOf("#") + 1));
  if (found) return openLink(app, `#${found[0]}`, true);
  toast(t("link.damaged"));
  return false;
}

/** A field for links that are pasted. */
export function linkForm(/** @type {App} */ app) {
  const input = element("input", {
    type: "text",
    id: "link-text",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 20_000,
  });
  return element(
    "form",
    {
      class: "fen-form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (openText(app, input.value)) input.value = "";
      },
    },
    element("label", { class: "field" }, element("span", {}, t("link.paste")), input),
    element("button", { type: "submit", id: "open-link" }, t("link.open")),
  );
}

/** The field for links, and the games with friends that wait. */
export function friendCard(/** @type {App} */ app) {
  const games = Object.entries(friendGames(app))
    .filter(([key, game]) => key !== app.session.key && !game.isEnded && typeof game.resigned !== "number")
    .reverse();
  const name = (/** @type {any} */ { friend, names }) => names?.[1 - friend.side] || t("friend.friend");
  const isOwnTurn = (/** @type {any} */ { friend, firstSide, live }) => (firstSide + live.length) % 2 === friend.side;
  return element(
    "details",
    { class: "card", open: app.session.friend !== null || games.length > 0 },
    element("summary", {}, t("friend.title")),
    linkForm(app),
    games.length
      ? element(
          "ul",
          { class: "friend-games" },
          ...games.map(([key, game]) =>
            element(
              "li",
              {},
              button(
                t(isOwnTurn(game) ? "friend.yourTurn" : "friend.theirTurn", {
                  name: name(game),
                  game: app.catalogue.games.find(({ id }) => id === game.game)?.name ?? "",
                }),
                () => {
                  app.saveNow();
                  const session = app.restoredSession(key, game);
                  if (session) show(app, session, "");
                },
              ),
            ),
          ),
        )
      : null,
  );
}
