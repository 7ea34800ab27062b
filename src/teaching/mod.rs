//! What people learn about games: reports, puzzles, reviews, and reviews written into records.

pub mod analyzing;
pub mod annotate;
pub mod puzzles;
pub mod review;
