//! Engine processes: how they are set up, started, asked for moves and stopped.

pub(crate) mod codingame;
pub(crate) mod driver;
pub mod engine_setup;
pub(crate) mod fault;
pub mod key_values;
pub(crate) mod option_line;
pub(crate) mod process;
pub(crate) mod received_info;
pub(crate) mod seeds;
pub(crate) mod start_check;
pub(crate) mod start_failure;
pub(crate) mod time_control;
pub(crate) mod uci;
