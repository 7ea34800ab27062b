//! One game between two engines, from the first move to the result. Imports what a game needs:
//! players, referee, clocks, adjudication, record.

use std::time::SystemTime;

use super::adjudication::{self, Verdict};
use super::clock::{GameClock, TimeNames};
use super::player::{EngineAnswer, EngineFault, Player, PlayerError};
use super::record::{EngineScore, GameRecord, MoveRecord, Termination};
use super::referee::{GameState, Opening, QueryError, RefereeBoard, Rules};
use super::setup::{Adjudication, EngineSetup, Protocol};
use crate::engine::EngineError;
use crate::rules::{Outcome, Side};

/// A game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamePlan {
    /// Its place in the schedule, from 1.
    pub number: u32,
    /// The round, from 1.
    pub round: u32,
    /// Games with the same number here are the two sides of one opening.
    pub pair: u32,
    /// Who is the first and who the second player, as places in the list of engines.
    pub players: [usize; 2],
    /// Which opening, from 0.
    pub opening: u32,
}

/// How a game ended.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    pub(super) result: Option<Outcome>,
    pub(super) termination: Termination,
    pub(super) reason: String,
    /// The player at fault who is of no more use.
    pub(super) ruined: Option<usize>,
}

impl Ending {
    /// A side loses by its own fault.
    pub(super) fn by_fault(loser: usize, name: &str, fault: &EngineFault) -> Self {
        Self {
            result: Some(Outcome::Win(side(1 - loser))),
            termination: fault.termination,
            reason: format!("{name} {}", fault.reason),
            ruined: fault.is_fatal.then_some(loser),
        }
    }

    /// The place of the player who was at fault.
    pub(super) fn culprit(&self) -> Option<usize> {
        match self.result {
            Some(Outcome::Win(winner)) if self.termination.is_fault() => {
                Some(winner.other().index())
            }
            _ => None,
        }
    }

    fn of(result: Option<Outcome>, termination: Termination, reason: String) -> Self {
        Self { result, termination, reason, ruined: None }
    }
}

/// The side of the first or the second player.
fn side(player: usize) -> Side {
    if player == 0 { Side::P1 } else { Side::P2 }
}

/// A game in progress.
pub(super) struct MatchGame<'a> {
    setups: [&'a EngineSetup; 2],
    adjudication: Adjudication,
    board: RefereeBoard,
    clocks: [GameClock; 2],
    record: GameRecord,
    /// Who moved last, if anybody has.
    last_mover: Option<usize>,
    /// The first win that each claimed to have proven, and at which ply.
    claims: [Option<(EngineScore, usize)>; 2],
}

impl<'a> MatchGame<'a> {
    /// A game that is about to begin.
    ///
    /// # Errors
    /// When the opening makes no sense.
    pub(super) fn new(
        plan: &GamePlan,
        rules: Rules,
        opening: &str,
        setups: [&'a EngineSetup; 2],
        adjudication: Adjudication,
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
            started: now.map_or(0, |time| time.as_secs()),
            broken_claims: Vec::new(),
            stderr: None,
            tags: Vec::new(),
        };
        let clocks = setups.map(|setup| GameClock::new(setup.limits));
        Ok(Self {
            setups,
            adjudication,
            board,
            clocks,
            record,
            last_mover: None,
            claims: [None; 2],
        })
    }

    /// Plays it; `None` when somebody wants to stop.
    pub(super) fn play(&mut self, mut players: [&mut Player; 2]) -> Option<Ending> {
        match self.play_on(&mut players) {
            Ok(ending) => Some(ending),
            Err((side, PlayerError::Fault(fault))) => {
                Some(Ending::by_fault(side, &self.record.players[side], &fault))
            }
            Err((_, PlayerError::Interrupted | PlayerError::OutOfResources(_))) => None,
        }
    }

