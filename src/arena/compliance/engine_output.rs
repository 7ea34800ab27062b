//! Strict parsers for the engine's `info` and `bestmove` lines.

use crate::arena::engines::player::is_no_move;

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

/// An `info` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct EngineInfo<'a> {
    /// The two words after `score`; the second one is empty if it is missing.
    pub(super) score: Option<(&'a str, &'a str)>,
    /// Whether the score is a bound.
    pub(super) is_bound: bool,
    /// The words that take a number, each with the word after it.
    pub(super) numbers: Vec<(&'a str, Option<&'a str>)>,
    /// The principal variation, which extends to the end of the line.
    pub(super) pv: Vec<&'a str>,
    /// Whether this is the first line of a multi-pv search.
    pub(super) is_first_line: bool,
}

impl<'a> EngineInfo<'a> {
    /// Parses an `info` line; `None` for other lines and for `info string`.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self { is_first_line: true, ..Self::default() };
        while let Some(word) = words.next() {
            match word {
                "string" => return (!info.numbers.is_empty()).then_some(info),
                "score" => {
                    let kind = words.next_if(|word| !INFO_FIELDS.contains(word));
                    let number = words.next_if(|word| !INFO_FIELDS.contains(word));
                    info.score = kind.map(|kind| (kind, number.unwrap_or_default()));
                }
                "lowerbound" | "upperbound" => info.is_bound = true,
                "depth" | "seldepth" | "nodes" | "nps" | "time" | "hashfull" | "multipv" => {
                    let number = words.next_if(|word| !INFO_FIELDS.contains(word));
                    info.is_first_line &= word != "multipv" || number == Some("1");
                    info.numbers.push((word, number));
                }
                "pv" => {
                    info.pv = words.collect();
                    break;
                }
                "refutation" | "currline" => break,
                _ => {}
            }
        }
        Some(info)
    }

    /// Whether the score is well formed and not a bound.
    pub(super) fn has_exact_score(&self) -> bool {
        let is_number = |number: &str| number.parse::<i64>().is_ok();
        !self.is_bound
            && self
                .score
                .is_some_and(|(kind, number)| matches!(kind, "cp" | "mate") && is_number(number))
    }
}

/// A `bestmove` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BestMoveLine<'a> {
    /// The move; `None` for `(none)` and the like.
    pub(super) mv: Option<&'a str>,
    /// The move to ponder on.
    pub(super) ponder: Option<&'a str>,
    /// Unexpected words at the end.
    pub(super) surplus: Vec<&'a str>,
}

impl<'a> BestMoveLine<'a> {
    /// Parses a `bestmove` line.
    pub(super) fn parse(line: &'a str) -> Self {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let mv = words.first().copied().filter(|mv| !is_no_move(mv));
        let (ponder, surplus) = match words.as_slice() {
            [_, "ponder", ponder, rest @ ..] => (Some(*ponder), rest),
            [_, rest @ ..] => (None, rest),
            [] => (None, [].as_slice()),
        };
        Self { mv, ponder, surplus: surplus.to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_and_bestmove_lines_are_parsed() {
        let info =
            EngineInfo::parse("info depth 3 multipv 2 score cp -5 upperbound nodes x pv a1 b2");
        let info = info.unwrap();
        assert_eq!(info.score, Some(("cp", "-5")));
        assert!(info.is_bound && !info.has_exact_score() && !info.is_first_line);
        assert_eq!(info.pv, ["a1", "b2"]);
        assert_eq!(info.numbers[2], ("nodes", Some("x")));
        assert!(EngineInfo::parse("info string score cp 3").is_none());
        for line in ["score 0 pv c1", "score cp pv c1", "score pv c1", "nodes pv c1"] {
            let line = format!("info depth 1 {line}");
            let info = EngineInfo::parse(&line).unwrap();
            assert_eq!(info.pv, ["c1"], "a missing value hides the pv: {line}");
            assert!(!info.has_exact_score());
        }
        let best = BestMoveLine::parse("bestmove a1 ponder b2 now");
        assert_eq!((best.mv, best.ponder, best.surplus), (Some("a1"), Some("b2"), vec!["now"]));
        assert_eq!(BestMoveLine::parse("bestmove (none)"), BestMoveLine::default());
        assert_eq!(BestMoveLine::parse("bestmove"), BestMoveLine::default());
    }
}
