//! The review of games: the library against the truth, and `zermelo review`.

mod command;
#[path = "../common/mod.rs"]
mod common;
mod library;
mod truth;
