//! `zermelo exam`: scores agree with a recomputation, and no engine ends the run.

mod suite;

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;
use zermelo::exam::score::{Choice, ExamAnswer, mistakes};
use zermelo::exam::suite::{ExamPosition, Suite};
use zermelo::records::{GameReader, Glyph};
use zermelo::teaching::annotate::stored_review;
use zermelo::thinking::registry;

use crate::common::{Folder, fake_command, run_program};

const GAMES: [&str; 2] = ["tixtax", "tixtax-count"];

fn suite(game: &str) -> Suite {
    Suite::of_game(registry::find(game).unwrap()).unwrap()
}

fn succeed(arguments: &[&str]) -> String {
    let output = run_program(&[&["exam"], arguments].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stderr, b"", "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = run_program(&[&["exam"], arguments].concat(), b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn exported(game: &str) -> Vec<Json> {
    let text = succeed(&["--game", game, "--export"]);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A suite of every `step`th position, with the right checksum.
fn small_suite(game: &str, step: usize) -> String {
    let text = text_of(game);
    let body: String = text.lines().skip(1).step_by(step).map(|line| format!("{line}\n")).collect();
    let (count, checksum) = (body.lines().count(), crc32fast::hash(body.as_bytes()));
    format!("zermelo-exam 1 {game} {count} {checksum:08x}\n{body}")
}

fn text_of(game: &str) -> &'static str {
    match game {
        "tixtax" => include_str!("../../data/exam/tixtax.txt"),
        _ => include_str!("../../data/exam/tixtax-count.txt"),
    }
}

/// Writes a small suite and the answers of the fake engine; returns the arguments that examine it.
fn fake_exam(folder: &Folder, answers: &[String], count: usize) -> Vec<String> {
    let text = small_suite("tixtax", suite("tixtax").positions.len() / count);
    fs::write(folder.file("suite.txt"), &text).unwrap();
    let answers: String = text
        .lines()
        .skip(1)
        .zip(answers)
        .map(|(line, answer)| format!("{} {answer}\n", line.split(' ').next().unwrap()))
        .collect();
    fs::write(folder.file("answers"), answers).unwrap();
    let arguments = format!("args=candidate '{}'", folder.path("answers"));
    let arguments = [
        "--suite",
        &folder.path("suite.txt"),
        "--engine",
        "name=fake",
        fake_command(),
        &arguments,
        "st=0.5",
        "timemargin=400",
    ];
    arguments.map(str::to_owned).to_vec()
}

fn json_of(arguments: &[String], more: &[&str]) -> Json {
    let arguments: Vec<&str> =
        arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    serde_json::from_str(&succeed(&[&arguments[..], &["--json"]].concat())).unwrap()
}

/// The half points that a move loses in an exported position.
fn lost(position: &Json, mv: &str) -> u64 {
    let points =
        |value: &Json| ["loss", "draw", "win"].iter().position(|own| value == own).unwrap();
    (points(&position["value"]) - points(&position["values"][mv])) as u64
}

/// Only the values of the program's own suites are said to be proven; a checksum can be forged.
#[test]
fn rewritten_suites_are_not_said_to_be_proven() {
    for game in GAMES {
        assert!(suite(game).is_own);
        let text = text_of(game);
        let (_, body) = text.split_once('\n').unwrap();
        let line = body.lines().next().unwrap();
        let swap = |letter| match letter {
            'w' => 'l',
            'l' => 'w',
            other => other,
        };
        let (moves, values) = line.split_once(' ').unwrap();
        let forged = format!("{moves} {}", values.chars().map(swap).collect::<String>());
        let body = body.replacen(line, &forged, 1);
        let (count, checksum) = (body.lines().count(), crc32fast::hash(body.as_bytes()));
        let forged = format!("zermelo-exam 1 {game} {count} {checksum:08x}\n{body}");
        assert!(!Suite::parse(&forged).unwrap().is_own);
    }
}

/// What a file holds is replaced only if it is the record of an exam.
#[test]
fn other_files_are_kept() {
    let folder = Folder::new("exam-files");
    let (record, log) = (folder.path("games.pgn"), folder.path("log"));
    let game = "[Game \"tixtax\"]\n[White \"a\"]\n[Black \"b\"]\n\n1. e5 *\n\n";
    for text in ["notes\n", "% {}\n", game] {
        fs::write(&record, text).unwrap();
        let stderr = refused(&["--engine", "nodes=1", "--record", &record]);
        assert!(stderr.contains("not the record of an exam"), "{stderr}");
        assert_eq!(fs::read_to_string(&record).unwrap(), text);
    }
    let stderr = format!("stderr={log}");
    let error = refused(&["--engine", "nodes=1", &stderr, "--record", &log]);
    assert!(error.contains("--record and stderr="), "{error}");
    let arguments = fake_exam(&folder, &[], 4);
    for _ in 0..2 {
        let record = folder.path("worst.pgn");
        json_of(&arguments, &["--record", &record]);
    }
}

/// The record of an exam holds the proofs of its suite, which `review` takes over.
#[test]
fn mistakes_are_reviewed_by_their_proofs() {
    for game in GAMES {
        let suite = suite(game);
        let wrong = |position: &ExamPosition| {
            let is_wrong = |mv: &&String| !position.right_moves().any(|right| right == *mv);
            let choice = position.values.iter().map(|(mv, _)| mv).find(is_wrong).unwrap().clone();
            ExamAnswer { id: position.id, choice: Choice::Move(choice) }
        };
        let answers: Vec<ExamAnswer> = suite.positions.iter().step_by(50).map(wrong).collect();
        let found = mistakes(&suite, &answers);
        assert_eq!(found.len(), answers.len());
        for mistake in found {
            let text = mistake.record(1, &suite, "engine").to_pgn();
            let record = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
            let review = stored_review(&record).unwrap().unwrap();
            let mv = &review.moves[0];
            let values = [mv.before, mv.after].map(|score| score.proven().unwrap().value());
            assert_eq!(values[0], mistake.position.best(), "{text}");
            assert_eq!(Some(values[1]), mistake.position.value_of(mistake.mv), "{text}");
            assert!(mistake.position.right_moves().any(|right| right == mv.best_move()), "{text}");
            assert_eq!(mv.keeping.count, mistake.position.right_moves().count(), "{text}");
            assert_eq!(mv.loss(), mistake.lost as f64 / 2.0, "{text}");
            assert_eq!(mv.mark, Some(Glyph::Blunder));
        }
    }
}

/// An engine that plays the last move by name, scored here from the export alone.
#[test]
fn scores_agree_with_a_recomputation() {
    let folder = Folder::new("exam-scores");
    let arguments = fake_exam(&folder, &[], 40);
    let text = succeed(&["--suite", &folder.path("suite.txt"), "--export"]);
    let positions: Vec<Json> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let chosen: Vec<String> = positions
        .iter()
        .map(|position| position["values"].as_object().unwrap().keys().max().unwrap().clone())
        .collect();
    fake_exam(&folder, &chosen, 40);
    let record = folder.path("worst.pgn");
    let page = folder.path("exam.html");
    let report =
        json_of(&arguments, &["--record", &record, "--report", &page, "--concurrency", "2"]);

    let mut expected: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for (position, mv) in positions.iter().zip(&chosen) {
        let ply = position["line"].as_array().unwrap().len();
        let band = [(24, 29), (30, 35), (36, 41), (42, 60)];
        let (first, last) = band.into_iter().find(|(_, last)| ply <= *last).unwrap();
        let right = match position["right"].as_array().unwrap().len() {
            1 => "one right move",
            2 => "two right moves",
            _ => "more right moves",
        };
        let motif = |name: &Json| match name.as_str().unwrap() {
            "free-choice-given" => "free choice given",
            "free-choice-denied" => "free choice denied",
            "board-given-up" => "a board given up",
            "draw-defended" => "defence of a draw",
            "count" => "the count",
            "quiet-only-move" => "a quiet only move",
            other => panic!("{other}"),
        };
        let motifs = position["motifs"].as_array().unwrap().iter().map(motif);
        let band = format!("plies {first} to {last}");
        for group in ["all", &band, right].into_iter().chain(motifs) {
            expected.entry(group.to_owned()).or_default()[lost(position, mv) as usize] += 1;
        }
    }
    let groups = report["groups"].as_array().unwrap();
    assert_eq!(groups.len(), expected.len());
    for group in groups {
        let [kept, half, whole] = expected[group["name"].as_str().unwrap()];
        let count = (kept + half + whole) as f64;
        assert_eq!(group["answers"], kept + half + whole);
        assert_eq!(group["right"], kept);
        let close = |number: &Json, expected: f64| {
            assert!((number.as_f64().unwrap() - expected).abs() < 1e-9, "{group}");
        };
        close(&group["right_percent"], 100.0 * kept as f64 / count);
        close(&group["loss"], (whole as f64 + half as f64 / 2.0) / count);
        // The ends of Wilson's interval are the shares from which the result is 1.96 deviations away.
        for end in ["right_low", "right_high"] {
            let end = group[end].as_f64().unwrap() / 100.0;
            let deviation = (end * (1.0 - end) / count).sqrt();
            let distance = (kept as f64 / count - end).abs();
            assert!((distance - 1.959_964 * deviation).abs() < 1e-6, "{group}");
        }
    }

    let games: Vec<_> = GameReader::new(&*fs::read(&record).unwrap()).map(Result::unwrap).collect();
    let wrong: Vec<(u64, &Json, &String)> = positions
        .iter()
        .zip(&chosen)
        .map(|(position, mv)| (lost(position, mv), position, mv))
        .filter(|(lost, ..)| *lost > 0)
        .collect();
    assert_eq!(games.len(), wrong.len().min(100));
    let losses: Vec<u64> = games
        .iter()
        .map(|game| {
            let is_it = |(_, position, mv): &&(u64, &Json, &String)| {
                position["fen"] == game.fen && **mv == game.moves[0].mv
            };
            wrong.iter().find(is_it).unwrap().0
        })
        .collect();
    assert!(losses.is_sorted_by(|left, right| left >= right), "{losses:?}");
    let reviewed = run_program(&["review", &record, "1", "--time", "1", "--lang", "en"], b"");
    assert!(reviewed.status.success(), "{reviewed:?}");
    assert!(String::from_utf8_lossy(&reviewed.stdout).contains(&games[0].moves[0].mv));
    // Whoever rewrote the suite may have rewritten its values.
    assert!(games.iter().all(|game| game.moves[0].value.is_none()));
    let page = fs::read_to_string(&page).unwrap();
    assert_eq!(report["exam"]["is_proven"], false);
    assert!(page.contains("not the suite of this program: they may be wrong"));
    assert!(page.matches("<svg").count() > 5 && page.contains("The costliest moves"));
}

/// Each fault costs its position, is named, and the engine answers the next one.
#[test]
fn no_fault_ends_the_run() {
    let folder = Folder::new("exam-faults");
    let good = "ok";
    let mut answers: Vec<String> = [
        "crash", good, "exit", good, "late", good, "hang", good, "zz", good, "a1a1", good, "0000",
        good, "", good,
    ]
    .map(str::to_owned)
    .to_vec();
    let positions = exported("tixtax");
    let step = positions.len() / 16;
    for (index, answer) in answers.iter_mut().enumerate().filter(|(_, answer)| *answer == good) {
        positions[index * step]["right"][0].as_str().unwrap().clone_into(answer);
    }
    let arguments = fake_exam(&folder, &answers, 16);
    let report = json_of(&arguments, &[]);
    assert!(report["remedy"].as_str().unwrap().contains("--concurrency 1"), "{report}");
    let given = report["answers"].as_array().unwrap();
    assert!(given.len() >= 16);
    for (index, kind) in [
        (0, "crash"),
        (2, "crash"),
        (4, "time"),
        (6, "time"),
        (8, "illegal"),
        (10, "illegal"),
        (12, "illegal"),
        (14, "illegal"),
    ] {
        assert_eq!(given[index]["fault"]["kind"], kind, "{index}");
        assert!(given[index]["loss"].as_f64().unwrap() > 0.0);
        assert_eq!(given[index + 1]["loss"], 0.0, "{index}");
    }
    let counted: u64 =
        report["faults"].as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).sum();
    let faults = given.iter().filter(|answer| answer.get("fault").is_some()).count();
    assert_eq!(counted, faults as u64);
    let all = &report["groups"][0];
    assert_eq!(
        all["right"].as_u64().unwrap() as usize,
        given.iter().filter(|answer| answer["loss"] == 0.0).count()
    );
}

