//! A browser tab: its WebSocket, its engine and its requests.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::{Message, WebSocket};
use futures_util::SinkExt;
use futures_util::future::{Either, select};
use futures_util::stream::{SplitSink, StreamExt};
use serde_json::{Value as Json, json};
use tokio::time::{Instant, timeout, timeout_at};

use super::ServerState;
use super::engine_session::{EngineSession, RefusedLine};
use super::limits::{MAX_REQUESTS, MAX_SEARCH_TIME, PING_INTERVAL, SEND_TIMEOUT, SILENCE_TIMEOUT};
use super::other_engines::OtherEngine;
use super::outbox::{Outbox, OutboxReader};
use crate::gui::requests::{Ask, ClientMessage, Request, RequestContext, RequestError};
use crate::printing::quote;
use crate::protocol::{ProtocolCommand, RawLine, parse};
use crate::search::SearchControl;

/// The running requests of a tab by id.
type ActiveRequests = HashMap<u64, Arc<SearchControl>>;

/// A tab.
struct Tab {
    number: u64,
    state: Arc<ServerState>,
    outbox: Outbox,
    requests: Arc<Mutex<ActiveRequests>>,
    /// Started by the first line for it.
    engine: Option<EngineSession>,
    /// When the last search of the engine started.
    search_started: Option<Instant>,
    /// The other engines that were started, by name.
    other_engines: HashMap<String, OtherEngine>,
}

/// Serves a tab until it disconnects.
pub(super) async fn serve(socket: WebSocket, state: Arc<ServerState>) {
    let (sink, mut stream) = socket.split();
    let (outbox, reader) = Outbox::new();
    let writer = tokio::spawn(write_frames(sink, reader, outbox.clone()));
    let number = state.next_tab.fetch_add(1, Ordering::Relaxed);
    let mut tab = Tab {
        number,
        state,
        outbox,
        requests: Arc::default(),
        engine: None,
        search_started: None,
        other_engines: HashMap::new(),
    };
    let outbox = tab.outbox.clone();
    let mut disconnected = pin!(outbox.disconnected());
    loop {
        let next = pin!(timeout(SILENCE_TIMEOUT, stream.next()));
        let received = select(next, disconnected.as_mut()).await;
        let Either::Left((Ok(Some(Ok(frame))), _)) = received else { break };
        match frame {
            Message::Text(text) => tab.receive(&text),
            // A pong arrives every few seconds.
            Message::Ping(_) | Message::Pong(_) => tab.stop_long_search(),
            Message::Binary(_) | Message::Close(_) => break,
        }
    }
    drop(tab);
    writer.abort();
}

/// Sends the frames of a tab, and pings.
async fn write_frames(
    mut sink: SplitSink<WebSocket, Message>,
    mut reader: OutboxReader,
    outbox: Outbox,
) {
    let mut next_ping = Instant::now() + PING_INTERVAL;
    loop {
        let message = match timeout_at(next_ping, reader.next()).await {
            Ok(Some(frame)) => Message::Text(frame.into()),
            Ok(None) => break,
            Err(_) => {
                next_ping = Instant::now() + PING_INTERVAL;
                Message::Ping(Vec::new().into())
            }
        };
        if !matches!(timeout(SEND_TIMEOUT, sink.send(message)).await, Ok(Ok(()))) {
            break;
        }
    }
    outbox.disconnect();
}

impl Tab {
    /// Handles a frame: a JSON message or a line for the engine.
    fn receive(&mut self, text: &str) {
        if !text.starts_with('{') {
            text.lines().for_each(|line| self.receive_line(line));
            return;
        }
        match ClientMessage::parse(text) {
            Ok(ClientMessage::Cancel(id)) => {
                if let Some(control) = lock(&self.requests).get(&id) {
                    control.stop();
                }
            }
            Ok(ClientMessage::Request(request)) => match self.answer_at_once(&request.ask) {
                Some(Ok(())) => self.outbox.send_json(&json!({ "id": request.id, "answer": {} })),
                Some(Err(message)) => {
                    let error = json!({ "message": message });
                    self.outbox.send_json(&json!({ "id": request.id, "error": error }));
                }
                None => self.start(*request),
            },
            Err(invalid) => {
                let error = json!({ "message": invalid.reason });
                self.outbox.send_json(&json!({ "id": invalid.id, "error": error }));
            }
        }
    }

    /// Passes a line to the engine, except `quit`: the tab ends its session by closing the socket.
    fn receive_line(&mut self, line: &str) {
        let refuse = |reason: &str| self.outbox.send(format!("info string error: {reason}"));
        match parse(&RawLine::Complete(line.as_bytes())) {
            Ok(Some(ProtocolCommand::Quit)) => {
                return refuse("quit is not accepted here: close the page instead");
            }
            Ok(Some(ProtocolCommand::Go(_))) => self.search_started = Some(Instant::now()),
            _ => {}
        }
        let sent = self.engine.as_ref().map(|engine| engine.send(line));
        match sent {
            Some(Ok(())) => return,
            Some(Err(RefusedLine::Busy)) => return refuse("too many commands are waiting"),
            None | Some(Err(RefusedLine::Ended)) => {}
        }
        match EngineSession::start(self.state.handler.game, self.outbox.clone()) {
            Ok(engine) => {
                let _ = engine.send(line);
                self.engine = Some(engine);
            }
            Err(error) => refuse(&format!("cannot start the engine: {error}")),
        }
    }

