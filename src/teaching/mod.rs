//! What people learn from games: reviews and puzzles.

pub mod annotate;
pub mod puzzles;
pub mod review;
