// The head of the page and its tables: standings, test, crosstable, endings.

function showHead() {
  byId("title").append(page.title);
  byId("lead").append(leadText());
  byId("setup").append(...page.setup.map(([label, value]) =>
    element("div", {}, element("dt", {}, label), element("dd", {}, value))));
}

/** The outcome in a sentence. */
function leadText() {
  if (page.counted === 0) return "No game has counted so far.";
  const [best, other] = page.standings;
  const apart = page.uncounted > 0 ? ` ${grouped(page.uncounted)} more did not count.` : "";
  if (page.standings.length === 2) {
    const sure = `likelihood of superiority ${percent(best.superiority)}`;
    return `${best.name} took ${halves(best.points)} of ${grouped(best.games)} points against `
      + `${other.name}: Elo ${estimate(best.elo)}, ${sure}.${apart}`;
  }
  return `${grouped(page.counted)} games between ${page.standings.length} players. `
    + `${best.name} leads with ${halves(best.points)} of ${grouped(best.games)} points.${apart}`;
}

/** Wins, draws and losses as a bar. */
function resultBar({ wins, draws, losses }) {
  const label = `${wins} won, ${draws} drawn, ${losses} lost`;
  const part = (kind, count) => {
    const node = element("span", { class: kind });
    node.style.flexGrow = count;
    return node;
  };
  return element("div", { class: "bar", role: "img", "aria-label": label, title: label },
    part("won", wins), part("drawn", draws), part("lost", losses));
}

function faultCount(row) {
  return Object.values(row.faults).reduce((sum, count) => sum + count, 0);
}

function showStandings() {
  const several = page.standings.length > 2;
  const number = (text, title) => ({ text, title, class: "number" });
  const columns = [number("#"), "Player", number("Games"), number("Won"), number("Drawn"),
    number("Lost"), { text: "", class: "bar-column" }, number("Points"),
    number("Share"),
    number("Elo", "against the field, with the 95 % interval"),
    ...(several ? [number("Rating", "maximum likelihood on one scale, with the 95 % interval")] : []),
    number("Faults", "games lost by a fault"),
    number("Broken claims"), number("Time/move"), number("Most over", "the longest overstepping"),
    number("Depth", "the mean over the moves that told one")];
  const rows = page.standings.map((row, place) => element("tr", {},
    numberCell(`${place + 1}`),
    element("th", { scope: "row", class: "name", title: row.name }, row.name),
    numberCell(grouped(row.games)), numberCell(grouped(row.wins)),
    numberCell(grouped(row.draws)), numberCell(grouped(row.losses)),
    element("td", { class: "bar-column" }, resultBar(row)),
    numberCell(halves(row.points), { class: "strong" }),
    numberCell(row.share === null ? NONE : percent(row.share)),
    numberCell(estimate(row.elo)),
    ...(several ? [numberCell(estimate(row.rating))] : []),
    numberCell(grouped(faultCount(row)), { class: faultCount(row) ? "alarm" : "" }),
    numberCell(grouped(row.broken_claims), { class: row.broken_claims ? "alarm" : "" }),
    numberCell(duration(row.mean_time)), numberCell(duration(row.greatest_over)),
    numberCell(row.mean_depth === null ? NONE : row.mean_depth.toFixed(1))));
  byId("standings-body").append(table("Standings", columns, rows));
  const pairs = page.standings.length === 2 ? page.standings[0].pairs : [];
  if (pairs.some((count) => count > 0)) {
    const text = `Pairs of games by the points of ${names[0]}: `
      + pairs.map((count, points) => `${halves(points / 2)}: ${grouped(count)}`).join(" \u00b7 ");
    byId("standings-body").append(element("p", { class: "note" }, text));
  }
  if (page.regularised && several) {
    byId("standings-body").append(element("p", { class: "note" },
      "The results alone have no best ratings, so a draw against a fictitious player was added for everyone."));
  }
}

const VERDICTS = {
  continue: "The test goes on.",
  h0: "The null hypothesis is accepted.",
  h1: "The alternative is accepted.",
};

