//! The suite: positions with the exact value of every legal move, frozen as files in the program.
//!
//! The first line of a file is `zermelo-exam VERSION GAME COUNT CHECKSUM`. Each other line is a position:
//! the moves that lead to it, without blanks, and the values of its legal moves in the order of
//! their names, `w`, `d` or `l`.

use serde::Serialize;

use crate::games::tixtax::{
    ClosedRule, CountRule, Rule, TixTax, TixTaxCount, TixTaxMove, Ultimate,
};
use crate::printing::quote;
use crate::rules::{Game, GameNotation, Value};
use crate::thinking::{GameSpec, registry};

/// The version of the suite. Its positions never change; other ones get another version.
pub const VERSION: u32 = 1;

/// The first word of a file.
const MAGIC: &str = "zermelo-exam";

/// The positions of a game.
#[derive(Debug, Clone)]
pub struct Suite {
    pub game: &'static str,
    pub checksum: u32,
    /// Whether it is the suite in this program, whose values are proven. A checksum can be forged.
    pub is_own: bool,
    pub positions: Vec<ExamPosition>,
}

/// A position in which the choice matters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExamPosition {
    /// Its number, from 1.
    pub id: usize,
    /// The position.
    pub fen: String,
    /// The moves from the start.
    pub line: Vec<String>,
    /// The value of each legal move for the side to move, in the order of their names.
    #[serde(serialize_with = "serialize_values")]
    pub values: Vec<(String, Value)>,
    /// What the choice is about.
    pub motifs: Vec<Motif>,
}

/// What a choice is about. Moves are right if they keep the value of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motif {
    /// All right moves let the opponent choose the board, and a wrong one does not.
    FreeChoiceGiven,
    /// No right move lets the opponent choose the board, and a wrong one does.
    FreeChoiceDenied,
    /// After all right moves the opponent can win a small board at once, and after a wrong one not.
    BoardGivenUp,
    /// The right moves draw.
    DrawDefended,
    /// `tixtax-count`: a player can no longer make a line of boards.
    Count,
    /// The only right move neither wins a small board nor takes a cell that wins one for the opponent.
    QuietOnlyMove,
}

impl Motif {
    pub const NAMES: [(Self, &'static str); 6] = [
        (Self::FreeChoiceGiven, "free choice given"),
        (Self::FreeChoiceDenied, "free choice denied"),
        (Self::BoardGivenUp, "a board given up"),
        (Self::DrawDefended, "defence of a draw"),
        (Self::Count, "the count"),
        (Self::QuietOnlyMove, "a quiet only move"),
    ];
}

/// Why a file is not a suite of this program.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("there is no exam of {game}, expected {}", registry::ids(|game| !game.exam.is_empty()).join(" or "))]
    NoSuchExam { game: String },
    #[error(
        "{} is not the first line of a suite, expected {MAGIC} VERSION GAME COUNT CHECKSUM",
        quote(.0)
    )]
    NotASuite(String),
    #[error("a suite of version {0}, expected version {VERSION}")]
    OtherVersion(String),
    #[error("checksum mismatch: the file is corrupt")]
    Corrupt,
    /// A line is not a position with values.
    #[error("line {line}: {reason}")]
    Position {
        /// The line, from 1.
        line: usize,
        reason: String,
    },
}

impl Suite {
    /// The suite of a game. Fails if the game has none.
    pub fn of_game(spec: &GameSpec) -> Result<Self, SuiteError> {
        if spec.exam.is_empty() {
            return Err(SuiteError::NoSuchExam { game: spec.id.to_owned() });
        }
        Self::parse(spec.exam)
    }

    /// Reads a suite. Fails if the file is damaged, of another version, or no suite.
    pub fn parse(text: &str) -> Result<Self, SuiteError> {
        let (header, body) = text.split_once('\n').unwrap_or((text, ""));
        let not_a_suite = || SuiteError::NotASuite(header.chars().take(60).collect());
        let words: Vec<&str> = header.split_whitespace().collect();
        let [MAGIC, version, game, count, checksum] = words[..] else {
            return Err(not_a_suite());
        };
        if version != VERSION.to_string() {
            return Err(SuiteError::OtherVersion(version.to_owned()));
        }
        let checksum = u32::from_str_radix(checksum, 16).map_err(|_| not_a_suite())?;
        if crc32fast::hash(body.as_bytes()) != checksum {
            return Err(SuiteError::Corrupt);
        }
        let spec = registry::find(game).ok().filter(|spec| !spec.exam.is_empty());
        let spec = spec.ok_or_else(|| SuiteError::NoSuchExam { game: game.to_owned() })?;
        let read_line = match spec.id {
            TixTax::ID => read_position::<ClosedRule>,
            TixTaxCount::ID => read_position::<CountRule>,
            _ => return Err(SuiteError::NoSuchExam { game: game.to_owned() }),
        };
        let read = |(index, line)| match read_line(line) {
            Ok(position) => Ok(ExamPosition { id: index + 1, ..position }),
            Err(reason) => Err(SuiteError::Position { line: index + 2, reason }),
        };
        let positions = body.lines().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        if positions.len().to_string() != count {
            return Err(SuiteError::Corrupt);
        }
        Ok(Self { game: spec.id, checksum, is_own: text == spec.exam, positions })
    }
}

