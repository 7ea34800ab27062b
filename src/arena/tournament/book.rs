//! The openings of a tournament, from a file or generated on demand.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::tournament_setup::{OpeningOrder, OpeningSetup, TournamentSetup};
use crate::arena::engines::uci::STARTPOS;
use crate::arena::games::game_choice::{BookLine, GameChoice};
use crate::arena::games::referee::{GameState, RefereeBoard};
use crate::files::read_input;
use crate::printing::{plural, printable};
use crate::rules::SplitMix;
use crate::rules::random::mix64;
use crate::search::SearchControl;
use crate::thinking::EngineError;
use crate::thinking::GameSpec;
use crate::thinking::openings::OpeningRequest;

/// Openings in playing order; after the last one they repeat.
pub(crate) struct Book {
    openings: Mutex<LoadedOpenings>,
    digest: Option<String>,
}

/// The openings loaded or generated so far.
struct LoadedOpenings {
    lines: Vec<String>,
    /// How more are generated on demand, since balanced ones take time; `None` if there are no more.
    /// The flag adds one that need not be balanced after each.
    generator: Option<(&'static GameSpec, OpeningRequest, bool)>,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BookError(String);

impl From<EngineError> for BookError {
    fn from(error: EngineError) -> Self {
        Self(error.to_string())
    }
}

/// Number of random openings generated first, which the digest covers; it doubles each time more
/// are needed.
const INITIAL_COUNT: usize = 8;

impl Book {
    /// Opens the book of a setup. All openings of a file are checked against the rules, unless
    /// those are engine-defined.
    /// Fails if there are no openings or one is invalid.
    pub(crate) fn open(setup: &TournamentSetup) -> Result<Self, BookError> {
        match (&setup.openings, setup.game) {
            (OpeningSetup::Start | OpeningSetup::RandomMoves { .. }, _) => {
                Ok(Self::from_lines(vec![STARTPOS.to_owned()], None))
            }
            (OpeningSetup::File { path, order, start, plies }, choice) => {
                let mut lines = read_file(path, choice, *plies)?;
                if *order == OpeningOrder::Random {
                    SplitMix::new(setup.seed).shuffle(&mut lines);
                }
                let first = start.saturating_sub(1) % lines.len();
                lines.rotate_left(first);
                let digest = Some(digest(&lines));
                Ok(Self::from_lines(lines, digest))
            }
            (
                OpeningSetup::Random { .. } | OpeningSetup::Mixed { .. },
                GameChoice::EngineDefined,
            ) => {
                let reason = "cannot generate random openings for engine-defined rules, expected \
                              file=FILE";
                Err(BookError(reason.to_owned()))
            }
            (&OpeningSetup::Random { plies, balanced }, GameChoice::Known(game)) => {
                Self::generate(game, plies, balanced, false, setup.seed)
            }
            (&OpeningSetup::Mixed { plies }, GameChoice::Known(game)) => {
                Self::generate(game, plies, true, true, setup.seed)
            }
        }
    }

    fn generate(
        game: &'static GameSpec,
        plies: usize,
        balanced: bool,
        alternates: bool,
        seed: u64,
    ) -> Result<Self, BookError> {
        let request = OpeningRequest { count: INITIAL_COUNT, plies: Some(plies), seed, balanced };
        let openings = LoadedOpenings::generate(game, request, alternates)?;
        if openings.lines.is_empty() {
            return Err(BookError(format!(
                "{} has no {}openings of {}, try another random=PLIES",
                game.id,
                if balanced { "balanced " } else { "" },
                plural(plies, "ply")
            )));
        }
        let digest = Some(digest(&openings.lines));
        Ok(Self { openings: Mutex::new(openings), digest })
    }

    fn from_lines(lines: Vec<String>, digest: Option<String>) -> Self {
        Self { openings: Mutex::new(LoadedOpenings { lines, generator: None }), digest }
    }

    /// Notes the digest of the openings in the setup. The start position has none.
    /// Fails if the setup is that of a record whose openings had another digest.
    pub(crate) fn note_digest(&self, setup: &mut TournamentSetup) -> Result<(), BookError> {
        match (setup.openings_digest.take(), &self.digest) {
            (Some(recorded), Some(found)) if recorded != *found => Err(BookError(format!(
                "the openings are not those of the record (digest {recorded} there, {found} \
                     now); restore them, or name another record to start over"
            ))),
            (_, digest) => {
                setup.openings_digest.clone_from(digest);
                Ok(())
            }
        }
    }

    /// Returns the opening with a number, from 0.
    /// Fails if it cannot be generated.
    pub(crate) fn line(&self, number: u32) -> Result<String, EngineError> {
        let number = number as usize;
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((game, request, alternates)) = openings.generator
            && number >= openings.lines.len()
        {
            // A longer list starts with the shorter one.
            let request = OpeningRequest { count: 2 * request.count, ..request };
            *openings = LoadedOpenings::generate(game, request, alternates)?;
        }
        let index = number % openings.lines.len().max(1);
        Ok(openings.lines.get(index).cloned().unwrap_or_default())
    }
}

impl LoadedOpenings {
    fn generate(
        game: &'static GameSpec,
        request: OpeningRequest,
        alternates: bool,
    ) -> Result<Self, EngineError> {
        let openings = |request: &OpeningRequest| game.openings(request, &SearchControl::default());
        let mut lines = openings(&request)?.fens;
        // A list shorter than requested is complete.
        let generator = (lines.len() == request.count).then_some((game, request, alternates));
        if alternates {
            let any = openings(&OpeningRequest { balanced: false, ..request })?;
            lines = lines.into_iter().zip(any.fens).flat_map(|(even, any)| [even, any]).collect();
        }
        Ok(Self { lines, generator })
    }
}

/// Returns a digest of openings in their order, which is the same on every machine.
fn digest(lines: &[String]) -> String {
    let bytes = lines.iter().flat_map(|line| line.bytes().chain([b'\n']));
    let digest = bytes.fold(0, |digest, byte| mix64(digest ^ (u64::from(byte) + 1)));
    format!("{digest:016x}")
}

fn read_file(
    path: &str,
    choice: GameChoice,
    plies: Option<usize>,
) -> Result<Vec<String>, BookError> {
    let name = printable(path);
    let text = read_input(Path::new(path))
        .map_err(|error| BookError(format!("cannot read the openings in {name}: {error}")))?;
    let mut lines = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = BookLine::parse(line);
        let moves: Vec<&str> =
            opening.moves.split_whitespace().take(plies.unwrap_or(usize::MAX)).collect();
        let moves = moves.join(" ");
        let opening = BookLine { position: opening.position, moves: &moves };
        let refuse = |reason: &str| BookError(format!("{name}, line {}: {reason}", number + 1));
        let board =
            RefereeBoard::new(choice, &opening).map_err(|error| refuse(&error.to_string()))?;
        if matches!(board.state(), Some(GameState::Over(_))) {
            return Err(refuse("the game is over, expected an unfinished position"));
        }
        lines.push(opening.to_string());
    }
    if lines.is_empty() {
        return Err(BookError(format!("no openings in {name}, expected one FEN per line")));
    }
    Ok(lines)
}
