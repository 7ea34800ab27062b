//! What people learn about games: reports, lessons, puzzles and their ratings, reviews, and reviews written into records.

pub mod annotate;
pub mod glicko;
pub mod lessons;
pub mod review;
