//! The settings of a match, and the errors about invalid ones.

use std::fs;
use std::path::Path;

use zermelo::arena::tournament::journal;
use zermelo::records::Termination;

use super::{Folder, NO_FILE, fail, read, succeed, typed, zermelo};

const TWO: [&str; 6] = ["--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];

/// Errors quote the setting and say what would be accepted.
#[test]
fn errors_name_the_invalid_setting() {
    let cases: [(&[&str], &str); 18] = [
        (
            &["--engine", "cmd=zermelo", "tcc=1+0.1"],
            "--engine 1: unknown key \"tcc\"; did you mean \"tc\"? expected one of: cmd name \
             proto dir args option.NAME tc st firsttime nodes depth timemargin stderr\n",
        ),
        (
            &["--engine", "name=a", "nodes=1", "--engine", "name=b", "tc=fast"],
            "--engine 2: \"fast\" for tc, expected [MOVES/]TIME[+INCREMENT] in seconds, or \
             MINUTES:SECONDS, such as 40/60+0.5, 2:30 or 10+0.1\n",
        ),
        (&["--engine", "nodes=0"], "--engine 1: \"0\" for nodes, expected a whole number from 1\n"),
        (
            &["--engine", "alphabeta"],
            "--engine 1: \"alphabeta\" after --engine, expected KEY=VALUE\n",
        ),
        (&["--engine", "name=a", "name=b"], "name is given twice"),
        (&["--engine", "proto=xboard"], "\"xboard\" for proto, expected uci or ugi"),
        (&["--engine", "args='x"], "expected arguments with balanced quotes"),
        (&["--engine", "nodes=1"], "1 engine given, expected at least two --engine"),
        (&[], "0 engines given, expected at least two --engine"),
        (&["--each", "name=x", "--engine", "nodes=1"], "engines cannot share one name"),
        (&["--openings", "random=many"], "--openings: \"many\" for random, expected a number of"),
        (&["--openings", "order=random"], "expected file=FILE, random=PLIES or random-moves=N"),
        (&["--openings", "random=3", "plies=4"], "plies= need file=, not random="),
        (
            &["--game", "ugi", "--openings", "random-moves=2"],
            "--openings random-moves=2: the runner knows no moves with --game ugi, expected start or file=FILE",
        ),
        (&["--sprt", "elo0=0"], "--sprt: expected both elo0= and elo1="),
        (&["--sprt", "elo0=5", "elo1=0"], "--sprt: "),
        (&["--resign", "score=-4"], "\"-4\" for score, expected a score in hundredths, at least 0"),
        (&["--draw", "moves=4"], "unknown key \"moves\", expected one of: movenumber movecount"),
    ];
    for (words, message) in cases {
        let mut command = zermelo(words);
        if words.iter().all(|word| *word != "--engine") && !words.is_empty() {
            command.args(TWO);
        }
        let error = fail(&mut command, 2);
        assert!(error.contains(message), "{words:?}\n{error}\n{message}");
    }
    let three = ["--engine", "name=c", "--sprt", "elo0=0", "elo1=5"];
    let error = fail(zermelo(&TWO).args(three), 2);
    assert!(error.contains("--sprt compares two engines, but 3 are given"), "{error}");
    let same = ["--engine", "name=a", "--engine", "name=a", "--each", "nodes=1"];
    let error = fail(&mut zermelo(&same), 2);
    assert!(error.contains("two engines are named \"a\""), "{error}");
}

/// No two outputs may be one file, and no output may overwrite an input.
#[test]
fn conflicting_output_files_are_rejected() {
    let folder = Folder::new("apart");
    let (one, alias) = (folder.path("one"), folder.alias("one"));
    let stderr = format!("stderr={alias}");
    let cases: [&[&str]; 4] = [
        &["--record", &one, "--report", &alias],
        &["--record", &one, "--jsonl", &one],
        &["--jsonl", &one, "--engine", "name=c", &stderr],
        &["--check-record", &one, "--jsonl", &alias],
    ];
    for words in cases {
        let mut command = if words[0] == "--check-record" { zermelo(&[]) } else { zermelo(&TWO) };
        let error = fail(command.args(words), 2);
        assert!(error.contains("are the same file"), "{error}");
        assert!(!fs::exists(&one).unwrap());
    }
    let error = fail(zermelo(&TWO).args(["--record", &one, "--log", &alias]), 2);
    assert!(error.contains("--record and --log are the same file"), "{error}");
    assert!(fs::read_to_string(&one).unwrap().is_empty());
    for (word, message) in
        [("dir=/nowhere", "is not a folder"), ("stderr=/nowhere/log", "/nowhere/log")]
    {
        let error = fail(zermelo(&TWO).args(["--engine", "name=c", word]), 2);
        assert!(error.contains(message), "{error}");
    }
    for place in [NO_FILE, "/nowhere/games.pgn", "/"] {
        let error = fail(zermelo(&TWO).args(["--record", place]), 2);
        assert!(error.contains(&format!("cannot open {place}: ")), "{error}");
    }
    // A report replaces only regular files, and follows a link.
    for place in [NO_FILE, &folder.path(""), "/nowhere/page.html"] {
        let error = fail(zermelo(&TWO).args(["--report", place]), 2);
        assert!(error.contains("not a regular file") || error.contains("its folder"), "{error}");
    }
    #[cfg(unix)]
    {
        let (page, link) = (folder.path("page.html"), folder.path("link.html"));
        fs::write(&page, "old").unwrap();
        std::os::unix::fs::symlink(&page, &link).unwrap();
        succeed(zermelo(&TWO).args(["--game", "tictactoe", "--report", &link]));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));
    }
    let control = fail(zermelo(&TWO).args(["--engine", "name=a\tb"]), 2);
    assert!(control.contains("name contains a control character"), "{control}");
}

