//! English messages.

use std::borrow::Cow;

use super::games::game_text;
use super::{Language, Message, Mistake, PlayerLabel, expected_percent, join_moves};
use crate::analysis::reasons::{BoardName, Reason, phrases};
use crate::interact::advice::{Explanation, MoveAdvice};
use crate::interact::levels::{NAMED_LEVELS, NamedLevel, level_names};
use crate::printing::{plural, signed};
use crate::rules::Value;
use crate::rules::drawing::{Piece, PieceColour};
use crate::search::{PlyCount, ProvenValue, Score};
use crate::teaching::puzzles::MAX_DIFFICULTY;
use crate::thinking::registry::{GAMES, GameEntry};

pub(super) fn render(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => text(game).title.to_owned(),
        Message::GameList => game_list(),
        Message::AskWhichGame => "Which game? Type a number or a name. [1] ".to_owned(),
        Message::UnknownGame(found, games) => {
            format!("{found} is not a game: expected one of {games}.")
        }
        Message::LevelList => level_list(),
        Message::AskLevel(default) => {
            format!("Level of the engine, 0 to 20 or a name? [{default}] ")
        }
        Message::AskOpponent => "Opponent: engine or human? [E/h] ".to_owned(),
        Message::AskFirstMover => "Who moves first: you or the engine? [Y/e] ".to_owned(),
        Message::InvalidAnswer(found, answers) => {
            let default = answers.first().map_or("", String::as_str);
            format!(
                "{found} is not a valid answer: type {} (Enter: {default}).",
                answers.join(" or ")
            )
        }
        Message::Player(PlayerLabel::Engine, level) => format!("zermelo, level {level}"),
        Message::Player(player, _) => name(player).into_owned(),
        Message::WindowTooNarrow(columns) => {
            format!("The window is too narrow: widen it to {columns} columns and press Enter.")
        }
        Message::ToMove(PlayerLabel::You) => "Your move.".to_owned(),
        Message::ToMove(player) => format!("{} to move.", capitalized(&name(player))),
        Message::PlayableBoards([board], _) => {
            format!("Play in {}.", BoardName(*board))
        }
        Message::PlayableBoards(_, true) => "Play anywhere.".to_owned(),
        Message::PlayableBoards(boards, false) => {
            let boards: Vec<String> = boards.iter().map(usize::to_string).collect();
            format!("Play in any open board: {}.", boards.join(", "))
        }
        Message::LastMove(player, mv) => format!("{} played {mv}.", capitalized(&name(player))),
        Message::ExtraLabels(game) => text(game).extra_labels.to_owned(),
        Message::CommandList => {
            "Type a move, or: hint explain moves eval undo redo flip board review rules save load level new resign help quit"
                .to_owned()
        }
        Message::Prompt => "your move> ".to_owned(),
        Message::Thinking => "zermelo is thinking (Ctrl-C: move now)".to_owned(),
        Message::Analysing => "zermelo is analysing (Ctrl-C: answer now)".to_owned(),
        Message::Reviewing => "reviewing the game (Ctrl-C: skip)".to_owned(),
        Message::RandomSeed(seed) => {
            format!("Random start {seed}; repeat it with --random {seed}.")
        }
        Message::Unrecognized(found, example) => format!(
            "{found} is neither a move nor a command. A move looks like {example}; type help for \
             more."
        ),
        Message::NotAMove(found, example) => {
            format!("{found} is not a move. A move looks like {example}.")
        }
        Message::Ambiguous(found, moves) => {
            format!("{found} could be any of {moves}; type one of these.")
        }
        Message::IllegalMove(found, reason, legal) => {
            let reason = reason.map_or("here".to_owned(), |reason| {
                format!("here: {}", phrases::english_broken_rule(reason))
            });
            let listed = match legal {
                [] => String::new(),
                legal => format!(" Legal moves: {}", join_moves(legal, " …")),
            };
            format!("{found} is not legal {reason}.{listed}")
        }
        Message::MoveAfterResult(found) => format!("{found} cannot be played: the game is over."),
        Message::MoveAfterEnd(found) => format!("{found} cannot be played: {GAME_OVER}"),
        Message::GameOver => capitalized(GAME_OVER),
        Message::Objective(game) => text(game).rules.to_owned(),
        Message::HowToPlay(game) => format!("{} {}", text(game).typing, text(game).rules),
        Message::Rules(game) => {
            let text = text(game);
            format!("{}\n{} {}\n{}", text.title, text.typing, text.rules, text.examples.join("\n"))
        }
        Message::Help => HELP.to_owned(),
        Message::Hint(advice, []) => describe_move(advice),
        Message::Hint(advice, line) => {
            format!("{} Then {}.", describe_move(advice), line.join(" "))
        }
        Message::Explanation(explanation) => describe_explanation(explanation),
        Message::Warning(explanation) => format!(
            "Careful: this move loses {:.2} of the expected score. {}",
            explanation.loss(),
            describe_explanation(explanation)
        ),
        Message::AskTakeBack => "Take it back? [Y/n] ".to_owned(),
        Message::MoveMissing(example) => {
            format!("explain needs a move, for example: explain {example}")
        }
        Message::Evaluation(mover, score) => format!("{mover} to move: {}.", describe(score)),
        Message::MoveCount(moves, is_exact) => {
            let unit = if is_exact { ", counting the moves of both sides" } else { "" };
            format!("{}, best first{unit}:", plural(moves, "legal move"))
        }
        Message::MoveValue(mv, score) => format!("{mv} {}", describe_briefly(score)),
        Message::NothingToUndo => "There is no move to take back.".to_owned(),
        Message::NothingToRedo => "There is no move to replay.".to_owned(),
        Message::Undone(plies) => format!("Took back {}.", plural(plies, "move")),
        Message::Redone(plies) => format!("Replayed {}.", plural(plies, "move")),
        Message::SidesSwitched => "You have switched sides.".to_owned(),
        Message::NoSidesToSwitch => {
            "Both players are human; sides can only be switched with the engine.".to_owned()
        }
        Message::LevelSet(level) => format!("The engine now plays at level {level}."),
        Message::CurrentLevel(level) => format!(
            "The engine plays at level {level}. Change it with level N, from 0 (beginner) to 20 \
             (full strength), or level NAME."
        ),
        Message::InvalidLevel(found, similar) => {
            let similar = similar.map_or(String::new(), |name| format!(" Did you mean {name}?"));
            format!(
                "{found} is not a level.{similar} Expected a number from 0 (beginner) to 20 (full \
                 strength), or one of: {}.",
                level_names(Language::English)
            )
        }
        Message::FileNameMissing(command) => {
            format!("{command} needs a file name, for example: {command} game.pgn")
        }
        Message::AskOverwrite(path) => format!("{path} already exists. Overwrite it? [y/N] "),
        Message::NotSaved => "Not saved.".to_owned(),
        Message::Saved(path) => format!("Saved the game to {path}."),
        Message::CannotSave(path, reason) => format!("Cannot write {path}: {reason}"),
        Message::Loaded(path, number, game, plies) => {
            let number = number.map_or(String::new(), |number| format!("game {number} of "));
            format!("Loaded {number}{path}: {}, {}.", text(game).title, plural(plies, "move"))
        }
        Message::FirstGameTaken(path, number, numbers) => format!(
            "{path} contains the games {numbers}; loading game {number}. Type load FILE N for \
             another."
        ),
        Message::AskGame(path, numbers) => {
            format!("{path} contains the games {numbers}. Load which one? (Enter: none) ")
        }
        Message::NotLoaded => "Nothing was loaded.".to_owned(),
        Message::InvalidGameNumber(found, numbers) => {
            format!("{found} is not the number of a game: expected one of {numbers}.")
        }
        Message::CannotLoad(path, reason) => format!("Cannot load {path}: {reason}"),
        Message::CannotSearch(reason) => format!("The engine cannot search: {reason}"),
        Message::Won(PlayerLabel::You, game) => format!("You win: {}.", text(game).win_reason),
        Message::Won(winner, game) => {
            format!("{} wins: {}.", capitalized(&name(winner)), text(game).win_reason)
        }
        Message::WonOnCount(winner, game, [own, other]) => {
            let verb = if winner == PlayerLabel::You { "win" } else { "wins" };
            let counted = text(game).counted;
            format!("{} {verb} on count: {own} {counted} to {other}.", capitalized(&name(winner)))
        }
        Message::Resigned([loser, winner]) => {
            let verb = if winner == PlayerLabel::You { "win" } else { "wins" };
            format!("{} {verb}: {} resigned.", capitalized(&name(winner)), name(loser))
        }
        Message::ResignationWithdrawn => "The game goes on.".to_owned(),
        Message::SeriesScore([one, other], scores, games) => {
            let [left, right] = scores.map(|half_points| f64::from(half_points) / 2.0);
            let games = plural(games as usize, "game");
            format!("Score after {games}: {} {left}, {} {right}.", name(one), name(other))
        }
        Message::Drawn => "Draw: neither side can win any more.".to_owned(),
        Message::DrawnOnCount(game, each) => format!("Draw: {each} {} each.", text(game).counted),
        Message::Repetition => "Draw: the position occurred for the third time.".to_owned(),
        Message::Mistake(mistake) => describe_mistake(mistake),
        Message::CostliestMistake(mistake) => describe_costliest(mistake),
        Message::EarlyResignation(player, score) => {
            format!("{} resigned too early: the position was {}.", capitalized(&name(player)), value_name(score))
        }
        Message::NoMistakes(true) => "Neither side made a mistake.".to_owned(),
        Message::NoMistakes(false) => "No turning point was found.".to_owned(),
        Message::Accuracy([(first, one), (second, other)]) => format!(
            "Accuracy: {} {one:.0} %, {} {other:.0} %.",
            name(first),
            name(second)
        ),
        Message::ReviewHint => "Type review to see every move.".to_owned(),
        Message::NothingToReview => "There is no move to review.".to_owned(),
        Message::AskPlayAgain => "Play again? [Y/n] ".to_owned(),
        Message::FindingPuzzle => "looking for a puzzle (Ctrl-C: quit)".to_owned(),
        Message::NoMorePuzzles => "There are no more puzzles.".to_owned(),
        Message::PuzzleGoal(value) => capitalized(&puzzle_goal(value)),
        Message::Puzzle(number, difficulty, value) => format!(
            "Puzzle {number}, difficulty {difficulty} of {MAX_DIFFICULTY}: {}",
            puzzle_goal(value)
        ),
        Message::PuzzleCommands => "Type a move, or: skip quit".to_owned(),
        Message::PuzzleSolved(line) => format!("Correct: {}.", line_text(line)),
        Message::PuzzleMissed(mv, line) => {
            format!("Wrong: {mv} does not keep the value. The only right move is {}.", line_text(line))
        }
        Message::PuzzleSolution(line) => format!("The only right move is {}.", line_text(line)),
        Message::PuzzleScore(solved, tried) => format!("Solved {solved} of {}.", plural(tried, "puzzle")),
        Message::ConfirmQuit => "Press Ctrl-C again to quit, or type quit.".to_owned(),
        Message::Goodbye => "Goodbye.".to_owned(),
    }
}

