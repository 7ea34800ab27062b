//! A server on a free port, and clients for it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::{Message, WebSocket};
use zermelo::gui::server::{GuiServer, ServerConfig, ServerStop};

/// Long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    stop: ServerStop,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with_config(ServerConfig::default())
    }

    pub(crate) fn with_config(config: ServerConfig) -> Self {
        let server = GuiServer::bind(ServerConfig { port: Some(0), ..config }).unwrap();
        let (address, token) = parse_url(&server.url());
        let stop = ServerStop::default();
        let thread = {
            let stop = stop.clone();
            std::thread::spawn(move || server.run(&stop))
        };
        Self { address, token, stop, thread: Some(thread) }
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn open_tab(&self) -> Tab {
        Tab::open(self.address, &self.token)
    }

    /// Sends a request with these headers beside `Host`; returns the status, the head and the body.
    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String, String) {
        let mut all = vec![("Host", self.host())];
        all.extend(headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let head: String = all.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        self.send_head(&format!("GET {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n"))
    }

    /// Sends the head of a request as it is.
    pub(crate) fn send_head(&self, head: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let response = String::from_utf8_lossy(&bytes);
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }

    /// Tries to open a socket; returns the status of the refusal, 101 for none.
    pub(crate) fn socket_status(&self, path: &str, host: &str, origin: Option<&str>) -> u16 {
        let stream = TcpStream::connect(self.address).unwrap();
        let request = socket_request(path, host, origin);
        match tungstenite::client(request, stream) {
            Ok(_) => 101,
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                response.status().as_u16()
            }
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let result = thread.join();
            assert!(result.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

/// Splits the address of a page into socket address and token.
pub(crate) fn parse_url(url: &str) -> (SocketAddr, String) {
    let rest = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap();
    let (address, token) = rest.split_once('/').unwrap();
    (address.parse().unwrap(), token.to_owned())
}

pub(crate) fn socket_request(path: &str, host: &str, origin: Option<&str>) -> Request<()> {
    let mut request = Request::builder()
        .uri(format!("ws://{host}{path}"))
        .header("Host", host)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", generate_key());
    if let Some(origin) = origin {
        request = request.header("Origin", origin);
    }
    request.body(()).unwrap().into_client_request().unwrap()
}

/// A tab of the page, without the page.
pub(crate) struct Tab {
    pub(crate) socket: WebSocket<TcpStream>,
    next_id: u64,
}

impl Tab {
    pub(crate) fn open(address: SocketAddr, token: &str) -> Self {
        Self::try_open(address, token).unwrap()
    }

    /// Opens a tab; returns the refusal as text.
    pub(crate) fn try_open(address: SocketAddr, token: &str) -> Result<Self, String> {
        let host = address.to_string();
        let origin = format!("http://{host}");
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let request = socket_request(&format!("/{token}/socket"), &host, Some(&origin));
        let opened = tungstenite::client(request, stream);
        let (socket, _) = opened.map_err(|error| error.to_string())?;
        Ok(Self { socket, next_id: 1 })
    }

    pub(crate) fn send(&mut self, frame: &str) {
        self.socket.send(Message::text(frame)).unwrap();
    }

    /// The next text frame.
    pub(crate) fn receive(&mut self) -> String {
        let begin = Instant::now();
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return text.to_string();
            }
            assert!(begin.elapsed() < TIMEOUT, "no text, only pings");
        }
    }

    pub(crate) fn wait_for(&mut self, start: &str) -> String {
        let begin = Instant::now();
        loop {
            let frame = self.receive();
            if frame.starts_with(start) {
                return frame;
            }
            assert!(begin.elapsed() < TIMEOUT, "no {start}");
        }
    }

    /// The next JSON message, leaving lines out.
    pub(crate) fn receive_json(&mut self) -> Json {
        serde_json::from_str(&self.wait_for("{")).unwrap()
    }

    /// Sends a request without waiting for its answer; returns its id.
    pub(crate) fn start(&mut self, ask: &str, fields: Json) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let mut request = fields;
        request["id"] = json!(id);
        request["ask"] = json!(ask);
        self.send(&request.to_string());
        id
    }

    /// Waits for the end of a request; returns the last message and the progress before it.
    pub(crate) fn finish(&mut self, id: u64) -> (Json, Vec<Json>) {
        let mut progress = Vec::new();
        loop {
            let message = self.receive_json();
            if message["id"] != json!(id) {
                continue;
            }
            match message.get("progress") {
                Some(part) => progress.push(part.clone()),
                None => return (message, progress),
            }
        }
    }

    /// Waits for the progress of a request, which shows that it has left the queue.
    pub(crate) fn wait_for_progress(&mut self, id: u64) {
        let message = self.receive_json();
        assert_eq!(message["id"], json!(id), "{message}");
        assert!(message["progress"].is_object(), "{message}");
    }

    /// Sends a request; returns its answer.
    pub(crate) fn ask(&mut self, ask: &str, fields: Json) -> Json {
        let id = self.start(ask, fields);
        let (mut message, _) = self.finish(id);
        assert!(message.get("error").is_none(), "{ask}: {message}");
        message["answer"].take()
    }

    /// Sends a request that is refused; returns the error.
    pub(crate) fn ask_refused(&mut self, ask: &str, fields: Json) -> Json {
        let id = self.start(ask, fields);
        let (mut message, _) = self.finish(id);
        assert!(message.get("answer").is_none(), "{ask}: {message}");
        message["error"].take()
    }
}
