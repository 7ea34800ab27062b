//! Engine processes: how they are set up, started, asked for moves and stopped.

pub(crate) mod codingame;
pub mod driver;
pub mod fault;
pub(crate) mod info_line;
pub mod key_values;
pub mod limits;
pub(crate) mod option_line;
pub(crate) mod process;
pub(crate) mod seeds;
pub mod setup;
pub mod start_check;
pub(crate) mod start_failure;
pub mod uci;
