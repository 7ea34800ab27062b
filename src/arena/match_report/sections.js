// Fills the header and the sections of the tournament.

const tournament = new Tournament(page, t);
byId("lead").append(tournament.summary());
byId("warnings").append(
  ...page.warnings.map((lines) => element("div", { class: "notice" }, ...lines.map((line) => element("p", {}, line)))),
);
byId("setup").append(
  ...page.setup.map(([label, value]) => element("div", {}, element("dt", {}, label), element("dd", {}, value))),
);
byId("standings-body").append(...tournament.standings());
byId("sprt").hidden = !page.sprt;
byId("sprt-body").append(...tournament.sprt());
byId("crosstable-body").append(...tournament.crosstable());
byId("endings-body").append(...tournament.terminations());
drawCharts(byId("curves-body"), tournament.charts());
