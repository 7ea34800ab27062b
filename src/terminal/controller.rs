//! The controller: asks for missing settings, runs games and carries out commands.
//!
//! Only `quit`, the end of input and a confirmed Ctrl-C end the program. Any other input that cannot
//! be carried out is answered with a message and prompted for again.

mod advice;
mod files;
mod lessons;
mod puzzles;
mod result;
mod review;
mod setup;

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::board::piece_symbol;
use super::console::{Completions, Console, ConsoleInput};
use super::input::{self, NO, PlayInput, YES, find_choice};
use super::options::PlayOptions;
use super::screen::Screen;
use super::text::{TextLine, wrap};
use crate::interact::PlayerKind;
use crate::interact::game::PlayGame;
use crate::interact::levels::{UnknownLevel, level_list, level_names, parse_level};
use crate::language::Values;
use crate::rules::MoveError;
use crate::search::SearchControl;
use crate::teaching::lessons::{DamagedLessons, lessons};
use crate::thinking::{EngineError, GameSpec, Report, SearchRequest};
use result::Series;

/// Why play ended or could not start.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The start position is invalid, or a search ran out of memory.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The lessons of the game cannot be read.
    #[error(transparent)]
    Lessons(#[from] DamagedLessons),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Whether to continue playing or to quit, or why that failed.
type Flow = Result<ControlFlow<()>, PlayError>;

const CONTINUE: Flow = Ok(ControlFlow::Continue(()));
const QUIT: Flow = Ok(ControlFlow::Break(()));

pub struct Controller<'a, C> {
    console: &'a mut C,
    options: PlayOptions,
    games: u64,
    game: PlayGame,
    /// When the board was last shown: the start of the user's thinking time.
    shown_at: Instant,
    /// The file this game was saved to, which may be overwritten without asking.
    saved_file: Option<String>,
    /// Whether the result of this game was announced.
    is_announced: bool,
    /// The results of the games played to the end.
    series: Series,
}

impl<'a, C: Console> Controller<'a, C> {
    /// Sets up the first game. Returns an error if the start position is invalid.
    pub fn new(console: &'a mut C, options: PlayOptions) -> Result<Self, PlayError> {
        let (game, _) = options.new_game(options.game, options.seed)?;
        Ok(Self {
            console,
            options,
            games: 0,
            game,
            shown_at: Instant::now(),
            saved_file: None,
            is_announced: false,
            series: Series::default(),
        })
    }

    /// Plays until the user quits. Fails if the console fails.
    pub fn run(mut self) -> Result<(), PlayError> {
        if self.ask_settings()?.is_continue() {
            self.print_how_to_play(self.options.game)?;
            if let Some(first) = self.options.lessons {
                let lessons = lessons(self.options.game)?;
                self.give_lessons(&lessons, first)?;
            } else if let Some(selection) = self.options.puzzles {
                self.serve_puzzles(&selection)?;
            } else {
                self.start_game(self.options.game)?;
                while self.play_turn()?.is_continue() {}
            }
        }
        self.say("status.goodbye", &[])
    }

    /// Starts a new game; each has its own seed.
    fn start_game(&mut self, spec: &'static GameSpec) -> Result<(), PlayError> {
        let seed = self.options.seed.wrapping_add(self.games);
        self.games += 1;
        let (game, random_seed) = self.options.new_game(spec, seed)?;
        self.game = game;
        self.saved_file = None;
        self.is_announced = false;
        if let Some(seed) = random_seed {
            self.say("status.randomStart", &[("seed", &seed)])?;
        }
        self.show_board()
    }

    /// Plays one move of the engine, or reads and carries out one line of the user.
    fn play_turn(&mut self) -> Flow {
        if self.game.is_over() {
            if !self.is_announced {
                self.announce_result()?;
                self.is_announced = true;
            }
            return self.ask_play_again();
        }
        if std::mem::take(&mut self.is_announced) {
            self.series.remove_last();
        }
        match self.game.player_to_move() {
            PlayerKind::Engine => self.play_engine_move(),
            PlayerKind::Human => {
                let words = input::command_words(self.options.language);
                let completions = Completions { words, moves: self.game.legal_moves() };
                match self.read_line(self.options.language.text("ask.move"), &completions)? {
                    None => QUIT,
                    Some(line) => self.execute(&line),
                }
            }
        }
    }

