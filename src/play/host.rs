//! The host: asks what is to be played, keeps the game going, answers commands.
//!
//! Nothing that is typed ends the program but `quit`, the end of input and a confirmed Ctrl-C. What
//! cannot be done is said, and asked again.

use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::board::{self, View};
use super::entry::{self, Entry, choose};
use super::messages::{Language, Message, Who};
use super::sitting::{Seat, Sitting};
use super::text::{Ink, Line, wrap};
use crate::arena::annotate::{annotate, first_blunder};
use crate::arena::record::pgn::Games;
use crate::arena::record::{GameRecord, Worth};
use crate::engine::{Appraisal, EngineError, Terms, registry};
use crate::protocol::Setup;
use crate::rules::picture::Layout;
use crate::rules::{Outcome, Side, quote};
use crate::search::{Control, Score};

/// How it may look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Whether there are neither colours nor, for the board, letters beyond ASCII.
    pub plain: bool,
    /// How many columns there are.
    pub columns: usize,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// There will be no more.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// Where a person is spoken to.
pub trait Console {
    /// How it looks now; a terminal may have been resized.
    fn look(&self) -> Look;

    /// Says lines.
    ///
    /// # Errors
    /// When nobody can hear them.
    fn say(&mut self, lines: &[Line]) -> io::Result<()>;

    /// Asks for a line; `words` are completed.
    ///
    /// # Errors
    /// When input cannot be read.
    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<Heard>;

    /// Does some work while the person waits, who may stop it.
    ///
    /// # Errors
    /// When the person cannot be told.
    fn wait<T: Send>(
        &mut self,
        label: &str,
        control: &Arc<Control>,
        work: impl FnOnce() -> T + Send,
    ) -> io::Result<T>;

    /// Writes a file, all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written; the text says why.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), String>;
}

/// Who makes the first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// The person.
    Me,
    /// The engine.
    Engine,
}

/// Where games begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// In the game's start; at random where the game is played so.
    Usual,
    /// In a position, or `startpos`.
    Fen(String),
    /// In one made from the seed.
    Random,
}

