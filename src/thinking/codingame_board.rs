//! The board of a game as CodinGame numbers it.

use super::registry::games;
use super::{EngineError, GameSpec};
use crate::protocol::codingame::{BOARD_SIZE, RowColumn};
use crate::rules::Notation;

/// The squares of a game's board by row and column.
#[derive(Debug, Clone)]
pub struct CodingameBoard {
    /// The names of the squares, row by row from the top left.
    squares: Vec<String>,
}

impl CodingameBoard {
    /// Returns the board of a game.
    ///
    /// # Errors
    /// Fails unless the game is played on a board of 9×9 squares and a move names one of them.
    pub fn of_game(spec: &GameSpec) -> Result<Self, EngineError> {
        Self::find(spec).ok_or_else(|| {
            let supported = games().iter().filter(|spec| Self::find(spec).is_some());
            let supported = supported.map(|spec| spec.id).collect::<Vec<_>>().join(", ");
            EngineError::NoCodingame { game: spec.id, supported }
        })
    }

    fn find(spec: &GameSpec) -> Option<Self> {
        let game = spec.open();
        let layout = game.layout()?;
        let size = usize::from(BOARD_SIZE);
        let mut squares = vec![String::new(); size * size];
        for spot in layout.spots.into_iter().filter(|spot| !spot.is_area) {
            // A spot of the first row has its centre half a unit from the top.
            let (row, column) = (spot.y.floor() as usize, spot.x.floor() as usize);
            let index = (row < size && column < size).then_some(row * size + column)?;
            squares[index] = spot.name;
        }
        let board = Self { squares };
        let is_complete = board.squares.iter().all(|name| !name.is_empty());
        let names_squares =
            game.legal_moves(Notation::Own).iter().all(|mv| board.place_of(mv).is_some());
        (is_complete && names_squares).then_some(board)
    }

    #[must_use]
    pub fn name_of(&self, place: RowColumn) -> &str {
        let index = usize::from(place.row) * usize::from(BOARD_SIZE) + usize::from(place.column);
        self.squares.get(index).map_or("", String::as_str)
    }

    /// Returns the place of a square; `None` if there is no square of that name.
    #[must_use]
    pub fn place_of(&self, square: &str) -> Option<RowColumn> {
        let index = u8::try_from(self.squares.iter().position(|name| name == square)?).ok()?;
        Some(RowColumn { row: index / BOARD_SIZE, column: index % BOARD_SIZE })
    }

    /// Returns the places of squares in the order of rows and columns.
    #[must_use]
    pub fn places_of(&self, squares: &[String]) -> Vec<RowColumn> {
        let mut places: Vec<_> = squares.iter().filter_map(|name| self.place_of(name)).collect();
        places.sort_unstable();
        places
    }
}
