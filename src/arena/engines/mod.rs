//! Engine processes: how they are set up, started, asked for moves and stopped.

pub(crate) mod codingame;
pub(crate) mod driver;
pub(crate) mod fault;
pub(crate) mod info_line;
pub mod key_values;
pub(crate) mod limits;
pub(crate) mod option_line;
pub(crate) mod process;
pub(crate) mod seeds;
pub mod setup;
pub(crate) mod start_check;
pub(crate) mod start_failure;
pub(crate) mod uci;
