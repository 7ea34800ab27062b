//! Engine matches, and the conformance check of engines. Nothing here prints.
//!
//! From the bottom up: `statistics` estimates strength from scores; `engines` runs engine processes;
//! `games` plays one game between two of them; `tournament` plays many and keeps their records;
//! `report` evaluates them for people; `compliance` checks the protocol of one engine, and `exam` its choices.
// Without the program, only the exam and the scale of ratings are used.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "cli")]
pub(crate) mod compliance;
pub mod engines;
pub mod exam;
pub mod games;
pub mod report;
pub mod statistics;
pub mod tournament;
