//! Drawing ultimate tic-tac-toe: 81 places, then nine areas that show the owner of each small board
//! and whether it is playable.

use super::setup::LETTERS;
use super::{Rule, TixTaxMove, Ultimate, notation};
use crate::games::grid;
use crate::games::notation::Square;
use crate::rules::drawing::{BoardLayout, Spot, SpotContent, Stroke};
use crate::rules::{Game, GameDrawing, Outcome, Side};

impl<R: Rule> GameDrawing for Ultimate<R> {
    fn layout() -> Option<BoardLayout> {
        const SIZE: f32 = 3.0;
        let mut layout = BoardLayout::grid(9, 9, Self::PIECES);
        for border in [0.0, 3.0, 6.0, 9.0] {
            let heavy = |from, to| Stroke { from, to, heavy: true };
            layout.strokes.push(heavy([border, 0.0], [border, 9.0]));
            layout.strokes.push(heavy([0.0, border], [9.0, border]));
        }
        layout.spots.extend((0..9_u8).map(|board| Spot {
            x: SIZE * (f32::from(board % 3) + 0.5),
            y: SIZE * (f32::from(board / 3) + 0.5),
            size: SIZE,
            name: format!("board {}", board + 1),
            is_area: true,
        }));
        Some(layout)
    }

    fn spot_contents(&self) -> Vec<SpotContent> {
        let ranks = (0..9).rev();
        let cells = ranks.flat_map(|rank| (0..9).map(move |file| TixTaxMove::at(file, rank)));
        let cells = cells.map(|cell| SpotContent::plain(place(self, cell)));
        cells.chain((0..9).map(|board| area(self, board))).collect()
    }

    fn diagram(&self) -> String {
        notation::diagram(self)
    }
}

/// The content of a cell; an empty cell of a closed board is closed.
fn place<R: Rule>(pos: &Ultimate<R>, cell: TixTaxMove) -> char {
    match pos.square(cell) {
        Square::Empty if pos.closed() >> cell.board() & 1 == 1 => SpotContent::CLOSED,
        square => square.letter(LETTERS),
    }
}

fn area<R: Rule>(pos: &Ultimate<R>, board: usize) -> SpotContent {
    let owner = [Side::P1, Side::P2].into_iter().find(|side| pos.owned(*side) >> board & 1 == 1);
    let closed = pos.closed() >> board & 1 == 1;
    let mark = match owner {
        Some(side) => LETTERS[side.index()],
        None if closed => SpotContent::CLOSED,
        None => SpotContent::EMPTY,
    };
    let playable = pos.forced().map_or(!closed, |forced| forced == board);
    let highlighted = match pos.outcome() {
        Some(outcome) => decisive_boards(pos, outcome) >> board & 1 == 1,
        None => playable,
    };
    SpotContent { mark, highlighted }
}

/// The boards that decided the game: the winner's line or, if their number decides, all its boards.
fn decisive_boards<R: Rule>(pos: &Ultimate<R>, outcome: Outcome) -> u16 {
    let Outcome::Win(side) = outcome else { return 0 };
    match grid::completed_lines(pos.owned(side)) {
        0 => pos.owned(side),
        lines => lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TixTax;
    use crate::rules::SplitMix;

    #[test]
    fn areas_cover_their_cells_and_show_their_owners() {
        let layout = TixTax::layout().unwrap();
        let (areas, cells): (Vec<_>, Vec<_>) = layout.spots.iter().partition(|spot| spot.is_area);
        for (board, area) in areas.iter().enumerate() {
            for square in 0..9 {
                let name = TixTaxMove::new(board, square).to_string();
                let cell = cells.iter().find(|cell| cell.name == name).unwrap();
                let distance = (cell.x - area.x).abs().max((cell.y - area.y).abs());
                assert!(distance + cell.size / 2.0 <= area.size / 2.0, "{name}");
            }
        }
        let mut random = SplitMix::new(6);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..60 {
            let mut pos = TixTax::start();
            while pos.outcome().is_none() {
                pos.play_unchecked(pos.random_move(&mut random));
            }
            for (board, area) in pos.spot_contents().into_iter().skip(81).enumerate() {
                let owner = pos.owner_letter(board);
                assert_eq!(area.mark, owner.to_ascii_lowercase(), "{pos}");
                seen.insert(owner);
            }
        }
        assert_eq!(seen.len(), 4, "{seen:?}");
    }

    #[test]
    fn playable_boards_are_highlighted_and_finally_the_winning_line() {
        let highlighted = |pos: &TixTax| -> Vec<u8> {
            let areas = pos.spot_contents().into_iter().skip(81);
            (0..9).zip(areas).filter(|(_, area)| area.highlighted).map(|(board, _)| board).collect()
        };
        let mut random = SplitMix::new(5);
        let mut won = 0;
        for _ in 0..60 {
            let mut pos = TixTax::start();
            assert_eq!(highlighted(&pos), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
            while pos.outcome().is_none() {
                pos.play_unchecked(pos.random_move(&mut random));
                let boards: std::collections::BTreeSet<usize> =
                    pos.legal_moves().into_iter().map(TixTaxMove::board).collect();
                let expected: Vec<u8> = boards.into_iter().map(|board| board as u8).collect();
                assert!(pos.outcome().is_some() || highlighted(&pos) == expected, "{pos}");
            }
            let boards = highlighted(&pos);
            let Some(Outcome::Win(side)) = pos.outcome() else {
                assert!(boards.is_empty(), "{pos}");
                continue;
            };
            won += 1;
            let set = boards.iter().fold(0, |set, board| set | 1 << board);
            assert!(grid::LINES.iter().any(|line| set & line == *line), "{pos}");
            let marks: Vec<char> =
                pos.spot_contents().into_iter().skip(81).map(|area| area.mark).collect();
            assert!(boards.iter().all(|board| marks[usize::from(*board)] == LETTERS[side.index()]));
        }
        assert!(won > 5);
    }
}
