//! The engine for a browser: one instance runs in one worker and serves either the lines of the protocol
//! or the requests of the page.
//!
//! `run` takes the frames that have arrived. A search lets the host deliver more of them every few
//! milliseconds, so `stop` and `cancel` need neither shared memory nor a second thread.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wasm_bindgen::prelude::wasm_bindgen;
use zermelo::engine::{ClientOutput, LineStatus, OptionPolicy, Session, SessionConfig};
use zermelo::eval::{EvalFile, set_weights_reader};
use zermelo::gui::requests::{
    ClientMessage, Request, RequestContext, RequestError, RequestHandler,
};
use zermelo::interact::KeptSearcher;
use zermelo::platform::{Host, run_jobs, set_host};
use zermelo::protocol::RawLine;
use zermelo::search::SearchControl;

/// The largest hash table, in MiB.
const MAX_HASH: u64 = 256;

#[wasm_bindgen(raw_module = "./host.js")]
extern "C" {
    /// Milliseconds of a clock that never goes back.
    fn now() -> f64;
    /// Milliseconds since 1970.
    fn unix_time() -> f64;
    /// Lets the worker receive messages.
    fn poll();
    /// Waits for a message.
    fn wait();
    /// The next frame: a line of the protocol or a JSON message.
    fn take() -> Option<String>;
    /// Whether the request that is being answered was cancelled.
    fn is_cancelled() -> bool;
    /// Sends a frame to the page.
    fn emit(frame: &str);
    /// The content of a weights file; throws an exception if it cannot be loaded.
    fn weights(name: &str) -> Vec<u8>;
    /// Throws an exception that says why the engine cannot run.
    fn refuse(reason: &str);
    /// Reports a panic, which ends this instance.
    fn report_panic(message: &str);
}

thread_local! {
    /// The session of the protocol; the first line starts it.
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
    /// The request that is being answered.
    static ACTIVE: RefCell<Option<Arc<SearchControl>>> = const { RefCell::new(None) };
    /// The searcher of the last advice.
    static SEARCHER: RefCell<KeptSearcher> = RefCell::default();
}

/// Prepares the instance; called once, before anything else.
#[wasm_bindgen]
pub fn start() {
    std::panic::set_hook(Box::new(|info| report_panic(&info.to_string())));
    let poll = || {
        poll();
        deliver();
    };
    let wait = || {
        wait();
        deliver();
    };
    set_weights_reader(read_weights);
    set_host(Host { now: || now(), unix_time: || unix_time(), poll, wait });
}

fn read_weights(name: &str) -> EvalFile {
    EvalFile::parse(&weights(name)).unwrap_or_else(|error| {
        refuse(&format!("{name}: {error}"));
        unreachable!("the host throws an exception");
    })
}

/// Handles the frames that have arrived, until none is left.
#[wasm_bindgen]
pub fn run() {
    while let Some(frame) = take() {
        if frame.starts_with('{') {
            receive_message(&frame);
        } else {
            SESSION.with_borrow_mut(|session| receive_line(session, &frame));
            run_jobs();
        }
    }
}

/// Handles what arrived during a job: lines that a running search accepts, or the end of a request.
fn deliver() {
    ACTIVE.with_borrow(|active| {
        if let Some(control) = active
            && is_cancelled()
        {
            control.stop();
        }
    });
    SESSION.with(|session| {
        // While a line is being executed, the next ones wait.
        let Ok(mut session) = session.try_borrow_mut() else { return };
        while session.as_ref().is_some_and(Session::is_searching)
            && let Some(line) = take()
        {
            receive_line(&mut session, &line);
        }
    });
}

fn receive_line(session: &mut Option<Session>, line: &str) {
    let running = session.get_or_insert_with(|| {
        let policy = OptionPolicy { locked: true, max_hash: MAX_HASH, max_threads: 1 };
        let config = SessionConfig { policy, ..SessionConfig::default() };
        Session::new(ClientOutput::new(FrameWriter, |_| {}), &config)
    });
    if running.receive(&RawLine::Complete(line.as_bytes())) == LineStatus::Quit {
        *session = None;
    }
}

/// Sends each line as a frame.
struct FrameWriter;

impl Write for FrameWriter {
    /// Receives whole lines; see [`ClientOutput`].
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        String::from_utf8_lossy(bytes).lines().for_each(emit);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn receive_message(frame: &str) {
    match ClientMessage::parse(frame) {
        Ok(ClientMessage::Request(request)) => {
            let message = match answer(&request) {
                Ok(answer) => json!({ "id": request.id, "answer": answer }),
                Err(error) => json!({ "id": request.id, "error": error }),
            };
            emit(&message.to_string());
        }
        // The worker ends waiting requests itself; one that has been answered cannot be cancelled.
        Ok(ClientMessage::Cancel(_)) => {}
        Err(invalid) => {
            let error = json!({ "message": invalid.reason });
            emit(&json!({ "id": invalid.id, "error": error }).to_string());
        }
    }
}

fn answer(request: &Request) -> Result<Json, RequestError> {
    let control = Arc::new(SearchControl::default());
    ACTIVE.set(Some(Arc::clone(&control)));
    let progress = &mut |progress: Json| {
        emit(&json!({ "id": request.id, "progress": progress }).to_string());
    };
    let mut searcher = SEARCHER.take();
    let mut context = RequestContext { control: &control, progress, searcher: &mut searcher };
    let answer = RequestHandler::default().answer(request, &mut context);
    SEARCHER.set(searcher);
    ACTIVE.set(None);
    answer
}
