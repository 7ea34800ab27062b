// The curves of a game over its plies.

/** Charts the first player's expected score, proven and estimated values apart, with the mistakes. */
function expectedGraph(figure, game) {
  if (!game.expected) {
    figure.hidden = true;
    return { setMarker() {} };
  }
  const points = (isProven) =>
    game.expected.flatMap((value, ply) => (value && value[1] === isProven ? [[ply, value[0]]] : []));
  const series = [
    ["estimated", false],
    ["proven", true],
  ]
    .map(([name, isProven], style) => ({
      name: t(name),
      style,
      points: points(isProven),
      text: (ply) => percent(game.expected[ply][0], 0),
    }))
    .filter(({ points: own }) => own.length > 0);
  const ticks = [
    [0, t("loss")],
    [0.25, "25\u202f%"],
    [0.5, t("draw")],
    [0.75, "75\u202f%"],
    [1, t("win")],
  ];
  return gameCurve(figure, game, {
    title: t("Expected score of the first player"),
    series,
    ticks,
    range: [-0.03, 1.03],
    lines: [[0.5, ""]],
    marks: (game.marks ?? []).flatMap((mark, index) => {
      const value = game.expected[index + 1];
      return mark && mark !== "!" && value ? [[index + 1, value[0], mark, MARKS[mark].class]] : [];
    }),
    format: (y) => percent(y, 0),
  });
}

/** Draws a curve of scores over the plies of a game; a click opens the ply. */
function gameCurve(figure, game, chart) {
  return lineChart(figure, {
    xName: t("ply"),
    yName: t("score"),
    words: CHART_WORDS,
    domain: [0, Math.max(2, game.moves.length)],
    height: 190,
    pick: stepTo,
    ...chart,
  });
}

/** Compresses a score into -1 to 1, so that small differences stay visible and mates fit. */
function compressed(units) {
  return units / (Math.abs(units) + 3);
}

/** Charts the scores of both engines from the first player's point of view. */
function scoreGraph(figure, game) {
  const height = (score, side) => {
    const sign = side === 0 ? 1 : -1;
    if (score.mate !== undefined) return sign * (score.mate < 0 ? -1 : 1);
    return sign * compressed(score.cp / 100) * 0.97;
  };
  const points = (side) =>
    game.moves.flatMap((_, index) => {
      const score = game.scores?.[index];
      return score && sideOf(game, index) === side ? [[index + 1, height(score, side)]] : [];
    });
  const series = [0, 1]
    .map((side) => ({
      name: playerName(game.players[side]),
      style: side,
      points: points(side),
      text: (x) => scoreText(game.scores[x - 1]),
    }))
    .filter(({ points: own }) => own.length > 0);
  if (series.length === 0) {
    figure.hidden = true;
    return { setMarker() {} };
  }
  const units = [-10, -3, -1, 0, 1, 3, 10];
  const ticks = [
    [1, t("win")],
    ...units.map((unit) => [compressed(unit) * 0.97, unit === 0 ? "0" : signed(unit, 0)]),
    [-1, t("loss")],
  ];
  return gameCurve(figure, game, {
    title: t("Scores from the first player\u2019s point of view"),
    series,
    ticks,
    range: [-1.06, 1.06],
    lines: [[0, ""]],
    format: (y) => fixed(y, 2),
  });
}
