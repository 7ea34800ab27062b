//! Zermelo plays and solves four small board games.
pub mod games;
pub mod rules;
