//! The board of a FEN: ranks from the top, separated by slashes, with letters for pieces and numbers of empty
//! squares.

/// The largest width and height of a board.
const MOST: usize = 26;

/// Reads the squares of a board, rank by rank, `.` for an empty one. `None` if it is not a board of at least
/// two ranks of equal width.
#[must_use]
pub fn read_board(text: &str) -> Option<Vec<Vec<char>>> {
    let ranks = text.split('/').map(squares_of_rank).collect::<Option<Vec<_>>>()?;
    let is_board = (2..=MOST).contains(&ranks.len())
        && (1..=MOST).contains(&ranks[0].len())
        && ranks.iter().all(|rank| rank.len() == ranks[0].len());
    is_board.then_some(ranks)
}

/// Writes the form that [`read_board`] reads.
#[must_use]
pub fn write_board(ranks: &[Vec<char>]) -> String {
    let write_rank = |rank: &Vec<char>| -> String {
        let runs = rank.chunk_by(|left, right| *left == '.' && *right == '.');
        runs.map(|run| if run[0] == '.' { run.len().to_string() } else { run[0].to_string() })
            .collect()
    };
    ranks.iter().map(write_rank).collect::<Vec<_>>().join("/")
}

fn squares_of_rank(text: &str) -> Option<Vec<char>> {
    let mut squares = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        if end > 0 {
            let empty = rest[..end].parse::<u8>().ok()?;
            squares.extend((0..empty).map(|_| '.'));
            rest = &rest[end..];
        } else {
            squares.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_written_as_they_are_read() {
        for text in ["6/6/2ox2/6/6", "xx1/1o1", "12/x11"] {
            assert_eq!(write_board(&read_board(text).unwrap()), text);
        }
        for text in ["", "3", "xx/1/oo", "3/4", "99/99", "300/300"] {
            assert_eq!(read_board(text), None, "{text}");
        }
    }
}
