//! `zermelo match --rescore`: a record looked at again.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::{
    Arguments, MatchProgress, SettingsError, describe, display::MatchDisplay, read_record,
    title_of, write_page,
};
use crate::arena::journal::{self, RecordFormat};
use crate::arena::record::{GameRecord, SCHEMA};
use crate::arena::report::HtmlReport;
use crate::arena::rescore;
use crate::arena::scoreboard::Scoreboard;
use crate::arena::setup::TournamentSetup;
use crate::arena::sprt_progress::SprtProgress;
use crate::arena::statistics::{ObservationUnit, ScoreTally, SprtVerdict};
use crate::cli::{CliError, print_error, replace_file, require_distinct};

/// Checks the games of a record and tells what they come to.
pub(super) fn run(path: &Path, arguments: &Arguments) -> Result<(), CliError> {
    let written = [("--json", &arguments.json), ("--report", &arguments.report)];
    let written = written.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?)));
    let places: Vec<_> = [("--rescore", path)].into_iter().chain(written).collect();
    require_distinct(&places)?;
    let mut games = read_record(path)?;
    if games.is_empty() {
        let reason = format!("{} holds no game, expected a record", path.display());
        return Err(SettingsError::Together(reason).into());
    }
    let mut wrong = 0;
    for game in &mut games {
        if let Err(reason) = rescore::correct(game) {
            print_error(&format_args!("{}, game {}: {reason}", path.display(), game.number));
            wrong += 1;
        }
    }
    tell(journal::read_setup(path).ok().as_ref(), &games, arguments)?;
    match wrong {
        0 => Ok(()),
        wrong => Err(CliError::Failed(format!("{wrong} game(s) do not follow the rules"))),
    }
}

/// Writes what games come to where it was asked for, then tells it: files do not depend on who listens.
pub(super) fn tell(
    setup: Option<&TournamentSetup>,
    games: &[GameRecord],
    arguments: &Arguments,
) -> Result<(), CliError> {
    let mut so_far = match setup {
        Some(setup) => MatchProgress::new(setup, false),
        None => {
            let nobody: [String; 0] = [];
            let scoreboard = Scoreboard::new(nobody, guess_unit(games));
            MatchProgress { scoreboard, trial: None, games: None }
        }
    };
    for game in games {
        so_far.add(game);
    }
    let MatchProgress { scoreboard, trial, .. } = &so_far;
    if let Some(json) = &arguments.json {
        write_json(json, setup, games)?;
    }
    if let Some(page) = &arguments.report {
        let title = title_of(scoreboard, games.first().map_or("", |game| game.game.as_str()));
        let setup = setup.map(describe).unwrap_or_default();
        let trial = trial.as_ref();
        write_page(
            page,
            &HtmlReport { title: &title, setup: &setup, scoreboard, sprt: trial, games },
        )?;
    }
    MatchDisplay::of_record(games.len() as u64).end(scoreboard, trial.as_ref())?;
    if arguments.verdict {
        let summary = Summary::of(games.len(), scoreboard, trial.as_ref());
        let line = serde_json::to_string(&summary).map_err(io::Error::from)?;
        writeln!(io::stdout(), "{line}")?;
    }
    Ok(())
}

/// What a script has to know of games, in a line.
#[derive(Serialize)]
struct Summary {
    schema: u32,
    games: usize,
    /// Of the first engine, where there are two.
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    /// As it was when the test decided; while it has not, as it is.
    llr: Option<f64>,
    decision: Option<&'static str>,
}

impl Summary {
    fn of(games: usize, scoreboard: &Scoreboard, trial: Option<&SprtProgress>) -> Self {
        let tally = match scoreboard.names().collect::<Vec<_>>().as_slice() {
            [first, second] => Some(scoreboard.tally(first, second)),
            _ => None,
        };
        let decision = trial.and_then(|trial| trial.decision);
        Self {
            schema: SCHEMA,
            games,
            wins: tally.as_ref().map(ScoreTally::wins),
            draws: tally.as_ref().map(ScoreTally::draws),
            losses: tally.as_ref().map(ScoreTally::losses),
            llr: trial.map(|trial| trial.llr(scoreboard)),
            decision: decision.map(|decision| match decision.verdict {
                SprtVerdict::AcceptH1 => "h1",
                _ => "h0",
            }),
        }
    }
}

/// Where no head tells: pairs, if games come in pairs.
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

fn write_json(
    path: &Path,
    setup: Option<&TournamentSetup>,
    games: &[GameRecord],
) -> Result<(), CliError> {
    replace_file(path, |output| {
        let head = setup.map(|setup| RecordFormat::Json.head(setup)).unwrap_or_default();
        output.write_all(head.as_bytes())?;
        for game in games {
            output.write_all(RecordFormat::Json.game(game).as_bytes())?;
        }
        Ok(())
    })
}
