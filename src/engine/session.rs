//! A session with one client: its options, the current game, and the running search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::options::{self, OptionEffect, OptionPolicy};
use super::{ClientOutput, LogFile, SessionConfig};
use crate::platform::{JobThread, JobWaiter};
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{GoOptions, PerftOptions, PositionSetup, ProtocolCommand, Query};
use crate::rules::Side;
use crate::search::SearchControl;
use crate::thinking::EngineError;
use crate::thinking::jobs;
use crate::thinking::jobs::{EngineJob, PlannedJob};
use crate::thinking::registry::GameEntry;
use crate::thinking::responder::Responder;
use crate::thinking::settings::Settings;
use crate::thinking::{AnyGame, MissingPlies};

/// The answer to `help`.
const HELP: &str = "\
uci | ugi                      handshake; mate scores count moves | plies
setoption name N value V       set an option (`uci` lists them)
ucinewgame                     start a new game (also uginewgame)
position startpos|fen F|random SEED [PLIES] [moves M...]
moves M...                     play moves from the current position
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS]
   [movestogo N] [mate N] [searchmoves M...] [infinite] [ponder] [perft N]
stop | ponderhit | isready     accepted during a search
query gameover|p1turn|result   state of the game
d | fen | legal                board, FEN, legal moves
values | eval                  value of each move, of the position
perft N [divide]               count the leaves N plies deep
bench                          search benchmark (node count and speed)
debug on|off | help | quit";

/// A job running in the background.
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
    entry: &'static GameEntry,
    game: Box<dyn AnyGame>,
    dialect: Dialect,
    debug: bool,
    thread: JobThread,
    running: Option<RunningJob>,
}

impl Session {
    /// Starts a session with a new game.
    #[must_use]
    pub fn new(output: ClientOutput, config: &SessionConfig) -> Self {
        Self {
            output,
            log: config.log.clone(),
            policy: config.policy,
            settings: Settings::default(),
            entry: config.game,
            game: config.game.open(),
            dialect: Dialect::default(),
            debug: false,
            thread: JobThread::default(),
            running: None,
        }
    }

    /// Returns the current game.
    pub(super) fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// Executes a command; returns `false` if it ends the session. `line` is quoted in errors.
    ///
    /// # Errors
    /// Fails if the command is refused; the session is then unchanged.
    pub(super) fn execute(
        &mut self,
        command: &ProtocolCommand<'_>,
        line: &str,
    ) -> Result<bool, EngineError> {
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
                self.game.set_position(&PositionSetup::Start, &[])?;
            }
            ProtocolCommand::IsReady => self.send_ready(),
            ProtocolCommand::SetOption { name, value } => self.set_option(name, value)?,
            ProtocolCommand::Position { setup, moves } => {
                self.game.set_position(setup, moves)?;
                if let Some(MissingPlies { played, requested }) =
                    self.game.missing_random_plies(setup)
                {
                    self.output.send(&format!(
                        "info string played only {played} of {requested} random plies: the next one \
                         would end the game"
                    ));
                }
                self.prepare();
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
            ProtocolCommand::Values => {
                let planned = self.game.plan_values(&self.settings)?;
                self.run_job(planned, SearchControl::default(), true)?;
            }
            ProtocolCommand::Eval => {
                let score = self.game.evaluate(&self.settings)?;
                self.output.send(&format!("eval {}", jobs::value_text(score)));
            }
            ProtocolCommand::Bench => {
                self.run_in_background(
                    jobs::bench_job(self.entry),
                    SearchControl::default(),
                    true,
                )?;
            }
            ProtocolCommand::Help => self.output.send(HELP),
            ProtocolCommand::Debug(on) => self.debug = *on,
            ProtocolCommand::Quit => return Ok(self.quit()),
        }
        Ok(true)
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

