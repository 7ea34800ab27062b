//! `zermelo match --merge`: merges the records of shards.

use std::path::Path;

use super::shards::range_text;
use super::{Arguments, rescore};
use crate::arena::tournament::journal;
use crate::arena::tournament::merge::{Merged, merge};
use crate::arena::tournament::settings::MatchSettings;
use crate::cli::error::CliError;
use crate::cli::{check_writable, print_error, require_distinct};
use crate::printing::printable_path;
use crate::records::RecordFormat;

/// Merges the records of shards, writes the result and prints its standings.
pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    arguments.allow_only(&["merge", "record", "json", "report", "sprt", "verdict"], "--merge")?;
    let settings = arguments.settings()?;
    let MatchSettings { record, json, report, .. } = &settings;
    let shards = &arguments.merge;
    let outputs = [("--record", record), ("--json", json), ("--report", report)];
    let outputs: Vec<(&str, &Path)> =
        outputs.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?))).collect();
    for shard in shards {
        let files: Vec<_> =
            [("--merge", shard.as_path())].into_iter().chain(outputs.iter().copied()).collect();
        require_distinct(&files)?;
    }
    for (_, path) in &outputs {
        check_writable(path)?;
    }
    let mut merged = merge(shards)?;
    warn_about_gaps(&merged);
    merged.setup.sprt = settings.sprt()?.or(merged.setup.sprt);
    let Merged { setup, games, .. } = &merged;
    // No match may be writing to a file that is replaced.
    let existing = [record, json].into_iter().flatten().filter(|path| path.exists());
    let locks = existing.map(|path| journal::lock_for_replacement(path));
    let _locks: Vec<_> = locks.collect::<Result<_, _>>()?;
    if let Some(record) = record {
        rescore::write_record(record, RecordFormat::Text, Some(setup), games)?;
    }
    rescore::write_results(Some(setup), games, &settings, arguments.verdict)
}

/// Reports empty files and missing games on stderr.
fn warn_about_gaps(merged: &Merged) {
    for path in &merged.empty {
        print_error(&format_args!("{}: no complete header, skipped", printable_path(path)));
    }
    let missing: Vec<String> = merged.missing().iter().map(range_text).collect();
    if !missing.is_empty() {
        print_error(&format_args!("missing games: {}", missing.join(", ")));
    }
}
