//! The host: asks what is to be played, keeps the game going, answers commands.
//!
//! Nothing that is typed ends the program but `quit`, the end of input and a confirmed Ctrl-C. What
//! cannot be done is said, and asked again.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Instant;

use super::console::{Console, Heard};
use super::entry::{self, Entry, choose};
use super::messages::{Blunder, Message};
use super::review::{Turn, score, turns};
use super::screen::Screen;
use super::sitting::{Seat, Sitting, level_of};
use super::text::{Line, wrap};
use super::wishes::{First, Wishes};
use crate::arena::record::pgn::PgnReader;
use crate::engine::{Assessment, EngineError, ThinkOptions, registry};
use crate::rules::{MoveError, Outcome, quote};
use crate::search::SearchControl;

/// Why a person cannot be received.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The position to begin with is none.
    #[error(transparent)]
    Position(#[from] EngineError),
    /// The console is gone.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Whether the person stays.
enum Next {
    Stay,
    Leave,
}

/// Receives a person.
pub struct Host<'a, C> {
    console: &'a mut C,
    wishes: Wishes,
    /// How many games were begun.
    games: u64,
    sitting: Sitting,
    /// When the person's turn began.
    since: Instant,
    /// The file of this game, which may be written again.
    file: Option<String>,
    /// Whether the end of this game was told.
    told: bool,
}

impl<'a, C: Console> Host<'a, C> {
    /// A host with a game on the board.
    ///
    /// # Errors
    /// When it cannot begin as it is wished.
    pub fn new(console: &'a mut C, wishes: Wishes) -> Result<Self, PlayError> {
        let (sitting, _) = wishes.deal(wishes.game, wishes.seed)?;
        Ok(Self {
            console,
            wishes,
            games: 0,
            sitting,
            since: Instant::now(),
            file: None,
            told: false,
        })
    }

    /// Plays until the person leaves.
    ///
    /// # Errors
    /// When the console is gone.
    pub fn run(mut self) -> Result<(), PlayError> {
        let next = self.receive()?;
        if let Next::Stay = next {
            while let Next::Stay = self.turn()? {}
        }
        self.say(Message::Bye)?;
        Ok(())
    }

    /// Asks what was not said, and begins.
    fn receive(&mut self) -> Result<Next, PlayError> {
        const PERSON: &[(&[&str], bool)] = &[
            (&["engine", "e", "电脑", "zermelo"], false),
            (&["person", "p", "human", "h", "真人", "人"], true),
        ];
        const FIRST: &[(&[&str], First)] = &[
            (&["me", "m", "i", "我"], First::Me),
            (&["engine", "e", "电脑", "zermelo"], First::Engine),
        ];
        self.say(Message::Title(self.wishes.game.id))?;
        if self.wishes.against_person.is_none() {
            let Some(answer) = self.question(Message::AskOpponent, PERSON)? else {
                return Ok(Next::Leave);
            };
            self.wishes.against_person = Some(answer);
        }
        if self.wishes.against_person == Some(false) && self.wishes.first.is_none() {
            let Some(answer) = self.question(Message::AskFirst, FIRST)? else {
                return Ok(Next::Leave);
            };
            self.wishes.first = Some(answer);
        }
        self.say(Message::HowToMove(self.wishes.game.id))?;
        self.begin(self.wishes.game)?;
        Ok(Next::Stay)
    }

    /// Puts up a new game; each has another seed.
    fn begin(&mut self, game: &'static registry::GameEntry) -> Result<(), PlayError> {
        let seed = self.wishes.seed.wrapping_add(self.games);
        self.games += 1;
        let (sitting, random) = self.wishes.deal(game, seed)?;
        self.sitting = sitting;
        self.file = None;
        self.told = false;
        if let Some(seed) = random {
            self.say(Message::Seed(seed))?;
        }
        self.show()
    }

