//! The accumulated results of a match, and how reports describe it.

use std::collections::HashMap;
use std::path::Path;

use super::{HtmlReport, data_json};
use crate::arena::tournament::error::JournalError;
use crate::arena::tournament::journal;
use crate::arena::tournament::ladder_rating::{LadderRating, ReferenceResult};
use crate::arena::tournament::scoreboard::Scoreboard;
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::arena::tournament::tournament_setup::{TournamentFormat, TournamentSetup};
use crate::printing::plural;
use crate::records::{GameRecord, Termination};
use crate::statistics::{ObservationUnit, Sprt};

#[derive(Debug, Clone)]
pub(crate) struct MatchProgress {
    pub scoreboard: Scoreboard,
    pub sprt: Option<SprtProgress>,
    /// The number of games in which an engine failed.
    pub failures: usize,
    /// The games, if no file keeps them for the report.
    pub games: Option<Vec<GameRecord>>,
}

impl MatchProgress {
    pub(crate) fn new(setup: &TournamentSetup, keep_games: bool) -> Self {
        let names: Vec<&str> = setup.engines.iter().map(|engine| engine.name.as_str()).collect();
        Self {
            sprt: setup.sprt.and_then(|test| SprtProgress::new(test, &names)),
            scoreboard: Scoreboard::new(names, observation_unit(setup)),
            failures: 0,
            games: keep_games.then(Vec::new),
        }
    }

    /// Returns the results of a record. Without the setup of its match, the games tell whether they
    /// come in pairs. `test` replaces the SPRT of the setup.
    pub(crate) fn of_record(
        setup: Option<&TournamentSetup>,
        games: &[GameRecord],
        test: Option<Sprt>,
    ) -> Self {
        let mut progress = match setup {
            Some(setup) => Self::new(setup, false),
            None => {
                let players = games.iter().flat_map(|game| &game.players);
                let scoreboard = Scoreboard::new(players, guess_unit(games));
                Self { scoreboard, sprt: None, failures: 0, games: None }
            }
        };
        if let Some(test) = test {
            let names: Vec<&str> = progress.scoreboard.names().collect();
            progress.sprt = SprtProgress::new(test, &names);
        }
        for game in games {
            progress.add(game);
        }
        progress
    }

    /// Adds a game; returns whether the SPRT has ended.
    pub(crate) fn add(&mut self, game: &GameRecord) -> bool {
        self.scoreboard.add(game);
        // In a disagreement one engine is wrong, although nobody can say which.
        let has_failure =
            game.player_at_fault().is_some() || game.termination == Termination::Disagreement;
        self.failures += usize::from(has_failure);
        if let Some(games) = &mut self.games {
            games.push(game.clone());
        }
        self.sprt.as_mut().is_some_and(|sprt| sprt.update(&self.scoreboard))
    }

    pub(crate) fn report<'a>(
        &'a self,
        setup: Option<&TournamentSetup>,
        games: &'a [GameRecord],
    ) -> HtmlReport<'a> {
        let Self { scoreboard, sprt, .. } = self;
        let first = games.first().map_or("", |game| game.game.as_str());
        let game = setup.map_or(first, |setup| setup.game.name());
        let ladder = setup.and_then(|setup| setup.ladder.as_ref());
        let rating = ladder.map(|ladder| LadderRating::new(ladder, scoreboard));
        let title = match scoreboard.names().collect::<Vec<_>>().as_slice() {
            [engine, ..] if rating.is_some() => format!("The rating of {engine}: {game}"),
            [first, second] => format!("{first} against {second}: {game}"),
            names => format!("{} engines: {game}", names.len()),
        };
        let mut rows = Vec::new();
        rows.extend(rating.iter().flat_map(describe_rating));
        rows.extend(setup.into_iter().flat_map(describe_setup));
        HtmlReport { title, setup: rows, scoreboard, sprt: sprt.as_ref(), games }
    }
}

/// Returns pairs as the unit of observation if every game belongs to a pair.
fn observation_unit(setup: &TournamentSetup) -> ObservationUnit {
    if setup.repeat && setup.games.is_multiple_of(2) {
        ObservationUnit::Pairs
    } else {
        ObservationUnit::Games
    }
}

/// Guesses the unit of observation of a record without a header: pairs if games come in pairs.
fn guess_unit(games: &[GameRecord]) -> ObservationUnit {
    let mut sizes: HashMap<u32, u32> = HashMap::new();
    for game in games.iter().filter(|game| game.pair > 0) {
        *sizes.entry(game.pair).or_default() += 1;
    }
    if sizes.values().any(|size| *size == 2) {
        ObservationUnit::Pairs
    } else {
        ObservationUnit::Games
    }
}

/// Describes the rating of an engine for the report, as labels and values.
fn describe_rating(rating: &LadderRating) -> [(String, String); 2] {
    let mut opponents: Vec<_> = rating.references.iter().collect();
    opponents.sort_by(|one, other| other.reference.elo.total_cmp(&one.reference.elo));
    let expected = |opponent: &&ReferenceResult| {
        format!("{} {:.0} %", opponent.name, 100.0 * rating.expected(opponent))
    };
    let expected: Vec<String> = opponents.iter().map(expected).collect();
    [("Elo".to_owned(), rating.text()), ("Expected scores".to_owned(), expected.join(", "))]
}

/// Describes the setup for the report, as labels and values.
fn describe_setup(setup: &TournamentSetup) -> Vec<(String, String)> {
    let mut rows = vec![
        ("Game".to_owned(), setup.game.to_string()),
        ("Tournament".to_owned(), describe_format(setup)),
        ("Openings".to_owned(), setup.openings.to_string()),
        ("Seed".to_owned(), setup.seed.to_string()),
    ];
    for engine in &setup.engines {
        let mut words = vec![engine.cmd.clone()];
        words.extend(engine.args.iter().cloned());
        words.extend(engine.options.iter().map(|(name, value)| format!("{name}={value}")));
        words.push(engine.limits.to_string());
        rows.push((engine.name.clone(), words.join(" ")));
    }
    rows
}

pub(crate) fn describe_format(setup: &TournamentSetup) -> String {
    let (count, rounds, games) = (setup.engines.len(), setup.rounds, setup.games);
    let kind = match setup.tournament {
        TournamentFormat::RoundRobin if count == 2 => "match",
        TournamentFormat::RoundRobin => "round robin",
        TournamentFormat::Gauntlet => "gauntlet",
        TournamentFormat::Ladder => {
            let references = plural(count - 1, "reference");
            return format!(
                "ladder of {references}, at most {} games",
                u64::from(rounds) * u64::from(games)
            );
        }
    };
    format!("{kind} of {count} engines, {} of {}", plural(rounds, "round"), plural(games, "game"))
}

/// Reads the record of a match, which may still be running, and returns the data of its report as
/// JSON.
/// Fails if the file cannot be read or is not a record.
pub fn record_report(path: &Path) -> Result<String, JournalError> {
    let (setup, games) = journal::read_games(path)?;
    let progress = MatchProgress::of_record(setup.as_ref(), &games, None);
    Ok(data_json(&progress.report(setup.as_ref(), &games)))
}
