//! `zermelo match --check-record`: checks the games of a record and prints their results.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::display::MatchDisplay;
use super::{Arguments, write_html};
use crate::arena::match_report::match_progress::MatchProgress;
use crate::arena::tournament::error::JournalError;
use crate::arena::tournament::evidence::PairStarts;
use crate::arena::tournament::journal;
use crate::arena::tournament::replay;
use crate::arena::tournament::scoreboard::Scoreboard;
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::arena::tournament::tournament_setup::TournamentSetup;
use crate::cli::error::CliError;
use crate::cli::{print_error, replace_file, require_distinct};
use crate::printing::{plural, printable_path};
use crate::records::{GameNumbers, GameRecord, RecordFormat, SCHEMA};
use crate::statistics::SprtVerdict;

/// Checks the games of a record against the rules and prints the results.
pub(super) fn run(path: &Path, arguments: &Arguments) -> Result<(), CliError> {
    let mut files = vec![("--check-record", path)];
    files.extend(arguments.files.named());
    require_distinct(&files)?;
    let (setup, mut games) = journal::read_games(path)?;
    if games.is_empty() {
        let reason = format!("{} contains no games, expected a record", printable_path(path));
        return Err(CliError::Usage(reason));
    }
    let mut pairs = PairStarts::default();
    let checked = match &setup {
        Some(setup) => journal::check_games(setup, &games),
        None => games.iter().try_for_each(|game| pairs.add(game)),
    };
    checked.map_err(|problem| JournalError::unusable(path, format_args!(": {problem}")))?;
    let mut invalid = 0;
    let numbers = GameNumbers::from_tags(games.iter().map(|game| game.number).collect());
    for (game, number) in games.iter_mut().zip(numbers.as_slice()) {
        if let Err(reason) = replay::check_and_correct(game) {
            print_error(&format_args!("{}, game {number}: {reason}", printable_path(path)));
            invalid += 1;
        }
    }
    write_results(setup.as_ref(), &games, arguments)?;
    match invalid {
        0 => Ok(()),
        invalid => {
            let verb = if invalid == 1 { "does" } else { "do" };
            let games = plural(invalid, "game");
            Err(CliError::Failed(format!("{games} {verb} not follow the rules")))
        }
    }
}

/// Writes the requested files, then prints the results: the files are written even if standard
/// output is closed.
pub(super) fn write_results(
    setup: Option<&TournamentSetup>,
    games: &[GameRecord],
    arguments: &Arguments,
) -> Result<(), CliError> {
    let test = arguments.sprt()?;
    let progress = MatchProgress::of_record(setup, games, test);
    let MatchProgress { scoreboard, sprt, .. } = &progress;
    if test.is_some() && sprt.is_none() {
        let players = plural(scoreboard.names().len(), "engine");
        let reason = format!("--sprt compares two engines, but the record has {players}");
        return Err(CliError::Usage(reason));
    }
    let sprt = sprt.as_ref();
    if let Some(jsonl) = &arguments.files.jsonl {
        write_record(jsonl, RecordFormat::Json, setup, games)?;
    }
    if let Some(path) = &arguments.files.report {
        write_html(path, &progress.report(setup, games))?;
    }
    let count = games.len() as u64;
    let mut display = MatchDisplay::new(None, Some(count), count);
    display.rated = setup.filter(|setup| setup.ladder.is_some()).cloned();
    display.print_results(scoreboard, sprt)?;
    if arguments.summary_json {
        let summary = ResultSummary::new(games.len(), scoreboard, sprt);
        let line = serde_json::to_string(&summary).map_err(io::Error::from)?;
        writeln!(io::stdout(), "{line}")?;
    }
    Ok(())
}

/// The line of JSON that `--summary-json` prints.
#[derive(Serialize)]
struct ResultSummary {
    schema: u32,
    games: usize,
    /// Wins of the first of two engines; `None` for other numbers of engines, as below.
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    /// The log-likelihood ratio at the decision, or the current one before it.
    llr: Option<f64>,
    decision: Option<&'static str>,
    /// The number of games that are not copies of earlier ones.
    distinct: u64,
    /// `copies` if the test stopped without a decision because of them.
    stopped: Option<&'static str>,
}

impl ResultSummary {
    fn new(games: usize, scoreboard: &Scoreboard, sprt: Option<&SprtProgress>) -> Self {
        let tally = match scoreboard.names().collect::<Vec<_>>().as_slice() {
            [first, second] => Some(scoreboard.tally(first, second)),
            _ => None,
        };
        let decision = sprt.and_then(|sprt| sprt.decision);
        Self {
            schema: SCHEMA,
            games,
            wins: tally.map(|tally| tally.wins),
            draws: tally.map(|tally| tally.draws),
            losses: tally.map(|tally| tally.losses),
            llr: sprt.map(|sprt| sprt.llr(scoreboard)),
            decision: decision.map(|decision| match decision.verdict {
                SprtVerdict::AcceptH1 => "h1",
                _ => "h0",
            }),
            distinct: scoreboard.distinct_games(),
            stopped: sprt.and_then(|sprt| sprt.stopped.as_ref()).map(|_| "copies"),
        }
    }
}

/// Writes a record or a file of JSON lines, with a header if there is a setup.
pub(super) fn write_record(
    path: &Path,
    format: RecordFormat,
    setup: Option<&TournamentSetup>,
    games: &[GameRecord],
) -> Result<(), CliError> {
    replace_file(path, |output| {
        let header = setup.map(|setup| format.header(setup)).unwrap_or_default();
        output.write_all(header.as_bytes())?;
        games.iter().try_for_each(|game| output.write_all(format.game(game).as_bytes()))?;
        Ok(())
    })
}