    /// Tells the client why a line was refused.
    pub(super) fn refuse(&self, error: &EngineError) {
        self.output.send(&reply::error_line(error));
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
            self.prepare();
        }
        self.output.send("readyok");
    }

    /// Builds the tables and starts the search thread before the clock runs. A failure is only
    /// logged, because the command that needs them fails in the same way and reports it.
    fn prepare(&mut self) {
        if let Err(error) = self.game.prepare(&self.settings) {
            tracing::warn!("{error}");
        }
        if let Err(error) = self.thread.start() {
            tracing::warn!("cannot start a search thread: {error}");
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let mut changed = self.settings.clone();
        let effect = options::set(&mut changed, name, value, self.policy)?;
        match effect {
            OptionEffect::None => {}
            OptionEffect::ClearSearcher => self.game.clear_searcher(),
            OptionEffect::ChangeGame(entry) => {
                self.entry = entry;
                self.game = entry.open();
            }
            OptionEffect::OpenLog(path) => {
                let refuse = |source| EngineError::Log { path: path.clone(), source };
                self.log.open_regular(&path).map_err(refuse)?;
            }
            OptionEffect::DropSearcher => {
                options::check_memory(self.settings.hash, changed.hash)?;
                self.game.drop_searcher();
                if changed.hash != self.settings.hash
                    && let Err(error) = self.game.prepare(&changed)
                {
                    self.game.drop_searcher();
                    return Err(error);
                }
            }
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
        if let Some(depth) = go.perft {
            return self.start_perft(PerftOptions { depth, divide: true });
        }
        let control = SearchControl::new(go.ponder, !go.is_bounded());
        let (planned, summary) = self.game.plan_search(go, &self.settings, self.dialect)?;
        if self.debug {
            self.output.send(&format!("info string debug: {summary}"));
        }
        self.run_job(planned, control, go.is_bounded())
    }

    fn start_perft(&mut self, perft: PerftOptions) -> Result<(), EngineError> {
        let job = self.game.perft_job(perft, self.settings.threads);
        self.run_in_background(job, SearchControl::default(), true)
    }

    /// Runs an instant job right away, unless its answer has to wait; otherwise in the background.
    fn run_job(
        &mut self,
        planned: PlannedJob,
        control: SearchControl,
        is_bounded: bool,
    ) -> Result<(), EngineError> {
        let PlannedJob { job, is_instant } = planned;
        if is_instant && !control.is_gated() {
            run_guarded(job, &self.responder(Arc::new(control)));
            return Ok(());
        }
        self.run_in_background(job, control, is_bounded)
    }

    fn run_in_background(
        &mut self,
        job: EngineJob,
        control: SearchControl,
        is_bounded: bool,
    ) -> Result<(), EngineError> {
        let control = Arc::new(control);
        let responder = self.responder(Arc::clone(&control));
        let answered = responder.answered();
        let run = move || run_guarded(job, &responder);
        let end = self.thread.run(run).map_err(EngineError::Thread)?;
        self.running = Some(RunningJob { control, answered, end, is_bounded });
        Ok(())
    }

    fn responder(&self, control: Arc<SearchControl>) -> Responder {
        Responder::new(self.output.clone(), control, self.dialect, &self.settings)
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

    /// Quits without sending anything more or waiting for a running job; returns `false` to end
    /// the session.
    fn quit(&mut self) -> bool {
        self.output.silence();
        if let Some(job) = self.running.take() {
            job.control.stop();
        }
        false
    }
}

/// Runs a job. If it panics, the client still gets an answer.
fn run_guarded(job: EngineJob, responder: &Responder) {
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
    use crate::protocol::{RawLine, parse};

    fn session() -> Session {
        let output = ClientOutput::new(io::sink(), |_| {});
        Session::new(output, &SessionConfig::default())
    }

    fn execute(session: &mut Session, line: &str) {
        let command = parse(&RawLine::Complete(line.as_bytes())).unwrap().unwrap();
        assert!(session.execute(&command, line).unwrap());
    }

    fn run(session: &mut Session, job: impl FnOnce(&Responder) + Send + 'static) {
        session.run_in_background(Box::new(job), SearchControl::default(), true).unwrap();
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
        session.run_in_background(Box::new(job), SearchControl::default(), false).unwrap();
        assert!(!session.execute(&ProtocolCommand::Quit, "quit").unwrap());
        drop(session);
        release.send(()).unwrap();
    }
}
