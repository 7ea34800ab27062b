//! Zermelo plays and solves four small board games.
pub mod eval;
pub mod games;
pub mod rules;
pub mod search;
pub mod solve;
