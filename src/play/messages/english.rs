//! English messages.

use super::games::game_text;
use super::{Language, Message, Mistake, PlayerLabel, expected_percent, join_moves};
use crate::printing::signed;
use crate::search::{PlyCount, ProvenValue, Score};

pub(super) fn render(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => text(game).title.to_owned(),
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
        Message::Player(player, _) => name(player).to_owned(),
        Message::ToMove(PlayerLabel::You) => "Your move.".to_owned(),
        Message::ToMove(player) => format!("{} to move.", capitalised(name(player))),
        Message::PlayableBoards([board], _) => match board_name(*board) {
            Some(place) => format!("Play in board {board} ({place})."),
            None => format!("Play in board {board}."),
        },
        Message::PlayableBoards(_, true) => "Play anywhere.".to_owned(),
        Message::PlayableBoards(boards, false) => {
            let boards: Vec<String> = boards.iter().map(usize::to_string).collect();
            format!("Play in any open board: {}.", boards.join(", "))
        }
        Message::LastMove(player, mv) => format!("{} played {mv}.", capitalised(name(player))),
        Message::ExtraLabels(game) => text(game).extra_labels.to_owned(),
        Message::CommandList => {
            "Type a move, or: hint undo redo flip moves eval board save load level new help quit"
                .to_owned()
        }
        Message::Prompt => "your move> ".to_owned(),
        Message::Thinking => "zermelo is thinking (Ctrl-C: move now)".to_owned(),
        Message::Analysing => "zermelo is analysing (Ctrl-C: answer now)".to_owned(),
        Message::Reviewing => "reviewing the game (Ctrl-C: skip)".to_owned(),
        Message::RandomSeed(seed) => {
            format!("Random start {seed}; repeat it with --random {seed}.")
        }
        Message::Unrecognised(found, example) => format!(
            "{found} is neither a move nor a command. A move looks like {example}; type help for \
             more."
        ),
        Message::Ambiguous(found, moves) => {
            format!("{found} could be any of {moves}; type one of these.")
        }
        Message::IllegalMove(found, legal) => {
            format!("{found} is not legal here. Legal moves: {}", join_moves(legal, " …"))
        }
        Message::MoveAfterEnd(found) => format!("{found} cannot be played: {GAME_OVER}"),
        Message::GameOver => capitalised(GAME_OVER),
        Message::HowToPlay(game) => format!("{} {}", text(game).typing, text(game).rules),
        Message::Help => HELP.to_owned(),
        Message::Hint(mv, score, line) => {
            let rest = match line {
                [] | [_] => String::new(),
                [_, rest @ ..] => format!(" Then {}.", rest.join(" ")),
            };
            format!("{mv}: {}.{rest}", describe(score))
        }
        Message::Evaluation(mover, score) => format!("{mover} to move: {}.", describe(score)),
        Message::LegalMoves(moves) => {
            format!("{}: {}", count(moves.len(), "move"), moves.join(" "))
        }
        Message::NothingToUndo => "There is no move to take back.".to_owned(),
        Message::NothingToRedo => "There is no move to replay.".to_owned(),
        Message::Undone(plies) => format!("Took back {}.", count(plies, "move")),
        Message::Redone(plies) => format!("Replayed {}.", count(plies, "move")),
        Message::SidesSwitched => "You have switched sides.".to_owned(),
        Message::NoSidesToSwitch => {
            "Both players are human; sides are only switched with the engine.".to_owned()
        }
        Message::LevelSet(level) => format!("The engine now plays at level {level}."),
        Message::CurrentLevel(level) => format!(
            "The engine plays at level {level}. Change it with level N, from 0 (beginner) to 20 \
             (full strength)."
        ),
        Message::InvalidLevel(found) => format!(
            "{found} is not a level: expected a number from 0 (beginner) to 20 (full strength)."
        ),
        Message::FileNameMissing(command) => {
            format!("{command} needs a file name, for example: {command} game.pgn")
        }
        Message::AskOverwrite(path) => format!("{path} already exists. Overwrite it? [y/N] "),
        Message::NotSaved => "Not saved.".to_owned(),
        Message::Saved(path) => format!("Saved the game to {path}."),
        Message::CannotSave(path, reason) => format!("Cannot write {path}: {reason}"),
        Message::Loaded(path, number, game, plies) => {
            let number = number.map_or(String::new(), |number| format!("game {number} of "));
            format!("Loaded {number}{path}: {}, {}.", text(game).title, count(plies, "move"))
        }
        Message::FirstGameTaken(path, number, numbers) => format!(
            "{path} contains the games {numbers}; loading game {number}. load FILE N selects \
             another."
        ),
        Message::AskGame(path, numbers, first) => {
            format!("{path} contains the games {numbers}. Load which one? [{first}] ")
        }
        Message::InvalidGameNumber(found, numbers) => {
            format!("{found} is not the number of a game: expected one of {numbers}.")
        }
        Message::CannotLoad(path, reason) => format!("Cannot load {path}: {reason}"),
        Message::CannotSearch(reason) => format!("The engine cannot search: {reason}"),
        Message::Won(PlayerLabel::You, game) => format!("You win: {}.", text(game).win_reason),
        Message::Won(winner, game) => {
            format!("{} wins: {}.", capitalised(name(winner)), text(game).win_reason)
        }
        Message::Drawn => "Draw: neither side can win any more.".to_owned(),
        Message::Repetition => "Draw: the position occurred for the third time.".to_owned(),
        Message::Mistake(mistake) => describe_mistake(mistake),
        Message::NoMistakes(true) => "Neither side made a mistake.".to_owned(),
        Message::NoMistakes(false) => "No proven mistake was found.".to_owned(),
        Message::AskPlayAgain => "Play again? [Y/n] ".to_owned(),
        Message::ConfirmQuit => "Press Ctrl-C again to quit, or type quit.".to_owned(),
        Message::Goodbye => "Goodbye.".to_owned(),
    }
}

