//! What people learn from games: lessons, ratings of puzzles, reviews, and reviews written into records.

pub mod annotate;
pub mod glicko;
pub mod lessons;
pub mod review;
