//! Pong Hau K'i (区字棋): two pieces each on five points, and one point empty.
//!
//! Points are numbered 0 a3, 1 c3, 2 b2, 3 a1, 4 c1. There is no line between c3 and c1, so that the
//! board looks like the character 区. At ply 0 the first move is restricted.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use nom::Parser;
use nom::combinator::all_consuming;

use super::notation::{self, Square};
use crate::printing::plural;
use crate::rules::drawing::{BoardLayout, Label, Piece, PieceColour, Spot, SpotContent, Stroke};
use crate::rules::random::mix64;
use crate::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, MoveError, Outcome, Side,
};

const LETTERS: [char; 2] = ['x', 'o'];
pub const POINTS: usize = 5;
const ALL: u8 = (1 << POINTS) - 1;
/// File and rank of each point, counted from 0.
const COORDINATES: [(usize, usize); POINTS] = [(0, 2), (2, 2), (1, 1), (0, 0), (2, 0)];
const NEIGHBOURS: [u8; POINTS] = [0b01110, 0b00101, 0b11011, 0b10101, 0b01100];
/// The image of each point when top and bottom are swapped.
const UPSIDE_DOWN: [u8; POINTS] = [3, 4, 2, 0, 1];
const START: [u8; 2] = [0b00011, 0b11000];
/// The piece that has to make the first move of the game: a3.
const FIRST_MOVER: u8 = 0b00001;

/// A piece moved along a line to the empty point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PongHauKiMove {
    from: u8,
    to: u8,
}

impl PongHauKiMove {
    #[must_use]
    pub fn from(self) -> usize {
        self.from.into()
    }

    #[must_use]
    pub fn to(self) -> usize {
        self.to.into()
    }
}

impl Move for PongHauKiMove {
    fn code(self) -> usize {
        usize::from(self.from) * POINTS + usize::from(self.to)
    }

    fn from_code(code: usize) -> Option<Self> {
        let (from, to) = (code / POINTS, code % POINTS);
        let is_move = from < POINTS && NEIGHBOURS[from] >> to & 1 == 1;
        is_move.then_some(Self { from: from as u8, to: to as u8 })
    }
}

impl fmt::Display for PongHauKiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&PongHauKi::point_name(self.from()))?;
        f.write_str(&PongHauKi::point_name(self.to()))
    }
}

/// A position of Pong Hau K'i.
#[derive(Clone, Copy, Debug)]
pub struct PongHauKi {
    pieces: [u8; 2],
    side: Side,
    /// Plies since the start of the game; at 0 the first-move rule applies.
    ply: u64,
}

impl PongHauKi {
    /// The position with the pieces of `side`, the side to move, on `own`, the other pieces on the
    /// remaining points except `empty`, and the first move already played; `None` unless both sides
    /// have two pieces.
    #[must_use]
    pub fn with_pieces(own: u8, empty: usize, side: Side) -> Option<Self> {
        let left = ALL & !own & !(1_u8.checked_shl(empty as u32)?);
        let fits = own & !ALL == 0 && [own, left].map(u8::count_ones) == [2, 2];
        let pieces = if side == Side::P1 { [own, left] } else { [left, own] };
        fits.then_some(Self { pieces, side, ply: 1 })
    }

    /// The points occupied by a side, as a bit set.
    #[must_use]
    pub fn pieces(&self, side: Side) -> u8 {
        self.pieces[side.index()]
    }

    #[must_use]
    pub fn empty_point(&self) -> usize {
        (!(self.pieces[0] | self.pieces[1])).trailing_zeros() as usize
    }

    pub(crate) fn are_connected(from: usize, to: usize) -> bool {
        NEIGHBOURS[from] >> to & 1 == 1
    }

    /// The point of the piece that has to make the first move of the game.
    pub(crate) fn first_piece() -> usize {
        FIRST_MOVER.trailing_zeros() as usize
    }

    /// The name of a point, as in moves.
    pub(crate) fn point_name(point: usize) -> String {
        let (file, rank) = COORDINATES[point];
        notation::square_name(file, rank)
    }

    #[must_use]
    pub fn is_first_move(&self) -> bool {
        self.ply == 0
    }

    /// The pieces of the side to move that can move to the empty point.
    fn movable(&self) -> u8 {
        let pieces = self.pieces[self.side.index()] & NEIGHBOURS[self.empty_point()];
        if self.is_first_move() { pieces & FIRST_MOVER } else { pieces }
    }

    /// Pieces and side to move, which identify a position for repetition.
    fn placement(&self) -> u64 {
        let [ours, theirs] = self.pieces.map(u64::from);
        (self.side as u64) << 10 | ours << 5 | theirs
    }

    fn square(&self, point: usize) -> Square {
        Square::from_stones(|side| self.pieces[side.index()] >> point & 1 == 1)
    }
}

/// The number of plies does not matter beyond the first move.
impl PartialEq for PongHauKi {
    fn eq(&self, other: &Self) -> bool {
        (self.placement(), self.is_first_move()) == (other.placement(), other.is_first_move())
    }
}

impl Eq for PongHauKi {}

