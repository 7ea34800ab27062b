//! A tournament: workers play the games of a schedule, each with engines of its own.
//!
//! The schedule hands out games; a worker plays one, hears what comes next, lets the engines go
//! that it will not need, and reports. Nothing an engine does stops more than its game. Imports the
//! schedule, the game and the player; who watches it writes and counts.

use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::book::Book;
use super::match_game::{Ending, GamePlan, MatchGame};
use super::player::{EngineFault, Player, PlayerError, PlayerOptions};
use super::record::{GameRecord, Termination};
use super::referee::Rules;
use super::schedule::{NextGame, Schedule};
use super::setup::{EngineSetup, TournamentSetup};
use crate::engine::EngineError;
use crate::rules::Outcome;

/// All that is needed to play.
#[derive(Debug)]
pub struct Tournament {
    /// Who plays what.
    pub setup: TournamentSetup,
    /// The rules.
    pub rules: Rules,
    /// The openings.
    pub book: Book,
    /// The games that are to be played, by number, where it is not all of them.
    pub part: Option<RangeInclusive<u32>>,
    /// Set when somebody wants to stop at once.
    pub stop: Arc<AtomicBool>,
}

/// What happens in a tournament.
#[derive(Debug)]
pub enum TournamentEvent {
    /// A game was finished.
    Finished(Box<GameRecord>),
    /// Something about an engine that hurt no game, and that somebody should know.
    Remark(String),
}

/// A game of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The names of the first and the second player.
    pub players: [String; 2],
    /// The result.
    pub result: Option<Outcome>,
    /// A number by which two accounts of one game can be told from those of two.
    pub fingerprint: u64,
}

/// Why a tournament cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An opening or a thread.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is nothing left to start an engine with.
    #[error("engines cannot be started any more: {0}; what was finished is kept")]
    OutOfResources(std::io::Error),
    /// An earlier run is not of this tournament.
    #[error(
        "game {number} is {} against {} in the record, {} against {} in this tournament; give \
         another file to begin anew", theirs[0], theirs[1], ours[0], ours[1]
    )]
    Past {
        /// The game.
        number: u32,
        /// The players in the record.
        theirs: [String; 2],
        /// The players by the schedule.
        ours: [String; 2],
    },
}

/// Who sees what happens, and why that is enough.
struct Watcher<W, B> {
    watch: W,
    enough: Option<B>,
}

/// How many engines a worker keeps at hand.
const KEPT: usize = 4;

impl Tournament {
    /// Plays what is left to play. `past` are the games of an earlier run, by number. Each event is
    /// shown to `watch` before anything else is begun; when that says that it is enough, games that
    /// are being played are finished, and no more are begun.
    ///
    /// # Errors
    /// When an opening makes no sense, a thread cannot be started, or the past is not this
    /// tournament's.
    pub fn run<B: Send>(
        &self,
        past: &HashMap<u32, RecordedGame>,
        watch: impl FnMut(TournamentEvent) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, TournamentError> {
        let names = self.setup.engines.iter().map(|engine| engine.name.clone()).collect();
        let office = Office::new(self.schedule(), past.clone(), names);
        let engines: Vec<Arc<EngineSetup>> =
            self.setup.engines.iter().cloned().map(Arc::new).collect();
        let watcher = Mutex::new(Watcher { watch, enough: None });
        let tell = |event: TournamentEvent| {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            if let ControlFlow::Break(reason) = (watcher.watch)(event) {
                office.close();
                watcher.enough.get_or_insert(reason);
            }
        };
        std::thread::scope(|scope| {
            for number in 0..self.setup.concurrency {
                let mut worker = GameWorker {
                    tournament: self,
                    engines: &engines,
                    office: &office,
                    tell: &tell,
                    players: Vec::new(),
                };
                let builder = std::thread::Builder::new().name(format!("games {}", number + 1));
                if let Err(error) = builder.spawn_scoped(scope, move || worker.work()) {
                    office.fail(EngineError::Thread(error).into());
                }
            }
        });
        let watcher = watcher.into_inner().unwrap_or_else(PoisonError::into_inner);
        match office.open().failure.take() {
            Some(error) => Err(error),
            None => Ok(watcher.enough),
        }
    }

    /// The schedule of what is to be played, from its beginning.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        let whole = Schedule::from_setup(&self.setup);
        match &self.part {
            Some(part) => whole.restrict_to(part.clone()),
            None => whole,
        }
    }
}

/// Where workers get their games and report them.
struct Office {
    desk: Mutex<Open>,
    reported: Condvar,
}

