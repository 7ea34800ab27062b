// The header and the tables: standings, SPRT, crosstable, terminations.

function showHeader() {
  byId("title").append(page.title);
  byId("lead").append(summaryText());
  byId("warnings").append(...page.warnings.map((lines) =>
    element("div", { class: "notice" }, ...lines.map((line) => element("p", {}, line)))));
  byId("setup").append(...page.setup.map(([label, value]) =>
    element("div", {}, element("dt", {}, label), element("dd", {}, value))));
}

/** Summarizes the outcome in one sentence. */
function summaryText() {
  if (page.counted === 0) return "No finished games yet.";
  const [best, other] = page.standings;
  const copies = ` Distinct games: ${grouped(page.distinct)} of ${grouped(page.counted)}.`;
  const unscored = copies
    + (page.uncounted > 0 ? ` ${grouped(page.uncounted)} more without a result.` : "");
  if (page.standings.length === 2) {
    const confidence = `likelihood of superiority ${percent(best.superiority)}`;
    return `${best.name} scored ${pointsText(best.points)} of ${grouped(best.games)} points against `
      + `${other.name}: Elo ${estimate(best.elo)}, ${confidence}.${unscored}`;
  }
  return `${grouped(page.counted)} games between ${page.standings.length} players. `
    + `${best.name} leads with ${pointsText(best.points)} of ${grouped(best.games)} points.${unscored}`;
}

/** Draws wins, draws and losses as a bar. */
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
    number("Score"),
    number("Elo", "against the field, with 95 % confidence interval"),
    ...(several ? [number("Rating", "maximum likelihood rating on one scale, with 95 % confidence interval")] : []),
    number("Faults", "games lost by a fault"),
    number("Broken claims"), number("Time/move"), number("Max over", "largest excess over the time limit"),
    number("Depth", "mean of the reported depths")];
  const rows = page.standings.map((row, place) => element("tr", {},
    numberCell(`${place + 1}`),
    element("th", { scope: "row", class: "name", title: row.name }, row.name),
    numberCell(grouped(row.games)), numberCell(grouped(row.wins)),
    numberCell(grouped(row.draws)), numberCell(grouped(row.losses)),
    element("td", { class: "bar-column" }, resultBar(row)),
    numberCell(pointsText(row.points), { class: "strong" }),
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
    const text = `Game pairs by points of ${names[0]}: `
      + pairs.map((count, points) => `${pointsText(points / 2)}: ${grouped(count)}`).join(" \u00b7 ");
    byId("standings-body").append(element("p", { class: "note" }, text));
  }
  if (several) {
    byId("standings-body").append(element("p", { class: "note" },
      "Elo is the difference to the opponents met. Ratings place all players on one scale with an "
      + "average of 0; the difference of two ratings is their Elo difference."));
  }
  if (page.regularised && several) {
    byId("standings-body").append(element("p", { class: "note" },
      "A player won or lost every game; ratings include one virtual draw per player."));
  }
}

const OPEN_VERDICTS = {
  continue: "The test is undecided.",
  copies: "The test stopped without a verdict: too many games are copies of earlier ones.",
};

function showSprt() {
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
    element("p", {}, element("strong", {}, test.conclusion === null ? OPEN_VERDICTS[test.verdict] : `${test.conclusion}.`),
      ` ${test.player} against ${test.opponent}: log-likelihood ratio ${ratio} between `
      + `${fixed(low, 2)} and ${fixed(high, 2)}${after}; elo0 ${fixed(test.elo0, 1)}, elo1 `
      + `${fixed(test.elo1, 1)}, ${test.model} model, alpha ${test.alpha}, beta ${test.beta}.`),
    element("div", { class: "gauge", role: "img",
      "aria-label": `log-likelihood ratio ${ratio} between ${fixed(low, 2)} and ${fixed(high, 2)}` },
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
      element("span", {}, pointsText(entry.points)),
      element("span", { class: "games-played" }, ` / ${grouped(entry.games)}`));
    node.style.setProperty("--share", `${Math.round(Math.abs(share - 0.5) * 60)}%`);
    node.classList.add(share >= 0.5 ? "above" : "below");
    return node;
  };
  const rows = page.crosstable.map((entries, row) => element("tr", {},
    numberCell(`${row + 1}`),
    element("th", { scope: "row", class: "name", title: names[row] }, names[row]),
    ...entries.map((entry, column) => cell(entry, row, column)),
    numberCell(pointsText(page.standings[row].points), { class: "strong" })));
  byId("crosstable-body").append(table("Points of the row against the column", columns, rows, "compact"),
    element("p", { class: "note" }, "Points of the row against the column / games."));
}

function showTerminations() {
  const number = (text, title) => ({ text, title, class: "number" });
  const columns = ["Termination", number("Games"), ...names.map((name) => ({
    text: name, title: `games lost by ${name} this way`, class: "number name" }))];
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
  byId("endings-body").append(table("Terminations, and games lost by faults", columns, rows, "compact"),
    element("p", { class: "note" }, "Player columns count the games lost by that fault."));
}
