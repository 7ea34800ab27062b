// Line charts with axes, a legend and a crosshair for mouse and keyboard. Charts are redrawn when
// the width changes, so that text keeps its size on every screen.

import { element, fill, grouped, INFINITE, shape } from "./dom.js";

const CHART_MARGIN = { top: 12, right: 12, bottom: 34, left: 52 };
/** The room for the text of a mark. */
const LABEL_SIZE = { width: 18, height: 13 };
/** @type {string[]} */
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "14 4", "9 3 2 3 2 3", "4 4"];

/**
 * Returns the words of charts. `say` translates English texts.
 *
 * @param {Say} say
 * @returns {ChartWords}
 */
export function chartWords(say) {
  return {
    empty: say("No data."),
    label: (title, y, x) => say("{title}. {y} by {x}. Arrow keys move the crosshair.", { title, y, x }),
    interval: (low, high) => say(" ({low} to {high})", { low, high }),
  };
}

/** Returns about `count` round numbers from `low` to `high`. */
function roundNumbers(/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? 10 * power;
  const numbers = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) {
    numbers.push(at * step + 0);
  }
  return numbers;
}

/**
 * Returns the range of the y axis: all values, and the bands once they have narrowed.
 *
 * @param {Series[]} series
 * @param {number[]} lines
 * @returns {[number, number]}
 */
function yRange(series, lines) {
  const heights = [...lines];
  for (const { points } of series) {
    points.forEach(([, y = 0, low, high], index) => {
      if (index >= points.length / 5 || points.length < 20) heights.push(y);
      if (low !== undefined && high !== undefined && index >= points.length / 2) heights.push(low, high);
    });
  }
  const finite = heights.filter((y) => Math.abs(y) < INFINITE);
  if (finite.length === 0) return [-1, 1];
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const pad = (high - low || Math.abs(high) || 1) * 0.06;
  return [low === 0 ? 0 : low - pad, high + pad];
}

/**
 * Adds a chart to a figure.
 *
 * `series`: { name, style, points: [x, y] or [x, y, low, high] }; `style` selects colour and dashes.
 * Optional: `lines` (labelled horizontal lines), `ticks` and `range` of the y axis, `format` for
 * y values, `marks` (places to mark), `pick` (called with the x of a click), `words` (English by default). Returns an
 * object that moves the marker, and shows other data without losing the crosshair, the focus and the choice of series.
 *
 * @param {HTMLElement} figure
 * @param {ChartOptions} options
 * @returns {{ setMarker(x: number): void, update(options: ChartOptions): void }}
 */
export function lineChart(figure, options) {
  /** @type {Chart} */
  const chart = {
    ...options,
    words: options.words ?? chartWords(fill),
    hidden: new Set(),
    cursor: null,
    marker: null,
    box: element("div", { class: "plot" }),
    readout: element("p", { class: "readout", "aria-live": "polite" }),
    xs: [],
    svg: null,
    markers: null,
    size: { width: 0, height: 0 },
    toX: (x) => x,
    toY: (y) => y,
  };
  const [caption, legend] = [element("figcaption"), element("div", { class: "legend" })];
  figure.append(caption, chart.box, legend, chart.readout);
  let keys = "";
  const update = (/** @type {ChartOptions} */ wanted) => {
    Object.assign(chart, wanted);
    caption.textContent = chart.title;
    chart.xs = [...new Set(chart.series.flatMap(({ points }) => points.map(([x]) => x ?? 0)))].sort(
      (one, other) => one - other,
    );
    const before = keys;
    keys = JSON.stringify(chart.series.map(({ name, style }) => [name, style]));
    if (keys !== before) legend.replaceChildren(...chart.series.map((series) => legendKey(chart, series)));
    if (chart.xs.length) drawChart(chart);
    else chart.box.replaceChildren(element("p", { class: "note" }, chart.words.empty));
  };
  update(options);
  new ResizeObserver(() => drawChart(chart)).observe(chart.box);
  return {
    update,
    setMarker(x) {
      chart.marker = x;
      drawMarkers(chart);
    },
  };
}

/**
 * Draws charts as figures of an element. `drawn` is what an earlier call returned: if the number of
 * charts is the same, they only show other data.
 *
 * @param {HTMLElement} host
 * @param {ChartOptions[]} charts
 * @param {ReturnType<typeof lineChart>[]} drawn
 */
export function drawCharts(host, charts, drawn = []) {
  const isNew = drawn.length !== charts.length;
  if (isNew) host.replaceChildren();
  return charts.map((options, index) => {
    const known = isNew ? null : drawn[index];
    if (known) {
      known.update(options);
      return known;
    }
    const figure = element("figure", { class: options.wide ? "wide" : "" });
    host.append(figure);
    return lineChart(figure, options);
  });
}

