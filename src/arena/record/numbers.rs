//! The numbers by which all commands refer to the games of a file.

use std::fmt;

/// The numbers that name the games of a file: their `Number` tags, or their places from 1 if a game
/// has no such tag or two games have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameNumbers(Vec<u32>);

/// No game of the file has this number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownGame {
    /// The file contains other games.
    #[error("no game {number}, expected one of: {numbers}")]
    Number {
        /// The number.
        number: u32,
        /// The numbers of the games in the file.
        numbers: GameNumbers,
    },
    /// The file contains no games.
    #[error("the file contains no game")]
    Empty,
}

impl GameNumbers {
    /// Returns the names of games in the order of the file. `tags` are their `Number` tags, 0 where
    /// there is none.
    #[must_use]
    pub fn from_tags(tags: Vec<u32>) -> Self {
        let mut sorted = tags.clone();
        sorted.sort_unstable();
        let is_unique = sorted.windows(2).all(|pair| pair[0] < pair[1]);
        if is_unique && sorted.first() != Some(&0) {
            Self(tags)
        } else {
            Self((1..).zip(tags).map(|(place, _)| place).collect())
        }
    }

    /// Returns the numbers in the order of the file.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// Returns the place of a game in the file, from 0.
    ///
    /// # Errors
    /// Fails if no game has this number.
    pub fn find(&self, number: u32) -> Result<usize, UnknownGame> {
        let place = self.0.iter().position(|own| *own == number);
        place.ok_or_else(|| match self.0.as_slice() {
            [] => UnknownGame::Empty,
            _ => UnknownGame::Number { number, numbers: self.clone() },
        })
    }
}

/// `1-4, 6, 8-20`; long lists are abridged.
impl fmt::Display for GameNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_RANGES: usize = 8;
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let ranges: Vec<&[u32]> = sorted.chunk_by(|one, next| one + 1 == *next).collect();
        for (index, range) in ranges.iter().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            if index == MAX_RANGES {
                return f.write_str("…");
            }
            match range {
                [first, .., last] => write!(f, "{first}-{last}")?,
                range => range.iter().try_for_each(|number| number.fmt(f))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tags: &[u32]) -> GameNumbers {
        GameNumbers::from_tags(tags.to_vec())
    }

    #[test]
    fn games_are_named_by_their_distinct_numbers_else_by_their_places() {
        assert_eq!(names(&[3, 1, 2]).as_slice(), [3, 1, 2]);
        assert_eq!(names(&[3, 0, 7]).as_slice(), [1, 2, 3]);
        assert_eq!(names(&[5, 5]).as_slice(), [1, 2]);
        assert_eq!(names(&[3, 1, 2]).find(1), Ok(1));
        assert_eq!(names(&[1, 1, 1]).find(3), Ok(2));
    }

    #[test]
    fn unknown_numbers_are_answered_with_the_existing_ones() {
        let error = |tags: &[u32]| names(tags).find(9).unwrap_err().to_string();
        assert_eq!(error(&[2, 1, 3, 5, 7, 8]), "no game 9, expected one of: 1-3, 5, 7-8");
        assert_eq!(error(&[4]), "no game 9, expected one of: 4");
        assert_eq!(error(&[]), "the file contains no game");
        let odd: Vec<u32> = (0..100).map(|number| 2 * number + 11).collect();
        assert_eq!(error(&odd), "no game 9, expected one of: 11, 13, 15, 17, 19, 21, 23, 25, …");
    }
}
