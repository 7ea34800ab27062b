//! `zermelo match`: plays engines against each other.

mod arguments;
mod compatibility;
mod display;
mod live_report;
mod merge;
mod rescore;
mod shards;
mod trust;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use super::signals::StopSignal;
use super::{CliError, INTERRUPTED, is_same_file, require_distinct};
use crate::arena::engines::setup::EngineSetup;
use crate::arena::engines::start_check::StartedEngines;
use crate::arena::games::rules::Rules;
use crate::arena::report::progress::MatchProgress;
use crate::arena::report::{self, HtmlReport};
use crate::arena::tournament::book::Book;
use crate::arena::tournament::in_progress::GamesInProgress;
use crate::arena::tournament::journal;
use crate::arena::tournament::journal::{Journal, JournalError, RecordedGames};
use crate::arena::tournament::run::{Tournament, TournamentEvent};
use crate::arena::tournament::settings::SettingsError;
use crate::arena::tournament::setup::{OpeningSetup, TournamentSetup};
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::engine::open_for_append;
use crate::printing::{plural, printable_path};
use crate::records::GameRecord;

pub(super) use arguments::Arguments;
pub(super) use compatibility::translate;
use display::MatchDisplay;
use live_report::LiveReport;

pub(super) fn run(
    game: Option<Rules>,
    mut arguments: Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
    let signal = StopSignal::install(INTERRUPTED.into())?;
    if arguments.rescore.is_some() || !arguments.merge.is_empty() {
        super::refuse_game_flag(game, "records name their games")?;
    }
    if let Some(path) = &arguments.rescore {
        return rescore::run(path, &arguments);
    }
    if !arguments.merge.is_empty() {
        return merge::run(&arguments);
    }
    if arguments.verdict {
        let reason = "--verdict needs --merge FILE... or --rescore FILE".to_owned();
        return Err(SettingsError::Invalid(reason).into());
    }
    let settings = arguments.settings()?;
    arguments.set_output_files(&settings);
    let recorded = arguments.record.as_ref().or(arguments.json.as_ref());
    let mut needs_trust = None;
    let (setup, rules) = match (recorded, arguments.resume) {
        (None, true) => {
            let reason = "--resume needs --record FILE or --json FILE".to_owned();
            return Err(SettingsError::Invalid(reason).into());
        }
        (Some(path), true) if settings.engines.is_empty() => {
            let setup = settings.resume(journal::read_setup(path)?, game)?;
            let rules = Rules::find(&setup.game)?;
            needs_trust = Some(path.clone()).filter(|_| !arguments.trust_record);
            (setup, rules)
        }
        (recorded, _) => {
            let earlier = recorded.and_then(|path| journal::read_first_setup(path));
            settings.tournament_of_record(game, earlier.as_ref())?
        }
    };
    check_files(&setup, &arguments, log)?;
    if arguments.resume && !names_existing_file(&arguments) {
        return Err(JournalError::NotFound(recorded.cloned().unwrap_or_default()).into());
    }
    if arguments.plan {
        return shards::print_plan(setup, rules);
    }
    if let Some(record) = needs_trust {
        trust::confirm_engines(&setup, &record)?;
    }
    let uses_default = settings.openings.is_none() && !settings.engines.is_empty();
    let mut prepared = Match::open(setup, rules, &arguments, &signal)?;
    prepared.display.names_openings = uses_default;
    prepared.play()
}

/// Returns whether there is a record or a file of JSON lines to resume.
fn names_existing_file(arguments: &Arguments) -> bool {
    let files = [&arguments.record, &arguments.json];
    files.into_iter().flatten().any(|path| path.exists())
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
struct Match<'a> {
    tournament: Tournament,
    engines: StartedEngines,
    arguments: &'a Arguments,
    journal: Journal,
    recorded: RecordedGames,
    progress: MatchProgress,
    display: MatchDisplay,
}

