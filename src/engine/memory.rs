//! Available system memory.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Returns the available memory in MiB, limited by the process's control group; `None` if the
/// system does not report it.
pub(super) fn available_mebibytes() -> Option<usize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory));
    let group_limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let bytes = system.available_memory().min(group_limit);
    (bytes > 0).then_some((bytes >> 20) as usize)
}
