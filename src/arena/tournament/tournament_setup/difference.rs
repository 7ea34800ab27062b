//! Decides whether two setups describe the same tournament, and where they differ if not.

use super::TournamentSetup;
use crate::arena::engines::engine_setup::EngineSetup;
use crate::arena::games::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::printing::{plural, printable};

/// The first setting in which two setups differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupDifference {
    setting: String,
    /// The value in the setup that was written earlier, and in the one that is used now.
    values: [String; 2],
}

impl SetupDifference {
    /// Describes the difference, with the names of the places of the two values:
    /// `rounds: 5 in the record, 1 now`.
    pub(crate) fn describe(&self, there: &str, here: &str) -> String {
        let Self { setting, values: [theirs, ours] } = self;
        let text = if theirs == ours {
            format!("{setting}: {theirs} in both, but with different positions")
        } else {
            format!("{setting}: {theirs} {there}, {ours} {here}")
        };
        printable(&text).to_string()
    }

    pub(crate) fn swapped(self) -> Self {
        let Self { setting, values: [theirs, ours] } = self;
        Self { setting, values: [ours, theirs] }
    }
}

impl TournamentSetup {
    /// Checks that this setup can resume a tournament recorded with `recorded`. More rounds and
    /// other values for concurrency, timeouts, recovery, the SPRT and the precision are allowed.
    /// Returns the first other setting that differs.
    pub fn check_can_resume(&self, recorded: &Self) -> Result<(), SetupDifference> {
        // Played games stay played.
        let rounds = self.rounds.min(recorded.rounds);
        let ours = fixed_settings(&Self { rounds, ..self.clone() });
        for ((setting, ours), (_, theirs)) in ours.into_iter().zip(fixed_settings(recorded)) {
            if ours != theirs {
                let named =
                    |value: String| if value.is_empty() { "none".to_owned() } else { value };
                return Err(SetupDifference { setting, values: [theirs, ours].map(named) });
            }
        }
        // Last, since other settings explain a difference better.
        match (&recorded.openings_digest, &self.openings_digest) {
            (Some(theirs), Some(ours)) if theirs != ours => Err(SetupDifference {
                setting: "openings".to_owned(),
                values: [recorded, self].map(|setup| setup.openings.to_string()),
            }),
            _ => Ok(()),
        }
    }

    /// Merges the setups of two shards of a tournament: settings that may vary are taken from
    /// `later`, and the greater number of rounds counts. Returns the first setting that must not
    /// differ.
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

/// The settings that must not change once a tournament has started, by name in the order in which they
/// are compared. The number of engines precedes the settings of each.
fn fixed_settings(setup: &TournamentSetup) -> Vec<(String, String)> {
    let TournamentSetup {
        game,
        tournament,
        engines,
        rounds,
        games,
        repeat,
        openings,
        openings_digest: _,
        seed,
        adjudication: Adjudication { resign, draw, maxmoves },
        sprt: _,
        ladder,
        recover: _,
        concurrency: _,
        timeouts: _,
    } = setup;
    let mut settings = vec![
        ("game".to_owned(), game.to_string()),
        ("tournament".to_owned(), tournament.name().to_owned()),
        ("engines".to_owned(), engines.len().to_string()),
    ];
    for (number, engine) in (1..).zip(engines) {
        settings.extend(engine_settings(number, engine));
    }
    let resign = resign.map(|ResignRule { movecount, score, twosided }| {
        format!("movecount={movecount} score={score} twosided={twosided}")
    });
    let draw = draw.map(|DrawRule { movenumber, movecount, score }| {
        format!("movenumber={movenumber} movecount={movecount} score={score}")
    });
    let maxmoves = maxmoves.map(|limit| plural(limit, "move"));
    let others = [
        match ladder {
            Some(_) => ("--max-games", (rounds * games).to_string()),
            None => ("rounds", rounds.to_string()),
        },
        ("games per encounter", games.to_string()),
        ("repeated openings", yes_or_no(*repeat)),
        ("openings", openings.to_string()),
        ("seed", seed.to_string()),
        ("resign adjudication", resign.unwrap_or_default()),
        ("draw adjudication", draw.unwrap_or_default()),
        ("maximum length of a game", maxmoves.unwrap_or_default()),
    ];
    settings.extend(others.map(|(setting, value)| (setting.to_owned(), value)));
    let scale = ladder.iter().flat_map(|ladder| &ladder.references);
    let scale: Vec<String> = scale.map(|reference| reference.elo.to_string()).collect();
    settings.push(("ratings of the references".to_owned(), join(&scale)));
    settings
}

/// The settings of the engine with a number, its name first.
fn engine_settings(number: usize, engine: &EngineSetup) -> Vec<(String, String)> {
    let EngineSetup { name, cmd, args, dir, proto, options, limits, timemargin, stderr } = engine;
    let options: Vec<String> =
        options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let others = [
        ("command", cmd.clone()),
        ("arguments", join(args)),
        ("folder", dir.clone().unwrap_or_default()),
        ("protocol", proto.name().to_owned()),
        ("options", join(&options)),
        ("limits", limits.to_string()),
        ("time margin", format!("{timemargin} ms")),
        ("file for stderr", stderr.clone().unwrap_or_default()),
    ];
    let mut settings = vec![(format!("name of engine {number}"), name.clone())];
    settings.extend(others.map(|(setting, value)| (format!("{setting} of {name}"), value)));
    settings
}

/// Joins words, quoting those with blanks so that different lists differ.
fn join(words: &[String]) -> String {
    let has_blank = |word: &String| word.is_empty() || word.contains(char::is_whitespace);
    let quoted =
        words.iter().map(|word| if has_blank(word) { format!("'{word}'") } else { word.clone() });
    quoted.collect::<Vec<_>>().join(" ")
}

fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}
