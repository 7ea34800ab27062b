// Lessons: a task at the board, an answer to every move, and what was learnt so far.

import { dictionary } from "./checks.js";
import { byId, element } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { beatenAfter, ladder } from "./ladder.js";
import { sideName } from "./players.js";
import { Tab } from "./tab.js";
import { language, t } from "./texts.js";
import { button, note, toast } from "./widgets.js";

/** The time before the opponent's reply, so that one's own move is seen first. */
const REPLY_MS = 700;
/** The time between the moves with which a win is played on, and their number. */
const [PLAY_ON_MS, MAX_PLIES] = [1100, 24];
/** With more right moves than this, the hint shows only one. */
const MAX_HINTS = 4;

export class LearnTab extends Tab {
  hasOwnSession = true;
  /** The number of steps done, by game and lesson. @type {Record<string, Record<string, number>>} */
  #done = {};
  /** @type {Session | null} */
  #session = null;
  /** @type {Lesson[]} */
  #lessons = [];
  /** The game and the language of the lessons. */
  #loaded = "";
  #lesson = 0;
  #step = 0;
  /** The position of the task. @type {TreeNode | null} */
  #asked = null;
  /** The move that was played there. */
  #move = "";
  #isHinted = false;
  #failure = "";

  restore(/** @type {any} */ { lessons }) {
    this.#done = dictionary(lessons);
  }

