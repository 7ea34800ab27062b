//! `zermelo review`.

use std::fs;

use zermelo::language::Language;
use zermelo::records::Termination;

use crate::common::{Folder, lines, run_program};

fn write_record(folder: &Folder, text: &str) -> String {
    let path = folder.file("games.pgn");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn game(name: &str, number: u32, moves: &str) -> String {
    let tags =
        format!("[Game \"{name}\"]\n[Number \"{number}\"]\n[White \"ann\"]\n[Black \"bob\"]");
    format!("{tags}\n\n{moves}\n\n")
}

fn review(arguments: &[&str]) -> (String, String, i32) {
    let output = run_program(&[&["review"], arguments].concat(), b"");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

#[test]
fn a_game_is_shown_with_marks_better_moves_and_turning_points() {
    let folder = Folder::new("review-text");
    let path = write_record(&folder, &game("tictactoe", 1, "1. a3 b3 2. c2 b2 3. b1 a1 *"));
    let (stdout, stderr, code) = review(&[&path]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    assert_eq!(
        stdout,
        "\
1: Tic-tac-toe, ann - bob, *

ply  player  move      before  after   keep  better line
  1  ann     a3        draw    draw    9/9
  2  bob     b3    ??  draw    loss 6  1/8   b2 b3 c3 a1 a2 c2 …
  3  ann     c2    ??  win 5   draw    3/7   a2 a1 b2 c3 c2
  4  bob     b2    !   draw    draw    1/6
  5  ann     b1        draw    draw    1/5
  6  bob     a1        draw    draw    2/4

player  accuracy  mean loss   ??  ?  ?!    !  proven
ann       69.5 %     16.7 %  1+0  0   0    0     3/3
bob       69.5 %     16.7 %  1+0  0   0  1+0     3/3
win, draw and loss are proven, with the moves of both sides to the end; ~ marks estimates of the expected score. mean loss: expected score lost per move. keep: moves that keep the value / legal moves. Marks are counted as proven + estimated.
Accuracy is the mean over all moves of a player: 100 % for a move that loses nothing, as any move does where there is no choice, 64 % if it loses a tenth of a point, 9 % for a half.

Turning points:
  2  bob  b3??  draw → loss 6  better: b2 (takes the centre; the only move that does not lose)
  3  ann  c2??  win 5 → draw   better: a2 (threatens three in a row at a1)
"
    );
    let (chinese, ..) = review(&[&path, "--lang", "zh"]);
    assert!(chinese.contains("和棋 → 必败 6") && chinese.contains("准确率"), "{chinese}");
}

/// The moves that the match runner chose are shown but do not count for or against the players.
#[test]
fn book_moves_are_not_graded() {
    let folder = Folder::new("review-book");
    let moves = "1. a3 {book} b3 {book} 2. c2 b2 3. b1 a1 *";
    let path = write_record(&folder, &game("tictactoe", 1, moves));
    let (stdout, stderr, code) = review(&[&path]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let rows: Vec<&str> = lines(stdout.as_bytes());
    assert_eq!(rows[4], "  2  bob     b3    book  draw    loss 6  1/8   b2 b3 c3 a1 a2 c2 …");
    assert!(rows.contains(&"bob      100.0 %      0.0 %    0  0   0  1+0     2/2"), "{stdout}");
    assert!(rows.contains(&"book: chosen by the match runner, not graded."), "{stdout}");
    assert!(stdout.contains("Turning points:\n  3  "), "{stdout}");
    let json: serde_json::Value = serde_json::from_str(&review(&[&path, "--json"]).0).unwrap();
    assert_eq!(json["turning_points"], serde_json::json!([3]));
    assert_eq!(json["moves"][1]["book"], true);
    assert!(json["moves"][2].get("book").is_none() && json["moves"][1]["mark"].is_null());
    // The review is the same when it is stored and read back.
    let annotated = run_program(&["annotate", &path, "--output", &path], b"");
    assert_eq!(
        annotated.stdout,
        b"game 1: first mistake at ply 3: c2??, draw; better: a2, win 5\n"
    );
    assert_eq!(review(&[&path]).0, stdout);
}

#[test]
fn games_are_selected_by_number_or_summarized() {
    let folder = Folder::new("review-many");
    let games = [
        game("tictactoe", 7, "1. a3 b3 2. c2 *"),
        game("nim", 9, "1. c1c4 c8c5 *"),
        game("ponghauki", 11, "1. a3b2 *"),
    ];
    let path = write_record(&folder, &games.concat());
    let (stdout, stderr, code) = review(&[&path]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let rows: Vec<&str> = lines(stdout.as_bytes());
    assert!(rows[1].starts_with("   7  ann") && rows[1].contains("2 b3??, 3 c2??"), "{stdout}");
    assert_eq!(
        rows.iter().filter(|row| row.starts_with("ann") || row.starts_with("bob")).count(),
        2
    );
    let (single, ..) = review(&[&path, "9"]);
    assert!(single.starts_with("9: Board Nim"), "{single}");
    let (_, stderr, code) = review(&[&path, "8"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no game 8, expected one of: 7, 9, 11"), "{stderr}");
}

#[test]
#[ignore = "takes six seconds"]
fn a_long_review_of_several_games_reports_its_progress() {
    let folder = Folder::new("review-progress");
    let games = game("tixtax", 1, "1. e5 e4 *") + &game("tictactoe", 2, "1. a3 *");
    let path = write_record(&folder, &games);
    let (_, stderr, code) = review(&[&path, "--time", "3"]);
    assert_eq!(code, 0);
    assert!(stderr.starts_with("reviewing: game 1 of 2, "), "{stderr}");
}

#[test]
fn json_separates_proven_from_estimated() {
    let folder = Folder::new("review-json");
    let path = write_record(&folder, &game("tixtax", 1, "1. e5 e4 2. d1 *"));
    let arguments = [&*path, "--json", "--nodes", "2000"];
    let (stdout, _, code) = review(&arguments);
    assert_eq!(code, 0);
    assert_eq!(stdout, review(&arguments).0, "reproducible");
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(json["moves"][0]["before"]["certainty"], "estimated");
    assert_eq!(json["moves"][2]["player"], 1);
    assert_eq!(json["moves"][1]["keep"]["legal"], 8);
    assert_eq!(json["summary"][0]["marks"][0]["mark"], "??");
    assert!(json["complete"].as_bool().unwrap());
    for (limit, effort) in [("--nodes", "2000 nodes"), ("--time", "0.05 s")] {
        let (shown, ..) = review(&[&path, limit, effort.split(' ').next().unwrap()]);
        assert!(shown.contains(&format!("\nAt most {effort} per move.\n")), "{shown}");
    }
}

#[test]
fn damaged_games_are_reviewed_up_to_the_damage() {
    let folder = Folder::new("review-damaged");
    let good = game("tictactoe", 1, "1. b2 *");
    for (bad, error, reviewed, exit_code) in [
        (game("tictactoe", 2, "1. b2 a1 2. a1 *"), "game 2: ply 3: illegal move \"a1\"", 2, 1),
        (game("tictactoe", 2, "1. b2 a1 2. c"), "game 2: ply 3: ", 2, 2),
        (game("tictactoe", 2, "1. b2 a1 {0.3"), "game 2: after ply 2: line ", 2, 2),
        (game("go", 2, "1. d4 *"), "game 2: unknown game \"go\"", 0, 1),
        (game("ugi", 2, "1. d4 *"), "game 2: cannot review a game of \"ugi\"", 0, 1),
        (game("nim", 2, "1. c1c4 e5 *"), "game 2: ply 2: \"e5\" is not a move, expected ", 1, 1),
        (game("nim", 2, "1. c1c4 c8c4 *"), "the piece on c4 is in the way; legal here: ", 1, 1),
    ] {
        let path = write_record(&folder, &(good.clone() + bad.trim_end()));
        let (stdout, stderr, code) = review(&[&path, "--json"]);
        assert_eq!(code, exit_code, "{stderr}");
        assert!(stderr.contains(error), "{stderr}");
        let games: Vec<serde_json::Value> = lines(stdout.as_bytes())
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let moves = games.get(1).map_or(0, |game| game["moves"].as_array().unwrap().len());
        assert_eq!(moves, reviewed, "{stdout}");
        assert!(games.get(1).is_none_or(|game| game["complete"] == false));
    }
    let (_, stderr, code) = review(&[&folder.file("missing").display().to_string()]);
    assert!(code == 2 && stderr.contains("missing"), "{stderr}");
}

#[test]
fn damaged_games_do_not_rename_the_others() {
    let folder = Folder::new("review-numbers");
    let good = |number| game("tictactoe", number, "1. b2 *");
    let torn = "[Game \"tictactoe\"]\n[Number \"2\n\n1. b2 *\n\n";
    let text = good(1) + &good(3) + torn + &good(4).replace("\"4\"", "\"abc\"") + &good(5);
    let path = write_record(&folder, &text);
    let json = folder.file("games.json");
    let whole = write_record(&folder, &(good(1) + &good(3) + &good(5)));
    let output = run_program(&["annotate", &whole, "--json"], b"");
    fs::write(&json, [&*output.stdout, b"{\"schema\":1"].concat()).unwrap();
    fs::write(&path, text).unwrap();
    for path in [path, json.display().to_string()] {
        let (stdout, stderr, code) = review(&[&path, "3", "--json"]);
        assert!(stdout.contains("\"number\":3") && stderr.contains("line "), "{stdout}{stderr}");
        assert_eq!(code, 2, "{stderr}");
        assert!(review(&[&path, "5", "--json"]).0.contains("\"number\":5"));
        let (stdout, stderr, code) = review(&[&path, "2"]);
        assert!(
            stdout.is_empty() && stderr.contains("no game 2, expected one of: 1, 3, 5"),
            "{stderr}"
        );
        assert_ne!(code, 0);
    }
}

#[test]
fn records_may_start_with_a_byte_order_mark() {
    let folder = Folder::new("review-mark");
    let path = write_record(&folder, &("\u{feff}".to_owned() + &game("tictactoe", 1, "1. b2 *")));
    let (_, stderr, code) = review(&[&path]);
    assert_eq!((stderr.as_str(), code), ("", 0));
}

#[test]
fn the_page_escapes_control_characters_in_names() {
    let folder = Folder::new("review-names");
    let path =
        write_record(&folder, &game("tictactoe", 1, "1. b2 *").replace("bob", "b\u{202e}\\x1bob"));
    let html = folder.file("review.html").display().to_string();
    assert_eq!(review(&[&path, "--html", &html]).2, 0);
    let page = fs::read_to_string(&html).unwrap();
    let (section, _) = page.split_once("id=\"data\">").unwrap();
    assert!(!section.contains(['\u{202e}', '\u{1b}']), "{section}");
    assert!(section.contains("b\\u{202e}\\u{1b}ob"), "{section}");
}

/// The page embeds the annotated games, and no text of the record becomes markup.
#[test]
fn the_page_has_boards_graphs_and_marks() {
    let folder = Folder::new("review-html");
    let game = game("tictactoe", 3, "1. a3 b3 2. c2 b2 *").replace("bob", "<b>&");
    let path = write_record(&folder, &game);
    let html = folder.file("review.html").display().to_string();
    let (stdout, stderr, code) = review(&[&path, "--html", &html]);
    assert_eq!((stderr, code), (format!("zermelo: page written: {html}\n"), 0));
    assert!(stdout.contains("Turning points"), "{stdout}");
    let page = fs::read_to_string(&html).unwrap();
    assert!(
        page.contains("<h2>3: Tic-tac-toe, ann - &lt;b&gt;&amp;, *</h2>") && !page.contains("<b>")
    );
    assert!(
        page.contains("<a href=\"#game=3&amp;ply=2\">b3??</a> &lt;b&gt;&amp;: draw → loss 6<p>")
    );
    assert!(
        page.contains("Better: b2 (takes the centre; the only move that does not lose), then b3")
    );
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value =
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let shown = &data["games"][0];
    assert_eq!((&data["is_review"], &shown["number"]), (&true.into(), &3.into()));
    assert_eq!(shown["marks"], serde_json::json!([null, "??", "??", "!"]));
    // From the first player's point of view, at the start and after each move.
    let expected =
        serde_json::json!([[0.5, true], [0.5, true], [1.0, true], [0.5, true], [0.5, true]]);
    assert_eq!(shown["expected"], expected);
    let (_, stderr, code) = review(&[&path, "--html", &path]);
    assert!(code == 2 && stderr.contains("are the same file"), "{stderr}");
    assert_eq!(fs::read_to_string(&path).unwrap(), game);
}

#[test]
fn every_termination_has_a_chinese_name() {
    let texts = Language::Chinese.report_texts();
    for termination in Termination::ALL {
        let name = termination.as_str();
        assert!(texts.iter().any(|(english, _)| *english == name), "{name}");
    }
}

#[test]
fn the_page_is_in_the_language_asked_for() {
    let folder = Folder::new("review-html-zh");
    let path = write_record(&folder, &game("tictactoe", 3, "1. a3 b3 2. c2 b2 *"));
    let html = folder.file("review.html").display().to_string();
    let page = |language: &str| {
        let (_, stderr, code) = review(&[&path, "--html", &html, "--lang", language]);
        assert_eq!((stderr, code), (format!("zermelo: page written: {html}\n"), 0));
        fs::read_to_string(&html).unwrap()
    };
    let chinese = page("zh");
    for text in [
        "<html lang=\"zh\">",
        "<p class=\"kicker\">复盘</p>",
        "<h2>3: 井字棋, ann - bob, *</h2>",
        "<th>准确率</th>",
        "更好的着法：b2（占据中心；唯一不输的着法），后续：b3 c3",
        "\"Next move\":\"下一步\"",
    ] {
        assert!(chinese.contains(text), "{text}");
    }
    let english = page("en");
    assert!(english.contains("<html lang=\"en\">") && english.contains("\"texts\":{}"));
}

/// Ctrl-C ends the review; what is reviewed by then is printed, and the exit code says that it is
/// not complete.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_reviewed() {
    use std::io::{BufRead, BufReader, Read};

    use rustix::process::{Pid, Signal, kill_process};

    use crate::common::start_program;

    let folder = Folder::new("review-interrupted");
    let games = game("tictactoe", 1, "1. a3 b3 *") + &game("tixtax", 2, "1. e5 e4 *");
    let path = write_record(&folder, &games);
    let mut child = start_program(&["review", &path, "--json", "--nodes", "100000000000"]);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    stdout.read_to_string(&mut text).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{stderr}");
    assert!(stderr.contains("interrupted: the review is not complete"), "{stderr}");
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&first["complete"], &first["turning_points"]), (&true.into(), &[2].into()));
    for line in text.lines().skip(1) {
        let rest: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(rest["complete"], false);
    }
}
