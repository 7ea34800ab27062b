//! The SVG pictures in `docs` are what the program shows today.
//!
//! `UPDATE_PICTURES=1 cargo test --test program pictures::` writes them afresh.

use std::fs;

use crate::common::{Folder, run_program};

/// Compares a picture with the one in `docs`, or replaces that one.
fn check_picture(name: &str, picture: &str) {
    let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::write(&path, picture).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == picture, "docs/{name} is out of date; see the head of this file");
}

/// Returns what a command draws with `--svg`, in a folder that no other test uses.
fn draw(folder: &str, command: &[&str]) -> String {
    let folder = Folder::new(folder);
    let path = folder.file("picture.svg");
    let arguments = [command, &["--svg", path.to_str().unwrap()]].concat();
    assert!(run_program(&arguments, b"").status.success());
    fs::read_to_string(path).unwrap()
}

/// A late position of TixTax in which `o` may play in either of two boards.
const FEN: &str = "1x6o/1x1o1xxxx/1x1ooo1oo/1xo3ooo/8x/1x1ooo3/2x1x1oxx/2xoxo2x/2o1xx1ox o 20 -";

#[test]
fn the_drawings_of_analyze_are_up_to_date() {
    let board = draw("docs-picture", &["analyze", "tixtax", "--fen", FEN]);
    assert_eq!(board.matches("fill=\"#0b5c94\"").count(), 2, "two boards may be played in");
    assert_eq!(board.matches("<title>").count(), 12, "each cell shows its value");
    check_picture("tixtax.svg", &board);
    check_picture("ponghauki.svg", &draw("docs-picture", &["analyze", "ponghauki"]));
}

/// Each game with a position, the moves that keep its value and the number of its legal moves.
const POSITIONS: [(&str, &str, &[&str], usize); 4] = [
    ("tictactoe", "x2/3/3 o", &["b2: D"], 8),
    ("ponghauki", "1x/x/oo o 2", &["a1a3: D"], 1),
    ("nim", "8/8/2r5/8/1r6/r7/3rrrrr/bbbbbbbb b", &["c1c2: W"], 7),
    ("tixtax", FEN, &["a5: D", "b1: D"], 12),
];

#[test]
fn a_picture_of_a_position_shows_the_value_of_each_move_and_the_best_one() {
    const FOLDER: &str = "position-picture";
    for (game, fen, best, moves) in POSITIONS {
        let picture = draw(FOLDER, &["analyze", game, "--fen", fen]);
        assert_eq!(picture.matches("<title>").count(), moves, "{game}");
        assert_eq!(picture.matches("class=\"best\"").count(), 1, "{game}");
        for label in best {
            assert!(picture.contains(&format!("<title>{label}</title>")), "{game}: {label}");
        }
    }
    let over = draw(FOLDER, &["analyze", "tictactoe", "--fen", "xxx/oo1/3 o"]);
    assert!(!over.contains("<title>") && !over.contains("class=\"best\""));
    let estimated = draw(
        FOLDER,
        &["analyze", "tixtax", "--fen", "9/9/9/9/4x4/9/9/9/9 o 1 e5", "--time", "0.5"],
    );
    assert_eq!(estimated.matches("%</title>").count(), 8);
}

#[cfg(unix)]
mod terminal {
    use std::fmt::Write as _;
    use std::io::Write;

    use super::{FEN, check_picture};
    use crate::common::TIMEOUT;
    use crate::common::terminal::{self, Terminal};

    const ROWS: u16 = 30;
    const COLUMNS: u16 = 80;

    /// Runs `zermelo play` in a terminal, types `quit` at the first prompt, and returns the screen.
    fn play(arguments: &[&str]) -> vt100::Parser {
        let command = terminal::zermelo(&[&["play"], arguments].concat());
        let Terminal { mut keys, mut child, output } = Terminal::with_size(command, ROWS, COLUMNS);
        let mut parser =
            vt100::Parser::new(ROWS.try_into().unwrap(), COLUMNS.try_into().unwrap(), 0);
        while !parser.screen().contents().contains("your move>") {
            parser.process(&output.recv_timeout(TIMEOUT).unwrap());
        }
        keys.write_all(b"\x04").unwrap();
        // Disconnected once the program has closed the terminal.
        while output.recv_timeout(TIMEOUT).is_ok() {}
        child.wait().unwrap();
        parser
    }

    /// The colour of text on a dark terminal.
    fn hex(color: vt100::Color) -> String {
        const PALETTE: [&str; 16] = [
            "#000000", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dcdfe4",
            "#7f848e", "#ff7a85", "#b5e08d", "#ffd68a", "#7cc4ff", "#de8ff2", "#6fd3df", "#ffffff",
        ];
        let (r, g, b) = match color {
            vt100::Color::Default => return "#dcdfe4".to_owned(),
            vt100::Color::Idx(index @ 0..16) => return PALETTE[usize::from(index)].to_owned(),
            // The 6×6×6 colour cube and the grey ramp of 256-colour terminals.
            vt100::Color::Idx(index @ 16..232) => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                let cube = index - 16;
                (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            vt100::Color::Idx(index) => {
                let grey = 8 + 10 * (index - 232);
                (grey, grey, grey)
            }
            vt100::Color::Rgb(r, g, b) => (r, g, b),
        };
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Draws the rows from the board to the prompt, each character at its own place.
    fn draw(screen: &vt100::Screen) -> String {
        let rows: Vec<String> = screen.rows(0, COLUMNS).collect();
        let first = rows.iter().position(|row| row.contains('┏')).unwrap();
        let last = rows.iter().rposition(|row| row.contains("your move>")).unwrap();
        let (width, height) = (u32::from(COLUMNS) * 9 + 20, (last - first) as u32 * 18 + 20);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"monospace\" font-size=\"15\">\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1e2127\"/>\n"
        );
        for (line, row) in (first..last).enumerate() {
            for column in 0..COLUMNS {
                let cell = screen.cell(row as u16, column).unwrap();
                let text = cell.contents().replace('&', "&amp;").replace('<', "&lt;");
                let (x, y) = (u32::from(column) * 9 + 10, line * 18 + 10);
                if cell.bgcolor() != vt100::Color::Default {
                    let fill = hex(cell.bgcolor());
                    writeln!(
                        svg,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"9\" height=\"18\" fill=\"{fill}\"/>"
                    )
                    .unwrap();
                }
                if !text.trim().is_empty() {
                    let bold = if cell.bold() { " font-weight=\"bold\"" } else { "" };
                    let (y, fill) = (y + 14, hex(cell.fgcolor()));
                    writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\"{bold}>{text}</text>")
                        .unwrap();
                }
            }
        }
        svg + "</svg>\n"
    }

    #[test]
    fn the_picture_of_the_terminal_is_up_to_date() {
        let arguments = ["tixtax", "--opponent", "human", "--lang", "en", "--fen", FEN];
        check_picture("terminal.svg", &draw(play(&arguments).screen()));
    }
}
