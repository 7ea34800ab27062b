// Puzzles: positions in which only one move is right, often several times in a row; one of the day; and one's own
// mistakes. A wrong move is answered with its refutation on the board.

import { isObject, isWhole } from "./checks.js";
import { byId, element, signed } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { judgementMarks } from "./marks.js";
import { mistakeKey } from "./own_mistakes.js";
import { counts, countTry, reasonOf, remark, showActions, showCard } from "./puzzle_card.js";
import { PuzzleHistory } from "./puzzle_history.js";
import { changeLog, logDay, rateTry, readLog, today } from "./puzzle_log.js";
import { generatedTask, hintOf, ownTask, storedTask, taskOf } from "./puzzle_tasks.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { choice, segments, showStage, toast } from "./widgets.js";

const KINDS = /** @type {const} */ (["any", "daily", "own"]);
const DIFFICULTIES = ["", "1", "2", "3", "4", "5"];
/** The time after which the opponent's reply is shown, so that one's own move is seen first. */
const REPLY_MS = 350;
/** A move that puts an own mistake right may lose this much of the expected score. */
const OWN_LOSS = 0.03;

export class PuzzlesTab extends Tab {
  hasOwnSession = true;
  #streak = { solved: 0, tried: 0, row: 0, best: 0 };
  /** @type {Session | null} */
  #session = null;
  /** @type {PuzzleTask | null} */
  #task = null;
  /** @type {"searching" | "asked" | "checking" | "refuted" | "solved" | "shown" | "none"} */
  #state = "none";
  /** @type {(typeof KINDS)[number]} */
  #kind = "any";
  #difficulty = "";
  #seed = Math.floor(Math.random() * 1e9);
  /** The position in which a move is to be found. @type {TreeNode | null} */
  #asked = null;
  /** The number of moves found. */
  #found = 0;
  /** The wrong move on the board. @type {TreeNode | null} */
  #wrong = null;
  /**
   * What is said about the puzzle: a key of the texts and its values, or a message.
   *
   * @type {{ key: string, values?: Record<string, string | number> }}
   */
  #said = { key: "" };
  /**
   * Why a move is right or wrong; and the move, to ask again in another language.
   *
   * @type {import("./puzzle_card.js").PuzzleReason & { setup: any, move: string } | null}
   */
  #reason = null;
  /** The solver's rating after this puzzle. @type {{ rating: number, change: string } | null} */
  #change = null;
  /** The moves that were found wrong in the asked position. @type {string[]} */
  #tried = [];
  #history = new PuzzleHistory(this.app, (puzzle) => this.#reopen(puzzle));
  /** @type {AbortController | null} */
  #search = null;

