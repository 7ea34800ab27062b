// The user's games: the list of those that the browser keeps, their reviews and progress.

import { byId, element } from "./dom.js";
import { exportGames, importGames } from "./games_file.js";
import {
  keepSession,
  keptGames,
  keptReview,
  MAX_GAMES,
  ownSideOf,
  putGames,
  removeGame,
  restoreKept,
  storageMessage,
  toKept,
} from "./kept_games.js";
import { linkForm } from "./links.js";
import { pieceIcon, playerName } from "./players.js";
import { showProgress } from "./progress.js";
import { readGames } from "./records.js";
import { reviewSession } from "./review_run.js";
import { Tab } from "./tab.js";
import { language, t } from "./texts.js";
import { actions, button, choice, iconButton, note, toast } from "./widgets.js";

/** Games of the list that are shown at once. */
const PAGE = 50;
/** With fewer free places than this, a message says that the oldest games will go. */
const FEW = 20;
const RESULTS = ["0-1", "1/2-1/2", "1-0"];
/** What the points of a game are called and how they are marked. @type {Record<number, string>} */
const OUTCOMES = { 0: "lost", 0.5: "drawn", 1: "won" };

export class GamesTab extends Tab {
  /** @type {GameEntry[]} */
  #entries = [];
  /** The game that the list is about; empty for all. */
  #filter = "";
  #shown = PAGE;
  #damaged = 0;
  /** What of each game was kept last. @type {Map<string, string>} */
  #known = new Map();
  /** What is being stored; each game waits for the one before. */
  #storing = Promise.resolve();
  /** Whether the user has been warned that games are not kept, or that the oldest will go. */
  #isWarned = false;
  /** @type {AbortController | null} */
  #reviewing = null;

  build() {
    const { app } = this;
    const file = element("input", {
      type: "file",
      id: "import-file",
      class: "hidden",
      accept: ".pgn,.jsonl,.json,.txt",
      tabindex: -1,
      "aria-label": t("games.import"),
      onchange: () => {
        const chosen = file.files?.[0];
        file.value = "";
        if (chosen) this.#import(chosen);
      },
    });
    return element(
      "div",
      { class: "stack" },
      element(
        "section",
        { class: "card" },
        element("h2", {}, t("games.title")),
        element(
          "div",
          { class: "fields" },
          choice(
            t("game"),
            [
              ["", t("games.all")],
              ...app.catalogue.games.map(({ id, name }) => /** @type {[string, string]} */ ([id, name])),
            ],
            this.#filter,
            (value) => {
              this.#filter = value;
              this.#shown = PAGE;
              this.#show();
            },
            { id: "kept-filter" },
          ),
        ),
        actions(
          button("", () => this.#reviewAll(), { id: "review-all", hidden: true }),
          button(t("games.export"), () => this.#export(), { icon: "save", id: "export-games" }),
          button(t("games.import"), () => file.click(), { icon: "open", id: "import-games" }),
          file,
        ),
        element("p", { id: "games-status", role: "status" }),
        linkForm(app),
      ),
      element("div", { class: "card", id: "games-run", hidden: true }),
      element("ol", { class: "kept", id: "kept-games", "aria-label": t("games.title") }),
      element("div", { id: "kept-more" }),
      element("div", { id: "progress" }),
    );
  }

  onEnter() {
    byId("games-status").textContent = "";
    this.#load();
  }

  onLeave() {
    this.#reviewing?.abort();
  }

  onVisibility() {
    if (!document.hidden && !this.#reviewing) this.#load();
  }

  canMove() {
    return false;
  }

  /** Keeps a game that a person, or two engines, have begun to play. */
  onSave(/** @type {Session} */ session) {
    if (session.started === null || session.live === session.tree.root) return this.#storing;
    const { review, at: _, isFlipped: __, clock, ...stored } = session.store();
    const state = JSON.stringify([stored, review?.line, Boolean(clock)]);
    if (this.#known.get(session.id) === state) return this.#storing;
    const { id } = session;
    this.#known.set(id, state);
    this.#storing = this.#storing.then(async () => {
      try {
        const position = await this.app.positions.get(session.setupAt(session.live));
        const count = await keepSession(session, position.outcome?.result ?? "*");
        if (count > MAX_GAMES - FEW) this.#warn(t("games.nearlyFull", { count, most: MAX_GAMES }));
        else this.#isWarned = false;
      } catch (error) {
        this.#known.delete(id);
        this.#warn(`${t("games.notKept")} ${storageMessage(error)}`);
      }
    });
    return this.#storing;
  }

  #warn(/** @type {string} */ text) {
    if (!this.#isWarned) toast(text);
    this.#isWarned = true;
  }

  #say(/** @type {string} */ text) {
    const status = byId("games-status");
    if (status) status.textContent = text;
  }

  /** Reads the list and shows it. */
  async #load() {
    try {
      await this.onSave(this.app.mainSession);
      const { games, damaged } = await keptGames();
      this.#damaged = damaged;
      this.#entries = games
        .filter((kept) => this.app.catalogue.games.some(({ id }) => id === kept.session.game))
        .map((kept) => this.#entry(kept));
      if (this.app.tab === this) this.#show();
    } catch (error) {
      this.#say(storageMessage(error));
    }
  }

  /** @returns {GameEntry} */
  #entry(/** @type {KeptGame} */ kept) {
    const session = restoreKept(kept);
    const own = ownSideOf(session);
    const name = (/** @type {number} */ side) => playerName(this.app, side, session);
    const firstPoints = RESULTS.includes(kept.result) ? RESULTS.indexOf(kept.result) / 2 : null;
    return {
      kept,
      session,
      own,
      opponent: own === null ? `${name(0)} – ${name(1)}` : name(1 - own),
      points: own === null || firstPoints === null ? null : own === 0 ? firstPoints : 1 - firstPoints,
    };
  }

