//! The program as a CodinGame bot: reads turns, thinks and answers.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::options::{self, OptionPolicy};
use crate::platform::{JobThread, JobWaiter};
use crate::protocol::codingame::{InputPlace, RowColumn, TurnError, TurnReader};
use crate::rules::Notation;
use crate::search::{Limits, SearchControl, TimeBudget};
use crate::thinking::{
    AnyGame, CodingameBoard, EngineError, GameSpec, Report, SearchRequest, Settings,
};

#[derive(Debug, Clone)]
pub struct BotConfig {
    pub game: &'static GameSpec,
    pub first_time: Duration,
    pub turn_time: Duration,
    /// The part of each limit to keep in reserve; `None` for the default.
    pub fixed_margin: Option<Duration>,
    pub started: Instant,
    /// Options of the engine to set, in this order.
    pub options: Vec<(String, String)>,
}

impl BotConfig {
    /// Returns the part of a limit to keep in reserve. On a busy machine both the bot and its referee
    /// wait for a core, so the reserve grows with the `delay` of earlier wake-ups.
    fn margin(&self, limit: Duration, delay: Duration) -> Duration {
        const SHORT_LIMIT_MARGIN: Duration = Duration::from_millis(30);
        let minimum = (limit / 3).min(SHORT_LIMIT_MARGIN).max(limit / 10);
        self.fixed_margin.unwrap_or((3 * delay).min(2 * limit / 3).max(minimum))
    }

    /// Returns the schedule of a turn. A line that was read at once may have arrived earlier, so its time
    /// counts from the earliest moment at which it can have been sent: the start of the program or its
    /// last answer.
    fn schedule(&self, turn: &TurnArrival, delay: Duration) -> TurnSchedule {
        let (limit, at_once) = match turn.number {
            1 => (self.first_time, TurnArrival::AT_ONCE_AFTER_START),
            _ => (self.turn_time, TurnArrival::AT_ONCE),
        };
        let waited = turn.received - turn.waiting;
        let began = if waited < at_once { turn.earliest } else { turn.received };
        let margin = self.margin(limit, delay);
        TurnSchedule {
            search_end: began + limit.saturating_sub(margin),
            answer_by: began + limit.saturating_sub(margin / 2),
        }
    }
}

/// When the first line of a turn arrived.
#[derive(Debug, Clone, Copy)]
struct TurnArrival {
    /// The number of the turn, from 1.
    number: u32,
    /// The earliest time at which it can have been sent.
    earliest: Instant,
    /// When the bot began to wait for it.
    waiting: Instant,
    /// When the bot had read it.
    received: Instant,
}

impl TurnArrival {
    /// A line that is read sooner has probably been sent before.
    const AT_ONCE: Duration = Duration::from_millis(1);
    /// The same for the first turn: the referee may be starting, too.
    const AT_ONCE_AFTER_START: Duration = Duration::from_millis(50);
}

/// When to do what in a turn.
#[derive(Debug, Clone, Copy)]
struct TurnSchedule {
    /// When the search ends.
    search_end: Instant,
    /// When to answer at the latest, even if the search has not ended. On a busy machine a thread
    /// that was asleep gets a core sooner than the search, which has used up its share.
    answer_by: Instant,
}

