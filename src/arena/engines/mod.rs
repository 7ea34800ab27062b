//! Engine processes: how they are set up, started, asked for moves and stopped.

pub(crate) mod engine_info;
pub mod key_values;
pub mod limits;
pub mod line_engine;
pub(crate) mod option_line;
pub mod player;
pub(crate) mod process;
pub(crate) mod seeds;
pub mod setup;
pub mod start_check;
pub(crate) mod start_failure;
