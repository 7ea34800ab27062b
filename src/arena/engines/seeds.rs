//! Random seeds for engines: a different one in each game, so that repeated games are independent.

use super::engine_setup::EngineSetup;
use super::option_line::OptionLine;
use crate::rules::random::mix64;

/// The name of the option, in any case.
const NAME: &str = "Seed";

/// The largest seed that is sent: the largest integer that every reader of JSON keeps exactly.
const MAX_SEED: i64 = (1 << 53) - 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeedOption {
    /// Its name as the engine spells it.
    pub(crate) name: String,
    min: i64,
    max: i64,
}

impl SeedOption {
    pub(crate) fn from_declared(option: &OptionLine) -> Option<Self> {
        let [min, max] = option.range().filter(|_| option.has_name(NAME))?;
        let clamp = |bound: i128| bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let min = min.map_or(0, clamp);
        let max = max.map_or(i32::MAX.into(), clamp).max(min);
        Some(Self { name: option.name.clone(), min, max })
    }

    /// Returns the seed of an engine in a game, within the option's range. It depends on the seed
    /// of the tournament, the game's number and the engine's place in the list alone, so that
    /// shards and resumed runs use the same.
    pub(crate) fn seed(&self, tournament_seed: u64, number: u32, engine: usize) -> i64 {
        let max = self.max.min(MAX_SEED);
        // Negative seeds only where there are no others: some engines give them a meaning.
        let min = if max < 0 { self.min } else { self.min.max(0) };
        let count = max.abs_diff(min).saturating_add(1);
        let base = mix64(tournament_seed ^ mix64(engine as u64 + 1));
        // In a small range, consecutive seeds repeat as late as possible.
        let offset = match u32::try_from(count) {
            Ok(_) => base % count + u64::from(number),
            Err(_) => mix64(base.wrapping_add(mix64(number.into()))),
        };
        min.saturating_add_unsigned(offset % count)
    }
}

/// Returns the seed option among the options of the user; `Some(None)` if it is not a number.
pub(crate) fn fixed_seed(setup: &EngineSetup) -> Option<Option<i64>> {
    let given = setup.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(NAME));
    given.map(|(_, value)| value.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn parse(line: &str) -> Option<SeedOption> {
        SeedOption::from_declared(&OptionLine::parse(line))
    }

    fn option(range: &str) -> SeedOption {
        parse(&format!("option name Seed type spin default 0 {range}")).unwrap()
    }

    #[test]
    fn seeds_are_different_and_within_the_range() {
        for (range, low, high, different) in [
            ("min 0 max 9223372036854775807", 0, MAX_SEED, 1000),
            ("min 0 max 18446744073709551615", 0, MAX_SEED, 1000),
            ("min -5 max 4294967295", 0, u32::MAX.into(), 1000),
            ("min 1 max 1000", 1, 1000, 1000),
            ("min 3 max 9", 3, 9, 7),
            ("min -9 max -3", -9, -3, 7),
            ("min 4 max 4", 4, 4, 1),
            ("max 2 min 5", 5, 5, 1),
            ("", 0, i32::MAX.into(), 1000),
        ] {
            for engine in [0, 1] {
                let option = option(range);
                let seeds: HashSet<i64> =
                    (1..=1000).map(|number| option.seed(9, number, engine)).collect();
                assert_eq!(seeds.len(), different, "{range}");
                assert!(seeds.iter().all(|seed| (low..=high).contains(seed)), "{range}");
            }
        }
        let option = option("min 0 max 9223372036854775807");
        let all = (0..50).flat_map(|seed| [0, 1].map(|engine| option.seed(seed, 1, engine)));
        assert_eq!(all.collect::<HashSet<_>>().len(), 100);
    }

    #[test]
    fn other_options_are_no_seed() {
        for line in [
            "option name Seed type check default false",
            "option name Random Seed type spin default 0 min 0 max 1",
            "option name Seeds type spin default 0 min 0 max 1",
            "option name Seed",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
        assert_eq!(parse("option name sEED type string default 0").unwrap().name, "sEED");
    }
}
