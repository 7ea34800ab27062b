//! A description of boards for drawing, independent of the game and of the renderer.
//!
//! A [`BoardLayout`] is the empty board: lines, labels and spots. A position has one [`SpotContent`]
//! per spot. The terminal, the report's viewer and exported SVG draw every game from these two.

use std::fmt;

#[cfg(feature = "interface")]
use serde::{Serialize, Serializer};

use super::Game;
use super::fen::read_board;

/// How the board of a game is drawn. The defaults draw the board that the FEN describes, if its first
/// field lists ranks of equal width, as in `6/6/2ox2/6/6`: letters for pieces, numbers of empty squares.
pub trait GameDrawing: Game {
    /// All pieces of the game; the first belongs to the first player, the second to the other.
    const PIECES: &'static [Piece] = &Piece::CROSSES_AND_RINGS;

    /// How to draw the empty board; `None` if the game has only its [`GameDrawing::diagram`].
    fn layout() -> Option<BoardLayout> {
        let ranks = board_of_fen(&Self::start().to_string())?;
        Some(BoardLayout::grid(ranks[0].len() as u8, ranks.len() as u8, Self::PIECES))
    }

    /// The content of each spot of [`GameDrawing::layout`], in that order.
    fn spot_contents(&self) -> Vec<SpotContent> {
        let ranks = board_of_fen(&self.to_string()).unwrap_or_default();
        ranks.into_iter().flatten().map(SpotContent::plain).collect()
    }

    /// Labels beside the board that depend on the position, in addition to those of
    /// [`GameDrawing::layout`].
    fn extra_labels(&self) -> Vec<Label> {
        Vec::new()
    }

    /// The board as text, several lines; the FEN if there is no layout.
    fn diagram(&self) -> String {
        match Self::layout() {
            Some(layout) => layout.diagram(&self.spot_contents()),
            None => format!("{self}\n"),
        }
    }
}

fn board_of_fen(fen: &str) -> Option<Vec<Vec<char>>> {
    read_board(fen.split(' ').next()?)
}

/// An empty board. It fills the rectangle from (0, 0), the top left, to its width and height; one
/// unit is about the size of a stone. Labels may be up to one unit outside.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
pub struct BoardLayout {
    pub width: f32,
    pub height: f32,
    pub strokes: Vec<Stroke>,
    /// The squares that can show something.
    pub spots: Vec<Spot>,
    /// The names of files and ranks.
    pub labels: Vec<Label>,
    pub pieces: Vec<Piece>,
}

/// A straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
pub struct Stroke {
    pub from: [f32; 2],
    pub to: [f32; 2],
    /// Whether it separates large parts of the board.
    pub heavy: bool,
}

/// A square that can show something.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
pub struct Spot {
    /// The centre, measured from the left.
    pub x: f32,
    /// The centre, measured from the top.
    pub y: f32,
    /// The length of a side.
    pub size: f32,
    /// The name of the square or of the part of the board.
    pub name: String,
    /// Whether it is an area: a larger square that shows the state of the part of the board it
    /// covers. All other spots hold one piece each.
    pub is_area: bool,
}

/// A text on the board.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
pub struct Label {
    /// The centre, measured from the left.
    pub x: f32,
    /// The centre, measured from the top.
    pub y: f32,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
pub struct Piece {
    /// Its lower-case letter, as in diagrams.
    pub letter: char,
    #[cfg_attr(feature = "interface", serde(rename = "form"))]
    pub shape: PieceShape,
    #[cfg_attr(feature = "interface", serde(rename = "tone"))]
    pub colour: PieceColour,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
#[cfg_attr(feature = "interface", serde(rename_all = "lowercase"))]
pub enum PieceShape {
    Cross,
    Ring,
    /// A disc with the letter on it.
    Disc,
}

/// The colour of a piece; the renderer chooses the shade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
#[cfg_attr(feature = "interface", serde(rename_all = "lowercase"))]
pub enum PieceColour {
    /// Usual for the side that moves first.
    Blue,
    /// Usual for the side that moves second.
    Orange,
    Black,
    Red,
}

/// The content of a spot. `Display` writes it as one character: the mark, or if it is highlighted
/// the letter in upper case and `*` for an empty spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpotContent {
    /// The letter of a piece, [`SpotContent::EMPTY`] or [`SpotContent::CLOSED`].
    pub mark: char,
    /// During the game: whether the next move must be on this spot or another highlighted one. At
    /// the end: whether this spot decided the game.
    pub highlighted: bool,
}

impl SpotContent {
    pub const EMPTY: char = '.';
    /// The mark of a spot that is empty and closed.
    pub const CLOSED: char = '#';

    /// Creates the content of a spot that is not highlighted.
    #[must_use]
    pub fn plain(mark: char) -> Self {
        Self { mark, highlighted: false }
    }
}

impl fmt::Display for SpotContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match (self.mark, self.highlighted) {
            (mark, false) => mark,
            (Self::EMPTY, true) => '*',
            (mark, true) => mark.to_ascii_uppercase(),
        };
        write!(f, "{letter}")
    }
}

