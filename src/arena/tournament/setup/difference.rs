//! Decides whether two setups describe the same tournament, and where they differ if not.

use super::{TournamentFormat, TournamentSetup};
use crate::arena::engines::limits::{PlayLimits, TimeControl};
use crate::arena::engines::setup::EngineSetup;
use crate::arena::games::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::printing::{plural, printable};

/// The first setting in which two setups differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupDifference {
    /// The setting, in words.
    setting: String,
    /// The value in the setup that was written earlier, and in the one that is used now.
    values: [String; 2],
}

impl SetupDifference {
    /// Returns the difference if the values differ. If only one of the setups has a value, `none` is
    /// printed for the other.
    fn find<T: PartialEq>(
        setting: &str,
        [theirs, ours]: [T; 2],
        print: impl Fn(T) -> String,
    ) -> Result<(), Self> {
        if theirs == ours {
            return Ok(());
        }
        let values = [theirs, ours].map(print).map(|value| match value.as_str() {
            "" => "none".to_owned(),
            _ => value,
        });
        Err(Self { setting: setting.to_owned(), values })
    }

    /// Describes the difference, with the names of the places of the two values:
    /// `rounds: 5 in the record, 1 now`.
    #[must_use]
    pub fn describe(&self, there: &str, here: &str) -> String {
        let Self { setting, values: [theirs, ours] } = self;
        let text = match theirs == ours {
            true => format!("{setting}: {theirs} in both, but with different positions"),
            false => format!("{setting}: {theirs} {there}, {ours} {here}"),
        };
        printable(&text).to_string()
    }

    /// Exchanges the two setups.
    #[must_use]
    pub fn swapped(self) -> Self {
        let Self { setting, values: [theirs, ours] } = self;
        Self { setting, values: [ours, theirs] }
    }
}

impl TournamentSetup {
    /// Checks that this setup can resume a tournament recorded with `recorded`. More rounds and
    /// other values for concurrency, timeouts, recovery and the SPRT are allowed.
    ///
    /// # Errors
    /// Returns the first other setting that differs.
    pub fn check_can_resume(&self, recorded: &Self) -> Result<(), SetupDifference> {
        let Self {
            game,
            tournament,
            engines,
            rounds,
            games,
            repeat,
            openings,
            openings_digest,
            seed,
            adjudication,
            sprt: _,
            recover: _,
            concurrency: _,
            timeouts: _,
        } = self;
        SetupDifference::find("game", [&recorded.game, game], String::clone)?;
        SetupDifference::find("tournament", [recorded.tournament, *tournament], |format| {
            format.name().to_owned()
        })?;
        let engine_counts = [recorded.engines.len(), engines.len()];
        SetupDifference::find("engines", engine_counts, |count| count.to_string())?;
        for (number, (theirs, ours)) in (1..).zip(recorded.engines.iter().zip(engines)) {
            compare_engines(number, theirs, ours)?;
        }
        // The pairings of a knockout depend on the earlier rounds, and played games stay played.
        let may_grow = *tournament != TournamentFormat::Knockout && *rounds >= recorded.rounds;
        if !may_grow {
            let rounds = [recorded.rounds, *rounds];
            SetupDifference::find("rounds", rounds, |rounds| rounds.to_string())?;
        }
        let games = [recorded.games, *games];
        SetupDifference::find("games per encounter", games, |games| games.to_string())?;
        SetupDifference::find("repeated openings", [recorded.repeat, *repeat], yes_or_no)?;
        let openings = [&recorded.openings, openings];
        SetupDifference::find("openings", openings, ToString::to_string)?;
        SetupDifference::find("seed", [recorded.seed, *seed], |seed| seed.to_string())?;
        compare_adjudication(&recorded.adjudication, adjudication)?;
        // Last, since other settings explain a difference better. Old records have no digest.
        match (&recorded.openings_digest, openings_digest) {
            (Some(theirs), Some(ours)) if theirs != ours => Err(SetupDifference {
                setting: "openings".to_owned(),
                values: openings.map(ToString::to_string),
            }),
            _ => Ok(()),
        }
    }

