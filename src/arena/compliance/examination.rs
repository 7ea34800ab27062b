//! The examination: the engine, what is said to it and heard from it, and what is known so far.
//!
//! Steps speak through the methods here, so that everything said is on record, every wait has an
//! end, and a failure is told in the same words wherever it comes up.

use std::time::{Duration, Instant};

use super::Terms;
use super::exchange::Exchange;
use super::greeting::Greeting;
use super::lines::BestLine;
use crate::arena::player;
use crate::arena::process::{self, Process, WaitError};
use crate::arena::referee::{RefereeBoard, Rules};
use crate::arena::setup::Protocol;
use crate::rules::quote;

/// Why a step does not simply hold.
#[derive(Debug)]
pub(super) enum Departure {
    /// The engine does not do what it should.
    Fail {
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// The step cannot be taken with this engine; why.
    Skip(String),
    /// Somebody wants to stop.
    Interrupted,
}

impl Departure {
    pub(super) fn fail(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Fail { expected: expected.into(), found: found.into() }
    }

    pub(super) fn skip(why: impl Into<String>) -> Self {
        Self::Skip(why.into())
    }
}

/// What comes of a step.
pub(super) type Verdict<T = ()> = Result<T, Departure>;

/// A search that was answered.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// The lines before the answer.
    pub(super) lines: Vec<String>,
    /// The `bestmove` line.
    pub(super) best: String,
    /// The time from the question to the answer.
    pub(super) taken: Duration,
}

impl Search {
    /// The answer, taken apart.
    pub(super) fn answer(&self) -> BestLine<'_> {
        BestLine::read(&self.best)
    }
}

/// A step.
pub(super) struct Step {
    /// What it is about.
    pub(super) name: &'static str,
    /// What the protocol wants there.
    pub(super) expected: &'static str,
    /// Whether an engine must be running; the first step starts it.
    pub(super) needs_engine: bool,
    /// Finds out whether it is so.
    pub(super) perform: fn(&mut Examination<'_>) -> Verdict,
}

/// A step for which an engine must be running.
pub(super) const fn step(
    name: &'static str,
    expected: &'static str,
    perform: fn(&mut Examination<'_>) -> Verdict,
) -> Step {
    Step { name, expected, needs_engine: true, perform }
}

/// An engine under examination.
pub(super) struct Examination<'a> {
    pub(super) terms: &'a Terms<'a>,
    process: Option<Process>,
    exchange: Exchange,
    /// What it said at the first handshake.
    pub(super) greeting: Greeting,
    /// The search that several steps look at.
    pub(super) searched: Option<Search>,
    /// Why it cannot be used any more.
    lost: Option<String>,
}

impl<'a> Examination<'a> {
    pub(super) fn new(terms: &'a Terms<'a>) -> Self {
        Self {
            terms,
            process: None,
            exchange: Exchange::default(),
            greeting: Greeting::default(),
            searched: None,
            lost: None,
        }
    }

    /// Does a step, with an engine that is ready for it.
    pub(super) fn perform(&mut self, step: &Step) -> Verdict {
        if step.needs_engine && self.process.is_none() {
            self.restart()?;
        }
        let verdict = (step.perform)(self);
        if matches!(verdict, Err(Departure::Fail { .. })) {
            self.process = None;
        }
        verdict
    }

    /// The lines and the remarks of the step that was done.
    pub(super) fn take_notes(&mut self) -> (Vec<String>, Vec<String>) {
        self.exchange.take()
    }

    /// Starts the engine, for its first handshake or again.
    pub(super) fn start(&mut self) -> Verdict {
        let process = Process::start(self.terms.engine).map_err(|error| {
            let reason =
                format!("it cannot be started: {error} ({})", quote(&self.terms.engine.cmd));
            self.lost = Some(reason.clone());
            Departure::fail("a program that can be started", reason)
        })?;
        self.process = Some(process);
        Ok(())
    }