impl<'a> Match<'a> {
    /// Reads the openings and the games of earlier runs, starts the engines if a game is left to
    /// play, and only then writes to the files, so that nothing is recorded if an engine cannot play.
    fn open(
        mut setup: TournamentSetup,
        rules: Rules,
        arguments: &'a Arguments,
        signal: &StopSignal,
    ) -> Result<Self, CliError> {
        shards::warn_about_cap(&setup);
        let only = arguments.only.as_ref();
        let shard = only.map(|only| shards::select_games(&setup, only)).transpose()?;
        check_engine_logs(&setup)?;
        let book = Book::open(&setup, rules)?;
        book.note_digest(&mut setup)?;
        // Before this point a signal may end the process at once, even while it reads from a pipe.
        let stop = signal.shut_down_cleanly();
        let is_recorded = arguments.record.is_some() || arguments.json.is_some();
        let in_progress = is_recorded.then(GamesInProgress::default);
        let tournament = Tournament { setup, rules, book, shard, stop, in_progress };
        let Tournament { setup, shard, .. } = &tournament;
        let keep_games = arguments.report.is_some() && arguments.record.is_none();
        let mut progress = MatchProgress::new(setup, keep_games);
        if shard.is_some() {
            // The SPRT is decided over all shards, when they are merged.
            progress.sprt = None;
        }
        let mut add = |game: &GameRecord| {
            progress.add(game);
        };
        let recorded = Journal::read(
            setup,
            arguments.record.as_deref(),
            arguments.json.as_deref(),
            arguments.resume,
            &mut add,
        )?;
        let engines = match tournament.is_finished(recorded.games()) {
            true => StartedEngines::default(),
            false => tournament.start_engines()?,
        };
        let (journal, recorded) = recorded.open()?;
        let is_selected = |number: &&u32| shard.as_ref().is_none_or(|shard| shard.contains(number));
        let earlier = recorded.keys().filter(is_selected).count() as u64;
        let total = tournament.schedule().total();
        let display = MatchDisplay::new(setup, shard.clone(), total, earlier);
        Ok(Self { tournament, engines, arguments, journal, recorded, progress, display })
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
        let report = self.arguments.report.as_ref();
        let reported = report.map_or(Ok(()), |path| live_report::write_final(path, &self));
        let is_interrupted = self.tournament.stop.load(Ordering::Relaxed);
        // Why the match ended matters more than a report that cannot be written.
        match (played?, reported) {
            (Some(StopReason::Journal(error)), _) => return Err(error.into()),
            (Some(StopReason::Output(error)), _) => return Err(error.into()),
            (_, Err(error)) if is_interrupted => super::print_error(&error),
            (_, reported) => reported?,
        }
        match shown {
            _ if is_interrupted => {
                let hint = match &self.arguments.record.as_ref().or(self.arguments.json.as_ref()) {
                    Some(path) => {
                        format!("; run the same command again to resume {}", printable_path(path))
                    }
                    None => String::new(),
                };
                Err(CliError::Interrupted(format!("interrupted{hint}")))
            }
            _ if self.arguments.strict && self.progress.failures > 0 => {
                let games = plural(self.progress.failures, "game");
                Err(CliError::Failed(format!("an engine failed in {games} (--strict)")))
            }
            shown => Ok(shown?),
        }
    }

    /// Plays the remaining games; returns why it stopped early, if it did.
    fn play_games(&mut self) -> Result<Option<StopReason>, CliError> {
        let Self { tournament, arguments, journal, progress, display, recorded, engines } = self;
        let progress = Mutex::new(progress);
        let observe = |event: TournamentEvent| {
            let (shown, is_decided) = match event {
                TournamentEvent::GameFinished(game) => {
                    if let Err(error) = journal.add(&game) {
                        return ControlFlow::Break(StopReason::Journal(error));
                    }
                    let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                    let is_decided = progress.add(&game);
                    let MatchProgress { scoreboard, sprt, .. } = &**progress;
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
        let live_report = LiveReport { tournament, arguments, progress: &progress };
        let play = || {
            live_report.keep_while(|| tournament.run(std::mem::take(engines), recorded, observe))
        };
        let records: Vec<&Path> = [&arguments.record, &arguments.json]
            .into_iter()
            .flatten()
            .map(|path| &**path)
            .collect();
        let stopped = match &tournament.in_progress {
            Some(games) => games.keep_while(&records, play),
            None => play(),
        };
        let finished = journal.finish();
        Ok(match stopped? {
            None => finished.err().map(StopReason::Journal),
            stopped => stopped,
        })
    }
}

/// Checks that no two outputs are the same file, that no output overwrites an input and that
/// folders exist.
fn check_files(
    setup: &TournamentSetup,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
    let Arguments { record, json, report, config, .. } = arguments;
    let openings = match &setup.openings {
        OpeningSetup::File { path, .. } => Some(Path::new(path)),
        _ => None,
    };
    let files = [
        ("--record", record.as_deref()),
        ("--json", json.as_deref()),
        ("--report", report.as_deref()),
        ("--config", config.as_deref()),
        ("--openings", openings),
        ("--log", log.filter(|log| !log.is_empty()).map(Path::new)),
    ];
    let files: Vec<(&str, &Path)> =
        files.into_iter().filter_map(|(flag, path)| Some((flag, path?))).collect();
    for engine in &setup.engines {
        check_folder(engine)?;
        let Some(log) = &engine.stderr else { continue };
        if let Some((flag, _)) = files.iter().find(|(_, path)| is_same_file(path, Path::new(log))) {
            let reason = format!("{flag} and stderr={log} are the same file");
            return Err(SettingsError::Invalid(reason).into());
        }
    }
    report.as_deref().map_or(Ok(()), super::check_writable)?;
    require_distinct(&files)
}

/// Checks that the working directory of an engine exists.
pub(super) fn check_folder(engine: &EngineSetup) -> Result<(), SettingsError> {
    match &engine.dir {
        Some(dir) if !Path::new(dir).is_dir() => {
            let reason = format!("dir={dir} of {} is not a folder", engine.name);
            Err(SettingsError::Invalid(reason))
        }
        _ => Ok(()),
    }
}

/// Checks that the files for the engines' standard error can be written, creating missing ones.
fn check_engine_logs(setup: &TournamentSetup) -> Result<(), SettingsError> {
    for engine in &setup.engines {
        if let Some(log) = &engine.stderr
            && let Err(error) = open_for_append(log)
        {
            let reason = format!("stderr={log} of {}: {error}", engine.name);
            return Err(SettingsError::Invalid(reason));
        }
    }
    Ok(())
}

fn write_html(path: &Path, report: &HtmlReport<'_>) -> Result<(), CliError> {
    super::replace_file(
        path,
        |output| Ok(output.write_all(report::render_html(report).as_bytes())?),
    )
}

/// Reads all games of a record.
fn read_record(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    let (_, games) = journal::read_games(path)?;
    Ok(games.collect::<Result<_, _>>()?)
}
