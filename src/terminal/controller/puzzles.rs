//! Puzzles: the user has one try to find the only move that keeps the value.

use std::sync::Arc;

use super::{Completions, Console, Controller, Keyword, PlayError, find_choice, keyword};
use crate::interact::PlayerKind;
use crate::interact::game::PlayGame;
use crate::interact::messages::Message;
use crate::protocol::PositionSetup;
use crate::search::SearchControl;
use crate::teaching::puzzles::{self, Puzzle, PuzzleSelection, PuzzleShortage};

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
            let label = self.options.language.render(&Message::FindingPuzzle);
            let next = || generator.next(&control, &mut |_| {});
            let puzzle = match self.console.run_interruptible(&label, &control, next)? {
                Ok(puzzle) => puzzle,
                Err(PuzzleShortage::Stopped) => break,
                Err(PuzzleShortage::Exhausted | PuzzleShortage::GaveUp) => {
                    self.print(Message::NoMorePuzzles)?;
                    break;
                }
            };
            let setup = PositionSetup::from_text(&puzzle.fen);
            self.game = PlayGame::new(entry, [PlayerKind::Human; 2], &setup)?;
            let value = puzzle.value.value();
            self.print(Message::Puzzle(tried + 1, puzzle.difficulty, value))?;
            self.show_board()?;
            let answer = self.ask_solution()?;
            if answer == QUIT {
                break;
            }
            tried += 1;
            if self.grade_answer(&puzzle, &answer)? {
                solved += 1;
            }
            self.print(Message::PuzzleScore(solved, tried))?;
        }
        if tried == 0 {
            return Ok(());
        }
        self.print(Message::PuzzleScore(solved, tried))
    }

    /// Reads lines until one is a legal move or a command that ends the puzzle.
    fn ask_solution(&mut self) -> Result<PuzzleAnswer, PlayError> {
        const COMMANDS: &[(Keyword, PuzzleCommand)] = &[
            (keyword("skip", "跳过", &["s", "solution"]), PuzzleCommand::Skip),
            (keyword("quit", "退出", &["q", "exit"]), PuzzleCommand::Quit),
        ];
        let in_language = |(keyword, _): &(Keyword, PuzzleCommand)| {
            keyword.word_in(self.options.language).to_owned()
        };
        let words = COMMANDS.iter().map(in_language).collect();
        let completions = Completions { words, moves: self.game.legal_moves() };
        loop {
            let Some(line) = self.read_line(Message::Prompt, &completions)? else {
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
        match answer {
            PuzzleAnswer::Move(mv) if mv == puzzle.solution() => {
                self.print(Message::PuzzleSolved(&puzzle.line))?;
                return Ok(true);
            }
            PuzzleAnswer::Move(mv) => self.print(Message::PuzzleMissed(mv, &puzzle.line))?,
            PuzzleAnswer::Command(_) => {
                self.print(Message::PuzzleSolution(&puzzle.line))?;
            }
        }
        Ok(false)
    }
}
