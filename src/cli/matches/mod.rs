//! `zermelo match`: engine against engine.

mod arguments;
mod show;

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::CliError;
use crate::arena::book::Book;
use crate::arena::journal::{self, Journal, JournalError, Past};
use crate::arena::record::GameRecord;
use crate::arena::record::pgn::{Games, RecordError};
use crate::arena::referee::Rules;
use crate::arena::report::{self, Report, TestOf};
use crate::arena::rescore;
use crate::arena::scoreboard::Scoreboard;
use crate::arena::setup::TournamentSetup;
use crate::arena::statistics::{Sprt, Unit, Verdict};
use crate::arena::tournament::{Event, Tournament};

pub(super) use arguments::{Arguments, SettingsError};
use show::Show;

pub(super) fn run(game: Option<Rules>, mut arguments: Arguments) -> Result<(), CliError> {
    let mut file = match &arguments.config {
        Some(path) => arguments::File::read(path)?,
        None => arguments::File::default(),
    };
    arguments.take_files(&mut file);
    if let Some(path) = &arguments.rescore {
        return rescore(path, &arguments);
    }
    let (setup, rules) = match (&arguments.record, arguments.resume) {
        (None, true) if arguments.json.is_none() => {
            let reason = "--resume needs --record FILE or --json FILE".to_owned();
            return Err(SettingsError::Together(reason).into());
        }
        (Some(path), true) if !arguments.names_engines(&file) => {
            let setup = journal::read_setup(path)?;
            let rules = Rules::of(&setup.game)?;
            (setup, rules)
        }
        _ => arguments.tournament(game, &file)?,
    };
    let stop = Arc::new(AtomicBool::new(false));
    catch_signals(&stop)?;
    Match::open(setup, rules, &arguments, stop)?.play()
}

