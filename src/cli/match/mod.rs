//! `zermelo match`: engine against engine.

mod arguments;
mod display;
mod merge;
mod rescore;
mod shards;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{CliError, is_same_file, require_distinct};
use crate::arena::book::Book;
use crate::arena::journal::{self, Journal, JournalError, RecordedGames};
use crate::arena::record::GameRecord;
use crate::arena::referee::Rules;
use crate::arena::report::{self, HtmlReport};
use crate::arena::scoreboard::Scoreboard;
use crate::arena::setup::{EngineSetup, OpeningSetup, TournamentSetup};
use crate::arena::sprt_progress::SprtProgress;
use crate::arena::statistics::ObservationUnit;
use crate::arena::tournament::{Tournament, TournamentEvent};
use crate::engine::open_for_append;

pub(super) use arguments::Arguments;
pub use arguments::{SettingsError, tournament_of};
use display::MatchDisplay;

pub(super) fn run(
    game: Option<Rules>,
    mut arguments: Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
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
        return Err(SettingsError::Together(reason).into());
    }
    let mut file = match &arguments.config {
        Some(path) => arguments::File::read(path)?,
        None => arguments::File::default(),
    };
    arguments.take_files(&mut file);
    let kept = arguments.record.as_ref().or(arguments.json.as_ref());
    let (setup, rules) = match (kept, arguments.resume) {
        (None, true) => {
            let reason = "--resume needs --record FILE or --json FILE".to_owned();
            return Err(SettingsError::Together(reason).into());
        }
        (Some(path), true) if !arguments.names_engines(&file) => {
            let setup = arguments.changed(journal::read_setup(path)?, game, &file)?;
            let rules = Rules::find(&setup.game)?;
            (setup, rules)
        }
        _ => arguments.tournament(game, &file)?,
    };
    check_places(&setup, &arguments, log)?;
    if arguments.plan {
        return shards::plan(&setup, rules);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let opened = Match::open(setup, rules, &arguments, Arc::clone(&stop))?;
    // Until here there is nothing to end in order, and reading a pipe may take any time.
    catch_signals(&stop)?;
    opened.play()
}

/// The first signal ends the tournament in order. Should that take long, a second one ends it after
/// a moment in which the engines can still be killed.
pub(super) fn catch_signals(stop: &Arc<AtomicBool>) -> Result<(), CliError> {
    const MOMENT: Duration = Duration::from_secs(2);
    let stop = Arc::clone(stop);
    let handler = move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::thread::sleep(MOMENT);
            std::process::exit(1);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| CliError::Failed(format!("signals cannot be caught: {error}")))
}

/// Why no more games are begun.
enum Enough {
    /// The test has decided.
    Decided,
    /// A file cannot be written.
    Failed(JournalError),
    /// Nobody sees what is shown.
    Unheard(io::Error),
}

/// A match that is played and shown.
struct Match<'a> {
    tournament: Tournament,
    arguments: &'a Arguments,
    journal: Journal,
    past: RecordedGames,
    so_far: MatchProgress,
    show: MatchDisplay,
}

/// What the games so far come to.
struct MatchProgress {
    scoreboard: Scoreboard,
    trial: Option<SprtProgress>,
    /// The games themselves, where the report cannot read them from a record.
    games: Option<Vec<GameRecord>>,
}

impl MatchProgress {
    fn new(setup: &TournamentSetup, keeps_games: bool) -> Self {
        let names = setup.engines.iter().map(|engine| engine.name.clone());
        Self {
            scoreboard: Scoreboard::new(names, unit_of(setup)),
            trial: SprtProgress::from_setup(setup),
            games: keeps_games.then(Vec::new),
        }
    }

    /// Counts a game; whether a test has decided.
    fn add(&mut self, game: &GameRecord) -> bool {
        self.scoreboard.add(game);
        if let Some(games) = &mut self.games {
            games.push(game.clone());
        }
        self.trial.as_mut().is_some_and(|trial| trial.update(&self.scoreboard))
    }
}

