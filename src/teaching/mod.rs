//! What people learn about games: reports, lessons, puzzles, reviews, and reviews written into records.

pub mod analyzing;
pub mod annotate;
pub mod lessons;
pub mod puzzles;
pub mod review;
