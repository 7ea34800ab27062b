//! Runs a tournament: each worker takes games from the schedule, plays them with its own engine
//! processes and reports the results. An engine that cannot be used any more forfeits its remaining
//! games, unless failed engines are restarted.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::book::Book;
use super::dispatcher::Dispatcher;
use super::error::TournamentError;
use super::in_progress::GamesInProgress;
use super::journal::RecordedGames;
use super::schedule::{NextGame, Schedule};
use super::tournament_setup::TournamentSetup;
use crate::arena::engines::driver::{Engine, EngineConditions, StartError};
use crate::arena::engines::engine_setup::EngineSetup;
use crate::arena::engines::fault::EngineFault;
use crate::arena::engines::start_check::{MAX_IDLE_ENGINES, StartedEngines};
use crate::arena::games::match_game::{Ending, GameConditions, GamePlan, MatchGame, Played};
use crate::records::{GameRecord, Termination};
use crate::thinking::EngineError;

/// A tournament that is ready to be played.
pub(crate) struct Tournament {
    pub setup: TournamentSetup,
    pub book: Book,
    /// The numbers of the games to play; `None` for all games.
    pub shard: Option<RangeInclusive<u32>>,
    /// Stops the tournament at once when set.
    pub stop: Arc<AtomicBool>,
    /// The games being played, if somebody may watch.
    pub in_progress: Option<GamesInProgress>,
}

/// What is reported while a tournament runs.
pub(crate) enum TournamentEvent {
    GameFinished(Box<GameRecord>),
    /// An engine misbehaved without affecting the result of a game.
    Warning(String),
}

impl Tournament {
    /// Returns whether no game is left to play; `recorded` contains the games of earlier runs.
    pub(crate) fn is_finished(&self, recorded: &RecordedGames) -> bool {
        matches!(self.dispatcher(recorded).next_game(), NextGame::Done)
    }

    fn dispatcher(&self, recorded: &RecordedGames) -> Dispatcher {
        Dispatcher::new(self.schedule(), recorded.clone())
    }

    pub(crate) fn engine_conditions(&self) -> EngineConditions {
        EngineConditions {
            game: self.setup.game.spec(),
            timeouts: self.setup.timeouts,
            stop: Arc::clone(&self.stop),
        }
    }

