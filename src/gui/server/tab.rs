//! A browser tab: its WebSocket, its engine and its requests.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::{Message, WebSocket};
use futures_util::SinkExt;
use futures_util::future::{Either, select};
use futures_util::stream::{SplitSink, StreamExt};
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, timeout, timeout_at};

use super::ServerState;
use super::engines::{RefusedLine, TabEngine};
use super::limits::{
    MAX_ANSWER, MAX_LINES, MAX_REQUESTS, MAX_THINKING_IN_TAB, PING_INTERVAL, SEND_TIMEOUT,
    SILENCE_TIMEOUT,
};
use super::outbox::{Outbox, OutboxReader};
use crate::gui::requests::{Ask, ClientMessage, Request, RequestContext, RequestError};
use crate::interact::KeptSearcher;
use crate::printing::quote;
use crate::search::SearchControl;

/// The running requests of a tab by id.
type ActiveRequests = HashMap<u64, Arc<SearchControl>>;

struct Tab {
    state: Arc<ServerState>,
    outbox: Outbox,
    requests: Arc<Mutex<ActiveRequests>>,
    /// The right to think, for [`MAX_THINKING_IN_TAB`] requests at a time.
    thinking: Arc<Semaphore>,
    /// The searcher of the last advice.
    searcher: Arc<Mutex<KeptSearcher>>,
    /// The built-in engine; the first line starts it.
    engine: Option<TabEngine>,
    /// The other engines that were started, by name.
    other_engines: HashMap<String, TabEngine>,
    /// Sends what happens in the match that is watched, once that was asked for.
    watching: JoinSet<()>,
}

pub(super) async fn serve(socket: WebSocket, state: Arc<ServerState>) {
    let (sink, mut stream) = socket.split();
    let (outbox, reader) = Outbox::new();
    let writer = tokio::spawn(write_frames(sink, reader, outbox.clone()));
    let mut tab = Tab {
        state,
        outbox: outbox.clone(),
        requests: Arc::default(),
        thinking: Arc::new(Semaphore::new(MAX_THINKING_IN_TAB)),
        searcher: Arc::default(),
        engine: None,
        other_engines: HashMap::new(),
        watching: JoinSet::new(),
    };
    let mut disconnected = pin!(outbox.disconnected());
    loop {
        let next = pin!(timeout(SILENCE_TIMEOUT, stream.next()));
        let received = select(next, disconnected.as_mut()).await;
        let Either::Left((Ok(Some(Ok(frame))), _)) = received else { break };
        match frame {
            Message::Text(text) => tab.receive(&text),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Binary(_) | Message::Close(_) => break,
        }
    }
    drop(tab);
    writer.abort();
}

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
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines: Vec<&str> = lines.take(MAX_LINES + 1).collect();
            if lines.len() > MAX_LINES {
                let reason = format!("too many lines in a frame, expected at most {MAX_LINES}");
                return self.outbox.send(format!("info string error: {reason}"));
            }
            return lines.into_iter().for_each(|line| self.receive_line(line));
        }
        match ClientMessage::parse(text) {
            Ok(ClientMessage::Cancel(id)) => {
                if let Some(control) = lock(&self.requests).get(&id) {
                    control.stop();
                }
            }
            Ok(ClientMessage::Request(request)) => match self.answer_at_once(&request.ask) {
                Some(Ok(())) => self.outbox.send_json(&json!({ "id": request.id, "answer": {} })),
                Some(Err(message)) => self.refuse(Some(request.id), &message),
                None => self.start(*request),
            },
            Err(invalid) => self.refuse(invalid.id, &invalid.reason),
        }
    }

    fn refuse(&self, id: Option<u64>, message: &str) {
        self.outbox.send_json(&json!({ "id": id, "error": { "message": message } }));
    }

    /// Passes a line to the engine, except `quit`: the tab ends its session by closing the socket.
    fn receive_line(&mut self, line: &str) {
        let refuse = |reason: &str| self.outbox.send(format!("info string error: {reason}"));
        if line.split_whitespace().next() == Some("quit") {
            return refuse("quit is not accepted here: close the page instead");
        }
        match self.engine.as_ref().map(|engine| engine.send(line)) {
            Some(Ok(())) => return,
            Some(Err(RefusedLine::Busy)) => return refuse("too many commands are waiting"),
            None | Some(Err(RefusedLine::Ended)) => {}
        }
        match TabEngine::start_session(self.state.handler.game, self.outbox.clone()) {
            Ok(engine) => {
                let _ = engine.send(line);
                self.engine = Some(engine);
            }
            Err(error) => refuse(&format!("cannot start the engine: {error}")),
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
                    self.watching.abort_all();
                    self.watching.spawn(watched.follow(self.outbox.clone()));
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
                let cannot = |reason: String| format!("cannot start {}: {reason}", quote(name));
                let permit = Arc::clone(&self.state.processes)
                    .try_acquire_owned()
                    .map_err(|_| cannot("too many engines are running".to_owned()))?;
                let engine = TabEngine::start_process(setup.clone(), self.outbox.clone(), permit);
                place.insert(engine.map_err(|error| cannot(error.to_string()))?)
            }
        };
        match line {
            Some(line) if line.contains(['\n', '\r']) => {
                Err("the line contains a line break, expected a single line".to_owned())
            }
            Some(line) => engine.send(line).map_err(|refused| match refused {
                RefusedLine::Busy => "too many commands are waiting".to_owned(),
                RefusedLine::Ended => "the engine has ended, restart it".to_owned(),
            }),
            None => Ok(()),
        }
    }

    fn start(&self, request: Request) {
        let id = request.id;
        let control = Arc::new(SearchControl::default());
        {
            let mut requests = lock(&self.requests);
            if requests.contains_key(&id) {
                let message = format!("request id {id} is still in use, expected a new one");
                return self.refuse(Some(id), &message);
            }
            if requests.len() >= MAX_REQUESTS {
                let message =
                    format!("too many requests, expected at most {MAX_REQUESTS} at a time");
                return self.refuse(Some(id), &message);
            }
            requests.insert(id, Arc::clone(&control));
        }
        let (outbox, requests) = (self.outbox.clone(), Arc::clone(&self.requests));
        let (state, thinking) = (Arc::clone(&self.state), Arc::clone(&self.thinking));
        let searcher = Arc::clone(&self.searcher);
        tokio::spawn(async move {
            let frame = answer(&state, request, control, &outbox, &thinking, searcher).await;
            lock(&requests).remove(&id);
            outbox.send(frame);
        });
    }
}