    /// After a failure: starts it again and makes it ready. Nothing but `readyok` is asked of it,
    /// as everything else has a step of its own. Where that does not come either, the engine is
    /// lost for the steps that are left, lest each of them wait in vain.
    fn restart(&mut self) -> Verdict {
        if let Some(why) = &self.lost {
            return Err(Departure::skip(why.clone()));
        }
        self.start()?;
        let greeting = self.greeting_word();
        self.say(greeting);
        for command in self.setup_commands().unwrap_or_default() {
            self.say(&command);
        }
        match self.ready() {
            Ok(_) => {
                // What was said is no part of the step.
                self.exchange.take();
                Ok(())
            }
            Err(Departure::Fail { found, .. }) => {
                self.process = None;
                let why = format!("the engine does not come up again: {found}");
                self.lost = Some(why.clone());
                Err(Departure::skip(why))
            }
            Err(other) => Err(other),
        }
    }

    /// The word of the handshake.
    pub(super) fn greeting_word(&self) -> &'static str {
        self.by_protocol("uci", "ugi")
    }

    /// What is said after the handshake: the game and the options of the setup.
    pub(super) fn setup_commands(&self) -> Result<Vec<String>, String> {
        let Terms { engine, rules, .. } = self.terms;
        player::setup_commands(engine, &rules.names(), self.greeting.variants())
    }

    /// The word of the protocol that is spoken.
    pub(super) fn by_protocol<T>(&self, uci: T, ugi: T) -> T {
        match self.terms.engine.proto {
            Protocol::Uci => uci,
            Protocol::Ugi => ugi,
        }
    }

    /// Leaves a step out where the protocol is not this one.
    pub(super) fn only_in(&self, proto: Protocol, why: &str) -> Verdict {
        match self.terms.engine.proto == proto {
            true => Ok(()),
            false => Err(Departure::skip(why)),
        }
    }

    /// Leaves a step out where only the engine knows the rules.
    pub(super) fn rules_known(&self) -> Verdict {
        match self.terms.rules {
            Rules::Known(_) => Ok(()),
            Rules::EngineDefined => Err(Departure::skip("only the engine knows the rules")),
        }
    }

    /// Says a line.
    pub(super) fn say(&mut self, line: &str) {
        self.exchange.note('>', line);
        if let Some(process) = &self.process {
            process.send_line(line);
        }
    }

    /// Says bytes that are no proper line; a line end follows them.
    pub(super) fn say_bytes(&mut self, bytes: &[u8]) {
        self.exchange.note('>', &String::from_utf8_lossy(bytes));
        if let Some(process) = &self.process {
            process.send_bytes([bytes, b"\n"].concat());
        }
    }

    /// Something that is no fault but worth knowing.
    pub(super) fn remark(&mut self, remark: impl Into<String>) {
        self.exchange.remark(remark.into());
    }

    /// Waits until `answer` finds what is awaited in a line, and tells it.
    pub(super) fn await_line<T>(
        &mut self,
        what: &str,
        time: Duration,
        answer: impl FnMut(&str) -> Option<T>,
    ) -> Verdict<T> {
        self.await_timed(what, time, answer).map(|(found, _)| found)
    }

    /// Waits until `answer` finds what is awaited, and tells when it came.
    fn await_timed<T>(
        &mut self,
        what: &str,
        time: Duration,
        answer: impl FnMut(&str) -> Option<T>,
    ) -> Verdict<(T, Instant)> {
        let expected = format!("{what} within {}s", time.as_secs_f64());
        match self.hear(time, answer)? {
            Some(found) => Ok(found),
            None => Err(Departure::fail(expected, format!("no {what}"))),
        }
    }

