//! What people learn about games: reports, lessons, puzzles and their ratings, reviews, and reviews written into records.

pub mod analyzing;
pub mod annotate;
pub mod glicko;
pub mod lessons;
pub mod puzzles;
pub mod review;