/// What is known before anything is asked.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// The game.
    pub game: &'static registry::Entry,
    /// Whether another person is the opponent.
    pub against_person: Option<bool>,
    /// Who makes the first move.
    pub first: Option<First>,
    /// The level of the engine.
    pub level: u32,
    /// Its time for a move.
    pub time: Duration,
    /// Where games begin.
    pub start: Start,
    /// The seed of all that is left to chance.
    pub seed: u64,
    /// The language.
    pub language: Language,
}

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
    /// The seed this game began with, where it began at random.
    random: Option<u64>,
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
        let (sitting, random) = deal(&wishes, wishes.game, wishes.seed)?;
        Ok(Self {
            console,
            wishes,
            games: 0,
            sitting,
            random,
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
    fn begin(&mut self, game: &'static registry::Entry) -> Result<(), PlayError> {
        let seed = self.wishes.seed.wrapping_add(self.games);
        self.games += 1;
        (self.sitting, self.random) = deal(&self.wishes, game, seed)?;
        self.file = None;
        self.told = false;
        if let Some(seed) = self.random {
            self.say(Message::Seed(seed))?;
        }
        self.show()
    }

    /// One move, or what else the person wants.
    fn turn(&mut self) -> Result<Next, PlayError> {
        if self.sitting.desk.outcome().is_some() {
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
                let words: Vec<String> = entry::commands().chain(self.sitting.legal()).collect();
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
        let words: Vec<String> = entry::commands().collect();
        let prompt = self.text(Message::AskAnother);
        let Some(line) = self.hear(&prompt, &words)? else { return Ok(Next::Leave) };
        match choose(&line, ANOTHER) {
            Some(false) => Ok(Next::Leave),
            Some(true) => self.obey("new"),
            None => self.obey(&line),
        }
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Result<Next, PlayError> {
        match Entry::of(line) {
            Entry::Quit => return Ok(Next::Leave),
            Entry::Empty => {}
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
            Entry::Level(text) => match text.parse() {
                Ok(level) if level <= Terms::FULL => {
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
        self.told = false;
        self.say(some)?;
        self.show()
    }

    fn person_moves(&mut self, text: &str) -> Result<(), PlayError> {
        let legal = self.sitting.legal();
        let is_over = legal.is_empty();
        match self.sitting.desk.typed_move(text) {
            Ok(name) if legal.contains(&name) => {
                self.sitting.make(name, self.since.elapsed())?;
                self.show()
            }
            Ok(name) if is_over => self.say(Message::IsOver(&name)),
            Ok(name) => self.say(Message::Illegal(&name, &legal)),
            Err(_) if is_over => self.say(Message::IsOver(&quote(text))),
            Err(_) => self.say(Message::Unreadable(&quote(text), &legal[0])),
        }
    }

    fn engine_moves(&mut self) -> Result<Next, PlayError> {
        let began = Instant::now();
        let seed = self.wishes.seed.wrapping_add(self.games);
        let terms = Terms { time: self.wishes.time, level: self.wishes.level, seed };
        match self.think(&terms)? {
            Ok(Appraisal { line, .. }) if !line.is_empty() => {
                self.sitting.make(line[0].clone(), began.elapsed())?;
                self.show()?;
                Ok(Next::Stay)
            }
            Ok(_) => Ok(Next::Leave),
            Err(error) => {
                // The person may take both sides, or leave.
                self.sitting.seats = [Seat::Person; 2];
                self.say(Message::CannotThink(&error.to_string()))?;
                Ok(Next::Stay)
            }
        }
    }

    fn think(&mut self, terms: &Terms) -> Result<Result<Appraisal, EngineError>, PlayError> {
        let control = Arc::new(Control::new(false, false));
        let label = self.text(Message::Thinking);
        let desk = &mut self.sitting.desk;
        Ok(self.console.wait(&label, &control, || desk.appraise(terms, &control))?)
    }

    fn hint(&mut self) -> Result<(), PlayError> {
        match self.think(&Terms::full(self.wishes.time))? {
            Ok(Appraisal { line, score, .. }) if !line.is_empty() => {
                const SHOWN: usize = 6;
                let shown = &line[..line.len().min(SHOWN)];
                self.say(Message::Hint(&line[0], score, shown))
            }
            Ok(Appraisal { score, .. }) => self.say(Message::Eval(score)),
            Err(error) => self.say(Message::CannotThink(&error.to_string())),
        }
    }

    fn eval(&mut self) -> Result<(), PlayError> {
        match self.think(&Terms::full(self.wishes.time))? {
            Ok(appraisal) => self.say(Message::Eval(appraisal.score)),
            Err(error) => self.say(Message::CannotThink(&error.to_string())),
        }
    }

    fn save(&mut self, path: &str) -> Result<Next, PlayError> {
        const REPLACE: &[(&[&str], bool)] =
            &[(&["no", "n", "否"], false), (&["yes", "y", "是"], true)];
        let is_ours = self.file.as_deref() == Some(path);
        if !is_ours && Path::new(path).exists() {
            match self.question(Message::AskReplace(path), REPLACE)? {
                None => return Ok(Next::Leave),
                Some(false) => {
                    self.say(Message::NotSaved)?;
                    return Ok(Next::Stay);
                }
                Some(true) => {}
            }
        }
        let text = self.sitting.record(self.wishes.level).to_pgn();
        match self.console.write(Path::new(path), &text) {
            Ok(()) => {
                self.file = Some(path.to_owned());
                self.say(Message::Saved(path))?;
            }
            Err(reason) => self.say(Message::CannotSave(path, &reason))?,
        }
        Ok(Next::Stay)
    }

    fn load(&mut self, path: &str) -> Result<(), PlayError> {
        match read(path).and_then(|record| {
            Sitting::of_record(&record, self.sitting.seats).map_err(|error| error.to_string())
        }) {
            Ok(sitting) => {
                self.sitting = sitting;
                self.file = Some(path.to_owned());
                self.told = false;
                self.say(Message::Loaded(path, self.sitting.plies()))?;
                self.show()
            }
            Err(reason) => self.say(Message::CannotLoad(path, &reason)),
        }
    }

    /// Who won and how, and where the game turned.
    fn tell_end(&mut self) -> Result<(), PlayError> {
        let Some(outcome) = self.sitting.desk.outcome() else { return Ok(()) };
        match outcome {
            Outcome::Win(winner) => {
                self.say(Message::Won(self.who(winner), self.sitting.game.id))?;
            }
            Outcome::Draw if self.sitting.is_repetition() => self.say(Message::Repeated)?,
            Outcome::Draw => self.say(Message::Drawn)?,
        }
        if self.sitting.plies() > 0 { self.look_over() } else { Ok(()) }
    }

    /// Tells the first move that threw something away.
    fn look_over(&mut self) -> Result<(), PlayError> {
        // Of the time for a move, so much for each position, and for the one where it turned.
        let [each, turn] = [self.wishes.time / 16, self.wishes.time / 2];
        let mut record = self.sitting.record(self.wishes.level);
        let control = Arc::new(Control::new(false, false));
        let label = self.text(Message::LookingOver);
        let game = self.sitting.game;
        let found = self.console.wait(&label, &control, || {
            annotate(&mut record, each, &control).ok()?;
            let index = first_blunder(&record)?;
            let names: Vec<&str> = record.moves[..index].iter().map(|mv| mv.mv.as_str()).collect();
            let mut desk = game.open();
            desk.set_up(&Setup::of_text(&record.fen), &names).ok()?;
            let side = desk.side();
            let better = desk.appraise(&Terms::full(turn), &control.part()).ok()?;
            Some((index, side, better))
        })?;
        let Some((index, side, better)) = found else {
            return self.say(Message::NothingThrownAway);
        };
        let made = &record.moves[index];
        let score = |worth: Option<Worth>| match worth {
            Some(Worth::Proven(exact)) => Score::Proven(exact),
            Some(Worth::Judged(points)) => Score::Estimate(points),
            None => Score::Estimate(0),
        };
        let (got, had) = (score(made.worth), score(made.best));
        let value = |score: Score| score.proven().map(crate::rules::Exact::value);
        let right = better.line.first().filter(|_| value(better.score) == value(had));
        let right = right.map(String::as_str);
        self.say(Message::ThrownAway(index + 1, self.who(side), &made.mv, got, had, right))
    }

    fn who(&self, side: Side) -> Who {
        match (self.sitting.seats[side.index()], side) {
            (Seat::Engine, _) => Who::Engine,
            (Seat::Person, _) if !self.sitting.is_between_persons() => Who::You,
            (Seat::Person, Side::P1) => Who::First,
            (Seat::Person, Side::P2) => Who::Second,
        }
    }

    /// The board, with what there is to know beside it or below.
    fn show(&mut self) -> Result<(), PlayError> {
        self.since = Instant::now();
        const BETWEEN: usize = 3;
        const LEAST: usize = 28;
        let look = self.console.look();
        let beside = self.beside(look);
        let board = self.board(look);
        let width = board.iter().map(Line::width).max().unwrap_or(0);
        let room = look.columns.saturating_sub(width + BETWEEN);
        let mut lines = vec![Line::default()];
        if room >= LEAST {
            let beside = wrap(&beside, room);
            for row in 0..board.len().max(beside.len()) {
                let mut line = board.get(row).cloned().unwrap_or_default();
                if let Some(other) = beside.get(row).filter(|other| other.width() > 0) {
                    line.join(width + BETWEEN, other);
                }
                lines.push(line);
            }
        } else {
            lines.extend(board);
            lines.extend(wrap(&beside, look.columns));
        }
        Ok(self.console.say(&lines)?)
    }

    /// The board, as large as there is room.
    fn board(&self, look: Look) -> Vec<Line> {
        let desk = &self.sitting.desk;
        match desk.layout() {
            Some(layout) if board::width(&layout) <= look.columns => board::draw(&View {
                layout: &layout,
                shown: &desk.shown(),
                remarks: &desk.remarks(),
                last: &self.last_spots(&layout),
                plain: look.plain,
            }),
            _ => desk.diagram().lines().map(Line::plain).collect(),
        }
    }

    /// The spots of the last move: those that its name is made of.
    fn last_spots(&self, layout: &Layout) -> Vec<usize> {
        let name = self.sitting.last().unwrap_or_default();
        let is_in = |spot: &str| !spot.is_empty() && name.contains(spot);
        let spots = layout.spots.iter().enumerate();
        spots.filter(|(_, spot)| is_in(&spot.name)).map(|(index, _)| index).collect()
    }

    /// What there is to know of the position.
    fn beside(&self, look: Look) -> Vec<Line> {
        let desk = &self.sitting.desk;
        let language = self.wishes.language;
        let say = |message| Line::plain(language.say(&message));
        let mut lines =
            vec![Line::of(language.say(&Message::Title(self.sitting.game.id)), Ink::Bold)];
        let layout = desk.layout();
        for side in [Side::P1, Side::P2] {
            let mut line = Line::default();
            if let Some(layout) = &layout {
                let piece = &layout.pieces[side.index()];
                line.push(
                    &board::glyph(layout, piece, look.plain).to_string(),
                    Ink::Tone(piece.tone),
                    false,
                );
                line.push("  ", Ink::Plain, false);
            }
            let player = Message::Player(self.who(side), self.wishes.level);
            line.push(&language.say(&player), Ink::Plain, false);
            lines.push(line);
        }
        lines.push(Line::default());
        if let Some(last) = self.sitting.last() {
            lines.push(say(Message::LastMove(self.who(desk.side().other()), last)));
        }
        if desk.outcome().is_some() {
            return lines;
        }
        lines.push(Line::of(language.say(&Message::ToMove(self.who(desk.side()))), Ink::Bold));
        let areas = layout.iter().flat_map(|layout| &layout.spots).zip(desk.shown());
        let areas = areas.filter(|(spot, _)| spot.is_area).map(|(_, shown)| shown.lit);
        let lit: Vec<String> = (1..)
            .zip(areas)
            .filter(|(_, lit)| *lit)
            .map(|(number, _): (usize, _)| number.to_string())
            .collect();
        if !lit.is_empty() {
            lines.push(say(Message::PlayIn(&lit)));
        }
        if !desk.remarks().is_empty() {
            lines.push(Line::of(language.say(&Message::Gaps), Ink::Dim));
        }
        if self.sitting.seat() == Seat::Person {
            lines.push(Line::default());
            lines.push(Line::of(language.say(&Message::HelpIsThere), Ink::Dim));
        }
        lines
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
                Heard::Line(line) => return Ok(Some(line)),
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

/// A new game as it is wished; with its seed, where it begins at random.
fn deal(
    wishes: &Wishes,
    game: &'static registry::Entry,
    seed: u64,
) -> Result<(Sitting, Option<u64>), EngineError> {
    let (setup, random) = match &wishes.start {
        // A game that was loaded may be another than the one the position is of.
        Start::Fen(fen) if game == wishes.game => (Setup::of_text(fen), None),
        Start::Usual if game.open().begins_at_random() => {
            (Setup::Random { seed, plies: None }, Some(seed))
        }
        Start::Random => (Setup::Random { seed, plies: None }, Some(seed)),
        Start::Usual | Start::Fen(_) => (Setup::Start, None),
    };
    let mut sitting = Sitting::new(game, [Seat::Person; 2], &setup)?;
    if wishes.against_person == Some(false) {
        let first = if wishes.first == Some(First::Engine) { Seat::Engine } else { Seat::Person };
        let mover = sitting.desk.side();
        sitting.seats =
            [Side::P1, Side::P2].map(|side| if side == mover { first } else { first.other() });
    }
    Ok((sitting, random))
}

/// The first game of a record.
fn read(path: &str) -> Result<GameRecord, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut games = Games::new(BufReader::new(file));
    match games.next_game() {
        Ok(Some(game)) => Ok(game),
        Ok(None) => Err("no game is in it".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
