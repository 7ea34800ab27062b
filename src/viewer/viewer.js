// The game viewer: board, moves and engine output, ply by ply.

const viewer = { game: null, ply: 0, frames: [], timer: null, urlUpdate: null };
const STEP_MILLISECONDS = 700;

function currentFrame() {
  return viewer.frames[Math.min(viewer.ply, viewer.frames.length - 1)];
}

/** Returns the side, 0 or 1, that made the move with this index. */
function sideOf(game, index) {
  return (game.first_mover + index) % 2;
}

/** Opens a game at a ply. */
function openGame(game, ply) {
  stopPlaying();
  if (viewer.game !== game) {
    viewer.game = game;
    viewer.frames = buildFrames(game, page.layouts[game.game]);
    buildViewer(game);
    drawMoments(game);
    markSelected(game);
  }
  goTo(ply);
}

function buildViewer(game) {
  const [first, second] = game.players.map(playerName);
  byId("viewer").hidden = false;
  byId("viewer-title").replaceChildren(t("Game {number}", game));
  const layout = page.layouts[game.game];
  viewer.board = layout && viewer.frames.length ? newBoard(layout) : null;
  viewer.diagram = element("pre", { class: "diagram" });
  viewer.fen = element("input", {
    type: "text",
    readonly: true,
    "aria-label": t("Position (FEN)"),
    id: "fen",
    onfocus() {
      viewer.fen.select();
    },
  });
  viewer.moveInfo = element("div", { class: "move-info", "aria-live": "polite" });
  viewer.moves = element("ol", { class: "moves", "aria-label": t("Moves") }, ...moveItems(game));
  const graphs = [element("figure", {}), element("figure", {})];
  const stage = element(
    "div",
    { class: "stage" },
    viewer.board
      ? viewer.board.svg
      : viewer.frames.length
        ? viewer.diagram
        : element("p", { class: "note" }, t("This game cannot be replayed.")),
  );
  byId("viewer-body").replaceChildren(
    element(
      "p",
      { class: "versus" },
      contender(first, 0),
      element("span", { class: "score" }, resultText(game.result)),
      contender(second, 1),
    ),
    element("p", { class: "note" }, describe(game)),
    ...notices(game),
    element(
      "div",
      { class: "columns" },
      element("div", { class: "left" }, stage, controls(), fenLine()),
      element("div", { class: "right" }, viewer.moveInfo, ...graphs, viewer.moves),
    ),
  );
  viewer.graphs = [expectedGraph(graphs[0], game), scoreGraph(graphs[1], game)];
}

/** Draws the boards before the moves that a review lists, with the played move and the best one. */
function drawMoments(game) {
  const layout = page.layouts[game.game];
  for (const box of document.querySelectorAll(`[data-game="${game.link}"] .moment:empty`)) {
    const ply = Number(box.dataset.ply) - 1;
    const frame = viewer.frames[ply];
    if (!layout || !frame) continue;
    const [played, best] = [box.dataset.played, box.dataset.best].map((spots) => spots.split(" ").map(Number));
    const board = newBoard(layout);
    board.show(frame.letters, frame.last, boardName(game, ply));
    board.setArrows([
      { spots: best, kind: "best" },
      ...(`${best}` === `${played}` ? [] : [{ spots: played, kind: "bad" }]),
    ]);
    box.append(board.svg);
  }
}

function contender(name, side) {
  return element(
    "span",
    { class: "contender" },
    element("span", { class: `swatch side-${side}` }),
    element("strong", {}, name),
    element("span", { class: "faint" }, side === 0 ? t("first") : t("second")),
  );
}

function describe(game) {
  const at = game.started ? new Date(1000 * game.started).toISOString().slice(0, 16).replace("T", " ") : null;
  const [first, second] = game.limits;
  const limits = first === second ? first : t("{player} against {opponent}", { player: first, opponent: second });
  const seeds =
    game.seeds.some((seed) => seed !== null) &&
    t("seeds {first} and {second}", { first: game.seeds[0] ?? NONE, second: game.seeds[1] ?? NONE });
  // A review names the game above, and is not about a schedule.
  const place = page.is_review ? [] : [game.game, t("round {round}", game), t("pair {pair}", game)];
  const reason = game.reason && game.reason !== game.termination ? `: ${t(game.reason)}` : "";
  const parts = [...place, limits, seeds, at && `${at} UTC`, `${t(game.termination)}${reason}`];
  return parts.filter((part) => part).join(" \u00b7 ");
}