impl std::hash::Hash for PongHauKi {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.placement(), self.is_first_move()).hash(state);
    }
}

impl Game for PongHauKi {
    const ID: &'static str = "ponghauki";
    const ALIASES: &'static [&'static str] = &["pong", "pong-hau-ki"];
    const CYCLIC: bool = true;
    const MOVE_CODES: usize = POINTS * POINTS;
    const SYMMETRIES: usize = 2;
    const OPENING_PLIES: usize = 6;

    type Move = PongHauKiMove;
    type Moves = ArrayVec<PongHauKiMove, 2>;

    fn start() -> Self {
        Self { pieces: START, side: Side::P1, ply: 0 }
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.movable() == 0).then_some(Outcome::Win(self.side.other()))
    }

    fn legal_moves(&self) -> Self::Moves {
        let (movable, to) = (self.movable(), self.empty_point() as u8);
        (0..POINTS as u8)
            .filter(|from| movable >> from & 1 == 1)
            .map(|from| PongHauKiMove { from, to })
            .collect()
    }

    fn move_count(&self) -> usize {
        self.movable().count_ones() as usize
    }

    fn play_unchecked(&mut self, mv: PongHauKiMove) {
        self.pieces[self.side.index()] ^= 1 << mv.from | 1 << mv.to;
        self.side = self.side.other();
        self.ply = self.ply.saturating_add(1);
    }

    fn key(&self) -> u64 {
        mix64(self.placement() << 1 | u64::from(self.is_first_move()))
    }

    fn repetition_key(&self) -> u64 {
        self.placement()
    }

    /// Swaps top and bottom. The position at ply 0 has no such image, because the first-move rule
    /// singles out a piece.
    fn image(&self, symmetry: usize) -> Self {
        if symmetry == 0 || self.is_first_move() {
            return *self;
        }
        let turn = |pieces: u8| {
            (0..POINTS)
                .filter(|point| pieces >> point & 1 == 1)
                .fold(0, |image, point| image | 1 << UPSIDE_DOWN[point])
        };
        Self { pieces: self.pieces.map(turn), ..*self }
    }

    fn move_image(&self, mv: PongHauKiMove, symmetry: usize) -> PongHauKiMove {
        if symmetry == 0 || self.is_first_move() {
            return mv;
        }
        let turn = |point: u8| UPSIDE_DOWN[usize::from(point)];
        PongHauKiMove { from: turn(mv.from), to: turn(mv.to) }
    }
}

impl GameNotation for PongHauKi {
    fn parse_move(&self, text: &str) -> Result<PongHauKiMove, MoveError> {
        let point =
            || notation::square(3, 3).map(|at| COORDINATES.iter().position(|own| *own == at));
        match all_consuming((point(), point())).parse(text) {
            Ok((_, (Some(from), Some(to)))) => Ok(PongHauKiMove { from: from as u8, to: to as u8 }),
            _ => {
                let expected = "two of the points a3 c3 b2 a1 c1, as in 'a3b2'";
                Err(MoveError::Unreadable { found: text.to_owned(), expected })
            }
        }
    }

    /// Also accepts the piece alone, since there is one empty point to move to.
    fn parse_user_move(&self, text: &str) -> Result<PongHauKiMove, MoveError> {
        let alone = |text| {
            let (_, at) = all_consuming(notation::square(3, 3)).parse(text).ok()?;
            COORDINATES.iter().position(|own| *own == at)
        };
        match alone(text) {
            Some(from) => Ok(PongHauKiMove { from: from as u8, to: self.empty_point() as u8 }),
            None => self.parse_move(text),
        }
    }
}

impl GameDrawing for PongHauKi {
    const PIECES: &'static [Piece] =
        &[Piece::disc('x', PieceColour::Blue), Piece::disc('o', PieceColour::Orange)];

    fn layout() -> Option<BoardLayout> {
        const SPACING: f32 = 1.5;
        let place = |steps: usize| 0.5 + SPACING * steps as f32;
        let spots: Vec<Spot> = COORDINATES
            .into_iter()
            .map(|(file, rank)| Spot {
                x: place(file),
                y: place(2 - rank),
                size: 1.0,
                name: notation::square_name(file, rank),
                is_area: false,
            })
            .collect();
        let line = |from: usize, to: usize| {
            let [from, to] = [from, to].map(|point| [spots[point].x, spots[point].y]);
            Stroke::thin(from, to)
        };
        let connected =
            |from: usize| (from..POINTS).filter(move |to| NEIGHBOURS[from] >> to & 1 == 1);
        let strokes =
            (0..POINTS).flat_map(|from| connected(from).map(move |to| line(from, to))).collect();
        let size = place(2) + 0.5;
        let labels = Label::around(size, (0..3).map(place), (0..3).map(place));
        Some(BoardLayout {
            width: size,
            height: size,
            strokes,
            spots,
            labels,
            pieces: Self::PIECES.to_vec(),
        })
    }

