//! One game between two engines, from the first move to the result.

use std::time::SystemTime;

use super::adjudication::{self, AdjudicationVerdict};
use super::clock::{GameClock, TimeNames};
use super::player::{EngineAnswer, EngineFault, Player, PlayerError};
use super::record::{EngineScore, GameRecord, MoveRecord, Termination};
use super::referee::{GameError, GameState, Opening, RefereeBoard, Rules};
use super::setup::{Adjudication, EngineSetup, Protocol, TournamentSetup};
use crate::engine::EngineError;
use crate::rules::{Outcome, Side};

/// A scheduled game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamePlan {
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

/// How a game ended.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    pub(super) result: Option<Outcome>,
    pub(super) termination: Termination,
    pub(super) reason: String,
    /// The player at fault, if its process cannot be used any more.
    pub(super) unusable: Option<usize>,
}

impl Ending {
    /// An ending in which `loser` loses by a fault.
    pub(super) fn by_fault(loser: usize, name: &str, fault: &EngineFault) -> Self {
        Self {
            result: Some(Outcome::Win(side(1 - loser))),
            termination: fault.termination,
            reason: format!("{name} {}", fault.reason),
            unusable: fault.is_fatal.then_some(loser),
        }
    }

    /// Returns the index of the player that lost by a fault, if any.
    pub(super) fn side_at_fault(&self) -> Option<usize> {
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

/// Returns the side of the first or the second player.
fn side(player: usize) -> Side {
    if player == 0 { Side::P1 } else { Side::P2 }
}

/// A game in progress.
pub(super) struct MatchGame<'a> {
    setups: [&'a EngineSetup; 2],
    adjudication: Adjudication,
    /// The seed of the tournament.
    seed: u64,
    /// The places of the players in the list of engines.
    engines: [usize; 2],
    board: RefereeBoard,
    clocks: [GameClock; 2],
    record: GameRecord,
    /// The player that moved last, if any.
    last_mover: Option<usize>,
    /// The first proven win that each player claimed, and its ply.
    claims: [Option<(EngineScore, usize)>; 2],
}

impl<'a> MatchGame<'a> {
    /// Sets up a game.
    ///
    /// # Errors
    /// Fails if the opening is invalid.
    pub(super) fn new(
        plan: &GamePlan,
        rules: Rules,
        opening: &str,
        setups: [&'a EngineSetup; 2],
        tournament: &TournamentSetup,
    ) -> Result<Self, EngineError> {
        let board = RefereeBoard::new(rules, &Opening::parse(opening))?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let record = GameRecord {
            number: plan.number,
            round: plan.round,
            pair: plan.pair,
            game: rules.name().to_owned(),
            players: setups.map(|setup| setup.name.clone()),
            fen: board.start().to_owned(),
            second_begins: false,
            moves: Vec::new(),
            result: None,
            termination: Termination::Normal,
            reason: String::new(),
            limits: setups.map(|setup| setup.limits.to_string()),
            seeds: [None; 2],
            started: now.map_or(0, |time| time.as_secs()),
            broken_claims: Vec::new(),
            stderr: None,
            tags: Vec::new(),
        };
        let clocks = setups.map(|setup| GameClock::new(setup.limits));
        Ok(Self {
            setups,
            adjudication: tournament.adjudication,
            seed: tournament.seed,
            engines: plan.players,
            board,
            clocks,
            record,
            last_mover: None,
            claims: [None; 2],
        })
    }

    /// Returns the game so far.
    pub(super) fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Plays the game to its end; returns `None` if the tournament is stopped.
    pub(super) fn play(&mut self, mut players: [&mut Player; 2]) -> Option<Ending> {
        match self.play_moves(&mut players) {
            Ok(ending) => Some(ending),
            Err(GameError::Disagreement(reason)) => {
                Some(Ending::new(None, Termination::Disagreement, reason))
            }
            Err(GameError::Player { side, error: PlayerError::Fault(fault) }) => {
                Some(Ending::by_fault(side, &self.record.players[side], &fault))
            }
            Err(GameError::Player {
                error: PlayerError::Interrupted | PlayerError::OutOfResources(_),
                ..
            }) => None,
        }
    }

    fn play_moves(&mut self, players: &mut [&mut Player; 2]) -> Result<Ending, GameError> {
        for (side, player) in players.iter_mut().enumerate() {
            let engine = self.engines[side];
            self.record.seeds[side] = player.set_seed(self.seed, self.record.number, engine);
            player.new_game().map_err(|error| GameError::Player { side, error })?;
        }
        loop {
            let mover = match self.state(players)? {
                GameState::Ongoing(mover) => mover.index(),
                GameState::Over(outcome) => {
                    let reason = self.describe(outcome, "by the rules");
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
            let answer = self
                .request_move(mover, players[mover])
                .map_err(|error| GameError::Player { side: mover, error })?;
            self.play_move(mover, answer).map_err(|fault| GameError::Player {
                side: mover,
                error: PlayerError::Fault(fault),
            })?;
        }
    }

    /// Returns the state of the game, by the rules or as both players report it.
    fn state(&self, players: &mut [&mut Player; 2]) -> Result<GameState, GameError> {
        if let Some(state) = self.board.state() {
            return Ok(state);
        }
        let position = self.board.position_command();
        players.iter_mut().for_each(|player| player.set_position(&position));
        RefereeBoard::query_state(players)
    }

    fn request_move(&self, mover: usize, player: &mut Player) -> Result<EngineAnswer, PlayerError> {
        const UCI: TimeNames = [("wtime", "winc"), ("btime", "binc")];
        const UGI: TimeNames = [("p1time", "p1inc"), ("p2time", "p2inc")];
        let names = match self.setups[mover].proto {
            Protocol::Uci => &UCI,
            Protocol::Ugi => &UGI,
        };
        let [first, second] = &self.clocks;
        player.set_position(&self.board.position_command());
        // Output up to `readyok` belongs to earlier commands, and preparation costs no clock time.
        player.synchronize()?;
        let go = GameClock::go_command([first, second], mover, names);
        player.search(&go, self.clocks[mover].allowance())
    }

    /// Plays and records a move.
    fn play_move(&mut self, mover: usize, answer: EngineAnswer) -> Result<(), EngineFault> {
        let illegal =
            |reason| EngineFault { termination: Termination::Illegal, reason, is_fatal: false };
        let text = answer.mv.ok_or_else(|| illegal("sent no move".to_owned()))?;
        let mv = self.board.play(&text).map_err(|why| illegal(format!("played {why}")))?;
        if self.last_mover.replace(mover).is_none() {
            self.record.second_begins = mover == 1;
        }
        let over = self.clocks[mover].spend(answer.taken).map(Into::into);
        if let Some(score @ EngineScore::Mate(plies)) = answer.info.score
            && plies > 0
        {
            self.claims[mover].get_or_insert((score, self.record.moves.len() + 1));
        }
        self.record.moves.push(MoveRecord {
            mv,
            info: answer.info,
            time: answer.taken.into(),
            over,
            value: None,
            best: None,
        });
        Ok(())
    }

    /// Returns the ending if the game is adjudicated now.
    fn adjudicate(&self) -> Option<Ending> {
        let last = self.last_mover?;
        let (result, termination, reason) =
            match adjudication::adjudicate(&self.adjudication, &self.record.moves)? {
                AdjudicationVerdict::Resigns { last_mover } => {
                    let loser = if last_mover { last } else { 1 - last };
                    (
                        Outcome::Win(side(1 - loser)),
                        Termination::Adjudication,
                        format!("{} resigns", self.record.players[loser]),
                    )
                }
                AdjudicationVerdict::DrawAgreed => (
                    Outcome::Draw,
                    Termination::Adjudication,
                    "draw adjudicated: both scores near zero".to_owned(),
                ),
                AdjudicationVerdict::MoveLimit(limit) => (
                    Outcome::Draw,
                    Termination::MaxMoves,
                    format!("draw after {limit} moves of each player"),
                ),
            };
        Some(Ending::new(Some(result), termination, reason))
    }

    fn describe(&self, outcome: Outcome, how: &str) -> String {
        match outcome {
            Outcome::Draw => format!("drawn {how}"),
            Outcome::Win(side) => format!("{} wins {how}", self.record.players[side.index()]),
        }
    }

    /// Completes the record with the ending; `stderr` is the end of the standard error of the
    /// player at fault.
    pub(super) fn into_record(mut self, ending: Ending, stderr: Option<String>) -> GameRecord {
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