/// The first signal ends what runs in order, the second at once.
pub(super) fn catch_signals(stop: &Arc<AtomicBool>) -> Result<(), CliError> {
    let stop = Arc::clone(stop);
    let handler = move || {
        if stop.swap(true, Ordering::Relaxed) {
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
    past: Past,
    scoreboard: Scoreboard,
    /// The games themselves, where the report cannot read them from a record.
    games: Vec<GameRecord>,
    show: Show,
}

impl<'a> Match<'a> {
    fn open(
        setup: TournamentSetup,
        rules: Rules,
        arguments: &'a Arguments,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, CliError> {
        let mut tournament = Tournament { setup, rules, book: Book::default(), stop };
        let schedule = tournament.schedule();
        tournament.book = Book::open(&tournament.setup, rules, schedule.openings())?;
        let setup = &tournament.setup;
        let unit =
            if setup.repeat && setup.games.is_multiple_of(2) { Unit::Pairs } else { Unit::Games };
        let mut scoreboard =
            Scoreboard::new(setup.engines.iter().map(|engine| engine.name.clone()), unit);
        let keeps_games = arguments.report.is_some() && arguments.record.is_none();
        let mut games = Vec::new();
        let mut each = |game: &GameRecord| {
            scoreboard.add(game);
            games.extend(keeps_games.then(|| game.clone()));
        };
        let (journal, past) = Journal::open(
            setup,
            arguments.record.as_deref(),
            arguments.json.as_deref(),
            arguments.resume,
            &mut each,
        )?;
        let show = Show::new(setup, schedule.total(), past.finished.len() as u64);
        Ok(Self { tournament, arguments, journal, past, scoreboard, games, show })
    }

    fn sprt(&self) -> Option<TestOf<'_>> {
        let TournamentSetup { sprt, engines, .. } = &self.tournament.setup;
        let [first, second] = engines.as_slice() else { return None };
        let test = sprt.as_ref()?;
        Some(TestOf { test, player: &first.name, opponent: &second.name })
    }

    fn play(mut self) -> Result<(), CliError> {
        let book = &self.tournament.book;
        self.show.begin(&self.tournament.setup, book.count())?;
        let sprt = self.tournament.setup.sprt;
        let names: Vec<String> =
            self.tournament.setup.engines.iter().map(|engine| engine.name.clone()).collect();
        let decided = |sprt: &Option<Sprt>, scoreboard: &Scoreboard| {
            let [first, second] = names.as_slice() else { return false };
            let tally = scoreboard.tally(first, second);
            sprt.as_ref().is_some_and(|sprt| sprt.verdict(&tally) != Verdict::Continue)
        };
        let mut enough = decided(&sprt, &self.scoreboard).then_some(Enough::Decided);
        if enough.is_none() {
            let keeps_games = self.arguments.report.is_some() && self.arguments.record.is_none();
            let Self { tournament, journal, scoreboard, games, show, past, .. } = &mut self;
            let watch = |event: Event| {
                let shown = match event {
                    Event::Finished(game) => {
                        if let Err(error) = journal.add(&game) {
                            return ControlFlow::Break(Enough::Failed(error));
                        }
                        scoreboard.add(&game);
                        let shown = show.game(&game, scoreboard, sprt.as_ref());
                        games.extend(keeps_games.then_some(*game));
                        shown
                    }
                    Event::RefusedToQuit(name) => show.note(&format!("{name} did not quit")),
                };
                match shown {
                    Err(error) => ControlFlow::Break(Enough::Unheard(error)),
                    Ok(()) if decided(&sprt, scoreboard) => ControlFlow::Break(Enough::Decided),
                    Ok(()) => ControlFlow::Continue(()),
                }
            };
            enough = tournament.run(&past.finished, watch)?;
        }
        // What was played is told before anything else goes wrong.
        let shown = self.show.end(&self.scoreboard, self.sprt());
        if let Some(path) = &self.arguments.report {
            self.write_report(path)?;
        }
        match enough {
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

    fn write_report(&self, path: &Path) -> Result<(), CliError> {
        let read;
        let games = match &self.arguments.record {
            Some(record) => {
                read = read_record(record)?;
                &read
            }
            None => &self.games,
        };
        let setup = describe(&self.tournament.setup);
        let title = title_of(&setup_names(&self.tournament.setup), self.tournament.rules.name());
        write_page(
            path,
            &Report {
                title: &title,
                setup: &setup,
                scoreboard: &self.scoreboard,
                sprt: self.sprt(),
                games,
            },
        )
    }
}

fn setup_names(setup: &TournamentSetup) -> Vec<&str> {
    setup.engines.iter().map(|engine| engine.name.as_str()).collect()
}

fn title_of(names: &[&str], game: &str) -> String {
    match names {
        [first, second] => format!("{first} against {second}: {game}"),
        names => format!("{} engines: {game}", names.len()),
    }
}

fn write_page(path: &Path, report: &Report<'_>) -> Result<(), CliError> {
    std::fs::write(path, report::html(report))
        .map_err(|error| CliError::Failed(format!("{}: {error}", path.display())))
}

/// What was played and how, for the page.
fn describe(setup: &TournamentSetup) -> Vec<(String, String)> {
    let mut lines = vec![
        ("Game".to_owned(), setup.game.clone()),
        ("Tournament".to_owned(), show::format_name(setup)),
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
    let refuse = |source: RecordError| JournalError::Record { path: path.to_owned(), source };
    let file = File::open(path).map_err(|error| refuse(error.into()))?;
    Games::new(BufReader::new(file)).collect::<Result<_, _>>().map_err(|error| refuse(error).into())
}

/// Checks the games of a record and tells what they come to.
fn rescore(path: &Path, arguments: &Arguments) -> Result<(), CliError> {
    let mut games = read_record(path)?;
    let mut wrong = 0;
    for game in &mut games {
        if let Err(reason) = rescore::correct(game) {
            super::complain(&format_args!("{}, game {}: {reason}", path.display(), game.number));
            wrong += 1;
        }
    }
    let setup = journal::read_setup(path).ok();
    let names: Vec<String> =
        setup.iter().flat_map(|setup| &setup.engines).map(|engine| engine.name.clone()).collect();
    let is_paired = games.iter().any(|game| {
        games.iter().filter(|other| other.pair == game.pair && other.pair > 0).count() == 2
    });
    let unit = if is_paired { Unit::Pairs } else { Unit::Games };
    let mut scoreboard = Scoreboard::new(names, unit);
    games.iter().for_each(|game| scoreboard.add(game));
    let sprt = setup.as_ref().and_then(|setup| {
        let [first, second] = setup.engines.as_slice() else { return None };
        let test = setup.sprt.as_ref()?;
        Some(TestOf { test, player: &first.name, opponent: &second.name })
    });
    let show = Show::of_record(games.len() as u64);
    show.end(&scoreboard, sprt)?;
    if let Some(json) = &arguments.json {
        let lines: String = games.iter().map(journal::json_line).collect();
        std::fs::write(json, lines)
            .map_err(|error| CliError::Failed(format!("{}: {error}", json.display())))?;
    }
    if let Some(page) = &arguments.report {
        let players: Vec<&str> = scoreboard.names().collect();
        let game = games.first().map_or("", |game| game.game.as_str());
        let title = title_of(&players, game);
        let setup = setup.as_ref().map(describe).unwrap_or_default();
        let report =
            Report { title: &title, setup: &setup, scoreboard: &scoreboard, sprt, games: &games };
        write_page(page, &report)?;
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(CliError::Failed(format!("{wrong} game(s) do not follow the rules"))),
    }
}
