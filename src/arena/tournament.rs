//! A tournament: workers play the games of a schedule, each with engines of its own.
//!
//! The schedule hands out games; a worker plays one, hears what comes next, lets the engines go
//! that it will not need, and reports. Nothing an engine does stops more than its game.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::book::Book;
use super::game::{Ending, Game, GamePlan};
use super::player::{Fault, Player, Terms, Trouble};
use super::record::{GameRecord, Termination};
use super::referee::Rules;
use super::schedule::{Next, Schedule};
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
    /// Set when somebody wants to stop at once.
    pub stop: Arc<AtomicBool>,
}

/// What happens in a tournament.
#[derive(Debug)]
pub enum Event {
    /// A game was finished.
    Finished(Box<GameRecord>),
    /// An engine did not quit when told to; its games stand.
    RefusedToQuit(String),
}

/// How many engines a worker keeps at hand.
const KEPT: usize = 4;

impl Tournament {
    /// Plays what is left to play. `finished` are the results of an earlier run, by number. Each
    /// event is shown to `watch`, which may say that it is enough: games that are being played are
    /// finished then, no more are begun.
    ///
    /// # Errors
    /// When an opening makes no sense or a thread cannot be started.
    pub fn run<B>(
        &self,
        finished: &HashMap<u32, Option<Outcome>>,
        mut watch: impl FnMut(Event) -> ControlFlow<B>,
    ) -> Result<Option<B>, EngineError> {
        let office = Office::new(self.schedule(), finished.clone());
        let engines: Vec<Arc<EngineSetup>> =
            self.setup.engines.iter().cloned().map(Arc::new).collect();
        let (events, heard) = channel();
        std::thread::scope(|scope| {
            for number in 0..self.setup.concurrency {
                let mut worker = Worker {
                    tournament: self,
                    engines: &engines,
                    office: &office,
                    events: events.clone(),
                    players: Vec::new(),
                };
                let builder = std::thread::Builder::new().name(format!("games {}", number + 1));
                if let Err(error) = builder.spawn_scoped(scope, move || worker.work()) {
                    office.close();
                    return Err(EngineError::Thread(error));
                }
            }
            drop(events);
            let mut enough = None;
            let mut failure = None;
            for event in heard {
                match event {
                    Ok(event) if enough.is_none() => {
                        if let ControlFlow::Break(reason) = watch(event) {
                            enough = Some(reason);
                            office.close();
                        }
                    }
                    // What was still being played counts too.
                    Ok(event) => drop(watch(event)),
                    Err(error) => {
                        failure = Some(error);
                        office.close();
                    }
                }
            }
            failure.map_or(Ok(enough), Err)
        })
    }

    /// The schedule, from its beginning.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        let TournamentSetup { tournament, engines, rounds, games, repeat, .. } = &self.setup;
        Schedule::new(*tournament, engines.len(), *rounds, *games, *repeat)
    }
}

/// Where workers get their games and report them.
struct Office {
    desk: Mutex<Open>,
    reported: Condvar,
}

struct Open {
    schedule: Schedule,
    finished: HashMap<u32, Option<Outcome>>,
    /// No more games are given out.
    is_closed: bool,
    /// Engines that failed and are not started again, with what they did.
    out: HashMap<usize, String>,
}