#[test]
fn answers_do_not_depend_on_concurrency() {
    let folder = Folder::new("exam-concurrency");
    for game in GAMES {
        fs::write(folder.file("suite.txt"), small_suite(game, 80)).unwrap();
        let path = folder.path("suite.txt");
        let answers = |more: &[&str]| {
            let arguments = ["--suite", &path, "--json", "--engine", "nodes=50"];
            let report: Json =
                serde_json::from_str(&succeed(&[&arguments[..], more].concat())).unwrap();
            report["answers"].clone()
        };
        let alone = answers(&[]);
        assert_eq!(alone, answers(&["--concurrency", "3"]), "{game}");
        assert_eq!(alone, answers(&["proto=ugi"]), "{game}");
    }
}

/// A bot that plays the first listed move can be led anywhere.
#[test]
fn codingame_bots_are_led_along_the_line_of_play() {
    let folder = Folder::new("exam-bot");
    fs::write(folder.file("suite.txt"), small_suite("tixtax-count", 150)).unwrap();
    let bot = "args=bot none";
    let path = folder.path("suite.txt");
    let examine = |more: &[&str]| -> Json {
        let arguments =
            ["--suite", &path, "--json", "--engine", fake_command(), "proto=codingame", "st=2"];
        serde_json::from_str(&succeed(&[&arguments[..], more].concat())).unwrap()
    };
    let report = examine(&[bot]);
    assert!(report.get("faults").is_none(), "{report}");
    let moves = report["answers"].as_array().unwrap().iter();
    // Squares are listed by row from the top, then by column.
    let text = succeed(&["--suite", &path, "--export"]);
    for (answer, line) in moves.zip(text.lines()) {
        let position: Json = serde_json::from_str(line).unwrap();
        let key = |mv: &&String| (u8::MAX - mv.as_bytes()[1], mv.as_bytes()[0]);
        let first = position["values"].as_object().unwrap().keys().min_by_key(key).unwrap();
        assert_eq!(answer["move"], *first);
    }
    let stray = bot.replace("none", "off-board");
    let report = examine(&[&stray]);
    assert_eq!(report["faults"][0]["count"], report["exam"]["positions"]);
}