struct Open {
    schedule: Schedule,
    names: Vec<String>,
    past: HashMap<u32, RecordedGame>,
    /// No more games are given out.
    is_closed: bool,
    failure: Option<TournamentError>,
    /// Engines that failed and are not started again, with what they did.
    out: HashMap<usize, String>,
    /// Engines of which what was to be remarked has been.
    remarked: HashSet<usize>,
}

impl Office {
    fn new(mut schedule: Schedule, past: HashMap<u32, RecordedGame>, names: Vec<String>) -> Self {
        past.keys().for_each(|number| schedule.mark_played(*number));
        let open = Open {
            schedule,
            names,
            past,
            is_closed: false,
            failure: None,
            out: HashMap::new(),
            remarked: HashSet::new(),
        };
        Self { desk: Mutex::new(open), reported: Condvar::new() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What comes next, as far as that is known now.
    fn next(&self) -> NextGame {
        self.open().next()
    }

    /// What comes next, waited for.
    fn wait_for_next(&self) -> NextGame {
        let mut open = self.open();
        loop {
            match open.next() {
                NextGame::Wait => {
                    open = self.reported.wait(open).unwrap_or_else(PoisonError::into_inner);
                }
                next => return next,
            }
        }
    }

    fn report(&self, number: u32, result: Option<Outcome>) {
        self.open().schedule.record_result(number, result);
        self.reported.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.open().is_closed
    }

    fn close(&self) {
        self.open().is_closed = true;
        self.reported.notify_all();
    }

    fn fail(&self, error: TournamentError) {
        self.open().failure.get_or_insert(error);
        self.close();
    }
}

impl Open {
    fn next(&mut self) -> NextGame {
        loop {
            if self.is_closed {
                return NextGame::Done;
            }
            let (next, was_played) = self.schedule.next_game();
            let NextGame::Game(plan) = next else { return next };
            let past = if was_played { self.past.remove(&plan.number) } else { None };
            let Some(past) = past else { return NextGame::Game(plan) };
            let ours = plan.players.map(|index| self.names[index].clone());
            if past.players != ours {
                let RecordedGame { players: theirs, .. } = past;
                self.failure = Some(TournamentError::Past { number: plan.number, theirs, ours });
                self.is_closed = true;
            }
            self.schedule.record_result(plan.number, past.result);
        }
    }
}

/// Lets the others know when a worker has failed: nobody is to wait for its result.
struct CloseOnPanic<'a>(&'a Office);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// Plays one game after the other.
struct GameWorker<'a> {
    tournament: &'a Tournament,
    engines: &'a [Arc<EngineSetup>],
    office: &'a Office,
    tell: &'a (dyn Fn(TournamentEvent) + Sync),
    /// Engines at hand, the last used last.
    players: Vec<(usize, Player)>,
}

