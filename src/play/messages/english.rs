//! English.

use super::{Blunder, Message, Who, expected, some};
use crate::search::{PlyCount, ProvenValue, Score};

pub(super) fn say(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => title(game).to_owned(),
        Message::AskOpponent => {
            "Whom do you play, the engine or another person? [Engine/person] ".to_owned()
        }
        Message::AskFirst => "Who makes the first move, you or the engine? [Me/engine] ".to_owned(),
        Message::NoAnswer(found) => format!(
            "{found} is none of the answers in brackets; Enter is the first of them, quit ends the program."
        ),
        Message::Player(Who::Engine, level) => format!("zermelo, level {level}"),
        Message::Player(who, _) => player(who).to_owned(),
        Message::ToMove(Who::You) => "It is your move.".to_owned(),
        Message::ToMove(who) => format!("{} to move.", capital(player(who))),
        Message::PlayIn([board]) => match place(board) {
            Some(place) => format!("Play is in board {board}, {place}."),
            None => format!("Play is in board {board}."),
        },
        Message::PlayIn(boards) => format!("Play is in any of the boards {}.", boards.join(" ")),
        Message::LastMove(Who::You, mv) => format!("You played {mv}."),
        Message::LastMove(who, mv) => format!("{} played {mv}.", capital(player(who))),
        Message::Gaps => "Above each file is its gap.".to_owned(),
        Message::HelpIsThere => {
            "A move, or: hint undo redo flip moves eval board save load level new help quit"
                .to_owned()
        }
        Message::Prompt => "your move> ".to_owned(),
        Message::Thinking => "zermelo is thinking (Ctrl-C: move now)".to_owned(),
        Message::Looking => "zermelo is looking (Ctrl-C: answer now)".to_owned(),
        Message::LookingOver => "looking the game over (Ctrl-C: never mind)".to_owned(),
        Message::Seed(seed) => format!("Random start {seed}; --random {seed} begins there again."),
        Message::Unreadable(found, example) => format!(
            "{found} is neither a move nor a command. A move is typed like {example}; help tells the rest."
        ),
        Message::Ambiguous(found, moves) => {
            format!("{found} may be any of {moves}; type one of these, or board and cell.")
        }
        Message::Illegal(found, legal) => {
            format!("{found} cannot be played here. Possible: {}", some(legal, " and more"))
        }
        Message::IsOver(found) => format!(
            "{found} cannot be played, the game is over; undo takes moves back, new begins another."
        ),
        Message::GameOver => {
            "The game is over; undo takes moves back, new begins another.".to_owned()
        }
        Message::HowToMove(game) => how_to_move(game),
        Message::Commands => COMMANDS.to_owned(),
        Message::Hint(mv, score, line) => {
            let go_on = if line.len() < 2 {
                String::new()
            } else {
                format!(" Then {}.", line[1..].join(" "))
            };
            format!("{mv}: {}.{go_on}", worth(score, "you"))
        }
        Message::Eval(score) => format!("For who is to move: {}.", worth(score, "the mover")),
        Message::Moves(moves) => format!("{}: {}", count(moves.len(), "move"), moves.join(" ")),
        Message::NothingToUndo => "There is nothing to take back.".to_owned(),
        Message::NothingToRedo => "There is nothing to play again.".to_owned(),
        Message::Undone(plies) => format!("Taken back: {}.", count(plies, "move")),
        Message::Redone(plies) => format!("Played again: {}.", count(plies, "move")),
        Message::Flipped => "You have changed sides.".to_owned(),
        Message::NothingToFlip => {
            "Both sides are played by persons; there is nobody to change with.".to_owned()
        }
        Message::Level(level) => format!("The engine plays at level {level} from now on."),
        Message::LevelIs(level) => format!(
            "The engine plays at level {level}; level N sets another, from 0 (a beginner) to 20 (nothing held back)."
        ),
        Message::NoLevel(found) => format!(
            "{found} is no level, type a number from 0 (a beginner) to 20 (nothing held back)."
        ),
        Message::NoFile(command) => {
            format!("{command} wants the name of a file, as {command} game.pgn")
        }
        Message::AskReplace(path) => format!("{path} is there already. Replace it? [No/yes] "),
        Message::NotSaved => "Nothing was written.".to_owned(),
        Message::Saved(path) => format!("The game is saved in {path}."),
        Message::CannotSave(path, reason) => format!("{path} cannot be written: {reason}"),
        Message::Loaded(path, game, plies) => {
            format!("{path}: {}, {}.", title(game), count(plies, "move"))
        }
        Message::NoGame(path) => format!("{path} cannot be loaded: no game is in it"),
        Message::CannotLoad(path, reason) => format!("{path} cannot be loaded: {reason}"),
        Message::CannotThink(reason) => format!("The engine cannot think: {reason}"),
        Message::Won(who, game) => won(who, game),
        Message::Drawn => "A draw: nobody can win any more.".to_owned(),
        Message::Repeated => "A draw: the position came up for the third time.".to_owned(),
        Message::ThrownAway(blunder) => thrown_away(blunder),
        Message::NothingThrownAway(true) => "No move threw anything away.".to_owned(),
        Message::NothingThrownAway(false) => {
            "No move is known to have thrown anything away.".to_owned()
        }
        Message::AskAnother => "Another game? [Yes/no] ".to_owned(),
        Message::ReallyQuit => "Ctrl-C again ends the program; so does quit.".to_owned(),
        Message::Bye => "Good-bye.".to_owned(),
    }
}

