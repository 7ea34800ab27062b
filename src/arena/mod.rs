//! Engine matches, and the conformance check of engines. Nothing here prints.
//!
//! From the bottom up: `engines` runs engine processes; `games` plays one game between two of them;
//! `tournament` plays many and keeps their records; `match_report` evaluates them for people; `compliance`
//! checks the protocol of one engine.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(crate) mod compliance;
pub mod engines;
pub mod games;
pub mod match_report;
pub mod tournament;
