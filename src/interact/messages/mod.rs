//! Every message of `zermelo play`, in each language.
//!
//! A language is one function that matches on [`Message`], so the compiler finds missing
//! translations. Texts about a game are in `games.rs`.

mod chinese;
mod chinese_problems;
mod english;
mod games;
mod report;
mod review;

pub use review::ReviewText;

use super::advice::{Explanation, MoveAdvice};
use crate::analysis::reasons::{BrokenRule, Reason};
use crate::interact::files::{FileProblem, LoadError};
pub use crate::language::Language;
use crate::rules::Value;
use crate::rules::drawing::Piece;
use crate::search::Score;
use crate::thinking::EngineError;

impl Language {
    /// The text of a message.
    #[must_use]
    pub fn render(self, message: &Message<'_>) -> String {
        match self {
            Self::English => english::render(message),
            Self::Chinese => chinese::render(message),
        }
    }
}

/// How a message refers to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerLabel {
    /// The user, playing against the engine.
    You,
    /// The engine.
    Engine,
    /// The first of two human players.
    First,
    /// The second of two human players.
    Second,
    /// The player of these pieces.
    Piece(Piece),
}

/// A move that turned the game.
#[derive(Debug, Clone, Copy)]
pub struct Mistake<'a> {
    /// Whether this is the first turning point of the game.
    pub is_first: bool,
    /// Its ply, from 1.
    pub ply: usize,
    /// Who played it.
    pub player: PlayerLabel,
    /// The move.
    pub mv: &'a str,
    /// The value before the move, for the player.
    pub before: Score,
    /// The value after the move, for the player.
    pub after: Score,
    /// The best move.
    pub better_move: &'a str,
    /// Whether no other move was as good.
    pub is_only: bool,
    /// The reasons for it.
    pub reasons: &'a [Reason],
}

