//! Checks of a complete setup, for settings that do not come from the command line: the header of a
//! record must hold nothing that the command line refuses.

use super::{
    MAX_CONCURRENCY, MAX_COUNT, MIN_ERROR_RATE, OpeningSetup, TournamentFormat, TournamentSetup,
};
use crate::arena::engines::codingame;
use crate::arena::engines::engine_setup::{EngineSetup, Protocol};
use crate::arena::games::adjudication::{DrawRule, ResignRule};
use crate::arena::games::game_choice::GameChoice;
use crate::printing::plural;

impl TournamentSetup {
    /// Checks ranges and combinations of settings, wherever they come from. Returns a message about
    /// the first invalid setting.
    pub fn check(&self) -> Result<(), String> {
        let max_count = u64::from(MAX_COUNT);
        within("rounds", self.rounds.into(), max_count)?;
        within("games", self.games.into(), max_count)?;
        within("concurrency", self.concurrency as u64, MAX_CONCURRENCY as u64)?;
        if let Some(moves) = self.adjudication.maxmoves {
            within("maxmoves", moves.into(), max_count)?;
        }
        if let Some(ResignRule { movecount, score, .. }) = self.adjudication.resign {
            check_rule("resign", movecount, score)?;
        }
        if let Some(DrawRule { movecount, score, .. }) = self.adjudication.draw {
            check_rule("draw", movecount, score)?;
        }
        for (name, rate) in
            self.sprt.iter().flat_map(|sprt| [("alpha", sprt.alpha), ("beta", sprt.beta)])
        {
            if rate < MIN_ERROR_RATE {
                return Err(format!("{name} = {rate}, expected at least {MIN_ERROR_RATE}"));
            }
        }
        self.openings.check()?;
        self.check_openings()?;
        let count = self.engines.len();
        if count < 2 {
            let engines = plural(count, "engine");
            return Err(format!("{engines} given, expected at least two --engine options"));
        }
        if self.sprt.is_some() && count != 2 {
            return Err(format!("--sprt compares two engines, but {count} are given"));
        }
        let references = self.ladder.as_ref().map(|ladder| ladder.references.len());
        if references != (self.tournament == TournamentFormat::Ladder).then_some(count - 1) {
            let reason = "a ladder needs the ratings of its references, expected zermelo rate";
            return Err(reason.to_owned());
        }
        for (index, engine) in self.engines.iter().enumerate() {
            engine.check(self.game)?;
            let name = &engine.name;
            if self.engines[..index].iter().any(|other| other.name == *name) {
                return Err(format!("two engines are named \"{name}\", expected different names"));
            }
        }
        Ok(())
    }

    /// Checks that the openings suit the game and CodinGame bots, which cannot be given a position.
    fn check_openings(&self) -> Result<(), String> {
        if matches!(self.openings, OpeningSetup::RandomMoves { .. })
            && self.game == GameChoice::EngineDefined
        {
            return Err(format!(
                "--openings {}: the runner knows no moves with --game {}, expected start or \
                 file=FILE",
                self.openings, self.game
            ));
        }
        let is_bot = |engine: &&EngineSetup| !engine.proto.sets_positions();
        let bots = self.engines.iter().filter(is_bot);
        let bots: Vec<&str> = bots.map(|engine| engine.name.as_str()).collect();
        let Some(bot) = bots.first() else { return Ok(()) };
        // In a gauntlet only the first engine meets others.
        let meets_bot = match self.tournament {
            TournamentFormat::Gauntlet | TournamentFormat::Ladder => {
                self.engines.first().as_ref().is_some_and(is_bot)
            }
            _ => true,
        };
        match &self.openings {
            OpeningSetup::Start => Ok(()),
            OpeningSetup::RandomMoves { .. } if bots.len() > 1 && meets_bot => Err(format!(
                "--openings {}: neither {} nor {} can be given a position (proto=codingame), so \
                 there is no move to choose in their games; expected --openings start",
                self.openings, bots[0], bots[1]
            )),
            OpeningSetup::RandomMoves { .. } => Ok(()),
            OpeningSetup::File { .. }
            | OpeningSetup::Random { .. }
            | OpeningSetup::Mixed { .. } => Err(format!(
                "--openings {}: {bot} cannot be given a position (proto=codingame), so every game \
                 begins at the start position; expected start, or random-moves=N to choose the first N \
                 moves of its opponents at random",
                self.openings
            )),
        }
    }
}

impl OpeningSetup {
    fn check(&self) -> Result<(), String> {
        let check_plies = |plies: usize| {
            if plies <= Self::MAX_PLIES {
                Ok(())
            } else {
                Err(format!("plies = {plies}, expected at most {}", Self::MAX_PLIES))
            }
        };
        match self {
            Self::Start => Ok(()),
            Self::File { path, start, plies, .. } => {
                within("start", *start as u64, u64::MAX)?;
                check_plies(plies.unwrap_or_default())?;
                check_text("file", path)
            }
            Self::Random { plies, .. } | Self::Mixed { plies } => check_plies(*plies),
            Self::RandomMoves { moves } => {
                within("random-moves", *moves as u64, Self::MAX_PLIES as u64)
            }
        }
    }
}

impl EngineSetup {
    fn check(&self, game: GameChoice) -> Result<(), String> {
        let Self { name, cmd, args, dir, options, stderr, .. } = self;
        for (key, value) in [("name", Some(name)), ("cmd", Some(cmd))]
            .into_iter()
            .chain([("dir", dir.as_ref()), ("stderr", stderr.as_ref())])
        {
            let Some(value) = value else { continue };
            check_text(key, value)?;
            if value.is_empty() {
                return Err(format!("{key} of an engine is empty"));
            }
        }
        args.iter().try_for_each(|argument| check_text("args", argument))?;
        for (option, value) in options {
            check_text("the name of an option", option)?;
            check_text(&format!("option.{option}"), value)?;
        }
        if !self.limits.is_set() {
            return Err(format!(
                "limits of {name} are missing, expected tc=, st=, nodes= or depth="
            ));
        }
        if self.limits.first_move_time.is_some() && self.limits.move_time.is_none() {
            return Err(format!("firsttime= of {name} needs st=, the time of the later moves"));
        }
        if self.proto == Protocol::Codingame {
            return codingame::check_settings(self, game.spec());
        }
        Ok(())
    }
}

fn within(name: &str, value: u64, max: u64) -> Result<(), String> {
    if (1..=max).contains(&value) {
        Ok(())
    } else {
        Err(format!("{name} = {value}, expected 1 to {max}"))
    }
}

fn check_rule(rule: &str, movecount: u32, score: i32) -> Result<(), String> {
    match (movecount, score) {
        (0, _) => Err(format!("movecount of {rule} = 0, expected at least 1 move")),
        (_, ..0) => Err(format!("score of {rule} = {score}, expected at least 0 (hundredths)")),
        _ => Ok(()),
    }
}

/// Refuses control characters: a line break would inject a command to the engine.
fn check_text(name: &str, text: &str) -> Result<(), String> {
    if text.chars().any(char::is_control) {
        Err(format!("{name} contains a control character, expected plain text"))
    } else {
        Ok(())
    }
}
