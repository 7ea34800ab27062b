//! Engine against engine: processes, referee, schedule, statistics, records.
//!
//! From the ground up: `words`, `clock` and `setup` say what is wanted; `process` and `player` deal
//! with one engine, `referee` with the rules; `game` plays one game, `schedule` and `tournament`
//! many; `record`, `journal`, `scoreboard`, `statistics` and `sprt_progress` keep what came of them;
//! `merge` joins what was played in parts; `report`, `replay`, `annotate` and `rescore` look at it
//! again. `compliance` tries one engine.
//!
//! Nothing here prints; `cli` shows what the arena tells. Imports `rules`, `protocol` and the desks
//! of `engine`, which know the games.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adjudication;
pub mod annotate;
pub mod book;
pub mod clock;
pub mod compliance;
pub mod journal;
pub mod key_values;
pub mod match_game;
pub mod merge;
pub mod player;
mod process;
pub mod record;
pub mod referee;
pub mod replay;
pub mod report;
pub mod rescore;
pub mod schedule;
pub mod scoreboard;
pub mod settings;
pub mod setup;
pub mod sprt_progress;
pub mod statistics;
pub mod tournament;
