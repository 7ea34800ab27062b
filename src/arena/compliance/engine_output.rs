//! Strict parsers for the engine's `option`, `info` and `bestmove` lines.

use crate::arena::player::is_no_move;

/// An `option` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OptionLine {
    pub(super) name: String,
    kind: String,
    /// The words after `default`, if present.
    pub(super) default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    vars: Vec<String>,
}

impl OptionLine {
    /// Parses an `option` line; [`Self::validate`] checks the fields.
    pub(super) fn parse(line: &str) -> Self {
        let mut option = Self::default();
        let words = line.split_whitespace().skip(1);
        let mut field = "";
        let mut values: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in words {
            let begins = match (field, option.kind.as_str()) {
                // A name may contain any word but `type`.
                ("name", _) => word == "type",
                // The default of a string extends to the end of the line.
                ("default", "string") => false,
                _ => matches!(word, "name" | "type" | "default" | "min" | "max" | "var"),
            };
            if begins {
                field = word;
                values.push((word, Vec::new()));
            } else if let Some((_, value)) = values.last_mut() {
                if field == "type" {
                    word.clone_into(&mut option.kind);
                }
                value.push(word);
            }
        }
        for (field, value) in values {
            let value = value.join(" ");
            match field {
                "name" => option.name = value,
                "type" => option.kind = value,
                "default" => option.default = Some(value),
                "min" => option.min = Some(value),
                "max" => option.max = Some(value),
                _ => option.vars.push(value),
            }
        }
        option
    }

    /// Returns an error if a field is missing or the default is not a possible value.
    pub(super) fn validate(&self) -> Result<(), String> {
        if self.name.is_empty() {
            return Err("missing name".to_owned());
        }
        let default = self.default.as_deref();
        match self.kind.as_str() {
            "check" => match default {
                Some("true" | "false") => Ok(()),
                Some(other) => Err(format!("default {other} is neither true nor false")),
                None => Err("missing default".to_owned()),
            },
            "spin" => self.validate_spin(),
            "combo" => {
                let default = default.ok_or("missing default")?;
                let found = self.vars.iter().any(|var| var.eq_ignore_ascii_case(default));
                found
                    .then_some(())
                    .ok_or_else(|| format!("default {default} is not one of the vars"))
            }
            "button" | "string" => Ok(()),
            "" => Err("missing type".to_owned()),
            other => {
                Err(format!("unknown type {other}, expected check, spin, combo, button or string"))
            }
        }
    }

    fn validate_spin(&self) -> Result<(), String> {
        let number = |name: &str, text: &Option<String>| match text {
            None => Err(format!("missing {name}")),
            Some(text) => {
                text.parse::<i128>().map_err(|_| format!("{name} {text} is not an integer"))
            }
        };
        let default = number("default", &self.default)?;
        let (min, max) = (number("min", &self.min)?, number("max", &self.max)?);
        if !(min..=max).contains(&default) {
            return Err(format!("default {default} is not between {min} and {max}"));
        }
        Ok(())
    }

    /// Whether setting the option triggers an action instead of storing a value.
    pub(super) fn is_button(&self) -> bool {
        self.kind == "button"
    }
}

/// An `info` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct EngineInfo<'a> {
    /// The two words after `score`.
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
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self { is_first_line: true, ..Self::default() };
        while let Some(word) = words.next() {
            match word {
                "string" => return (!info.numbers.is_empty()).then_some(info),
                "score" => info.score = words.next().zip(words.next()),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "depth" | "seldepth" | "nodes" | "nps" | "time" | "hashfull" | "multipv" => {
                    let number = words.next();
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
    fn option_lines_are_validated() {
        let good = [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name Style type combo default Normal var Solid var Normal var Risky",
            "option name Nalimov Path type string default c:\\ var min max",
            "option name Empty type string default",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
        ];
        for line in good {
            assert_eq!(OptionLine::parse(line).validate(), Ok(()), "{line}");
        }
        assert_eq!(OptionLine::parse(good[1]).name, "Skill Level");
        assert_eq!(OptionLine::parse(good[3]).default.as_deref(), Some("c:\\ var min max"));
        let bad = [
            ("option", "missing name"),
            ("option name Hash", "missing type"),
            ("option name Hash type number default 1", "unknown type number"),
            ("option name Hash type spin default 16", "missing min"),
            ("option name Hash type spin default 0 min 1 max 2", "not between 1 and 2"),
            ("option name Hash type spin default x min 1 max 2", "not an integer"),
            ("option name Ponder type check", "missing default"),
            ("option name Style type combo default A var B", "is not one of the vars"),
        ];
        for (line, reason) in bad {
            let error = OptionLine::parse(line).validate().unwrap_err();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }

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
        let best = BestMoveLine::parse("bestmove a1 ponder b2 now");
        assert_eq!((best.mv, best.ponder, best.surplus), (Some("a1"), Some("b2"), vec!["now"]));
        assert_eq!(BestMoveLine::parse("bestmove (none)"), BestMoveLine::default());
        assert_eq!(BestMoveLine::parse("bestmove"), BestMoveLine::default());
    }
}
