// Reloads the page while the match is unfinished and restores what the reader was viewing. The page
// reloads only after a while without input, so that it does not interrupt its use.

const INPUT_EVENTS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "input"];
let lastInput = 0;

/** Returns what the URL does not hold: the open game, the filters, the sorting and the scroll positions. */
function readerState() {
  const { player, ...filters } = list.filters;
  return {
    game: viewer.game && linkTo(viewer.game, viewer.ply),
    filters,
    player: player === null ? null : page.names[player],
    sort: list.sort,
    descending: list.descending,
    rows: list.rowCount,
    listScroll: list.box.scrollTop,
    anchor: scrollAnchor(),
  };
}

/** Returns the section at the top of the window and its offset: what is above it may change its height. */
function scrollAnchor() {
  const tops = [...document.querySelectorAll("header, section:not([hidden])")].map((node) => [
    node.id,
    Math.round(node.getBoundingClientRect().top),
  ]);
  return tops.findLast(([, top]) => top <= 1) ?? tops[0];
}

function scrollToAnchor([id, top]) {
  const node = id === "" ? document.querySelector("header") : byId(id);
  if (!node.hidden) window.scrollBy({ top: node.getBoundingClientRect().top - top, behavior: "instant" });
}

function chooseFilter(key, value) {
  const select = byId(`filter-${key}`);
  if ([...select.options].every((option) => option.value !== value)) return;
  select.value = value;
  select.dispatchEvent(new Event("change"));
}

/** Restores the state before a reload; returns whether there is one. */
function restoreReader() {
  const state = history.state?.reader;
  if (!state) return false;
  history.replaceState(null, "");
  if (state.player !== null) chooseFilter("player", `${page.names.indexOf(state.player)}`);
  for (const [key, value] of Object.entries(state.filters)) chooseFilter(key, value);
  [list.sort, list.descending] = [state.sort, state.descending];
  refresh();
  while (list.rowCount < Math.min(state.rows, list.shown.length)) addRows();
  list.box.scrollTop = state.listScroll;
  const isOpen = state.game !== null && followLink(state.game);
  scrollToAnchor(state.anchor);
  // Charts take their final height with the first frames.
  window.addEventListener("load", () => setTimeout(() => scrollToAnchor(state.anchor), 100));
  return isOpen;
}

function isReaderBusy() {
  return (
    document.hidden ||
    viewer.timer !== null ||
    !getSelection().isCollapsed ||
    performance.now() - lastInput < 1000 * page.refresh
  );
}

/** Shows that the match is running and reloads the page every `page.refresh` seconds. */
function keepFresh() {
  if (page.refresh === null) return;
  byId("lead").append(
    element(
      "span",
      { class: "faint", id: "unfinished" },
      ` The match is running; this page reloads every ${page.refresh} seconds unless it is in use.`,
    ),
  );
  history.scrollRestoration = "manual";
  lastInput = performance.now();
  for (const name of INPUT_EVENTS) {
    document.addEventListener(
      name,
      () => {
        lastInput = performance.now();
      },
      { capture: true, passive: true },
    );
  }
  setInterval(() => {
    if (isReaderBusy()) return;
    history.replaceState({ reader: readerState() }, "");
    location.reload();
  }, 1000);
}
