//! A session with one client: its options, the current game, and the running search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::go;
use super::log::LogFile;
use super::options::{self, OptionEffect, OptionPolicy};
use super::output::ClientOutput;
use super::responder::Responder;
use crate::platform::{JobThread, JobWaiter};
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{GoOptions, PerftOptions, ProtocolCommand, Query, RawLine, parse};
use crate::rules::{Side, StartPosition};
use crate::search::{Limits, SearchControl};
use crate::thinking::registry::default_game;
use crate::thinking::settings::SearcherChoice;
use crate::thinking::{
    AnyGame, EngineError, GameSpec, PreparedSearch, SearchRequest, Settings, bench,
};

const HELP: &str = include_str!("help.txt");

#[derive(Debug, Clone)]
pub struct SessionConfig {
    pub game: &'static GameSpec,
    /// The log controlled by the option `Log File`.
    pub log: LogFile,
    /// Whether each command waits for a bounded search to finish. Right for a script, whose commands
    /// are all available at once; wrong for an interactive client, which may send `stop`.
    pub sequential: bool,
    /// Which options the client may set.
    pub policy: OptionPolicy,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            game: default_game(),
            log: LogFile::default(),
            sequential: false,
            policy: OptionPolicy::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStatus {
    /// It was executed, or is empty.
    Accepted,
    /// It was refused; the reason was sent to the client.
    Refused,
    /// It ended the session.
    Quit,
}

struct RunningJob {
    control: Arc<SearchControl>,
    answered: Arc<AtomicBool>,
    end: JobWaiter,
    /// Whether it ends without `stop` once it is no longer pondering.
    is_bounded: bool,
}

/// The state of a session with one client.
pub struct Session {
    output: ClientOutput,
    log: LogFile,
    policy: OptionPolicy,
    settings: Settings,
    spec: &'static GameSpec,
    game: Box<dyn AnyGame>,
    dialect: Dialect,
    debug: bool,
    thread: JobThread,
    running: Option<RunningJob>,
}

impl Session {
    #[must_use]
    pub fn new(output: ClientOutput, config: &SessionConfig) -> Self {
        Self {
            output,
            log: config.log.clone(),
            policy: config.policy,
            settings: config.game.settings(),
            spec: config.game,
            game: config.game.open(),
            dialect: Dialect::default(),
            debug: false,
            thread: JobThread::default(),
            running: None,
        }
    }

    /// Executes a line of the client; a refused one changes nothing. Searches continue in the
    /// background.
    pub fn receive(&mut self, raw: &RawLine<'_>) -> LineStatus {
        let (RawLine::Complete(bytes) | RawLine::Truncated(bytes)) = *raw;
        let line = String::from_utf8_lossy(bytes);
        tracing::debug!("< {line}");
        let command = match parse(raw) {
            Ok(Some(command)) => command,
            Ok(None) => return LineStatus::Accepted,
            Err(error) => return self.refuse(&error.into()),
        };
        // The rules of a game may be another crate's.
        let executed = catch_unwind(AssertUnwindSafe(|| self.execute(&command, &line)));
        match executed.unwrap_or(Err(EngineError::Panic)) {
            Ok(()) if command == ProtocolCommand::Quit => LineStatus::Quit,
            Ok(()) => LineStatus::Accepted,
            Err(error) => self.refuse(&error),
        }
    }

    /// Tells the client why a line was refused.
    fn refuse(&self, error: &EngineError) -> LineStatus {
        self.output.send(&reply::error_line(error));
        LineStatus::Refused
    }

