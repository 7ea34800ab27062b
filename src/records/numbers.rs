//! The numbers by which all commands refer to the games of a file.

use std::collections::HashSet;
use std::fmt;

/// The numbers that name the games of a file: their `Number` tags, or their places from 1 if a game
/// has no such tag or two games have the same. Damaged games do not affect the choice; if the others
/// are named by their tags, a damaged game without a tag of its own has no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameNumbers(Vec<u32>);

/// No game of the file has this number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownGame {
    /// The file contains other games.
    #[error("no game {number}, expected one of: {numbers}")]
    Number { number: u32, numbers: GameNumbers },
    #[error("the file contains no game")]
    Empty,
}

impl GameNumbers {
    /// Returns the names of games in the order of the file. `tags` are their `Number` tags, 0 where
    /// there is none.
    pub fn from_tags(tags: Vec<u32>) -> Self {
        Self::from_damaged(&tags.into_iter().map(|tag| (tag, false)).collect::<Vec<_>>())
    }

    /// As [`Self::from_tags`] for games that may be damaged: each tag with whether its game is.
    pub fn from_damaged(tags: &[(u32, bool)]) -> Self {
        let all_damaged = tags.iter().all(|(_, is_damaged)| *is_damaged);
        let is_intact = |is_damaged: bool| all_damaged || !is_damaged;
        let intact = tags.iter().filter(|(_, is_damaged)| is_intact(*is_damaged));
        let mut seen = HashSet::from([0]);
        if !intact.map(|(tag, _)| *tag).all(|tag| seen.insert(tag)) {
            return Self((1..).zip(tags).map(|(place, _)| place).collect());
        }
        let name = |(tag, is_damaged): &(u32, bool)| {
            if is_intact(*is_damaged) || seen.insert(*tag) { *tag } else { 0 }
        };
        Self(tags.iter().map(name).collect())
    }

    /// Returns the numbers in the order of the file, 0 for a damaged game without one.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// Returns the place of a game in the file, from 0. Fails if no game has this number.
    pub fn find(&self, number: u32) -> Result<usize, UnknownGame> {
        let place = self.0.iter().position(|own| *own == number && number > 0);
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
        sorted.retain(|number| *number > 0);
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
    fn damaged_games_do_not_change_the_names_of_the_others() {
        let names = |tags: &[(u32, bool)]| GameNumbers::from_damaged(tags).0;
        assert_eq!(names(&[(1, false), (3, false), (0, true)]), [1, 3, 0]);
        assert_eq!(names(&[(3, true), (1, false), (3, false), (5, true)]), [0, 1, 3, 5]);
        assert_eq!(names(&[(5, false), (5, false), (9, true)]), [1, 2, 3]);
        assert_eq!(names(&[(0, true)]), [1]);
        let damaged = GameNumbers::from_damaged(&[(1, false), (0, true)]);
        assert_eq!(damaged.find(0).unwrap_err().to_string(), "no game 0, expected one of: 1");
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
