//! A session with one client: the options, the game in play, and the search that is running.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::desk::Workplace;
use super::options::{self, Effect};
use super::registry;
use super::settings::Settings;
use super::voice::Voice;
use super::work::{self, Job, Plan};
use super::{EngineError, LogFile, Output};
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{Command, Go, Perft, Query, Setup};
use crate::rules::Side;
use crate::search::SearchControl;

/// What `help` says.
const HELP: &str = "\
uci | ugi                      handshake; scores count moves | plies
setoption name N value V       set an option (`uci` lists them)
ucinewgame                     forget the last game, put up the start (also uginewgame)
position startpos|fen F|random SEED [PLIES] [moves M...]
moves M...                     play moves from here
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS]
   [movestogo N] [mate N] [searchmoves M...] [infinite] [ponder] [perft N]
stop | ponderhit | isready     while searching
query gameover|p1turn|result   how the game stands
d | fen | legal                the board, its FEN, the legal moves
values | eval                  what each move, and the position, is worth
perft N [divide]               count leaves
bench                          the signature of the search
debug on|off | help | quit";

/// Work that runs beside the loop.
struct Running {
    control: Arc<SearchControl>,
    answered: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    /// Whether it ends without being told, once it does not ponder any more.
    bounded: bool,
}

/// What one client has set and asked for.
pub struct Session {
    output: Output,
    log: LogFile,
    settings: Settings,
    desk: Box<dyn Workplace>,
    dialect: Dialect,
    debug: bool,
    running: Option<Running>,
}

impl Session {
    /// A session in which a game is put up.
    pub(super) fn new(output: Output, log: LogFile, game: &registry::Entry) -> Self {
        Self {
            output,
            log,
            settings: Settings::default(),
            desk: game.workplace(),
            dialect: Dialect::default(),
            debug: false,
            running: None,
        }
    }

    /// Does what a command says; `false` when the session is over. `line` is quoted in errors.
    ///
    /// # Errors
    /// When the command is refused; then nothing has changed.
    pub(super) fn obey(&mut self, command: &Command<'_>, line: &str) -> Result<bool, EngineError> {
        self.reap();
        if self.running.is_some() && !is_for_searching(command) {
            let word = line.split_whitespace().next().unwrap_or_default();
            return Err(EngineError::Searching(word.to_owned()));
        }
        match command {
            Command::Uci => self.shake_hands(Dialect::Uci),
            Command::Ugi => self.shake_hands(Dialect::Ugi),
            Command::NewGame => {
                self.desk.forget();
                self.desk.set_up(&Setup::Start, &[])?;
            }
            Command::IsReady => self.ready(),
            Command::SetOption { name, value } => self.set_option(name, value)?,
            Command::Position { setup, moves } => {
                self.desk.set_up(setup, moves)?;
                self.prepare();
            }
            Command::Moves(moves) => self.desk.append(moves)?,
            Command::Query(query) => self.answer(*query),
            Command::Go(go) => self.go(go)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Perft(perft) => self.perft(*perft)?,
            Command::Show => self.show(),
            Command::Fen => self.output.say(&self.desk.fen()),
            Command::Legal => {
                self.output.say(&self.desk.legal(self.settings.notation()).join(" "));
            }
            Command::Values => {
                let (job, instant) = self.desk.values_job(&self.settings)?;
                self.perform(job, instant, SearchControl::default(), true)?;
            }
            Command::Eval => {
                let score = self.desk.evaluation(&self.settings)?;
                self.output.say(&format!("eval {}", work::value_text(score)));
            }
            Command::Bench => {
                let job = self.desk.bench_job();
                self.start(job, SearchControl::default(), true)?;
            }
            Command::Help => self.output.say(HELP),
            Command::Debug(on) => self.debug = *on,
            Command::Quit => return Ok(self.quit()),
        }
        Ok(true)
    }

    /// Lets a search that ends by itself end.
    pub(super) fn wait(&mut self) {
        let ends = |running: &mut Running| running.bounded && !running.control.is_pondering();
        if let Some(running) = self.running.take_if(ends) {
            self.join(running.thread);
        }
    }

    /// The end of input: a bounded search finishes, an unbounded one stops; both answer.
    pub(super) fn finish(&mut self) {
        self.wait();
        self.stop();
    }

    fn shake_hands(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let ok = match dialect {
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        };
        let version = env!("CARGO_PKG_VERSION");
        let options = options::listing();
        self.output.say(&format!(
            "id name Zermelo {version}\nid author the Zermelo authors\n{options}{ok}"
        ));
    }

    /// Answers at once during a search; else makes ready first.
    fn ready(&mut self) {
        if self.running.is_none() {
            self.prepare();
        }
        self.output.say("readyok");
    }

