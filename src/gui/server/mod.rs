//! The server of the page: HTTP and WebSockets on this machine.
//!
//! One thread runs all connections. Each engine of a tab has a thread of its own, and so has each
//! request while it is answered, so no connection waits for a search. Everything a tab can use is
//! bounded; see [`limits`].

mod access;
mod browser;
mod connection;
mod engines;
mod http;
pub mod limits;
mod line_engine;
mod outbox;
mod tab;
mod watch;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{self, Runtime};
use tokio::sync::{Notify, Semaphore};

use self::access::{AccessRules, new_token};
use self::limits::{MAX_ENGINES, MAX_READING, MAX_SOCKETS, MAX_THINKING};
use self::watch::WatchedRecord;
use super::requests::RequestHandler;
use crate::arena::engines::engine_setup::EngineSetup;

pub use self::browser::{RedirectFile, open_browser};

/// The port that the server listens on if it is free. It is always the same one, because browsers
/// store the page's games by address.
pub const DEFAULT_PORT: u16 = 7913;
/// How many ports after [`DEFAULT_PORT`] are tried.
const PORTS_TRIED: u16 = 20;

#[derive(Debug, Clone)]
pub struct ServerConfig {
    pub address: IpAddr,
    /// The port; `None` for the first free one from [`DEFAULT_PORT`].
    pub port: Option<u16>,
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

#[derive(Debug, Clone, Default)]
pub struct ServerStop(Arc<Notify>);

impl ServerStop {
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

struct ServerState {
    access: AccessRules,
    handler: RequestHandler,
    engines: Vec<EngineSetup>,
    watched: Option<WatchedRecord>,
    /// The right to one of the [`MAX_SOCKETS`] sockets.
    sockets: Arc<Semaphore>,
    /// The right to one of the [`MAX_ENGINES`] processes.
    processes: Arc<Semaphore>,
    /// The right to think, for [`MAX_THINKING`] requests at a time.
    thinking: Semaphore,
    /// The right to read a record, for [`MAX_READING`] requests at a time, which bounds their memory.
    reading: Semaphore,
}

/// A server that listens but does not answer yet.
pub struct GuiServer {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    address: SocketAddr,
    state: Arc<ServerState>,
}

impl GuiServer {
    /// Starts listening. Fails if the address or the port is not available, or the system lacks
    /// what the connections take.
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
            engines: config.engines,
            watched: config.watched.map(WatchedRecord::start).transpose()?,
            sockets: Arc::new(Semaphore::new(MAX_SOCKETS)),
            processes: Arc::new(Semaphore::new(MAX_ENGINES)),
            thinking: Semaphore::new(MAX_THINKING),
            reading: Semaphore::new(MAX_READING),
        };
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        listener.set_nonblocking(true)?;
        let listener = {
            let _context = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        Ok(Self { runtime, listener, address, state: Arc::new(state) })
    }

    /// The address of the page, with its token.
    pub fn url(&self) -> String {
        let host = match self.address.ip() {
            address if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            address => address,
        };
        let host = SocketAddr::new(host, self.address.port());
        format!("http://{host}/{}/", self.state.access.token())
    }

    pub fn run(self, stop: &ServerStop) {
        let Self { runtime, listener, state, .. } = self;
        let connections = Arc::clone(&state);
        runtime.block_on(async {
            let accepting = tokio::spawn(connection::accept(listener, connections));
            stop.0.notified().await;
            accepting.abort();
        });
        // Ends all connections, which stops their searches and their engines.
        drop(runtime);
        wait_for_processes(&state.processes);
    }
}

/// Waits until all processes of engines have ended, for a limited time.
fn wait_for_processes(processes: &Semaphore) {
    const STEP: Duration = Duration::from_millis(10);
    const STEPS: u32 = 300;
    for _ in 0..STEPS {
        if processes.available_permits() == MAX_ENGINES {
            return;
        }
        std::thread::sleep(STEP);
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
