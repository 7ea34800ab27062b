//! Engine matches: processes, referee, schedules, records and statistics. Nothing here prints.
//!
//! `settings`, `key_values`, `clock` and `setup` define a tournament; `process` and `player` run
//! one engine, and `start_check` starts each before the first game; `referee`, `adjudication` and
//! `match_game` play one game; `schedule`, `book`, `book_moves` and `tournament` play many, each with
//! different `seeds`. `record`, `journal` and `merge` store games, `in_progress` those that are
//! being played; `evidence`, `scoreboard`, `statistics`, `sprt_progress` and `report` evaluate them;
//! `replay`, `annotate` and `rescore` process records afterwards. `compliance` checks the protocol of
//! one engine.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adjudication;
pub mod annotate;
pub mod book;
mod book_moves;
pub mod clock;
pub mod compliance;
mod engine_info;
pub mod evidence;
pub mod in_progress;
pub mod journal;
pub mod key_values;
pub mod line_engine;
pub mod match_game;
pub mod merge;
mod option_line;
pub mod player;
mod process;
pub mod progress;
pub mod record;
pub mod referee;
pub mod replay;
pub mod report;
pub mod rescore;
pub mod schedule;
pub mod scoreboard;
mod seeds;
pub mod settings;
pub mod setup;
pub mod sprt_progress;
pub mod start_check;
mod start_failure;
pub mod statistics;
pub mod toml_error;
pub mod tournament;
