//! `zermelo match --merge`: merges the records of shards.

use super::shards::range_text;
use super::{Arguments, MatchFiles, check_record};
use crate::arena::tournament::journal;
use crate::arena::tournament::merge::{Merged, merge};
use crate::cli::error::CliError;
use crate::cli::{check_writable, print_error, require_distinct};
use crate::printing::printable_path;
use crate::records::RecordFormat;

/// Merges the records of shards, writes the result and prints its standings.
pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let (shards, outputs) = (&arguments.merge, arguments.files.named());
    for shard in shards {
        let mut files = vec![("--merge", shard.as_path())];
        files.extend(&outputs);
        require_distinct(&files)?;
    }
    for (_, path) in &outputs {
        check_writable(path)?;
    }
    let mut merged = merge(shards)?;
    warn_about_gaps(&merged);
    merged.setup.sprt = arguments.sprt()?.or(merged.setup.sprt);
    let Merged { setup, games, .. } = &merged;
    let MatchFiles { record, jsonl, .. } = &arguments.files;
    // No match may be writing to a file that is replaced.
    let existing = [record, jsonl].into_iter().flatten().filter(|path| path.exists());
    let locks = existing.map(|path| journal::lock_for_replacement(path));
    let _locks: Vec<_> = locks.collect::<Result<_, _>>()?;
    if let Some(record) = record {
        check_record::write_record(record, RecordFormat::Text, Some(setup), games)?;
    }
    check_record::write_results(Some(setup), games, arguments)
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
