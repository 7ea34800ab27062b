// The list of games, with filters, sorting, and rows that are added while scrolling.

const ROWS_PER_CHUNK = 120;
const list = { shown: [], rowCount: 0, sort: "order", descending: false, filters: {} };

/** The columns: heading, sort key and displayed text. */
const COLUMNS = [
  { key: "order", text: "No.", value: (game) => game.number, class: "number" },
  { key: "round", text: "Round", value: (game) => game.round, class: "number" },
  { key: "game", text: "Game", value: (game) => game.game },
  { key: "first", text: "First player", value: (game) => playerName(game.players[0]), class: "name" },
  { key: "second", text: "Second player", value: (game) => playerName(game.players[1]), class: "name" },
  {
    key: "result",
    text: "Result",
    value: (game) => game.result,
    show: (game) => resultText(game.result),
    class: "number",
  },
  { key: "ending", text: "Termination", value: (game) => game.termination },
  { key: "plies", text: "Plies", value: (game) => game.moves.length, class: "number" },
  { key: "time", text: "Time", value: timeOf, show: (game) => duration(timeOf(game)), class: "number" },
  {
    key: "blunders",
    text: "Blunders",
    value: blunderCount,
    show: (game) => (game.worth ? `${blunderCount(game)}` : NONE),
    class: "number",
  },
];

function blunderCount(game) {
  return (game.marks ?? []).filter((mark) => mark === "??").length;
}

function timeOf(game) {
  return game.times.reduce((sum, time) => sum + time, 0);
}

/** Returns the result for a player: won, drawn, lost or none. */
function resultFor(game, player) {
  if (game.result === "*") return "none";
  if (game.result === "1/2-1/2") return "drawn";
  return (game.result === "1-0") === (game.players[0] === player) ? "won" : "lost";
}

const RESULTS = {
  first: (game) => game.result === "1-0",
  second: (game) => game.result === "0-1",
  drawn: (game) => game.result === "1/2-1/2",
  none: (game) => game.result === "*",
  won: (game, player) => resultFor(game, player) === "won",
  lost: (game, player) => resultFor(game, player) === "lost",
};

function passesFilters(game) {
  const { player, result, ending, kind } = list.filters;
  return (
    (player === null || game.players.includes(player)) &&
    (!result || RESULTS[result](game, player)) &&
    (!ending || game.termination === ending) &&
    (!kind || game.game === kind)
  );
}

function filterSelect(label, key, options, change) {
  const select = element(
    "select",
    {
      id: `filter-${key}`,
      onchange() {
        change(select.value);
      },
    },
    ...options.map(([value, text]) => element("option", { value }, t(text))),
  );
  return element("label", { class: "filter" }, element("span", {}, t(label)), select);
}

function resultOptions() {
  const { player } = list.filters;
  const own = [
    ["won", "won"],
    ["drawn", "drawn"],
    ["lost", "lost"],
  ];
  const any = [
    ["first", "first player won"],
    ["drawn", "drawn"],
    ["second", "second player won"],
  ];
  return [["", "any"], ...(player === null ? any : own), ["none", "no result"]];
}

function distinct(values) {
  return [...new Set(values)].sort();
}

function filterForm() {
  const players = [["", "any"], ...page.names.map((name, number) => [`${number}`, name])];
  const values = (key) => [
    ["", "any"],
    ...distinct(page.games.map((game) => game[key])).map((value) => [value, value]),
  ];
  const set = (key) => (value) => {
    list.filters[key] = value;
    refresh();
  };
  return element(
    "form",
    {
      class: "filters",
      onsubmit(event) {
        event.preventDefault();
      },
    },
    filterSelect("Player", "player", players, (value) => {
      list.filters.player = value === "" ? null : Number(value);
      list.filters.result = "";
      byId("filter-result").replaceChildren(
        ...resultOptions().map(([key, text]) => element("option", { value: key }, t(text))),
      );
      refresh();
    }),
    filterSelect("Result", "result", resultOptions(), set("result")),
    filterSelect("Termination", "ending", values("termination"), set("ending")),
    filterSelect("Game", "kind", values("game"), set("kind")),
  );
}

