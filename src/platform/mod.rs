//! What an operating system provides and a browser does not: a clock, threads to run jobs on, blocking
//! waits, the free memory.
//!
//! `native` takes them from the system. In WebAssembly (`web`) one thread does everything: a job runs
//! when the thread is free, a wait lets the host deliver messages, and long work polls the host, so
//! that `stop` arrives without shared memory. The host registers itself with `set_host`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod native;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod web;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use native as current;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web as current;

#[cfg(feature = "interface")]
pub(crate) use current::unix_seconds;
pub(crate) use current::{Instant, JobThread, JobWaiter, available_mebibytes, poll, wait_until};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web::{Host, run_jobs, set_host};
