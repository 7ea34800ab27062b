//! The board in the browser.
//!
//! [`requests`] answers the page's requests beyond the lines of the protocol. It does not use sockets,
//! so that the same page also runs without a server, with the engine in WebAssembly (`bindings/web`).
//! `server` connects it and the engine to browser tabs over WebSockets; it needs the feature `gui`.
//! docs/gui-protocol.md documents the interface.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod page;
pub mod requests;
#[cfg(feature = "gui")]
pub mod server;