    /// Plays the remaining games with engines that passed the start check; `recorded` contains the
    /// games of earlier runs, by number. Each event is passed to `observe` before the worker
    /// continues. If `observe` breaks, no more games are started and, once the running ones have
    /// finished, its reason is returned.
    /// Fails if an opening is invalid, a thread or process cannot be started, or the recorded games
    /// do not belong to this tournament.
    pub(crate) fn play<B: Send>(
        &self,
        started: StartedEngines,
        recorded: &RecordedGames,
        observe: impl FnMut(TournamentEvent) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, TournamentError> {
        let dispatcher = self.dispatcher(recorded);
        let engines: Vec<Arc<EngineSetup>> =
            self.setup.engines.iter().cloned().map(Arc::new).collect();
        // The callback for events, and the reason it gave to stop.
        let observer = Mutex::new((observe, None));
        let emit = |event: TournamentEvent| {
            let mut guard = observer.lock().unwrap_or_else(PoisonError::into_inner);
            let (observe, stop_reason) = &mut *guard;
            if let ControlFlow::Break(reason) = observe(event) {
                dispatcher.close();
                stop_reason.get_or_insert(reason);
            }
        };
        let StartedEngines { running: mut idle, warnings } = started;
        for (engine, warning) in warnings {
            dispatcher.lock().warned_engines.insert(engine);
            let name = &engines[engine].name;
            emit(TournamentEvent::Warning(format!("{name} {warning}")));
        }
        std::thread::scope(|scope| {
            // The games in progress are kept as long as a worker has the sender.
            let (running, ended) = channel::<()>();
            if let Some(games) = &self.in_progress {
                let builder = std::thread::Builder::new().name("in progress".to_owned());
                if let Err(error) = builder.spawn_scoped(scope, move || games.keep_file(&ended)) {
                    tracing::info!("cannot show the games in progress: {error}");
                }
            }
            for number in 0..self.setup.concurrency {
                let mut worker = GameWorker {
                    tournament: self,
                    engines: &engines,
                    dispatcher: &dispatcher,
                    emit: &emit,
                    // The first worker gets the running engines.
                    idle: std::mem::take(&mut idle),
                    _running: running.clone(),
                };
                let builder = std::thread::Builder::new().name(format!("games {}", number + 1));
                if let Err(error) = builder.spawn_scoped(scope, move || worker.play_games()) {
                    dispatcher.fail(EngineError::Thread(error).into());
                }
            }
        });
        let (_, stop_reason) = observer.into_inner().unwrap_or_else(PoisonError::into_inner);
        dispatcher.lock().failure.take().map_or(Ok(stop_reason), Err)
    }

    /// Returns the schedule of the games to play, from its beginning.
    pub(crate) fn schedule(&self) -> Schedule {
        let all = Schedule::from_setup(&self.setup);
        match &self.shard {
            Some(shard) => all.restrict_to(shard.clone()),
            None => all,
        }
    }
}

/// Closes the dispatcher if a worker panics, so that no other worker waits for its result.
struct CloseOnPanic<'a>(&'a Dispatcher);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// The maximum number of replays of a game because the runner was paused. After that, pauses are
/// deducted from the time of the move, so that a machine that stalls often still finishes its games.
const MAX_REPLAYS: usize = 3;

struct GameWorker<'a> {
    tournament: &'a Tournament,
    engines: &'a [Arc<EngineSetup>],
    dispatcher: &'a Dispatcher,
    emit: &'a (dyn Fn(TournamentEvent) + Sync),
    /// Idle engines by index, the most recently used last.
    idle: Vec<(usize, Engine)>,
    /// Dropped when the worker ends.
    _running: Sender<()>,
}