    /// Executes a command. `line` is quoted in errors.
    fn execute(&mut self, command: &ProtocolCommand<'_>, line: &str) -> Result<(), EngineError> {
        self.running.take_if(|job| job.answered.load(Ordering::Acquire));
        if self.running.is_some() && !is_accepted_while_searching(command) {
            let word = line.split_whitespace().next().unwrap_or_default();
            return Err(EngineError::Searching(word.to_owned()));
        }
        match command {
            ProtocolCommand::Uci => self.send_handshake(Dialect::Uci),
            ProtocolCommand::Ugi => self.send_handshake(Dialect::Ugi),
            ProtocolCommand::NewGame => {
                self.game.clear_searcher();
                self.game.set_position(&StartPosition::Initial, &[])?;
            }
            ProtocolCommand::IsReady => self.send_ready(),
            ProtocolCommand::SetOption { name, value } => self.set_option(name, value)?,
            ProtocolCommand::Position { setup, moves } => {
                let played = self.game.set_position(setup, moves)?;
                self.report_missing_plies(setup, played);
                self.get_ready();
            }
            ProtocolCommand::Moves(moves) => self.game.play_moves(moves)?,
            ProtocolCommand::Query(query) => self.answer_query(*query),
            ProtocolCommand::Go(go) => self.start_search(go)?,
            ProtocolCommand::Stop => self.stop(),
            ProtocolCommand::PonderHit => self.ponder_hit(),
            ProtocolCommand::Perft(perft) => self.start_perft(*perft)?,
            ProtocolCommand::Show => self.send_board(),
            ProtocolCommand::Fen => self.output.send(&self.game.fen()),
            ProtocolCommand::Legal => {
                let moves = self.game.legal_moves(self.settings.notation());
                self.output.send(&moves.join(" "));
            }
            ProtocolCommand::Values => self.start_values()?,
            ProtocolCommand::Eval => {
                let score = self.game.evaluate()?;
                self.output.send(&format!("eval {score}"));
            }
            ProtocolCommand::Bench => self.start_bench()?,
            ProtocolCommand::Help => self.output.send(HELP),
            ProtocolCommand::Debug(on) => self.debug = *on,
            ProtocolCommand::Quit => self.quit(),
        }
        Ok(())
    }

    /// Waits for the running job if it ends without `stop`.
    pub(super) fn wait_for_bounded_job(&mut self) {
        let ends = |job: &mut RunningJob| job.is_bounded && !job.control.is_pondering();
        if let Some(job) = self.running.take_if(ends) {
            job.end.wait();
        }
    }

    /// Handles the end of input: a bounded search finishes, an unbounded one is stopped; both send
    /// their answer.
    pub(super) fn finish(&mut self) {
        self.wait_for_bounded_job();
        self.stop();
    }

    /// Whether a job is running.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|job| !job.answered.load(Ordering::Acquire))
    }

    fn send_handshake(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let ok = dialect.handshake_answer();
        let version = env!("CARGO_PKG_VERSION");
        let options = options::option_lines(self.policy);
        self.output.send(&format!(
            "id name Zermelo {version}\nid author the Zermelo authors\n{options}{ok}"
        ));
    }

    /// Answers `isready`: at once during a search, otherwise after preparing the next one.
    fn send_ready(&mut self) {
        if self.running.is_none() {
            self.get_ready();
        }
        self.output.send("readyok");
    }