/** Returns notices about broken claims, replay errors and stderr output. */
function notices(game) {
  const parts = (game.broken_claims ?? []).map((claim) =>
    element("p", { class: "notice" }, t("Broken claim: {claim}", { claim })),
  );
  if (game.error) {
    parts.push(element("p", { class: "notice" }, t("Not all moves can be replayed: {error}", game)));
  }
  if (game.stderr) {
    parts.push(
      element(
        "details",
        { class: "notice" },
        element("summary", {}, t("Last stderr output")),
        element("pre", {}, game.stderr),
      ),
    );
  }
  return parts;
}

/** Icons of the buttons, as paths in a 24 × 24 view box. */
const ICONS = {
  first: "M6 5v14M18 5l-8 7 8 7",
  previous: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  play: "M8 5l10 7-10 7z",
  pause: "M9 5v14M15 5v14",
};

function icon(name) {
  return shape(
    "svg",
    { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
    shape("path", { d: ICONS[name], class: `icon icon-${name}` }),
  );
}

function controls() {
  const button = (id, label, action) =>
    element("button", { type: "button", id, "aria-label": label, title: label, onclick: action }, icon(id));
  viewer.play = button("play", t("Play"), () => (viewer.timer ? stopPlaying() : startPlaying()));
  viewer.counter = element("span", { class: "counter", id: "counter" });
  return element(
    "div",
    { class: "controls", role: "group", "aria-label": t("Steps") },
    button("first", t("First position"), () => stepTo(0)),
    button("previous", t("Previous move"), () => stepTo(viewer.ply - 1)),
    viewer.play,
    button("next", t("Next move"), () => stepTo(viewer.ply + 1)),
    button("last", t("Last position"), () => stepTo(viewer.game.moves.length)),
    viewer.counter,
  );
}

function fenLine() {
  const copy = element(
    "button",
    {
      type: "button",
      id: "copy",
      onclick() {
        const done = () => {
          copy.textContent = t("Copied");
          setTimeout(() => {
            copy.textContent = t("Copy");
          }, 1200);
        };
        const copySelection = () => {
          viewer.fen.select();
          if (document.execCommand("copy")) done();
        };
        if (navigator.clipboard) navigator.clipboard.writeText(viewer.fen.value).then(done, copySelection);
        else copySelection();
      },
    },
    t("Copy"),
  );
  return element(
    "div",
    { class: "fen" },
    element("label", { for: "fen" }, viewer.frames.length ? "FEN" : t("First FEN")),
    viewer.fen,
    copy,
  );
}

/** Lists the moves in pairs; if the second side moves first, the first pair starts with a gap. */
function moveItems(game) {
  const items = [];
  for (let index = -game.first_mover; index < game.moves.length; index += 2) {
    const half = (at) =>
      at < 0 || at >= game.moves.length
        ? element("span", { class: "absent" }, at < 0 ? "\u2026" : "")
        : moveButton(game, at);
    items.push(
      element(
        "li",
        {},
        element("span", { class: "move-number" }, `${items.length + 1}.`),
        half(index),
        half(index + 1),
      ),
    );
  }
  return items;
}

function moveButton(game, index) {
  const mark = game.marks?.[index];
  const value = game.scores?.[index] ? scoreText(game.scores[index]) : valueText(game.worth?.[index] ?? "");
  return element(
    "button",
    {
      type: "button",
      class: "move",
      "data-ply": index + 1,
      onclick() {
        stepTo(index + 1);
      },
    },
    element("span", {}, game.moves[index]),
    mark ? element("span", { class: MARKS[mark].class, title: t(MARKS[mark].name) }, mark) : null,
    " ",
    element("span", { class: "move-score" }, value),
  );
}

/** The marks of a review. */
const MARKS = {
  "??": { name: "blunder", class: "mark bad" },
  "?": { name: "mistake", class: "mark bad" },
  "?!": { name: "inaccuracy", class: "mark" },
  "!": { name: "only move", class: "mark good" },
};

function goTo(ply) {
  const { game } = viewer;
  viewer.ply = Math.min(game.moves.length, Math.max(0, ply));
  const frame = currentFrame();
  if (frame) {
    if (viewer.board) viewer.board.show(frame.letters, frame.last, boardName(game, viewer.ply));
    viewer.diagram.textContent = frame.diagram ?? "";
  }
  viewer.fen.value = frame ? frame.fen : game.fen;
  viewer.counter.textContent = `${viewer.ply} / ${game.moves.length}`;
  for (const id of ["first", "previous"]) byId(id).disabled = viewer.ply === 0;
  for (const id of ["next", "last"]) byId(id).disabled = viewer.ply === game.moves.length;
  viewer.moveInfo.replaceChildren(...moveInfo(game, viewer.ply - 1));
  showCurrentMove();
  viewer.graphs.forEach((graph) => graph.setMarker(viewer.ply));
}

/** Marks the current move and scrolls the move list, but not the page. */
function showCurrentMove() {
  for (const button of viewer.moves.querySelectorAll(".move")) {
    const isCurrent = Number(button.dataset.ply) === viewer.ply;
    if (isCurrent) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    if (!isCurrent) continue;
    const top = button.offsetTop;
    const { scrollTop, clientHeight } = viewer.moves;
    if (top < scrollTop || top + button.offsetHeight > scrollTop + clientHeight) {
      viewer.moves.scrollTop = top - clientHeight / 2;
    }
  }
  if (viewer.ply === 0) viewer.moves.scrollTop = 0;
}

/** Describes a move: engine output, time and proven values. */
function moveInfo(game, index) {
  if (index < 0) {
    return [element("p", { class: "headline" }, game.moves.length ? t("Before the first move") : t("No moves"))];
  }
  const side = sideOf(game, index);
  const mark = game.marks?.[index];
  const keep = game.keep?.[index];
  const over = game.over?.[index];
  const fields = [
    game.scores ? ["score", scoreText(game.scores[index])] : null,
    game.depths ? ["depth", game.depths[index] ?? NONE] : null,
    game.nodes ? ["nodes", game.nodes[index] ? grouped(game.nodes[index]) : NONE] : null,
    game.times.some((time) => time > 0) ? ["time", duration(game.times[index])] : null,
    over ? ["over limit", duration(over)] : null,
    game.worth?.[index] ? ["value", valueText(game.worth[index])] : null,
    game.best?.[index] ? ["best value", valueText(game.best[index])] : null,
    keep
      ? [
          "moves that keep the value",
          t(keep.proven ? "{count} of {all}" : "about {count} of {all}", { count: keep.count, all: keep.legal }),
        ]
      : null,
    game.better?.[index] ? ["best line", game.better[index]] : null,
  ];
  return [
    element(
      "p",
      { class: "headline" },
      element("span", { class: `swatch side-${side}` }),
      element("strong", { class: "played" }, game.moves[index]),
      element("span", { class: "by" }, t(" by {player}", { player: playerName(game.players[side]) })),
      mark ? element("span", { class: "tag" }, `${mark} ${t(MARKS[mark].name)}`) : null,
    ),
    element(
      "dl",
      { class: "fields" },
      ...fields
        .filter((field) => field)
        .map(([name, value]) =>
          element(
            "div",
            { class: name === "over limit" ? "alarm" : "" },
            element("dt", {}, t(name)),
            element("dd", {}, `${value}`),
          ),
        ),
    ),
  ];
}

function setPlayButton(label, name) {
  viewer.play.replaceChildren(icon(name));
  viewer.play.setAttribute("aria-label", label);
  viewer.play.title = label;
}

function startPlaying() {
  if (viewer.ply >= viewer.game.moves.length) goTo(0);
  setPlayButton(t("Pause"), "pause");
  viewer.timer = setInterval(() => {
    goTo(viewer.ply + 1);
    if (viewer.ply >= viewer.game.moves.length) stopPlaying();
  }, STEP_MILLISECONDS);
}

function stopPlaying() {
  if (!viewer.timer) return;
  clearInterval(viewer.timer);
  viewer.timer = null;
  setPlayButton(t("Play"), "play");
  updateUrl();
}

/** Goes to a ply chosen by the user and stores it in the URL. */
function stepTo(ply) {
  stopPlaying();
  goTo(ply);
  updateUrl();
}

/** Updates the URL with a delay, since some browsers limit the rate of changes. */
function updateUrl() {
  clearTimeout(viewer.urlUpdate);
  viewer.urlUpdate = setTimeout(() => history.replaceState(null, "", linkTo(viewer.game, viewer.ply)), 150);
}

/** Opens the game in a URL fragment; returns whether there is one. */
function followLink(hash) {
  const link = /^#game=([\d-]+)(?:&ply=(\d+))?$/.exec(hash);
  const game = link && page.games.find((one) => one.link === link[1]);
  if (!game) return false;
  clearTimeout(viewer.urlUpdate);
  openGame(game, link[2] === undefined ? game.moves.length : Number(link[2]));
  return true;
}

function onKey(event) {
  if (!viewer.game || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea, .scroll")) return;
  const inViewer = event.target.closest("#viewer") !== null;
  const { length } = viewer.game.moves;
  const target = {
    ArrowLeft: viewer.ply - 1,
    ArrowRight: viewer.ply + 1,
    ...(inViewer ? { Home: 0, End: length } : {}),
  }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  stepTo(target);
}
