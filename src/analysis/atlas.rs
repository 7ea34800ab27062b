//! The opening atlas: values of positions from long searches made in advance.
//!
//! `research/atlas.py` writes it. Each line is a position, which stands for all that are symmetric to it:
//!
//! ```text
//! e5,f4 -67 25 i1,h3,e9 12/30/8
//! ```
//!
//! These are the moves that lead to it, the score for the side to move in points, the depth of the
//! search, the expected line and, if games of the engine against itself reached the position, how many
//! of them the side to move won, drew and lost.

use std::collections::HashMap;

use crate::rules::{Game, GameNotation, symmetric_key};
use crate::search::{Points, Score};

/// A move in the atlas. Everything is from the point of view of the player who makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtlasMove<M> {
    pub score: Score,
    /// The depth of the search after the move, in plies.
    pub depth: u32,
    /// The move and the line expected after it.
    pub line: Vec<M>,
    /// How many games with the move were won, drawn and lost.
    pub results: Option<[u32; 3]>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {number} of the atlas is damaged: {line:?}, expected moves, score, depth, line and results, as in \
     \"e5,f4 -67 25 i1,h3,e9 12/30/8\""
)]
pub struct AtlasError {
    number: usize,
    line: String,
}

struct Entry<G: Game> {
    pos: G,
    score: Score,
    depth: u32,
    line: Vec<G::Move>,
    results: Option<[u32; 3]>,
}

/// Returns the moves of a position that an atlas knows, best first, all symmetric ones among them.
/// Fails if the text of the atlas is damaged.
pub fn moves_in_atlas<G: GameNotation>(
    text: &str,
    pos: &G,
) -> Result<Vec<AtlasMove<G::Move>>, AtlasError> {
    let mut children: HashMap<u64, Vec<(G::Move, G)>> = HashMap::new();
    for mv in pos.legal_moves() {
        let child = pos.after(mv);
        children.entry(symmetric_key(&child)).or_default().push((mv, child));
    }
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let entry = read_entry::<G>(line)
            .ok_or_else(|| AtlasError { number: index + 1, line: line.to_owned() })?;
        let images = children.get(&symmetric_key(&entry.pos)).into_iter().flatten();
        found.extend(images.filter_map(|(mv, child)| seen_from(&entry, *mv, child)));
    }
    found.sort_by_key(|own| -own.score.points());
    Ok(found)
}

fn read_entry<G: GameNotation>(line: &str) -> Option<Entry<G>> {
    let mut fields = line.split(' ');
    let mut pos = G::start();
    for name in fields.next()?.split(',') {
        pos.play(pos.parse_move(name).ok()?).ok()?;
    }
    let score = Score::Estimate(fields.next()?.parse::<Points>().ok()?);
    let depth = fields.next()?.parse().ok()?;
    let (mut at, mut moves) = (pos, Vec::new());
    for name in fields.next()?.split(',') {
        let mv = at.parse_move(name).ok()?;
        at.play(mv).ok()?;
        moves.push(mv);
    }
    let results = match fields.next() {
        None => None,
        Some(counts) => {
            let counts: Option<Vec<u32>> =
                counts.split('/').map(|count| count.parse().ok()).collect();
            Some(<[u32; 3]>::try_from(counts?).ok()?)
        }
    };
    fields.next().is_none().then_some(Entry { pos, score, depth, line: moves, results })
}

/// Turns an entry into a move that leads to a position symmetric to it.
fn seen_from<G: Game>(entry: &Entry<G>, mv: G::Move, child: &G) -> Option<AtlasMove<G::Move>> {
    let symmetry = (0..G::SYMMETRIES).find(|symmetry| entry.pos.image(*symmetry) == *child)?;
    let (mut at, mut line) = (entry.pos, vec![mv]);
    for next in &entry.line {
        line.push(at.move_image(*next, symmetry));
        at = at.after(*next);
    }
    let results = entry.results.map(|[won, drawn, lost]| [lost, drawn, won]);
    Some(AtlasMove { score: entry.score.before_move(), depth: entry.depth, line, results })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TixTax;

    #[test]
    fn symmetric_positions_share_an_entry() {
        let text = "a1 -40 24 b2,f5 5/3/2\na1,b2 12 20 f5,i5\n";
        let start = moves_in_atlas(text, &TixTax::start()).unwrap();
        let mut moves: Vec<String> = start.iter().map(|own| own.line[0].to_string()).collect();
        moves.sort();
        assert_eq!(moves, ["a1", "a9", "i1", "i9"]);
        let own = &start[0];
        assert_eq!((own.score, own.depth, own.results), (Score::Estimate(40), 24, Some([2, 3, 5])));
        let mut pos = TixTax::start();
        assert!(own.line.iter().all(|mv| pos.play(*mv).is_ok()), "{:?}", own.line);
        let mut corner = TixTax::start();
        corner.play(corner.parse_move("i9").unwrap()).unwrap();
        let replies = moves_in_atlas(text, &corner).unwrap();
        let lines: Vec<String> = replies
            .iter()
            .map(|own| own.line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines, ["h8 d5 a5"]);
        assert_eq!(moves_in_atlas(text, &corner.after(replies[0].line[0])), Ok(Vec::new()));
    }

    #[test]
    fn damaged_lines_are_refused_with_their_number() {
        for line in [
            "",
            "a1",
            "a1 x 24 b2",
            "a1 -40 b2",
            "a1 -40 24 a1",
            "a1,i9 1 2 a1",
            "z1 -40 24 b2",
            "a1 -40 24 b2 1/2",
            "a1 -40 24 b2 1/2/x",
            "a1 -40 24 b2 1/2/3 more",
        ] {
            let text = format!("a1 -40 24 b2\n{line}\n");
            let error = moves_in_atlas(&text, &TixTax::start()).unwrap_err();
            assert_eq!(error.number, 2, "{line}");
            assert!(error.to_string().starts_with("line 2 of the atlas is damaged"), "{error}");
        }
    }
}
