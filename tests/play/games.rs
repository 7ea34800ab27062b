//! Whole games.

use std::time::Duration;

use zermelo::arena::record::GameRecord;
use zermelo::arena::record::pgn::PgnReader;
use zermelo::arena::replay::replay;
use zermelo::engine::registry;
use zermelo::play::messages::Language;
use zermelo::play::{First, Heard, Start, Wishes};
use zermelo::rules::{Outcome, Side, SplitMix};

use super::common::Folder;
use super::script::{Script, lines, moves, wishes};

fn saved(text: &str) -> GameRecord {
    PgnReader::new(text.as_bytes()).next_game().unwrap().unwrap()
}

/// Plays random moves to the end of a game, saves it and leaves; what was said, and the record.
fn random_game(wishes: Wishes, folder: &Folder, seed: u64) -> (Vec<String>, GameRecord) {
    let path = folder.file(&format!("{}-{seed}.pgn", wishes.game.id));
    let mut random = SplitMix::new(seed);
    let mut closing = vec!["no".to_owned(), "yes".to_owned(), format!("save {}", path.display())];
    let _ = std::fs::write(&path, "something else\n");
    let mut script = Script::new(|words: &[String], _: &[String]| match moves(words)[..] {
        [] => closing.pop().map_or(Heard::End, Heard::Line),
        ref moves => Heard::Line(moves[random.below(moves.len())].clone()),
    });
    script.play(wishes).unwrap();
    let said = std::mem::take(&mut script.said);
    (said, saved(&std::fs::read_to_string(path).unwrap()))
}

#[test]
fn games_of_every_kind_are_played_to_the_end_both_ways_and_in_both_languages() {
    let folder = Folder::new("play-games");
    for (number, game) in registry::GAMES.iter().enumerate() {
        for (first, language, won) in [
            (First::Me, Language::English, ["You win", "Zermelo wins", "A draw"]),
            (First::Engine, Language::Chinese, ["你赢了", "电脑赢了", "和棋"]),
        ] {
            let wishes = Wishes { first: Some(first), language, ..wishes(game.id) };
            let seed = 2 * number as u64 + u64::from(first == First::Me);
            let (said, record) = random_game(wishes, &folder, seed);
            let person = usize::from(first == First::Engine);
            assert_eq!(record.players[person], "person");
            assert_eq!(record.players[1 - person], "zermelo level 20");
            let words = match record.result.unwrap() {
                Outcome::Win(side) if side.index() == person => won[0],
                Outcome::Win(_) => won[1],
                Outcome::Draw => won[2],
            };
            assert!(said.iter().any(|line| line.contains(words)), "{}: {said:#?}", game.id);
            let replayed = replay(&record).unwrap();
            assert_eq!((replayed.error, replayed.frames.len()), (None, record.moves.len() + 1));
            // The line, or the pieces that are stuck; in nim there is nothing of the kind.
            let is_drawn = said.iter().any(|line| line.contains('*'));
            assert_eq!(
                is_drawn,
                record.result != Some(Outcome::Draw) && game.id != "nim",
                "{said:#?}"
            );
            if game.is_solved && game.id != "nim" {
                let value = record.result.unwrap().value_for(record_side(person));
                assert_ne!(value, zermelo::rules::Value::Win, "what is solved is not lost");
            }
        }
    }
}

fn record_side(index: usize) -> Side {
    if index == 0 { Side::P1 } else { Side::P2 }
}

#[test]
fn whatever_is_typed_the_game_follows_the_rules() {
    let folder = Folder::new("play-anything");
    for (number, game) in registry::GAMES.iter().enumerate() {
        let path = folder.file(&format!("{}.pgn", game.id));
        let mut random = SplitMix::new(number as u64);
        let mut left = 150;
        let mut asked_to_replace = false;
        let name = path.display().to_string();
        let mut script = Script::new(|words: &[String], said: &[String]| {
            left -= 1;
            let moves = moves(words);
            asked_to_replace = words[0] == "no";
            let line = match random.below(16) {
                _ if left == 0 => format!("save {name}"),
                _ if left < 0 && asked_to_replace => "yes".to_owned(),
                _ if left < 0 => return Heard::End,
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
                    return if said.len().is_multiple_of(2) {
                        Heard::Interrupt
                    } else {
                        Heard::Line(String::new())
                    };
                }
                _ if moves.is_empty() => "undo".to_owned(),
                _ => moves[random.below(moves.len())].clone(),
            };
            Heard::Line(line)
        });
        script.columns = [40, 60, 80, 120, 40][number];
        script.plain = number % 2 == 0;
        let wishes = Wishes {
            level: 3,
            against_person: Some(number == 1),
            time: Duration::from_millis(1),
            ..wishes(game.id)
        };
        script.play(wishes).unwrap();
        assert!(script.said.iter().any(|line| line.contains("Good-bye")));
        let record = saved(&std::fs::read_to_string(&path).unwrap());
        let replayed = replay(&record).unwrap();
        assert_eq!((replayed.error, replayed.frames.len()), (None, record.moves.len() + 1));
    }
}

