//! What the results of games say about the strength of players: pure functions of counts.
//!
//! Games are best played in pairs, both from one opening with the sides exchanged: what the opening
//! gives to one side cancels out. The two results of a pair then hang together, and a variance
//! taken over single games is wrong, mostly too large. So a [`ScoreTally`] counts pairs as well, and
//! everything here is worked out from its [`ScoreSample`], whose observations are pairs where pairs were
//! played.
//!
//! [`logistic_elo`] and [`normalized_elo`] measure a difference of strength, [`superiority`] says
//! how sure its sign is, [`Sprt`] decides between two hypotheses as early as the errors one accepts
//! allow, and [`rate`] puts several players on one scale.

mod elo;
mod likelihood;
mod linear;
mod ratings;
mod sample;
mod sprt;
mod tally;

pub use elo::{
    EloEstimate, elo_of_score, expected_score, likelihood_of_superiority, logistic_elo,
    normalized_elo,
};
pub use ratings::{Encounter, EncounterError, Ratings, rate_players};
pub use sample::{ObservationUnit, ScoreSample};
pub use sprt::{EloModel, Sprt, SprtError, SprtVerdict};
pub use tally::ScoreTally;