    /// Builds tables before the clock runs, so that `go` finds all it needs. What goes wrong here
    /// goes wrong again, and is told, when it is needed.
    fn prepare(&mut self) {
        if let Err(error) = self.desk.prepare(&self.settings) {
            tracing::warn!("{error}");
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let mut changed = self.settings.clone();
        let effect = options::set(&mut changed, name, value)?;
        match effect {
            Effect::Nothing => {}
            Effect::Forget => self.desk.forget(),
            Effect::Game(entry) => self.desk = entry.workplace(),
            Effect::Log(path) => {
                let refuse = |source| EngineError::Log { path: path.clone(), source };
                self.log.open(&path).map_err(refuse)?;
            }
            Effect::Rebuild => {
                options::check_memory(self.settings.hash, changed.hash)?;
                self.desk.rebuild();
                if changed.hash != self.settings.hash
                    && let Err(error) = self.desk.prepare(&changed)
                {
                    self.desk.rebuild();
                    return Err(error);
                }
            }
        }
        self.settings = changed;
        Ok(())
    }

    fn answer(&self, query: Query) {
        let outcome = self.desk.outcome();
        let answer = match query {
            Query::GameOver => outcome.is_some().to_string(),
            Query::P1Turn => (self.desk.side() == Side::P1).to_string(),
            Query::Result => reply::result_word(outcome).to_owned(),
        };
        self.output.say(&format!("response {answer}"));
    }

    fn show(&self) {
        let state = match self.desk.outcome() {
            None => "in play",
            outcome => reply::result_word(outcome),
        };
        self.output.say(&format!(
            "{}\nfen: {}\nstate: {state}",
            self.desk.diagram(),
            self.desk.fen()
        ));
    }

    fn go(&mut self, go: &Go<'_>) -> Result<(), EngineError> {
        if let Some(depth) = go.perft {
            return self.perft(Perft { depth, divide: true });
        }
        let control = SearchControl::new(go.ponder, !go.is_bounded());
        let Plan { job, instant, note } = self.desk.go(go, &self.settings, self.dialect)?;
        if self.debug {
            self.output.say(&format!("info string debug: {note}"));
        }
        self.perform(job, instant, control, go.is_bounded())
    }

    /// Does a job: here and now if it is done at once and may be told, else beside the loop.
    fn perform(
        &mut self,
        job: Job,
        instant: bool,
        control: SearchControl,
        bounded: bool,
    ) -> Result<(), EngineError> {
        if instant && !control.is_gated() {
            job(&self.voice(Arc::new(control)));
            return Ok(());
        }
        self.start(job, control, bounded)
    }

    fn perft(&mut self, perft: Perft) -> Result<(), EngineError> {
        let job = self.desk.perft_job(perft, self.settings.threads);
        self.start(job, SearchControl::default(), true)
    }

    fn voice(&self, control: Arc<SearchControl>) -> Voice {
        Voice::new(self.output.clone(), control, self.dialect, &self.settings)
    }

    /// Runs a job beside the loop.
    fn start(
        &mut self,
        job: Job,
        control: SearchControl,
        bounded: bool,
    ) -> Result<(), EngineError> {
        let control = Arc::new(control);
        let voice = self.voice(Arc::clone(&control));
        let answered = voice.answered();
        let work = move || {
            // Should the search have a fault, the client must still not wait for ever.
            if catch_unwind(AssertUnwindSafe(|| job(&voice))).is_err() {
                tracing::error!("a search failed");
                voice.conclude(
                    "info string error: internal fault, the search gave up\nbestmove (none)",
                );
            }
        };
        let builder = std::thread::Builder::new().name("search".to_owned());
        let thread = builder.spawn(work).map_err(EngineError::Thread)?;
        self.running = Some(Running { control, answered, thread, bounded });
        Ok(())
    }

    /// Clears away a search that has answered.
    fn reap(&mut self) {
        let answered = |running: &mut Running| running.answered.load(Ordering::Acquire);
        if let Some(running) = self.running.take_if(answered) {
            self.join(running.thread);
        }
    }

    fn join(&self, thread: JoinHandle<()>) {
        if thread.join().is_err() {
            tracing::error!("a search thread failed");
        }
    }

    /// Stops the search and sees its answer out, so that the next command finds the engine idle.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            self.join(running.thread);
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(running) = &mut self.running {
            running.control.ponder_hit();
        }
    }

    /// Ends without a word: a search that still runs is not waited for.
    fn quit(&mut self) -> bool {
        self.output.mute();
        if let Some(running) = self.running.take() {
            running.control.stop();
        }
        false
    }
}

/// The commands that are answered during a search.
fn is_for_searching(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Debug(_)
            | Command::Query(_)
            | Command::Show
            | Command::Fen
            | Command::Legal
    )
}
