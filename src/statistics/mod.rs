//! Estimates of playing strength from game results, as pure functions of counts.
//!
//! Games are best played in pairs: the same opening twice, with sides swapped, so that the
//! advantage of the opening cancels out. The two results of a pair are correlated, so a variance
//! computed over single games is wrong, usually too large. A [`ScoreTally`] therefore counts pairs
//! as well, and everything here is computed from its [`ScoreSample`], whose observations are pairs
//! if pairs were played (the pentanomial model).
//!
//! [`logistic_elo`] and [`normalized_elo`] estimate an Elo difference,
//! [`likelihood_of_superiority`] the confidence in its sign, [`Sprt`] decides between two
//! hypotheses with given error rates, [`rate_players`] puts several players on one scale, and
//! [`rate_on_scale`] one player on a scale that exists.

mod elo;
mod likelihood;
mod linear;
mod ratings;
mod sample;
mod scale;
mod sprt;
mod tally;

pub(crate) use elo::NORMAL_95;
pub use elo::{
    EloEstimate, expected_score, likelihood_of_superiority, logistic_elo, normalized_elo,
};
pub use ratings::{Observation, Ratings, rate_players};
pub use sample::{ObservationUnit, ScoreSample};
pub use scale::{Reference, rate_on_scale};
pub use sprt::{EloModel, Sprt, SprtVerdict};
pub use tally::ScoreTally;