/// Why a bot cannot continue its game.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    #[error(transparent)]
    Turn(#[from] TurnError),
    #[error("{place}: illegal opponent move {mv} ({square}), expected {expected}")]
    IllegalMove { place: InputPlace, mv: RowColumn, square: String, expected: String },
    /// An option is invalid or its memory cannot be allocated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Plays a game as a bot, until the game is over. `warn` is called with a message if the listed legal
/// moves are not those of the rules; the bot then chooses among the moves that are both, or among all
/// legal ones if there is none.
///
/// # Errors
/// Fails if an option or a line of the input is invalid, the opponent's move is illegal or the input
/// ends before the game does.
pub fn run_bot(
    input: impl BufRead,
    mut output: impl Write,
    mut warn: impl FnMut(&str),
    config: &BotConfig,
) -> Result<(), BotError> {
    let mut bot = Bot::new(config)?;
    let mut turns = TurnReader::new(input);
    let mut earliest = config.started;
    while !bot.is_over() {
        let waiting = Instant::now();
        let opponent = turns.opponent_move()?;
        let (number, received) = (turns.place().turn, Instant::now());
        let arrival = TurnArrival { number, earliest, waiting, received };
        let schedule = config.schedule(&arrival, bot.delays.longest());
        if let Some(mv) = opponent {
            bot.play_opponent(mv, turns.place())?;
            if bot.is_over() {
                break;
            }
        }
        let listed = turns.legal_moves()?;
        let legal = bot.legal_moves();
        if let Some(difference) = difference(&legal, &listed) {
            warn(&format!("{}: {difference}", turns.place()));
        }
        let listed: Vec<_> = legal.iter().copied().filter(|mv| listed.contains(mv)).collect();
        let mv = bot.choose(if listed.is_empty() { &legal } else { &listed }, schedule)?;
        writeln!(output, "{mv}")?;
        output.flush()?;
        earliest = Instant::now();
        bot.stop_search();
        bot.play(mv)?;
    }
    Ok(())
}

/// A game in progress.
struct Bot {
    board: CodingameBoard,
    settings: Settings,
    game: Box<dyn AnyGame>,
    thread: JobThread,
    /// A search that has been answered, but has perhaps not ended.
    running: Option<(Arc<SearchControl>, JobWaiter)>,
    delays: WakeUpDelays,
}

impl Bot {
    fn new(config: &BotConfig) -> Result<Self, EngineError> {
        let board = CodingameBoard::of_game(config.game)?;
        let mut settings = config.game.settings();
        for (name, value) in &config.options {
            options::set(&mut settings, name, value, OptionPolicy::default())?;
        }
        // The hash table is allocated and the search thread started before the first turn.
        let (mut game, mut thread) = (config.game.open(), JobThread::default());
        game.configure(&settings);
        game.prepare(&settings.request())?;
        thread.start().map_err(EngineError::Thread)?;
        Ok(Self { board, settings, game, thread, running: None, delays: WakeUpDelays::default() })
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn legal_moves(&self) -> Vec<RowColumn> {
        self.board.places_of(&self.game.legal_moves(Notation::Own))
    }

    fn play(&mut self, mv: RowColumn) -> Result<(), EngineError> {
        self.game.play_moves(&[self.board.name_of(mv)])
    }

    fn play_opponent(&mut self, mv: RowColumn, place: InputPlace) -> Result<(), BotError> {
        let legal = self.legal_moves();
        if !legal.contains(&mv) {
            let square = self.board.name_of(mv).to_owned();
            let expected = format!("one of {}", shorten(&legal));
            return Err(BotError::IllegalMove { place, mv, square, expected });
        }
        Ok(self.play(mv)?)
    }

    /// Searches for the best of these moves.
    fn choose(
        &mut self,
        moves: &[RowColumn],
        schedule: TurnSchedule,
    ) -> Result<RowColumn, EngineError> {
        let time = schedule.search_end.saturating_duration_since(Instant::now());
        let request = SearchRequest {
            moves: moves.iter().map(|mv| self.board.name_of(*mv).to_owned()).collect(),
            limits: Limits { budget: TimeBudget::fixed(time), ..Limits::default() },
            notation: Notation::Own,
            ..self.settings.request()
        };
        let search = self.game.prepare(&request)?;
        let (control, thought) = (Arc::new(SearchControl::default()), Arc::new(Thought::default()));
        let shared = (Arc::clone(&control), Arc::clone(&thought));
        let work = move || {
            let (control, thought) = shared;
            let mut progress = |report: &Report| thought.set(report, false);
            // Without an answer the bot has a fallback.
            let run = || search.run(&control, &mut progress);
            if let Ok(Ok(report)) = catch_unwind(AssertUnwindSafe(run)) {
                thought.set(&report, true);
            }
        };
        let end = self.thread.run(work).map_err(EngineError::Thread)?;
        self.running = Some((control, end));
        self.delays.begin_turn();
        let best = thought.wait(schedule.answer_by, &mut self.delays);
        // The first move is a fallback for a search that has failed or not begun.
        Ok(best.and_then(|square| self.board.place_of(&square)).unwrap_or(moves[0]))
    }

    /// Stops a search that has not ended in time.
    fn stop_search(&mut self) {
        if let Some((control, end)) = self.running.take() {
            control.stop();
            end.wait();
        }
    }
}

/// The best move that a search has found so far, and whether it is the answer.
#[derive(Default)]
struct Thought {
    best: Mutex<(Option<String>, bool)>,
    changed: Condvar,
}

impl Thought {
    fn lock(&self) -> MutexGuard<'_, (Option<String>, bool)> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, report: &Report, is_answer: bool) {
        *self.lock() = (report.best_move(), is_answer);
        self.changed.notify_all();
    }

    /// Waits for the answer and records how late the thread wakes up meanwhile. If the answer does not
    /// come in time, returns the best move so far, if there is one.
    fn wait(&self, deadline: Instant, delays: &mut WakeUpDelays) -> Option<String> {
        /// The time between two samples of the delay.
        const SAMPLE_INTERVAL: Duration = Duration::from_millis(5);
        let mut best = self.lock();
        loop {
            let now = Instant::now();
            let wake_up = deadline.min(now + SAMPLE_INTERVAL);
            if best.1 || wake_up <= now {
                return best.0.clone();
            }
            best = self
                .changed
                .wait_timeout(best, wake_up - now)
                .map_or_else(|error| error.into_inner().0, |(best, _)| best);
            delays.record(wake_up.elapsed());
        }
    }
}

/// How late the bot's thread woke up in the last turns: short on a quiet machine, long on a busy one.
#[derive(Debug, Default)]
struct WakeUpDelays {
    /// The longest delay of each of the last turns, as a ring buffer.
    by_turn: [Duration; Self::TURNS],
    turn: usize,
}

impl WakeUpDelays {
    /// The number of turns that count.
    const TURNS: usize = 10;

    fn begin_turn(&mut self) {
        self.turn = (self.turn + 1) % Self::TURNS;
        self.by_turn[self.turn] = Duration::ZERO;
    }

    fn record(&mut self, delay: Duration) {
        let longest = &mut self.by_turn[self.turn];
        *longest = delay.max(*longest);
    }

    fn longest(&self) -> Duration {
        self.by_turn.into_iter().max().unwrap_or_default()
    }
}

/// Describes how the listed moves differ from the legal ones; `None` if they are the same.
fn difference(legal: &[RowColumn], listed: &[RowColumn]) -> Option<String> {
    let missing: Vec<_> = legal.iter().copied().filter(|mv| !listed.contains(mv)).collect();
    let extra: Vec<_> = listed.iter().copied().filter(|mv| !legal.contains(mv)).collect();
    let parts = [("missing", missing), ("illegal", extra)];
    let parts = parts.into_iter().filter(|(_, moves)| !moves.is_empty());
    let parts: Vec<_> = parts.map(|(what, moves)| format!("{what}: {}", shorten(&moves))).collect();
    (!parts.is_empty())
        .then(|| format!("the listed moves are not the legal moves; {}", parts.join("; ")))
}

/// Lists moves, only the first ones of many.
fn shorten(moves: &[RowColumn]) -> String {
    const SHOWN: usize = 9;
    let names: Vec<_> = moves.iter().take(SHOWN).map(RowColumn::to_string).collect();
    let listed = names.join(", ");
    match moves.len().saturating_sub(SHOWN) {
        0 => listed,
        hidden => format!("{listed} and {hidden} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{PvLine, Score};
    use crate::thinking::registry::games;

    #[test]
    fn a_search_that_overruns_is_answered_with_its_principal_variation() {
        let thought = Thought::default();
        let soon = || Instant::now() + Duration::from_millis(20);
        let wait = |until| thought.wait(until, &mut WakeUpDelays::default());
        let report = |mv: &str| {
            let line = PvLine::new(Score::Estimate(3), vec![mv.to_owned(), "b2".to_owned()]);
            Report { lines: vec![line], ..Report::default() }
        };
        assert_eq!(wait(soon()), None);
        thought.set(&report("c3"), false);
        assert_eq!(wait(soon()).as_deref(), Some("c3"));
        thought.set(&report("e5"), true);
        let late = Instant::now() + Duration::from_secs(3600);
        assert_eq!(wait(late).as_deref(), Some("e5"));
    }

    #[test]
    fn the_longest_delay_of_the_last_turns_counts() {
        let ms = Duration::from_millis;
        let mut delays = WakeUpDelays::default();
        assert_eq!(delays.longest(), Duration::ZERO);
        for delay in [3, 20, 1] {
            delays.begin_turn();
            delays.record(ms(delay));
            delays.record(ms(1));
        }
        assert_eq!(delays.longest(), ms(20));
        for _ in 0..8 {
            delays.begin_turn();
            delays.record(ms(2));
        }
        assert_eq!(delays.longest(), ms(20));
        delays.begin_turn();
        assert_eq!(delays.longest(), ms(2));
    }

    #[test]
    fn a_turn_that_was_read_at_once_counts_from_when_it_may_have_been_sent() {
        let ms = Duration::from_millis;
        let started = Instant::now();
        let mut config = BotConfig {
            game: &games()[0],
            first_time: ms(1000),
            turn_time: ms(100),
            fixed_margin: None,
            started,
            options: Vec::new(),
        };
        let delayed = |config: &BotConfig, number, waiting, received, delay| {
            let (waiting, received) = (started + ms(waiting), started + ms(received));
            let arrival = TurnArrival { number, earliest: started, waiting, received };
            let schedule = config.schedule(&arrival, ms(delay));
            [schedule.search_end, schedule.answer_by].map(|at| (at - started).as_micros())
        };
        let schedule = |config: &BotConfig, turn, waiting, received| {
            delayed(config, turn, waiting, received, 2)
        };
        assert_eq!(schedule(&config, 1, 30, 31), [900_000, 950_000]);
        assert_eq!(schedule(&config, 1, 30, 700), [1_600_000, 1_650_000]);
        assert_eq!(schedule(&config, 2, 30, 31), [101_000, 116_000]);
        assert_eq!(delayed(&config, 2, 30, 31, 20), [71_000, 101_000]);
        assert_eq!(delayed(&config, 2, 30, 31, 200), [64_333, 97_666]);
        config.turn_time = ms(30);
        assert_eq!(schedule(&config, 2, 7, 7), [20_000, 25_000]);
        config.fixed_margin = Some(ms(4));
        assert_eq!(delayed(&config, 2, 0, 0, 200), [26_000, 28_000]);
    }

    #[test]
    fn squares_are_named_from_the_top_left() {
        let spec = &games()[0];
        let board = CodingameBoard::of_game(spec).unwrap();
        for (square, row, column) in [("a9", 0, 0), ("i9", 0, 8), ("a1", 8, 0), ("d8", 1, 3)] {
            let place = RowColumn { row, column };
            assert_eq!((board.place_of(square), board.name_of(place)), (Some(place), square));
        }
        assert_eq!(board.place_of("j1"), None);
    }
}
