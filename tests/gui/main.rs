//! The server of the browser board, over real sockets and without a browser.

#[path = "../common/mod.rs"]
mod common;

mod access;
mod analysis;
mod client;
mod documentation;
mod engine;
mod limits;
mod other_engines;
mod own_game;
mod program;
mod records;
mod requests;
#[cfg(unix)]
mod signals;
mod watch;