  store() {
    return { lessons: this.#done };
  }

  /** Whether a step of any lesson was done. */
  hasBegun() {
    return Object.keys(this.#done).length > 0;
  }

  /** The lesson that is open, unless a link or a record has changed the game since. */
  ownSession() {
    return this.#session?.tree.game === this.app.mainSession.tree.game ? this.#session : null;
  }

  build() {
    return element(
      "div",
      { class: "stack" },
      element(
        "div",
        { class: "card turn", id: "lesson" },
        element("div", { id: "lesson-head" }),
        element("div", { id: "lesson-answer", role: "status" }),
      ),
      element("div", { class: "actions", id: "lesson-actions" }),
      element("div", { id: "lesson-list" }),
      element("div", { id: "lesson-ladder" }),
    );
  }

  onGame() {
    this.#session = null;
    this.#loaded = "";
    this.#lessons = [];
  }

  onLeave() {
    this.app.board.setArrows([]);
  }

  async onEnter() {
    const { app } = this;
    const game = app.mainSession.tree.game;
    const wanted = `${game} ${language()}`;
    if (!this.ownSession()) this.onGame();
    this.#show();
    if (this.#loaded === wanted) return;
    try {
      const { lessons } = await app.connection.ask("lessons", { game });
      if (app.tab !== this || game !== app.mainSession.tree.game || wanted !== `${game} ${language()}`) return;
      this.#lessons = lessons;
      this.#loaded = wanted;
      this.#failure = "";
      if (this.#session) return this.#show();
      const next = this.#lessons.findIndex((lesson) => !this.#isDone(lesson));
      if (lessons.length) this.#open(Math.max(0, next));
    } catch (error) {
      this.#failure = /** @type {Error} */ (error).message;
    }
    this.#show();
  }

  onPosition() {
    this.app.board.setArrows(this.#hints());
    this.#show();
  }

  canMove() {
    return (
      super.canMove() &&
      this.#move === "" &&
      this.#session !== null &&
      this.app.session === this.#session &&
      this.#session.at === this.#asked
    );
  }

  playerName(/** @type {number} */ side) {
    const { session } = this.app;
    if (session !== this.#session || !this.#asked) return super.playerName(side);
    return session.sideAt(this.#asked) === side ? t("player.you") : sideName(this.app.info, side);
  }

  /** The number of steps that were done. */
  #progress(/** @type {Lesson} */ { id, steps }) {
    const done = Number(dictionary(this.#done[this.app.mainSession.tree.game])[id]);
    return Math.min(steps.length, done > 0 ? done : 0);
  }

  #isDone(/** @type {Lesson} */ lesson) {
    return this.#progress(lesson) === lesson.steps.length;
  }

  /** The lesson that is open. */
  get #current() {
    return this.#lessons[this.#lesson];
  }

  /** Opens a lesson where it was left, or a step of it. */
  #open(/** @type {number} */ number, /** @type {number | null} */ step = null) {
    const lesson = this.#lessons[number];
    if (!lesson) return;
    this.#lesson = number;
    this.#step = step ?? (this.#isDone(lesson) ? 0 : this.#progress(lesson));
    const { start, moves } = lesson.steps[this.#step] ?? { start: null, moves: [] };
    this.#session = new Session(new GameTree(this.app.mainSession.tree.game, start));
    this.#asked = this.#session.at = this.#session.tree.addLine(this.#session.tree.root, moves);
    this.#move = "";
    this.#isHinted = false;
    return this.app.openSession(this.#session);
  }

  /** Opens a lesson or step, and takes the focus to the board. */
  async #goTo(/** @type {number} */ number, /** @type {number | null} */ step = null) {
    await this.#open(number, step);
    this.app.board.focus();
  }

  /** What is said about the move that was played, and whether it is right. */
  #answer() {
    const step = this.#current?.steps[this.#step];
    if (!step || !this.#move) return null;
    const wrong = step.wrong.find(({ moves }) => moves.length === 0 || moves.includes(this.#move));
    const isRight = step.accepted.includes(this.#move);
    return isRight || !wrong ? { ...step.right, isRight: true } : { ...wrong, isRight };
  }

  async onMove(/** @type {LegalMove} */ legal) {
    const { app } = this;
    const session = this.#session;
    const lesson = this.#current;
    if (!session || !this.#asked || !lesson) return;
    this.#move = legal.move;
    this.#isHinted = false;
    const answer = this.#answer();
    if (answer?.isRight) {
      const { game } = session.tree;
      this.#done[game] = { ...this.#done[game], [lesson.id]: Math.max(this.#progress(lesson), this.#step + 1) };
      app.save();
    }
    const node = session.tree.add(this.#asked, legal.move);
    await app.showPosition(node);
    if (session !== this.#session || session.at !== node) return;
    byId("lesson-next").focus();
    const { reply } = answer ?? {};
    if (answer?.isRight && lesson.steps[this.#step]?.is_win) return this.#playOn(session);
    if (!reply) return;
    const isShown = app.stillShown();
    setTimeout(() => {
      if (isShown() && app.session === session) app.showPosition(session.tree.add(node, reply));
    }, REPLY_MS);
  }

  /** Plays a won position on until the win is on the board. */
  async #playOn(/** @type {Session} */ session) {
    const { app } = this;
    for (let ply = 0; ply < MAX_PLIES && !app.position?.outcome; ply += 1) {
      const isShown = app.stillShown();
      /** @type {Hint | null} */
      const hint = await app.connection.ask("hint", { setup: app.session.setup }).catch(() => null);
      await new Promise((done) => {
        setTimeout(done, PLAY_ON_MS);
      });
      if (!hint || !isShown() || app.session !== session) return;
      await app.showPosition(session.tree.add(session.at, hint.move));
    }
  }

  /** A click on the board takes a wrong move back, and plays a right one at once. */
  async onClick(/** @type {number} */ spot) {
    if (this.#answer()?.isRight !== false) return;
    const accepted = this.#current?.steps[this.#step]?.accepted;
    await this.#retry();
    const legal = this.app.position?.legal.find(({ spots }) => spots.length === 1 && spots[0] === spot);
    if (legal && this.canMove() && accepted?.includes(legal.move)) this.onMove(legal);
  }

  /** The number of levels of the engine that were beaten. */
  get #beaten() {
    return Number(dictionary(this.#done[this.app.mainSession.tree.game]).ladder) || 0;
  }

  /** Notes that a game of Play has ended. */
  gameOver() {
    const { game } = this.app.session.tree;
    const beaten = beatenAfter(this.app, this.#beaten);
    if (beaten === this.#beaten) return;
    this.#done[game] = { ...this.#done[game], ladder: beaten };
    this.app.save();
    if (this.app.catalogue.levels[beaten])
      toast(t("ladder.opened", { name: this.app.catalogue.levels[beaten]?.name ?? "" }));
  }

  async #retry() {
    const { app } = this;
    this.#move = "";
    if (!this.#asked) return;
    await app.showPosition(this.#asked);
    app.board.focus();
  }

  /** Shows where the task can be done. */
  #hint() {
    this.#isHinted = true;
    if (this.#asked && this.app.session.at !== this.#asked) this.app.stepTo(this.#asked);
    else this.onPosition();
  }

  /** @returns {Arrow[]} */
  #hints() {
    const { app } = this;
    if (!this.#isHinted || this.#move || app.session !== this.#session || app.session.at !== this.#asked) return [];
    const accepted = this.#current?.steps[this.#step]?.accepted ?? [];
    const shown = accepted.slice(0, accepted.length > MAX_HINTS ? 1 : MAX_HINTS);
    return (
      app.position?.legal.filter(({ move }) => shown.includes(move)).map(({ spots }) => ({ spots, kind: "best" })) ?? []
    );
  }

  #show() {
    const { app } = this;
    if (!byId("lesson")) return;
    const lesson = this.#current;
    const step = lesson?.steps[this.#step];
    const side = app.position && this.#asked ? (app.info.side_names[app.session.sideAt(this.#asked)] ?? "") : "";
    const focused = document.activeElement?.id;
    if (!lesson || !step) {
      byId("lesson-head").replaceChildren(
        element("p", { class: "headline" }, t("tab.learn")),
        note(this.#failure || t(this.#loaded ? "learn.none" : "connecting")),
      );
      byId("lesson-answer").replaceChildren();
      byId("lesson-actions").replaceChildren();
      byId("lesson-list").replaceChildren();
      byId("lesson-ladder").replaceChildren();
      return;
    }
    const answer = this.#answer();
    const isLast = this.#step + 1 === lesson.steps.length;
    const isLearnt = answer?.isRight && isLast;
    byId("lesson-head").replaceChildren(
      note(
        `${lesson.title} · ${t("learn.step", { step: this.#step + 1, count: lesson.steps.length })} · ${t("learn.you", { side })}`,
      ),
      element("p", { class: "headline", id: "lesson-task" }, step.task),
    );
    const said = element(
      "div",
      {},
      answer
        ? element(
            "p",
            { class: answer.isRight ? "right" : "wrong" },
            element("strong", {}, t(answer.isRight ? "learn.right" : "learn.wrong")),
            " ",
            answer.text,
          )
        : null,
      isLearnt ? element("p", {}, element("strong", {}, t("learn.learnt", { title: lesson.title }))) : null,
      isLearnt && this.#lessons.every((one) => this.#isDone(one))
        ? element("p", {}, element("strong", {}, t("learn.allDone")))
        : null,
    );
    // Only what changes is announced.
    if (said.textContent !== byId("lesson-answer").textContent)
      byId("lesson-answer").replaceChildren(...said.childNodes);
    byId("lesson-actions").replaceChildren(...this.#actions(answer?.isRight, isLast));
    this.#showList();
    const play = /** @type {import("./play.js").PlayTab} */ (app.tabs.play);
    byId("lesson-ladder").replaceChildren(...ladder(app, this.#beaten, (level) => play.beginEasy(level)));
    const again = focused?.startsWith("lesson-") ? (byId(focused) ?? byId("lesson-next") ?? byId("lesson-hint")) : null;
    again?.focus();
  }

  #actions(/** @type {boolean | undefined} */ isRight, /** @type {boolean} */ isLast) {
    const restart = button(t("learn.restart"), () => this.#goTo(this.#lesson, 0), {
      icon: "retry",
      id: "lesson-restart",
      disabled: this.#step === 0 && !this.#move,
    });
    if (isRight === undefined)
      return [button(t("learn.hint"), () => this.#hint(), { icon: "hint", id: "lesson-hint" }), restart];
    if (!isRight)
      return [
        button(t("learn.again"), () => this.#retry(), { class: "primary undo", icon: "undo", id: "lesson-next" }),
        restart,
      ];
    if (!isLast)
      return [
        button(t("learn.next"), () => this.#goTo(this.#lesson, this.#step + 1), {
          class: "primary",
          icon: "next",
          id: "lesson-next",
        }),
        restart,
      ];
    const other = this.#lessons[this.#lesson + 1];
    const play = (/** @type {Record<string, string>} */ attributes) =>
      button(
        t("learn.play"),
        () => {
          /** @type {import("./play.js").PlayTab} */ (this.app.tabs.play).beginEasy();
          byId("tab-play").focus();
        },
        attributes,
      );
    return other
      ? [
          button(t("learn.nextLesson", { title: other.title }), () => this.#goTo(this.#lesson + 1), {
            class: "primary",
            icon: "next",
            id: "lesson-next",
          }),
          play({ id: "lesson-play" }),
          restart,
        ]
      : [play({ class: "primary", id: "lesson-next" }), restart];
  }

  #showList() {
    byId("lesson-list").replaceChildren(
      element("h2", {}, t("learn.lessons")),
      element(
        "ol",
        { class: "lessons" },
        ...this.#lessons.map((lesson, number) => {
          const done = this.#progress(lesson);
          const state = this.#isDone(lesson) ? t("learn.done") : `${done} / ${lesson.steps.length}`;
          return element(
            "li",
            {},
            element(
              "button",
              {
                type: "button",
                id: `lesson-${number}`,
                "aria-current": number === this.#lesson ? "true" : null,
                onclick: () => this.#goTo(number),
              },
              element("span", {}, lesson.title),
              element("span", { class: "state" }, state),
            ),
          );
        }),
      ),
    );
  }
}