    fn play_on(&mut self, players: &mut [&mut Player; 2]) -> Result<Ending, (usize, PlayerError)> {
        for (side, player) in players.iter_mut().enumerate() {
            player.new_game().map_err(|trouble| (side, trouble))?;
        }
        loop {
            let mover = match self.state(players)? {
                Ok(GameState::Ongoing(mover)) => mover.index(),
                Ok(GameState::Over(outcome)) => {
                    let reason = self.describe(outcome, "by the rules");
                    return Ok(Ending::of(Some(outcome), Termination::Normal, reason));
                }
                Err(disagreement) => {
                    return Ok(Ending::of(None, Termination::Disagreement, disagreement));
                }
            };
            if self.last_mover == Some(mover) {
                let name = &self.record.players[mover];
                let reason = format!("{name} is to move twice in a row, sides must take turns");
                return Ok(Ending::of(None, Termination::Disagreement, reason));
            }
            if let Some(ending) = self.adjudicate() {
                return Ok(ending);
            }
            let answer = self.ask_for_move(mover, players[mover])?;
            self.take(mover, answer).map_err(|fault| (mover, PlayerError::Fault(fault)))?;
        }
    }

    /// How the game stands: by the rules, or as both players say; the inner error is what they do
    /// not agree on.
    fn state(
        &self,
        players: &mut [&mut Player; 2],
    ) -> Result<Result<GameState, String>, (usize, PlayerError)> {
        if let Some(state) = self.board.state() {
            return Ok(Ok(state));
        }
        let position = self.board.position_command();
        players.iter_mut().for_each(|player| player.set_position(&position));
        match RefereeBoard::ask(players) {
            Ok(state) => Ok(Ok(state)),
            Err(QueryError::Disagreement(reason)) => Ok(Err(reason)),
            Err(QueryError::Player(side, trouble)) => Err((side, trouble)),
        }
    }

    fn ask_for_move(
        &self,
        mover: usize,
        player: &mut Player,
    ) -> Result<EngineAnswer, (usize, PlayerError)> {
        const UCI: TimeNames = [("wtime", "winc"), ("btime", "binc")];
        const UGI: TimeNames = [("p1time", "p1inc"), ("p2time", "p2inc")];
        let names = match self.setups[mover].proto {
            Protocol::Uci => &UCI,
            Protocol::Ugi => &UGI,
        };
        let [first, second] = &self.clocks;
        player.set_position(&self.board.position_command());
        // What is said before this is answered belongs to an earlier question, and what the engine
        // has to prepare does not cost it time.
        player.synchronise().map_err(|trouble| (mover, trouble))?;
        let go = GameClock::go_command([first, second], mover, names);
        player.think(&go, self.clocks[mover].allowance()).map_err(|trouble| (mover, trouble))
    }

    /// Plays and records a move.
    fn take(&mut self, mover: usize, answer: EngineAnswer) -> Result<(), EngineFault> {
        let illegal =
            |reason| EngineFault { termination: Termination::Illegal, reason, is_fatal: false };
        let text = answer.mv.ok_or_else(|| illegal("gave no move".to_owned()))?;
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

    /// Whether the game ends here although its rules do not end it.
    fn adjudicate(&self) -> Option<Ending> {
        let last = self.last_mover?;
        let (result, termination, reason) =
            match adjudication::judge(&self.adjudication, &self.record.moves)? {
                Verdict::Resigns { last_mover } => {
                    let loser = if last_mover { last } else { 1 - last };
                    (
                        Outcome::Win(side(1 - loser)),
                        Termination::Adjudication,
                        format!("{} resigns", self.record.players[loser]),
                    )
                }
                Verdict::BothSeeDraw => {
                    (Outcome::Draw, Termination::Adjudication, "both see a draw".to_owned())
                }
                Verdict::TooLong(limit) => (
                    Outcome::Draw,
                    Termination::MaxMoves,
                    format!("drawn after {limit} moves of each"),
                ),
            };
        Some(Ending::of(Some(result), termination, reason))
    }

    fn describe(&self, outcome: Outcome, how: &str) -> String {
        match outcome {
            Outcome::Draw => format!("drawn {how}"),
            Outcome::Win(side) => format!("{} wins {how}", self.record.players[side.index()]),
        }
    }

    /// The record of the game, now that it has ended. `stderr` is what the player at fault said.
    pub(super) fn into_record(mut self, ending: Ending, stderr: Option<String>) -> GameRecord {
        for (side, claim) in [Side::P1, Side::P2].into_iter().zip(self.claims) {
            let Some((score, ply)) = claim else { continue };
            // Who claims a win has it, or has not told the truth; an end by other means proves
            // nothing.
            let by_rules = ending.termination == Termination::Normal;
            if by_rules && ending.result != Some(Outcome::Win(side)) {
                let name = &self.record.players[side.index()];
                self.record.broken_claims.push(format!(
                    "{name} claimed a proven win ({score}) at ply {ply} and did not win"
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