/** Returns the button that shows or hides a series. */
function legendKey(/** @type {Chart} */ chart, /** @type {Series} */ { name, style }) {
  const { hidden } = chart;
  const swatch = shape(
    "svg",
    { width: 26, height: 10, "aria-hidden": "true" },
    shape("line", {
      x1: 1,
      y1: 5,
      x2: 25,
      y2: 5,
      class: `series color-${style % 7}`,
      "stroke-dasharray": DASHES[style % 7],
    }),
  );
  /** @type {HTMLButtonElement} */
  const button = element(
    "button",
    {
      type: "button",
      class: "key",
      "aria-pressed": String(!hidden.has(name)),
      onclick() {
        const shown = hidden.delete(name);
        if (!shown) hidden.add(name);
        button.setAttribute("aria-pressed", String(shown));
        drawChart(chart);
      },
    },
    swatch,
    element("span", {}, name),
  );
  return button;
}

let clipCount = 0;

/** @param {Chart} chart */
function drawChart(chart) {
  const width = Math.floor(chart.box.clientWidth);
  if (width < 40 || chart.xs.length === 0) return;
  const height = chart.height ?? 240;
  const series = chart.series.filter(({ name }) => !chart.hidden.has(name));
  const lines = (chart.lines ?? []).map(([y]) => y);
  const [low, high] = chart.range ?? yRange(series, lines);
  const [first, last] = chart.domain ?? [Math.min(1, chart.xs[0] ?? 0), Math.max(2, chart.xs.at(-1) ?? 0)];
  const inner = {
    width: width - CHART_MARGIN.left - CHART_MARGIN.right,
    height: height - CHART_MARGIN.top - CHART_MARGIN.bottom,
  };
  const clamp = (/** @type {number} */ y) => Math.min(high + (high - low), Math.max(low - (high - low), y));
  chart.toX = (x) => CHART_MARGIN.left + ((x - first) / (last - first || 1)) * inner.width;
  chart.toY = (y) => CHART_MARGIN.top + ((high - clamp(y)) / (high - low || 1)) * inner.height;
  chart.size = { width, height };
  const focused = chart.svg !== null && document.activeElement === chart.svg;
  clipCount += 1;
  const clip = `clip-${clipCount}`;
  chart.markers = shape("g", { class: "markers" });
  chart.svg = shape(
    "svg",
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      tabindex: 0,
      "aria-label": chart.words.label(chart.title, chart.yName, chart.xName),
      class: chart.pick ? "pickable" : "",
    },
    shape(
      "clipPath",
      { id: clip },
      shape("rect", { x: CHART_MARGIN.left, y: CHART_MARGIN.top - 2, width: inner.width, height: inner.height + 4 }),
    ),
    ...axes(chart, { low, high, first, last }),
    shape(
      "g",
      { "clip-path": `url(#${clip})` },
      ...series.map((one) => band(chart, one)),
      ...series.map((one) => line(chart, one)),
    ),
    ...drawMarks(chart),
    chart.markers,
  );
  addListeners(chart);
  chart.box.replaceChildren(chart.svg);
  if (focused) chart.svg.focus();
  drawMarkers(chart);
}

/**
 * @param {Chart} chart
 * @param {Record<"low" | "high" | "first" | "last", number>} range
 */
function axes(chart, { low, high, first, last }) {
  const { width, height } = chart.size;
  const [left, right, bottom] = [CHART_MARGIN.left, width - CHART_MARGIN.right, height - CHART_MARGIN.bottom];
  /** @type {[number, string][]} */
  const yTicks =
    chart.ticks ??
    roundNumbers(low, high, Math.max(3, height / 55))
      .map((y) => /** @type {[number, string]} */ ([y, chart.format(y)]))
      .filter(([, text], index, ticks) => text !== ticks[index - 1]?.[1]);
  const xTicks = roundNumbers(first, last, Math.max(2, width / 90)).filter((x) => Number.isInteger(x));
  /** @type {SVGElement[]} */
  const parts = yTicks.flatMap(([y, text]) => [
    shape("line", { x1: left, x2: right, y1: chart.toY(y), y2: chart.toY(y), class: "rule" }),
    shape("text", { x: left - 7, y: chart.toY(y) + 4, "text-anchor": "end" }, text),
  ]);
  for (const x of xTicks) {
    parts.push(
      shape("line", { x1: chart.toX(x), x2: chart.toX(x), y1: bottom, y2: bottom + 4, class: "axis" }),
      shape("text", { x: chart.toX(x), y: bottom + 16, "text-anchor": "middle" }, grouped(x)),
    );
  }
  parts.push(
    shape("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" }),
    shape("text", { x: right, y: height - 4, "text-anchor": "end", class: "unit" }, chart.xName),
  );
  for (const [y, text] of chart.lines ?? []) {
    parts.push(shape("line", { x1: left, x2: right, y1: chart.toY(y), y2: chart.toY(y), class: "level" }));
    if (text)
      parts.push(shape("text", { x: right - 2, y: chart.toY(y) - 5, "text-anchor": "end", class: "unit" }, text));
  }
  return parts;
}