    /// One move, or what else the person wants.
    fn turn(&mut self) -> Result<Next, PlayError> {
        if self.is_over() {
            if !self.told {
                self.tell_end()?;
                self.told = true;
            }
            return self.after_the_end();
        }
        self.told = false;
        match self.sitting.seat() {
            Seat::Engine => self.engine_moves(),
            Seat::Person => {
                let words: Vec<String> =
                    entry::commands(self.wishes.language).chain(self.sitting.legal()).collect();
                let prompt = self.text(Message::Prompt);
                match self.hear(&prompt, &words)? {
                    None => Ok(Next::Leave),
                    Some(line) => self.obey(&line),
                }
            }
        }
    }

    /// A finished game may be taken up again, saved, left.
    fn after_the_end(&mut self) -> Result<Next, PlayError> {
        const ANOTHER: &[(&[&str], bool)] =
            &[(&["yes", "y", "是", "好"], true), (&["no", "n", "否", "不"], false)];
        let words: Vec<String> = entry::commands(self.wishes.language).collect();
        let prompt = self.text(Message::AskAnother);
        let Some(line) = self.hear(&prompt, &words)? else { return Ok(Next::Leave) };
        match choose(&line, ANOTHER) {
            Some(false) => Ok(Next::Leave),
            Some(true) => {
                self.begin(self.sitting.game)?;
                Ok(Next::Stay)
            }
            None => self.obey(&line),
        }
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Result<Next, PlayError> {
        match Entry::of(line) {
            Entry::Quit => return Ok(Next::Leave),
            Entry::Empty | Entry::Board => self.show()?,
            Entry::Hint | Entry::Eval | Entry::Moves | Entry::Flip if self.is_over() => {
                self.say(Message::GameOver)?;
            }
            Entry::Hint => self.hint()?,
            Entry::Eval => self.eval()?,
            Entry::Undo => {
                let count = self.sitting.undo()?;
                self.moved(count, Message::NothingToUndo, Message::Undone(count))?;
            }
            Entry::Redo => {
                let count = self.sitting.redo()?;
                self.moved(count, Message::NothingToRedo, Message::Redone(count))?;
            }
            Entry::Flip if self.sitting.is_between_persons() => self.say(Message::NothingToFlip)?,
            Entry::Flip => {
                self.sitting.seats.swap(0, 1);
                self.say(Message::Flipped)?;
                self.show()?;
            }
            Entry::Moves => {
                let legal = self.sitting.legal();
                self.say(Message::Moves(&legal))?;
            }
            Entry::Level("") => self.say(Message::LevelIs(self.wishes.level))?,
            Entry::Level(text) => match text.parse() {
                Ok(level) if level <= ThinkOptions::MAX_SKILL => {
                    self.wishes.level = level;
                    self.say(Message::Level(level))?;
                }
                _ => self.say(Message::NoLevel(&quote(text)))?,
            },
            Entry::Save("") => self.say(Message::NoFile("save"))?,
            Entry::Load("") => self.say(Message::NoFile("load"))?,
            Entry::Save(path) => return self.save(path),
            Entry::Load(path) => self.load(path)?,
            Entry::New => {
                self.begin(self.sitting.game)?;
            }
            Entry::Help => {
                self.say(Message::HowToMove(self.sitting.game.id))?;
                self.say(Message::Commands)?;
            }
            Entry::Other(text) => self.person_moves(text)?,
        }
        Ok(Next::Stay)
    }

    fn moved(
        &mut self,
        count: usize,
        none: Message<'_>,
        some: Message<'_>,
    ) -> Result<(), PlayError> {
        if count == 0 {
            return self.say(none);
        }
        self.say(some)?;
        self.show()
    }

    fn person_moves(&mut self, text: &str) -> Result<(), PlayError> {
        let (legal, found) = (self.sitting.legal(), quote(text));
        match self.sitting.desk.normalize_typed_move(text) {
            _ if self.is_over() => self.say(Message::IsOver(&found)),
            Ok(name) if legal.contains(&name) => {
                self.sitting.make(name, self.since.elapsed())?;
                // An answer that comes at once is shown together with the move.
                match self.sitting.seat() {
                    Seat::Engine if self.sitting.game.is_solved && !self.is_over() => Ok(()),
                    _ => self.show(),
                }
            }
            Ok(_) => self.say(Message::Illegal(&found, &legal)),
            Err(EngineError::Move(MoveError::Ambiguous { moves, .. })) => {
                self.say(Message::Ambiguous(&found, &moves))
            }
            Err(_) => self.say(Message::Unreadable(&found, &legal[0])),
        }
    }

    fn is_over(&self) -> bool {
        self.sitting.desk.outcome().is_some()
    }

    fn engine_moves(&mut self) -> Result<Next, PlayError> {
        let began = Instant::now();
        let seed = self.wishes.seed.wrapping_add(self.games);
        let terms = ThinkOptions { time: self.wishes.time, skill: self.wishes.level, seed };
        let found = self.think(&terms, Message::Thinking)?;
        match found.map(|appraisal| appraisal.line.into_iter().next()) {
            Ok(Some(mv)) => {
                self.sitting.make(mv, began.elapsed())?;
                self.show()?;
            }
            // Whatever it is, the person may go on for both sides, save the game, or leave.
            failed => {
                let reason = failed.err().map(|error| error.to_string()).unwrap_or_default();
                self.sitting.seats = [Seat::Person; 2];
                self.say(Message::CannotThink(&reason))?;
            }
        }
        Ok(Next::Stay)
    }

    fn think(
        &mut self,
        terms: &ThinkOptions,
        label: Message<'_>,
    ) -> Result<Result<Assessment, EngineError>, PlayError> {
        let control = Arc::new(SearchControl::default());
        let label = self.text(label);
        let desk = &mut self.sitting.desk;
        Ok(self.console.wait(&label, &control, || desk.assess(terms, &control))?)
    }

    fn hint(&mut self) -> Result<(), PlayError> {
        const SHOWN: usize = 6;
        match self.think(&ThinkOptions::full_strength(self.wishes.time), Message::Looking)? {
            Ok(Assessment { line, score, .. }) => {
                let shown = &line[..line.len().min(SHOWN)];
                let mv = shown.first().map_or("", String::as_str);
                self.say(Message::Hint(mv, score, shown))
            }
            Err(error) => self.say(Message::CannotThink(&error.to_string())),
        }
    }

    fn eval(&mut self) -> Result<(), PlayError> {
        match self.think(&ThinkOptions::full_strength(self.wishes.time), Message::Looking)? {
            Ok(appraisal) => self.say(Message::Eval(appraisal.score)),
            Err(error) => self.say(Message::CannotThink(&error.to_string())),
        }
    }

    fn save(&mut self, path: &str) -> Result<Next, PlayError> {
        const REPLACE: &[(&[&str], bool)] =
            &[(&["no", "n", "否"], false), (&["yes", "y", "是"], true)];
        let (named, is_ours) = (quote(path), self.file.as_deref() == Some(path));
        if !is_ours && self.console.exists(path) {
            match self.question(Message::AskReplace(&named), REPLACE)? {
                None => return Ok(Next::Leave),
                Some(false) => {
                    self.say(Message::NotSaved)?;
                    return Ok(Next::Stay);
                }
                Some(true) => {}
            }
        }
        let text = self.sitting.record(self.wishes.level).to_pgn();
        match self.console.write(path, &text) {
            Ok(()) => {
                self.file = Some(path.to_owned());
                self.say(Message::Saved(&named))?;
            }
            Err(reason) => self.say(Message::CannotSave(&named, &reason))?,
        }
        Ok(Next::Stay)
    }

    fn load(&mut self, path: &str) -> Result<(), PlayError> {
        let (named, seats) = (quote(path), self.sitting.seats);
        let read = self.console.open(path).and_then(|input| {
            // Editors leave out the empty line at the end.
            let mut games = PgnReader::new(input.chain(&b"\n\n"[..]));
            let record = games.next_game().map_err(|error| error.to_string())?;
            let sitting = record.as_ref().map(|record| Sitting::of_record(record, seats));
            let sitting = sitting.transpose().map_err(|error| error.to_string())?;
            Ok(record.zip(sitting))
        });
        match read {
            Ok(Some((record, sitting))) => {
                self.sitting = sitting;
                self.wishes.level = level_of(&record).unwrap_or(self.wishes.level);
                // It may hold more than this game: it is not ours to write.
                self.file = None;
                self.told = false;
                self.say(Message::Loaded(&named, self.sitting.game.id, self.sitting.plies()))?;
                self.show()
            }
            Ok(None) => self.say(Message::NoGame(&named)),
            Err(reason) => self.say(Message::CannotLoad(&named, &reason)),
        }
    }

    /// Who won and how, and where the game turned.
    fn tell_end(&mut self) -> Result<(), PlayError> {
        let Some(outcome) = self.sitting.desk.outcome() else { return Ok(()) };
        match outcome {
            Outcome::Win(winner) => {
                self.say(Message::Won(self.sitting.who(winner), self.sitting.game.id))?;
            }
            Outcome::Draw if self.sitting.is_repetition() => self.say(Message::Repeated)?,
            Outcome::Draw => self.say(Message::Drawn)?,
        }
        if self.sitting.plies() > 0 { self.look_over() } else { Ok(()) }
    }

    /// Tells the first move that threw something away, and the last.
    fn look_over(&mut self) -> Result<(), PlayError> {
        let mut record = self.sitting.record(self.wishes.level);
        let control = Arc::new(SearchControl::default());
        let label = self.text(Message::LookingOver);
        let time = self.wishes.time;
        let found = self.console.wait(&label, &control, || turns(&mut record, time, &control))?;
        // Who does not want to know is told nothing.
        let Ok(turns) = found else { return Ok(()) };
        if control.is_stopped() {
            return Ok(());
        }
        if turns.is_empty() {
            return self.say(Message::NothingThrownAway(self.sitting.game.is_solved));
        }
        for (number, Turn { index, right }) in turns.iter().enumerate() {
            let made = &record.moves[*index];
            let blunder = Blunder {
                is_first: number == 0,
                ply: index + 1,
                who: self.sitting.who_made(*index),
                mv: &made.mv,
                had: score(made.best),
                got: score(made.value),
                right: right.as_deref(),
            };
            self.say(Message::ThrownAway(&blunder))?;
        }
        Ok(())
    }

    /// Shows the board; from now on the person thinks.
    fn show(&mut self) -> Result<(), PlayError> {
        self.since = Instant::now();
        let screen = Screen {
            sitting: &self.sitting,
            language: self.wishes.language,
            level: self.wishes.level,
            look: self.console.look(),
        };
        Ok(self.console.say(&screen.lines())?)
    }

    fn text(&self, message: Message<'_>) -> String {
        self.wishes.language.say(&message)
    }

    fn say(&mut self, message: Message<'_>) -> Result<(), PlayError> {
        let text = self.text(message);
        let lines: Vec<Line> = text.lines().map(Line::plain).collect();
        let columns = self.console.look().columns;
        Ok(self.console.say(&wrap(&lines, columns))?)
    }

    /// Asks until one of the choices is made; `None` if the person leaves.
    fn question<T: Copy>(
        &mut self,
        message: Message<'_>,
        choices: &[(&[&str], T)],
    ) -> Result<Option<T>, PlayError> {
        let prompt = self.text(message);
        let words: Vec<String> = choices.iter().map(|(words, _)| words[0].to_owned()).collect();
        loop {
            let Some(line) = self.hear(&prompt, &words)? else { return Ok(None) };
            if let Some(choice) = choose(&line, choices) {
                return Ok(Some(choice));
            }
            if Entry::of(&line) == Entry::Quit {
                return Ok(None);
            }
            self.say(Message::NoAnswer(&quote(line.trim())))?;
        }
    }

    /// A line; `None` if the person leaves: at the end of input, or at the second Ctrl-C in a row.
    fn hear(&mut self, prompt: &str, words: &[String]) -> Result<Option<String>, PlayError> {
        let mut interrupted = false;
        loop {
            match self.console.ask(prompt, words)? {
                Heard::Line(line) => return Ok(Some(entry::narrow(&line))),
                Heard::End => return Ok(None),
                Heard::Interrupt if interrupted => return Ok(None),
                Heard::Interrupt => {
                    interrupted = true;
                    self.say(Message::ReallyQuit)?;
                }
            }
        }
    }
}