function showGames() {
  list.filters = { player: null, result: "", ending: "", kind: "" };
  assignLinks();
  const heading = (column) =>
    element(
      "th",
      { scope: "col", class: column.class, "aria-sort": "none", id: `sort-${column.key}` },
      element(
        "button",
        {
          type: "button",
          class: "sort",
          onclick() {
            sortBy(column.key);
          },
        },
        t(column.text),
      ),
    );
  const isShown = {
    blunders: page.games.some(({ worth }) => worth),
    round: !page.is_review,
    time: !page.is_review || page.games.some((game) => timeOf(game) > 0),
  };
  list.columns = COLUMNS.filter(({ key }) => isShown[key] ?? true);
  list.body = element("tbody");
  list.count = element("p", { class: "note", role: "status", id: "game-count" });
  list.box = element(
    "div",
    {
      class: "scroll tall",
      tabindex: 0,
      role: "region",
      "aria-label": t("List of games"),
      onscroll() {
        if (list.box.scrollTop + list.box.clientHeight > list.box.scrollHeight - 600) addRows();
      },
    },
    element(
      "table",
      { class: "games" },
      element("thead", {}, element("tr", {}, ...list.columns.map(heading))),
      list.body,
    ),
  );
  byId("games-body").append(filterForm(), list.count, list.box);
  refresh();
}

function sortBy(key) {
  list.descending = list.sort === key ? !list.descending : false;
  list.sort = key;
  refresh();
}

/** Applies filters and sorting. */
function refresh() {
  const column = COLUMNS.find(({ key }) => key === list.sort);
  const sign = list.descending ? -1 : 1;
  const compare = (one, other) => (typeof one === "number" ? one - other : one.localeCompare(other));
  list.shown = page.games
    .filter(passesFilters)
    .sort((one, other) => sign * compare(column.value(one), column.value(other)) || one.order - other.order);
  for (const { key } of list.columns) {
    const order = list.descending ? "descending" : "ascending";
    byId(`sort-${key}`).setAttribute("aria-sort", key === list.sort ? order : "none");
  }
  const all = page.games.length;
  const half = page.left_out ? page.games.length / 2 : 0;
  const left = page.left_out
    ? t(" Only the first and the last {half} games are included; {omitted} are omitted.", {
        half: grouped(half),
        omitted: grouped(page.left_out),
      })
    : "";
  list.count.textContent =
    t("{shown} of {all} games.", { shown: grouped(list.shown.length), all: grouped(all) }) + left;
  list.rowCount = 0;
  list.body.replaceChildren();
  list.box.scrollTop = 0;
  addRows();
}

function addRows() {
  const more = list.shown.slice(list.rowCount, list.rowCount + ROWS_PER_CHUNK);
  list.rowCount += more.length;
  list.body.append(...more.map(gameRow));
}

function gameRow(game) {
  const cells = list.columns.map((column) => {
    const text = (column.show ?? column.value)(game);
    if (column.key === "order") {
      return element("td", { class: "number" }, element("a", { href: linkTo(game, null) }, `${game.number}`));
    }
    const isFault = column.key === "ending" && page.faults.includes(game.termination);
    return element(
      "td",
      { class: `${column.class ?? ""}${isFault ? " alarm" : ""}`, title: column.class === "name" ? text : null },
      column.key === "ending" ? t(text) : `${text}`,
    );
  });
  const row = element(
    "tr",
    {
      "data-order": game.order,
      onclick(event) {
        if (!event.target.closest("a")) location.hash = linkTo(game, null);
      },
    },
    ...cells,
  );
  row.classList.toggle("selected", game === viewer.game);
  return row;
}

function markSelected(game) {
  for (const row of list.body.children) {
    row.classList.toggle("selected", Number(row.dataset.order) === game.order);
  }
}

/** Sets the order of each game and its link: the number, with a suffix for duplicates. */
function assignLinks() {
  const seen = new Map();
  page.games.forEach((game, index) => {
    const before = seen.get(game.number) ?? 0;
    seen.set(game.number, before + 1);
    game.order = index;
    game.link = before === 0 ? `${game.number}` : `${game.number}-${before + 1}`;
  });
}

/** Returns the link to a ply of a game, or to its end if `ply` is null. */
function linkTo(game, ply) {
  return ply === null ? `#game=${game.link}` : `#game=${game.link}&ply=${ply}`;
}