/// What is observed: pairs, where every game belongs to one.
fn unit_of(setup: &TournamentSetup) -> ObservationUnit {
    if setup.repeat && setup.games.is_multiple_of(2) {
        ObservationUnit::Pairs
    } else {
        ObservationUnit::Games
    }
}

impl<'a> Match<'a> {
    fn open(
        setup: TournamentSetup,
        rules: Rules,
        arguments: &'a Arguments,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, CliError> {
        let part = arguments.only.as_ref().map(|only| shards::part(&setup, only)).transpose()?;
        begin_logs(&setup)?;
        let book = Book::open(&setup, rules)?;
        let tournament = Tournament { setup, rules, book, part, stop };
        let Tournament { setup, part, .. } = &tournament;
        let keeps_games = arguments.report.is_some() && arguments.record.is_none();
        let mut so_far = MatchProgress::new(setup, keeps_games);
        if part.is_some() {
            // Whether a test has decided is for all parts together to say.
            so_far.trial = None;
        }
        let mut each = |game: &GameRecord| {
            so_far.add(game);
        };
        let (journal, past) = Journal::open(
            setup,
            arguments.record.as_deref(),
            arguments.json.as_deref(),
            arguments.resume,
            &mut each,
        )?;
        let is_meant = |number: &&u32| part.as_ref().is_none_or(|part| part.contains(number));
        let before = past.keys().filter(is_meant).count() as u64;
        let show = MatchDisplay::new(setup, part.clone(), tournament.schedule().total(), before);
        Ok(Self { tournament, arguments, journal, past, so_far, show })
    }

    fn play(mut self) -> Result<(), CliError> {
        let is_decided = self.so_far.trial.as_ref().is_some_and(|trial| trial.decision.is_some());
        let played = match self.show.begin(&self.tournament.setup) {
            Err(error) => Ok(Some(Enough::Unheard(error))),
            Ok(()) if is_decided => Ok(Some(Enough::Decided)),
            Ok(()) => self.play_games(),
        };
        // What was played is told, whatever went wrong.
        let shown = self.show.end(&self.so_far.scoreboard, self.so_far.trial.as_ref());
        if let Some(path) = &self.arguments.report {
            self.write_report(path)?;
        }
        match played? {
            Some(Enough::Failed(error)) => Err(error.into()),
            Some(Enough::Unheard(error)) => Err(error.into()),
            _ if self.tournament.stop.load(Ordering::Relaxed) => {
                let hint = match &self.arguments.record.as_ref().or(self.arguments.json.as_ref()) {
                    Some(path) => format!("; the same command goes on with {}", path.display()),
                    None => String::new(),
                };
                Err(CliError::Failed(format!("interrupted{hint}")))
            }
            _ => Ok(shown?),
        }
    }

    /// Plays what is left; why no more was begun before the end, if so.
    fn play_games(&mut self) -> Result<Option<Enough>, CliError> {
        let Self { tournament, journal, so_far, show, past, .. } = self;
        let watch = |event: TournamentEvent| {
            let (shown, is_decided) = match event {
                TournamentEvent::Finished(game) => {
                    if let Err(error) = journal.add(&game) {
                        return ControlFlow::Break(Enough::Failed(error));
                    }
                    let is_decided = so_far.add(&game);
                    let MatchProgress { scoreboard, trial, .. } = &so_far;
                    (show.game(&game, scoreboard, trial.as_ref()), is_decided)
                }
                TournamentEvent::Remark(remark) => (show.note(&remark), false),
            };
            match shown {
                Err(error) => ControlFlow::Break(Enough::Unheard(error)),
                Ok(()) if is_decided => ControlFlow::Break(Enough::Decided),
                Ok(()) => ControlFlow::Continue(()),
            }
        };
        Ok(tournament.run(past, watch)?)
    }

