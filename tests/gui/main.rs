//! The server of the browser board, over real sockets and without a browser.
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

mod access;
mod analysis;
mod client;
mod documentation;
mod engine;
mod limits;
mod other_engines;
mod program;
mod records;
mod requests;
mod watch;