    /// Merges the setups of two shards of a tournament: settings that may vary are taken from
    /// `later`, and the greater number of rounds counts.
    ///
    /// # Errors
    /// Returns the first setting that must not differ.
    pub fn merge_with(&self, later: &Self) -> Result<Self, SetupDifference> {
        if later.rounds >= self.rounds {
            later.check_can_resume(self)?;
        } else {
            self.check_can_resume(later).map_err(SetupDifference::swapped)?;
        }
        let openings_digest = later.openings_digest.clone().or(self.openings_digest.clone());
        let rounds = later.rounds.max(self.rounds);
        Ok(Self { rounds, openings_digest, ..later.clone() })
    }
}

/// Compares two engines with the same number.
fn compare_engines(
    number: usize,
    theirs: &EngineSetup,
    ours: &EngineSetup,
) -> Result<(), SetupDifference> {
    let EngineSetup { name, cmd, args, dir, proto, options, limits, timemargin, ponder, stderr } =
        ours;
    SetupDifference::find(
        &format!("name of engine {number}"),
        [&theirs.name, name],
        String::clone,
    )?;
    let setting = |what: &str| format!("{what} of {name}");
    SetupDifference::find(&setting("command"), [&theirs.cmd, cmd], String::clone)?;
    SetupDifference::find(&setting("arguments"), [&theirs.args, args], |args| args.join(" "))?;
    let dirs = [&theirs.dir, dir];
    SetupDifference::find(&setting("folder"), dirs, |dir| dir.clone().unwrap_or_default())?;
    SetupDifference::find(&setting("protocol"), [theirs.proto, *proto], |protocol| {
        protocol.name().to_owned()
    })?;
    SetupDifference::find(&setting("options"), [&theirs.options, options], |options| {
        let options: Vec<String> =
            options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        options.join(" ")
    })?;
    let limits = [&theirs.limits, limits];
    match limits.map(only_time_control) {
        [Some(theirs), Some(ours)] => {
            let controls = [theirs, ours];
            SetupDifference::find(&setting("time control"), controls, |control| control.to_string())
        }
        _ => SetupDifference::find(&setting("limits"), limits, ToString::to_string),
    }?;
    let margins = [theirs.timemargin, *timemargin];
    SetupDifference::find(&setting("time margin"), margins, |margin| format!("{margin} ms"))?;
    SetupDifference::find(&setting("pondering"), [theirs.ponder, *ponder], yes_or_no)?;
    let logs = [&theirs.stderr, stderr];
    SetupDifference::find(&setting("file for stderr"), logs, |log| log.clone().unwrap_or_default())
}

/// Returns the time control if there is no other limit.
fn only_time_control(limits: &PlayLimits) -> Option<TimeControl> {
    let time_control = limits.time_control;
    time_control.filter(|_| *limits == PlayLimits { time_control, ..PlayLimits::default() })
}

fn compare_adjudication(theirs: &Adjudication, ours: &Adjudication) -> Result<(), SetupDifference> {
    let Adjudication { resign, draw, maxmoves } = ours;
    SetupDifference::find("resign adjudication", [theirs.resign, *resign], |rule| {
        rule.map_or(String::new(), |rule| {
            let ResignRule { movecount, score, twosided } = rule;
            format!("movecount={movecount} score={score} twosided={twosided}")
        })
    })?;
    SetupDifference::find("draw adjudication", [theirs.draw, *draw], |rule| {
        rule.map_or(String::new(), |rule| {
            let DrawRule { movenumber, movecount, score } = rule;
            format!("movenumber={movenumber} movecount={movecount} score={score}")
        })
    })?;
    SetupDifference::find("maximum length of a game", [theirs.maxmoves, *maxmoves], |limit| {
        limit.map_or(String::new(), |limit| plural(limit, "move"))
    })
}

fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_alone_is_named() {
        let control = |text: &str| {
            let limits = PlayLimits::try_from(text.to_owned()).unwrap();
            only_time_control(&limits).map(|control| control.to_string())
        };
        assert_eq!(control("tc=1+0.01").as_deref(), Some("1+0.01"));
        assert_eq!([control("tc=1+0.01 nodes=5"), control("st=1")], [None, None]);
    }
}
