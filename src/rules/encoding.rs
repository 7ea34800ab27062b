//! Positions and moves as numbers, for learning programs.

use super::{GameDrawing, Move};

/// How positions and moves are numbered for learning programs.
pub trait GameEncoding: GameDrawing {
    /// An upper bound of all [`GameEncoding::action`]s, exclusive.
    const ACTIONS: usize = Self::MOVE_CODES;
    /// The number of planes of [`GameEncoding::write_planes`].
    const PLANES: usize = 2;

    fn action(mv: Self::Move) -> usize {
        mv.code()
    }

    /// The move with this number; `None` if there is none.
    fn from_action(action: usize) -> Option<Self::Move> {
        Self::Move::from_code(action)
    }

    /// Writes the position as [`GameEncoding::PLANES`] planes of zeros and ones, each with a number for
    /// every place of the board: the pieces of the side to move, those of the opponent, and what the game
    /// adds. The places are in the order of [`GameDrawing::layout`], or of the actions where each names a
    /// place.
    fn write_planes(&self, planes: &mut [f32]) {
        let Some(layout) = Self::layout() else { return };
        let contents = self.spot_contents();
        let shown = layout.spots.iter().zip(&contents).filter(|(spot, _)| !spot.is_area);
        let marks: Vec<char> = shown.map(|(_, content)| content.mark).collect();
        let sides = [self.side(), self.side().other()];
        for (plane, side) in planes.chunks_exact_mut(marks.len()).zip(sides) {
            let letter = layout.pieces[side.index()].letter;
            for (place, mark) in plane.iter_mut().zip(&marks) {
                *place = if *mark == letter { 1.0 } else { 0.0 };
            }
        }
    }
}