impl Office {
    fn new(mut schedule: Schedule, finished: HashMap<u32, Option<Outcome>>) -> Self {
        finished.keys().for_each(|number| schedule.was_played(*number));
        let open = Open { schedule, finished, is_closed: false, out: HashMap::new() };
        Self { desk: Mutex::new(open), reported: Condvar::new() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What comes next, as far as that is known now.
    fn next(&self) -> Next {
        self.open().next()
    }

    /// What comes next, waited for.
    fn wait_for_next(&self) -> Next {
        let mut open = self.open();
        loop {
            match open.next() {
                Next::Wait => {
                    open = self.reported.wait(open).unwrap_or_else(PoisonError::into_inner);
                }
                next => return next,
            }
        }
    }

    fn report(&self, number: u32, result: Option<Outcome>) {
        self.open().schedule.report(number, result);
        self.reported.notify_all();
    }

    fn close(&self) {
        self.open().is_closed = true;
        self.reported.notify_all();
    }
}

impl Open {
    fn next(&mut self) -> Next {
        loop {
            if self.is_closed {
                return Next::Done;
            }
            let (next, was_played) = self.schedule.hand_out();
            let Next::Game(plan) = next else { return next };
            if !was_played {
                return Next::Game(plan);
            }
            let result = self.finished.remove(&plan.number).flatten();
            self.schedule.report(plan.number, result);
        }
    }
}

/// Plays one game after the other.
struct Worker<'a> {
    tournament: &'a Tournament,
    engines: &'a [Arc<EngineSetup>],
    office: &'a Office,
    events: Sender<Result<Event, EngineError>>,
    /// Engines at hand, the last used last.
    players: Vec<(usize, Player)>,
}

impl Worker<'_> {
    fn work(&mut self) {
        let mut next = self.office.wait_for_next();
        while let Next::Game(plan) = next {
            let played = match self.play(&plan) {
                Ok(Some(record)) => record,
                Ok(None) => {
                    self.office.close();
                    break;
                }
                Err(error) => {
                    self.office.close();
                    let _ = self.events.send(Err(error));
                    break;
                }
            };
            next = self.office.next();
            let record = self.make_room(&plan, played, &next);
            self.office.report(plan.number, record.result);
            let _ = self.events.send(Ok(Event::Finished(Box::new(record))));
            if next == Next::Wait {
                next = self.office.wait_for_next();
            }
        }
        for (index, player) in std::mem::take(&mut self.players) {
            if !player.quit() && !self.is_stopped() {
                let name = self.engines[index].name.clone();
                let _ = self.events.send(Ok(Event::RefusedToQuit(name)));
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.tournament.stop.load(Ordering::Relaxed)
    }

    /// Plays a game; `None` when somebody wants to stop.
    fn play(&mut self, plan: &GamePlan) -> Result<Option<GameRecord>, EngineError> {
        let Tournament { setup, rules, book, .. } = self.tournament;
        let setups = plan.players.map(|index| &*self.engines[index]);
        let opening = book.line(plan.opening);
        let mut game = Game::new(plan, *rules, opening, setups, setup.adjudication)?;
        let mut present = Vec::new();
        for (side, index) in plan.players.into_iter().enumerate() {
            match self.summon(index) {
                Ok(player) => present.push(player),
                Err((Trouble::Interrupted, _)) => return Ok(None),
                Err((Trouble::Fault(fault), stderr)) => {
                    for (index, player) in plan.players.into_iter().zip(present) {
                        self.players.push((index, player));
                    }
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
            for (index, player) in plan.players.into_iter().zip([first, second]) {
                self.players.push((index, player));
            }
            return Ok(None);
        };
        let mut stderr = None;
        for (side, (index, mut player)) in plan.players.into_iter().zip([first, second]).enumerate()
        {
            let is_culprit = ending.culprit() == Some(side);
            if is_culprit {
                stderr = player.last_words();
            }
            let is_ruined = ending.ruined == Some(side)
                || is_culprit && ending.termination == Termination::Time && !player.calm_down();
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
    fn summon(&mut self, engine: usize) -> Result<Player, (Trouble, Option<String>)> {
        if let Some(place) = self.players.iter().position(|(own, _)| *own == engine) {
            return Ok(self.players.remove(place).1);
        }
        if let Some(reason) = self.office.open().out.get(&engine) {
            let reason = format!("is out, since it failed before: {reason}");
            let fault = Fault { termination: Termination::Start, reason, is_fatal: true };
            return Err((Trouble::Fault(fault), None));
        }
        let Tournament { setup, rules, stop, .. } = self.tournament;
        let terms = Terms { game: rules.names(), patience: setup.patience, stop: Arc::clone(stop) };
        Player::start(&self.engines[engine], &terms)
    }

    /// Lets engines go that the next game does not need, so that not too many are kept. One that
    /// took part in the game just played and refuses to quit loses it.
    fn make_room(&mut self, plan: &GamePlan, mut record: GameRecord, next: &Next) -> GameRecord {
        let (needed, keep): (&[usize], usize) = match next {
            Next::Game(next) => (&next.players, KEPT),
            Next::Wait => (&[], KEPT),
            Next::Done => (&[], 0),
        };
        while self.players.len() > keep {
            let is_free = |(index, _): &(usize, Player)| !needed.contains(index);
            let Some(place) = self.players.iter().position(is_free) else { break };
            let (index, player) = self.players.remove(place);
            let stderr = player.last_words();
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
                    let fault = Fault { termination: Termination::Quit, reason, is_fatal: true };
                    let ending = Ending::by_fault(side, name, &fault);
                    record.result = ending.result;
                    record.termination = ending.termination;
                    record.reason = ending.reason;
                    record.stderr = stderr;
                }
                _ => {
                    let _ = self.events.send(Ok(Event::RefusedToQuit(name.clone())));
                }
            }
            self.note_failure(index, "did not quit");
        }
        record
    }
}
