//! The `info` lines of engines.

use crate::protocol::reply::Dialect;
use crate::records::{EngineScore, SearchInfo};

/// The words that start a field of an `info` line. They are never values, so a missing value does
/// not hide the field that follows.
const INFO_FIELDS: [&str; 20] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "currmove",
    "currmovenumber",
    "wdl",
    "refutation",
    "currline",
    "pv",
    "string",
];

fn is_value(word: &&str) -> bool {
    !INFO_FIELDS.contains(word)
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ReceivedInfo<'a> {
    /// The two words after `score`; the second one is empty if it is missing.
    pub(crate) score: Option<(&'a str, &'a str)>,
    pub(crate) is_bound: bool,
    /// The words that take a number, each with the word after it.
    pub(crate) numbers: Vec<(&'a str, Option<&'a str>)>,
    /// The principal variation, which extends to the end of the line.
    pub(crate) pv: Vec<&'a str>,
    /// Whether this is the best line of a multi-pv search.
    pub(crate) is_first_line: bool,
}

impl<'a> ReceivedInfo<'a> {
    /// Parses an `info` line; `None` for other lines and for `info string`.
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self { is_first_line: true, ..Self::default() };
        while let Some(word) = words.next() {
            match word {
                "string" if info.numbers.is_empty() => return None,
                "score" => {
                    let kind = words.next_if(is_value);
                    let number = words.next_if(is_value);
                    info.score = kind.map(|kind| (kind, number.unwrap_or_default()));
                }
                "lowerbound" | "upperbound" => info.is_bound = true,
                "depth" | "seldepth" | "nodes" | "nps" | "time" | "hashfull" | "multipv" => {
                    let number = words.next_if(is_value);
                    info.is_first_line &= word != "multipv" || number == Some("1");
                    info.numbers.push((word, number));
                }
                "pv" => {
                    info.pv = words.collect();
                    break;
                }
                // The rest of the line is moves or free text.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        Some(info)
    }

    /// Whether the score is well formed and not a bound.
    pub(crate) fn has_exact_score(&self) -> bool {
        !self.is_bound
            && self.score.is_some_and(|(kind, number)| {
                matches!(kind, "cp" | "mate") && number.parse::<i64>().is_ok()
            })
    }

    /// Updates what is known about the best line. A bound is not a score.
    pub(crate) fn update(&self, known: &mut SearchInfo, dialect: Dialect) {
        if !self.is_first_line {
            return;
        }
        let number = |key: &str| self.numbers.iter().rev().find(|(word, _)| *word == key)?.1;
        let score = self.score.filter(|_| !self.is_bound);
        known.score = score.and_then(|score| parse_score(score, dialect)).or(known.score);
        known.depth = number("depth").and_then(|depth| depth.parse().ok()).or(known.depth);
        known.nodes = number("nodes").and_then(|nodes| nodes.parse().ok()).or(known.nodes);
    }
}

/// Parses a score, with mates in plies whatever the protocol counts in.
fn parse_score((kind, number): (&str, &str), dialect: Dialect) -> Option<EngineScore> {
    const MAX_SCORE: i32 = 1_000_000;
    let number = number.parse::<i32>().ok()?.clamp(-MAX_SCORE, MAX_SCORE);
    match (kind, dialect) {
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
        for line in lines.iter().filter_map(|line| ReceivedInfo::parse(line)) {
            line.update(&mut info, dialect);
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

    #[test]
    fn missing_values_hide_no_field() {
        let info =
            ReceivedInfo::parse("info depth 3 multipv 2 score cp -5 upperbound nodes x pv a1 b2");
        let info = info.unwrap();
        assert_eq!(info.score, Some(("cp", "-5")));
        assert!(info.is_bound && !info.has_exact_score() && !info.is_first_line);
        assert_eq!(info.pv, ["a1", "b2"]);
        assert_eq!(info.numbers[2], ("nodes", Some("x")));
        assert!(ReceivedInfo::parse("info string score cp 3").is_none());
        for line in ["score 0 pv c1", "score cp pv c1", "score pv c1", "nodes pv c1"] {
            let line = format!("info depth 1 {line}");
            let info = ReceivedInfo::parse(&line).unwrap();
            assert_eq!(info.pv, ["c1"], "a missing value hides the pv: {line}");
            assert!(!info.has_exact_score());
        }
    }
}
