//! The examples in README.md, protocol.md and docs/*.md, run against the program, so that the pages
//! stay true.
//!
//! A block marked `transcript` is a protocol conversation: `> ` marks what the client sends, the other
//! lines are the answers. `…` within an answer matches anything; a line of `…` alone matches any
//! number of lines. A block marked `console` shows commands behind `$ ` with their output; there
//! `…` ends a word whose rest may vary.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Client, ZERMELO, lines, with_slashes};
use zermelo::thinking::registry::games;

/// The pages that may hold examples, as name and text.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        docs.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    paths.extend(["README.md", "protocol.md"].map(|name| root.join(name)));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        (with_slashes(path.strip_prefix(root).unwrap()), fs::read_to_string(path).unwrap())
    };
    paths.iter().map(read).collect()
}

/// The contents of all code blocks of a kind, with the line number each begins at.
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
        let rest = client.finish();
        assert!(rest.is_empty(), "{page}, line {first}: not in the transcript: {rest:?}");
    }
}

fn run_console_block(place: &str, block: &[&str]) -> usize {
    let folder = Path::new(ZERMELO).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let examples = block.chunk_by(|_, next| !next.starts_with("$ "));
    let mut count = 0;
    for example in examples {
        let command = example[0].strip_prefix("$ ").expect("a console block begins with `$ `");
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).output().unwrap();
        let printed = lines(&output.stdout);
        assert!(output_matches(&printed, &example[1..]), "{place}\n{command}: {printed:#?}");
        count += 1;
    }
    count
}

fn output_matches(printed: &[&str], shown: &[&str]) -> bool {
    match (printed, shown) {
        (printed, []) => printed.is_empty(),
        (_, ["…", rest @ ..]) => {
            (0..=printed.len()).any(|skipped| output_matches(&printed[skipped..], rest))
        }
        ([line, printed @ ..], [pattern, shown @ ..]) => {
            line_matches(line, pattern) && output_matches(printed, shown)
        }
        ([], _) => false,
    }
}

fn line_matches(line: &str, pattern: &str) -> bool {
    // The space after a prompt is invisible on the page.
    let is_prompt = line.ends_with("> ") || line.ends_with("] ");
    let line = if is_prompt { line.trim_end() } else { line };
    let (words, patterns) = (line.split(' '), pattern.split(' '));
    words.clone().count() == patterns.clone().count()
        && words.zip(patterns).all(|(word, pattern)| match pattern.strip_suffix('…') {
            Some(start) => word.starts_with(start),
            None => word == pattern,
        })
}

#[test]
fn every_protocol_transcript_is_what_the_engine_answers() {
    let mut found = Vec::new();
    for (name, page) in pages() {
        let blocks = blocks(&page, "transcript");
        if !blocks.is_empty() {
            found.push((name.clone(), blocks.len()));
        }
        play(&name, blocks);
    }
    let count = |name: &str| found.iter().find(|page| page.0 == name).map_or(0, |page| page.1);
    assert!(count("protocol.md") >= 10, "{found:?}");
    assert!(count("docs/rules.md") >= 5, "{found:?}");
    assert!(count("docs/integration.md") >= 1, "{found:?}");
}

#[test]
#[cfg_attr(windows, ignore = "the examples are typed in a shell of Unix")]
fn every_console_example_prints_what_its_page_shows() {
    let count_of = |(name, page): &(String, String)| {
        let blocks = blocks(page, "console");
        let run = |(line, block): (usize, Vec<&str>)| {
            run_console_block(&format!("{name}, line {line}"), &block)
        };
        blocks.into_iter().map(run).sum::<usize>()
    };
    let pages = pages();
    let counts: Vec<(&str, usize)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            pages.iter().map(|page| (page, scope.spawn(move || count_of(page)))).collect();
        threads.into_iter().map(|(page, thread)| (&*page.0, thread.join().unwrap())).collect()
    });
    for (page, least) in [("docs/play.md", 5), ("docs/solving.md", 7), ("docs/integration.md", 2)] {
        assert!(counts.iter().any(|count| count.0 == page && count.1 >= least), "{counts:?}");
    }
}

#[test]
fn every_page_that_lists_the_games_lists_all() {
    for game in games() {
        let code = format!("`{}`", game.id);
        for (name, page) in pages() {
            if ["README.md", "docs/rules.md"].contains(&&*name) {
                assert!(page.contains(&code), "{name} does not mention {code}");
            }
        }
    }
    let page = include_str!("../protocol.md");
    let row = page.lines().find(|line| line.starts_with("| `position random")).unwrap();
    let (_, defaults) = row.split_once("(default: ").unwrap();
    let defaults = defaults.split_once(')').unwrap().0.split(", ");
    let defaults: BTreeSet<String> = defaults.map(str::to_owned).collect();
    let plies = games().iter().map(|game| format!("{} {}", game.id, game.opening_plies));
    assert_eq!(defaults, plies.collect());
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
    for game in games() {
        assert!(page.contains(&format!("`{}`", game.id)), "{}", game.id);
        for alias in game.aliases {
            assert!(page.contains(&format!("`{alias}`")), "{alias}");
        }
    }
}
