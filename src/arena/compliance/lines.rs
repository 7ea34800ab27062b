//! The lines of an engine, taken apart as strictly as the protocol describes them.

use crate::arena::player::is_no_move;

/// An `option` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OptionLine {
    pub(super) name: String,
    kind: String,
    /// The words behind `default`, if that stands there.
    pub(super) default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    vars: Vec<String>,
}

impl OptionLine {
    /// Takes an `option` line apart; what is wrong with its words is found by [`Self::check`].
    pub(super) fn read(line: &str) -> Self {
        let mut option = Self::default();
        let words = line.split_whitespace().skip(1);
        let mut field = "";
        let mut values: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in words {
            let begins = match (field, option.kind.as_str()) {
                // A name goes to `type`, whatever words it has.
                ("name", _) => word == "type",
                // The default of a string goes to the end of the line.
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

    /// What is wrong with the option, if anything.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.name.is_empty() {
            return Err("it has no name".to_owned());
        }
        let default = self.default.as_deref();
        match self.kind.as_str() {
            "check" => match default {
                Some("true" | "false") => Ok(()),
                other => Err(format!("the default {} is neither true nor false", shown(other))),
            },
            "spin" => self.check_spin(),
            "combo" => {
                let default = default.ok_or("it has no default")?;
                let is_it = |var: &String| var.eq_ignore_ascii_case(default);
                let found = self.vars.iter().any(is_it);
                found.then_some(()).ok_or_else(|| format!("the default {default} is no var"))
            }
            "button" | "string" => Ok(()),
            "" => Err("it has no type".to_owned()),
            other => Err(format!("type {other} is none of check, spin, combo, button and string")),
        }
    }

    fn check_spin(&self) -> Result<(), String> {
        let number = |name: &str, text: &Option<String>| match text {
            None => Err(format!("it has no {name}")),
            Some(text) => {
                text.parse::<i128>().map_err(|_| format!("the {name} {text} is no integer"))
            }
        };
        let default = number("default", &self.default)?;
        let (min, max) = (number("min", &self.min)?, number("max", &self.max)?);
        if !(min..=max).contains(&default) {
            return Err(format!("the default {default} is not within {min} and {max}"));
        }
        Ok(())
    }

    /// Whether setting it does something there and then.
    pub(super) fn is_button(&self) -> bool {
        self.kind == "button"
    }
}

fn shown(value: Option<&str>) -> &str {
    value.unwrap_or("that is missing")
}

/// What an `info` line tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InfoLine<'a> {
    /// The words behind `score`, up to the next word that is not of it.
    pub(super) score: Option<(&'a str, &'a str)>,
    /// Whether the score is a bound.
    pub(super) is_bound: bool,
    /// Words that want a whole number, with what stands behind them.
    pub(super) numbers: Vec<(&'a str, Option<&'a str>)>,
    /// The line of play; moves to the end of the line.
    pub(super) pv: Vec<&'a str>,
    /// Whether it is about the best line, and not about the second or third.
    pub(super) is_best: bool,
}

impl<'a> InfoLine<'a> {
    /// Takes an `info` line apart; `None` if it is none, or is text.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self { is_best: true, ..Self::default() };
        while let Some(word) = words.next() {
            match word {
                "string" => return (!info.numbers.is_empty()).then_some(info),
                "score" => info.score = words.next().zip(words.next()),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "depth" | "seldepth" | "nodes" | "nps" | "time" | "hashfull" | "multipv" => {
                    let number = words.next();
                    info.is_best &= word != "multipv" || number == Some("1");
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

    /// Whether the score can be taken at its word.
    pub(super) fn has_exact_score(&self) -> bool {
        let is_number = |number: &str| number.parse::<i64>().is_ok();
        !self.is_bound
            && self
                .score
                .is_some_and(|(kind, number)| matches!(kind, "cp" | "mate") && is_number(number))
    }
}

/// What a `bestmove` line says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BestLine<'a> {
    /// The move; `None` where there is none.
    pub(super) mv: Option<&'a str>,
    /// The move to ponder on.
    pub(super) ponder: Option<&'a str>,
    /// Words that have no place there.
    pub(super) surplus: Vec<&'a str>,
}

impl<'a> BestLine<'a> {
    /// Takes a `bestmove` line apart.
    pub(super) fn read(line: &'a str) -> Self {
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
    fn options_are_checked() {
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
            assert_eq!(OptionLine::read(line).check(), Ok(()), "{line}");
        }
        assert_eq!(OptionLine::read(good[1]).name, "Skill Level");
        assert_eq!(OptionLine::read(good[3]).default.as_deref(), Some("c:\\ var min max"));
        let bad = [
            ("option", "no name"),
            ("option name Hash", "no type"),
            ("option name Hash type number default 1", "type number"),
            ("option name Hash type spin default 16", "no min"),
            ("option name Hash type spin default 0 min 1 max 2", "not within 1 and 2"),
            ("option name Hash type spin default x min 1 max 2", "no integer"),
            ("option name Ponder type check", "missing"),
            ("option name Style type combo default A var B", "is no var"),
        ];
        for (line, reason) in bad {
            let wrong = OptionLine::read(line).check().unwrap_err();
            assert!(wrong.contains(reason), "{line}: {wrong}");
        }
    }

    #[test]
    fn lines_are_taken_apart() {
        let info = InfoLine::read("info depth 3 multipv 2 score cp -5 upperbound nodes x pv a1 b2");
        let info = info.unwrap();
        assert_eq!(info.score, Some(("cp", "-5")));
        assert!(info.is_bound && !info.has_exact_score() && !info.is_best);
        assert_eq!(info.pv, ["a1", "b2"]);
        assert_eq!(info.numbers[2], ("nodes", Some("x")));
        assert!(InfoLine::read("info string score cp 3").is_none());
        let best = BestLine::read("bestmove a1 ponder b2 now");
        assert_eq!((best.mv, best.ponder, best.surplus), (Some("a1"), Some("b2"), vec!["now"]));
        assert_eq!(BestLine::read("bestmove (none)"), BestLine::default());
        assert_eq!(BestLine::read("bestmove"), BestLine::default());
    }
}
