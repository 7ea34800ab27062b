//! Hands out the games of a schedule to the workers, skips those of earlier runs, and holds the
//! workers' shared state.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::error::TournamentError;
use super::journal::RecordedGames;
use super::schedule::{NextGame, Schedule};
use crate::records::GameRecord;
use crate::rules::Outcome;

/// Hands out games to workers and collects their results.
pub(super) struct Dispatcher {
    state: Mutex<DispatcherState>,
    result_reported: Condvar,
}

pub(super) struct DispatcherState {
    schedule: Schedule,
    recorded: RecordedGames,
    /// Whether no more games are handed out.
    is_closed: bool,
    pub(super) failure: Option<TournamentError>,
    /// Engines that failed and are not restarted, with the reason.
    pub(super) failed_engines: HashMap<usize, String>,
    /// Engines whose warnings have been reported.
    pub(super) warned_engines: HashSet<usize>,
}

impl Dispatcher {
    pub(super) fn new(mut schedule: Schedule, recorded: RecordedGames) -> Self {
        recorded.games.keys().for_each(|number| schedule.mark_played(*number));
        let state = DispatcherState {
            schedule,
            recorded,
            is_closed: false,
            failure: None,
            failed_engines: HashMap::new(),
            warned_engines: HashSet::new(),
        };
        Self { state: Mutex::new(state), result_reported: Condvar::new() }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, DispatcherState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next game, or [`NextGame::Wait`] if it depends on a pending result.
    pub(super) fn next_game(&self) -> NextGame {
        self.lock().next_game()
    }

    /// Returns the next game, blocking while it depends on a pending result.
    pub(super) fn wait_for_next_game(&self) -> NextGame {
        let mut state = self.lock();
        loop {
            match state.next_game() {
                NextGame::Wait => {
                    state =
                        self.result_reported.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                next => return next,
            }
        }
    }

    /// Checks that a game starts like the other one of its pair.
    pub(super) fn check_start(&self, game: &GameRecord) -> Result<(), TournamentError> {
        self.lock().recorded.pairs.add(game).map_err(TournamentError::Record)
    }

    pub(super) fn report_result(&self, number: u32, result: Option<Outcome>) {
        self.lock().schedule.record_result(number, result);
        self.result_reported.notify_all();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.result_reported.notify_all();
    }

    pub(super) fn fail(&self, error: TournamentError) {
        self.lock().failure.get_or_insert(error);
        self.close();
    }
}

impl DispatcherState {
    fn next_game(&mut self) -> NextGame {
        loop {
            if self.is_closed {
                return NextGame::Done;
            }
            let (next, was_played) = self.schedule.next_game();
            let NextGame::Game(plan) = next else { return next };
            let recorded = if was_played { self.recorded.games.remove(&plan.number) } else { None };
            let Some(recorded) = recorded else { return NextGame::Game(plan) };
            self.schedule.record_result(plan.number, recorded.result);
        }
    }
}