#[cfg(feature = "interface")]
impl Serialize for SpotContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Piece {
    /// Crosses for the first player, rings for the second.
    pub const CROSSES_AND_RINGS: [Self; 2] = [
        Self { letter: 'x', shape: PieceShape::Cross, colour: PieceColour::Blue },
        Self { letter: 'o', shape: PieceShape::Ring, colour: PieceColour::Orange },
    ];

    #[must_use]
    pub const fn disc(letter: char, colour: PieceColour) -> Self {
        Self { letter, shape: PieceShape::Disc, colour }
    }
}

impl Stroke {
    #[must_use]
    pub fn thin(from: [f32; 2], to: [f32; 2]) -> Self {
        Self { from, to, heavy: false }
    }
}

impl BoardLayout {
    /// The piece with the letter `mark`.
    #[must_use]
    pub fn piece(&self, mark: char) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == mark)
    }

    /// The board as text: a line per rank, and below it the files.
    fn diagram(&self, contents: &[SpotContent]) -> String {
        let places = self.spots.iter().zip(contents).filter(|(spot, _)| !spot.is_area);
        let places: Vec<(&Spot, &SpotContent)> = places.collect();
        let mut text = String::new();
        let mut files = String::new();
        for rank in places.chunk_by(|(one, _), (next, _)| one.y == next.y) {
            let (name, marks) = (&rank[0].0.name, rank.iter().map(|(_, content)| content.mark));
            let number = name.trim_start_matches(|letter: char| letter.is_alphabetic());
            text += &format!("{number:<2}{}\n", spaced(marks));
            files = spaced(rank.iter().filter_map(|(spot, _)| spot.name.chars().next()));
        }
        format!("{text}\n  {files}\n")
    }

    /// The indices of the spots that a move names, in the order in which it names them.
    #[must_use]
    pub fn spots_of_move(&self, mv: &str) -> Vec<usize> {
        let mut named = Vec::new();
        let mut rest = mv;
        while let Some(first) = rest.chars().next() {
            let spots = self.spots.iter().enumerate();
            let named_here = |spot: &Spot| !spot.name.is_empty() && rest.starts_with(&spot.name);
            let here = spots.filter(|(_, spot)| !spot.is_area && named_here(spot));
            // a10, not a1.
            let longest = here.max_by_key(|(_, spot)| spot.name.len());
            named.extend(longest.map(|(index, _)| index));
            rest = &rest[longest.map_or(first.len_utf8(), |(_, spot)| spot.name.len())..];
        }
        named
    }

    /// A board of squares of one unit, named by file and rank and listed rank by rank from the top
    /// left.
    #[must_use]
    pub fn grid(files: u8, ranks: u8, pieces: &[Piece]) -> Self {
        let (width, height) = (f32::from(files), f32::from(ranks));
        let upright = (0..=files).map(|file| {
            let x = f32::from(file);
            Stroke::thin([x, 0.0], [x, height])
        });
        let level = (0..=ranks).map(|rank| {
            let y = f32::from(rank);
            Stroke::thin([0.0, y], [width, y])
        });
        let centre = |at: u8| f32::from(at) + 0.5;
        let place = |row: u8, file: u8| Spot {
            x: centre(file),
            y: centre(row),
            size: 1.0,
            name: format!("{}{}", file_name(file), ranks - row),
            is_area: false,
        };
        Self {
            width,
            height,
            strokes: upright.chain(level).collect(),
            spots: (0..ranks)
                .flat_map(|row| (0..files).map(move |file| place(row, file)))
                .collect(),
            labels: Label::around(height, (0..files).map(centre), (0..ranks).map(centre)),
            pieces: pieces.to_vec(),
        }
    }
}

impl Label {
    /// The distance from the border of the board to the centre of a label.
    pub const DISTANCE: f32 = 0.45;

    /// The letters of the files below the board and the numbers of the ranks to its left. `files`
    /// and `ranks` are their centres, counted from the left and from the top.
    pub fn around(
        height: f32,
        files: impl Iterator<Item = f32>,
        ranks: impl ExactSizeIterator<Item = f32>,
    ) -> Vec<Self> {
        let below = (0..).zip(files).map(|(file, x)| Self {
            x,
            y: height + Self::DISTANCE,
            text: file_name(file).to_string(),
        });
        let count = ranks.len();
        let beside = ranks.enumerate().map(|(row, y)| Self {
            x: -Self::DISTANCE,
            y,
            text: (count - row).to_string(),
        });
        below.chain(beside).collect()
    }
}

fn spaced(letters: impl Iterator<Item = char>) -> String {
    letters.flat_map(|letter| [' ', letter]).collect()
}

fn file_name(file: u8) -> char {
    char::from(b'a' + file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_names_its_spots_in_order_whatever_the_rank() {
        let layout = BoardLayout::grid(2, 10, &[]);
        let named = |mv: &str| -> Vec<String> {
            layout
                .spots_of_move(mv)
                .into_iter()
                .map(|spot| layout.spots[spot].name.to_string())
                .collect()
        };
        for (mv, spots) in
            [("a10a1", ["a10", "a1"]), ("b1a10", ["b1", "a10"]), ("b9-b10", ["b9", "b10"])]
        {
            assert_eq!(named(mv), spots);
        }
        assert!(named("pass").is_empty());
    }
}
