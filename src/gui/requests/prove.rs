//! `prove`: the exact value of a position.

use std::io::{self, Write};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::setup::{GameSetup, spots};
use super::{RequestContext, RequestError, time_limit};
use crate::interact::{KeptSearcher, PlayGame};
use crate::language::Language;
use crate::platform::Instant;
use crate::search::Score;
use crate::solve::ValueBounds;
use crate::thinking::GameSpec;
use crate::thinking::solving::{Solution, SolveError, SolveObserver, SolveProgress, SolverOptions};

const DEFAULT_MS: u64 = 60_000;
const MAX_MS: u64 = 3_600_000;
/// Memory in MiB.
const DEFAULT_MEMORY: usize = 256;
const MAX_MEMORY: usize = 512;
/// The maximum length of a certificate in bytes, and the maximum time to write it.
const MAX_CERTIFICATE: usize = 2 << 20;
const CERTIFICATE_TIME: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProveRequest {
    setup: GameSetup,
    #[serde(default)]
    ms: Option<u64>,
    /// Memory in MiB.
    #[serde(default)]
    memory: Option<usize>,
    #[serde(default)]
    certificate: bool,
}

impl ProveRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let game = self.setup.open_unfinished(&mut KeptSearcher::default())?;
        let mebibytes = self.memory.unwrap_or(DEFAULT_MEMORY);
        let options = SolverOptions {
            mebibytes,
            threads: 1,
            verify: false,
            certificate: self.certificate && game.spec.has_certificates,
            target: None,
        };
        let range = options.min_mebibytes()..=MAX_MEMORY;
        if !range.contains(&mebibytes) {
            let (min, max) = range.into_inner();
            let reason = format!("invalid memory {mebibytes}, expected {min} to {max}");
            return Err(RequestError::new(reason));
        }
        let proof = prove(game.spec, &game.position.fen(), options, time, context);
        let (solution, certificate) =
            proof.map_err(|error| RequestError::new(error.to_string()))?;
        let mut answer = to_answer(&game, &solution, language);
        let to_text = |bytes: Vec<u8>| bytes.into_iter().map(char::from).collect::<String>();
        answer["certificate"] = certificate.map(to_text).into();
        Ok(answer)
    }
}

/// Proves a position and writes the certificate.
fn prove(
    game: &GameSpec,
    fen: &str,
    options: SolverOptions,
    time: Duration,
    context: &mut RequestContext<'_>,
) -> Result<(Solution, Option<Vec<u8>>), SolveError> {
    let mut solver = game.solver(options)?;
    let mut observer = ProgressObserver { progress: context.progress };
    let solution = solver.solve(fen, Some(time), None, context.control, &mut observer)?;
    if !options.certificate || solution.bounds == ValueBounds::OPEN {
        return Ok((solution, None));
    }
    let (start, mut output) = (Instant::now(), LimitedOutput(Vec::new()));
    let mut watch = |_| context.control.is_stopped() || start.elapsed() > CERTIFICATE_TIME;
    let written = solver.write_certificate(&solution, &mut output, &mut watch);
    Ok((solution, written.is_ok().then_some(output.0)))
}

/// Collects a certificate that fits into an answer.
struct LimitedOutput(Vec<u8>);

impl Write for LimitedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_CERTIFICATE {
            return Err(io::Error::other("the certificate is too long"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn to_answer(game: &PlayGame, solution: &Solution, language: Language) -> Json {
    let Solution { bounds, plies, best, nodes, time, .. } = solution;
    let value = bounds.value();
    // Without a distance the plies are left out of the text.
    let score = value.map(|value| match plies {
        Some(plies) => Score::Exact(value.in_plies(*plies)),
        None => Score::ByLine(value.in_plies(0)),
    });
    json!({
        "value": value.map(|value| value.to_string()),
        "at_least": bounds.lower.to_string(),
        "at_most": bounds.upper.to_string(),
        "plies": plies,
        "best": best,
        "best_spots": best.as_deref().map(|mv| spots(game, mv)).unwrap_or_default(),
        "text": score.map(|score| language.short_score(score)),
        "nodes": nodes,
        "seconds": time.as_secs_f64(),
    })
}

/// Reports the progress of a proof to the page.
struct ProgressObserver<'a> {
    progress: &'a mut dyn FnMut(Json),
}

impl SolveObserver for ProgressObserver<'_> {
    fn progress(&mut self, progress: &SolveProgress) {
        (self.progress)(json!({
            "at_least": progress.bounds.lower.to_string(),
            "at_most": progress.bounds.upper.to_string(),
            "solved_moves": progress.solved_moves,
            "moves": progress.moves,
            "nodes": progress.nodes,
            "target": progress.question.map(|question| question.target.to_string()),
            "proof": progress.question.map(|question| question.proof),
            "disproof": progress.question.map(|question| question.disproof),
            "table_full": f64::from(progress.table_full) / 1000.0,
            "seconds": progress.time.as_secs_f64(),
        }));
    }
}
