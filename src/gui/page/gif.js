// A worker that writes an animated GIF: one palette for all frames, and of each frame only the pixels that have
// changed.

/** The number of bits of a pixel. */
const BITS = 8;
/** The transparent pixel, which keeps what the last frame shows. */
const UNCHANGED = (1 << BITS) - 1;
/** The largest code of LZW. */
const MAX_CODE = 4095;

/** Groups similar colours: five bits per channel. */
const bucket = (/** @type {number} */ pixel) =>
  ((pixel >> 3) & 0x1f) | ((pixel >> 6) & 0x3e0) | ((pixel >> 9) & 0x7c00);

class GifWriter {
  /** @type {BlobPart[]} */
  #parts = [];
  /** The index of each bucket of colours, or -1. */
  #indices = new Int16Array(1 << 15).fill(-1);
  /** @type {[number, number, number][]} */
  #palette = [];
  /** The last frame. @type {Uint8Array | null} */
  #shown = null;
  #width;
  #height;

  /**
   * Starts a picture that loops.
   *
   * @param {ImageData[]} samples frames that together contain all colours
   */
  constructor(samples) {
    const { width = 1, height = 1 } = samples[0] ?? {};
    this.#width = width;
    this.#height = height;
    this.#choosePalette(samples);
    const colours = new Uint8Array(3 << BITS);
    this.#palette.forEach((colour, at) => colours.set(colour, 3 * at));
    this.#parts.push(
      "GIF89a",
      Uint8Array.of(...short(width), ...short(height), 0xf0 | (BITS - 1), 0, 0),
      colours,
      Uint8Array.of(0x21, 0xff, 11),
      "NETSCAPE2.0",
      Uint8Array.of(3, 1, 0, 0, 0),
    );
  }

  /** Chooses the most frequent colours; others, as at smooth edges, become the nearest of these. */
  #choosePalette(/** @type {ImageData[]} */ samples) {
    /** @type {Map<number, Map<number, number>>} */
    const counts = new Map();
    for (const { data } of samples) {
      for (const pixel of new Uint32Array(data.buffer)) {
        const colours = counts.get(bucket(pixel)) ?? new Map();
        counts.set(bucket(pixel), colours.set(pixel, (colours.get(pixel) ?? 0) + 1));
      }
    }
    const total = (/** @type {Map<number, number>} */ colours) =>
      [...colours.values()].reduce((sum, count) => sum + count, 0);
    const chosen = [...counts].sort(([, one], [, other]) => total(other) - total(one)).slice(0, UNCHANGED);
    chosen.forEach(([key, colours], at) => {
      const [pixel = 0] = [...colours].reduce((best, one) => (one[1] > best[1] ? one : best));
      this.#palette.push([pixel & 0xff, (pixel >> 8) & 0xff, (pixel >> 16) & 0xff]);
      this.#indices[key] = at;
    });
  }

  #indexOf(/** @type {number} */ pixel) {
    const key = bucket(pixel);
    const known = this.#indices[key] ?? -1;
    if (known >= 0) return known;
    let [best, least] = [0, Infinity];
    this.#palette.forEach(([red, green, blue], at) => {
      const distance =
        (red - (pixel & 0xff)) ** 2 + (green - ((pixel >> 8) & 0xff)) ** 2 + (blue - ((pixel >> 16) & 0xff)) ** 2;
      if (distance < least) [best, least] = [at, distance];
    });
    this.#indices[key] = best;
    return best;
  }

  /** Adds a frame that is shown for some milliseconds. */
  add(/** @type {ImageData} */ image, /** @type {number} */ ms) {
    const frame = Uint8Array.from(new Uint32Array(image.data.buffer), (pixel) => this.#indexOf(pixel));
    const { left, top, width, height } = this.#changed(frame);
    const pixels = new Uint8Array(width * height);
    for (let at = 0; at < pixels.length; at += 1) {
      const from = (top + Math.floor(at / width)) * this.#width + left + (at % width);
      pixels[at] = frame[from] === this.#shown?.[from] ? UNCHANGED : (frame[from] ?? 0);
    }
    this.#shown = frame;
    this.#parts.push(
      Uint8Array.of(
        0x21,
        0xf9,
        4,
        5,
        ...short(Math.round(ms / 10)),
        UNCHANGED,
        0,
        0x2c,
        ...short(left),
        ...short(top),
        ...short(width),
        ...short(height),
        0,
        BITS,
      ),
      compressed(pixels),
    );
  }

  /** The rectangle in which a frame differs from the last one; a single pixel if it does not. */
  #changed(/** @type {Uint8Array} */ frame) {
    const shown = this.#shown;
    if (!shown) return { left: 0, top: 0, width: this.#width, height: this.#height };
    let [left, top, right, bottom] = [this.#width, this.#height, 0, 0];
    for (let at = 0; at < frame.length; at += 1) {
      if (frame[at] === shown[at]) continue;
      const [x, y] = [at % this.#width, Math.floor(at / this.#width)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), y + 1];
    }
    return right === 0
      ? { left: 0, top: 0, width: 1, height: 1 }
      : { left, top, width: right - left, height: bottom - top };
  }

  end() {
    return new Blob([...this.#parts, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}

function short(/** @type {number} */ number) {
  return [number & 0xff, number >> 8];
}

/** Compresses pixels by LZW, in blocks of at most 255 bytes. */
function compressed(/** @type {Uint8Array} */ pixels) {
  const [clear, end] = [1 << BITS, (1 << BITS) + 1];
  /** @type {number[]} */
  const bytes = [];
  let [block, buffer, filled, size, next] = [0, 0, 0, BITS + 1, end + 1];
  const push = (/** @type {number} */ byte) => {
    if (block === 0 || bytes.length - block === 255) block = bytes.push(0);
    bytes.push(byte);
    bytes[block - 1] = bytes.length - block;
  };
  const write = (/** @type {number} */ code) => {
    buffer |= code << filled;
    filled += size;
    for (; filled >= 8; filled -= 8, buffer >>>= 8) push(buffer & 0xff);
  };
  /** The code of each known string: a code and the pixel after it. */
  const codes = new Uint16Array((MAX_CODE + 1) << BITS);
  write(clear);
  let prefix = pixels[0] ?? 0;
  for (let at = 1; at < pixels.length; at += 1) {
    const pixel = pixels[at] ?? 0;
    const key = (prefix << BITS) | pixel;
    const known = codes[key] ?? 0;
    if (known) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = pixel;
    if (next > MAX_CODE) {
      write(clear);
      codes.fill(0);
      [size, next] = [BITS + 1, end + 1];
      continue;
    }
    codes[key] = next;
    if (next >= 1 << size) size += 1;
    next += 1;
  }
  write(prefix);
  write(end);
  if (filled > 0) push(buffer & 0xff);
  return Uint8Array.from([...bytes, 0]);
}

/** @type {GifWriter | null} */
let writer = null;

// Each message is answered: samples start a picture, frames are added to it, and an empty one asks for the picture.
addEventListener("message", ({ data: { samples, image, ms } }) => {
  if (samples) writer = new GifWriter(samples);
  else if (image) writer?.add(image, ms);
  postMessage(samples || image ? null : writer?.end());
});
