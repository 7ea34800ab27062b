//! Reads the search information that engines send in `info` lines.

use crate::protocol::reply::Dialect;
use crate::records::{EngineScore, SearchInfo};

/// Updates the information about the best line from an `info` line. A bound is not a score.
pub(crate) fn update(info: &mut SearchInfo, line: &str, dialect: Dialect) {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return;
    }
    let mut update = SearchInfo::default();
    let (mut is_best, mut is_bound) = (true, false);
    while let Some(word) = words.next() {
        match word {
            "depth" => update.depth = words.next().and_then(|depth| depth.parse().ok()),
            "nodes" => update.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
            "multipv" => is_best = words.next() == Some("1"),
            "score" => {
                update.score = parse_score(words.next(), words.next(), dialect);
            }
            "lowerbound" | "upperbound" => is_bound = true,
            // The rest of the line is moves or free text.
            "pv" | "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    if is_best {
        info.score = update.score.filter(|_| !is_bound).or(info.score);
        info.depth = update.depth.or(info.depth);
        info.nodes = update.nodes.or(info.nodes);
    }
}

/// Parses a score, with mates in plies whatever the protocol counts in.
fn parse_score(kind: Option<&str>, number: Option<&str>, dialect: Dialect) -> Option<EngineScore> {
    const MAX_SCORE: i32 = 1_000_000;
    let number = number?.parse::<i32>().ok()?.clamp(-MAX_SCORE, MAX_SCORE);
    match (kind?, dialect) {
        ("cp", _) => Some(EngineScore::Cp(number)),
        ("mate", Dialect::Uci) if number > 0 => Some(EngineScore::Mate(2 * number - 1)),
        ("mate", Dialect::Uci) => Some(EngineScore::Mate(2 * number)),
        ("mate", Dialect::Ugi) => Some(EngineScore::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info_of(lines: &[&str], dialect: Dialect) -> SearchInfo {
        let mut info = SearchInfo::default();
        for line in lines {
            update(&mut info, line, dialect);
        }
        info
    }

    #[test]
    fn latest_info_about_the_best_line_is_kept() {
        let lines = [
            "info depth 3 score cp 12 nodes 40 pv a1 depth 9",
            "info depth 4 multipv 2 score cp -90 nodes 60",
            "info string score cp 5",
            "info depth 5 seldepth 7 score mate 4 nodes x time 3",
        ];
        let expected = |plies| SearchInfo {
            score: Some(EngineScore::Mate(plies)),
            depth: Some(5),
            nodes: Some(40),
        };
        assert_eq!(info_of(&lines, Dialect::Uci), expected(7));
        assert_eq!(info_of(&lines, Dialect::Ugi), expected(4));
        assert_eq!(
            info_of(&["info score mate -2"], Dialect::Uci).score,
            Some(EngineScore::Mate(-4))
        );
        assert_eq!(info_of(&["info score", "info depth"], Dialect::Uci), SearchInfo::default());
        let bound = ["info depth 4 score cp 30", "info depth 5 score cp -900 upperbound nodes 7"];
        let expected = |depth| SearchInfo {
            score: Some(EngineScore::Cp(30)),
            depth: Some(depth),
            nodes: Some(7),
        };
        assert_eq!(info_of(&bound, Dialect::Uci), expected(5));
    }
}