    fn spot_contents(&self) -> Vec<SpotContent> {
        // The side that cannot move has lost.
        let stuck = if self.outcome().is_some() { self.pieces[self.side.index()] } else { 0 };
        let shown = |point: usize| SpotContent {
            mark: self.square(point).letter(LETTERS),
            highlighted: stuck >> point & 1 == 1,
        };
        (0..POINTS).map(shown).collect()
    }

    fn diagram(&self) -> String {
        let [a3, c3, b2, a1, c1] = std::array::from_fn(|point| self.square(point).letter(LETTERS));
        format!("3  {a3}---{c3}\n   |\\ /\n2  | {b2}\n   |/ \\\n1  {a1}---{c1}\n\n   a b c\n")
    }
}

impl GameEncoding for PongHauKi {}

impl fmt::Display for PongHauKi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: [Square; POINTS] = std::array::from_fn(|point| self.square(point));
        let groups = [&squares[..2], &squares[2..3], &squares[3..]];
        let board = notation::write_board(groups.into_iter(), LETTERS);
        write!(f, "{board} {} {}", LETTERS[self.side.index()], self.ply)
    }
}

impl FromStr for PongHauKi {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let expected = "3: board, mover, plies played (as in 'xx/1/oo x 0')";
        let [board, mover, ply] = notation::split_fields(fen, expected)?;
        let ranks =
            notation::parse_board(board, &[2, 1, 2], LETTERS, "a3 c3, b2, a1 c1 as in 'xx/1/oo'")?;
        let side = notation::parse_field("mover", mover, "x or o", notation::side(LETTERS))?;
        let ply = notation::parse_field(
            "plies played",
            ply,
            "a number from 0",
            notation::saturating_count,
        )?;
        let pieces = notation::stone_sets(&ranks).map(|set| set as u8);
        let [ours, theirs] = pieces.map(u8::count_ones);
        if (ours, theirs) != (2, 2) {
            let reason =
                format!("{} of x and {theirs} of o, expected two of each", plural(ours, "piece"));
            return Err(FenError::impossible("board", reason));
        }
        if ply == 0 && (pieces, side) != (START, Side::P1) {
            let reason = "0 is only possible at the start 'xx/1/oo x 0', expected 1 or more";
            return Err(FenError::impossible("plies played", reason));
        }
        Ok(Self { pieces, side, ply })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_is_restricted_at_ply_0_only() {
        let moves = |fen: &str| fen.parse::<PongHauKi>().unwrap().legal_moves().len();
        assert_eq!(moves("xx/1/oo x 0"), 1);
        assert_eq!(moves("xx/1/oo x 8"), 2);
    }

    #[test]
    fn the_board_has_seven_lines() {
        let lines: u32 = NEIGHBOURS.iter().map(|points| points.count_ones()).sum();
        assert_eq!(lines, 2 * 7);
        for (point, neighbours) in NEIGHBOURS.iter().enumerate() {
            for other in (0..POINTS).filter(|other| neighbours >> other & 1 == 1) {
                assert!(NEIGHBOURS[other] >> point & 1 == 1);
            }
        }
    }

    #[test]
    fn the_stuck_side_is_highlighted_at_the_end() {
        let highlighted = |fen: &str| -> String {
            let pos: PongHauKi = fen.parse().unwrap();
            pos.spot_contents()
                .iter()
                .filter(|shown| shown.highlighted)
                .map(|shown| shown.mark)
                .collect()
        };
        assert_eq!(highlighted("xx/1/oo x 0"), "");
        // No line leads from c3 to c1.
        assert_eq!(highlighted("xx/o/o1 x 9"), "xx");
        assert_eq!(highlighted("xx/o/1o x 9"), "");
        assert_eq!(highlighted("x1/x/oo o 9"), "oo");
    }

    #[test]
    fn plies_are_counted_beyond_32_bits_and_stop_at_the_largest_number() {
        let fen = |ply: &str| format!("xx/1/oo x {ply}");
        let largest = u64::MAX.to_string();
        for (read, written) in [
            ("4294967296", "4294967296"),
            ("007", "7"),
            (&*largest, &*largest),
            ("99999999999999999999999", &*largest),
        ] {
            let pos: PongHauKi = fen(read).parse().unwrap();
            assert_eq!(pos.to_string(), fen(written));
        }
        let mut pos: PongHauKi = fen("4294967295").parse().unwrap();
        pos.play_unchecked(pos.legal_moves()[0]);
        assert!(pos.to_string().ends_with(" o 4294967296"), "{pos}");
    }

    #[test]
    fn invalid_fens_are_refused_by_field() {
        let refusals = [
            ("xx/1/oo x", "field count"),
            ("xx/1/oo z 1", "'mover'"),
            ("xx/1/oo x one", "'plies played'"),
            ("xx/1/oo x -1", "'plies played'"),
            ("xx/1/oo o 0", "'plies played'"),
            ("xx/x/oo x 1", "'board': 3 pieces of x"),
            ("xxx/1/oo x 1", "rank 3"),
        ];
        for (fen, reason) in refusals {
            let error = fen.parse::<PongHauKi>().unwrap_err().to_string();
            assert!(error.contains(reason), "{fen}: {error}");
        }
    }
}
