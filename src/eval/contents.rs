//! Numbers for what is on a small board: nine cells that are empty, one side's or the other's make
//! a number in base three.

/// How many contents there are.
pub const CONTENTS: usize = 3usize.pow(9);

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
pub fn contents(once: u16, twice: u16) -> u16 {
    TERNARY[usize::from(once)] + 2 * TERNARY[usize::from(twice)]
}
