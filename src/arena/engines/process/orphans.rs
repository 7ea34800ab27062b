//! Finds and kills processes that an engine leaves behind outside its process group.

use std::path::PathBuf;
use std::time::Duration;

/// Returns the inode of a pipe, the same at either end.
#[cfg(unix)]
pub(super) fn pipe_inode(pipe: &impl std::os::fd::AsFd) -> Option<u64> {
    rustix::fs::fstat(pipe).ok().map(|stat| stat.st_ino)
}

#[cfg(not(unix))]
pub(super) fn pipe_inode<T>(_: &T) -> Option<u64> {
    None
}

/// Kills all other processes that hold one of these pipes: those that an engine started outside its
/// process group. Without `/proc`, none are found.
pub(super) fn kill_holders(pipes: &[u64]) {
    /// A process that is being started briefly holds all descriptors of this one.
    const START_TIME: Duration = Duration::from_millis(20);
    let first = pipe_holders(pipes);
    if first.is_empty() {
        return;
    }
    std::thread::sleep(START_TIME);
    for id in pipe_holders(pipes).into_iter().filter(|id| first.contains(id)) {
        tracing::debug!("killing process {id}, left behind by an engine");
        #[cfg(unix)]
        if let Some(id) = rustix::process::Pid::from_raw(id) {
            // Fails if the process has exited meanwhile.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}

/// Returns the other processes that hold one of these pipes.
fn pipe_holders(pipes: &[u64]) -> Vec<i32> {
    let own = i32::try_from(std::process::id()).ok();
    let wanted: Vec<PathBuf> = pipes.iter().map(|pipe| format!("pipe:[{pipe}]").into()).collect();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let links = std::fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten();
        let mut pipes = links.flat_map(|link| std::fs::read_link(link.path()));
        (Some(id) != own && pipes.any(|pipe| wanted.contains(&pipe))).then_some(id)
    });
    ids.collect()
}
