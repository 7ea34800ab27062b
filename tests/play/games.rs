//! Whole games.

use std::time::Duration;

use zermelo::interact::PlayerKind;
use zermelo::language::Language;
use zermelo::records::GameReader;
use zermelo::records::GameRecord;
use zermelo::records::replay::replay;
use zermelo::rules::{Outcome, Side, SplitMix, StartPosition, Value};
use zermelo::terminal::PlayOptions;
use zermelo::terminal::{Completions, ConsoleInput};
use zermelo::thinking::registry;

use super::script::{Script, lines, options, two_human_options};
use crate::common::Folder;

fn read_record(text: &str) -> GameRecord {
    GameReader::new(text.as_bytes()).next_game().unwrap().unwrap()
}

/// Plays random moves to the end of a game, saves it and quits; returns the output and the record.
fn random_game(options: PlayOptions, folder: &Folder, seed: u64) -> (Vec<String>, GameRecord) {
    let path = folder.file(&format!("{}-{seed}.pgn", options.game.id));
    let mut random = SplitMix::new(seed);
    let mut closing = vec!["no".to_owned(), "yes".to_owned(), format!("save {}", path.display())];
    let _ = std::fs::write(&path, "something else\n");
    let mut script =
        Script::new(|completions: &Completions, _: &[String]| match &completions.moves[..] {
            [] => closing.pop().map_or(ConsoleInput::End, ConsoleInput::Line),
            moves => ConsoleInput::Line(moves[random.below(moves.len())].clone()),
        });
    script.play(options).unwrap();
    let printed = std::mem::take(&mut script.printed);
    (printed, read_record(&std::fs::read_to_string(path).unwrap()))
}

/// Whether the final position of a game highlights what decided it.
fn highlights_end(record: &GameRecord) -> bool {
    let mut position = registry::find(&record.game).unwrap().open();
    let moves: Vec<&str> = record.moves.iter().map(|mv| mv.mv.as_str()).collect();
    position.set_position(&StartPosition::from_text(&record.fen), &moves).unwrap();
    position.spot_contents().iter().any(|content| content.highlighted)
}

/// A seed that does not depend on the order of the games.
fn seed_of(id: &str) -> u64 {
    id.bytes().map(u64::from).sum()
}

#[test]
#[ignore = "plays for ten seconds"]
fn every_game_can_be_played_to_the_end_as_either_side_and_in_both_languages() {
    let folder = Folder::new("play-games");
    let mut highlighted = 0;
    for game in registry::games() {
        for (first_mover, language, results) in [
            (PlayerKind::Human, Language::English, ["You win", "Zermelo wins", "Draw"]),
            (PlayerKind::Engine, Language::Chinese, ["你赢了", "电脑赢了", "和棋"]),
        ] {
            let options =
                PlayOptions { first_mover: Some(first_mover), language, ..options(game.id) };
            let seed = 2 * seed_of(game.id) + u64::from(first_mover == PlayerKind::Human);
            let (printed, record) = random_game(options, &folder, seed);
            let [person, side] = match first_mover {
                PlayerKind::Human => [0, 1],
                PlayerKind::Engine => [1, 0],
            };
            assert_eq!(record.players[person], "person");
            assert_eq!(record.players[side], "zermelo level 20");
            let persons_side = [Side::P1, Side::P2][person];
            let value = record.result.unwrap().value_for(persons_side);
            let result = match record.result.unwrap() {
                Outcome::Win(winner) if winner == persons_side => results[0],
                Outcome::Win(_) => results[1],
                Outcome::Draw => results[2],
            };
            assert!(printed.iter().any(|line| line.contains(result)), "{}: {printed:#?}", game.id);
            let replayed = replay(&record).unwrap();
            assert_eq!((replayed.error, replayed.frames.len()), (None, record.moves.len() + 1));
            // Plain boards mark with asterisks what decided the game.
            let is_highlighted = printed.iter().any(|line| line.contains('*'));
            assert_eq!(is_highlighted, highlights_end(&record), "{printed:#?}");
            highlighted += usize::from(is_highlighted);
            // A random start may be lost for the engine.
            if game.is_solved && !game.open().has_random_start() {
                assert_ne!(value, Value::Win, "{}: the engine plays solved games well", game.id);
            }
        }
    }
    assert!(highlighted > 0);
}