    fn write_report(&self, path: &Path) -> Result<(), CliError> {
        let MatchProgress { scoreboard, trial, games } = &self.so_far;
        let read;
        let games = match (&self.arguments.record, games) {
            (_, Some(games)) => games,
            (Some(record), None) => {
                read = read_record(record)?;
                &read
            }
            (None, None) => return Ok(()),
        };
        let setup = describe(&self.tournament.setup);
        let title = title_of(scoreboard, self.tournament.rules.name());
        let trial = trial.as_ref();
        write_page(
            path,
            &HtmlReport { title: &title, setup: &setup, scoreboard, sprt: trial, games },
        )
    }
}

/// Sees that no file is written by two, or over one that is read, and that folders are there.
fn check_places(
    setup: &TournamentSetup,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
    let Arguments { record, json, report, config, .. } = arguments;
    let openings = match &setup.openings {
        OpeningSetup::File { path, .. } => Some(Path::new(path)),
        _ => None,
    };
    let named = [
        ("--record", record.as_deref()),
        ("--json", json.as_deref()),
        ("--report", report.as_deref()),
        ("--config", config.as_deref()),
        ("--openings", openings),
        ("--log", log.filter(|log| !log.is_empty()).map(Path::new)),
    ];
    let places: Vec<(&str, &Path)> =
        named.into_iter().filter_map(|(flag, path)| Some((flag, path?))).collect();
    let together = |reason: String| Err(SettingsError::Together(reason).into());
    for engine in &setup.engines {
        check_folder(engine)?;
        let Some(log) = &engine.stderr else { continue };
        if let Some((flag, _)) = places.iter().find(|(_, path)| is_same_file(path, Path::new(log)))
        {
            return together(format!("{flag} and stderr={log} are the same file"));
        }
    }
    report.as_deref().map_or(Ok(()), super::check_writable)?;
    require_distinct(&places)
}

/// Sees that an engine can be started where it shall.
pub(super) fn check_folder(engine: &EngineSetup) -> Result<(), SettingsError> {
    match &engine.dir {
        Some(dir) if !Path::new(dir).is_dir() => {
            let reason = format!("dir={dir} of {} is no folder", engine.name);
            Err(SettingsError::Together(reason))
        }
        _ => Ok(()),
    }
}

/// Begins the files that keep what engines say on their standard error.
fn begin_logs(setup: &TournamentSetup) -> Result<(), SettingsError> {
    for engine in &setup.engines {
        if let Some(log) = &engine.stderr
            && let Err(error) = open_for_append(log)
        {
            let reason = format!("stderr={log} of {}: {error}", engine.name);
            return Err(SettingsError::Together(reason));
        }
    }
    Ok(())
}

/// The heading of a page.
fn title_of(scoreboard: &Scoreboard, game: &str) -> String {
    let names: Vec<&str> = scoreboard.names().collect();
    match names.as_slice() {
        [first, second] => format!("{first} against {second}: {game}"),
        names => format!("{} engines: {game}", names.len()),
    }
}

fn write_page(path: &Path, report: &HtmlReport<'_>) -> Result<(), CliError> {
    super::replace_file(
        path,
        |output| Ok(output.write_all(report::render_html(report).as_bytes())?),
    )
}

/// What was played and how, for the page.
fn describe(setup: &TournamentSetup) -> Vec<(String, String)> {
    let mut lines = vec![
        ("Game".to_owned(), setup.game.clone()),
        ("Tournament".to_owned(), display::format_name(setup)),
        ("Openings".to_owned(), setup.openings.to_string()),
        ("Seed".to_owned(), setup.seed.to_string()),
    ];
    for engine in &setup.engines {
        let mut words = vec![engine.cmd.clone()];
        words.extend(engine.args.iter().cloned());
        words.extend(engine.options.iter().map(|(name, value)| format!("{name}={value}")));
        words.push(engine.limits.to_string());
        lines.push((engine.name.clone(), words.join(" ")));
    }
    lines
}

/// All games of a record.
fn read_record(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    let (_, games) = journal::read_games(path)?;
    Ok(games.collect::<Result<_, _>>()?)
}
