//! The review of games: the library against the truth, and `zermelo review`.

mod agreement;
mod command;
mod library;
mod truth;