#[test]
fn any_sequence_of_commands_leaves_a_game_that_follows_the_rules() {
    let folder = Folder::new("play-anything");
    for (variation, game) in registry::games().iter().enumerate() {
        let path = folder.file(&format!("{}.pgn", game.id));
        let mut random = SplitMix::new(seed_of(game.id));
        let mut inputs_left = 150;
        let name = path.display().to_string();
        let mut script = Script::new(|completions: &Completions, printed: &[String]| {
            inputs_left -= 1;
            let moves = &completions.moves;
            let is_overwrite_question = completions.words[0] == "no";
            let line = match random.below(16) {
                _ if inputs_left == 0 => format!("save {name}"),
                _ if inputs_left < 0 && is_overwrite_question => "yes".to_owned(),
                _ if inputs_left < 0 => return ConsoleInput::End,
                0 | 1 => "undo".to_owned(),
                2 => "redo".to_owned(),
                3 => "flip".to_owned(),
                4 => ["hint", "eval", "moves", "help"][random.below(4)].to_owned(),
                5 => format!("level {}", random.below(25)),
                6 => ["new", "yes", "no way", "e9 e9", "\u{7}", "a", "level"][random.below(7)]
                    .to_owned(),
                7 => format!("save {name}"),
                8 if path.exists() => format!("load {name}"),
                9 => {
                    return if printed.len().is_multiple_of(2) {
                        ConsoleInput::Interrupt
                    } else {
                        ConsoleInput::Line(String::new())
                    };
                }
                _ if moves.is_empty() => "undo".to_owned(),
                _ => moves[random.below(moves.len())].clone(),
            };
            ConsoleInput::Line(line)
        });
        script.columns = [40, 60, 80, 120][variation % 4];
        script.plain = variation % 2 == 0;
        let opponent = if variation % 3 == 1 { PlayerKind::Human } else { PlayerKind::Engine };
        let options = PlayOptions {
            level: 3,
            opponent: Some(opponent),
            move_time: Duration::from_millis(1),
            ..options(game.id)
        };
        script.play(options).unwrap();
        assert!(script.has_printed("Goodbye"));
        let record = read_record(&std::fs::read_to_string(&path).unwrap());
        let replayed = replay(&record).unwrap();
        assert_eq!((replayed.error, replayed.frames.len()), (None, record.moves.len() + 1));
    }
}

#[test]
fn the_review_reports_where_the_outcome_changed() {
    let review = |typed: &[&str]| {
        let mut script = Script::new(lines(typed));
        script.play(two_human_options("tictactoe")).unwrap();
        script.printed
    };
    let has = |printed: &[String], text: &str| printed.join(" ").contains(text);
    let lost = review(&["1", "2", "4", "3", "7"]);
    assert!(has(&lost, "The first player wins: three in a row."), "{lost:#?}");
    let turning_point = "The game turned on move 2, the second player's b3: a draw became a loss. \
        The right move was b2 (takes the centre; the only move that does not lose).";
    assert!(has(&lost, turning_point), "{lost:#?}");
    assert!(has(&lost, "|*X*|"), "the winning line is marked");
    let drawn = review(&["5", "1", "9", "3", "2", "8", "4", "6", "7"]);
    assert!(has(&drawn, "Draw: neither side can win any more."), "{drawn:#?}");
    assert!(has(&drawn, "Neither side made a mistake."), "{drawn:#?}");
}

#[test]
fn a_finished_game_can_be_resumed_with_undo() {
    let wins = |script_output: &[String]| {
        script_output.iter().filter(|line| line.contains("wins: three in a row")).count()
    };
    let typed = ["1", "2", "4", "3", "7", "8", "undo", "undo", "9", "redo", "8", "undo", "undo"];
    let mut script = Script::new(lines(&typed));
    script.play(two_human_options("tictactoe")).unwrap();
    assert!(script.has_printed("\"8\" cannot be played: the game is over."));
    assert!(script.has_printed("There is no move to replay."), "a new move clears the old ones");
    assert_eq!(wins(&script.printed), 1, "the result is announced once");
    let mut script = Script::new(lines(&["1", "2", "4", "3", "7", "undo", "redo"]));
    script.play(two_human_options("tictactoe")).unwrap();
    assert_eq!(wins(&script.printed), 2, "and again when the end is reached again");
}

#[test]
fn undo_against_the_engine_returns_to_the_persons_turn() {
    let mut script =
        Script::new(lines(&["undo", "5", "9", "undo", "undo", "undo", "redo", "flip", "undo"]));
    script.play(options("tictactoe")).unwrap();
    let answers: Vec<&str> = script
        .printed
        .iter()
        .map(String::as_str)
        .filter(|line| {
            ["Took back", "There is no move", "Replayed"]
                .iter()
                .any(|start| line.starts_with(start))
        })
        .collect();
    assert_eq!(
        answers,
        [
            "There is no move to take back.",
            "Took back 2 moves.",
            "Took back 2 moves.",
            "There is no move to take back.",
            "Replayed 2 moves.",
            "Took back 2 moves.",
        ]
    );
    assert!(script.has_printed("You have switched sides."));
}