/// A message. Moves, file names and FENs are the same in all languages. Texts typed by the user
/// are already quoted.
#[derive(Debug, Clone, Copy)]
pub enum Message<'a> {
    /// The name of a game, by its id.
    Title(&'a str),
    /// The games, by number.
    GameList,
    /// Prompt: which game?
    AskWhichGame,
    /// The typed text is not the name of a game; the names of all.
    UnknownGame(&'a str, &'a str),
    /// The named levels with their strength.
    LevelList,
    /// Prompt: which level? The default.
    AskLevel(u32),
    /// Prompt: engine or human opponent.
    AskOpponent,
    /// Prompt: who moves first.
    AskFirstMover,
    /// The typed text is not one of the answers.
    InvalidAnswer(&'a str, &'a [String]),
    /// A player, with the level if it is the engine.
    Player(PlayerLabel, u32),
    /// The window is too narrow for a board; the columns it needs.
    WindowTooNarrow(usize),
    /// The player to move.
    ToMove(PlayerLabel),
    /// The boards that may be played in, by number, and whether these are all boards.
    PlayableBoards(&'a [usize], bool),
    /// The last move and its player.
    LastMove(PlayerLabel, &'a str),
    /// What the extra labels of a game's board mean, by the game's id.
    ExtraLabels(&'a str),
    /// The commands in one line.
    CommandList,
    /// The prompt for a move.
    Prompt,
    /// The engine is choosing its move.
    Thinking,
    /// The engine is analysing for the user.
    Analysing,
    /// The finished game is being reviewed.
    Reviewing,
    /// The seed of a random start.
    RandomSeed(u64),
    /// The typed text is neither a move nor a command; the second text is a move as an example.
    Unrecognized(&'a str, &'a str),
    /// The typed text could mean several moves.
    Ambiguous(&'a str, &'a str),
    /// The text is not a move; a move as an example.
    NotAMove(&'a str, &'a str),
    /// The move is illegal, and why; the legal moves to list, if any.
    IllegalMove(&'a str, Option<&'a BrokenRule>, &'a [String]),
    /// The move comes after the end of the game.
    MoveAfterResult(&'a str),
    /// The typed move comes after the end of the game, which the user can undo.
    MoveAfterEnd(&'a str),
    /// The command needs a game in progress.
    GameOver,
    /// How the game is won, by its id.
    Objective(&'a str),
    /// How moves are typed and who wins, by the game's id.
    HowToPlay(&'a str),
    /// The rules with examples, by the game's id.
    Rules(&'a str),
    /// The list of commands.
    Help,
    /// The best move and the moves expected after it.
    Hint(&'a MoveAdvice, &'a [String]),
    /// Why a move is good or bad.
    Explanation(&'a Explanation),
    /// The coach warns of a move.
    Warning(&'a Explanation),
    /// Prompt: take the move back?
    AskTakeBack,
    /// The command `explain` needs a move; a legal move as an example.
    MoveMissing(&'a str),
    /// The value of the position for the side to move, which is named by its piece.
    Evaluation(&'a str, Score),
    /// The number of legal moves, which are listed below with their values; whether these are exact.
    MoveCount(usize, bool),
    /// A legal move and its value, in a few words.
    MoveValue(&'a str, Score),
    /// No move to take back.
    NothingToUndo,
    /// No move to replay.
    NothingToRedo,
    /// The number of moves taken back.
    Undone(usize),
    /// The number of moves replayed.
    Redone(usize),
    /// The user and the engine switched sides.
    SidesSwitched,
    /// Two human players cannot switch sides.
    NoSidesToSwitch,
    /// The engine's level was changed.
    LevelSet(u32),
    /// The engine's level, and how to change it.
    CurrentLevel(u32),
    /// The typed text is not a level; a similar name, if there is one.
    InvalidLevel(&'a str, Option<&'a str>),
    /// The command needs a file name.
    FileNameMissing(&'a str),
    /// Prompt: overwrite the file?
    AskOverwrite(&'a str),
    /// The file was not overwritten.
    NotSaved,
    /// The game was saved.
    Saved(&'a str),
    /// The file could not be written, and why.
    CannotSave(&'a str, &'a FileProblem),
    /// The file, the number of the game if the file contains several, its rules and its length.
    Loaded(&'a str, Option<u32>, &'a str, usize),
    /// The file contains several games, of which the first is loaded; the numbers of all.
    FirstGameTaken(&'a str, u32, &'a str),
    /// Prompt: which game of the file? The numbers of all.
    AskGame(&'a str, &'a str),
    /// No game of the file was loaded.
    NotLoaded,
    /// The typed text is not the number of a game; the numbers of all.
    InvalidGameNumber(&'a str, &'a str),
    /// The file could not be read, and why.
    CannotLoad(&'a str, &'a LoadError),
    /// The search failed, and why.
    CannotSearch(&'a EngineError),
    /// The winner, and the game by its id.
    Won(PlayerLabel, &'a str),
    /// The winner, the game by its id, and what the winner and the loser counted.
    WonOnCount(PlayerLabel, &'a str, [u32; 2]),
    /// The player who resigned, and the winner.
    Resigned([PlayerLabel; 2]),
    /// The game that was resigned goes on.
    ResignationWithdrawn,
    /// The players with their scores in half points, and the number of games.
    SeriesScore([PlayerLabel; 2], [u32; 2], u32),
    /// A draw by the rules.
    Drawn,
    /// A draw because both sides, of the game with this id, counted the same.
    DrawnOnCount(&'a str, u32),
    /// A draw by repetition.
    Repetition,
    /// A turning point found in review.
    Mistake(&'a Mistake<'a>),
    /// The move that cost the loser most, where no move of the loser turned the game.
    CostliestMistake(&'a Mistake<'a>),
    /// The player who resigned had this value.
    EarlyResignation(PlayerLabel, Score),
    /// No turning point was found; `true` if the value of every move is proven.
    NoMistakes(bool),
    /// The accuracy of both players in per cent.
    Accuracy([(PlayerLabel, f64); 2]),
    /// Prompts for the command that shows the whole review.
    ReviewHint,
    /// There is no move to review.
    NothingToReview,
    /// Prompt: another game?
    AskPlayAgain,
    /// A puzzle is being generated.
    FindingPuzzle,
    /// No further puzzle was found.
    NoMorePuzzles,
    /// What to do in a puzzle with this value.
    PuzzleGoal(Value),
    /// The number of a puzzle, its difficulty and the value to keep.
    Puzzle(usize, u8, Value),
    /// A reminder of the commands in a puzzle.
    PuzzleCommands,
    /// The right move was found; the line that starts with it.
    PuzzleSolved(&'a [String]),
    /// The move is wrong; the line that starts with the right one.
    PuzzleMissed(&'a str, &'a [String]),
    /// The line that starts with the right move.
    PuzzleSolution(&'a [String]),
    /// Puzzles solved and tried.
    PuzzleScore(usize, usize),
    /// Ctrl-C was pressed once.
    ConfirmQuit,
    /// The last line.
    Goodbye,
}

/// The expected share of points for the side to move, in percent.
fn expected_percent(score: Score) -> f64 {
    100.0 * score.expected()
}

/// Joins moves, ending with `more` if there are too many to read.
fn join_moves(moves: &[String], more: &str) -> String {
    const SHOWN: usize = 18;
    let shown = moves[..moves.len().min(SHOWN)].join(" ");
    if moves.len() > SHOWN { shown + more } else { shown }
}
