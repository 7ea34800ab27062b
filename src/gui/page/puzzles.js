// Puzzles: positions in which only one move is right, often several times in a row; one of the day; and one's own
// mistakes. A wrong move is answered with its refutation on the board.

import { lineChart } from "./charts.js";
import { byId, element, signed } from "./dom.js";
import { GameTree, Session } from "./game.js";
import { reviewedGames } from "./kept_games.js";
import { markName } from "./moves.js";
import { mistakeKey, ownMistakes } from "./own_mistakes.js";
import { sideName } from "./players.js";
import {
  changeLog,
  daysInARow,
  familyOf,
  logDay,
  logResult,
  puzzleRating,
  readLog,
  solverRating,
  today,
} from "./puzzle_log.js";
import { Tab } from "./tab.js";
import { t } from "./texts.js";
import { actions, button, choice, note, segments, showStage, toast } from "./widgets.js";

/** @typedef {import("./types").PuzzleTask} PuzzleTask */
/** @typedef {import("./types").PuzzleAnswer} PuzzleAnswer */
/** @typedef {import("./types").TreeNode} TreeNode */

const KINDS = /** @type {const} */ (["any", "daily", "own"]);
const DIFFICULTIES = ["", "1", "2", "3", "4", "5"];
/** The rating that puzzles of the day come near. */
const DAILY_RATING = 1400;
/** Puzzles among this many latest results are not offered again. */
const MAX_SEEN = 100;
/** The time after which the opponent's reply is shown, so that one's own move is seen first. */
const REPLY_MS = 350;
const EXPLAIN_MS = 600;
/** A move that puts an own mistake right may lose this much of the expected score. */
const OWN_LOSS = 0.03;
/** A hint names at most this many moves beside the right one, and never all. */
const MAX_OTHERS = 2;
const BUTTONS = ["puzzle-retry", "puzzle-next", "puzzle-hint", "puzzle-solution", "puzzle-review"];

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
   * Why a move is right or wrong: a sentence, and the rest, which unfolds; and the move, to ask again in another
   * language.
   *
   * @type {{ summary: string, rest: string, isOpen: boolean, setup: any, move: string } | null}
   */
  #reason = null;
  /** The solver's rating after this puzzle. @type {{ rating: number, change: string } | null} */
  #change = null;
  /** The moves that were found wrong in the asked position. @type {string[]} */
  #tried = [];

  restore(/** @type {any} */ { streak }) {
    Object.assign(this.#streak, streak);
  }

  store() {
    return { streak: this.#streak };
  }
  #showsHistory = false;
  /** @type {AbortController | null} */
  #search = null;

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
      element(
        "details",
        {
          class: "card",
          id: "puzzle-history",
          open: this.#showsHistory,
          ontoggle: (/** @type {any} */ event) => {
            this.#showsHistory = event.target.open;
            this.#showHistory();
          },
        },
        element("summary", {}, t("puzzle.history")),
        element("div", { class: "stack", id: "puzzle-results" }),
      ),
    );
  }

  onEnter() {
    this.#show();
    this.#showHistory();
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
      const game = app.mainSession.tree.game;
      const task = await (this.#kind === "own" ? this.#ownTask(game) : this.#generatedTask(game, controller.signal));
      if (controller.signal.aborted) return;
      if (task) return await this.#open(task);
      this.#state = "none";
      this.#session = null;
      if (this.#kind !== "own") this.#say("puzzle.none");
      await app.openSession(app.mainSession);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#state = "none";
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** @returns {Promise<PuzzleTask | null>} */
  async #generatedTask(/** @type {string} */ game, /** @type {AbortSignal} */ signal) {
    const day = this.#kind === "daily" ? today() : "";
    this.#seed += 1;
    const { history, days } = readLog();
    const seen = history
      .filter((result) => result.game === game)
      .slice(0, MAX_SEEN)
      .map(({ puzzle }) => puzzle.fen);
    const wanted = day
      ? { seed: Number(day.replaceAll("-", "")), near: DAILY_RATING }
      : this.#difficulty
        ? { seed: this.#seed, difficulty: Number(this.#difficulty) }
        : { seed: this.#seed, near: solverRating(game).rating, seen };
    /** @type {PuzzleAnswer | null} */
    const puzzle = await this.app.connection.ask(
      "puzzle",
      { game, ...wanted },
      { signal, onProgress: ({ examined }) => this.#say("puzzle.examined", { count: examined }) },
    );
    return puzzle && this.#taskOf(game, puzzle, day ? "daily" : "any", day, !day || days[game]?.tried !== day);
  }

  /** @returns {PuzzleTask} */
  #taskOf(
    /** @type {string} */ game,
    /** @type {PuzzleAnswer} */ puzzle,
    /** @type {"any" | "daily"} */ kind,
    day = "",
    counts = false,
  ) {
    return {
      kind,
      setup: { game, start: puzzle.fen, moves: [] },
      line: puzzle.line,
      toFind: puzzle.to_find,
      puzzle,
      rating: Math.round(puzzleRating(game, puzzle).rating),
      mistake: null,
      day,
      counts,
    };
  }

  /** The next mistake from the user's games that was not put right. @returns {Promise<PuzzleTask | null>} */
  async #ownTask(/** @type {string} */ game) {
    const stored = [this.app.mainSession.store(), ...(await reviewedGames().catch(() => []))];
    const reviewed = stored
      .filter((one) => one.game === game)
      .map(ownMistakes)
      .filter((one) => one !== null);
    const mistakes = new Map(reviewed.flat().map((one) => [mistakeKey(one), one]));
    const { corrected } = readLog();
    const open = [...mistakes.keys()].filter((key) => !corrected.includes(key));
    this.#seed += 1;
    const chosen = mistakes.get(open[this.#seed % open.length] ?? "");
    if (!chosen) {
      this.#say(mistakes.size ? "puzzle.ownDone" : reviewed.length ? "puzzle.ownClean" : "puzzle.ownNone");
      return null;
    }
    const { start, moves, mistake } = chosen;
    return {
      kind: "own",
      setup: { game, start, moves },
      line: mistake.line,
      toFind: 1,
      puzzle: null,
      rating: 0,
      mistake,
      day: "",
      counts: false,
    };
  }

  async #open(/** @type {PuzzleTask} */ task) {
    const { game, start, moves } = task.setup;
    this.#task = task;
    this.#session = new Session(new GameTree(game, start));
    this.#asked = this.#session.at = this.#session.tree.addLine(this.#session.tree.root, moves);
    this.#found = 0;
    this.#tried = task.mistake ? [task.mistake.move] : [];
    this.#wrong = null;
    this.#reason = null;
    this.#change = null;
    this.#state = "asked";
    const isDone = task.kind === "daily" && readLog().days[game]?.solved === task.day;
    this.#say(isDone ? "puzzle.dailyDone" : "");
    await this.app.openSession(this.#session);
    showStage();
  }

  async onMove(/** @type {import("./types").LegalMove} */ { move }) {
    const { app } = this;
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
    /** @type {import("./types").Explanation | null} */
    const advice = await app.connection.ask("explain", { setup, move, ms: EXPLAIN_MS }).catch((error) => {
      toast(error.message);
      return null;
    });
    if (task !== this.#task || this.#state !== "checking") return;
    if (!advice) return this.#takeBack();
    if (task.mistake && advice.loss <= OWN_LOSS) return this.#solve(node);
    this.#state = "refuted";
    this.#tried.push(move);
    this.#reason = {
      summary: advice.summary,
      rest: advice.judgement.slice(advice.summary.length),
      isOpen: false,
      setup,
      move,
    };
    this.#say(advice.reply ? "puzzle.wrongReply" : "puzzle.wrong", { move, reply: advice.reply ?? "" });
    await this.#goTo(advice.reply ? session.tree.add(node, advice.reply) : node);
    if (app.session !== session || this.#state !== "refuted") return;
    app.board.setArrows([{ spots: app.position?.last ?? [], kind: "bad" }]);
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
  async #explain(/** @type {import("./types").Setup} */ setup, /** @type {string} */ move) {
    const reason = (this.#reason = { summary: "", rest: "", isOpen: false, setup, move });
    /** @type {import("./types").Explanation | null} */
    const advice = await this.app.connection.ask("explain", { setup, move, ms: EXPLAIN_MS }).catch(() => null);
    if (reason !== this.#reason || !advice) return;
    Object.assign(reason, { summary: advice.summary, rest: advice.judgement.slice(advice.summary.length) });
    this.#show();
  }

  /** Names a few moves that were not tried, one of which is right; of two, the wrong one. */
  #hint() {
    const { app } = this;
    const right = this.#task?.line[2 * this.#found];
    this.#count(false);
    const legal = (app.position?.legal ?? []).filter(({ move }) => !this.#tried.includes(move));
    const others = legal.filter(({ move }) => move !== right);
    // Of an own mistake, another move may be right, too.
    if (others.length < (this.#task?.mistake ? 1 : 2))
      return this.#say(others[0] ? "puzzle.notThis" : "puzzle.lastLeft", { move: others[0]?.move ?? "" });
    const step = Math.ceil(others.length / Math.min(MAX_OTHERS, others.length - 1));
    const named = legal.filter((one) => one.move === right || others.indexOf(one) % step === 0);
    this.#say("puzzle.candidates", {
      moves: named
        .map(({ move }) => move)
        .sort()
        .join(" "),
    });
    app.board.setArrows(named.map(({ spots }) => ({ spots, kind: "second" })));
  }

  /** Counts the result of the first try. */
  async #count(/** @type {boolean} */ isSolved) {
    const { app } = this;
    const task = this.#task;
    if (!task?.puzzle || !task.counts) return;
    task.counts = false;
    const streak = this.#streak;
    streak.tried += 1;
    streak.solved += isSolved ? 1 : 0;
    streak.row = isSolved ? streak.row + 1 : 0;
    streak.best = Math.max(streak.best, streak.row);
    app.save();
    const {
      kind,
      puzzle,
      setup: { game },
    } = task;
    if (kind === "daily") logDay(game, task.day, false);
    const solver = solverRating(game);
    try {
      const after = await app.connection.ask("rate_puzzle", {
        solver,
        puzzle: puzzleRating(game, puzzle),
        solved: isSolved,
      });
      const [rating, change] = [after.solver.rating, after.solver.rating - solver.rating];
      logResult(
        {
          date: new Date().toISOString(),
          game,
          kind: kind === "daily" ? "daily" : "any",
          puzzle,
          isSolved,
          rating,
          change,
        },
        after,
      );
      if (task === this.#task) this.#change = { rating: Math.round(rating), change: signed(change, 0) };
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.#show();
    this.#showHistory();
  }

  #say(/** @type {string} */ key, /** @type {Record<string, string | number>} */ values = {}) {
    this.#said = { key, values };
    this.#show();
  }

  #show() {
    if (!byId("puzzle")) return;
    const task = this.#task;
    const isSearching = this.#state === "searching";
    const text = this.#said.key && t(this.#said.key, this.#said.values);
    const reason = this.#reason;
    const isAtReason = document.activeElement?.id === "puzzle-more";
    byId("puzzle").replaceChildren(
      element("p", { class: "headline" }, task ? this.#goal(task) : t("tab.puzzles")),
      ...(task ? [note(this.#facts(task))] : []),
      element("p", { id: "puzzle-text" }, text),
      ...(reason?.summary
        ? [
            element(
              "div",
              { id: "puzzle-reason" },
              element("p", {}, reason.summary),
              reason.rest
                ? element(
                    "details",
                    {
                      open: reason.isOpen,
                      ontoggle: (/** @type {any} */ event) => {
                        reason.isOpen = event.target.open;
                      },
                    },
                    element("summary", { id: "puzzle-more" }, t("puzzle.more")),
                    element("p", {}, reason.rest.trim()),
                  )
                : null,
            ),
          ]
        : []),
      ...(this.#change ? [element("p", { id: "puzzle-change" }, t("puzzle.change", this.#change))] : []),
    );
    if (isAtReason) byId("puzzle-more")?.focus({ preventScroll: true });
    this.#showActions();
    byId("difficulty").closest("label").hidden = this.#kind !== "any";
    byId("puzzle-note").textContent = isSearching
      ? ""
      : t(this.#kind === "own" ? "puzzle.ownNote" : this.#kind === "daily" ? "puzzle.dailyNote" : "puzzle.note", {
          date: today(),
        });
    this.#showCounts();
  }

  #goal(/** @type {PuzzleTask} */ { puzzle, mistake }) {
    if (mistake) return t("retry.ask", { move: mistake.move, mark: markName(mistake.mark ?? "") });
    return t(puzzle?.value === "win" ? "puzzle.goalWin" : "puzzle.goalHold");
  }

  #facts(/** @type {PuzzleTask} */ { puzzle, rating, mistake, toFind }) {
    const side = sideName(this.app.info, puzzle?.side ?? mistake?.side ?? 0);
    if (!puzzle) return t("puzzle.toMove", { side });
    return t(toFind > 1 ? "puzzle.ratedSeveral" : "puzzle.rated", {
      side,
      difficulty: puzzle.difficulty,
      rating,
      count: toFind,
    });
  }

  #showActions() {
    const state = this.#state;
    const isOpen = state === "asked" || state === "refuted";
    const isEnded = state === "solved" || state === "shown";
    const focused = document.activeElement?.id ?? "";
    const offersReview = state === "none" && ["puzzle.ownNone", "puzzle.ownClean"].includes(this.#said.key);
    byId("puzzle-actions").replaceChildren(
      ...(state === "refuted"
        ? [button(t("puzzle.retry"), () => this.#takeBack(), { class: "primary", icon: "undo", id: "puzzle-retry" })]
        : []),
      ...(offersReview
        ? [button(t("tab.review"), () => this.app.enterTab("review"), { class: "primary", id: "puzzle-review" })]
        : []),
      ...((this.#kind === "daily" && !isEnded) || offersReview
        ? []
        : [
            button(t(isEnded ? "puzzle.next" : "puzzle.skip"), () => this.#goToNext(), {
              class: isEnded ? "primary" : "",
              icon: "skip",
              id: "puzzle-next",
              disabled: state === "searching" || state === "checking",
            }),
          ]),
      ...(state === "none"
        ? []
        : [
            button(t("puzzle.hint"), () => this.#hint(), {
              icon: "hint",
              id: "puzzle-hint",
              disabled: !this.canMove(),
            }),
            button(t("puzzle.solution"), () => this.#showSolution(), { id: "puzzle-solution", disabled: !isOpen }),
          ]),
    );
    if (BUTTONS.includes(focused)) byId(focused)?.focus({ preventScroll: true });
  }

  #showCounts() {
    const streak = this.#streak;
    const { game } = this.app.mainSession.tree;
    const { rating, deviation } = solverRating(game);
    const mine = [t("puzzle.myRating"), `${Math.round(rating)} ± ${Math.round(2 * deviation)}`];
    const counts =
      this.#kind === "own"
        ? []
        : this.#kind === "daily"
          ? [mine, [t("puzzle.days"), daysInARow(game)]]
          : [
              mine,
              [t("puzzle.streak"), streak.row],
              [t("puzzle.best"), streak.best],
              [t("puzzle.solved"), `${streak.solved} / ${streak.tried}`],
            ];
    byId("streak").replaceChildren(
      ...counts.map(([name, value]) => element("div", {}, element("dt", {}, `${name}`), element("dd", {}, `${value}`))),
    );
  }

  /** Lists the last results in this game, with the rating over all games of its family. */
  #showHistory() {
    const box = byId("puzzle-results");
    if (!box || !this.#showsHistory) return;
    const { game } = this.app.mainSession.tree;
    const { history } = readLog();
    const rated = history.filter((result) => familyOf(result.game) === familyOf(game)).reverse();
    const results = history.filter((result) => result.game === game);
    const figure = element("figure", { class: "plain" });
    const column = (/** @type {string} */ name) => element("th", { scope: "col" }, name);
    box.replaceChildren(
      ...(rated.length > 1 ? [figure] : []),
      results.length === 0
        ? note(t("puzzle.noHistory"))
        : element(
            "div",
            { class: "scroller tall wide-table", tabindex: 0, role: "region", "aria-label": t("puzzle.history") },
            element(
              "table",
              {},
              element(
                "thead",
                {},
                element(
                  "tr",
                  {},
                  column(t("puzzle.date")),
                  column(t("puzzle.puzzle")),
                  column(t("puzzle.result")),
                  column(t("puzzle.myRating")),
                ),
              ),
              element(
                "tbody",
                {},
                ...results.map(({ date, kind, puzzle, isSolved, rating, change }) =>
                  element(
                    "tr",
                    {},
                    element("td", {}, date.slice(0, 10)),
                    element(
                      "td",
                      {},
                      button(
                        t(kind === "daily" ? "puzzle.kind.daily" : "puzzle.ofDifficulty", {
                          difficulty: puzzle.difficulty,
                        }),
                        () => this.#reopen(puzzle),
                      ),
                    ),
                    element("td", {}, t(isSolved ? "puzzle.isSolved" : "puzzle.isMissed")),
                    element("td", {}, `${Math.round(rating)} (${signed(change, 0)})`),
                  ),
                ),
              ),
            ),
          ),
    );
    if (rated.length > 1) {
      lineChart(figure, {
        title: t("puzzle.chart"),
        xName: t("puzzle.puzzle"),
        yName: t("puzzle.myRating"),
        height: 140,
        series: [{ name: t("puzzle.myRating"), style: 0, points: rated.map(({ rating }, at) => [at + 1, rating]) }],
        format: (y) => `${Math.round(y)}`,
        words: { empty: "", label: (title) => title, interval: () => "" },
      });
    }
  }

  /** Shows a puzzle of the history again, which does not count. */
  #reopen(/** @type {PuzzleAnswer} */ puzzle) {
    this.#search?.abort();
    this.#practise();
    this.#open(this.#taskOf(this.app.mainSession.tree.game, puzzle, "any"));
  }
}
