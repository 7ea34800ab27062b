//! `zermelo match --merge`: the records of parts joined to one.

use std::path::{Path, PathBuf};

use super::{Arguments, rescore};
use crate::arena::journal::{self, RecordFormat};
use crate::arena::merge::{self, Merged};
use crate::cli::{CliError, check_writable, print_error, replace_file, require_distinct};

/// Joins the records of parts, writes what they come to and tells it.
pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { merge: parts, record, json, report, .. } = arguments;
    let written = [("--record", record), ("--json", json), ("--report", report)];
    let written: Vec<(&str, &Path)> =
        written.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?))).collect();
    for part in parts {
        let places: Vec<_> =
            [("--merge", part.as_path())].into_iter().chain(written.iter().copied()).collect();
        require_distinct(&places)?;
    }
    for (_, path) in &written {
        check_writable(path)?;
    }
    let merged = merge::merge(parts)?;
    remark(&merged);
    let Merged { setup, games, .. } = &merged;
    // No match may be writing to what is replaced.
    let there = |path: &Option<PathBuf>| path.clone().filter(|path| path.exists());
    let held = [record, json].into_iter().filter_map(there).map(|path| journal::hold(&path));
    let _held: Vec<_> = held.collect::<Result<_, _>>()?;
    if let Some(record) = record {
        replace_file(record, |output| {
            output.write_all(RecordFormat::Text.head(setup).as_bytes())?;
            for game in games {
                output.write_all(RecordFormat::Text.game(game).as_bytes())?;
            }
            Ok(())
        })?;
    }
    rescore::tell(Some(setup), games, arguments)
}

/// Says what is not there.
fn remark(merged: &Merged) {
    for path in &merged.empty {
        print_error(&format_args!("{} holds nothing whole, it adds no game", path.display()));
    }
    let missing: Vec<String> = merged
        .missing()
        .iter()
        .map(|range| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        })
        .collect();
    if !missing.is_empty() {
        print_error(&format_args!("games {} are missing", missing.join(", ")));
    }
}