impl GameWorker<'_> {
    fn work(&mut self) {
        let _closing = CloseOnPanic(self.office);
        let mut next = self.office.wait_for_next();
        while let NextGame::Game(plan) = next
            && !self.office.is_closed()
        {
            let played = match self.play(&plan) {
                Ok(Some(record)) => record,
                Ok(None) => {
                    self.office.close();
                    break;
                }
                Err(error) => {
                    self.office.fail(error);
                    break;
                }
            };
            next = self.office.next();
            let record = self.make_room(&plan, played, &next);
            let result = record.result;
            (self.tell)(TournamentEvent::Finished(Box::new(record)));
            self.office.report(plan.number, result);
            if next == NextGame::Wait {
                next = self.office.wait_for_next();
            }
        }
        for (index, player) in std::mem::take(&mut self.players) {
            if !player.quit() && !self.is_stopped() {
                (self.tell)(TournamentEvent::Remark(format!(
                    "{} did not quit",
                    self.engines[index].name
                )));
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.tournament.stop.load(Ordering::Relaxed)
    }

    /// Plays a game; `None` when somebody wants to stop.
    fn play(&mut self, plan: &GamePlan) -> Result<Option<GameRecord>, TournamentError> {
        let Tournament { setup, rules, book, .. } = self.tournament;
        let setups = plan.players.map(|index| &*self.engines[index]);
        let opening = book.line(plan.opening)?;
        let mut game = MatchGame::new(plan, *rules, &opening, setups, setup.adjudication)?;
        let mut present = Vec::new();
        for (side, index) in plan.players.into_iter().enumerate() {
            match self.acquire(index) {
                Ok(player) => present.push(player),
                Err((PlayerError::Interrupted, _)) => return Ok(None),
                Err((PlayerError::OutOfResources(error), _)) => {
                    return Err(TournamentError::OutOfResources(error));
                }
                Err((PlayerError::Fault(fault), stderr)) => {
                    self.players.extend(plan.players.into_iter().zip(present));
                    let ending = Ending::by_fault(side, &setups[side].name, &fault);
                    self.note_failure(index, &ending.reason);
                    return Ok(Some(game.into_record(ending, stderr)));
                }
            }
        }
        let Ok([mut first, mut second]) = <[Player; 2]>::try_from(present) else {
            return Ok(None);
        };
        let Some(ending) = game.play([&mut first, &mut second]) else {
            self.players.extend(plan.players.into_iter().zip([first, second]));
            return Ok(None);
        };
        let mut stderr = None;
        for (side, (index, mut player)) in plan.players.into_iter().zip([first, second]).enumerate()
        {
            let is_culprit = ending.culprit() == Some(side);
            if is_culprit {
                stderr = player.stderr_tail();
            }
            let is_ruined = ending.ruined == Some(side)
                || is_culprit
                    && ending.termination == Termination::Time
                    && !player.recover_after_timeout();
            if is_ruined {
                self.note_failure(index, &ending.reason);
            } else {
                self.players.push((index, player));
            }
        }
        Ok(Some(game.into_record(ending, stderr)))
    }

    /// An engine that failed is started again only if that was asked for.
    fn note_failure(&self, engine: usize, reason: &str) {
        if !self.tournament.setup.recover {
            self.office.open().out.entry(engine).or_insert_with(|| reason.to_owned());
        }
    }

    /// Takes an engine from those at hand, or starts it.
    fn acquire(&mut self, engine: usize) -> Result<Player, (PlayerError, Option<String>)> {
        let place = self.players.iter().position(|(own, _)| *own == engine);
        let at_hand = place.map(|place| self.players.remove(place).1);
        // One that has ended between games has hurt no game: it counts as failed, no more.
        let at_hand = at_hand.and_then(|mut player| match player.has_exited() {
            false => Some(player),
            true => {
                self.note_failure(engine, "ended between two games");
                None
            }
        });
        if let Some(reason) = self.office.open().out.get(&engine) {
            let reason = format!("is out, since it failed before: {reason}");
            let fault = EngineFault { termination: Termination::Start, reason, is_fatal: true };
            return Err((PlayerError::Fault(fault), None));
        }
        if let Some(player) = at_hand {
            return Ok(player);
        }
        let Tournament { setup, rules, stop, .. } = self.tournament;
        let terms =
            PlayerOptions { game: rules.names(), patience: setup.patience, stop: Arc::clone(stop) };
        let mut player = Player::start(&self.engines[engine], &terms)?;
        let remarks = player.take_remarks();
        let is_news = !remarks.is_empty() && self.office.open().remarked.insert(engine);
        for remark in remarks.iter().filter(|_| is_news) {
            (self.tell)(TournamentEvent::Remark(format!("{} {remark}", self.engines[engine].name)));
        }
        Ok(player)
    }

    /// Lets engines go that the next game does not need, so that not too many are kept. One that
    /// took part in the game just played and refuses to quit loses it.
    fn make_room(
        &mut self,
        plan: &GamePlan,
        mut record: GameRecord,
        next: &NextGame,
    ) -> GameRecord {
        let (needed, keep): (&[usize], usize) = match next {
            NextGame::Game(next) => (&next.players, KEPT),
            NextGame::Wait => (&[], KEPT),
            NextGame::Done => (&[], 0),
        };
        while self.players.len() > keep {
            let is_free = |(index, _): &(usize, Player)| !needed.contains(index);
            let Some(place) = self.players.iter().position(is_free) else { break };
            let (index, player) = self.players.remove(place);
            let stderr = player.stderr_tail();
            if player.quit() || self.is_stopped() {
                continue;
            }
            let name = &self.engines[index].name;
            match plan.players.iter().position(|player| *player == index) {
                Some(side) if record.culprit().is_none() => {
                    let reason = format!(
                        "did not quit within {}s (before: {})",
                        self.tournament.setup.patience.answer.as_secs_f64(),
                        record.reason
                    );
                    let fault =
                        EngineFault { termination: Termination::Quit, reason, is_fatal: true };
                    let ending = Ending::by_fault(side, name, &fault);
                    record.result = ending.result;
                    record.termination = ending.termination;
                    record.reason = ending.reason;
                    record.stderr = stderr;
                }
                _ => {
                    (self.tell)(TournamentEvent::Remark(format!("{name} did not quit")));
                }
            }
            self.note_failure(index, "did not quit");
        }
        record
    }
}
