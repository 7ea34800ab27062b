//! The transcripts in `protocol.md` and `README.md`, played against the engine, so that the pages
//! cannot go stale.
//!
//! A block marked `transcript` holds what the client sends (`> `) and what the engine answers.
//! `…` in an answer stands for anything; a line of `…` alone for any number of lines.

mod common;

use common::Client;

/// The contents of all code blocks of a kind, with the number of the line they begin at.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<(usize, Vec<&'a str>)> {
    let opening = format!("```{kind}");
    let mut blocks = Vec::new();
    let mut open = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            None if line == opening => open = Some((number + 2, Vec::new())),
            None => {}
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some((_, lines)) => lines.push(line),
        }
    }
    blocks
}

fn fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            (0..=line.len())
                .filter(|at| line.is_char_boundary(*at))
                .any(|at| fits(rest, &line[at..]))
        }),
    }
}

fn play(page: &str, blocks: Vec<(usize, Vec<&str>)>) {
    for (first, lines) in blocks {
        let mut client = Client::in_memory();
        let mut skipping = false;
        for (number, pattern) in lines.into_iter().enumerate() {
            let place = format!("{page}, line {}", first + number);
            if let Some(command) = pattern.strip_prefix("> ") {
                assert!(!skipping, "{place}: '…' needs an answer after it");
                client.send(command);
            } else if pattern == "…" {
                skipping = true;
            } else {
                loop {
                    let line = client.line();
                    if fits(pattern, &line) {
                        break;
                    }
                    assert!(skipping, "{place}\n expected: {pattern}\n    found: {line}");
                }
                skipping = false;
            }
        }
        let rest = client.rest();
        assert!(rest.is_empty(), "{page}, line {first}: not in the transcript: {rest:?}");
    }
}

#[test]
fn the_transcripts_of_the_protocol_page_are_true() {
    let page = include_str!("../protocol.md");
    let blocks = blocks(page, "transcript");
    assert!(blocks.len() >= 10, "{}", blocks.len());
    play("protocol.md", blocks);
}

#[test]
fn the_transcript_of_the_readme_is_true() {
    let blocks = blocks(include_str!("../README.md"), "transcript");
    assert!(!blocks.is_empty());
    play("README.md", blocks);
}

/// Every command, every option and every game stands on the page.
#[test]
fn nothing_is_missing_from_the_protocol_page() {
    let page = include_str!("../protocol.md");
    let mut client = Client::in_memory();
    let unknown = client.ask_one("?");
    let commands = unknown.split_once("one of: ").unwrap().1;
    for command in commands.split(' ') {
        assert!(page.contains(&format!("`{command}")), "the command {command}");
    }
    client.send("uci");
    for line in client.until("uciok").iter().filter(|line| line.starts_with("option")) {
        let name = line["option name ".len()..].split(" type ").next().unwrap();
        assert!(page.contains(&format!("| `{name}`")), "the option {name}");
    }
    for game in zermelo::engine::registry::GAMES {
        assert!(page.contains(&format!("`{}`", game.id)), "{}", game.id);
        for alias in game.aliases {
            assert!(page.contains(&format!("`{alias}`")), "{alias}");
        }
    }
}