/// Arguments without an effect on games that were played are refused, not ignored.
#[test]
fn merge_and_rescore_refuse_what_they_would_ignore() {
    for flag in ["--merge", "--check-record"] {
        let ignored = "--each st=1,--openings start,--rounds 3,--seed 1,--resign,--draw,--strict,--dry-run,\
                       --tournament gauntlet,--concurrency 2,--maxmoves 9,--recover,--games 4,\
                       --no-repeat,--reply-timeout 3,--move-timeout 3,--game-range 3";
        for words in ignored.split(',') {
            let words: Vec<&str> = words.split(' ').collect();
            let error = fail(zermelo(&[flag, "games.pgn"]).args(&words), 2);
            assert!(error.contains("cannot be used with"), "{error}");
            assert!([flag, words[0]].iter().all(|flag| error.contains(flag)), "{error}");
        }
    }
}

#[test]
fn openings_are_read_from_a_file() {
    let folder = Folder::new("openings");
    let (file, record) = (folder.path("book.txt"), folder.path("games.pgn"));
    let book = "# a comment\n3/1x1/3 o\n\nstartpos moves a1 b2 c3\n3/3/x2 o\n";
    fs::write(&file, book).unwrap();
    let openings = |more: &[&str]| {
        let source = format!("file={file}");
        let words =
            ["--game", "tictactoe", "--rounds", "4", "--record", &record, "--openings", &source];
        succeed(zermelo(&TWO).args(words).args(more));
        let games = read(&record);
        fs::remove_file(&record).unwrap();
        let fens: Vec<String> = games.iter().step_by(2).map(|game| game.fen.clone()).collect();
        fens
    };
    let all = ["3/1x1/3 o", "2x/1o1/x2 o", "3/3/x2 o"];
    assert_eq!(openings(&[]), [all[0], all[1], all[2], all[0]]);
    assert_eq!(openings(&["start=3"])[..2], [all[2], all[0]]);
    assert_eq!(openings(&["plies=1"])[1], "3/3/x2 o");
    let mut shuffled = openings(&["order=random"]);
    shuffled.truncate(3);
    shuffled.sort();
    let mut sorted = all;
    sorted.sort_unstable();
    assert_eq!(shuffled, sorted);
    for (line, message) in [
        ("3/1x1/3 x", "line 2: invalid FEN \"3/1x1/3 x\": field 'mover'"),
        ("xxx/oo1/3 o", "line 2: the game is over"),
        ("startpos moves z9", "line 2: \"z9\" is not a move"),
    ] {
        fs::write(&file, format!("3/1x1/3 o\n{line}\n")).unwrap();
        let source = format!("file={file}");
        let words = ["--game", "tictactoe", "--openings", &source];
        let error = fail(zermelo(&TWO).args(words), 2);
        assert!(error.contains(message), "{error}");
    }
}

