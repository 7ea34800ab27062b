//! The exam: how well an engine chooses in positions where the exact value of every move is known.
//!
//! `suite` holds the positions, `run` asks an engine, `score` compares the answers with the truth, and
//! `report` shows the result.

pub mod report;
#[cfg(feature = "cli")]
pub(crate) mod run;
pub mod score;
pub mod suite;
