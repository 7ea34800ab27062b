//! Puzzles: the user has two tries to find the only move that keeps the value, or several of them in a row.

use std::sync::Arc;
use std::time::Duration;

use super::{Completions, Console, Controller, PlayError, find_choice, input};
use crate::interact::{PlayGame, PlayerKind};
use crate::language::Values;
use crate::rules::{StartPosition, Value};
use crate::search::SearchControl;
use crate::terminal::input::{Keyword, keyword};
use crate::thinking::puzzles::{MAX_DIFFICULTY, Puzzle, PuzzleSelection, PuzzleShortage};

/// A command instead of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PuzzleCommand {
    Hint,
    Skip,
    Help,
    Quit,
}

const COMMANDS: &[(Keyword, PuzzleCommand)] = &[
    (keyword("hint", "提示", &[]), PuzzleCommand::Hint),
    (keyword("skip", "跳过", &["s", "solution"]), PuzzleCommand::Skip),
    (keyword("help", "帮助", &["?", "？"]), PuzzleCommand::Help),
    (keyword("quit", "退出", &["q", "exit"]), PuzzleCommand::Quit),
];

impl<C: Console> Controller<'_, C> {
    /// Serves puzzles until the user quits or there are no more, then prints the score.
    pub(super) fn serve_puzzles(&mut self, selection: &PuzzleSelection) -> Result<(), PlayError> {
        let spec = self.options.game;
        let mut generator = spec.puzzles(selection);
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
            let setup = StartPosition::from_text(&puzzle.fen);
            self.game = PlayGame::new(spec, [PlayerKind::Human; 2], &setup)?;
            let is_win = puzzle.value.value() == Value::Win;
            let key = if is_win { "puzzle.numberWin" } else { "puzzle.numberHold" };
            let (number, difficulty) = (tried + 1, puzzle.difficulty);
            let values: &Values<'_> =
                &[("number", &number), ("difficulty", &difficulty), ("most", &MAX_DIFFICULTY)];
            self.say(key, values)?;
            if puzzle.to_find > 1 {
                self.say("puzzle.several", &[("count", &puzzle.to_find)])?;
            }
            self.show_board()?;
            let Some(is_solved) = self.solve_puzzle(&puzzle)? else { break };
            tried += 1;
            solved += u32::from(is_solved);
            self.say("puzzle.score", &[("solved", &solved), ("tried", &tried)])?;
        }
        if tried == 0 {
            return Ok(());
        }
        self.say("puzzle.score", &[("solved", &solved), ("tried", &tried)])
    }

    /// Reads lines until the puzzle is solved, missed or skipped; returns whether it is solved, `None` to
    /// quit.
    fn solve_puzzle(&mut self, puzzle: &Puzzle) -> Result<Option<bool>, PlayError> {
        let language = self.options.language;
        let mut has_missed = false;
        let mut refuted = String::new();
        let mut found = 0;
        loop {
            let rest = &puzzle.line[2 * found..];
            let solution = rest.first().map_or("", String::as_str);
            let words = input::choice_words(COMMANDS, language);
            let completions = Completions { words, moves: self.game.legal_moves() };
            let Some(line) = self.read_line(language.text("ask.move"), &completions)? else {
                return Ok(None);
            };
            let text = line.trim();
            if text.is_empty() {
                self.show_board()?;
                continue;
            }
            match find_choice(text, COMMANDS).filter(|_| !self.is_move(text)) {
                Some(PuzzleCommand::Hint) => self.say_candidates(solution, &refuted)?,
                Some(PuzzleCommand::Help) => {
                    self.print_how_to_play(self.game.spec)?;
                    self.say("screen.puzzleHelp", &[])?;
                }
                Some(PuzzleCommand::Skip) => {
                    self.say("puzzle.skipped", &[("line", &language.line(rest))])?;
                    self.say_reason(solution)?;
                    return Ok(Some(false));
                }
                Some(PuzzleCommand::Quit) => return Ok(None),
                None => {
                    let Some(mv) = self.resolve_user_move(text)? else { continue };
                    let is_right = mv == solution;
                    if is_right && found + 1 < puzzle.to_find {
                        found += 1;
                        refuted.clear();
                        self.play_on(puzzle, found)?;
                    } else if is_right || has_missed {
                        let key = if is_right { "puzzle.correct" } else { "puzzle.missed" };
                        self.say(key, &[("move", &mv), ("line", &language.line(rest))])?;
                        self.say_reason(solution)?;
                        return Ok(Some(is_right));
                    } else {
                        has_missed = true;
                        let reason = self.judge_move(&mv)?;
                        self.say("puzzle.tryAgain", &[("reason", &reason)])?;
                        refuted = mv;
                    }
                }
            }
        }
    }

    /// Plays a right move and the opponent's reply, after which another move is to be found. `found` counts the right
    /// moves.
    fn play_on(&mut self, puzzle: &Puzzle, found: usize) -> Result<(), PlayError> {
        let played = &puzzle.line[2 * found - 2..2 * found];
        for mv in played {
            self.game.play(mv.clone(), Duration::ZERO)?;
        }
        let reply = played.last().map_or("", String::as_str);
        let (number, count) = (found + 1, puzzle.to_find);
        let values: &Values<'_> = &[("reply", &reply), ("number", &number), ("count", &count)];
        self.say_and_show("puzzle.goOn", values)
    }

    /// Says why a move is the right one.
    fn say_reason(&mut self, mv: &str) -> Result<(), PlayError> {
        let reason = self.judge_move(mv)?;
        self.print(&reason)
    }

    /// Names the solution among moves that were not refuted, but never all; of two, the wrong one.
    fn say_candidates(&mut self, solution: &str, refuted: &str) -> Result<(), PlayError> {
        const OTHERS: usize = 2;
        let mut moves = self.game.legal_moves();
        moves.retain(|mv| mv != solution && mv != refuted);
        let step = match &moves[..] {
            [] => return self.say("puzzle.lastLeft", &[]),
            [wrong] => return self.say("puzzle.notThis", &[("move", wrong)]),
            others => others.len().div_ceil(OTHERS.min(others.len() - 1)),
        };
        let mut candidates: Vec<String> = moves.into_iter().step_by(step).collect();
        candidates.push(solution.to_owned());
        candidates.sort_unstable();
        self.say("puzzle.candidates", &[("moves", &candidates.join(" "))])
    }
}
