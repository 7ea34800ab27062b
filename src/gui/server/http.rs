//! Answers HTTP requests: the files of the page, and the WebSocket.

use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::limits::MAX_FRAME;
use super::{ServerState, tab};
use crate::gui::page;

/// Headers of every response. The page may load and connect to nothing but this server.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// The path of the WebSocket below the token.
const SOCKET_PATH: &str = "/socket";

pub(super) fn router(state: Arc<ServerState>) -> Router {
    Router::new().fallback(respond).with_state(state)
}

async fn respond(State(state): State<Arc<ServerState>>, request: Request) -> Response {
    let mut response = route(state, request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn route(state: Arc<ServerState>, request: Request) -> Response {
    if !state.access.is_own_host(request.headers()) {
        let message = "Wrong host name: open the address that zermelo printed when it started.";
        return text(StatusCode::MISDIRECTED_REQUEST, message);
    }
    let path = request.uri().path();
    let Some(path) = state.access.below_token(path) else {
        let message = "Open the address that zermelo printed when it started.";
        return text(StatusCode::NOT_FOUND, message);
    };
    if request.method() != Method::GET {
        let response = text(StatusCode::METHOD_NOT_ALLOWED, "Only GET is supported.");
        return ([(ALLOW, "GET")], response).into_response();
    }
    match path {
        // Relative addresses need the slash.
        "" => {
            let target = format!("/{}/", state.access.token());
            (StatusCode::PERMANENT_REDIRECT, [(LOCATION, target)]).into_response()
        }
        SOCKET_PATH => open_socket(state, request).await,
        _ => page_file(path),
    }
}

/// Returns a file of the page. The name is only looked up in the table of embedded files.
fn page_file(path: &str) -> Response {
    let name = match path.strip_prefix('/') {
        Some("") => page::FILES.first().map_or("", |first| first.name),
        Some(name) => name,
        None => "",
    };
    match page::FILES.iter().find(|file| file.name == name) {
        Some(file) => ([(CONTENT_TYPE, file.content_type)], file.content).into_response(),
        None => text(StatusCode::NOT_FOUND, "There is no such file."),
    }
}

async fn open_socket(state: Arc<ServerState>, request: Request) -> Response {
    if !state.access.is_own_origin(request.headers()) {
        return text(StatusCode::FORBIDDEN, "Only the page of this server may connect.");
    }
    let (mut parts, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(refused) => return refused.into_response(),
    };
    let Ok(permit) = Arc::clone(&state.sockets).try_acquire_owned() else {
        return text(StatusCode::SERVICE_UNAVAILABLE, "Too many tabs are open.");
    };
    upgrade
        .max_message_size(MAX_FRAME)
        .max_frame_size(MAX_FRAME)
        .on_upgrade(move |socket| async move {
            tab::serve(socket, state).await;
            drop(permit);
        })
        .into_response()
}

fn text(status: StatusCode, message: &'static str) -> Response {
    (status, [(CONTENT_TYPE, PLAIN_TEXT)], message).into_response()
}
