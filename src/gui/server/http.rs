//! Answers HTTP requests: the files of the page, and the WebSocket.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::read::GzEncoder;

use super::access::Admission;
use super::limits::MAX_FRAME;
use super::{ServerState, tab};
use crate::gui::page::{FILES, PageFile};

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
    // An address in absolute form names a host, too.
    let authority = request.uri().authority();
    if !state.access.is_own_host(request.headers())
        || authority.is_some_and(|host| !state.access.is_own_name(host.as_str()))
    {
        let message = "Wrong host name: open the address that zermelo printed when it started.";
        return ([(CONNECTION, "close")], text(StatusCode::MISDIRECTED_REQUEST, message))
            .into_response();
    }
    let path = request.uri().path();
    let Some(path) = state.access.below_token(path) else {
        let message = "Open the address that zermelo printed when it started.";
        return ([(CONNECTION, "close")], text(StatusCode::NOT_FOUND, message)).into_response();
    };
    if let Some(admission) = request.extensions().get::<Admission>() {
        admission.admit();
    }
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
        _ => page_file(path, request.headers()),
    }
}

/// Returns a file of the page, compressed if the browser accepts that. The name is only looked up in the
/// table of embedded files.
fn page_file(path: &str, headers: &HeaderMap) -> Response {
    let name = match path {
        "/" => FILES[0].name,
        path => path.strip_prefix('/').unwrap_or_default(),
    };
    let Some(index) = FILES.iter().position(|file| file.name == name) else {
        return text(StatusCode::NOT_FOUND, "There is no such file.");
    };
    let file = &FILES[index];
    let head = [(CONTENT_TYPE, file.content_type), (VARY, "accept-encoding")];
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok());
    if accepted.is_some_and(accepts_gzip) {
        let encoding = [(CONTENT_ENCODING, "gzip")];
        (head, encoding, Bytes::from_static(&COMPRESSED_FILES[index])).into_response()
    } else {
        (head, &*file.content).into_response()
    }
}

/// Whether a header `Accept-Encoding` names gzip and does not exclude it.
fn accepts_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_excluded = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_excluded
    })
}

/// The contents of [`FILES`], compressed with gzip when they are first needed.
static COMPRESSED_FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let compress = |file: &PageFile| {
        let mut compressed = Vec::new();
        let mut encoder = GzEncoder::new(file.content.as_bytes(), Compression::default());
        // Reading from memory cannot fail.
        let _ = encoder.read_to_end(&mut compressed);
        compressed
    };
    FILES.iter().map(compress).collect()
});

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

#[cfg(test)]
mod tests {
    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn compressed_files_are_the_files() {
        for (file, compressed) in FILES.iter().zip(COMPRESSED_FILES.iter()) {
            let mut content = String::new();
            GzDecoder::new(&compressed[..]).read_to_string(&mut content).unwrap();
            assert!(content == file.content, "{}", file.name);
        }
    }

    #[test]
    fn only_browsers_that_accept_gzip_get_it() {
        for accepted in ["gzip", "gzip, deflate, br", "br;q=1.0, GZIP;q=0.8"] {
            assert!(accepts_gzip(accepted), "{accepted}");
        }
        for accepted in ["", "br", "identity", "gzip;q=0", "br, gzip; q=0.0", "x-gzip"] {
            assert!(!accepts_gzip(accepted), "{accepted}");
        }
    }
}