    /// Offers another game. Commands such as `undo` and `save` work here, too.
    fn ask_play_again(&mut self) -> Flow {
        let words = input::command_words(self.options.language);
        let completions = Completions { words, moves: Vec::new() };
        let Some(line) = self.read_line(self.options.language.text("ask.again"), &completions)?
        else {
            return QUIT;
        };
        match find_choice(&line, &[(YES, true), (NO, false)]) {
            Some(false) => QUIT,
            Some(true) => {
                self.start_game(self.game.spec)?;
                CONTINUE
            }
            None => self.execute(&line),
        }
    }

    /// Carries out a command or plays a move.
    fn execute(&mut self, line: &str) -> Flow {
        let input = PlayInput::parse(line, |text| self.is_move(text));
        match input {
            PlayInput::Quit => return QUIT,
            PlayInput::Empty | PlayInput::Board => self.show_board()?,
            PlayInput::Hint
            | PlayInput::Explain(_)
            | PlayInput::Eval
            | PlayInput::Moves
            | PlayInput::Resign
            | PlayInput::Flip
                if self.game.is_over() =>
            {
                self.say("command.gameOver", &[])?;
            }
            PlayInput::Review => self.show_review()?,
            PlayInput::Hint => self.show_hint()?,
            PlayInput::Explain("") => {
                let example = self.game.legal_moves().swap_remove(0);
                self.say("command.moveMissing", &[("example", &example)])?;
            }
            PlayInput::Explain(text) => self.show_explanation(text)?,
            PlayInput::Eval => self.show_evaluation()?,
            PlayInput::Undo if self.game.withdraw_resignation() => {
                self.say_and_show("result.goesOn", &[])?;
            }
            PlayInput::Undo => match self.game.undo()? {
                0 => self.say("command.nothingToUndo", &[])?,
                count => self.say_and_show("command.undone", &[("count", &count)])?,
            },
            PlayInput::Redo => match self.game.redo()? {
                0 => self.say("command.nothingToRedo", &[])?,
                count => self.say_and_show("command.redone", &[("count", &count)])?,
            },
            PlayInput::Flip if self.game.is_between_humans() => {
                self.say("command.noSidesToFlip", &[])?;
            }
            PlayInput::Flip => {
                self.game.players.swap(0, 1);
                self.say_and_show("command.flipped", &[])?;
            }
            PlayInput::Moves => self.show_moves()?,
            PlayInput::Level(text) => self.set_level(text)?,
            PlayInput::Save("") => self.say("command.fileMissing", &[("command", &"save")])?,
            PlayInput::Load("") => self.say("command.fileMissing", &[("command", &"load")])?,
            PlayInput::Save(path) => return self.save(path),
            PlayInput::Load(file) => return self.load(file),
            PlayInput::New(name) => self.start_new_game(name)?,
            PlayInput::Resign => self.resign()?,
            PlayInput::Rules => self.print(&self.options.language.rules(self.game.spec.id))?,
            PlayInput::Help => {
                self.print_how_to_play(self.game.spec)?;
                self.say("screen.help", &[])?;
            }
            PlayInput::Move(text) => return self.play_user_move(text),
        }
        CONTINUE
    }

    /// Whether a text is a move of the game in progress, legal or not.
    fn is_move(&self, text: &str) -> bool {
        let ambiguous = |error| matches!(error, EngineError::Move(MoveError::Ambiguous { .. }));
        let parsed = self.game.position.normalize_user_move(text);
        !self.game.is_over() && parsed.map_or_else(ambiguous, |_| true)
    }

    fn play_user_move(&mut self, text: &str) -> Flow {
        if self.game.is_over() {
            let found = self.options.language.quote(text);
            self.say("move.gameOverAtPrompt", &[("found", &found)])?;
            return CONTINUE;
        }
        let Some(name) = self.resolve_user_move(text)? else { return CONTINUE };
        let time = self.shown_at.elapsed();
        if self.options.coach {
            match self.ask_to_take_back(&name)? {
                None => return QUIT,
                Some(true) => return CONTINUE,
                Some(false) => {}
            }
        }
        self.game.play(name, time)?;
        // In a solved game the engine replies at once, and both moves are shown together.
        match self.game.player_to_move() {
            PlayerKind::Engine if self.game.spec.is_solved && !self.game.is_over() => {}
            _ => self.show_board()?,
        }
        CONTINUE
    }

    fn set_level(&mut self, text: &str) -> Result<(), PlayError> {
        let language = self.options.language;
        if text.is_empty() {
            let level = self.options.level;
            self.say("level.current", &[("level", &level)])?;
            return self.print(&level_list(self.options.game, language));
        }
        match parse_level(text) {
            Ok(level) => {
                self.options.level = level;
                self.say("level.set", &[("level", &level)])
            }
            Err(error) => self.say_invalid_level(text, &error),
        }
    }