  restore(/** @type {any} */ { streak, puzzle }) {
    if (isObject(streak) && Object.values(streak).every((count) => isWhole(count))) Object.assign(this.#streak, streak);
    const left = storedTask(this.app, puzzle);
    if (!left) return;
    this.#begin(left.task, left.asked);
    [this.#kind, this.#found, this.#tried] = [left.task.kind, left.found, left.tried];
  }

  store() {
    const [task, session, asked] = [this.#task, this.#session, this.#asked];
    const isLeft = task?.puzzle && session && asked && ["asked", "checking", "refuted"].includes(this.#state);
    const puzzle = isLeft ? { task, asked: session.tree.moves(asked), found: this.#found, tried: this.#tried } : null;
    return { streak: this.#streak, puzzle };
  }

  ownSession() {
    return this.#session;
  }

  build() {
    return element(
      "div",
      { class: "stack" },
      segments(
        t("puzzle.kind"),
        KINDS.map((kind) => [kind, t(`puzzle.kind.${kind}`)]),
        this.#kind,
        (kind) => {
          this.#kind = /** @type {any} */ (kind);
          this.#next();
        },
      ),
      element("div", { class: "card turn", id: "puzzle", role: "status" }),
      element("div", { class: "actions", id: "puzzle-actions" }),
      choice(
        t("puzzle.difficulty"),
        DIFFICULTIES.map((value) => [value, value === "" ? t("puzzle.any") : value]),
        this.#difficulty,
        (value) => {
          this.#difficulty = value;
          this.#next();
        },
        { id: "difficulty" },
      ),
      element("dl", { class: "counts", id: "streak" }),
      element("p", { class: "note", id: "puzzle-note" }),
      this.#history.build(),
    );
  }

  onEnter() {
    this.#show();
    this.#history.show();
    const isStale =
      this.#task?.setup.game !== this.app.mainSession.tree.game ||
      (this.#task.kind === "daily" && this.#task.day !== today());
    if (isStale || this.#state === "searching") return this.#next();
    if (this.#state === "asked" && this.#asked) this.#goTo(this.#asked);
    if (this.#reason) this.#explain(this.#reason.setup, this.#reason.move);
  }

  onLeave() {
    this.#search?.abort();
    this.app.board.setArrows([]);
  }

  onGame() {
    this.#session = null;
    this.#task = null;
    this.#difficulty = "";
  }

  onPosition() {
    this.app.board.setArrows([]);
    this.#show();
  }

  canMove() {
    const { app } = this;
    return (
      super.canMove() && this.#state === "asked" && app.session === this.#session && app.session.at === this.#asked
    );
  }

  /** Goes on with the next puzzle; after that of the day, with any. */
  #goToNext() {
    if (this.#kind === "daily") this.#practise();
    this.#next();
  }

  /** Chooses puzzles of any kind. */
  #practise() {
    this.#kind = "any";
    byId("panel").querySelector(".segments input").checked = true;
  }

  async #next() {
    const { app } = this;
    this.#search?.abort();
    const controller = (this.#search = new AbortController());
    this.#state = "searching";
    this.#task = this.#reason = this.#change = null;
    this.#say("puzzle.searching");
    try {
      this.#seed += 1;
      const found = await (this.#kind === "own"
        ? ownTask(app, this.#seed)
        : generatedTask(app, this.#kind, this.#difficulty, this.#seed, {
            signal: controller.signal,
            onProgress: ({ examined }) => this.#say("puzzle.examined", { count: examined }),
          }));
      if (controller.signal.aborted) return;
      if (typeof found !== "string") return await this.#open(found);
      this.#state = "none";
      this.#session = null;
      this.#say(found);
      await app.openSession(app.mainSession);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#state = "none";
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** Takes a task over, of which moves may have been played. */
  #begin(/** @type {PuzzleTask} */ task, moves = task.setup.moves) {
    this.#task = task;
    const session = (this.#session = new Session(new GameTree(task.setup.game, task.setup.start)));
    this.#asked = session.at = session.tree.addLine(session.tree.root, moves);
    this.#found = 0;
    this.#tried = task.mistake ? [task.mistake.move] : [];
    this.#wrong = null;
    this.#reason = null;
    this.#change = null;
    this.#state = "asked";
    return session;
  }

  async #open(/** @type {PuzzleTask} */ task) {
    const session = this.#begin(task);
    const isDone = task.kind === "daily" && readLog().days[task.setup.game]?.solved === task.day;
    this.#say(isDone ? "puzzle.dailyDone" : "");
    this.app.save();
    await this.app.openSession(session);
    showStage();
  }

  async onMove(/** @type {LegalMove} */ legal) {
    const { app } = this;
    const { move } = legal;
    const [session, task, asked] = [this.#session, this.#task, this.#asked];
    if (!session || !task || !asked) return;
    const node = session.tree.add(asked, move);
    if (move === task.line[2 * this.#found]) return this.#goOn(node);
    if (!task.mistake) this.#count(false);
    this.#state = "checking";
    this.#wrong = node;
    this.#say("puzzle.checking");
    app.showPosition(node);
    const setup = session.tree.setup(asked);
    /** @type {Explanation | null} */
    const advice = await app.connection.ask("explain", { setup, move }).catch((error) => {
      toast(error.message);
      return null;
    });
    if (task !== this.#task || this.#state !== "checking") return;
    if (!advice) return this.#takeBack();
    if (task.mistake && advice.loss <= OWN_LOSS) return this.#solve(node);
    this.#state = "refuted";
    this.#tried.push(move);
    this.#reason = { ...reasonOf(advice), isOpen: false, setup, move };
    this.#say(advice.reply ? "puzzle.wrongReply" : "puzzle.wrong", { move, reply: advice.reply ?? "" });
    await this.#goTo(advice.reply ? session.tree.add(node, advice.reply) : node);
    if (app.session !== session || this.#state !== "refuted") return;
    app.board.setArrows([
      ...judgementMarks(legal.spots, "bad", { frames: advice.frames }),
      { spots: app.position?.last ?? [], kind: "bad" },
    ]);
    byId("puzzle-retry")?.focus({ preventScroll: true });
    showStage();
  }

  /** Shows a position of the puzzle, or keeps it for when the tab is entered again. */
  async #goTo(/** @type {TreeNode} */ node) {
    if (this.#session) this.#session.at = node;
    if (this.app.session === this.#session) await this.app.showPosition(node);
  }

  /** Takes a wrong move back. */
  #takeBack() {
    if (this.#wrong) this.#session?.tree.remove(this.#wrong);
    this.#wrong = null;
    this.#reason = null;
    this.#state = "asked";
    this.#say("puzzle.again");
    if (this.#asked)
      this.#goTo(this.#asked).then(() => {
        if (this.canMove()) this.app.board.focus();
        showStage();
      });
  }

  /** Answers a right move: with the opponent's reply, if there is more to find. */
  async #goOn(/** @type {TreeNode} */ node) {
    const [session, task] = [this.#session, this.#task];
    if (!session || !task) return;
    this.#found += 1;
    const reply = task.line[2 * this.#found - 1] ?? "";
    if (this.#found >= task.toFind) return this.#solve(node);
    this.#asked = session.tree.add(node, reply);
    this.#tried = [];
    this.#say("puzzle.goOn", { reply, number: this.#found + 1, count: task.toFind });
    await this.app.showPosition(node);
    const isShown = this.app.stillShown();
    setTimeout(() => {
      if (isShown() && this.#asked) this.#goTo(this.#asked);
    }, REPLY_MS);
  }

  async #solve(/** @type {TreeNode} */ node) {
    const [session, task] = [this.#session, this.#task];
    if (!session || !task) return;
    this.#state = "solved";
    this.#count(true);
    const { game } = task.setup;
    if (task.kind === "daily") logDay(game, task.day, true);
    if (task.mistake)
      changeLog(({ corrected }) =>
        corrected.push(mistakeKey({ ...task.setup, mistake: /** @type {any} */ (task.mistake) })),
      );
    const isOwnMove = node.move !== task.line[2 * task.toFind - 2];
    const rest = isOwnMove ? [] : task.line.slice(2 * task.toFind - 1);
    this.#say(rest.length ? "puzzle.rightLine" : "puzzle.right", { move: node.move, line: rest.join(" ") });
    // The first move is the key to the others.
    await this.#end(node, session.tree.find(task.setup.moves), isOwnMove ? node.move : (task.line[0] ?? ""));
  }

  async #showSolution() {
    const [session, task] = [this.#session, this.#task];
    if (!session || !task || !this.#asked) return;
    this.#count(false);
    if (this.#wrong) session.tree.remove(this.#wrong);
    this.#state = "shown";
    this.#say("puzzle.was", { line: task.line.slice(2 * this.#found).join(" ") });
    const next = task.line[2 * this.#found] ?? "";
    await this.#end(session.tree.add(this.#asked, next), this.#asked, next);
  }

  /** Shows the end of a puzzle, and the reason for a move of its line, which can be walked. */
  async #end(/** @type {TreeNode} */ node, /** @type {TreeNode} */ from, /** @type {string} */ move) {
    const [session, task] = [this.#session, this.#task];
    if (!session || !task) return;
    this.#wrong = null;
    session.tree.addLine(session.tree.find(task.setup.moves), task.line);
    this.#explain(session.tree.setup(from), move);
    await this.#goTo(node);
    byId("puzzle-next")?.focus({ preventScroll: true });
    showStage();
  }

  /** Says why a move is right or wrong. */
  async #explain(/** @type {Setup} */ setup, /** @type {string} */ move) {
    const reason = (this.#reason = { summary: "", rest: "", isOpen: false, setup, move });
    /** @type {Explanation | null} */
    const advice = await this.app.connection.ask("explain", { setup, move }).catch(() => null);
    if (reason !== this.#reason || !advice) return;
    Object.assign(reason, reasonOf(advice));
    this.#show();
  }

  #hint() {
    const { app } = this;
    const task = this.#task;
    if (!task) return;
    this.#count(false);
    const legal = (app.position?.legal ?? []).filter(({ move }) => !this.#tried.includes(move));
    const { named, key, values } = hintOf(task, task.line[2 * this.#found] ?? "", legal);
    this.#say(key, values);
    if (named.length) app.board.setArrows(named.map(({ spots }) => ({ spots, kind: "second" })));
  }

  /** Counts the result of the first try. */
  async #count(/** @type {boolean} */ isSolved) {
    const { app } = this;
    const task = this.#task;
    if (!task?.puzzle || !task.counts) return;
    task.counts = false;
    countTry(this.#streak, isSolved);
    app.save();
    try {
      const { rating, change } = await rateTry(app, { ...task, puzzle: task.puzzle }, isSolved);
      if (task === this.#task) this.#change = { rating: Math.round(rating), change: signed(change, 0) };
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.#show();
    this.#history.show();
  }

  #say(/** @type {string} */ key, /** @type {Record<string, string | number>} */ values = {}) {
    this.#said = { key, values };
    this.#show();
  }

  #show() {
    if (!byId("puzzle")) return;
    const task = this.#task;
    showCard(byId("puzzle"), this.app, {
      task,
      text: this.#said.key && t(this.#said.key, this.#said.values),
      reason: this.#reason,
      change: this.#change,
    });
    const offersReview = this.#state === "none" && ["puzzle.ownNone", "puzzle.ownClean"].includes(this.#said.key);
    showActions(byId("puzzle-actions"), {
      state: this.#state,
      isDaily: this.#kind === "daily",
      canHint: this.canMove(),
      onRetry: () => this.#takeBack(),
      onReview: offersReview ? () => this.app.enterTab("review") : null,
      onNext: () => this.#goToNext(),
      onHint: () => this.#hint(),
      onSolution: () => this.#showSolution(),
    });
    byId("difficulty").closest("label").hidden = this.#kind !== "any";
    byId("puzzle-note").textContent = this.#state === "searching" ? "" : remark(this.#kind);
    byId("streak").replaceChildren(...counts(this.#kind, this.app.mainSession.tree.game, this.#streak));
  }

  /** Shows a puzzle of the history again, which does not count. */
  #reopen(/** @type {PuzzleAnswer} */ puzzle) {
    this.#search?.abort();
    this.#practise();
    this.#open(taskOf(this.app.mainSession.tree.game, puzzle, "any"));
  }
}
