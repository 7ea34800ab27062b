//! `zermelo match`: plays engines against each other.

mod arguments;
mod check_record;
mod display;
mod files;
mod merge;
mod rating;
mod shards;

use std::io;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::arena::engines::start_check::{StartedEngines, start_engines};
use crate::arena::games::game_choice::GameChoice;
use crate::arena::match_report::match_progress::MatchProgress;
use crate::arena::match_report::{HtmlReport, render_html};
use crate::arena::tournament::book::Book;
use crate::arena::tournament::error::JournalError;
use crate::arena::tournament::in_progress::GamesInProgress;
use crate::arena::tournament::journal::{self, Journal, RecordedGames};
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::arena::tournament::tournament_setup::TournamentSetup;
use crate::arena::tournament::workers::{Tournament, TournamentEvent};
use crate::cli::error::{CliError, INTERRUPTED};
use crate::cli::signals::StopSignal;
use crate::printing::{plural, printable_path};
use crate::records::RecordFormat;

pub(super) use arguments::Arguments;
use display::MatchDisplay;
pub(super) use files::MatchFiles;

pub(super) fn run(
    game: Option<GameChoice>,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
    let signal = StopSignal::install(INTERRUPTED.into())?;
    if arguments.check_record.is_some() || !arguments.merge.is_empty() {
        crate::cli::refuse_game_flag(game, "records name their games")?;
    }
    if let Some(path) = &arguments.check_record {
        return check_record::run(path, arguments);
    }
    if !arguments.merge.is_empty() {
        return merge::run(arguments);
    }
    let files = arguments.files.clone();
    // A pipe or a device cannot be resumed from.
    let earlier = files.journal().filter(|(path, _)| path.is_file());
    let earlier = earlier.and_then(|(path, _)| journal::read_setup(path).ok());
    let setup = arguments.setup(game, earlier.as_ref())?;
    files.check(&setup, log)?;
    if arguments.dry_run {
        return shards::print_plan(setup);
    }
    let mut played = Match::open(setup, files, arguments.game_range.as_ref(), &signal)?;
    played.display.names_openings = arguments.openings.is_none();
    match played.play()? {
        failures @ 1.. if arguments.strict => {
            let games = plural(failures, "game");
            Err(CliError::Failed(format!("an engine failed in {games} (--strict)")))
        }
        _ => Ok(()),
    }
}

enum StopReason {
    /// The SPRT has ended.
    Decided,
    /// A file cannot be written.
    Journal(JournalError),
    Output(io::Error),
}

/// A match that is played, recorded and displayed.
pub(super) struct Match {
    tournament: Tournament,
    engines: StartedEngines,
    files: MatchFiles,
    journal: Journal,
    recorded: RecordedGames,
    progress: MatchProgress,
    pub(super) display: MatchDisplay,
}

impl Match {
    /// Reads the openings and the games of earlier runs, starts the engines if a game is left to
    /// play, and only then writes to the files, so that nothing is recorded if an engine cannot play.
    /// `game_range` has the games to play, if not all.
    pub(super) fn open(
        mut setup: TournamentSetup,
        files: MatchFiles,
        game_range: Option<&RangeInclusive<u32>>,
        signal: &StopSignal,
    ) -> Result<Self, CliError> {
        shards::warn_about_cap(&setup);
        let shard = game_range.map(|games| shards::select_games(&setup, games)).transpose()?;
        files::check_engine_logs(&setup)?;
        let book = Book::open(&setup)?;
        book.note_digest(&mut setup)?;
        // Before this point a signal may end the process at once, even while it reads from a pipe.
        let stop = signal.shut_down_cleanly();
        let in_progress = files.journal().map(|(journal, _)| GamesInProgress::new(journal));
        let tournament = Tournament { setup, book, shard, stop, in_progress };
        let Tournament { setup, shard, .. } = &tournament;
        let keep_games = files.report.is_some() && files.journal().is_none();
        let mut progress = MatchProgress::new(setup, keep_games);
        if shard.is_some() {
            // The SPRT is decided over all shards, when they are merged.
            progress.sprt = None;
        }
        let recorded = Journal::read(setup, files.journal(), &mut |game| {
            progress.add(game);
        })?;
        let engines = if tournament.is_finished(recorded.games()) {
            StartedEngines::default()
        } else {
            // The references of a ladder are this program and need no check.
            let checked = if setup.ladder.is_some() { 1 } else { setup.engines.len() };
            start_engines(&setup.engines[..checked], &tournament.engine_conditions())?
        };
        let (journal, recorded) = recorded.open()?;
        let earlier = match shard {
            Some(shard) => recorded.games.keys().filter(|number| shard.contains(number)).count(),
            None => recorded.games.len(),
        } as u64;
        let total = tournament.schedule().total();
        let mut display = MatchDisplay::new(shard.clone(), total, earlier);
        display.rated = setup.ladder.is_some().then(|| setup.clone());
        Ok(Self { tournament, engines, files, journal, recorded, progress, display })
    }

