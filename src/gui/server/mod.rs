//! The server of the page: HTTP and WebSockets on this machine.
//!
//! One thread runs all connections. Requests run on the threads of worker pools and each tab's engine
//! on its own, so no connection waits for a search. Everything a tab can use is bounded; see
//! [`limits`].

mod access;
mod browser;
mod connection;
mod engine_session;
mod http;
pub mod limits;
mod other_engines;
mod outbox;
mod tab;
mod watch;
mod worker_pool;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use tokio::sync::Notify;

use self::access::{AccessRules, new_token};
use self::other_engines::EngineCount;
use self::watch::WatchedRecord;
use self::worker_pool::WorkerPools;
use super::requests::RequestHandler;
use crate::arena::engines::setup::EngineSetup;

pub use self::browser::open_browser;

/// The port that the server listens on if it is free. It is always the same one, because browsers
/// store the page's games by address.
pub const DEFAULT_PORT: u16 = 7913;
/// How many ports after [`DEFAULT_PORT`] are tried.
const PORTS_TRIED: u16 = 20;

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; `None` for the first free one from [`DEFAULT_PORT`].
    pub port: Option<u16>,
    /// Answers the requests of the page.
    pub handler: RequestHandler,
    /// Other engines that the page may use.
    pub engines: Vec<EngineSetup>,
    /// The record of a match to watch.
    pub watched: Option<PathBuf>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: None,
            handler: RequestHandler::default(),
            engines: Vec::new(),
            watched: None,
        }
    }
}

/// Stops a server from another thread.
#[derive(Debug, Clone, Default)]
pub struct ServerStop(Arc<Notify>);

impl ServerStop {
    /// Stops the server.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// What all connections share.
struct ServerState {
    access: AccessRules,
    handler: RequestHandler,
    pools: WorkerPools,
    engines: Vec<EngineSetup>,
    engine_count: EngineCount,
    watched: Option<Arc<WatchedRecord>>,
    /// The number of open sockets.
    sockets: AtomicUsize,
    /// The number of the next tab.
    next_tab: AtomicU64,
}

/// A server that listens but does not answer yet.
pub struct GuiServer {
    listener: TcpListener,
    address: SocketAddr,
    state: Arc<ServerState>,
}

impl GuiServer {
    /// Starts listening.
    ///
    /// # Errors
    /// Fails if the address or the port is not available.
    pub fn bind(config: ServerConfig) -> io::Result<Self> {
        let listener = match config.port {
            Some(port) => TcpListener::bind((config.address, port))?,
            None => bind_first_free(config.address)?,
        };
        let address = listener.local_addr()?;
        let handler = RequestHandler {
            engines: config.engines.iter().map(|engine| engine.name.clone()).collect(),
            is_watching: config.watched.is_some(),
            ..config.handler
        };
        let state = ServerState {
            access: AccessRules::new(address, new_token()?),
            handler,
            pools: WorkerPools::start()?,
            engines: config.engines,
            engine_count: EngineCount::default(),
            watched: config.watched.map(WatchedRecord::start).transpose()?,
            sockets: AtomicUsize::new(0),
            next_tab: AtomicU64::new(0),
        };
        Ok(Self { listener, address, state: Arc::new(state) })
    }

    /// The address of the page, with its token.
    #[must_use]
    pub fn url(&self) -> String {
        let host = match self.address.ip() {
            address if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            address => address,
        };
        let host = SocketAddr::new(host, self.address.port());
        format!("http://{host}/{}/", self.state.access.token())
    }

    /// Serves the page until `stop`.
    ///
    /// # Errors
    /// Fails if the system does not provide a runtime for the connections.
    pub fn run(self, stop: &ServerStop) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        self.listener.set_nonblocking(true)?;
        let state = Arc::clone(&self.state);
        let result = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let accepting = tokio::spawn(connection::accept(listener, state));
            stop.0.notified().await;
            accepting.abort();
            Ok(())
        });
        // Ends all connections, which stops their searches and their engines.
        drop(runtime);
        other_engines::wait_for_end(&self.state.engine_count);
        result
    }
}

/// Listens on the default port or the first free one after it, otherwise on any.
fn bind_first_free(address: IpAddr) -> io::Result<TcpListener> {
    let ports = (DEFAULT_PORT..=DEFAULT_PORT + PORTS_TRIED).chain([0]);
    let mut last_error = io::Error::from(io::ErrorKind::AddrInUse);
    for port in ports {
        match TcpListener::bind((address, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => last_error = error,
            Err(error) => return Err(error),
        }
    }
    Err(last_error)
}