function showTest() {
  const test = page.sprt;
  if (!test) return;
  byId("sprt").hidden = false;
  const [low, high] = test.bounds;
  const share = Math.min(1, Math.max(0, (test.ratio - low) / (high - low)));
  const needle = element("span", { class: "needle" });
  needle.style.left = `${100 * share}%`;
  const ratio = fixed(test.ratio, 2);
  const after = test.decided_after === null ? "" : `, decided after ${test.decided_after} games`;
  byId("sprt-body").append(
    element("p", {}, element("strong", {}, VERDICTS[test.verdict]),
      ` ${test.player} against ${test.opponent}: log-likelihood ratio ${ratio} between `
      + `${fixed(low, 2)} and ${fixed(high, 2)}${after}; elo0 ${fixed(test.elo0, 1)}, elo1 `
      + `${fixed(test.elo1, 1)}, ${test.model} model, alpha ${test.alpha}, beta ${test.beta}.`),
    element("div", { class: "gauge", role: "img",
      "aria-label": `log-likelihood ratio ${ratio} on the way from ${fixed(low, 2)} to ${fixed(high, 2)}` },
    element("span", {}, `H0 ${fixed(low, 2)}`), needle, element("span", {}, `H1 ${fixed(high, 2)}`)));
}

function showCrosstable() {
  const columns = [{ text: "#", class: "number" }, "Player",
    ...names.map((name, place) => ({ text: `${place + 1}`, title: name, class: "number" })),
    { text: "Points", class: "number" }];
  const cell = (entry, row, column) => {
    if (row === column) return element("td", { class: "number diagonal" }, "\u00d7");
    if (entry.games === 0) return numberCell(NONE, { class: "faint" });
    const title = `${names[row]} against ${names[column]}: +${entry.wins} =${entry.draws} `
      + `${MINUS}${entry.losses}, Elo ${estimate(entry.elo)}`;
    const share = entry.points / entry.games;
    const node = element("td", { class: "number cross", title },
      element("span", {}, halves(entry.points)),
      element("span", { class: "of" }, ` / ${grouped(entry.games)}`));
    node.style.setProperty("--share", `${Math.round(Math.abs(share - 0.5) * 60)}%`);
    node.classList.add(share >= 0.5 ? "above" : "below");
    return node;
  };
  const rows = page.crosstable.map((entries, row) => element("tr", {},
    numberCell(`${row + 1}`),
    element("th", { scope: "row", class: "name", title: names[row] }, names[row]),
    ...entries.map((entry, column) => cell(entry, row, column)),
    numberCell(halves(page.standings[row].points), { class: "strong" })));
  byId("crosstable-body").append(table("Points of the row against the column", columns, rows, "compact"),
    element("p", { class: "note" }, "Points of the row against the column, of so many games."));
}

function showEndings() {
  const number = (text, title) => ({ text, title, class: "number" });
  const columns = ["Ending", number("Games"), ...names.map((name) => ({
    text: name, title: `games that ${name} lost by this`, class: "number name" }))];
  const rows = page.terminations.map(([word, count]) => {
    const isFault = page.faults.includes(word);
    const cells = page.standings.map((row) => {
      const lost = row.faults[word] ?? 0;
      if (!isFault) return numberCell("", {});
      return numberCell(lost ? grouped(lost) : NONE, { class: lost ? "alarm" : "faint" });
    });
    return element("tr", {},
      element("th", { scope: "row" }, word, isFault ? element("span", { class: "tag" }, "fault") : null),
      numberCell(grouped(count)), ...cells);
  });
  if (page.broken_claims > 0) {
    rows.push(element("tr", {}, element("th", { scope: "row" }, "broken claims"),
      numberCell(grouped(page.broken_claims)),
      ...page.standings.map((row) => numberCell(row.broken_claims ? grouped(row.broken_claims) : NONE))));
  }
  byId("endings-body").append(table("How games ended, and who lost by a fault", columns, rows, "compact"),
    element("p", { class: "note" }, "Below each player: the games it lost by that fault."));
}
