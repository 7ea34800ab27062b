//! What people learn from their games.

pub mod review;
