//! Numbers for what is on a small board: nine cells that are empty, one side's or the other's make
//! a number in base three. To the net decided boards are alike: contents are put into classes.

use crate::games::grid::{FULL, HAS_LINE};

/// How many contents there are.
pub const BOARD_CODES: usize = 3usize.pow(9);

/// What a set of cells adds to the number of a board's contents.
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

/// The number of a board's contents: the cells of one side count once, those of the other twice.
#[inline]
#[must_use]
pub fn board_code(once: u16, twice: u16) -> u16 {
    TERNARY[usize::from(once)] + 2 * TERNARY[usize::from(twice)]
}

const WON: u16 = 0;
const LOST: u16 = 1;
const FILLED: u16 = 2;

/// The class of every content: those of decided boards are alike, every other is its own class.
pub(super) static BOARD_CLASS: [u16; BOARD_CODES] = {
    let mut table = [0; BOARD_CODES];
    let (mut number, mut open) = (0, FILLED + 1);
    while number < BOARD_CODES {
        let (mut own, mut other, mut cell, mut rest) = (0, 0, 0, number);
        while cell < 9 {
            match rest % 3 {
                1 => own |= 1 << cell,
                2 => other |= 1 << cell,
                _ => {}
            }
            rest /= 3;
            cell += 1;
        }
        table[number] = if HAS_LINE[own] {
            WON
        } else if HAS_LINE[other] {
            LOST
        } else if own | other == FULL as usize {
            FILLED
        } else {
            open += 1;
            open - 1
        };
        number += 1;
    }
    table
};

/// How many classes there are.
pub(super) const BOARD_CLASSES: usize = {
    let (mut most, mut number) = (0, 0);
    while number < BOARD_CODES {
        if BOARD_CLASS[number] > most {
            most = BOARD_CLASS[number];
        }
        number += 1;
    }
    most as usize + 1
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_boards_are_alike() {
        let class = |own: u16, other: u16| BOARD_CLASS[usize::from(board_code(own, other))];
        assert_eq!(class(0b000_000_111, 0b000_011_000), WON);
        assert_eq!(class(0b000_011_000, 0b111_000_000), LOST);
        assert_eq!(class(0b010_011_101, 0b101_100_010), FILLED);
        assert_eq!(BOARD_CLASSES, 11_096);
    }
}