    /// Listens for so long; `None` if what is listened for does not come.
    pub(super) fn hear<T>(
        &mut self,
        time: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Verdict<Option<(T, Instant)>> {
        let Self { process, exchange, terms, .. } = self;
        let Some(process) = process else {
            return Err(Departure::fail("a running engine", "it has ended"));
        };
        let heard = process.wait_for(time, terms.stop, |line, _| {
            exchange.note('<', line);
            if process::is_unknown_line(line) {
                exchange.remark_strange(line);
            }
            answer(line)
        });
        match heard {
            Ok(found) => Ok(Some(found)),
            Err(WaitError::Late) => Ok(None),
            Err(WaitError::Interrupted) => Err(Departure::Interrupted),
            Err(WaitError::Garbage(what)) => {
                exchange.note('<', &what);
                let expected = "lines of UTF-8, at most 65536 bytes long";
                Err(Departure::fail(expected, format!("it said {what}")))
            }
            Err(WaitError::Ended) => {
                let mut found = format!("it {}", process.exit_reason());
                if let Some(words) = process.stderr_tail() {
                    found.push_str(&format!(", its last words: {}", quote(&words)));
                }
                Err(Departure::fail("that it goes on", found))
            }
        }
    }

    /// `isready`: what it says before it is ready.
    pub(super) fn ready(&mut self) -> Verdict<Vec<String>> {
        self.say("isready");
        let mut lines = Vec::new();
        self.await_line("readyok", self.terms.patience, |line| {
            lines.push(line.to_owned());
            (line.trim_end() == "readyok").then_some(())
        })?;
        lines.pop();
        Ok(lines)
    }

    /// Says a line that has no answer, and sees that none comes. Text is no answer, nor are words
    /// of no protocol; but a complaint is one.
    pub(super) fn say_unanswered(&mut self, line: &str) -> Verdict {
        const COMPLAINTS: [&str; 4] = ["error", "unknown", "no such", "invalid"];
        self.say(line);
        for said in self.ready()? {
            let text = said.to_ascii_lowercase();
            let complains = COMPLAINTS.iter().any(|word| text.contains(word));
            let is_text = said.starts_with("info") || process::is_unknown_line(&said);
            if complains || (!is_text && !said.trim().is_empty()) {
                return Err(Departure::fail(format!("no answer to {}", quote(line)), quote(&said)));
            }
            self.remark(format!("says {} to {}", quote(&said), quote(line)));
        }
        Ok(())
    }

    /// The time within which something is done at once.
    pub(super) fn at_once(&self) -> Duration {
        const MOMENT: Duration = Duration::from_millis(500);
        (MOMENT + self.terms.engine.margin()).min(self.terms.patience)
    }

    /// Puts up a position and has it searched.
    pub(super) fn search(&mut self, board: &RefereeBoard, go: &str) -> Verdict<Search> {
        self.say(&board.position_command());
        self.say(go);
        self.await_best(self.terms.patience)
    }

    /// As [`Self::search`], and the move must be legal.
    pub(super) fn search_legally(&mut self, board: &RefereeBoard, go: &str) -> Verdict<Search> {
        let search = self.search(board, go)?;
        check_move(board, &search)?;
        Ok(search)
    }

    /// Waits for the answer to a search.
    pub(super) fn await_best(&mut self, time: Duration) -> Verdict<Search> {
        let began = Instant::now();
        let mut lines = Vec::new();
        let (best, at) = self.await_timed("bestmove", time, |line| {
            let is_best = line.split_whitespace().next() == Some("bestmove");
            if !is_best {
                lines.push(line.to_owned());
            }
            is_best.then(|| line.to_owned())
        })?;
        Ok(Search { lines, best, taken: at.saturating_duration_since(began) })
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.exchange.note('>', "(end of input)");
        if let Some(process) = &mut self.process {
            process.close_input();
        }
    }

    /// Sees that the engine ends by itself.
    pub(super) fn await_end(&mut self) -> Verdict {
        let (patience, stop) = (self.terms.patience, self.terms.stop);
        let ended =
            self.process.take().is_none_or(|mut process| process.exits_within(patience, stop));
        if !ended {
            let expected = format!("that it ends within {}s", patience.as_secs_f64());
            return Err(Departure::fail(expected, "it goes on"));
        }
        Ok(())
    }
}

/// Sees that the answer is a legal move; in a game that only the engine knows, that it is a move.
pub(super) fn check_move(board: &RefereeBoard, search: &Search) -> Verdict {
    let wrong = match search.answer().mv {
        None => quote(&search.best),
        Some(mv) => match board.check(mv) {
            Ok(()) => return Ok(()),
            Err(why) => format!("{}: {why}", quote(&search.best)),
        },
    };
    let expected = match board.legal() {
        Some(legal) => format!("a legal move, one of: {}", legal.join(" ")),
        None => "a move".to_owned(),
    };
    Err(Departure::fail(expected, wrong))
}
