//! `zermelo match`: plays engines against each other.

mod arguments;
mod display;
mod merge;
mod rating;
mod rescore;
mod setup;
mod shards;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::arena::engines::start_check::{StartedEngines, start_engines};
use crate::arena::games::rules::Rules;
use crate::arena::report::progress::MatchProgress;
use crate::arena::report::{self, HtmlReport};
use crate::arena::tournament::book::Book;
use crate::arena::tournament::error::JournalError;
use crate::arena::tournament::in_progress::GamesInProgress;
use crate::arena::tournament::journal::{self, Journal, RecordedGames};
use crate::arena::tournament::run::{Tournament, TournamentEvent};
use crate::arena::tournament::settings::{MatchSettings, SettingsError};
use crate::arena::tournament::setup::TournamentSetup;
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::cli::error::{CliError, INTERRUPTED};
use crate::cli::signals::StopSignal;
use crate::printing::{plural, printable_path};
use crate::records::RecordFormat;

pub(super) use arguments::Arguments;
use display::MatchDisplay;
use setup::MatchSetup;
pub(super) use setup::check_folder;

pub(super) fn run(
    game: Option<Rules>,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
    let signal = StopSignal::install(INTERRUPTED.into())?;
    if arguments.rescore.is_some() || !arguments.merge.is_empty() {
        crate::cli::refuse_game_flag(game, "records name their games")?;
    }
    if let Some(path) = &arguments.rescore {
        return rescore::run(path, arguments);
    }
    if !arguments.merge.is_empty() {
        return merge::run(arguments);
    }
    if arguments.verdict {
        let reason = "--verdict needs --merge FILE... or --rescore FILE".to_owned();
        return Err(SettingsError::Invalid(reason).into());
    }
    let setup = setup::resolve(game, arguments, log)?;
    if arguments.plan {
        return shards::print_plan(setup.setup, setup.rules);
    }
    Match::open(setup, &signal)?.play()
}

/// Plays a ladder, or resumes it from its record; with `prints_json`, prints only the rating as JSON.
pub(super) fn play_ladder(
    setup: TournamentSetup,
    rules: Rules,
    settings: MatchSettings,
    log: Option<&str>,
    prints_json: bool,
) -> Result<(), CliError> {
    let signal = StopSignal::install(INTERRUPTED.into())?;
    setup::check_files(&setup, &settings, None, log)?;
    let setup = MatchSetup { prints_json, ..MatchSetup::new(setup, rules, settings) };
    Match::open(setup, &signal)?.play()
}

/// Why no more games are started.
enum StopReason {
    /// The SPRT has ended.
    Decided,
    /// A file cannot be written.
    Journal(JournalError),
    /// Standard output is closed.
    Output(io::Error),
}

/// A match that is played, recorded and displayed.
struct Match {
    tournament: Tournament,
    engines: StartedEngines,
    is_strict: bool,
    settings: MatchSettings,
    journal: Journal,
    recorded: RecordedGames,
    progress: MatchProgress,
    display: MatchDisplay,
}

impl Match {
    /// Reads the openings and the games of earlier runs, starts the engines if a game is left to
    /// play, and only then writes to the files, so that nothing is recorded if an engine cannot play.
    fn open(setup: MatchSetup, signal: &StopSignal) -> Result<Self, CliError> {
        let MatchSetup {
            mut setup,
            rules,
            settings,
            only,
            is_strict,
            has_default_openings,
            prints_json,
        } = setup;
        shards::warn_about_cap(&setup);
        let shard = only.map(|only| shards::select_games(&setup, &only)).transpose()?;
        setup::check_engine_logs(&setup)?;
        let book = Book::open(&setup, rules)?;
        book.note_digest(&mut setup)?;
        // Before this point a signal may end the process at once, even while it reads from a pipe.
        let stop = signal.shut_down_cleanly();
        let in_progress = settings.journal().map(|(journal, _)| GamesInProgress::new(journal));
        let tournament = Tournament { setup, rules, book, shard, stop, in_progress };
        let Tournament { setup, shard, .. } = &tournament;
        let keep_games = settings.report.is_some() && settings.journal().is_none();
        let mut progress = MatchProgress::new(setup, keep_games);
        if shard.is_some() {
            // The SPRT is decided over all shards, when they are merged.
            progress.sprt = None;
        }
        let recorded = Journal::read(setup, settings.journal(), &mut |game| {
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
        display.names_openings = has_default_openings;
        display.rated = setup.ladder.is_some().then(|| setup.clone());
        display.prints_json = prints_json;
        Ok(Self { tournament, engines, is_strict, settings, journal, recorded, progress, display })
    }

    fn play(mut self) -> Result<(), CliError> {
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
                let hint = match self.settings.journal() {
                    Some((path, _)) => {
                        format!("; run the same command again to resume {}", printable_path(path))
                    }
                    None => String::new(),
                };
                Err(CliError::Interrupted(format!("interrupted{hint}")))
            }
            _ if self.is_strict && self.progress.failures > 0 => {
                let games = plural(self.progress.failures, "game");
                Err(CliError::Failed(format!("an engine failed in {games} (--strict)")))
            }
            shown => Ok(shown?),
        }
    }

    /// Writes the JSON lines and the report of a match that has ended or was interrupted.
    fn write_files(&self) -> Result<(), CliError> {
        let MatchSettings { record, json, report, .. } = &self.settings;
        if let (Some(record), Some(json)) = (record, json) {
            let (setup, games) = journal::read_games(record)?;
            rescore::write_record(json, RecordFormat::Json, setup.as_ref(), &games)?;
        }
        let Some(report) = report else { return Ok(()) };
        let setup = Some(&self.tournament.setup);
        let games = match (self.settings.journal(), &self.progress.games) {
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
        let stopped = tournament.run(std::mem::take(engines), recorded, observe);
        let finished = journal.finish();
        Ok(match stopped? {
            None => finished.err().map(StopReason::Journal),
            stopped => stopped,
        })
    }
}

fn write_html(path: &Path, report: &HtmlReport<'_>) -> Result<(), CliError> {
    crate::cli::replace_file(path, |output| {
        Ok(output.write_all(report::render_html(report).as_bytes())?)
    })
}
