//! The files of a match, checked before anything is written.

use std::path::{Path, PathBuf};

use crate::arena::tournament::journal;
use crate::arena::tournament::tournament_setup::{OpeningSetup, TournamentSetup};
use crate::cli::engine_settings::{check_folder, check_stderr};
use crate::cli::error::CliError;
use crate::cli::{check_writable, require_distinct};
use crate::engine::open_for_append;
use crate::records::RecordFormat;

#[derive(Debug, Clone, clap::Args)]
#[group(skip)]
pub(in crate::cli) struct MatchFiles {
    /// Append each game to this record; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) record: Option<PathBuf>,
    /// Append each game to this file as a line of JSON
    #[arg(long, alias = "json", value_name = "FILE")]
    pub(in crate::cli) jsonl: Option<PathBuf>,
    /// Write an HTML report with tables, plots and a board viewer
    #[arg(long, value_name = "FILE.html")]
    pub(in crate::cli) report: Option<PathBuf>,
}

impl MatchFiles {
    /// The file to which each game is appended. Where both are given it is the record, and the JSON lines are
    /// written from it at the end.
    pub(super) fn journal(&self) -> Option<(&Path, RecordFormat)> {
        let record = self.record.as_deref().map(|path| (path, RecordFormat::Text));
        record.or(self.jsonl.as_deref().map(|path| (path, RecordFormat::Json)))
    }

    pub(super) fn named(&self) -> Vec<(&'static str, &Path)> {
        let Self { record, jsonl, report } = self;
        let files = [("--record", record), ("--jsonl", jsonl), ("--report", report)];
        files.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?))).collect()
    }

    /// Checks that no two files are the same, that none overwrites an input and that folders exist.
    pub(in crate::cli) fn check(
        &self,
        setup: &TournamentSetup,
        log: Option<&str>,
    ) -> Result<(), CliError> {
        let mut files = self.named();
        if let OpeningSetup::File { path, .. } = &setup.openings {
            files.push(("--openings", Path::new(path)));
        }
        files.extend(log.filter(|log| !log.is_empty()).map(|log| ("--log", Path::new(log))));
        for engine in &setup.engines {
            check_folder(engine)?;
            check_stderr(engine, &files)?;
        }
        self.report.as_deref().map_or(Ok(()), check_writable)?;
        if let (Some(_), Some(jsonl)) = (&self.record, &self.jsonl) {
            // Replaced at the end, unless it is something else.
            check_writable(jsonl)?;
            if jsonl.exists() {
                journal::read_setup(jsonl)?;
            }
        }
        require_distinct(&files)
    }
}

/// Checks that the files for the engines' standard error can be written, creating missing ones.
pub(super) fn check_engine_logs(setup: &TournamentSetup) -> Result<(), CliError> {
    for engine in &setup.engines {
        if let Some(log) = &engine.stderr
            && let Err(error) = open_for_append(log)
        {
            return Err(CliError::Usage(format!("stderr={log} of {}: {error}", engine.name)));
        }
    }
    Ok(())
}
