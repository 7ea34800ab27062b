//! Puzzles: the user has one try to find the only move that keeps the value.

use std::sync::Arc;

use super::{Completions, Console, Controller, PlayError, find_choice, input};
use crate::interact::{PlayGame, PlayerKind};
use crate::language::Values;
use crate::protocol::PositionSetup;
use crate::rules::Value;
use crate::search::SearchControl;
use crate::teaching::puzzles::{self, MAX_DIFFICULTY, Puzzle, PuzzleSelection, PuzzleShortage};
use crate::terminal::input::{Keyword, keyword};

/// What the user does with a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PuzzleAnswer {
    /// Plays this legal move.
    Move(String),
    /// Types a command.
    Command(PuzzleCommand),
}

/// A command that ends a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PuzzleCommand {
    /// Show the solution.
    Skip,
    /// End the session.
    Quit,
}

const QUIT: PuzzleAnswer = PuzzleAnswer::Command(PuzzleCommand::Quit);

impl<C: Console> Controller<'_, C> {
    /// Serves puzzles until the user quits or there are no more, then prints the score.
    pub(super) fn serve_puzzles(&mut self, selection: &PuzzleSelection) -> Result<(), PlayError> {
        let entry = self.options.game;
        let mut generator = puzzles::generator(entry, selection);
        let (mut solved, mut tried) = (0, 0);
        loop {
            let control = Arc::new(SearchControl::default());
            let label = self.options.language.text("busy.puzzle");
            let next = || generator.next(&control, &mut |_| {});
            let puzzle = match self.console.run_interruptible(label, &control, next)? {
                Ok(puzzle) => puzzle,
                Err(PuzzleShortage::Stopped) => break,
                Err(PuzzleShortage::Exhausted | PuzzleShortage::GaveUp) => {
                    self.say("puzzle.noMore", &[])?;
                    break;
                }
            };
            let setup = PositionSetup::from_text(&puzzle.fen);
            self.game = PlayGame::new(entry, [PlayerKind::Human; 2], &setup)?;
            let is_win = puzzle.value.value() == Value::Win;
            let key = if is_win { "puzzle.numberWin" } else { "puzzle.numberHold" };
            let (number, difficulty) = (tried + 1, puzzle.difficulty);
            let values: &Values<'_> =
                &[("number", &number), ("difficulty", &difficulty), ("most", &MAX_DIFFICULTY)];
            self.say(key, values)?;
            self.show_board()?;
            let answer = self.ask_solution()?;
            if answer == QUIT {
                break;
            }
            tried += 1;
            if self.grade_answer(&puzzle, &answer)? {
                solved += 1;
            }
            self.say("puzzle.score", &[("solved", &solved), ("tried", &tried)])?;
        }
        if tried == 0 {
            return Ok(());
        }
        self.say("puzzle.score", &[("solved", &solved), ("tried", &tried)])
    }

    /// Reads lines until one is a legal move or a command that ends the puzzle.
    fn ask_solution(&mut self) -> Result<PuzzleAnswer, PlayError> {
        const COMMANDS: &[(Keyword, PuzzleCommand)] = &[
            (keyword("skip", "跳过", &["s", "solution"]), PuzzleCommand::Skip),
            (keyword("quit", "退出", &["q", "exit"]), PuzzleCommand::Quit),
        ];
        let words = input::choice_words(COMMANDS, self.options.language);
        let prompt = self.options.language.text("ask.move");
        let completions = Completions { words, moves: self.game.legal_moves() };
        loop {
            let Some(line) = self.read_line(prompt, &completions)? else {
                return Ok(QUIT);
            };
            let text = line.trim();
            if text.is_empty() {
                self.show_board()?;
            } else if !self.is_move(text)
                && let Some(command) = find_choice(text, COMMANDS)
            {
                return Ok(PuzzleAnswer::Command(command));
            } else if let Some(mv) = self.resolve_user_move(text)? {
                return Ok(PuzzleAnswer::Move(mv));
            }
        }
    }

    /// Prints whether the answer is right, and the solution; returns whether it is.
    fn grade_answer(&mut self, puzzle: &Puzzle, answer: &PuzzleAnswer) -> Result<bool, PlayError> {
        let line = self.options.language.line(&puzzle.line);
        let (key, mv) = match answer {
            PuzzleAnswer::Move(mv) if mv == puzzle.solution() => ("puzzle.correct", mv.as_str()),
            PuzzleAnswer::Move(mv) => ("puzzle.missed", mv.as_str()),
            PuzzleAnswer::Command(_) => ("puzzle.skipped", ""),
        };
        self.say(key, &[("move", &mv), ("line", &line)])?;
        Ok(key == "puzzle.correct")
    }
}