impl GameWorker<'_> {
    fn play_games(&mut self) {
        let _guard = CloseOnPanic(self.dispatcher);
        let mut next = self.dispatcher.wait_for_next_game();
        while let NextGame::Game(plan) = next
            && !self.dispatcher.is_closed()
        {
            let mut record = match self.play(&plan) {
                Ok(Some(record)) => record,
                Ok(None) => {
                    self.dispatcher.close();
                    break;
                }
                Err(error) => {
                    self.dispatcher.fail(error);
                    break;
                }
            };
            next = self.dispatcher.next_game();
            for (engine, stderr) in self.retire_idle_engines(&next) {
                self.penalize_quit_failure(&plan, &mut record, engine, stderr);
            }
            let result = record.result;
            (self.emit)(TournamentEvent::GameFinished(Box::new(record)));
            self.dispatcher.report_result(plan.number, result);
            if next == NextGame::Wait {
                next = self.dispatcher.wait_for_next_game();
            }
        }
        for (index, player) in std::mem::take(&mut self.idle) {
            if !player.quit() && !self.is_stopped() {
                self.warn(index, "did not quit");
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.tournament.stop.load(Ordering::Relaxed)
    }

    fn warn(&self, engine: usize, warning: &str) {
        let name = &self.engines[engine].name;
        (self.emit)(TournamentEvent::Warning(format!("{name} {warning}")));
    }

    /// Plays a game, and plays it again if it becomes void; returns `None` if the tournament is
    /// stopped.
    fn play(&mut self, plan: &GamePlan) -> Result<Option<GameRecord>, TournamentError> {
        for replays in 0.. {
            let pause = match self.play_once(plan, replays == MAX_REPLAYS)? {
                Played::Ended(record) => return Ok(Some(*record)),
                Played::Void(pause) => pause,
                Played::Interrupted => break,
            };
            (self.emit)(TournamentEvent::Warning(format!(
                "game {} is replayed: the match was paused for {:.1}s while a clock was running",
                plan.number,
                pause.as_secs_f64()
            )));
        }
        Ok(None)
    }

    /// Plays a game. With `deduct_pauses`, pauses of the runner do not make it void.
    fn play_once(
        &mut self,
        plan: &GamePlan,
        deduct_pauses: bool,
    ) -> Result<Played<Box<GameRecord>>, TournamentError> {
        let Tournament { setup, book, .. } = self.tournament;
        let setups = plan.players.map(|index| &*self.engines[index]);
        let opening = book.line(plan.opening)?;
        let conditions = GameConditions {
            game: setup.game,
            adjudication: setup.adjudication,
            seed: setup.seed,
            book_moves: setups.map(|engine| setup.openings.moves_for(engine)),
            is_void_after_pause: !deduct_pauses,
        };
        let mut game = MatchGame::new(plan, &opening, setups, conditions)?;
        self.dispatcher.check_start(&game.record)?;
        let mut players = Vec::new();
        for (side, index) in plan.players.into_iter().enumerate() {
            match self.acquire(index) {
                Ok(player) => players.push(player),
                Err(StartError::Interrupted) => return Ok(Played::Interrupted),
                Err(StartError::OutOfResources(error)) => {
                    return Err(TournamentError::OutOfResources(error));
                }
                Err(StartError::Fault(fault, engine)) => {
                    let stderr = engine.and_then(|engine| engine.stderr_tail());
                    self.keep_idle(plan.players.into_iter().zip(players));
                    let mut ending = Ending::by_fault(side, &setups[side].name, &fault);
                    ending.quote_stderr(stderr.as_deref());
                    self.mark_failed(index, &ending.reason);
                    return Ok(Played::Ended(Box::new(game.into_record(ending, stderr))));
                }
            }
        }
        let Ok([mut first, mut second]) = <[Engine; 2]>::try_from(players) else {
            return Ok(Played::Interrupted);
        };
        let in_progress = self.tournament.in_progress.as_ref();
        let played = game.play([&mut first, &mut second], &|record| {
            in_progress.iter().for_each(|games| games.update(record));
        });
        in_progress.iter().for_each(|games| games.remove(plan.number));
        let players = plan.players.into_iter().zip([first, second]);
        Ok(match played {
            Played::Ended(mut ending) => {
                let stderr = self.settle(players, &mut ending);
                Played::Ended(Box::new(game.into_record(ending, stderr)))
            }
            Played::Void(pause) => {
                // Engines that do not answer `stop` are restarted.
                self.keep_idle(players.filter_map(|(index, mut player)| {
                    (player.plays_single_game() || player.recover()).then_some((index, player))
                }));
                Played::Void(pause)
            }
            Played::Interrupted => {
                self.keep_idle(players);
                Played::Interrupted
            }
        })
    }

    /// Keeps the players of a game that has ended, unless they cannot be used any more. Returns the end of
    /// the standard error of the one at fault, and quotes it in the ending.
    fn settle(
        &mut self,
        players: impl Iterator<Item = (usize, Engine)>,
        ending: &mut Ending,
    ) -> Option<String> {
        let mut stderr = None;
        for (side, (index, mut player)) in players.enumerate() {
            let is_at_fault = ending.side_at_fault() == Some(side);
            if is_at_fault {
                stderr = player.stderr_tail();
                ending.quote_stderr(stderr.as_deref());
            }
            if player.plays_single_game() {
                continue;
            }
            let is_late = is_at_fault && ending.termination == Termination::Time;
            let is_stuck = (is_late || player.is_searching()) && !player.recover();
            if ending.unusable == Some(side) || is_stuck && is_at_fault {
                self.mark_failed(index, &ending.reason);
            } else if is_stuck {
                let name = &self.tournament.setup.engines[index].name;
                self.mark_failed(index, &format!("{name} did not answer stop"));
            } else {
                self.idle.push((index, player));
            }
        }
        stderr
    }

    /// Keeps engines for other games, except those that play a single game.
    fn keep_idle(&mut self, players: impl Iterator<Item = (usize, Engine)>) {
        self.idle.extend(players.filter(|(_, player)| !player.plays_single_game()));
    }

    /// Excludes a failed engine from the remaining games, unless failed engines are restarted.
    fn mark_failed(&self, engine: usize, reason: &str) {
        if !self.tournament.setup.recover {
            let mut state = self.dispatcher.lock();
            state.failed_engines.entry(engine).or_insert_with(|| reason.to_owned());
        }
    }

    /// Reuses an idle engine process or starts a new one.
    fn acquire(&mut self, engine: usize) -> Result<Engine, StartError> {
        let position = self.idle.iter().position(|(own, _)| *own == engine);
        let mut idle = position.map(|position| self.idle.remove(position).1);
        if idle.as_mut().is_some_and(|engine| engine.process().has_exited()) {
            // It has not affected a game, but it counts as failed.
            self.mark_failed(engine, "exited between two games");
            idle = None;
        }
        if let Some(reason) = self.dispatcher.lock().failed_engines.get(&engine) {
            let reason = format!("is not restarted after an earlier failure: {reason}");
            return Err(StartError::Fault(
                EngineFault::fatal(Termination::StartFailure, reason),
                None,
            ));
        }
        if let Some(player) = idle {
            return Ok(player);
        }
        let mut player =
            Engine::start(&self.engines[engine], &self.tournament.engine_conditions())?;
        let warnings = player.take_warnings();
        if !warnings.is_empty() && self.dispatcher.lock().warned_engines.insert(engine) {
            warnings.iter().for_each(|warning| self.warn(engine, warning));
        }
        Ok(player)
    }

    /// Quits idle engines that the next game does not need while there are too many, or all of them
    /// if there is no next game. Returns those that ignored `quit`, with the end of their standard error.
    fn retire_idle_engines(&mut self, next: &NextGame) -> Vec<(usize, Option<String>)> {
        let (needed, limit): (&[usize], usize) = match next {
            NextGame::Game(next) => (&next.players, MAX_IDLE_ENGINES),
            NextGame::Wait => (&[], MAX_IDLE_ENGINES),
            NextGame::Done => (&[], 0),
        };
        let mut failures = Vec::new();
        while self.idle.len() > limit {
            let is_unneeded = |(index, _): &(usize, Engine)| !needed.contains(index);
            let Some(position) = self.idle.iter().position(is_unneeded) else { break };
            let (engine, player) = self.idle.remove(position);
            let stderr = player.stderr_tail();
            if !player.quit() && !self.is_stopped() {
                failures.push((engine, stderr));
            }
        }
        failures
    }

    /// Makes an engine that ignored `quit` lose the game just played, if it took part and no player
    /// is at fault already.
    fn penalize_quit_failure(
        &self,
        plan: &GamePlan,
        record: &mut GameRecord,
        engine: usize,
        stderr: Option<String>,
    ) {
        match plan.players.iter().position(|player| *player == engine) {
            Some(side) if record.player_at_fault().is_none() => {
                let reason = format!(
                    "did not quit within {}s (before: {})",
                    self.tournament.setup.timeouts.reply.as_secs_f64(),
                    record.reason
                );
                let fault = EngineFault::fatal(Termination::Quit, reason);
                let ending = Ending::by_fault(side, &self.engines[engine].name, &fault);
                record.result = ending.result;
                record.termination = ending.termination;
                record.reason = ending.reason;
                record.stderr = stderr;
            }
            _ => self.warn(engine, "did not quit"),
        }
        self.mark_failed(engine, "did not quit");
    }
}