#[test]
fn damaged_suites_and_other_versions_are_refused() {
    let folder = Folder::new("exam-suites");
    let path = folder.path("suite.txt");
    let good = small_suite("tixtax", 100);
    let (header, body) = good.split_once('\n').unwrap();
    let sealed = |body: &str| {
        let checksum = crc32fast::hash(body.as_bytes());
        format!("zermelo-exam 1 tixtax {} {checksum:08x}\n{body}", body.lines().count())
    };
    let first = body.lines().next().unwrap();
    let (moves, values) = first.split_once(' ').unwrap();
    for (text, reason) in [
        (
            good.replace("zermelo-exam 1", "zermelo-exam 2"),
            "a suite of version 2, expected version 1",
        ),
        (good.replace("tixtax", "nim"), "there is no exam of nim, expected tixtax or tixtax-count"),
        (format!("{header}\n{}", &body[1..]), "checksum mismatch: the file is corrupt"),
        (good[..good.len() - 3].to_owned(), "checksum mismatch: the file is corrupt"),
        (good.replacen(&format!(" {} ", body.lines().count()), " 999 ", 1), "checksum mismatch"),
        (
            "[Game \"tixtax\"]\n".to_owned(),
            "is not the first line of a suite, expected zermelo-exam VERSION",
        ),
        (String::new(), "is not the first line of a suite"),
        (sealed(&format!("{moves} {values}w\n")), "line 2: "),
        (
            sealed(&format!("{moves} {}\n", "w".repeat(values.len()))),
            "line 2: all moves have the same value",
        ),
        (
            sealed(&format!("{moves} {}x\n", &values[1..])),
            "line 2: 'x' is no value, expected w, d or l",
        ),
        (sealed(&format!("e5e5{moves} {values}\n")), "line 2: illegal move"),
        (sealed(&format!("{}\n", &moves[1..])), "line 2: "),
    ] {
        fs::write(&path, text).unwrap();
        let stderr = refused(&["--suite", &path, "--engine", "nodes=1"]);
        assert!(stderr.contains(reason) && stderr.contains("suite.txt"), "{reason}: {stderr}");
    }
    fs::write(&path, &good).unwrap();
    let stderr = refused(&["--suite", &path, "--game", "tixtax-count", "--export"]);
    assert!(stderr.contains("a suite of tixtax, but --game says tixtax-count"), "{stderr}");
    let stderr = refused(&["nim", "--export"]);
    assert!(stderr.contains("there is no exam of nim"), "{stderr}");
    let stderr = refused(&["--engine", fake_command(), "args=engine unborn", "nodes=1"]);
    assert!(stderr.contains("does not start"), "{stderr}");
    assert!(refused(&[]).contains("--engine"));
}
