//! The options that engines declare: parsing `option` lines and checking values against them.

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct OptionLine {
    pub(crate) name: String,
    kind: String,
    /// The words after `default`, if present.
    pub(crate) default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    vars: Vec<String>,
}

impl OptionLine {
    /// Parses an `option` line; [`Self::validate`] checks the fields.
    pub(crate) fn parse(line: &str) -> Self {
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
    pub(crate) fn validate(&self) -> Result<(), String> {
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

    /// Returns whether this is the option's name; case does not matter.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns whether its value is a string, which may be the name of a file.
    #[cfg(feature = "gui")]
    pub(crate) fn takes_string(&self) -> bool {
        !matches!(self.kind.as_str(), "check" | "spin" | "combo" | "button")
    }

    /// Returns a description of the declared values if `value` is not one of them. An invalid
    /// declaration accepts any value.
    pub(crate) fn expected_instead_of(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "check" => {
                let is_bool = ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word));
                (!is_bool).then(|| "true or false".to_owned())
            }
            "spin" => {
                let [Some(min), Some(max)] = self.range()? else { return None };
                let fits = value.parse().is_ok_and(|value: i128| (min..=max).contains(&value));
                (!fits).then(|| format!("a whole number from {min} to {max}"))
            }
            "combo" if !self.vars.is_empty() => {
                let is_declared = self.vars.iter().any(|var| var.eq_ignore_ascii_case(value));
                (!is_declared).then(|| format!("one of: {}", self.vars.join(", ")))
            }
            _ => None,
        }
    }

    /// Returns the values of a combo option; `None` for any other kind.
    pub(crate) fn vars(&self) -> Option<&[String]> {
        (self.kind == "combo").then_some(&*self.vars)
    }

    /// Returns the smallest and the largest value of a number where declared; `None`
    /// for an option that takes no number.
    pub(crate) fn range(&self) -> Option<[Option<i128>; 2]> {
        let bound = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok());
        matches!(self.kind.as_str(), "spin" | "string").then(|| [&self.min, &self.max].map(bound))
    }

    /// Whether setting the option triggers an action instead of storing a value.
    pub(crate) fn is_button(&self) -> bool {
        self.kind == "button"
    }
}

/// Returns whether a reply to `setoption` complains about the option.
pub(crate) fn is_complaint(line: &str) -> bool {
    const WORDS: [&str; 4] = ["error", "unknown", "no such", "invalid"];
    let line = line.to_ascii_lowercase();
    WORDS.iter().any(|word| line.contains(word))
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
    fn values_are_compared_with_the_declaration() {
        let expected = |line: &str, value: &str| OptionLine::parse(line).expected_instead_of(value);
        let hash = "option name Hash type spin default 16 min 1 max 1024";
        assert_eq!(expected(hash, "1024"), None);
        assert_eq!(expected(hash, "1025").unwrap(), "a whole number from 1 to 1024");
        assert_eq!(expected(hash, "many").unwrap(), "a whole number from 1 to 1024");
        let style = "option name Style type combo default Calm var Calm var Very Wild";
        assert_eq!(expected(style, "very wild"), None);
        assert_eq!(expected(style, "Wild").unwrap(), "one of: Calm, Very Wild");
        assert_eq!(expected("option name Ponder type check default false", "True"), None);
        let ponder = "option name Ponder type check default false";
        assert_eq!(expected(ponder, "on").unwrap(), "true or false");
        for line in [
            "option name Book type string default",
            "option name Clear type button",
            "option name Hash type spin default 16",
            "option name Style type combo default Calm",
        ] {
            assert_eq!(expected(line, "anything"), None, "{line}");
        }
    }
}
