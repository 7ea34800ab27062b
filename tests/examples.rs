//! The programs and files in `examples`.

#[path = "../examples/rules.rs"]
mod rules;
#[path = "../examples/search.rs"]
mod search;
#[path = "../examples/solve.rs"]
mod solve;

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{ZERMELO, lines};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// Runs a Python script with `zermelo` on the `PATH` and the examples importable.
fn python(arguments: &[&str]) -> Output {
    let folder = Path::new(ZERMELO).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let packages = std::env::var("PYTHONPATH").unwrap_or_default();
    let output = Command::new("python3")
        .args(["-W", "error"])
        .args(arguments)
        .env("PATH", path)
        .env("PYTHONPATH", format!("{EXAMPLES}:{packages}"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    output
}

/// Checks the last line: the number of plies, and the moves of a finished game of TixTax.
fn assert_is_a_game(output: &Output) {
    let words: Vec<&str> = lines(&output.stdout).last().unwrap().split_whitespace().collect();
    let plies: usize = words[0].parse().unwrap();
    assert!((17..=81).contains(&plies), "{words:?}");
    assert_eq!((words[1], words.len()), ("plies:", plies + 2), "{words:?}");
}

#[test]
fn the_library_examples_run() {
    rules::main().unwrap();
    solve::main().unwrap();
    search::main().unwrap();
}

#[test]
#[ignore = "needs python-chess; scripts/check full installs it and runs this"]
fn python_chess_plays_a_game() {
    assert_is_a_game(&python(&[&format!("{EXAMPLES}/python_chess_driver.py")]));
}

#[test]
#[ignore = "needs python-chess; scripts/check full installs it and runs this"]
fn the_documented_python_code_plays_a_game() {
    let page = include_str!("../docs/integration.md");
    let code = page.split_once("```python\n").unwrap().1.split_once("```").unwrap().0;
    assert_is_a_game(&python(&["-c", code]));
}
