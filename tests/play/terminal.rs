//! The program in a pseudo-terminal.

use std::io::Write;
use std::num::NonZero;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use pty_process::Size;
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};

use crate::common::TIMEOUT;
use crate::common::terminal::{self, Terminal};

/// A terminal running the program, and its screen.
pub(super) struct Screen {
    terminal: Terminal,
    parser: vt100::Parser,
}

fn size(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

const ENTER: &str = "\r";
const TAB: &str = "\t";
const UP: &str = "\u{1b}[A";
const CTRL_C: &str = "\u{3}";
pub(super) const CTRL_D: &str = "\u{4}";

impl Screen {
    /// A game that the engine begins; it thinks this long, in milliseconds.
    pub(super) fn of_a_thinking_engine(movetime: &str) -> Self {
        Self::new(
            24,
            80,
            &["tixtax", "--starts", "engine", "--level", "20", "--movetime", movetime],
        )
    }

    pub(super) fn new(rows: u16, columns: u16, arguments: &[&str]) -> Self {
        Self::with(rows, columns, arguments, &[])
    }

    fn with(rows: u16, columns: u16, arguments: &[&str], set: &[(&str, &str)]) -> Self {
        Self::program(rows, columns, &[&["play"], arguments].concat(), set)
    }

    /// Runs the program without a command of its own.
    fn program(rows: u16, columns: u16, arguments: &[&str], set: &[(&str, &str)]) -> Self {
        let command = terminal::zermelo(arguments);
        let command = set.iter().fold(command, |command, (name, value)| command.env(name, value));
        let terminal = Terminal::with_size(command, rows, columns);
        Self { terminal, parser: vt100::Parser::new(size(rows), size(columns), 0) }
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.terminal.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Types keys; the program may have ended.
    pub(super) fn try_press(&mut self, keys: &str) {
        let _ = self.terminal.keys.write_all(keys.as_bytes());
    }

    /// Types a line and Enter.
    pub(super) fn line(&mut self, text: &str) {
        self.press(text);
        self.press(ENTER);
    }

    pub(super) fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Waits until the screen shows a text.
    pub(super) fn see(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.text().contains(text));
    }

    fn wait_for(&mut self, what: &str, mut is_there: impl FnMut(&Self) -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        while !is_there(self) {
            match self
                .terminal
                .output
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            {
                Ok(bytes) => self.parser.process(&bytes),
                Err(error) => panic!("{what}: {error}\n{}", self.text()),
            }
        }
    }

    /// Waits until the cursor is on a line that holds only this prompt.
    pub(super) fn prompt(&mut self, prompt: &str) {
        self.wait_for(prompt, |screen| {
            let (row, _) = screen.parser.screen().cursor_position();
            let rows: Vec<String> = screen.parser.screen().rows(0, 200).collect();
            rows[usize::from(row)].trim_end() == prompt.trim_end()
        });
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        self.terminal.keys.resize(Size::new(rows, columns)).unwrap();
        self.parser.screen_mut().set_size(size(rows), size(columns));
    }

    /// Reads the rest of the output and returns the exit code.
    pub(super) fn end(mut self) -> Option<i32> {
        let code = self.exit_code();
        assert!(code.is_some(), "the program does not exit\n{}", self.text());
        code
    }

    /// Like [`Self::end`], but `None` if the program prints nothing for a while and does not exit.
    pub(super) fn exit_code(&mut self) -> Option<i32> {
        loop {
            match self.terminal.output.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => {
                    return self.terminal.child.wait().unwrap().code();
                }
                Err(RecvTimeoutError::Timeout) => return None,
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.terminal.child.kill();
        let _ = self.terminal.child.wait();
    }
}

/// The engine greets a person; programs connect by pipes.
#[test]
fn program_without_a_command_prints_how_to_begin() {
    let mut screen = Screen::program(24, 200, &[], &[]);
    screen.see("Type \"help\" for its commands; \"zermelo play\" plays a game");
    screen.line("isready");
    screen.see("readyok");
    screen.line("quit");
    assert_eq!(screen.end(), Some(0));
    let mut lines = Screen::program(24, 200, &["--", "isready"], &[]);
    lines.see("readyok");
    assert!(!lines.text().contains("help"), "{}", lines.text());
}

#[test]
fn a_whole_session_from_the_first_prompt_to_the_last() {
    let mut screen = Screen::new(24, 80, &["tictactoe"]);
    screen.see("[E/h]");
    screen.line("h");
    screen.prompt("your move>");
    for (typed, seen) in
        [("1", "played a3"), ("5", "played b2"), ("2", "played b3"), ("9", "played c1")]
    {
        screen.line(typed);
        screen.see(seen);
        screen.prompt("your move>");
    }
    screen.line("3");
    screen.see("The first player wins: three in a row.");
    screen.see(
        "The game turned on move 4, the second player's c1: a draw became a loss. The\nright move was c3 (blocks three in a row; ",
    );
    assert!(screen.text().contains("┌───┬───┬───┐"), "{}", screen.text());
    screen.prompt("Play again? [Y/n]");
    screen.line("no");
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn the_board_is_coloured_and_fits() {
    let mut screen = Screen::new(24, 80, &["tixtax", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.line("e5");
    screen.see("played e5");
    screen.prompt("your move>");
    let shown = screen.parser.screen();
    assert!(screen.text().contains("TixTax"), "the whole screen fits\n{}", screen.text());
    let find = |letter: &str| {
        let all = (0..24).flat_map(|row| (0..38).map(move |column| (row, column)));
        all.filter_map(|(row, column)| shown.cell(row, column))
            .find(|cell| cell.contents() == letter)
            .cloned()
    };
    let stone = find("X").unwrap();
    assert!(
        stone.inverse() && stone.fgcolor() == vt100::Color::Idx(33),
        "the last move stands out"
    );
    let lit = (0..24).flat_map(|row| (0..38).map(move |column| (row, column)));
    let lit = lit.filter_map(|(row, column)| shown.cell(row, column));
    assert_eq!(
        lit.filter(|cell| cell.fgcolor() == vt100::Color::Idx(2)).count(),
        2 * 13 + 2 * 5,
        "the border of one board is highlighted"
    );
}

#[test]
fn plain_output_is_used_on_request_and_on_simple_terminals() {
    for (arguments, set) in [
        (&["tictactoe", "--opponent", "human", "--ascii"][..], &[][..]),
        (&["tictactoe", "--opponent", "human"], &[("NO_COLOR", "1")]),
        (&["tictactoe", "--opponent", "human"], &[("TERM", "dumb")]),
    ] {
        let mut screen = Screen::with(24, 80, arguments, set);
        screen.see("+---+---+---+");
        screen.prompt("your move>");
        screen.line("5");
        screen.see("|[X]|");
        screen.prompt("your move>");
        screen.press(CTRL_D);
        screen.see("Goodbye.");
        assert_eq!(screen.end(), Some(0));
    }
}

#[test]
fn the_line_editor_completes_words_and_keeps_a_history() {
    let mut screen = Screen::new(24, 80, &["tictactoe", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.press("mov");
    screen.press(TAB);
    screen.see("your move> moves");
    screen.press(ENTER);
    screen.see("a3 draw   c3 draw   a1 draw");
    screen.prompt("your move>");
    screen.press("b");
    screen.press(TAB);
    screen.press(TAB);
    screen.see("board");
    screen.press("2");
    screen.press(ENTER);
    screen.see("played b2");
    screen.prompt("your move>");
    screen.press(UP);
    screen.press(UP);
    screen.see("your move> moves");
    screen.press(ENTER);
    screen.see("8 legal moves, best first");
}

#[test]
fn ctrl_c_at_the_prompt_has_to_be_confirmed() {
    let mut screen = Screen::new(24, 80, &["ponghauki", "--opponent", "human", "--lang", "zh"]);
    screen.prompt("请走棋>");
    screen.press(CTRL_C);
    screen.see("再按一次 Ctrl-C 退出");
    screen.prompt("请走棋>");
    screen.line("a3");
    screen.see("先手下了 a3b2");
    screen.prompt("请走棋>");
    screen.press(CTRL_C);
    screen
        .wait_for("once more", |screen| screen.text().matches("再按一次 Ctrl-C 退出").count() == 2);
    screen.prompt("请走棋>");
    screen.press(CTRL_C);
    screen.see("再见。");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn signals_are_handled_on_simple_terminals() {
    let arguments = ["tictactoe", "--opponent", "human"];
    let mut screen = Screen::with(24, 80, &arguments, &[("TERM", "dumb")]);
    screen.prompt("your move>");
    screen.press(CTRL_C);
    screen.see("Press Ctrl-C again to quit");
    screen.line("5");
    screen.see("|[X]|");
    screen.prompt("your move>");
    screen.press(CTRL_C);
    screen
        .wait_for("another question", |screen| screen.text().matches("Ctrl-C again").count() == 2);
    screen.press(CTRL_C);
    assert_eq!(screen.end(), Some(130));
}

#[test]
fn ctrl_c_makes_the_engine_move_now() {
    let mut screen = Screen::of_a_thinking_engine("86400000");
    screen.see("zermelo is thinking (Ctrl-C: move now)");
    let pressed = Instant::now();
    screen.press(CTRL_C);
    screen.see("Zermelo played");
    assert!(pressed.elapsed() < Duration::from_secs(10), "{:?}", pressed.elapsed());
    screen.prompt("your move>");
    screen.line("quit");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn the_screen_adapts_to_the_terminal_size() {
    let mut screen = Screen::new(30, 40, &["tixtax", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.line("a1");
    screen.see("played a1");
    screen.prompt("your move>");
    assert!(screen.text().contains("┗━━━┷━━━┷━━━┻"), "{}", screen.text());
    assert!(
        !screen.text().contains("━┓   TixTax"),
        "the panel is below the board\n{}",
        screen.text()
    );
    screen.resize(24, 80);
    screen.line("a2");
    screen.see("━┓   TixTax");
    screen.prompt("your move>");
    screen.resize(24, 30);
    screen.line("b6");
    screen.see("The window is too narrow");
    screen.prompt("your move>");
    screen.resize(24, 80);
    screen.line("");
    screen.see("played b6");
    screen.prompt("your move>");
    screen.line("quit");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn a_terminating_signal_restores_the_terminal() {
    let mut screen = Screen::new(24, 80, &["nim", "--opponent", "human"]);
    let is_edited = |screen: &Screen| {
        let modes = tcgetattr(&screen.terminal.keys).unwrap().local_modes;
        !modes.contains(LocalModes::ICANON)
    };
    screen.prompt("your move>");
    screen.press("c");
    screen.see("your move> c");
    assert!(is_edited(&screen));
    kill_process(Pid::from_child(&screen.terminal.child), Signal::TERM).unwrap();
    let deadline = Instant::now() + TIMEOUT;
    while screen.terminal.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the program does not exit");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(screen.terminal.child.wait().unwrap().code(), Some(143));
    assert!(!is_edited(&screen), "line mode is restored");
}

#[test]
fn input_that_is_not_utf8_is_harmless() {
    let mut screen = Screen::new(24, 80, &["tictactoe", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.terminal.keys.write_all(b"\xce\xd2\r").unwrap();
    screen.see("is neither a move nor a command");
    screen.prompt("your move>");
    screen.line("5");
    screen.see("played b2");
}

#[test]
fn pasted_lines_are_read_one_by_one() {
    let mut screen = Screen::new(24, 80, &["tictactoe", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.press("\u{1b}[200~a1\nb2\nc3\n\u{1b}[201~");
    screen.press(ENTER);
    screen.see("The first player played c3.");
}

#[test]
fn ctrl_backslash_does_not_kill_the_program() {
    let mut screen = Screen::of_a_thinking_engine("86400000");
    screen.see("zermelo is thinking");
    screen.press("n\u{1c}");
    screen.see("Zermelo played");
    screen.prompt("your move>");
    assert!(!screen.text().contains("> n"), "input typed before the prompt is discarded");
    screen.press(CTRL_D);
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}
