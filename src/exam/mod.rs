//! The exam: how well an engine chooses in positions where the exact value of every move is known.
//!
//! `suite` holds the positions, `candidate` asks an engine, `score` compares the answers with the truth, and
//! `exam_report` shows the result.

#[cfg(feature = "cli")]
pub(crate) mod candidate;
pub mod exam_report;
pub mod score;
pub mod suite;
