//! Zermelo plays and solves four small board games.
pub mod cli;
pub mod engine;
pub mod eval;
pub mod games;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod solve;
