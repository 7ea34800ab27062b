// The charts of a tournament.

function curve({ player, points }) {
  return { name: playerName(player), style: player, points };
}

function figure(options) {
  const node = element("figure", { class: options.wide ? "wide" : "" });
  byId("curves-body").append(node);
  lineChart(node, options);
}

function showCurves() {
  const two = page.standings.length === 2;
  const elo = page.elo.map(curve);
  if (two && elo.length) elo[0].name = `${names[0]} against ${names[1]}`;
  const rounded = (y) => (Math.abs(y) < 0.5 ? "0" : signed(y, 0));
  figure({ title: two ? "Elo with 95 % confidence interval" : "Elo against the field with 95 % confidence interval",
    xName: "games", yName: "Elo", series: elo, format: rounded, lines: [[0, ""]], wide: true });
  if (page.sprt) {
    const { curve: path, bounds: [low, high], player, opponent } = page.sprt;
    figure({ title: "Log-likelihood ratio of the SPRT", xName: "games", yName: "LLR",
      series: [{ name: `${player} against ${opponent}`, style: 0, points: path.points }],
      lines: [[low, "H0"], [high, "H1"]], format: (y) => fixed(y, 1), wide: true });
  }
  figure({ title: "Mean time per move", xName: "ply", yName: "time", series: page.time.map(curve),
    format: (y) => (y === 0 ? "0" : duration(y)), lines: [[0, ""]] });
  figure({ title: "Mean depth", xName: "ply", yName: "depth", series: page.depth.map(curve),
    format: (y) => fixed(y, Number.isInteger(y) ? 0 : 1), lines: [[0, ""]] });
}