impl ExamPosition {
    /// The value of the position.
    pub fn best(&self) -> Value {
        self.values.iter().map(|(_, value)| *value).max().unwrap_or(Value::Loss)
    }

    /// The moves that keep the value of the position.
    pub fn right_moves(&self) -> impl Iterator<Item = &str> {
        let best = self.best();
        self.values.iter().filter(move |(_, value)| *value == best).map(|(mv, _)| mv.as_str())
    }

    /// The value of a move; `None` if it is not legal.
    pub fn value_of(&self, mv: &str) -> Option<Value> {
        self.values.iter().find(|(own, _)| own == mv).map(|(_, value)| *value)
    }
}

/// Reads a line and finds the motifs.
fn read_position<R: Rule>(line: &str) -> Result<ExamPosition, String> {
    let (moves, letters) = line.split_once(' ').ok_or("expected MOVES VALUES")?;
    let mut pos = Ultimate::<R>::start();
    let mut played = Vec::new();
    for start in (0..moves.len()).step_by(2) {
        let name = moves.get(start..start + 2).ok_or("a move is cut off")?;
        let mv = pos.parse_move(name).map_err(|error| error.to_string())?;
        pos.play(mv).map_err(|error| error.to_string())?;
        played.push(mv.to_string());
    }
    let mut legal: Vec<(String, TixTaxMove)> =
        pos.legal_moves().into_iter().map(|mv| (mv.to_string(), mv)).collect();
    legal.sort_unstable();
    let read_value = |letter| match letter {
        'w' => Ok(Value::Win),
        'd' => Ok(Value::Draw),
        'l' => Ok(Value::Loss),
        other => Err(format!("'{}' is no value, expected w, d or l", other.escape_default())),
    };
    let values = letters.chars().map(read_value).collect::<Result<Vec<_>, _>>()?;
    if values.len() != legal.len() {
        return Err(format!("{} values of {} legal moves", values.len(), legal.len()));
    }
    if values.iter().all(|value| *value == values[0]) {
        return Err("all moves have the same value".to_owned());
    }
    let rated: Vec<(TixTaxMove, Value)> =
        legal.iter().map(|(_, mv)| *mv).zip(values.iter().copied()).collect();
    let motifs = motifs(&pos, &rated);
    let values = legal.into_iter().map(|(name, _)| name).zip(values).collect();
    Ok(ExamPosition { id: 0, fen: pos.to_string(), line: played, values, motifs })
}

fn motifs<R: Rule>(pos: &Ultimate<R>, rated: &[(TixTaxMove, Value)]) -> Vec<Motif> {
    let best = rated.iter().map(|(_, value)| *value).max().unwrap_or(Value::Loss);
    let moves = |is_right: bool| {
        let chosen = rated.iter().filter(move |(_, value)| (*value == best) == is_right);
        chosen.map(|(mv, _)| *mv)
    };
    let (us, them) = (pos.side(), !pos.side());
    let gives_choice = |mv: TixTaxMove| {
        let next = pos.after(mv);
        next.outcome().is_none() && next.forced().is_none() && next.open_boards().count() > 1
    };
    let gives_board = |mv: TixTaxMove| pos.after(mv).can_win_board();
    let takes_cell = |mv: TixTaxMove| {
        [us, them]
            .into_iter()
            .any(|side| pos.winning_cells(side, mv.board()).any(|cell| cell == mv))
    };
    let tells_apart = |fact: &dyn Fn(TixTaxMove) -> bool, of_right: bool| {
        moves(true).all(|mv| fact(mv) == of_right) && moves(false).any(|mv| fact(mv) != of_right)
    };
    let holds = |motif| match motif {
        Motif::FreeChoiceGiven => tells_apart(&gives_choice, true),
        Motif::FreeChoiceDenied => tells_apart(&gives_choice, false),
        Motif::BoardGivenUp => tells_apart(&gives_board, true),
        Motif::DrawDefended => best == Value::Draw,
        Motif::Count => R::COUNT_DECIDES && !(pos.can_align(us) && pos.can_align(them)),
        Motif::QuietOnlyMove => moves(true).count() == 1 && !moves(true).any(takes_cell),
    };
    Motif::NAMES.into_iter().map(|(motif, _)| motif).filter(|motif| holds(*motif)).collect()
}

fn serialize_values<S: serde::Serializer>(
    values: &[(String, Value)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(mv, value)| (mv, value.to_string())))
}
