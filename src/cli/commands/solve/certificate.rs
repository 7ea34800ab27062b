//! Writing a certificate after a proof.

use std::path::Path;
use std::time::Instant;

use super::{Arguments, SolveRun};
use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::cli::{check_writable, print_error, replace_file};
use crate::printing::{plural, printable_path};
use crate::solve::{CertificateError, ValueBounds};
use crate::thinking::solving::Solution;
use crate::thinking::{GameSpec, registry};

/// Fails if the certificate that is requested cannot be written.
pub(super) fn check_request(game: &GameSpec, arguments: &Arguments) -> Result<(), CliError> {
    let Some(path) = &arguments.certificate else { return Ok(()) };
    if !game.has_certificates {
        let reason = format!(
            "--certificate is not supported for {}, only for {}",
            game.id,
            registry::ids(|game| game.has_certificates).join(", ")
        );
        return Err(CliError::Usage(reason));
    }
    let checkpoint = arguments.checkpoint.as_deref().map(|path| ("--checkpoint", path));
    let files: Vec<_> = checkpoint.into_iter().chain([("--certificate", path.as_path())]).collect();
    crate::cli::require_distinct(&files)?;
    check_writable(path)
}

impl SolveRun<'_> {
    /// Writes the certificate of what is proven; the file is replaced once it is complete.
    pub(super) fn write_certificate(
        &mut self,
        path: &Path,
        solution: &Solution,
    ) -> Result<(), CliError> {
        if solution.bounds == ValueBounds::OPEN {
            let reason = format!("{}: not written, since nothing is proven", printable_path(path));
            return Err(CliError::Failed(reason));
        }
        let (start, control, mut size) = (Instant::now(), self.control.child(), None);
        let progress = ProgressLine::new(self.progress_interval());
        let mut watch = |answers| {
            let seconds = start.elapsed().as_secs();
            if seconds > 0 {
                progress
                    .update(|| format!("writing the certificate: {seconds} s, {answers} answers"));
            }
            control.is_stopped()
        };
        let solver = &mut self.solver;
        let result = replace_file(path, |output| {
            size = Some(solver.write_certificate(solution, output, &mut watch)?);
            Ok(())
        });
        progress.clear();
        result?;
        if let Some(size) = size {
            print_error(&format_args!(
                "certificate written: {}, {} in {:.3} s",
                plural(size.bytes, "byte"),
                plural(size.answers, "answer"),
                start.elapsed().as_secs_f64()
            ));
        }
        Ok(())
    }
}

impl From<CertificateError> for CliError {
    fn from(error: CertificateError) -> Self {
        match error {
            CertificateError::Io(error) => Self::Io(error),
            CertificateError::Memory(error) => Self::Memory(error),
            error => Self::Failed(error.to_string()),
        }
    }
}
