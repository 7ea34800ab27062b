//! One game between two engines, from the first move to the result.

use std::time::{Duration, SystemTime};

use super::adjudication::{self, Adjudication, AdjudicationVerdict};
use super::book_moves::BookMoves;
use super::clock::GameClock;
use super::game_choice::{BookLine, GameChoice};
use super::referee::{GameError, GameState, RefereeBoard};
use crate::arena::engines::driver::{Engine, EngineAnswer};
use crate::arena::engines::engine_setup::EngineSetup;
use crate::arena::engines::fault::{EngineFailure, EngineFault};
use crate::arena::engines::process::POLL_INTERVAL;
use crate::arena::engines::start_failure::last_error_line;
use crate::printing::plural;
use crate::records::{EngineScore, GameRecord, MoveRecord, Termination};
use crate::rules::{Outcome, Side};
use crate::thinking::EngineError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GamePlan {
    /// Its place in the schedule, from 1.
    pub number: u32,
    /// The round, from 1.
    pub round: u32,
    /// The pair it belongs to: two games from one opening with sides swapped.
    pub pair: u32,
    /// The first and the second player, as indices of the list of engines.
    pub players: [usize; 2],
    /// The opening's number, from 0.
    pub opening: u32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct GameConditions {
    pub(crate) game: GameChoice,
    pub(crate) adjudication: Adjudication,
    pub(crate) seed: u64,
    /// The number of first moves of each player that the runner chooses.
    pub(crate) book_moves: [usize; 2],
    /// Whether a pause of the runner while a clock is running makes the game void. Otherwise the
    /// pause is deducted from the time of the move.
    pub(crate) is_void_after_pause: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Ending {
    pub(crate) result: Option<Outcome>,
    pub(crate) termination: Termination,
    pub(crate) reason: String,
    /// The player at fault, if its process cannot be used any more.
    pub(crate) unusable: Option<usize>,
}

impl Ending {
    /// An ending in which `loser` loses by a fault.
    pub(crate) fn by_fault(loser: usize, name: &str, fault: &EngineFault) -> Self {
        Self {
            result: Some(Outcome::Win(side(1 - loser))),
            termination: fault.termination,
            reason: format!("{name} {}", fault.reason),
            unusable: fault.is_fatal.then_some(loser),
        }
    }

    /// Adds the last line that the player at fault wrote to stderr, if its process has ended.
    pub(crate) fn quote_stderr(&mut self, stderr: Option<&str>) {
        if let (Termination::Crash | Termination::StartFailure, Some(tail)) =
            (self.termination, stderr)
        {
            self.reason = format!("{}; {}", self.reason, last_error_line(tail));
        }
    }

    /// Returns the index of the player that lost by a fault, if any.
    pub(crate) fn side_at_fault(&self) -> Option<usize> {
        match self.result {
            Some(Outcome::Win(winner)) if self.termination.is_fault() => {
                Some(winner.other().index())
            }
            _ => None,
        }
    }

    fn new(result: Option<Outcome>, termination: Termination, reason: String) -> Self {
        Self { result, termination, reason, unusable: None }
    }
}

pub(crate) enum Played<T> {
    Ended(T),
    /// The runner was paused for this long, which makes the game void.
    Void(Duration),
    Interrupted,
}

fn side(player: usize) -> Side {
    if player == 0 { Side::P1 } else { Side::P2 }
}

pub(crate) struct MatchGame {
    conditions: GameConditions,
    /// The indices of the players in the list of engines.
    engines: [usize; 2],
    board: RefereeBoard,
    clocks: [GameClock; 2],
    pub(crate) record: GameRecord,
    last_mover: Option<usize>,
    /// The first proven win that each player claimed, and its ply.
    claims: [Option<(EngineScore, usize)>; 2],
    /// The moves that the runner chooses.
    book_moves: BookMoves,
}

impl MatchGame {
    /// Sets up a game.
    /// Fails if the opening is invalid.
    pub(crate) fn new(
        plan: &GamePlan,
        opening: &str,
        setups: [&EngineSetup; 2],
        conditions: GameConditions,
    ) -> Result<Self, EngineError> {
        let GameConditions { game, seed, book_moves, .. } = conditions;
        let board = RefereeBoard::new(game, &BookLine::parse(opening))?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let record = GameRecord {
            number: plan.number,
            round: plan.round,
            pair: plan.pair,
            game: game.name().to_owned(),
            players: setups.map(|setup| setup.name.clone()),
            fen: board.start.clone(),
            limits: setups.map(|setup| setup.limits.to_string()),
            started: now.map_or(0, |time| time.as_secs()),
            ..GameRecord::default()
        };
        let clocks = setups.map(|setup| GameClock::new(setup.limits));
        Ok(Self {
            conditions,
            engines: plan.players,
            board,
            clocks,
            record,
            last_mover: None,
            claims: [None; 2],
            book_moves: BookMoves::new(seed, plan.opening, book_moves),
        })
    }

    /// Plays the game to its end, unless it becomes void or the tournament is stopped. `observe` gets
    /// the game before each move.
    pub(crate) fn play(
        &mut self,
        mut players: [&mut Engine; 2],
        observe: &dyn Fn(&GameRecord),
    ) -> Played<Ending> {
        match self.play_moves(&mut players, observe) {
            Ok(ending) => Played::Ended(ending),
            Err(GameError::Disagreement(reason)) => {
                Played::Ended(Ending::new(None, Termination::Disagreement, reason))
            }
            Err(GameError::Engine { side, failure: EngineFailure::Fault(fault) }) => {
                Played::Ended(Ending::by_fault(side, &self.record.players[side], &fault))
            }
            Err(GameError::Engine { failure: EngineFailure::Interrupted, .. }) => {
                Played::Interrupted
            }
            Err(GameError::Paused(pause)) => Played::Void(pause),
        }
    }

    fn play_moves(
        &mut self,
        players: &mut [&mut Engine; 2],
        observe: &dyn Fn(&GameRecord),
    ) -> Result<Ending, GameError> {
        for (side, player) in players.iter_mut().enumerate() {
            let engine = self.engines[side];
            self.record.seeds[side] =
                player.set_seed(self.conditions.seed, self.record.number, engine);
            player.new_game().map_err(|failure| GameError::Engine { side, failure })?;
        }
        loop {
            observe(&self.record);
            let mover = match self.state(players)? {
                GameState::Ongoing(mover) => mover.index(),
                GameState::Over(outcome) => {
                    let reason = match outcome {
                        Outcome::Draw => "drawn by the rules".to_owned(),
                        Outcome::Win(side) => {
                            format!("{} wins by the rules", self.record.players[side.index()])
                        }
                    };
                    return Ok(Ending::new(Some(outcome), Termination::Normal, reason));
                }
            };
            if self.last_mover == Some(mover) {
                let name = &self.record.players[mover];
                let reason = format!("{name} is to move twice in a row, but sides must alternate");
                return Err(GameError::Disagreement(reason));
            }
            if let Some(ending) = self.adjudicate() {
                return Ok(ending);
            }
            if self.play_book_move(mover) {
                continue;
            }
            let answer = self.request_move(mover, players[mover])?;
            self.play_move(mover, answer).map_err(|fault| GameError::Engine {
                side: mover,
                failure: EngineFailure::Fault(fault),
            })?;
        }
    }

    /// Returns the state of the game, by the rules or as both players report it.
    fn state(&self, players: &mut [&mut Engine; 2]) -> Result<GameState, GameError> {
        if let Some(state) = self.board.state() {
            return Ok(state);
        }
        players.iter_mut().for_each(|player| player.set_position(self.board.position()));
        RefereeBoard::query_state(players)
    }

    /// Asks the player to move for its move, and waits for it.
    fn request_move(&self, mover: usize, player: &mut Engine) -> Result<EngineAnswer, GameError> {
        let failed = |failure| GameError::Engine { side: mover, failure };
        let limits = GameClock::search_limits(&self.clocks, mover);
        player.start_search(self.board.position(), &limits).map_err(failed)?;
        let has_clock = self.clocks.iter().any(|clock| clock.allowance().is_some());
        loop {
            let polled = player.poll_search(POLL_INTERVAL);
            let pause = player.pause;
            if !pause.is_zero() && has_clock && self.conditions.is_void_after_pause {
                return Err(GameError::Paused(pause));
            }
            let polled =
                polled.map_err(|failure| failed(self.clocks[mover].explain_late_start(failure)));
            if let Some(answer) = polled? {
                return Ok(answer);
            }
        }
    }

    fn play_move(&mut self, mover: usize, answer: EngineAnswer) -> Result<(), EngineFault> {
        let text = answer.mv.ok_or_else(|| EngineFault::illegal("sent no move".to_owned()))?;
        let played = self.board.play(&text);
        let mv = played.map_err(|why| EngineFault::illegal(format!("played {why}")))?;
        let over = self.clocks[mover].spend(answer.taken).map(Into::into);
        if let Some(score @ EngineScore::Mate(plies)) = answer.info.score
            && plies > 0
        {
            self.claims[mover].get_or_insert((score, self.record.moves.len() + 1));
        }
        let (info, time) = (answer.info, answer.taken.into());
        self.record_move(mover, MoveRecord { mv, info, time, over, ..MoveRecord::default() });
        Ok(())
    }

    /// Plays a move that the runner chooses for a player; returns whether there is one.
    fn play_book_move(&mut self, mover: usize) -> bool {
        let legal = self.board.legal().unwrap_or_default();
        let Some(chosen) = self.book_moves.next(mover, &legal) else { return false };
        let Ok(mv) = self.board.play(chosen) else { return false };
        self.record_move(mover, MoveRecord { mv, is_book: true, ..MoveRecord::default() });
        true
    }

    fn record_move(&mut self, mover: usize, mv: MoveRecord) {
        if self.last_mover.replace(mover).is_none() {
            self.record.second_begins = mover == 1;
        }
        self.record.moves.push(mv);
    }

    /// Returns the ending if the game is adjudicated now.
    fn adjudicate(&self) -> Option<Ending> {
        let last = self.last_mover?;
        let verdict = adjudication::adjudicate(&self.conditions.adjudication, &self.record.moves)?;
        let mut termination = Termination::Adjudication;
        let (result, reason) = match verdict {
            AdjudicationVerdict::Resigns { last_mover } => {
                let loser = if last_mover { last } else { 1 - last };
                let reason = format!("{} resigns", self.record.players[loser]);
                (Outcome::Win(side(1 - loser)), reason)
            }
            AdjudicationVerdict::DrawAgreed => {
                (Outcome::Draw, "draw adjudicated: both scores near zero".to_owned())
            }
            AdjudicationVerdict::MoveLimit(limit) => {
                termination = Termination::MaxMoves;
                (Outcome::Draw, format!("draw after {} of each player", plural(limit, "move")))
            }
        };
        Some(Ending::new(Some(result), termination, reason))
    }

    /// Completes the record with the ending; `stderr` is the end of the standard error of the
    /// player at fault.
    pub(crate) fn into_record(mut self, ending: Ending, stderr: Option<String>) -> GameRecord {
        for (side, claim) in [Side::P1, Side::P2].into_iter().zip(self.claims) {
            let Some((score, ply)) = claim else { continue };
            // A proven win must be won; an ending by other means neither confirms nor refutes it.
            let is_by_rules = ending.termination == Termination::Normal;
            if is_by_rules && ending.result != Some(Outcome::Win(side)) {
                let name = &self.record.players[side.index()];
                self.record.broken_claims.push(format!(
                    "{name} claimed a proven win ({score}) at ply {ply} but did not win"
                ));
            }
        }
        GameRecord {
            result: ending.result,
            termination: ending.termination,
            reason: ending.reason,
            stderr,
            ..self.record
        }
    }
}
