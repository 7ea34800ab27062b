//! Accepts connections, a bounded number at a time.
//!
//! A connection is a guest until it sends a request with the token. Guests have few places and little
//! time, and a new guest takes the place of the oldest one, so connections without the token cannot
//! keep others out.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::access::Admission;
use super::limits::{CONNECTION_TIMEOUT, GUEST_TIMEOUT, MAX_CONNECTIONS, MAX_GUESTS};
use super::{ServerState, http};

/// The wait after a connection could not be accepted, for instance without a free file descriptor.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

pub(super) async fn accept(listener: TcpListener, state: Arc<ServerState>) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let router = http::router(state);
    let mut guests: VecDeque<(Admission, AbortHandle)> = VecDeque::new();
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
        guests.retain(|(guest, task)| !guest.is_admitted() && !task.is_finished());
        if guests.len() == MAX_GUESTS
            && let Some((_, oldest)) = guests.pop_front()
        {
            oldest.abort();
        }
        let (guest, router) = (Admission::default(), router.clone());
        let admission = guest.clone();
        let task = tokio::spawn(async move {
            serve(stream, router, admission).await;
            drop(permit);
        });
        guests.push_back((guest, task.abort_handle()));
    }
}

/// Serves a connection until it ends, becomes a WebSocket or has used up its time.
async fn serve(stream: TcpStream, router: Router, admission: Admission) {
    // Moves and search information are short and should not wait.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router.layer(Extension(admission.clone())));
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection.with_upgrades());
    if timeout(GUEST_TIMEOUT, connection.as_mut()).await.is_err()
        && admission.is_admitted()
        && timeout(CONNECTION_TIMEOUT, connection.as_mut()).await.is_err()
    {
        // Completes the answer that is being sent.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(GUEST_TIMEOUT, connection).await;
    }
}
