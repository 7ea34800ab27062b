//! The 3×3 grid of tic-tac-toe and of both levels of ultimate tic-tac-toe: lines, symmetries, and
//! look-up tables indexed by sets of cells.
//!
//! Cells are numbered row by row from the top left, 0 to 8; a set of cells is a 9-bit mask.

pub(crate) const FULL: u16 = 0x1ff;

pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Whether a set of cells contains a line.
pub(crate) const HAS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            table[cells] |= cells as u16 & LINES[line] == LINES[line];
            line += 1;
        }
        cells += 1;
    }
    table
};

/// The cells of all lines contained in a set.
pub(crate) fn completed_lines(cells: u16) -> u16 {
    LINES.iter().filter(|line| cells & **line == **line).fold(0, |all, line| all | line)
}

/// Whether some line is disjoint from a set of stones, so that the opponent can still complete it.
pub(crate) const HAS_OPEN_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut cells = 0;
    while cells < 512 {
        table[cells] = HAS_LINE[FULL as usize & !cells];
        cells += 1;
    }
    table
};

/// The cells of all lines that are disjoint from a set of stones.
pub(crate) const OPEN_LINES: [u16; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            if cells as u16 & LINES[line] == 0 {
                table[cells] |= LINES[line];
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

/// The cells that complete the first line of a set, empty or not.
pub(crate) const COMPLETES: [u16; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut cell = 0;
        while cell < 9 {
            if HAS_LINE[cells | 1 << cell] && !HAS_LINE[cells] {
                table[cells] |= 1 << cell;
            }
            cell += 1;
        }
        cells += 1;
    }
    table
};

/// The size of a set. A table, because baseline x86-64 has no population count instruction.
pub(crate) const COUNT: [u8; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        table[cells] = (cells as u32).count_ones() as u8;
        cells += 1;
    }
    table
};

/// The `n`-th cell of a set, counted from 0.
pub(crate) const NTH_CELL: [[u8; 9]; 512] = {
    let mut table = [[0; 9]; 512];
    let mut cells = 0;
    while cells < 512 {
        let (mut cell, mut count) = (0, 0);
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells][count] = cell as u8;
                count += 1;
            }
            cell += 1;
        }
        cells += 1;
    }
    table
};

/// The number of rotations and reflections of the grid.
pub(crate) const SYMMETRIES: usize = 8;

/// The image of each cell under each symmetry; number 0 is the identity.
pub(crate) const IMAGE: [[u8; 9]; SYMMETRIES] = {
    let mut table = [[0; 9]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut cell = 0;
        while cell < 9 {
            let (mut row, mut column) = (cell / 3, cell % 3);
            if symmetry & 1 == 1 {
                column = 2 - column;
            }
            if symmetry & 2 == 2 {
                row = 2 - row;
            }
            if symmetry & 4 == 4 {
                (row, column) = (column, row);
            }
            table[symmetry][cell] = (3 * row + column) as u8;
            cell += 1;
        }
        symmetry += 1;
    }
    table
};

/// The image of each set of cells under each symmetry.
const SET_IMAGE: [[u16; 512]; SYMMETRIES] = {
    let mut table = [[0; 512]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut cells = 1_usize;
        while cells < 512 {
            let cell = cells.trailing_zeros() as usize;
            let rest = cells & (cells - 1);
            table[symmetry][cells] = table[symmetry][rest] | 1 << IMAGE[symmetry][cell];
            cells += 1;
        }
        symmetry += 1;
    }
    table
};

/// The image of a set of cells under a symmetry.
pub(crate) fn image_of_set(cells: u16, symmetry: usize) -> u16 {
    SET_IMAGE[symmetry][usize::from(cells)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::notation::bits;

    #[test]
    fn tables_match_their_definitions() {
        for cells in 0..=FULL {
            let contains = |cells: u16, line: u16| cells & line == line;
            let own = LINES.into_iter().filter(|line| contains(cells, *line));
            assert_eq!(completed_lines(cells), own.fold(0, |all, line| all | line), "{cells:b}");
            let free = LINES.into_iter().filter(|line| cells & line == 0);
            let index = usize::from(cells);
            assert_eq!(OPEN_LINES[index], free.fold(0, |all, line| all | line), "{cells:b}");
            assert_eq!(HAS_LINE[index], completed_lines(cells) != 0);
            assert_eq!(HAS_OPEN_LINE[index], OPEN_LINES[index] != 0);
            let completes = (0..9).filter(|cell| {
                let new = LINES.into_iter().any(|line| contains(cells | 1 << cell, line));
                new && !HAS_LINE[index]
            });
            assert_eq!(COMPLETES[index], completes.fold(0, |all, cell| all | 1 << cell));
            let nth: Vec<usize> =
                (0..usize::from(COUNT[index])).map(|n| NTH_CELL[index][n].into()).collect();
            assert_eq!(nth, bits(cells.into()).collect::<Vec<_>>());
            assert_eq!(nth.len() as u32, cells.count_ones());
        }
    }

    #[test]
    fn symmetries_are_distinct() {
        let images: std::collections::HashSet<_> = IMAGE.iter().collect();
        assert_eq!(images.len(), SYMMETRIES);
    }
}