    fn say_invalid_level(&mut self, text: &str, error: &UnknownLevel) -> Result<(), PlayError> {
        let language = self.options.language;
        let similar =
            error.similar().map(|name| language.fill("level.similar", &[("name", &name)]));
        let (found, similar) = (language.quote(text), similar.unwrap_or_default());
        let values: &Values<'_> =
            &[("found", &found), ("similar", &similar), ("names", &level_names(language))];
        self.say("level.invalid", values)
    }

    fn play_engine_move(&mut self) -> Flow {
        let started = Instant::now();
        let seed = self.options.seed.wrapping_add(self.games);
        let request = SearchRequest::at_level(self.options.level, seed, self.options.move_time);
        let found = self.search(&request)?;
        match found.map(|report| report.best_move()) {
            Ok(Some(mv)) => {
                self.game.play(mv, started.elapsed())?;
                self.show_board()?;
            }
            // The user may still play both sides, save the game or quit.
            failed => {
                self.game.players = [PlayerKind::Human; 2];
                if let Err(error) = failed {
                    self.say_cannot_search(&error)?;
                }
            }
        }
        CONTINUE
    }

    /// Searches the position; Ctrl-C ends the search early. The inner error is the engine's.
    fn search(
        &mut self,
        request: &SearchRequest,
    ) -> Result<Result<Report, EngineError>, PlayError> {
        let control = Arc::new(SearchControl::default());
        let label = self.options.language.text("busy.thinking");
        let position = &mut self.game.position;
        let task = || position.prepare(request)?.run(&control, &mut |_| {});
        Ok(self.console.run_interruptible(label, &control, task)?)
    }

    /// The piece of the side to move, as the board shows it.
    fn mover_symbol(&self) -> String {
        let side = self.game.position.side();
        match self.game.position.layout() {
            Some(layout) => {
                let piece = &layout.pieces[side.index()];
                piece_symbol(&layout, piece, self.console.format().plain).to_string()
            }
            None => self.options.language.player(self.game.label(side)),
        }
    }

    /// Shows the board and starts the user's thinking time.
    fn show_board(&mut self) -> Result<(), PlayError> {
        self.shown_at = Instant::now();
        let screen = Screen {
            game: &self.game,
            language: self.options.language,
            level: self.options.level,
            format: self.console.format(),
            commands: self.options.language.text(
                match (self.options.lessons, self.options.puzzles) {
                    (Some(_), _) => "screen.lessonCommands",
                    (None, Some(_)) => "screen.puzzleCommands",
                    (None, None) => "screen.commands",
                },
            ),
        };
        Ok(self.console.print(&screen.lines())?)
    }

    fn print(&mut self, text: &str) -> Result<(), PlayError> {
        let lines: Vec<TextLine> = text.lines().map(TextLine::plain).collect();
        let columns = self.console.format().columns;
        Ok(self.console.print(&wrap(&lines, columns))?)
    }

    /// Prints the text with a key, its placeholders replaced.
    fn say(&mut self, key: &str, values: &Values<'_>) -> Result<(), PlayError> {
        self.print(&self.options.language.fill(key, values))
    }

    fn say_and_show(&mut self, key: &str, values: &Values<'_>) -> Result<(), PlayError> {
        self.say(key, values)?;
        self.show_board()
    }

    fn say_cannot_search(&mut self, error: &EngineError) -> Result<(), PlayError> {
        let reason = self.options.language.engine_error(error);
        self.say("command.cannotSearch", &[("reason", &reason)])
    }

    fn print_how_to_play(&mut self, game: &GameSpec) -> Result<(), PlayError> {
        self.print(&self.options.language.how_to_play(game.id))
    }

    /// Reads a line; returns `None` at the end of input or after two interrupts in a row.
    fn read_line(
        &mut self,
        prompt: &str,
        completions: &Completions,
    ) -> Result<Option<String>, PlayError> {
        let mut was_interrupted = false;
        loop {
            match self.console.read_line(prompt, completions)? {
                ConsoleInput::Line(line) => return Ok(Some(input::to_half_width(&line))),
                ConsoleInput::End => return Ok(None),
                ConsoleInput::Interrupt if was_interrupted => return Ok(None),
                ConsoleInput::Interrupt => {
                    was_interrupted = true;
                    self.say("status.confirmQuit", &[])?;
                }
            }
        }
    }
}
