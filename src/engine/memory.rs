//! How much memory the machine can still give.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Free memory in MiB, the limits of the process's control group included; `None` where the system
/// does not tell.
pub(super) fn available_mebibytes() -> Option<usize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory));
    let grouped = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let bytes = system.available_memory().min(grouped);
    (bytes > 0).then_some((bytes >> 20) as usize)
}