#[test]
fn the_end_tells_where_the_game_was_thrown_away() {
    let end = |typed: &[&str], against_person| {
        let mut script = Script::new(lines(typed));
        let wishes = Wishes { against_person: Some(against_person), ..wishes("tictactoe") };
        script.play(wishes).unwrap();
        script.said
    };
    let thrown = end(&["1", "2", "4", "3", "7"], true);
    let has = |said: &[String], text: &str| said.join(" ").contains(text);
    assert!(has(&thrown, "The first player wins: three in a row."), "{thrown:#?}");
    let turned =
        "The game turned at move 2, the second player's b3: a draw became a loss. B2 was right.";
    assert!(has(&thrown, turned), "{thrown:#?}");
    assert!(has(&thrown, "|*X*|"), "the line is drawn");
    let drawn = end(&["5", "1", "9", "3", "2", "8", "4", "6", "7"], true);
    assert!(has(&drawn, "A draw: nobody can win any more."), "{drawn:#?}");
    assert!(has(&drawn, "No move threw anything away."), "{drawn:#?}");
}

#[test]
fn a_game_is_taken_up_again_after_its_end() {
    let typed = ["1", "2", "4", "3", "7", "8", "undo", "undo", "9", "redo", "8", "undo", "undo"];
    let mut script = Script::new(lines(&typed));
    script.play(Wishes { against_person: Some(true), ..wishes("tictactoe") }).unwrap();
    assert!(script.has_said("\"8\" cannot be played, the game is over; undo takes moves back"));
    assert!(script.has_said("There is nothing to play again."), "a new move forgets the old ones");
    let ends = script.said.iter().filter(|line| line.contains("wins: three in a row")).count();
    assert_eq!(ends, 1, "told once");
    let mut script = Script::new(lines(&["1", "2", "4", "3", "7", "undo", "redo"]));
    script.play(Wishes { against_person: Some(true), ..wishes("tictactoe") }).unwrap();
    let ends = script.said.iter().filter(|line| line.contains("wins: three in a row")).count();
    assert_eq!(ends, 2, "told again");
}

#[test]
fn against_the_engine_undo_comes_back_to_the_person() {
    let mut script =
        Script::new(lines(&["undo", "5", "9", "undo", "undo", "undo", "redo", "flip", "undo"]));
    script.play(wishes("tictactoe")).unwrap();
    let told: Vec<&str> = script
        .said
        .iter()
        .map(String::as_str)
        .filter(|line| {
            line.contains("aken back") || line.contains("nothing to") || line.contains("again:")
        })
        .collect();
    assert_eq!(
        told,
        [
            "There is nothing to take back.",
            "Taken back: 2 moves.",
            "Taken back: 2 moves.",
            "There is nothing to take back.",
            "Played again: 2 moves.",
            "Taken back: 2 moves.",
        ]
    );
    assert!(script.has_said("You have changed sides."));
}

#[test]
fn where_games_begin() {
    let begins = |start: Start, game: &str, seed| {
        let mut script = Script::new(lines(&[]));
        script.play(Wishes { start, seed, ..wishes(game) }).unwrap();
        script.said
    };
    let nim = begins(Start::Usual, "nim", 7);
    assert!(nim.iter().any(|line| line.contains("Random start 7; --random 7 begins there again.")));
    assert_eq!(begins(Start::Random, "nim", 7), nim);
    assert_ne!(begins(Start::Random, "nim", 8), nim);
    let own = begins(Start::Fen("startpos".to_owned()), "nim", 7);
    assert!(
        own.iter().any(|line| line.contains("8 | R | R | R | R | R | R | R | R |")),
        "{own:#?}"
    );
    let random = begins(Start::Random, "tixtax", 3);
    assert!(random.iter().any(|line| line.contains("Random start 3")));
    let set = begins(Start::Fen("x2/3/3 o".to_owned()), "tictactoe", 7);
    assert!(set.iter().any(|line| line.contains("O  you")), "who is to move moves: {set:#?}");
    let bad = Script::new(lines(&[]))
        .play(Wishes { start: Start::Fen("x".to_owned()), ..wishes("tictactoe") });
    assert!(bad.unwrap_err().to_string().contains("fen has 1 fields"));
}