/// More games than can be numbered are capped, with a message.
#[test]
fn plan_reports_a_tournament_that_is_cut_off() {
    let words = "--engine name=a --engine name=b --each nodes=1 --openings start --dry-run \
                 --games 1000000 --rounds";
    let plan = |rounds: &str| {
        let words: Vec<&str> = words.split_whitespace().chain([rounds]).collect();
        let output = zermelo(&words).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let games =
            serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["games"].clone();
        (games, String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(plan("4294"), (4_294_000_000_u32.into(), String::new()));
    let (games, stderr) = plan("4295");
    assert_eq!(games, u32::MAX);
    let message = "ask for 4295000000 games, but only the first 4294967295 can be played";
    assert!(stderr.contains(message), "{stderr}");
}

/// The setup of a record is found without parsing its games, so that a long match resumes quickly.
#[test]
fn a_setup_is_read_from_the_last_header_alone() {
    let folder = Folder::new("last-header");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let words = ["--game", "nim", "--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];
    succeed(zermelo(&words).args(["--record", &record, "--jsonl", &json]));
    for (path, start) in [(&record, "% zermelo-match "), (&json, "{\"type\":\"tournament\"")] {
        let text = fs::read_to_string(path).unwrap();
        let header = text.lines().next().unwrap();
        let later = header.replace("\"rounds\":", "\"rounds\":1");
        assert!(header.starts_with(start) && later != header, "{header}");
        fs::write(path, format!("{header}\nnot a game\n\n{later}\n{header}")).unwrap();
        let rounds = |header: &str| {
            fs::write(folder.path("one"), format!("{header}\n")).unwrap();
            journal::read_setup(Path::new(&folder.path("one"))).unwrap().rounds
        };
        // The last line is incomplete.
        let setup = journal::read_setup(Path::new(path)).unwrap();
        assert_eq!(setup.rounds, rounds(&later));
        assert_ne!(setup.rounds, rounds(header));
    }
    let refused = fail(zermelo(&words).args(["--record", &record]), 2);
    assert!(refused.contains("games.pgn, line 2: found nothing"), "{refused}");
}

/// Scripts of version 0.2 go on working, and its records are read.
#[test]
fn the_spellings_of_the_last_version_are_understood() {
    let folder = Folder::new("old-spellings");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.jsonl"));
    let engines = "--engine name=a --engine name=b --each st=1 first=2";
    succeed(&mut typed(&format!(
        "--game tictactoe {engines} --openings random=2 balanced=alternate --only 1-2 --patience 9 \
         --stall 9 --record {record} --json {json}"
    )));
    let text = fs::read_to_string(&record).unwrap();
    let old = "[Termination \"garbage\"]\n[BrokenClaim \"a: a proven win\"]";
    fs::write(&record, text.replace("[Termination \"normal\"]", old)).unwrap();
    let game = read(&record).remove(0);
    assert_eq!((game.termination, game.broken_claims.len()), (Termination::ProtocolError, 1));
    let summary = fail(&mut zermelo(&["--rescore", &record, "--verdict"]), 1);
    assert!(summary.contains("the termination is protocol-error"), "{summary}");
    let written = game.to_pgn();
    assert!(written.contains("[FalseMateClaim \"") && !written.contains("garbage"), "{written}");
}
