//! Engine against engine: processes, referee, schedule, statistics, records.
//!
//! Nothing here prints; `cli` shows what the arena tells. Imports `rules`, `protocol` and the desks
//! of `engine`, which know the games.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod record;
pub mod statistics;
