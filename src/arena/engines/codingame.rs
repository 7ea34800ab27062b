//! The adapter of CodinGame's protocol: bots that play one game from its start position, without a
//! handshake, options or `quit`.

use std::time::{Duration, Instant};

use super::engine_setup::EngineSetup;
use super::fault::{EngineFailure, EngineFault};
use super::process::WaitError;
use super::uci::GamePosition;
use crate::printing::quote;
use crate::protocol::codingame::{BotAnswer, parse_answer, turn_text};
use crate::records::Termination;
use crate::rules::{Notation, StartPosition};
use crate::thinking::{AnyGame, CodingameBoard, GameSpec};

/// How long to wait for an answer after the time limit, to tell a late bot from a silent one.
pub(super) const LATE_WAIT: Duration = Duration::from_secs(1);

/// How long a bot is observed before its first game: a missing file or library ends it sooner.
pub(super) const START_WAIT: Duration = Duration::from_millis(300);

/// Checks the settings of a bot.
/// Returns a message about the first that the protocol does not have.
pub(crate) fn check_settings(
    setup: &EngineSetup,
    game: Option<&'static GameSpec>,
) -> Result<(), String> {
    let EngineSetup { name, options, limits, .. } = setup;
    let adapter = CodingameAdapter::new(game);
    adapter.map_err(|reason| format!("proto=codingame of {name}: {reason}"))?;
    let refuse = |setting: &str, reason: &str| {
        Err(format!("{setting} of {name} cannot be used with proto=codingame: {reason}"))
    };
    if let Some((option, _)) = options.first() {
        return refuse(&format!("option.{option}"), "the protocol has no options, use args=");
    }
    let mut limits = limits.named().into_iter();
    match limits.find(|(name, value)| value.is_some() && !matches!(*name, "st" | "firsttime")) {
        None => Ok(()),
        Some((name, _)) => refuse(
            &format!("{name}="),
            "a bot has no limit but its time per move, use st= and firsttime=",
        ),
    }
}

pub(super) struct CodingameAdapter {
    spec: &'static GameSpec,
    board: CodingameBoard,
    /// The moves of the game up to the bot's turn.
    moves: Vec<String>,
}

impl CodingameAdapter {
    /// Prepares a game.
    /// Returns a message if the rules are engine-defined or the game cannot be played in this
    /// protocol.
    pub(super) fn new(game: Option<&'static GameSpec>) -> Result<Self, String> {
        let spec = game.ok_or("it cannot play a game with engine-defined rules")?;
        let board = CodingameBoard::of_game(spec).map_err(|error| error.to_string())?;
        Ok(Self { spec, board, moves: Vec::new() })
    }

    /// Returns the game after the moves so far.
    fn game(&self) -> Result<Box<dyn AnyGame>, String> {
        let mut game = self.spec.open();
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        game.play_moves(&moves).map_err(|error| error.to_string())?;
        Ok(game)
    }

    /// Returns the lines of a turn.
    /// Returns a message if the position was not reached from the start position.
    pub(super) fn turn(&mut self, position: GamePosition<'_>) -> Result<String, String> {
        self.follow(position)?;
        Ok(self.turn_with(&self.game()?.legal_moves(Notation::Own)))
    }

    /// Returns the lines of a turn with `only` one legal move.
    /// Returns a message if the position was not reached from the start position.
    pub(super) fn led_turn(
        &mut self,
        position: GamePosition<'_>,
        only: &str,
    ) -> Result<String, String> {
        self.follow(position)?;
        Ok(self.turn_with(&[only.to_owned()]))
    }

    fn turn_with(&self, legal: &[String]) -> String {
        let opponent = self.moves.last().and_then(|mv| self.board.place_of(mv));
        turn_text(opponent, &self.board.places_of(legal))
    }

    fn follow(&mut self, position: GamePosition<'_>) -> Result<(), String> {
        let mut start = self.spec.open();
        let first = start.fen();
        let is_set = start.set_position(&StartPosition::from_text(position.start), &[]);
        if is_set.is_err() || start.fen() != first {
            return Err("cannot be given a position, only the moves from the start".to_owned());
        }
        position.moves.clone_into(&mut self.moves);
        Ok(())
    }

    /// Reads a line of a bot: the name of its move, or why it is at fault. Blank lines are ignored.
    /// A line is `early` if it arrived before the bot's turn.
    pub(super) fn read_line(
        &self,
        line: &str,
        is_early: bool,
    ) -> Option<Result<String, EngineFault>> {
        if line.is_empty() {
            return None;
        }
        let refuse = |reason| Some(Err(EngineFault::fatal(Termination::ProtocolError, reason)));
        if is_early {
            return refuse(format!("sent {} before its turn", quote(line)));
        }
        let illegal = |reason: String| EngineFault::illegal(format!("played {reason}"));
        match parse_answer(line) {
            Some(BotAnswer::Square(place)) => {
                let name = self.board.name_of(place).to_owned();
                let played = self.game().and_then(|mut game| {
                    game.play_moves(&[&name]).map_err(|error| error.to_string())
                });
                Some(match played {
                    Ok(()) => Ok(name),
                    Err(why) => Err(illegal(format!("{place}: {why}"))),
                })
            }
            Some(BotAnswer::OffBoard(row, column)) => Some(Err(illegal(format!(
                "{row} {column}: not on the board, expected a row and a column from 0 to 8"
            )))),
            None => refuse(format!("sent {}, expected a move as ROW COL", quote(line))),
        }
    }
}

/// Returns the failure of a bot that `started` a turn and has exceeded its time. `late` is when its
/// answer arrived after all, or why none did.
pub(super) fn overtime(
    fault: EngineFault,
    started: Instant,
    late: &Result<Instant, WaitError>,
) -> EngineFailure {
    let reason = fault.reason;
    let (termination, reason) = match late {
        Ok(at) => {
            let taken = at.saturating_duration_since(started).as_secs_f64();
            (Termination::Time, format!("{reason}; it answered after {taken:.3}s"))
        }
        Err(WaitError::Timeout) => {
            let wait = LATE_WAIT.as_secs();
            (Termination::Stall, format!("{reason}, nor in another {wait}s"))
        }
        Err(WaitError::Interrupted) => return EngineFailure::Interrupted,
        Err(WaitError::Closed | WaitError::Malformed(_)) => (Termination::Time, reason),
    };
    EngineFailure::Fault(EngineFault { termination, reason, is_fatal: false })
}