const GAME_OVER: &str =
    "the game is over. Type undo to take back a move, or new to start another game.";

const HELP: &str = "\
hint         show the best move
undo, redo   take moves back, replay them
flip         switch sides
moves        list the legal moves
eval         evaluate the position
board        show the board (or press Enter)
save FILE    save the game
load FILE    load a game and continue it (load FILE N: game N of a record)
level N      set the engine's level, 0 to 20
new          start a new game
help         show this list
quit         quit (or Ctrl-D)
Ctrl-C makes the engine move at once.";

fn text(game: &str) -> super::games::GameText<'_> {
    game_text(game, Language::English)
}

/// The place of a board, numbered from the top left.
fn board_name(number: usize) -> Option<&'static str> {
    const NAMES: [&str; 9] = [
        "top left",
        "top middle",
        "top right",
        "middle left",
        "centre",
        "middle right",
        "bottom left",
        "bottom middle",
        "bottom right",
    ];
    NAMES.get(number.checked_sub(1)?).copied()
}

fn name(player: PlayerLabel) -> &'static str {
    match player {
        PlayerLabel::You => "you",
        PlayerLabel::Engine => "zermelo",
        PlayerLabel::First => "the first player",
        PlayerLabel::Second => "the second player",
    }
}

fn describe(score: Score) -> String {
    let moves = |plies: PlyCount| match plies {
        PlyCount::Distance(plies) => {
            format!("in {}, counting both sides", count(plies.into(), "move"))
        }
        // The length of the proven line, not the distance with best play.
        PlyCount::LineLength(plies) => {
            format!("by a line of {}, counting both sides", count(plies.into(), "move"))
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

fn describe_mistake(mistake: &Mistake<'_>) -> String {
    let Mistake { is_first, ply, player, mv, before, after, better_move } = *mistake;
    let owner = match player {
        PlayerLabel::You => "your",
        PlayerLabel::Engine => "zermelo's",
        PlayerLabel::First => "the first player's",
        PlayerLabel::Second => "the second player's",
    };
    let opening = if is_first { "The game turned on" } else { "The last turning point was" };
    let (before, after) = (value_name(before), value_name(after));
    let better = better_move.map_or(String::new(), |mv| format!(" The right move was {mv}."));
    format!("{opening} move {ply}, {owner} {mv}: {before} became {after}.{better}")
}

fn value_name(score: Score) -> &'static str {
    match score {
        Score::Proven(ProvenValue::Win(_)) => "a win",
        Score::Proven(ProvenValue::Draw) => "a draw",
        Score::Proven(ProvenValue::Loss(_)) => "a loss",
        Score::Estimate(_) => "an unclear position",
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
