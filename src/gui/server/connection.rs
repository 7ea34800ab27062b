//! Accepts connections, a bounded number at a time.

use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::limits::{MAX_CONNECTIONS, REQUEST_TIMEOUT};
use super::{ServerState, http};

/// The wait after a connection could not be accepted, for instance without a free file descriptor.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Accepts connections forever.
pub(super) async fn accept(listener: TcpListener, state: Arc<ServerState>) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let router = http::router(state);
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(RETRY_INTERVAL).await;
                continue;
            }
        };
        // Moves and search information are short and should not wait.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(REQUEST_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            if let Err(error) = connection.await {
                tracing::debug!("connection: {error}");
            }
            drop(permit);
        });
    }
}
