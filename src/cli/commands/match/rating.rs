//! The results of a ladder: the rating, how it came about, and a line to paste into a README.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::arena::tournament::ladder_rating::{LadderRating, ReferenceResult};
use crate::arena::tournament::scoreboard::Scoreboard;
use crate::arena::tournament::tournament_setup::TournamentSetup;
use crate::document::columns::format_table;
use crate::printing::{decimal, plural, printable};
use crate::records::SCHEMA;
use crate::scale::Ladder;

/// Writes the rating of the first engine as text.
pub(super) fn write_text(
    out: &mut dyn Write,
    setup: &TournamentSetup,
    ladder: &Ladder,
    scoreboard: &Scoreboard,
) -> io::Result<()> {
    let rating = LadderRating::new(ladder, scoreboard);
    let name = printable(&rating.engine.name);
    let games = plural(rating.engine.tally.games(), "game");
    writeln!(out, "\n{}\n", table(&rating))?;
    writeln!(out, "{name}: {} Elo in {}, {games}", rating.text(), setup.game)?;
    let faults: Vec<String> =
        rating.engine.faults.iter().map(|(word, count)| format!("{word} {count}")).collect();
    let faults = if faults.is_empty() { "none".to_owned() } else { faults.join(", ") };
    writeln!(out, "Games lost by faults of {name}: {faults}")?;
    for opponent in rating.references.iter().filter(|opponent| is_unexpected(&rating, opponent)) {
        let ReferenceResult { name, tally, .. } = opponent;
        let (points, games) = (tally.points(), tally.games());
        let expected = rating.expected(opponent) * games as f64;
        writeln!(
            out,
            "Unexpected: {points} of {games} points against {name} instead of {expected:.1}"
        )?;
    }
    if rating.is_bound {
        let verb = if rating.engine.tally.points() > 0.0 { "won" } else { "lost" };
        writeln!(out, "It {verb} every game, so this is only a bound.")?;
    } else if !rating.is_precise {
        let precision = ladder.precision;
        let max_games = setup.rounds * setup.games;
        let has_ended = rating.engine.tally.games() >= max_games.into();
        let more =
            if has_ended { format!(" with --max-games above {max_games}") } else { String::new() };
        writeln!(out, "For ± {precision} run the same command again{more}.")?;
    }
    writeln!(out, "For a README: {}", readme_line(setup, &rating))
}

/// The references by strength, with the results against them and the expected scores.
fn table(rating: &LadderRating) -> String {
    let header = ["reference", "Elo", "games", "points", "%", "expected %"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut opponents: Vec<&ReferenceResult> = rating.references.iter().collect();
    opponents.sort_by(|one, other| other.reference.elo.total_cmp(&one.reference.elo));
    for opponent in opponents {
        let ReferenceResult { name, reference, tally } = opponent;
        let games = tally.games();
        let share = (games > 0).then(|| decimal(100.0 * tally.points() / games as f64, 1));
        rows.push(vec![
            name.clone(),
            format!("{} ± {}", reference.elo, reference.margin),
            games.to_string(),
            tally.points().to_string(),
            share.unwrap_or_else(|| "-".to_owned()),
            decimal(100.0 * rating.expected(opponent), 1),
        ]);
    }
    format_table(&rows, &[1, 2, 3, 4, 5]).join("\n")
}

/// Whether chance alone hardly explains the score against a reference: it suits the engine or not, or its
/// rating is wrong.
fn is_unexpected(rating: &LadderRating, opponent: &ReferenceResult) -> bool {
    /// In standard deviations of independent, decisive games.
    const LIMIT: f64 = 3.0;
    let (games, expected) = (opponent.tally.games() as f64, rating.expected(opponent));
    let deviation = (opponent.tally.points() - games * expected).abs();
    deviation > LIMIT * (games * expected * (1.0 - expected)).sqrt().max(0.5)
}

fn readme_line(setup: &TournamentSetup, rating: &LadderRating) -> String {
    let games = plural(rating.engine.tally.games(), "game");
    let limits = setup.engines.first().map(|engine| engine.limits.to_string()).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "**{} Elo** in ultimate tic-tac-toe (`{}`), {limits}, {games}, `zermelo rate` {version}",
        rating.text(),
        setup.game
    )
}

#[derive(Serialize)]
struct RatingSummary<'a> {
    schema: u32,
    game: &'a str,
    engine: &'a str,
    limits: String,
    elo: f64,
    /// The 95 % interval.
    interval: [f64; 2],
    /// `below` or `above` if the engine lost or won every game, so that only that end of the interval
    /// means anything.
    bound: Option<&'static str>,
    precision: f64,
    is_precise: bool,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The number of games lost by each fault.
    faults: BTreeMap<&'static str, u64>,
    references: Vec<ReferenceSummary<'a>>,
    readme: String,
}

#[derive(Serialize)]
struct ReferenceSummary<'a> {
    name: &'a str,
    elo: f64,
    margin: f64,
    games: u64,
    points: f64,
    expected: f64,
    is_unexpected: bool,
}

/// Returns the rating of the first engine as JSON.
pub(super) fn json(
    setup: &TournamentSetup,
    ladder: &Ladder,
    scoreboard: &Scoreboard,
) -> serde_json::Result<String> {
    let rating = LadderRating::new(ladder, scoreboard);
    let tally = &rating.engine.tally;
    let references = rating.references.iter().map(|opponent| ReferenceSummary {
        name: &opponent.name,
        elo: opponent.reference.elo,
        margin: opponent.reference.margin,
        games: opponent.tally.games(),
        points: opponent.tally.points(),
        expected: rating.expected(opponent),
        is_unexpected: is_unexpected(&rating, opponent),
    });
    let side = if tally.points() > 0.0 { "above" } else { "below" };
    let faults = rating.engine.faults.iter().map(|(fault, count)| (fault.as_str(), *count));
    serde_json::to_string(&RatingSummary {
        schema: SCHEMA,
        game: setup.game.name(),
        engine: &rating.engine.name,
        limits: setup.engines.first().map(|engine| engine.limits.to_string()).unwrap_or_default(),
        elo: rating.estimate.value,
        interval: [rating.estimate.low, rating.estimate.high],
        bound: rating.is_bound.then_some(side),
        precision: ladder.precision,
        is_precise: rating.is_precise,
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        faults: faults.collect(),
        references: references.collect(),
        readme: readme_line(setup, &rating),
    })
}
