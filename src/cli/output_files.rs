//! Files that commands write: checked before the work starts, and replaced atomically.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::error::CliError;
use crate::files::Replacement;
use crate::printing::printable_path;

/// Whether two paths name the same file, which need not exist yet.
pub(super) fn is_same_file(left: &Path, right: &Path) -> bool {
    let resolve = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    resolve(left).is_some_and(|left| Some(left) == resolve(right))
}

/// Fails if two flags name the same file.
pub(super) fn require_distinct(files: &[(&str, &Path)]) -> Result<(), CliError> {
    for (index, (flag, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..index].iter().find(|(_, own)| is_same_file(own, path)) {
            let reason = format!("{other} and {flag} are the same file, {}", printable_path(path));
            return Err(CliError::Usage(reason));
        }
    }
    Ok(())
}

/// Fails if a file cannot be created or replaced at a path.
pub(super) fn check_writable(target: &Path) -> Result<(), CliError> {
    create_replacement(target).map(drop)
}

fn create_replacement(target: &Path) -> Result<Replacement, CliError> {
    let refuse = |reason: &str| Err(file_error(target, &reason));
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    match target.metadata() {
        Ok(data) if !data.is_file() => refuse("not a regular file"),
        Err(_) if !folder.is_none_or(Path::is_dir) => refuse("its folder does not exist"),
        _ => Replacement::create(target).map_err(|error| file_error(target, &error)),
    }
}

/// The error for a file that the system failed to read or write.
pub(super) fn io_failure(file: &Path, error: &io::Error) -> CliError {
    CliError::Failed(format!("{}: {error}", printable_path(file)))
}

pub(super) fn file_error(file: &Path, reason: &dyn std::fmt::Display) -> CliError {
    CliError::File { file: file.to_owned(), reason: reason.to_string() }
}

/// Writes a file atomically: to a temporary file that replaces the target once it is complete. A
/// symbolic link is followed.
pub(super) fn replace_file(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let replacement = create_replacement(target)?;
    let refuse = |error: io::Error| io_failure(target, &error);
    let mut output = BufWriter::new(replacement.file());
    write(&mut output).and_then(|()| Ok(output.flush()?)).map_err(|error| match error {
        CliError::Io(error) => refuse(error),
        error => error,
    })?;
    drop(output);
    replacement.commit().map_err(refuse)
}