const GAME_OVER: &str =
    "the game is over. Type undo to take back a move, or new to start another game.";

const HELP: &str = "\
hint         show the best move and why
explain MOVE say why a move is good or bad, and show the best reply
undo, redo   take moves back, replay them
flip         switch sides
moves        list the legal moves with their values
eval         evaluate the position
board        show the board (or press Enter)
review       grade every move of the game so far
save FILE    save the game
load FILE    load a game and continue it (load FILE N: game N of a record)
level N      set the engine's level, 0 to 20 or a name
rules        show the rules with examples
resign       give the game up
new          start a new game (new GAME: another one)
help         show this list
quit         quit (or Ctrl-D)
Ctrl-C makes the engine move at once.";

fn text(game: &str) -> super::games::GameText<'_> {
    game_text(game, Language::English)
}

/// The games by number, with id and title.
fn game_list() -> String {
    let line = |(number, entry): (usize, &GameEntry)| {
        format!("{number}  {:<13} {}\n", entry.id, text(entry.id).title)
    };
    (1..).zip(GAMES).map(line).collect()
}

/// The named levels with their strength.
fn level_list() -> String {
    let line =
        |own: &NamedLevel| format!("{:>5}   {:>4}   {}\n", own.level, own.elo(), own.english);
    "level    Elo   name\n".to_owned() + &NAMED_LEVELS.iter().map(line).collect::<String>()
}

