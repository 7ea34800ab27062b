// The clocks of a game: how much time is left to both players, and how it is shown.

import { element } from "./dom.js";
import { t } from "./texts.js";
import { choice } from "./widgets.js";

/** The usual time controls, in minutes and seconds added for each move. */
const TIME_CONTROLS = ["1+0", "3+2", "5+3", "10+5", "15+10", "30+0"];
/** Marks a time control of the user's own. */
const OWN = "*";
/** Below this many milliseconds tenths of a second are shown. */
const HASTE = 20_000;
/** How often running clocks are shown. */
const CLOCK_MS = 100;

export class Clock {
  /** The side whose time runs. @type {number | null} */
  running = null;
  #since = 0;

  /**
   * @param {number[]} left milliseconds of both sides
   * @param {number} increment milliseconds added for each move
   */
  constructor(left, increment) {
    this.left = left;
    this.increment = increment;
  }

  /** The clocks of a time control such as `5+3`; null without one. */
  static of(/** @type {string} */ control) {
    const [minutes = 0, seconds = 0] = control.replace(OWN, "").split("+").map(Number);
    return minutes > 0 && seconds >= 0 ? new Clock([60_000 * minutes, 60_000 * minutes], 1000 * seconds) : null;
  }

  /** Restores stored clocks, which do not run; null if there were none. */
  static restore(/** @type {any} */ stored) {
    const isTime = (/** @type {unknown} */ time) => typeof time === "number" && time >= 0 && time < 1e9;
    const isWhole =
      isTime(stored?.increment) && Array.isArray(stored.left) && stored.left.length === 2 && stored.left.every(isTime);
    return isWhole ? new Clock([...stored.left], stored.increment) : null;
  }

  store() {
    return { left: [this.remaining(0), this.remaining(1)], increment: this.increment };
  }

  /** The milliseconds that a side has left. */
  remaining(/** @type {number} */ side) {
    const used = side === this.running ? performance.now() - this.#since : 0;
    return Math.max(0, Math.round((this.left[side] ?? 0) - used));
  }

  /** Lets the time of one side run, or of neither. */
  run(/** @type {number | null} */ side) {
    if (side === this.running) return;
    this.left = [this.remaining(0), this.remaining(1)];
    this.#since = performance.now();
    this.running = side;
  }

  /** Stops after a move of the side whose time runs. */
  press() {
    const side = this.running;
    this.run(null);
    if (side !== null) this.left[side] = (this.left[side] ?? 0) + this.increment;
  }

  /** The arguments of `go`: some time is held back for the move to reach the board. */
  limits(/** @type {number} */ reserve) {
    const [first, second] = [0, 1].map((side) =>
      Math.max(1, Math.round(this.remaining(side) - Math.min(reserve, this.remaining(side) / 2))),
    );
    return `wtime ${first} btime ${second} winc ${this.increment} binc ${this.increment}`;
  }
}

/** Shows the time of each side in the elements of the clocks. */
export function showClock(/** @type {Clock} */ clock) {
  for (const side of [0, 1]) {
    const node = document.getElementById(`clock-${side}`);
    if (!node) continue;
    const time = clock.remaining(side);
    node.textContent = clockText(time);
    node.classList.toggle("running", side === clock.running);
    node.classList.toggle("low", time < HASTE);
  }
}

/** A time as `5:03`, or `0:09.4` when it is short. */
function clockText(/** @type {number} */ time) {
  const tenths = time < HASTE ? Math.ceil(time / 100) : 10 * Math.ceil(time / 1000);
  const [minutes, seconds] = [Math.floor(tenths / 600), Math.floor((tenths % 600) / 10)];
  return `${minutes}:${`${seconds}`.padStart(2, "0")}${time < HASTE ? `.${tenths % 10}` : ""}`;
}

/**
 * The choice of a time control for a new game: none, a usual one, or minutes and seconds. `refill` is called when the
 * fields change.
 *
 * @param {string} control
 * @param {(control: string) => void} change
 * @param {() => void} refill
 */
export function clockFields(control, change, refill) {
  const isOwn = control.endsWith(OWN) || (control !== "" && !TIME_CONTROLS.includes(control));
  const [minutes = "5", seconds = "3"] = control ? control.replace(OWN, "").split("+") : [];
  const text = (/** @type {string} */ one) =>
    t("clock.control", { minutes: one.split("+")[0] ?? "", seconds: one.split("+")[1] ?? "" });
  const number = (
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {number} */ min,
    /** @type {string} */ value,
  ) =>
    element("input", {
      type: "number",
      id,
      "aria-label": label,
      min,
      max: 300,
      step: "any",
      required: true,
      value,
      oninput: () => {
        if (fields.every((input) => input.checkValidity()))
          change(`${fields.map(({ value: own }) => own).join("+")}${OWN}`);
      },
    });
  const fields = isOwn
    ? [
        number("clock-minutes", t("clock.minutes"), 0.05, minutes),
        number("clock-seconds", t("clock.seconds"), 0, seconds),
      ]
    : [];
  return [
    choice(
      t("clock.title"),
      [
        ["", t("clock.none")],
        ...TIME_CONTROLS.map((one) => /** @type {[string, string]} */ ([one, text(one)])),
        [OWN, t("clock.own")],
      ],
      isOwn ? OWN : control,
      (value) => {
        change(value === OWN ? `${minutes}+${seconds}${OWN}` : value);
        refill();
      },
      { id: "clock" },
    ),
    ...fields.map((input) =>
      element("label", { class: "field" }, element("span", {}, input.getAttribute("aria-label")), input),
    ),
  ];
}

/** Runs and shows the clock of the game in Play, and calls `onFlag` with a side that has run out of time. */
export class ClockRunner {
  /** The clock that is shown, which may run. @type {Clock | null} */
  #clock = null;

  constructor(/** @type {App} */ app, /** @type {(side: number) => void} */ onFlag) {
    setInterval(() => {
      const clock = this.#clock;
      if (!clock || app.tabName !== "play" || clock !== app.session.clock) return;
      showClock(clock);
      if (clock.running !== null && clock.remaining(clock.running) === 0) onFlag(clock.running);
    }, CLOCK_MS);
  }

  /**
   * Runs the clock of the side to move, after the first move of each side. An engine's clock starts with its search.
   *
   * @param {Session} session
   * @param {boolean} isThinking whether an engine searches
   */
  run(session, isThinking) {
    if (this.#clock !== session.clock) this.#clock?.run(null);
    this.#clock = session.clock;
    const side = session.sideAt(session.live);
    const waits = !session.isTimed || (session.players[side]?.kind === "engine" && !isThinking);
    this.#clock?.run(waits ? null : side);
    if (this.#clock) showClock(this.#clock);
  }

  stop() {
    this.#clock?.run(null);
  }
}
