//! Board codes: nine cells, each empty or one side's, as a number in base three. The net groups the
//! codes into classes: all won boards share a class, and so do all lost and all drawn ones.

use crate::games::grid::{FULL, HAS_LINE, IMAGE, SYMMETRIES};

/// The number of board codes.
pub const BOARD_CODES: usize = 3usize.pow(9);

/// The base-three number with digit 1 for each cell of a set.
const TERNARY: [u16; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let (mut cell, mut power) = (0, 1);
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells] += power;
            }
            power *= 3;
            cell += 1;
        }
        cells += 1;
    }
    table
};

/// Returns the code of a board: digit 1 for the first set of cells, 2 for the second.
#[inline]
#[must_use]
pub fn board_code(ones: u16, twos: u16) -> u16 {
    TERNARY[usize::from(ones)] + 2 * TERNARY[usize::from(twos)]
}

/// Returns the two sets of cells of a board code, the inverse of [`board_code`].
#[must_use]
pub const fn cells_of_code(code: u16) -> [u16; 2] {
    let (mut ones, mut twos, mut cell, mut rest) = (0, 0, 0, code);
    while cell < 9 {
        match rest % 3 {
            1 => ones |= 1 << cell,
            2 => twos |= 1 << cell,
            _ => {}
        }
        rest /= 3;
        cell += 1;
    }
    [ones, twos]
}

const WON: u16 = 0;
const LOST: u16 = 1;
const DRAWN: u16 = 2;

/// The class of each board code: one each for won, lost and full boards, and one for every code of
/// an open board.
pub static BOARD_CLASS: [u16; BOARD_CODES] = {
    let mut table = [0; BOARD_CODES];
    let (mut number, mut open) = (0, DRAWN + 1);
    while number < BOARD_CODES {
        let [own, other] = cells_of_code(number as u16);
        table[number] = if HAS_LINE[own as usize] {
            WON
        } else if HAS_LINE[other as usize] {
            LOST
        } else if own | other == FULL {
            DRAWN
        } else {
            open += 1;
            open - 1
        };
        number += 1;
    }
    table
};

/// The number of classes.
pub const BOARD_CLASSES: usize = {
    let (mut most, mut number) = (0, 0);
    while number < BOARD_CODES {
        if BOARD_CLASS[number] > most {
            most = BOARD_CLASS[number];
        }
        number += 1;
    }
    most as usize + 1
};

/// Returns the class that each class becomes in each image of the board.
#[must_use]
pub fn class_images() -> Vec<[u16; SYMMETRIES]> {
    let mut images = vec![[0; SYMMETRIES]; BOARD_CLASSES];
    for (number, class) in BOARD_CLASS.iter().enumerate() {
        let image = |symmetry| BOARD_CLASS[code_image(number, symmetry)];
        images[usize::from(*class)] = std::array::from_fn(image);
    }
    images
}

/// Returns the board that each board becomes in an image of the position. The big board, the last one,
/// stays where it is.
#[must_use]
pub fn board_image(board: usize, symmetry: usize) -> usize {
    IMAGE[symmetry].get(board).map_or(board, |image| usize::from(*image))
}

fn code_image(code: usize, symmetry: usize) -> usize {
    let (mut image, mut rest) = (0, code);
    for cell in IMAGE[symmetry] {
        image += rest % 3 * 3usize.pow(cell.into());
        rest /= 3;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_boards_share_a_class() {
        let class = |own: u16, other: u16| BOARD_CLASS[usize::from(board_code(own, other))];
        assert_eq!(class(0b000_000_111, 0b000_011_000), WON);
        assert_eq!(class(0b000_011_000, 0b111_000_000), LOST);
        assert_eq!(class(0b010_011_101, 0b101_100_010), DRAWN);
        assert_eq!(BOARD_CLASSES, 11_096);
    }
}