/// Answers a request on a thread of its own and returns the frame. Requests that think first wait for
/// their turn in the tab, then among all tabs; those that read a record wait among all tabs.
async fn answer(
    state: &Arc<ServerState>,
    request: Request,
    control: Arc<SearchControl>,
    outbox: &Outbox,
    thinking: &Semaphore,
    searcher: Arc<Mutex<KeptSearcher>>,
) -> String {
    let id = request.id;
    let _turns = if request.ask.thinks() {
        Some((thinking.acquire().await, Some(state.thinking.acquire().await)))
    } else if matches!(request.ask, Ask::ReadRecord(_)) {
        Some((state.reading.acquire().await, None))
    } else {
        None
    };
    if control.is_stopped() {
        return answer_frame(id, Err(RequestError::cancelled()));
    }
    let (state, outbox) = (Arc::clone(state), outbox.clone());
    guarded(id, move || {
        let mut progress = |progress: Json| {
            outbox.send_or_skip(json!({ "id": id, "progress": progress }).to_string());
        };
        // The time of waiting does not count.
        let mut own = lock(&searcher).clone();
        let mut context = RequestContext {
            control: &control.child(),
            progress: &mut progress,
            searcher: &mut own,
        };
        let answer = state.handler.answer(&request, &mut context);
        *lock(&searcher) = own;
        answer
    })
    .await
}

/// Runs a task on a thread of its own and returns the frame of its answer. If it panics, the page still
/// gets one.
async fn guarded(
    id: u64,
    task: impl FnOnce() -> Result<Json, RequestError> + Send + 'static,
) -> String {
    spawn_blocking(move || answer_frame(id, task())).await.unwrap_or_else(|_| {
        tracing::error!("a request panicked");
        answer_frame(id, Err(RequestError::internal()))
    })
}

/// The frame of an answer, or of an error if the answer is too long.
fn answer_frame(id: u64, answer: Result<Json, RequestError>) -> String {
    let frame = match answer {
        Ok(answer) => json!({ "id": id, "answer": answer }),
        Err(error) => json!({ "id": id, "error": error }),
    };
    let frame = frame.to_string();
    if frame.len() > MAX_ANSWER {
        return answer_frame(id, Err(RequestError::too_long()));
    }
    frame
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Tab {
    /// Stops everything that runs for the tab.
    fn drop(&mut self) {
        lock(&self.requests).values().for_each(|control| control.stop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_panics_is_answered_with_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let panicking = || std::panic::resume_unwind(Box::new("without a message on stderr"));
        let answer = runtime.block_on(guarded(7, panicking));
        assert_eq!(answer, r#"{"error":{"message":"internal error"},"id":7}"#);
        assert_eq!(runtime.block_on(guarded(8, || Ok(5.into()))), r#"{"answer":5,"id":8}"#);
    }

    #[test]
    fn an_answer_that_is_too_long_is_replaced_by_an_error() {
        let frame = answer_frame(7, Ok("x".repeat(MAX_ANSWER).into()));
        assert!(frame.contains("too long") && frame.len() < 1000, "{frame}");
    }
}
