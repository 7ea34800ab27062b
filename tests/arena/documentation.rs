//! Checks `docs/match-reference.md` and `docs/matches.md` against the program.

use std::fs;

use zermelo::records::Termination;

use super::{Folder, fail, read, succeed, zermelo};

const PAGE: &str = include_str!("../../docs/match-reference.md");

/// Returns the first code block of a kind.
fn block<'a>(page: &'a str, opening: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("```{opening}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn page_documents_all_flags_terminations_and_keys() {
    let help = succeed(&mut zermelo(&["--help"]));
    let words = help.split(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
    let flags = words.filter(|word| word.starts_with("--"));
    for flag in flags.filter(|flag| !["--help", "--log"].contains(flag)) {
        assert!(PAGE.contains(&format!("`{flag}`")), "the flag {flag}");
    }
    for termination in Termination::ALL {
        assert!(PAGE.contains(&format!("`{termination}`")), "{termination}");
    }
    // The error lists all keys.
    let error = fail(&mut zermelo(&["--engine", "cmd=zermelo", "tcc=1+0.1"]), 2);
    let (_, keys) = error.split_once("one of: ").unwrap();
    for key in keys.lines().next().unwrap().split(' ') {
        assert!(PAGE.contains(&format!("`{key}`")), "the key {key}");
    }
}

#[test]
fn record_on_the_page_is_valid() {
    let folder = Folder::new("page-record");
    let record = folder.path("games.pgn");
    fs::write(&record, block(PAGE, "pgn")).unwrap();
    let game = read(&record).remove(0);
    assert_eq!(game.to_pgn(), block(PAGE, "pgn"));
    assert!(game.moves[1].over.is_some());
    succeed(&mut zermelo(&["--check-record", &record]));
}

/// Runs the first command of the guide with fewer nodes.
#[test]
fn first_match_of_the_guide_is_a_tournament() {
    let folder = Folder::new("guide");
    let guide = include_str!("../../docs/matches.md").replace("\\\n    ", "");
    let line = guide.lines().find(|line| line.starts_with("zermelo match ")).unwrap();
    let (record, report) = (folder.path("games.pgn"), folder.path("games.html"));
    let words: Vec<&str> = line
        .split(' ')
        .skip(2)
        .map(|word| match word {
            "st=0.05" => "nodes=100",
            "games.pgn" => &record,
            "games.html" => &report,
            word => word,
        })
        .collect();
    let stdout = succeed(&mut zermelo(&words));
    for table in
        ["rating  s/move  depth  faults", "points of row against column", "Terminations: normal 12"]
    {
        assert!(stdout.contains(table), "{stdout}");
    }
    assert_eq!(read(&record).len(), 12);
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("alphabeta"));
}