function line(/** @type {Chart} */ chart, /** @type {Series} */ { points, style }) {
  const path = points.map(([x = 0, y = 0]) => `${chart.toX(x).toFixed(1)},${chart.toY(y).toFixed(1)}`);
  const stroke = { class: `series color-${style % 7}`, "stroke-dasharray": DASHES[style % 7] };
  if (points.length !== 1) return shape("polyline", { points: path.join(" "), ...stroke });
  const [x = 0, y = 0] = points[0] ?? [];
  return shape("circle", { cx: chart.toX(x), cy: chart.toY(y), r: 2.5, class: `dot color-${style % 7}` });
}

function band(/** @type {Chart} */ chart, /** @type {Series} */ { points, style }) {
  const banded = points.filter((point) => point.length === 4);
  if (banded.length < 2) return shape("g");
  const edge =
    (/** @type {number} */ index) =>
    (/** @type {number[]} */ [x = 0, ...rest]) =>
      `${chart.toX(x).toFixed(1)},${chart.toY(rest[index] ?? 0).toFixed(1)}`;
  const outline = [...banded.map(edge(2)), ...banded.map(edge(1)).reverse()];
  const kind = chart.series.length > 3 ? "band thin" : "band";
  return shape("polygon", { points: outline.join(" "), class: `${kind} color-${style % 7}` });
}

/** Marks places on a curve with dots and, on the side that has room, with texts that do not overlap the one before. */
function drawMarks(/** @type {Chart} */ chart) {
  let [lastX, lastY] = [-Infinity, 0];
  return (chart.marks ?? []).flatMap(([x, y, text, className]) => {
    const [left, top] = [chart.toX(x), chart.toY(y)];
    const textY = top + (top < chart.size.height / 2 ? 17 : -8);
    const dot = shape("circle", { cx: left, cy: top, r: 4, class: `mark ${className}` });
    if (left - lastX < LABEL_SIZE.width && Math.abs(textY - lastY) < LABEL_SIZE.height) return [dot];
    [lastX, lastY] = [left, textY];
    return [dot, shape("text", { x: left, y: textY, "text-anchor": "middle", class: `mark ${className}` }, text)];
  });
}

function nearest(/** @type {number[]} */ xs, /** @type {number} */ x) {
  return xs.reduce((best, one) => (Math.abs(one - x) < Math.abs(best - x) ? one : best), xs[0] ?? 0);
}

/** @param {Chart} chart */
function addListeners(chart) {
  const { svg, xs } = chart;
  if (!svg) return;
  const at = (/** @type {MouseEvent} */ event) => {
    const { left } = svg.getBoundingClientRect();
    const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 0];
    const [start, end] = [chart.toX(first), chart.toX(last)];
    return nearest(xs, first + ((event.clientX - left - start) / (end - start || 1)) * (last - first));
  };
  const move = (/** @type {number | null} */ x) => {
    chart.cursor = x;
    drawMarkers(chart);
  };
  svg.addEventListener("pointermove", (event) => move(at(event)));
  svg.addEventListener("pointerleave", () => move(null));
  svg.addEventListener("blur", () => move(null));
  svg.addEventListener("click", (event) => chart.pick?.(at(event)));
  svg.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step) {
      const from = chart.cursor ?? chart.marker ?? xs[0] ?? 0;
      const index = xs.indexOf(nearest(xs, from)) + step;
      move(xs[Math.min(xs.length - 1, Math.max(0, index))] ?? null);
    } else if (event.key === "Enter" && chart.pick && chart.cursor !== null) {
      chart.pick(chart.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Draws the crosshair with its readout, and the marker of the current ply. */
function drawMarkers(/** @type {Chart} */ chart) {
  if (!chart.markers) return;
  const { height } = chart.size;
  const vertical = (/** @type {number} */ x, /** @type {string} */ className) =>
    shape("line", {
      x1: chart.toX(x),
      x2: chart.toX(x),
      y1: CHART_MARGIN.top,
      y2: height - CHART_MARGIN.bottom,
      class: className,
    });
  /** @type {SVGElement[]} */
  const parts = [];
  if (chart.marker !== null) parts.push(vertical(chart.marker, "marker"));
  /** @type {string[]} */
  const texts = [];
  if (chart.cursor !== null) {
    parts.push(vertical(chart.cursor, "cursor"));
    for (const one of chart.series.filter(({ name }) => !chart.hidden.has(name))) {
      const point = one.points.find(([x]) => x === chart.cursor);
      if (!point) continue;
      const [x = 0, y = 0, low, high] = point;
      parts.push(shape("circle", { cx: chart.toX(x), cy: chart.toY(y), r: 3.5, class: `dot color-${one.style % 7}` }));
      const width =
        low === undefined || high === undefined ? "" : chart.words.interval(chart.format(low), chart.format(high));
      texts.push(`${one.name} ${one.text ? one.text(x, y) : chart.format(y)}${width}`);
    }
  }
  chart.readout.textContent =
    chart.cursor === null ? "" : `${chart.xName} ${grouped(chart.cursor)}: ${texts.join(" \u00b7 ")}`;
  chart.markers.replaceChildren(...parts);
}
