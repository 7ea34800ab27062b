//! Asks an engine for its move in each position. Whatever it does, the run goes on: a fault is an
//! answer, and an engine that cannot be used any more is restarted.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use super::score::{Choice, ExamAnswer};
use super::suite::{ExamPosition, Suite};
use crate::arena::engines::driver::{Engine, EngineAnswer, EngineConditions, StartError};
use crate::arena::engines::engine_setup::EngineSetup;
use crate::arena::engines::fault::{EngineFailure, EngineFault};
use crate::arena::engines::process::POLL_INTERVAL;
use crate::arena::engines::start_check::StartedEngines;
use crate::arena::engines::uci::{GamePosition, STARTPOS};
use crate::arena::games::clock::GameClock;
use crate::arena::games::game_choice::{BookLine, GameChoice};
use crate::arena::games::referee::RefereeBoard;
use crate::records::Termination;
use crate::thinking::registry;

/// An engine that fails to start this often in a row is not started again.
const MAX_FAILED_STARTS: usize = 3;

/// An engine that sits the exam.
#[derive(Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) setup: Arc<EngineSetup>,
    pub(crate) conditions: EngineConditions,
    /// The number of its processes.
    pub(crate) concurrency: usize,
}

/// Why a worker ends early.
enum Halt {
    Interrupted,
    OutOfResources(io::Error),
}

impl Candidate<'_> {
    /// Returns the answers in the order of the positions; some are missing if the run was
    /// interrupted. `observe` gets the number of answers after each one.
    /// Fails if a thread or a process cannot be started for lack of resources.
    pub(crate) fn choose_all(
        &self,
        started: StartedEngines,
        observe: &(dyn Fn(usize) + Sync),
    ) -> io::Result<Vec<ExamAnswer>> {
        let (next, failed_starts) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let answers = Mutex::new(Vec::new());
        let mut running: Vec<Engine> =
            started.running.into_iter().map(|(_, engine)| engine).collect();
        let result = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 1..=self.concurrency {
                let mut worker =
                    Worker { candidate: self, failed_starts: &failed_starts, idle: running.pop() };
                let (next, answers) = (&next, &answers);
                let builder = Builder::new().name(format!("exam {number}"));
                threads.push(builder.spawn_scoped(scope, move || {
                    while let Some(position) =
                        self.suite.positions.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let choice = match worker.choose(position) {
                            Ok(choice) => choice,
                            Err(Halt::Interrupted) => break,
                            Err(Halt::OutOfResources(error)) => return Err(error),
                        };
                        let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                        answers.push(ExamAnswer { id: position.id, choice });
                        observe(answers.len());
                    }
                    // Whether it quits in time does not matter any more.
                    worker.idle.map(Engine::quit);
                    Ok(())
                })?);
            }
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_unstable_by_key(|answer| answer.id);
        result.map(|()| answers)
    }
}

struct Worker<'a> {
    candidate: &'a Candidate<'a>,
    /// How often the engine failed to start since it last did.
    failed_starts: &'a AtomicUsize,
    idle: Option<Engine>,
}

impl Worker<'_> {
    fn choose(&mut self, position: &ExamPosition) -> Result<Choice, Halt> {
        let mut engine = match self.acquire()? {
            Ok(engine) => engine,
            Err(fault) => return Ok(Choice::Fault(fault.termination, fault.reason)),
        };
        let answer = match self.request_move(&mut engine, position) {
            Ok(answer) => self.legal_move(position, answer.mv.as_deref()),
            Err(EngineFailure::Fault(fault)) => Err(fault),
            Err(EngineFailure::Interrupted) => return Err(Halt::Interrupted),
        };
        let is_lost = answer.as_ref().is_err_and(|fault| {
            let is_busy = fault.termination == Termination::Time || engine.is_searching();
            fault.is_fatal || is_busy && !engine.recover()
        });
        if !is_lost && !engine.plays_single_game() {
            self.idle = Some(engine);
        }
        Ok(match answer {
            Ok(mv) => Choice::Move(mv),
            Err(fault) => Choice::Fault(fault.termination, fault.reason),
        })
    }

    /// Reuses the engine or starts it.
    fn acquire(&mut self) -> Result<Result<Engine, EngineFault>, Halt> {
        if let Some(engine) = self.idle.take() {
            return Ok(Ok(engine));
        }
        let Candidate { setup, conditions, .. } = self.candidate;
        if self.failed_starts.load(Ordering::Relaxed) >= MAX_FAILED_STARTS {
            let reason =
                format!("is not started again after {MAX_FAILED_STARTS} failures in a row");
            return Ok(Err(EngineFault::fatal(Termination::StartFailure, reason)));
        }
        match Engine::start(setup, conditions) {
            Ok(engine) => {
                self.failed_starts.store(0, Ordering::Relaxed);
                Ok(Ok(engine))
            }
            Err(StartError::Fault(fault, _)) => {
                self.failed_starts.fetch_add(1, Ordering::Relaxed);
                Ok(Err(fault))
            }
            Err(StartError::Interrupted) => Err(Halt::Interrupted),
            Err(StartError::OutOfResources(error)) => Err(Halt::OutOfResources(error)),
        }
    }

    /// Leads the engine to the position and asks for its move. A CodinGame bot cannot be given a
    /// position: it plays the line, with a single legal move in each turn before the last.
    fn request_move(
        &self,
        engine: &mut Engine,
        position: &ExamPosition,
    ) -> Result<EngineAnswer, EngineFailure> {
        let ply = position.line.len();
        let clock = GameClock::new(self.candidate.setup.limits);
        let mut clocks = [clock.clone(), clock];
        let mover = ply % 2;
        let at = |ply: usize| GamePosition { start: STARTPOS, moves: &position.line[..ply] };
        engine.new_game()?;
        if engine.plays_single_game() {
            for turn in (mover..ply).step_by(2) {
                let limits = GameClock::search_limits(&clocks, mover);
                engine.lead(at(turn), &limits, &position.line[turn])?;
                let answer =
                    wait(engine).map_err(|failure| clocks[mover].explain_late_start(failure))?;
                clocks[mover].spend(answer.taken);
                if answer.mv.as_ref() != Some(&position.line[turn]) {
                    let played = answer.mv.unwrap_or_default();
                    let reason =
                        format!("played {played} where only {} was listed", position.line[turn]);
                    return Err(EngineFailure::Fault(EngineFault::illegal(reason)));
                }
            }
        }
        engine.start_search(at(ply), &GameClock::search_limits(&clocks, mover))?;
        wait(engine)
    }

    /// The name of the move that the engine sent.
    fn legal_move(
        &self,
        position: &ExamPosition,
        text: Option<&str>,
    ) -> Result<String, EngineFault> {
        let text = text.ok_or_else(|| EngineFault::illegal("sent no move".to_owned()))?;
        if position.value_of(text).is_some() {
            return Ok(text.to_owned());
        }
        let board = registry::find(self.candidate.suite.game).and_then(|spec| {
            RefereeBoard::new(GameChoice::Known(spec), &BookLine::parse(&position.fen))
        });
        let played =
            board.map_err(|error| error.to_string()).and_then(|mut board| board.play(text));
        played.map_err(|why| EngineFault::illegal(format!("played {why}")))
    }
}

fn wait(engine: &mut Engine) -> Result<EngineAnswer, EngineFailure> {
    loop {
        if let Some(answer) = engine.poll_search(POLL_INTERVAL)? {
            return Ok(answer);
        }
    }
}
