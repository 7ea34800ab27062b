//! Reading files that were handed in: nothing waits for a writer that may never come, and no file fills the memory.

use std::fs::File;
use std::io::{self, BufReader};
#[cfg(feature = "interface")]
use std::io::{Read, Take};
use std::path::Path;

/// The size in bytes from which on a file is not read into memory.
#[cfg(feature = "interface")]
const MAX_SIZE: u64 = 1 << 28;

/// Opens a file for reading. A named pipe is refused, since opening it may block forever; the pipes
/// of a shell, such as `/dev/stdin` and those of `<(…)`, are open already. Fails if the file cannot
/// be opened, or is a named pipe.
pub(crate) fn open_input(path: &Path) -> io::Result<BufReader<File>> {
    if !path.starts_with("/dev") && !path.starts_with("/proc") {
        refuse_pipe(path)?;
    }
    File::open(path).map(BufReader::new)
}

/// Reads a whole file. Fails if the file cannot be read, is a named pipe or is too large.
#[cfg(feature = "interface")]
pub(crate) fn read_bounded<T>(
    path: &Path,
    read: impl FnOnce(&mut Take<BufReader<File>>) -> io::Result<T>,
) -> io::Result<T> {
    let mut input = open_input(path)?.take(MAX_SIZE);
    let read = read(&mut input)?;
    match input.limit() {
        0 => Err(io::Error::other("256 MiB or more, expected a smaller file")),
        _ => Ok(read),
    }
}

/// Reads a whole file as text; what is not UTF-8 is replaced. Fails as [`read_bounded`] does.
#[cfg(feature = "cli")]
pub(crate) fn read_input(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    read_bounded(path, |input| input.read_to_end(&mut bytes))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Refuses pipes: opening one could block forever, and it may be the standard output. Fails if the
/// path names a pipe or a socket.
#[cfg(unix)]
pub(crate) fn refuse_pipe(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;

    let kind = path.metadata().map(|data| data.file_type());
    if kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return Err(io::Error::other("a pipe, expected a file"));
    }
    Ok(())
}

/// Elsewhere pipes have no names in the file system.
#[cfg(not(unix))]
pub(crate) fn refuse_pipe(_: &Path) -> io::Result<()> {
    Ok(())
}
