//! A small game that is wrong in one way at a time: the kit must find each fault and name the method.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use zermelo::conformance;
use zermelo::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, MoveError, Outcome, Side,
};

thread_local! {
    /// What is wrong with the game on this thread.
    static WRONG: Cell<&'static str> = const { Cell::new("") };
}

fn is_wrong(what: &str) -> bool {
    WRONG.get() == what
}

/// Takes one, two or three off the pile; whoever takes the last one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Take(u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "take{}", self.0)
    }
}

impl Move for Take {
    fn code(self) -> usize {
        if is_wrong("codes") { 0 } else { usize::from(self.0) - 1 }
    }

    fn from_code(code: usize) -> Option<Self> {
        (code < 3).then_some(Self(code as u8 + 1))
    }
}

#[derive(Debug, Clone, Copy)]
struct Pile {
    left: u8,
    side: Side,
    last: u8,
}

impl PartialEq for Pile {
    fn eq(&self, other: &Self) -> bool {
        (self.left, self.side) == (other.left, other.side)
    }
}

impl Eq for Pile {}

impl Hash for Pile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.left, if is_wrong("key") { Side::P1 } else { self.side }).hash(state);
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, self.side.index())
    }
}

impl FromStr for Pile {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let refused = || FenError::Fields { found: 0, expected: "2: pile, side" };
        let (left, side) = fen.split_once(' ').ok_or_else(refused)?;
        let left: u8 = left.parse().map_err(|_| refused())?;
        let side = if (side == "0") == is_wrong("FEN") { Side::P2 } else { Side::P1 };
        Ok(Self { left, side, last: 0 })
    }
}

impl Game for Pile {
    const ID: &'static str = "pile";
    const MOVE_CODES: usize = 3;
    const SYMMETRIES: usize = 2;

    type Move = Take;
    type Moves = Vec<Take>;

    fn start() -> Self {
        Self { left: 13, side: Side::P1, last: 0 }
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0 && !is_wrong("outcome")).then_some(Outcome::Win(!self.side))
    }

    fn legal_moves(&self) -> Vec<Take> {
        let mut moves: Vec<Take> = (1..=self.left.min(3)).map(Take).collect();
        if is_wrong("order") && self.last == 2 {
            moves.reverse();
        }
        moves
    }

    fn play_unchecked(&mut self, mv: Take) {
        assert!(!is_wrong("panic") || self.left > 4, "four are left");
        if !is_wrong("endless") {
            self.left -= mv.0;
        }
        self.side = !self.side;
        self.last = mv.0;
    }

    fn max_plies_left(&self) -> Option<u32> {
        match WRONG.get() {
            "endless" => None,
            "bound" => Some(u32::from(self.left) / 2),
            _ => Some(self.left.into()),
        }
    }

    fn image(&self, symmetry: usize) -> Self {
        let side = if is_wrong("symmetry") && symmetry == 1 { !self.side } else { self.side };
        Self { side, ..*self }
    }
}

impl GameNotation for Pile {
    fn parse_move(&self, text: &str) -> Result<Take, MoveError> {
        let number = text.to_lowercase().strip_prefix("take").and_then(|text| text.parse().ok());
        let other = if is_wrong("notation") { 4 } else { 0 };
        let take = number.map(|number: u8| Take(number.abs_diff(other)));
        take.ok_or(MoveError::Unreadable { found: text.to_owned(), expected: "take1" })
    }
}

impl GameDrawing for Pile {}

impl GameEncoding for Pile {}

#[test]
fn each_fault_is_found_and_named() {
    assert_eq!(conformance::check::<Pile>(), Ok(()));
    for (wrong, method, part) in [
        ("key", "key", "another position with this key"),
        ("symmetry", "image", "another side"),
        ("notation", "parse_move", "'take1' is read as 'take3'"),
        ("FEN", "FromStr", "read as another position"),
        ("outcome", "outcome", "no outcome, but no legal moves"),
        ("order", "legal_moves", "order"),
        ("codes", "code", "have code 0"),
        ("endless", "outcome", "has not ended"),
        ("bound", "max_plies_left", "does not fall"),
        ("panic", "play_unchecked", "four are left"),
    ] {
        WRONG.set(wrong);
        let faults = conformance::check::<Pile>().expect_err(wrong);
        let found = faults.iter().find(|fault| fault.method == method);
        let fault = found.unwrap_or_else(|| panic!("{wrong}: expected {method}: {faults:?}"));
        assert!(fault.rule.contains(part), "{wrong}: {fault}");
        assert!(!fault.position.is_empty(), "{fault}");
    }
}
