//! A session with one client: its options, the current game, and the running search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::any_game::AnyGame;
use super::jobs::{self, EngineJob, PlannedJob};
use super::options::{self, OptionEffect};
use super::registry::GameEntry;
use super::responder::Responder;
use super::settings::Settings;
use super::{ClientOutput, EngineError, LogFile, SessionConfig};
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{GoOptions, PerftOptions, PositionSetup, ProtocolCommand, Query};
use crate::rules::Side;
use crate::search::SearchControl;

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

/// A job running on its own thread.
struct RunningJob {
    control: Arc<SearchControl>,
    answered: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    /// Whether it ends without `stop` once it is no longer pondering.
    is_bounded: bool,
}

/// The state of a session with one client.
pub struct Session {
    output: ClientOutput,
    log: LogFile,
    /// Whether the options that name files are disabled.
    locked: bool,
    settings: Settings,
    entry: &'static GameEntry,
    game: Box<dyn AnyGame>,
    dialect: Dialect,
    debug: bool,
    running: Option<RunningJob>,
}

impl Session {
    /// Starts a session with a new game.
    pub(super) fn new(output: ClientOutput, config: &SessionConfig) -> Self {
        Self {
            output,
            log: config.log.clone(),
            locked: config.locked,
            settings: Settings::default(),
            entry: config.game,
            game: config.game.open(),
            dialect: Dialect::default(),
            debug: false,
            running: None,
        }
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
        self.reap_answered_job();
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
                self.spawn_job(jobs::bench_job(self.entry), SearchControl::default(), true)?;
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
            join(job.thread);
        }
    }

    /// Handles the end of input: a bounded search finishes, an unbounded one is stopped; both send
    /// their answer.
    pub(super) fn finish(&mut self) {
        self.wait_for_bounded_job();
        self.stop();
    }

    fn send_handshake(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let ok = match dialect {
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        };
        let version = env!("CARGO_PKG_VERSION");
        let options = options::option_lines(self.locked);
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

    /// Builds the tables before the clock runs. A failure is only logged, because the command that
    /// needs the tables fails in the same way and reports it.
    fn prepare(&mut self) {
        if let Err(error) = self.game.prepare(&self.settings) {
            tracing::warn!("{error}");
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let mut changed = self.settings.clone();
        let effect = options::set(&mut changed, name, value, self.locked)?;
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
        self.spawn_job(job, SearchControl::default(), true)
    }

    /// Runs an instant job right away, unless its answer has to wait; otherwise spawns a thread.
    fn run_job(
        &mut self,
        planned: PlannedJob,
        control: SearchControl,
        is_bounded: bool,
    ) -> Result<(), EngineError> {
        let PlannedJob { job, is_instant } = planned;
        if is_instant && !control.is_gated() {
            job(&self.responder(Arc::new(control)));
            return Ok(());
        }
        self.spawn_job(job, control, is_bounded)
    }

    /// Runs a job on its own thread.
    fn spawn_job(
        &mut self,
        job: EngineJob,
        control: SearchControl,
        is_bounded: bool,
    ) -> Result<(), EngineError> {
        let control = Arc::new(control);
        let responder = self.responder(Arc::clone(&control));
        let answered = responder.answered();
        let run = move || {
            // If the search panics, the client still gets an answer.
            if catch_unwind(AssertUnwindSafe(|| job(&responder))).is_err() {
                tracing::error!("the search panicked");
                responder.finish(
                    "info string error: internal error, the search was aborted\nbestmove (none)",
                );
            }
        };
        let builder = std::thread::Builder::new().name("search".to_owned());
        let thread = builder.spawn(run).map_err(EngineError::Thread)?;
        self.running = Some(RunningJob { control, answered, thread, is_bounded });
        Ok(())
    }

    fn responder(&self, control: Arc<SearchControl>) -> Responder {
        Responder::new(self.output.clone(), control, self.dialect, &self.settings)
    }

    /// Cleans up after a job that has sent its answer.
    fn reap_answered_job(&mut self) {
        let has_answered = |job: &mut RunningJob| job.answered.load(Ordering::Acquire);
        if let Some(job) = self.running.take_if(has_answered) {
            join(job.thread);
        }
    }

    /// Stops the running job and waits for its answer, so that the next command finds the engine
    /// idle.
    fn stop(&mut self) {
        if let Some(job) = self.running.take() {
            job.control.stop();
            join(job.thread);
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

fn join(thread: JoinHandle<()>) {
    if thread.join().is_err() {
        tracing::error!("the search thread panicked");
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