fn name(player: PlayerLabel) -> Cow<'static, str> {
    match player {
        PlayerLabel::You => "you".into(),
        PlayerLabel::Engine => "zermelo".into(),
        PlayerLabel::First => "the first player".into(),
        PlayerLabel::Second => "the second player".into(),
        PlayerLabel::Piece(Piece { colour: PieceColour::Black, .. }) => "Black".into(),
        PlayerLabel::Piece(Piece { colour: PieceColour::Red, .. }) => "Red".into(),
        PlayerLabel::Piece(piece) => piece.letter.to_uppercase().to_string().into(),
    }
}

fn describe(score: Score) -> String {
    let moves = |plies: PlyCount| match plies {
        PlyCount::Distance(plies) => {
            format!("in {}, counting both sides", plural(plies, "move"))
        }
        // The length of the proven line, not the distance with best play.
        PlyCount::LineLength(plies) => {
            format!("by a line of {}, counting both sides", plural(plies, "move"))
        }
    };
    match score {
        Score::Proven(ProvenValue::Win(PlyCount::Distance(1))) => "wins at once".to_owned(),
        Score::Proven(ProvenValue::Win(plies)) => format!("proven win {}", moves(plies)),
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(0))) => "lost".to_owned(),
        Score::Proven(ProvenValue::Loss(plies)) => format!("proven loss {}", moves(plies)),
        Score::Proven(ProvenValue::Draw) => "proven draw".to_owned(),
        Score::Estimate(points) => {
            let (percent, units) = (expected_percent(score), signed(f64::from(points) / 100.0, 2));
            format!("about {percent:.0} % ({units})")
        }
    }
}