    /// Plays the games that are left and shows the results; returns the number of games in which an engine failed.
    pub(super) fn play(mut self) -> Result<usize, CliError> {
        let is_decided = self.progress.sprt.as_ref().is_some_and(SprtProgress::has_ended);
        let played = match self.display.print_title(&self.tournament.setup) {
            Err(error) => Ok(Some(StopReason::Output(error))),
            Ok(()) if is_decided => Ok(Some(StopReason::Decided)),
            Ok(()) => self.play_games(),
        };
        // The results so far are shown even after an error.
        let shown =
            self.display.print_results(&self.progress.scoreboard, self.progress.sprt.as_ref());
        let written = self.write_files();
        let is_interrupted = self.tournament.stop.load(Ordering::Relaxed);
        // Why the match ended matters more than a file that cannot be written.
        match (played?, written) {
            (Some(StopReason::Journal(error)), _) => return Err(error.into()),
            (Some(StopReason::Output(error)), _) => return Err(error.into()),
            (_, Err(error)) if is_interrupted => crate::cli::print_error(&error),
            (_, written) => written?,
        }
        match shown {
            _ if is_interrupted => {
                let hint = match self.files.journal() {
                    Some((path, _)) => {
                        format!("; run the same command again to resume {}", printable_path(path))
                    }
                    None => String::new(),
                };
                Err(CliError::Interrupted(format!("interrupted{hint}")))
            }
            shown => Ok(shown.map(|()| self.progress.failures)?),
        }
    }

    /// Writes the JSON lines and the report of a match that has ended or was interrupted.
    fn write_files(&self) -> Result<(), CliError> {
        let MatchFiles { record, jsonl, report } = &self.files;
        if let (Some(record), Some(jsonl)) = (record, jsonl) {
            let (setup, games) = journal::read_games(record)?;
            check_record::write_record(jsonl, RecordFormat::Json, setup.as_ref(), &games)?;
        }
        let Some(report) = report else { return Ok(()) };
        let setup = Some(&self.tournament.setup);
        let games = match (self.files.journal(), &self.progress.games) {
            (Some((journal, _)), _) => journal::read_games(journal)?.1,
            (None, kept) => kept.clone().unwrap_or_default(),
        };
        write_html(report, &self.progress.report(setup, &games))
    }

    /// Plays the remaining games; returns why it stopped early, if it did.
    fn play_games(&mut self) -> Result<Option<StopReason>, CliError> {
        let Self { tournament, journal, progress, display, recorded, engines, .. } = self;
        let observe = |event: TournamentEvent| {
            let (shown, is_decided) = match event {
                TournamentEvent::GameFinished(game) => {
                    if let Err(error) = journal.add(&game) {
                        return ControlFlow::Break(StopReason::Journal(error));
                    }
                    let is_decided = progress.add(&game);
                    let MatchProgress { scoreboard, sprt, .. } = &*progress;
                    (display.print_game(&game, scoreboard, sprt.as_ref()), is_decided)
                }
                TournamentEvent::Warning(warning) => (display.print_line(&warning), false),
            };
            match shown {
                Err(error) => ControlFlow::Break(StopReason::Output(error)),
                Ok(()) if is_decided => ControlFlow::Break(StopReason::Decided),
                Ok(()) => ControlFlow::Continue(()),
            }
        };
        let stopped = tournament.play(std::mem::take(engines), recorded, observe);
        let finished = journal.finish();
        Ok(match stopped? {
            None => finished.err().map(StopReason::Journal),
            stopped => stopped,
        })
    }
}

fn write_html(path: &Path, report: &HtmlReport<'_>) -> Result<(), CliError> {
    crate::cli::replace_file(path, |output| Ok(output.write_all(render_html(report).as_bytes())?))
}
