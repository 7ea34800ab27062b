//! Keys at any moment: lines typed ahead are read one by one, and no sequence of keys hangs the program.

use std::time::Duration;

use zermelo::rules::SplitMix;

use super::terminal::{CTRL_D, Screen};

#[test]
fn lines_typed_ahead_are_all_read() {
    let mut screen = Screen::new(24, 80, &["tictactoe", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.press("5\rquit\r");
    screen.see("played b2");
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn lines_typed_before_the_first_prompt_are_read() {
    let mut screen = Screen::new(24, 80, &["tictactoe", "--opponent", "human"]);
    for line in ["5", "1", "9", "moves", "quit"] {
        screen.line(line);
    }
    screen.see("6 legal moves");
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn lines_typed_while_the_engine_thinks_are_read_at_the_next_prompt() {
    let mut screen = Screen::of_a_thinking_engine("1500");
    screen.see("zermelo is thinking");
    screen.press("legal\x16");
    screen.press("\r\rqu");
    screen.press("it\r");
    screen.see("Zermelo played");
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn a_key_that_ends_the_input_counts_while_no_prompt_is_shown() {
    let mut screen = Screen::of_a_thinking_engine("1500");
    screen.see("zermelo is thinking");
    screen.press(CTRL_D);
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn lines_typed_after_ctrl_c_are_read() {
    let mut screen = Screen::new(24, 80, &["tictactoe", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.press("5\r1\u{3}9\rmoves\rquit\r");
    screen.see("Press Ctrl-C again to quit");
    screen.see("7 legal moves");
    assert_eq!(screen.end(), Some(0));
}

#[test]
fn a_list_of_completions_never_waits_for_an_answer() {
    // 81 moves and the commands do not fit on this screen.
    let mut screen = Screen::new(12, 40, &["tixtax", "--opponent", "human"]);
    screen.prompt("your move>");
    screen.press("\t\tquit\r");
    screen.see("Goodbye.");
    assert_eq!(screen.end(), Some(0));
}

/// Keys that people press, and some that they do not.
const KEYS: &[&str] = &[
    "a",
    "b",
    "e",
    "h",
    "i",
    "l",
    "m",
    "n",
    "o",
    "p",
    "s",
    "t",
    "u",
    "x",
    "y",
    "1",
    "2",
    "3",
    "5",
    "9",
    " ",
    "é",
    "中",
    "🙂",
    "\r",
    "\r",
    "\r",
    "\n",
    "\t",
    "\t\t",
    "\u{7f}",
    "\u{1}",
    "\u{2}",
    "\u{3}",
    "\u{5}",
    "\u{6}",
    "\u{7}",
    "\u{8}",
    "\u{b}",
    "\u{c}",
    "\u{e}",
    "\u{f}",
    "\u{10}",
    "\u{11}",
    "\u{12}",
    "\u{13}",
    "\u{14}",
    "\u{15}",
    "\u{16}",
    "\u{17}",
    "\u{18}",
    "\u{19}",
    "\u{1b}",
    "\u{1c}",
    "\u{1d}",
    "\u{1e}",
    "\u{1f}",
    "\u{1b}[A",
    "\u{1b}[B",
    "\u{1b}[C",
    "\u{1b}[D",
    "\u{1b}[H",
    "\u{1b}[F",
    "\u{1b}[3~",
    "\u{1b}[5~",
    "\u{1b}OP",
    "\u{1b}b",
    "\u{1b}9",
    "undo\r",
    "5\r",
    "hint\r",
    "new\r",
    "moves\r",
];

/// Ends a game whatever was typed before: Enter completes escape sequences and searches, and answers
/// questions.
fn leave(screen: &mut Screen) -> Option<i32> {
    screen.try_press("\r\r\r\r\r\r");
    screen.try_press("quit\r");
    screen.try_press(CTRL_D);
    screen.try_press(CTRL_D);
    screen.exit_code()
}

#[test]
fn random_keys_never_keep_the_program_from_ending() {
    press_random_keys(40);
}

#[test]
#[ignore = "three hundred sessions in a pseudo-terminal"]
fn many_random_keys_never_keep_the_program_from_ending() {
    press_random_keys(300);
}

fn press_random_keys(sessions: u64) {
    const GAMES: [&[&str]; 4] = [
        &["tictactoe", "--opponent", "human"],
        &["tixtax", "--opponent", "human"],
        // A fixed start: in some random ones the engine wins at once, before any prompt.
        &["nim", "--random", "7", "--starts", "engine"],
        &["tixtax", "--starts", "me", "--movetime", "5", "--level", "0"],
    ];
    let run = |seed: u64| {
        let mut random = SplitMix::new(seed);
        let (rows, columns) = [(24, 80), (12, 40)][random.below(2)];
        let mut screen = Screen::new(rows, columns, GAMES[random.below(GAMES.len())]);
        // Before the first prompt Ctrl-C still kills the program.
        screen.see("your move>");
        let mut typed = String::new();
        for _ in 0..1 + random.below(4) {
            let burst: String =
                (0..random.below(40)).map(|_| KEYS[random.below(KEYS.len())]).collect();
            screen.try_press(&burst);
            typed += &burst;
            std::thread::sleep(Duration::from_millis(random.below(30) as u64));
        }
        let code = leave(&mut screen);
        assert_eq!(code, Some(0), "seed {seed}, {typed:?}\n{}", screen.text());
    };
    const THREADS: u64 = 4;
    std::thread::scope(|scope| {
        for first in 0..THREADS {
            scope.spawn(move || (first..sessions).step_by(THREADS as usize).for_each(run));
        }
    });
}
