//! The limits of what connections and tabs can use.

use std::time::Duration;

/// The maximum number of connections; further ones wait.
pub const MAX_CONNECTIONS: usize = 256;
/// The maximum number of WebSockets; further ones are refused.
pub const MAX_SOCKETS: usize = 64;
/// The maximum number of connections that have not sent a request with the token; a further one takes
/// the place of the oldest.
pub const MAX_GUESTS: usize = 32;
/// The maximum time of a connection without a request that has the token.
pub const GUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum time of any connection that is not a WebSocket, after [`GUEST_TIMEOUT`].
pub const CONNECTION_TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum length of a frame from a tab, in bytes.
pub const MAX_FRAME: usize = 1 << 20;
/// The maximum number of unanswered requests of a tab.
pub const MAX_REQUESTS: usize = 8;
/// The maximum number of requests of a tab that think at the same time; further ones wait.
pub const MAX_THINKING_IN_TAB: usize = 2;
/// The maximum number of requests of all tabs that think at the same time; further ones wait.
pub const MAX_THINKING: usize = 16;
/// The maximum number of records of all tabs that are read at the same time; further ones wait.
pub const MAX_READING: usize = 1;
/// The maximum number of lines that wait for an engine of a tab, and of those in a frame.
pub const MAX_LINES: usize = 256;
/// The largest hash table of a tab's engine, in MiB.
pub const MAX_HASH: u64 = 64;

/// The maximum time of a search of a tab's engine; then it is stopped and answers.
pub const MAX_SEARCH_TIME: Duration = Duration::from_secs(3600);

/// The maximum number of processes of other engines in all tabs.
pub const MAX_ENGINES: usize = 16;

/// The maximum length of all frames that wait to be sent to a tab, in bytes. A tab that falls further
/// behind is disconnected.
pub const MAX_UNSENT: usize = 16 << 20;
/// The maximum length of an answer, in bytes; a longer one is replaced by an error.
pub const MAX_ANSWER: usize = MAX_UNSENT / 2;
/// The length from which search information and progress are left out, because newer ones follow.
pub const MAX_UNSENT_BEFORE_SKIPPING: usize = 128 << 10;

pub const PING_INTERVAL: Duration = Duration::from_secs(15);
/// A tab that is silent for this long is disconnected; its pongs count.
pub const SILENCE_TIMEOUT: Duration = Duration::from_secs(45);
/// A tab that does not take a frame for this long is disconnected.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(30);