    /// Stops a search that takes too long. The engine ignores this if the search has ended.
    fn stop_long_search(&mut self) {
        if is_too_long(self.search_started, Instant::now()) {
            self.search_started = None;
            self.receive_line("stop");
        }
    }

    /// Answers a request that concerns the tab itself; returns `None` for all others.
    fn answer_at_once(&mut self, ask: &Ask) -> Option<Result<(), String>> {
        match ask {
            Ask::Engine(ask) => Some(self.send_to_other_engine(&ask.name, Some(&ask.line))),
            Ask::RestartEngine(ask) => {
                self.other_engines.remove(&ask.name);
                Some(self.send_to_other_engine(&ask.name, None))
            }
            Ask::Watch(_) => Some(match &self.state.watched {
                Some(watched) => {
                    watched.subscribe(self.number, &self.outbox);
                    Ok(())
                }
                None => Err("no match is watched: start zermelo gui with --watch FILE".to_owned()),
            }),
            _ => None,
        }
    }

    /// Starts another engine unless it was started, and passes it a line.
    fn send_to_other_engine(&mut self, name: &str, line: Option<&str>) -> Result<(), String> {
        let engine = match self.other_engines.entry(name.to_owned()) {
            Entry::Occupied(engine) => engine.into_mut(),
            Entry::Vacant(place) => {
                let setup = self.state.engines.iter().find(|engine| engine.name == name);
                let setup = setup.ok_or_else(|| format!("unknown engine {}", quote(name)))?;
                let count = &self.state.engine_count;
                let engine = OtherEngine::start(setup, self.outbox.clone(), count)
                    .map_err(|error| format!("cannot start {}: {error}", quote(name)))?;
                place.insert(engine)
            }
        };
        match line {
            Some(line) if line.contains(['\n', '\r']) => {
                Err("the line contains a line break, expected a single line".to_owned())
            }
            Some(line) => engine.send(line).map_err(str::to_owned),
            None => Ok(()),
        }
    }

    /// Queues a request.
    fn start(&self, request: Request) {
        let id = request.id;
        let control = Arc::new(SearchControl::default());
        let refusal = {
            let mut requests = lock(&self.requests);
            if requests.contains_key(&id) {
                Some(format!("request id {id} is still in use, expected a new one"))
            } else if requests.len() >= MAX_REQUESTS {
                Some(format!("too many requests, expected at most {MAX_REQUESTS} at a time"))
            } else {
                requests.insert(id, Arc::clone(&control));
                None
            }
        };
        if let Some(message) = refusal {
            self.outbox.send_json(&json!({ "id": id, "error": { "message": message } }));
            return;
        }
        let (state, outbox) = (Arc::clone(&self.state), self.outbox.clone());
        let requests = Arc::clone(&self.requests);
        let kind = request.ask.kind();
        let job = move || {
            let message = match answer(&state, &request, &control, &outbox) {
                Ok(answer) => json!({ "id": id, "answer": answer }),
                Err(error) => json!({ "id": id, "error": error }),
            };
            lock(&requests).remove(&id);
            outbox.send_json(&message);
        };
        self.state.pools.of(kind).submit(self.number, Box::new(job));
    }
}

/// Answers a request. If it panics, the page still gets an answer.
fn answer(
    state: &ServerState,
    request: &Request,
    control: &SearchControl,
    outbox: &Outbox,
) -> Result<Json, RequestError> {
    if control.is_stopped() {
        return Err(RequestError::cancelled());
    }
    // The time in the queue does not count.
    let control = &control.child();
    let id = request.id;
    let mut progress = |progress: Json| {
        outbox.send_or_skip(json!({ "id": id, "progress": progress }).to_string());
    };
    let mut context = RequestContext { control, progress: &mut progress };
    guarded(|| state.handler.answer(request, &mut context))
}

/// Runs a task that may panic.
fn guarded<T>(task: impl FnOnce() -> Result<T, RequestError>) -> Result<T, RequestError> {
    catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|_| {
        tracing::error!("a request panicked");
        Err(RequestError::internal())
    })
}

/// Whether a search has reached the time limit.
fn is_too_long(started: Option<Instant>, now: Instant) -> bool {
    started.is_some_and(|started| now.duration_since(started) >= MAX_SEARCH_TIME)
}

fn lock(requests: &Mutex<ActiveRequests>) -> MutexGuard<'_, ActiveRequests> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Tab {
    /// Stops everything that runs for the tab.
    fn drop(&mut self) {
        self.state.pools.drop_jobs(self.number);
        if let Some(watched) = &self.state.watched {
            watched.unsubscribe(self.number);
        }
        lock(&self.requests).values().for_each(|control| control.stop());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_request_that_panics_is_answered_with_an_error() {
        let panicking = || -> Result<(), RequestError> {
            std::panic::resume_unwind(Box::new("without a message on stderr"))
        };
        assert_eq!(guarded(panicking).unwrap_err().message, "internal error");
        assert_eq!(guarded(|| Ok(5)), Ok(5));
    }

    #[test]
    fn only_a_search_of_an_hour_is_too_long() {
        let started = Instant::now();
        let after = |time: Duration| is_too_long(Some(started), started + time);
        assert!(!after(MAX_SEARCH_TIME - Duration::from_secs(1)));
        assert!(after(MAX_SEARCH_TIME));
        assert!(!is_too_long(None, started));
    }
}
