//! How a board is drawn, without knowing the game or what draws it.
//!
//! A [`BoardLayout`] is the empty board: lines, labels and the spots on which something can be shown. A
//! position then says with one [`SpotContent`] a spot what stands there. Viewers, terminals and exported
//! images draw every game from these two alone. Imports nothing.

use std::fmt;

use serde::{Serialize, Serializer};

/// An empty board. It fills the rectangle from (0, 0), the top left, to its width and height; one
/// unit is about the size of a stone. Labels may stand outside, up to one unit away.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardLayout {
    /// How wide it is.
    pub width: f32,
    /// How high it is.
    pub height: f32,
    /// The lines drawn on it.
    pub strokes: Vec<Stroke>,
    /// Where something can be shown.
    pub spots: Vec<Spot>,
    /// The names of files and ranks.
    pub labels: Vec<Label>,
    /// All that can stand on a spot.
    pub pieces: Vec<Piece>,
}

/// A straight line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stroke {
    /// One end.
    pub from: [f32; 2],
    /// The other end.
    pub to: [f32; 2],
    /// Whether it is a border between large parts of the board.
    pub heavy: bool,
}

/// A square on which something can be shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spot {
    /// The centre, from the left.
    pub x: f32,
    /// The centre, from the top.
    pub y: f32,
    /// The length of a side.
    pub size: f32,
    /// Its name for people: that of the square, or of the part of the board.
    pub name: String,
    /// Whether it is an area: it lies over the places of a part of the board and tells what has
    /// become of that part. All others are places, where stones stand.
    pub is_area: bool,
}

/// A text on the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Label {
    /// The centre, from the left.
    pub x: f32,
    /// The centre, from the top.
    pub y: f32,
    /// What it says.
    pub text: String,
}

/// Something that can stand on a spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its lower-case letter, also in diagrams.
    pub letter: char,
    /// Its form.
    #[serde(rename = "form")]
    pub shape: PieceShape,
    /// Its colour.
    #[serde(rename = "tone")]
    pub colour: PieceColour,
}

/// The form of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceShape {
    /// Two crossed strokes.
    Cross,
    /// A circle.
    Ring,
    /// A disc with the letter on it.
    Disc,
}

/// The colour of a piece; what draws it chooses the shade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceColour {
    /// Usual for who moves first.
    Blue,
    /// Usual for who moves second.
    Orange,
    /// For pieces that are called black.
    Black,
    /// For pieces that are called red.
    Red,
}

/// What a spot shows. Written as one character: what stands there, a letter in upper case and an
/// empty spot as `*` where it is lit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpotContent {
    /// The letter of a piece, [`SpotContent::EMPTY`] or [`SpotContent::CLOSED`].
    pub mark: char,
    /// Whether the mover's choice is narrowed down to this spot, and others like it; once the game
    /// is over, whether this is what decided it.
    pub highlighted: bool,
}

impl SpotContent {
    /// Nothing stands there.
    pub const EMPTY: char = '.';
    /// Nothing stands there, and nothing will.
    pub const CLOSED: char = '#';

    /// What stands on a spot that is not lit.
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

impl Serialize for SpotContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Piece {
    /// Crosses for the first player and rings for the second.
    pub const CROSSES_AND_RINGS: [Self; 2] = [
        Self { letter: 'x', shape: PieceShape::Cross, colour: PieceColour::Blue },
        Self { letter: 'o', shape: PieceShape::Ring, colour: PieceColour::Orange },
    ];

    /// Two kinds of discs.
    #[must_use]
    pub fn discs(letters: [char; 2], colours: [PieceColour; 2]) -> Vec<Self> {
        let disc = |(letter, colour)| Self { letter, shape: PieceShape::Disc, colour };
        letters.into_iter().zip(colours).map(disc).collect()
    }
}

impl Stroke {
    /// A thin line.
    #[must_use]
    pub fn thin(from: [f32; 2], to: [f32; 2]) -> Self {
        Self { from, to, heavy: false }
    }
}

impl BoardLayout {
    /// The piece that a mark on a spot stands for.
    #[must_use]
    pub fn piece(&self, mark: char) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == mark)
    }

    /// A board of squares, each a place of one unit. The places come rank by rank from the top
    /// left and are named by file and rank.
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
        let center = |at: u8| f32::from(at) + 0.5;
        let place = |row: u8, file: u8| Spot {
            x: center(file),
            y: center(row),
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
            labels: Label::around(height, (0..files).map(center), (0..ranks).map(center)),
            pieces: pieces.to_vec(),
        }
    }
}

impl Label {
    /// From the border of the board to the centre of a label.
    pub const AWAY: f32 = 0.45;

    /// The letters of the files below the board and the numbers of the ranks to its left, given
    /// the centres of the files from the left and of the ranks from the top.
    pub fn around(
        height: f32,
        files: impl Iterator<Item = f32>,
        ranks: impl ExactSizeIterator<Item = f32>,
    ) -> Vec<Self> {
        let below = (0..).zip(files).map(|(file, x)| Self {
            x,
            y: height + Self::AWAY,
            text: file_name(file).to_string(),
        });
        let count = ranks.len();
        let beside = ranks.enumerate().map(|(row, y)| Self {
            x: -Self::AWAY,
            y,
            text: (count - row).to_string(),
        });
        below.chain(beside).collect()
    }
}

fn file_name(file: u8) -> char {
    char::from(b'a' + file)
}