/// A few words on a score. Counts of plies that are no distance are left out.
fn describe_briefly(score: Score) -> String {
    match score {
        Score::Proven(ProvenValue::Win(PlyCount::Distance(plies))) => format!("win in {plies}"),
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(plies))) => format!("loss in {plies}"),
        Score::Proven(proven) => proven.value().to_string(),
        Score::Estimate(_) => format!("{:.0} %", expected_percent(score)),
    }
}

/// The value of a move and its reasons.
fn describe_move(advice: &MoveAdvice) -> String {
    let MoveAdvice { mv, score, reasons } = advice;
    // The value already says that the move wins.
    let phrases = reasons.iter().filter(|reason| **reason != Reason::Wins).cloned();
    match &phrases::join(&phrases.collect::<Vec<_>>(), Language::English)[..] {
        "" => format!("{mv}: {}.", describe(*score)),
        phrases => format!("{mv}: {}. {}.", describe(*score), capitalized(phrases)),
    }
}

/// A reason in brackets after a move.
fn in_brackets(reasons: &[Reason]) -> String {
    match &phrases::join(reasons, Language::English)[..] {
        "" => String::new(),
        phrases => format!(" ({phrases})"),
    }
}

fn describe_explanation(explanation: &Explanation) -> String {
    let Explanation { chosen, reply, better } = explanation;
    let mut text = describe_move(chosen);
    if let Some(MoveAdvice { mv, reasons, .. }) = reply {
        text += &format!(" Best reply: {mv}{}.", in_brackets(reasons));
    }
    match better {
        Some(MoveAdvice { mv, score, reasons }) => {
            text + &format!(" Better: {mv}, {}{}.", describe(*score), in_brackets(reasons))
        }
        None if explanation.is_beyond_question() => text,
        None => text + " No move is better.",
    }
}

fn describe_mistake(mistake: &Mistake<'_>) -> String {
    let opening = if mistake.is_first { "The game turned on" } else { "It turned again on" };
    format!("{opening} {}. {}", describe_loss(mistake), describe_better(mistake))
}

/// The move that cost the loser most.
fn describe_costliest(mistake: &Mistake<'_>) -> String {
    format!("The costliest mistake was {}. {}", describe_loss(mistake), describe_better(mistake))
}

fn describe_better(mistake: &Mistake<'_>) -> String {
    let verdict = if mistake.is_only { "The right move was" } else { "Better was" };
    format!("{verdict} {}{}.", mistake.better_move, in_brackets(mistake.reasons))
}

/// A move, its player, and the values before and after it.
fn describe_loss(mistake: &Mistake<'_>) -> String {
    let owner = match mistake.player {
        PlayerLabel::You => "your".to_owned(),
        player => format!("{}'s", name(player)),
    };
    let Mistake { ply, mv, .. } = mistake;
    let (before, after) = (value_name(mistake.before), value_name(mistake.after));
    format!("move {ply}, {owner} {mv}: {before} became {after}")
}

fn puzzle_goal(value: Value) -> String {
    let goal = if value == Value::Win { "wins" } else { "does not lose" };
    format!("find the only move that {goal}.")
}

fn value_name(score: Score) -> String {
    match score {
        Score::Proven(ProvenValue::Win(_)) => "a win".to_owned(),
        Score::Proven(ProvenValue::Draw) => "a draw".to_owned(),
        Score::Proven(ProvenValue::Loss(_)) => "a loss".to_owned(),
        Score::Estimate(_) => format!("about {:.0} %", expected_percent(score)),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The right move of a puzzle and the play after it.
fn line_text(line: &[String]) -> String {
    match line {
        [] => String::new(),
        [solution] => solution.clone(),
        [solution, rest @ ..] => format!("{solution}, then {}", rest.join(" ")),
    }
}
