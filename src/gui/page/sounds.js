// Sounds of the board, made by the browser: no files are loaded.

/**
 * Notes as frequency in hertz, start and length in seconds.
 *
 * @type {Record<"move" | "capture" | "end", [number, number, number][]>}
 */
const SOUNDS = {
  move: [[440, 0, 0.07]],
  capture: [
    [440, 0, 0.08],
    [660, 0.08, 0.14],
  ],
  end: [
    [523, 0, 0.14],
    [659, 0.13, 0.14],
    [784, 0.26, 0.3],
  ],
};
const VOLUME = 0.14;

/** @type {AudioContext | null} */
let context = null;

/**
 * What a move sounds like: it ends the game, wins a small board, or neither.
 *
 * @param {GameInfo} info
 * @param {PositionAnswer | null} before
 * @param {PositionAnswer} after
 */
export function moveSound({ layout }, before, after) {
  const won = (/** @type {PositionAnswer | null} */ position) =>
    layout.spots.filter(({ is_area: isArea }, at) => isArea && /[a-z]/i.test(position?.shown[at] ?? "")).length;
  return after.outcome ? "end" : won(after) > won(before) ? "capture" : "move";
}

export function playSound(/** @type {keyof typeof SOUNDS} */ kind) {
  try {
    context ??= new AudioContext();
    // Browsers keep silent until the page is used.
    context.resume().catch(() => {});
    for (const [frequency, start, length] of SOUNDS[kind]) {
      const tone = new OscillatorNode(context, { type: "triangle", frequency });
      const volume = new GainNode(context, { gain: VOLUME });
      const from = context.currentTime + start;
      volume.gain.setValueAtTime(VOLUME, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + length);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + length);
    }
  } catch {
    // A browser without sound.
  }
}
