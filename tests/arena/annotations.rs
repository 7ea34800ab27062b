//! `zermelo annotate`.

use std::fs;
use std::process::Command;

use zermelo::games::PongHauKi;
use zermelo::records::Glyph;
use zermelo::rules::{ExactValue, Game, Record};
use zermelo::search::{Score, SearchControl};
use zermelo::teaching::annotate::{review_record, stored_review};
use zermelo::teaching::review::ReviewOptions;

use super::{Folder, ZERMELO, fail, read, succeed, zermelo};

fn annotate(arguments: &[&str]) -> Command {
    let mut command = Command::new(ZERMELO);
    command.arg("annotate").args(arguments);
    command
}

fn game(name: &str, moves: &str) -> String {
    format!("[Game \"{name}\"]\n[White \"a\"]\n[Black \"b\"]\n\n{moves}\n\n")
}

/// In tic-tac-toe, an edge loses against a corner; the reply that misses the win is a blunder as
/// well.
#[test]
fn blunders_are_found() {
    let folder = Folder::new("blunders");
    let (record, output) = (folder.path("games.pgn"), folder.path("annotated.pgn"));
    let moves = "1. a3 {0.1s} b3 {0.1s} 2. c2 {0.1s} b2 {0.1s} 3. b1 {0.1s} a1 {0.1s} *";
    fs::write(&record, game("tictactoe", moves)).unwrap();
    let stdout = succeed(&mut annotate(&[&record, "--output", &output]));
    assert_eq!(stdout, "game 1: first mistake at ply 2: b3??, loss 6; better: b2, draw\n");
    let game = read(&output).remove(0);
    let seen: Vec<(ExactValue, ExactValue, bool)> = game
        .moves
        .iter()
        .map(|mv| match (mv.value, mv.best) {
            (Some(Score::Exact(value)), Some(Score::Exact(best))) => {
                (value, best, mv.mark == Some(Glyph::Blunder))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(seen[0], (ExactValue::Draw, ExactValue::Draw, false));
    assert_eq!(seen[1], (ExactValue::Loss(6), ExactValue::Draw, true));
    assert_eq!(seen[2], (ExactValue::Draw, ExactValue::Win(5), true));
    assert!(
        seen[3..].iter().all(|(value, best, is_blunder)| value == best && !is_blunder),
        "{seen:?}"
    );
    let text = fs::read_to_string(&output).unwrap();
    assert_eq!(text.matches("$4").count(), 2);
    let words = text.replace('\n', " ");
    assert!(
        words.contains("b3 $4 {0.1000s, worth loss 6, best draw, keep 1/8} (1... b2 "),
        "{text}"
    );
    // In place, and as JSON on stdout.
    succeed(&mut annotate(&[&record, "--output", &record]));
    assert_eq!(fs::read_to_string(&record).unwrap(), text);
    let json = succeed(&mut annotate(&[&record, "--json"]));
    assert!(json.contains("\"worth\":\"loss 6\",\"best\":\"draw\""), "{json}");
}

/// Reading an annotated record returns the review that was stored in it.
#[test]
fn annotated_records_hold_the_whole_review() {
    let folder = Folder::new("stored-review");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let play = || {
        let words = ["--engine", "name=a", "option.Searcher=random", "--engine", "name=b"];
        let more = ["--each", "nodes=1", "--openings", "random=20", "--rounds", "1", "--record"];
        succeed(zermelo(&words).args(more).arg(&record))
    };
    play();
    let games = read(&record);
    succeed(&mut annotate(&[&record, "--output", &record, "--nodes", "2000"]));
    // The record can still be resumed.
    assert!(play().contains("2 already played"));
    fs::write(&json, succeed(&mut annotate(&[&record, "--json", "--nodes", "2000"]))).unwrap();
    let options = ReviewOptions { nodes: Some(2000), time: None, threads: 1 };
    for (plain, annotated) in games.iter().zip(read(&record)) {
        let control = SearchControl::default();
        let review = review_record(plain, &options, &control, &mut |_, _| {}).unwrap();
        assert!(review.moves.iter().any(|mv| mv.mark.is_some()));
        assert_eq!(stored_review(&annotated).unwrap(), Some(review));
        assert_eq!(stored_review(plain).unwrap(), None);
    }
    let stored = |path: &str| succeed(Command::new(ZERMELO).args(["review", path, "--json"]));
    assert_eq!(stored(&record), stored(&json));
}

/// A stored review is not believed where it says two things.
#[test]
fn a_review_that_contradicts_itself_is_refused() {
    let folder = Folder::new("contradiction");
    let record = folder.path("games.pgn");
    fs::write(&record, game("tictactoe", "1. b2 a1 2. c3 b1 3. c1 *")).unwrap();
    succeed(&mut annotate(&[&record, "--output", &record]));
    let text = fs::read_to_string(&record).unwrap();
    succeed(Command::new(ZERMELO).args(["review", &record]));
    let values: Vec<_> = text.match_indices("worth draw").collect();
    assert!(values.len() > 1, "{text}");
    let (at, value) = values[1];
    let forged = format!("{}worth loss 4{}", &text[..at], &text[at + value.len()..]);
    let blamed = text.replacen("1. b2 ", "1. b2 $4 ", 1);
    for (text, ply) in [(forged, 2), (blamed, 1)] {
        fs::write(&record, text).unwrap();
        let output = Command::new(ZERMELO).args(["review", &record]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        let expected = format!("game 1: ply {ply}: the stored review contradicts itself");
        assert!(error.contains(&expected), "{error}");
    }
    succeed(Command::new(ZERMELO).args(["review", &record, "--nodes", "1000"]));
}

/// A damaged record is not replaced; its games are annotated up to the damage on stdout.
#[test]
fn damaged_records_are_not_overwritten() {
    let folder = Folder::new("damaged");
    let record = folder.path("games.pgn");
    let whole = game("nim", "1. c1c4 {0.1s} *");
    for (text, place, code) in [
        (
            game("tictactoe", "1. b2 {0.1s} a1 {0.1s} 2. b2 {0.1s} *"),
            "game 2: ply 3: illegal move",
            1,
        ),
        (game("tictactoe", "1. b2 {0.1s} a1 {0.1s} 2."), "game 2: after ply 2: line", 2),
        (game("tictactoe", "1. b2 {0.1s} a1 {0.1"), "game 2: after ply 2: line", 2),
        // A wrong tag is not an error after the last move.
        (
            game("tictactoe", "1. b2 {0.1s} a1 {0.1s} *").replace("]\n\n", "]\n[Round \"x\"]\n\n"),
            "game 2: line",
            2,
        ),
        (game("chess", "1. e4 {0.1s} *"), "game 2: unknown game \"chess\"", 1),
        (
            game("tictactoe", "1. b2 {0.1s} a1 {0.1s} c1c4 {0.1s} *"),
            "game 2: ply 3: \"c1c4\" is not a move",
            1,
        ),
    ] {
        let text = whole.clone() + text.trim_end();
        fs::write(&record, &text).unwrap();
        let output = annotate(&[&record, "--output", &record]).output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(place), "{stderr}");
        assert!(stderr.contains("games.pgn is not written"), "{stderr}");
        assert_eq!(fs::read_to_string(&record).unwrap(), text);
        let stdout = annotate(&[&record]).output().unwrap().stdout;
        let annotated = String::from_utf8_lossy(&stdout).matches("worth").count();
        assert_eq!(annotated, if place.contains("chess") { 1 } else { 3 });
    }
}

#[test]
fn a_game_that_cannot_be_reviewed_has_no_verdict() {
    let folder = Folder::new("unreviewed");
    let (record, output) = (folder.path("games.pgn"), folder.path("annotated.pgn"));
    fs::write(&record, game("chess", "1. e4 {0.1s} *")).unwrap();
    let output = annotate(&[&record, "--output", &output]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

/// The third occurrence of a position is a draw.
#[test]
fn repetition_is_annotated_as_a_draw() {
    let folder = Folder::new("repetition");
    let record = folder.path("games.pgn");
    let mut play = Record::new(PongHauKi::start());
    let mut text = String::new();
    while play.outcome().is_none() {
        let mv = play.legal_moves()[0];
        play.push(mv).unwrap();
        text += &format!("{mv} {{0.1s}} ");
    }
    fs::write(&record, game("ponghauki", &format!("{text}*"))).unwrap();
    succeed(&mut annotate(&[&record, "--output", &record]));
    let last = read(&record).remove(0).moves.pop().unwrap();
    let value =
        play.outcome().map(|outcome| ExactValue::from_outcome(outcome, play.position().side()));
    assert_eq!(last.value, value.map(|exact| Score::Exact(exact.before_move())));
}

/// With `--only`, one game is annotated in place, also under another path to the record.
#[test]
fn other_games_are_kept() {
    let folder = Folder::new("only");
    let record = folder.path("games.pgn");
    let text = game("nim", "1. c1c4 {0.1s} *") + &game("nim", "1. c1c3 {0.1s} *");
    let text = text.replace("[White \"", "[Number \"8\"]\n[White \"").replacen("\"8\"", "\"7\"", 1);
    fs::write(&record, text).unwrap();
    let alias = folder.alias("./games.pgn");
    succeed(&mut annotate(&[&record, "--only", "7", "--output", &alias]));
    let none = annotate(&[&record, "--only", "9"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
    let stdout = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(stdout.contains("games.pgn: no game 9, expected one of: 7-8"), "{stdout}");
    let games = read(&record);
    let annotated: Vec<bool> = games.iter().map(|game| game.moves[0].value.is_some()).collect();
    assert_eq!(annotated, [true, false]);
}

/// In a file of unnumbered games, as saved by several people, games are numbered by position.
#[test]
fn games_without_distinct_numbers_are_named_by_their_places() {
    let folder = Folder::new("unnumbered");
    let record = folder.path("games.pgn");
    for tag in ["", "[Number \"1\"]\n"] {
        let saved = |mv: &str| {
            let text = game("nim", &format!("1. {mv} {{0.1s}} *"));
            text.replace("[White \"", &format!("{tag}[White \""))
        };
        fs::write(&record, ["c1c4", "c1c3", "c1c2"].map(saved).concat()).unwrap();
        let annotated = succeed(&mut annotate(&[&record, "--only", "2"]));
        assert!(annotated.contains("1. c1c3 {") && annotated.contains("worth"), "{annotated}");
        fs::write(&record, ["c1c4", "c1c1"].map(saved).concat()).unwrap();
        let refused = fail(&mut annotate(&[&record]), 1);
        assert!(refused.contains("game 2: ply 1: illegal move \"c1c1\""), "{refused}");
        let refused = fail(&mut zermelo(&["--check-record", &record]), 1);
        assert!(refused.contains("games.pgn, game 2: ply 1:"), "{refused}");
    }
}

/// A record without a number, a place in a schedule or a time does not get them.
#[test]
fn annotation_invents_no_tags() {
    let folder = Folder::new("unknown-tags");
    let record = folder.path("games.pgn");
    fs::write(&record, game("nim", "1. c1c4 {0.1s} *")).unwrap();
    let annotated = succeed(&mut annotate(&[&record]));
    let tags = annotated.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = tags.filter_map(|tag| tag[1..].split(' ').next()).collect();
    assert_eq!(names, ["Game", "White", "Black", "FEN", "Result", "Termination"]);
    assert!(annotated.contains("worth"), "{annotated}");
}

/// JSON lines are annotated like the same games in text, and stay JSON lines.
#[test]
fn json_lines_are_annotated() {
    let folder = Folder::new("annotated-json");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let words = ["--game", "nim", "--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];
    succeed(zermelo(&words).args(["--record", &record, "--jsonl", &json]));
    succeed(&mut annotate(&[&json, "--output", &json]));
    let text = succeed(&mut annotate(&[&record, "--json"]));
    assert_eq!(fs::read_to_string(&json).unwrap(), text);
    assert!(text.contains("\"worth\""), "{text}");
    fs::write(&json, text.replace("\"schema\"", "\"scheme\"")).unwrap();
    assert_eq!(annotate(&[&json]).output().unwrap().status.code(), Some(2));
}

/// Starts to annotate a game of tic-tac-toe and one of TixTax, which takes hours, and interrupts it
/// after the first. Returns the standard error.
#[cfg(unix)]
fn interrupt(arguments: &[&str], wait_for: &str) -> String {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    let mut command = annotate(&[arguments, &["--nodes", "100000000000"]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains(wait_for) {
        assert!(stdout.read_line(&mut line).unwrap() > 0, "{line}");
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{stderr}");
    stderr
}

/// What is finished when Ctrl-C arrives is kept, and a later run continues from there.
#[cfg(unix)]
#[test]
fn interrupted_annotation_keeps_finished_games() {
    let folder = Folder::new("annotate-interrupted");
    let (record, target) = (folder.path("games.pgn"), folder.path("annotated.pgn"));
    let short = game("tictactoe", "1. a3 {0.1s} b3 {0.1s} *");
    let text = short.clone() + &game("tixtax", "1. e5 {0.1s} e4 {0.1s} *");
    for output in [&target, &record] {
        fs::write(&record, &text).unwrap();
        let stderr = interrupt(&[&record, "--output", output], "game 1:");
        let resume = format!("zermelo annotate {output} --output {output} --resume --nodes 1000");
        assert!(stderr.contains("annotations of 1 of 2 games, the others are"), "{stderr}");
        assert!(stderr.contains(&resume), "{stderr}");
        let games = read(output);
        let annotated: Vec<usize> = games
            .iter()
            .map(|game| game.moves.iter().filter(|mv| mv.value.is_some()).count())
            .collect();
        assert_eq!(annotated, [2, 0]);
        assert_eq!(games[1].moves.len(), 2);
        let resumed = ["--output", output, "--resume", "--nodes", "1000"];
        let stdout = succeed(annotate(&[output]).args(resumed));
        assert!(stdout.starts_with("game 2:"), "only the other game is reviewed: {stdout}");
        assert!(read(output).iter().all(|game| stored_review(game).unwrap().is_some()));
    }
    // On stdout whole games are written; without a finished game nothing is.
    fs::write(&record, &text).unwrap();
    let stderr = interrupt(&[&record], "*");
    assert!(stderr.contains("interrupted after 1 of 2 games"), "{stderr}");
    fs::write(&target, "kept").unwrap();
    fs::write(&record, short + &game("tixtax", "1. e5 {0.1s} *")).unwrap();
    let only = ["--only", "2", "--output", &target];
    let mut child =
        annotate(&[&record]).args(only).args(["--nodes", "100000000000"]).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read_to_string(&target).unwrap(), "kept");
}