const COMMANDS: &str = "\
hint         the best move, and why
undo, redo   take moves back, play them again
flip         change sides
moves        all legal moves
eval         what the position is worth
board        the board once more (or Enter)
save FILE    write the game as a record
load FILE    go on with a record
level N      how well the engine plays, 0 to 20
new          begin again
help         this
quit         leave (or Ctrl-D)
Ctrl-C makes the engine move at once.";

fn title(game: &str) -> &str {
    match game {
        "tictactoe" => "Tic-tac-toe",
        "ponghauki" => "Pong Hau K'i",
        "tixtax" => "TixTax: ultimate tic-tac-toe",
        "tixtax-open" => "TixTax, won boards stay open",
        "nim" => "Nim on the board",
        other => other,
    }
}

fn how_to_move(game: &str) -> String {
    const BOARDS: &str = "A move is a cell of the large board, e5, or board and cell by number from \
        the top left, 5 3; in the board you are sent to, the cell alone. The cell names the board \
        that is played in next; where that is closed, play is in any open one. ";
    match game {
        "tictactoe" => {
            "A move is a cell: b2, or 1 to 9 from the top left. Three in a row win.".to_owned()
        }
        "ponghauki" => {
            "A move is the piece that goes to the empty point: a3, or both points, a3b2. \
            Who cannot move loses; a position that comes up for the third time is a draw."
                .to_owned()
        }
        "tixtax" => format!("{BOARDS}Won and full boards are closed. Three boards in a row win."),
        "tixtax-open" => format!(
            "{BOARDS}Only full boards are closed; a won one shows its owner in its frame and is \
             played on. Three boards in a row win."
        ),
        "nim" => {
            "A move is a file and how many steps: c 2, or where its piece goes, c3. Pieces go \
            towards each other and never jump; who makes the last move wins."
                .to_owned()
        }
        _ => "A move is typed as the command moves shows it.".to_owned(),
    }
}

/// Where a board is, numbered from the top left.
fn place(board: &str) -> Option<&'static str> {
    const PLACES: [&str; 9] = [
        "top left",
        "top middle",
        "top right",
        "middle left",
        "the centre",
        "middle right",
        "bottom left",
        "bottom middle",
        "bottom right",
    ];
    PLACES.get(board.parse::<usize>().ok()?.checked_sub(1)?).copied()
}

fn player(who: Who) -> &'static str {
    match who {
        Who::You => "you",
        Who::Engine => "zermelo",
        Who::First => "the first player",
        Who::Second => "the second player",
    }
}

fn won(who: Who, game: &str) -> String {
    let how = match game {
        "nim" => "the last move is made",
        "ponghauki" => "the other side cannot move",
        "tictactoe" => "three in a row",
        "tixtax" | "tixtax-open" => "three boards in a row",
        _ => "the game is decided",
    };
    match who {
        Who::You => format!("You win: {how}."),
        who => format!("{} wins: {how}.", capital(player(who))),
    }
}

fn worth(score: Score, mover: &str) -> String {
    // Without an exact distance the plies are only the length of the line that was found.
    let turns = |plies: PlyCount| match plies {
        PlyCount::Distance(plies) => {
            format!("in {}, both sides counted", count(plies.into(), "turn"))
        }
        PlyCount::LineLength(plies) => {
            format!("by a line of {}, both sides counted", count(plies.into(), "turn"))
        }
    };
    match score {
        Score::Proven(ProvenValue::Win(PlyCount::Distance(1))) => {
            "proven, it wins at once".to_owned()
        }
        Score::Proven(ProvenValue::Win(plies)) => {
            format!("proven, {mover} will win {}", turns(plies))
        }
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(0))) => "lost".to_owned(),
        Score::Proven(ProvenValue::Loss(plies)) => {
            format!("proven, lost whatever is played, {}", turns(plies))
        }
        Score::Proven(ProvenValue::Draw) => "proven, a draw with best play".to_owned(),
        Score::Estimate(points) => {
            let (share, units) = (expected(score), f64::from(points) / 100.0);
            format!("not proven, {share:.0} of 100 points expected ({units:+.2})")
        }
    }
}

fn thrown_away(blunder: &Blunder<'_>) -> String {
    let Blunder { is_first, ply, who, mv, had, got, right } = *blunder;
    let right = right.map_or(String::new(), |right| format!(" {} was right.", capital(right)));
    let whose = match who {
        Who::You => "your",
        Who::Engine => "zermelo's",
        Who::First => "the first player's",
        Who::Second => "the second player's",
    };
    let turned = if is_first { "The game turned at" } else { "It turned for the last time at" };
    format!("{turned} move {ply}, {whose} {mv}: {} became {}.{right}", value(had), value(got))
}

fn value(score: Score) -> &'static str {
    match score {
        Score::Proven(ProvenValue::Win(_)) => "a win",
        Score::Proven(ProvenValue::Draw) => "a draw",
        Score::Proven(ProvenValue::Loss(_)) => "a loss",
        Score::Estimate(_) => "an open game",
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