  get #filtered() {
    return this.#entries.filter(({ kept }) => this.#filter === "" || kept.session.game === this.#filter);
  }

  /** The finished games that nobody has reviewed. */
  get #unreviewed() {
    return this.#filtered.filter(({ kept }) => kept.result !== "*" && kept.accuracy === null);
  }

  #show() {
    const entries = this.#filtered;
    const all = byId("review-all");
    if (!all) return;
    const { length } = this.#unreviewed;
    all.hidden = length === 0 || this.#reviewing !== null;
    all.lastChild.textContent = t("games.reviewAll", { count: length });
    byId("export-games").disabled = this.#entries.length === 0;
    byId("kept-games").replaceChildren(...entries.slice(0, this.#shown).map((entry) => this.#row(entry)));
    const free = MAX_GAMES - this.#entries.length;
    byId("kept-more").replaceChildren(
      ...(entries.length === 0 ? [note(t("games.none"))] : []),
      ...(entries.length > this.#shown
        ? [
            button(t("games.more", { count: entries.length - this.#shown }), () => this.#showMore(), {
              id: "more-games",
            }),
          ]
        : []),
      ...(free < FEW ? [note(t("games.nearlyFull", { count: this.#entries.length, most: MAX_GAMES }))] : []),
      ...(this.#damaged ? [note(t("games.damaged", { count: this.#damaged }))] : []),
    );
    showProgress(byId("progress"), entries);
  }

  #showMore() {
    const first = this.#shown;
    this.#shown += PAGE;
    this.#show();
    /** @type {HTMLElement | undefined} */ (byId("kept-games").children[first]?.firstChild)?.focus();
  }

  #row(/** @type {GameEntry} */ { kept, session, own, opponent, points }) {
    const { app } = this;
    const info = app.infoOf(kept.session.game);
    const date = new Date(kept.started).toLocaleString(language() === "zh" ? "zh-CN" : "en", {
      dateStyle: "medium",
      timeStyle: "short",
    });
    const { length } = session.tree.moves(session.live);
    const winner = info.side_names[kept.result === "1-0" ? 0 : 1] ?? "";
    const result =
      kept.result === "*"
        ? t("games.unfinished")
        : kept.result === "1/2-1/2"
          ? t("games.drawn")
          : points === null
            ? t("games.sideWon", { side: winner })
            : t(`games.${OUTCOMES[points]}`);
    const kind = kept.result === "*" ? "" : (OUTCOMES[points ?? 0.5] ?? "");
    const shares = (own === null ? [0, 1] : [own]).map((side) => kept.accuracy?.[side] ?? null);
    const accuracy = shares.every((share) => share === null)
      ? []
      : [
          t("review.accuracy", {
            share: shares.map((share) => (share === null ? "–" : Math.round(share))).join(" – "),
          }),
        ];
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "kept-game", onclick: () => this.#open(kept) },
        element("span", { class: `outcome ${kind}` }, result),
        element(
          "span",
          { class: "opponent" },
          own === null ? null : pieceIcon(info, own),
          element("span", {}, own === null ? opponent : t("games.against", { opponent })),
        ),
        element(
          "span",
          { class: "note" },
          [date, info.name, t(length === 1 ? "games.oneMove" : "games.moves", { count: length }), ...accuracy].join(
            " · ",
          ),
        ),
      ),
      iconButton("trash", t("games.delete", { opponent, date }), () => this.#remove(kept)),
    );
  }

  /** Shows a game where it can be played on, or reviewed. */
  async #open(/** @type {KeptGame} */ kept) {
    const { app } = this;
    try {
      let game = app.mainSession;
      if (game.id !== kept.id) {
        const review = await keptReview(kept.id);
        app.saveNow();
        const { key } = restoreKept(kept);
        const session = app.restoredSession(key, { ...kept.session, at: kept.session.live, review });
        if (!session) return;
        game = session;
      }
      app.openGame(game, kept.result === "*" ? "play" : "review");
      byId(`tab-${app.tabName}`).focus();
    } catch (error) {
      this.#say(storageMessage(error));
    }
  }

  /** Removes a game, which can be taken back for some seconds. */
  async #remove(/** @type {KeptGame} */ kept) {
    const { app } = this;
    const at = this.#filtered.findIndex((entry) => entry.kept.id === kept.id);
    // The page must not keep it again as the game that it goes on with.
    const open = [app.mainSession, ...Object.values(app.stored)].filter(
      ({ id, started }) => id === kept.id && started !== null,
    );
    try {
      const removed = await removeGame(kept);
      for (const session of open) session.started = null;
      toast(t("games.deleted"), async () => {
        await putGames([removed]).catch((error) => toast(storageMessage(error)));
        for (const session of open) session.started = kept.started;
        this.#load();
      });
      await this.#load();
      const rows = byId("kept-games")?.children ?? [];
      const button = rows[Math.min(at, rows.length - 1)]?.lastChild;
      (button instanceof HTMLElement ? button : byId("panel")).focus();
    } catch (error) {
      this.#say(storageMessage(error));
    }
  }

  /** Reviews the finished games one after the other. */
  async #reviewAll() {
    const { app } = this;
    const controller = (this.#reviewing = new AbortController());
    const entries = this.#unreviewed;
    const box = byId("games-run");
    const bar = element("progress", { max: 1, value: 0, "aria-label": t("review.running") });
    const line = element("p", { role: "status" });
    box.replaceChildren(line, bar, actions(button(t("games.stop"), () => controller.abort(), { id: "stop-reviews" })));
    box.hidden = false;
    this.#show();
    byId("stop-reviews").focus();
    try {
      for (const [index, { kept }] of entries.entries()) {
        line.textContent = t("games.reviewing", { number: index + 1, count: entries.length });
        bar.value = 0;
        const session = app.mainSession.id === kept.id ? app.mainSession : restoreKept(kept);
        await reviewSession(app, session, {
          signal: controller.signal,
          onProgress: ({ done, of }) => {
            bar.max = of;
            bar.value = done;
          },
        });
        const reviewed = toKept(session, kept.result, kept.changed);
        await putGames([reviewed]);
        if (session === app.mainSession) app.save();
        this.#entries = this.#entries.map((entry) => (entry.kept.id === kept.id ? this.#entry(reviewed.game) : entry));
        this.#show();
      }
    } catch (error) {
      if (!controller.signal.aborted) this.#say(/** @type {Error} */ (error).message);
    }
    this.#reviewing = null;
    box.hidden = true;
    this.#show();
    if (!document.activeElement || document.activeElement === document.body) byId("panel").focus();
  }

  async #export() {
    try {
      this.#say(t("games.exported", { count: await exportGames(this.app) }));
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  async #import(/** @type {File} */ file) {
    this.#say(t("games.importing"));
    try {
      const recorded = await readGames(this.app, file);
      await this.#load();
      const text = await importGames(recorded, this.#entries);
      await this.#load();
      this.#say(text);
    } catch (error) {
      this.#say(
        `${file.name}: ${error instanceof DOMException ? storageMessage(error) : /** @type {Error} */ (error).message}`,
      );
    }
  }
}