#[test]
fn games_start_from_the_selected_position() {
    let opening_screen = |fen: Option<&str>, is_random, game: &str, seed| {
        let mut script = Script::new(lines(&[]));
        let fen = fen.map(str::to_owned);
        script.play(PlayOptions { fen, is_random, seed, ..options(game) }).unwrap();
        script.printed
    };
    let has = |printed: &[String], text: &str| printed.iter().any(|line| line.contains(text));
    let nim = opening_screen(None, false, "nim", 7);
    assert!(has(&nim, "Random start 7; repeat it with --random 7."));
    assert_eq!(opening_screen(None, true, "nim", 7), nim);
    assert_ne!(opening_screen(None, true, "nim", 8), nim);
    let own = opening_screen(Some("startpos"), false, "nim", 7);
    assert!(has(&own, "8 | R | R | R | R | R | R | R | R |"), "{own:#?}");
    assert!(has(&opening_screen(None, true, "tixtax", 3), "Random start 3"));
    let set = opening_screen(Some("x2/3/3 o"), false, "tictactoe", 7);
    assert!(has(&set, "O  you"), "the person plays the side to move: {set:#?}");
    let invalid = PlayOptions { fen: Some("x".to_owned()), ..options("tictactoe") };
    let error = Script::new(lines(&[])).play(invalid).unwrap_err();
    assert!(error.to_string().contains("field count 1"));
}

#[test]
fn a_game_decided_by_counting_ends_with_the_count() {
    let won = "xoxoxox2/oxoooxxx1/xxoxoxoox/xxooooxxo/oxxoxxxox/xx1xo1o1o/o2ooxoxo/oo2xxox1/\
        xoooxxxo1 o 35 -";
    let drawn = "ooox1xxox/1xoxo1x1o/o1xx2oxx/xooxxooox/2xooxxoo/oooxxoxxo/xx1o2xoo/xxxo1oxxo/\
        o2oxooxx x 34 -";
    for (fen, moves, language, expected) in [
        (won, &["i2", "i1"][..], Language::English, "wins on count: 4 boards to 3."),
        (won, &["i2", "i1"], Language::Chinese, "赢了：小棋盘数 4 比 3。"),
        (drawn, &["h8"], Language::English, "Draw: 4 boards each."),
        (drawn, &["h8"], Language::Chinese, "和棋：双方各赢 4 个小棋盘。"),
    ] {
        let fen = Some(fen.to_owned());
        let mut script = Script::new(lines(moves));
        let options = PlayOptions { fen, language, ..two_human_options("tixtax-count") };
        script.play(options).unwrap();
        assert!(script.has_printed(expected), "{:#?}", script.printed);
    }
}

/// At 80 columns and in the narrowest window, what does not fit continues below its own column.
#[test]
fn the_review_fits_the_window() {
    let review = |columns: usize, language: Language| {
        let mut script = Script::new(lines(&["1", "2", "6", "5", "review"]));
        script.columns = columns;
        script.play(PlayOptions { language, ..two_human_options("tictactoe") }).unwrap();
        script.printed
    };
    let wide = review(80, Language::English);
    assert!(wide.iter().any(|line| line.ends_with("keep  better line")), "{wide:#?}");
    let at = wide.iter().position(|line| line.ends_with("takes the centre; the")).unwrap();
    assert_eq!(wide[at + 1], format!("{:45}only move that does not lose)", ""));
    for (columns, player) in [(36, ""), (44, "the second player  ")] {
        let narrow = review(columns, Language::English);
        let at = narrow.iter().position(|line| line == "Turning points:").unwrap();
        assert_eq!(narrow[at + 1], format!("  2  {player}b3??  draw → loss 6"));
        assert!(narrow[at + 2].starts_with("        better: b2 (takes"), "{narrow:#?}");
        assert!(narrow[at + 3].starts_with("        "), "{narrow:#?}");
        assert!(narrow.iter().any(|line| line.starts_with("accuracy")), "{narrow:#?}");
    }
    let chinese = review(60, Language::Chinese);
    assert!(chinese.contains(&"转折点：".to_owned()), "{chinese:#?}");
    assert!(chinese.iter().any(|line| line.contains("更好的着法：b2（占据中心")), "{chinese:#?}");
}