    /// Builds the tables and starts the search thread before the clock runs. A failure is only
    /// logged, because the command that needs them fails in the same way and reports it.
    fn get_ready(&mut self) {
        if let Err(error) = self.game.prepare(&self.settings.request()) {
            tracing::warn!("{error}");
        }
        if let Err(error) = self.thread.start() {
            tracing::warn!("cannot start a search thread: {error}");
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let mut changed = self.settings.clone();
        match options::set(&mut changed, name, value, self.policy)? {
            OptionEffect::None => {}
            OptionEffect::ClearSearcher => self.game.clear_searcher(),
            OptionEffect::ChangeGame(spec) => {
                self.spec = spec;
                self.game = spec.open();
                changed.level_scale = spec.settings().level_scale;
            }
            OptionEffect::OpenLog(path) => {
                let refuse = |source| EngineError::Log { path: path.clone(), source };
                self.log.open_regular(&path).map_err(refuse)?;
            }
        }
        self.game.configure(&changed);
        if changed.hash != self.settings.hash
            && let Err(error) = self.game.prepare(&changed.request())
        {
            self.game.configure(&self.settings);
            return Err(error);
        }
        self.settings = changed;
        Ok(())
    }

    fn answer_query(&self, query: Query) {
        let outcome = self.game.outcome();
        let answer = match query {
            Query::GameOver => outcome.is_some().to_string(),
            Query::P1Turn => (self.game.side() == Side::P1).to_string(),
            Query::Result => reply::result_word(outcome).to_owned(),
        };
        self.output.send(&format!("response {answer}"));
    }

    fn send_board(&self) {
        let state = match self.game.outcome() {
            None => "in play",
            outcome => reply::result_word(outcome),
        };
        let (diagram, fen) = (self.game.diagram(), self.game.fen());
        self.output.send(&format!("{diagram}\nfen: {fen}\nstate: {state}"));
    }

    fn start_search(&mut self, go: &GoOptions<'_>) -> Result<(), EngineError> {
        let control = SearchControl::new(go.ponder, !go.is_bounded());
        let request = go::request(go, &*self.game, &self.settings, self.dialect);
        let search = self.game.prepare(&request)?;
        if self.debug {
            let summary = match self.game.outcome() {
                Some(_) => "the game is over".to_owned(),
                None => go::describe(request.limits, search.candidates),
            };
            self.output.send(&format!("info string debug: {summary}"));
        }
        let is_instant = is_instant(&search, &request);
        let job = move |responder: &Responder| responder.answer_go(search);
        self.run(job, control, go.is_bounded(), is_instant)
    }

    fn start_values(&mut self) -> Result<(), EngineError> {
        /// Enough for a rough value of each move.
        const NODES: u64 = 200_000;
        let settings = &self.settings;
        let request = SearchRequest {
            limits: Limits { nodes: Some(NODES), ..Limits::default() },
            multi_pv: usize::MAX,
            threads: 1,
            skill_level: None,
            // A solved game is looked up whatever the searcher.
            searcher: if self.spec.is_solved { SearcherChoice::Auto } else { settings.searcher },
            ..settings.request()
        };
        let search = self.game.prepare(&request)?;
        let is_instant = is_instant(&search, &request);
        let job = move |responder: &Responder| responder.answer_values(search);
        self.run(job, SearchControl::default(), true, is_instant)
    }

    fn start_perft(&mut self, perft: PerftOptions) -> Result<(), EngineError> {
        let (game, settings) = (self.game.share(), &self.settings);
        let (threads, notation) = (settings.threads, settings.notation());
        let job = move |responder: &Responder| {
            let control = &responder.control;
            let counts = game.perft(perft.depth, threads, notation, control.stop_flag());
            responder.finish(&match counts {
                Some(counts) => reply::perft_text(&counts, perft.divide, control.elapsed()),
                None => "info string perft stopped before it was complete".to_owned(),
            });
        };
        self.run(job, SearchControl::default(), true, false)
    }

    fn start_bench(&mut self) -> Result<(), EngineError> {
        let spec = self.spec;
        let job = move |responder: &Responder| {
            let result = bench::run(spec, &responder.control, &mut |fen, nodes| {
                responder.output.send(&format!("info string {nodes} nodes in {fen}"));
            });
            responder.finish(&match result {
                Ok(Some((nodes, time))) => reply::speed_line(nodes, time),
                Ok(None) => "info string bench stopped before it was complete".to_owned(),
                Err(error) => reply::error_line(&error),
            });
        };
        self.run(job, SearchControl::default(), true, false)
    }

    /// Runs a job: an instant one on this thread, unless its answer has to wait; any other on the
    /// search thread.
    fn run(
        &mut self,
        job: impl FnOnce(&Responder) + Send + 'static,
        control: SearchControl,
        is_bounded: bool,
        is_instant: bool,
    ) -> Result<(), EngineError> {
        let (control, answered) = (Arc::new(control), Arc::default());
        let responder = Responder {
            output: self.output.clone(),
            control: Arc::clone(&control),
            dialect: self.dialect,
            show_wdl: self.settings.show_wdl,
            answered: Arc::clone(&answered),
        };
        let run = move || run_guarded(job, &responder);
        if is_instant && !control.is_gated() {
            run();
            return Ok(());
        }
        let end = self.thread.run(run).map_err(EngineError::Thread)?;
        self.running = Some(RunningJob { control, answered, end, is_bounded });
        Ok(())
    }

    /// Tells the client that the random game of a position ended before the requested plies.
    fn report_missing_plies(&self, setup: &StartPosition<'_>, played: usize) {
        let StartPosition::Random { plies, .. } = *setup else { return };
        let requested = plies.map_or(self.spec.opening_plies, |plies| plies as usize);
        if played < requested {
            self.output.send(&format!(
                "info string played only {played} of {requested} random plies: the next one would \
                 end the game"
            ));
        }
    }

    /// Stops the running job and waits for its answer, so that the next command finds the engine
    /// idle.
    fn stop(&mut self) {
        if let Some(job) = self.running.take() {
            job.control.stop();
            job.end.wait();
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(job) = &mut self.running {
            job.control.ponder_hit();
        }
    }

    /// Sends nothing more and does not wait for a running job.
    fn quit(&mut self) {
        self.output.silence();
        if let Some(job) = self.running.take() {
            job.control.stop();
        }
    }
}

/// Whether the answer is there sooner than another thread could be woken.
fn is_instant(search: &PreparedSearch, request: &SearchRequest) -> bool {
    const MAX_TIME: Duration = Duration::from_millis(2);
    search.is_known || request.limits.budget.hard.is_some_and(|time| time < MAX_TIME)
}

/// Runs a job. If it panics, the client still gets an answer.
fn run_guarded(job: impl FnOnce(&Responder), responder: &Responder) {
    if catch_unwind(AssertUnwindSafe(|| job(responder))).is_err() {
        tracing::error!("the search panicked");
        responder
            .finish("info string error: internal error, the search was aborted\nbestmove (none)");
    }
}

fn is_accepted_while_searching(command: &ProtocolCommand<'_>) -> bool {
    matches!(
        command,
        ProtocolCommand::IsReady
            | ProtocolCommand::Stop
            | ProtocolCommand::PonderHit
            | ProtocolCommand::Quit
            | ProtocolCommand::Debug(_)
            | ProtocolCommand::Query(_)
            | ProtocolCommand::Show
            | ProtocolCommand::Fen
            | ProtocolCommand::Legal
    )
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn session() -> Session {
        let output = ClientOutput::new(io::sink(), |_| {});
        Session::new(output, &SessionConfig::default())
    }

    fn execute(session: &mut Session, line: &str) {
        let outcome = session.receive(&RawLine::Complete(line.as_bytes()));
        assert_eq!(outcome, LineStatus::Accepted);
    }

    fn run(session: &mut Session, job: impl FnOnce(&Responder) + Send + 'static) {
        session.run(job, SearchControl::default(), true, false).unwrap();
        session.wait_for_bounded_job();
    }

    #[test]
    fn searches_share_one_thread_which_survives_a_panic() {
        let mut session = session();
        let (sender, threads) = std::sync::mpsc::channel();
        for panics in [false, true, false] {
            let sender = sender.clone();
            run(&mut session, move |_| {
                sender.send(std::thread::current().id()).unwrap();
                if panics {
                    std::panic::resume_unwind(Box::new("a panic without a message on stderr"));
                }
            });
        }
        let threads: Vec<_> = threads.try_iter().collect();
        assert_eq!(threads.len(), 3);
        assert!(threads.iter().all(|thread| *thread == threads[0]));
        assert_ne!(threads[0], std::thread::current().id());
    }

    #[test]
    fn a_search_without_time_is_answered_before_the_next_command() {
        for searcher in ["alphabeta", "mcts", "random"] {
            let mut session = session();
            execute(&mut session, &format!("setoption name Searcher value {searcher}"));
            for go in ["go wtime 5 btime 5", "go movetime 0", "go wtime -3 btime 60000"] {
                execute(&mut session, go);
                assert!(session.running.is_none(), "{searcher}: {go}");
            }
            execute(&mut session, "go wtime 5 btime 5 ponder");
            assert!(session.running.is_some(), "the answer waits for ponderhit");
            execute(&mut session, "stop");
        }
    }

    #[test]
    fn quitting_does_not_wait_for_the_search() {
        let mut session = session();
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let job = move |_: &Responder| wait.recv().unwrap();
        session.run(job, SearchControl::default(), false, false).unwrap();
        assert_eq!(session.receive(&RawLine::Complete(b"quit")), LineStatus::Quit);
        drop(session);
        release.send(()).unwrap();
    }
}
