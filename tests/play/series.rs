//! The questions before the first game, new games, resignation and the score.

use zermelo::language::Language;
use zermelo::records::GameReader;
use zermelo::rules::{Outcome, Side};
use zermelo::terminal::PlayOptions;
use zermelo::thinking::registry;

use super::script::{Script, lines, options, two_human_options};
use crate::common::{Folder, run_program};

fn output(options: PlayOptions, typed: &[&str]) -> String {
    let mut script = Script::new(lines(typed));
    script.play(options).unwrap();
    script.printed.join(" ")
}

fn unset() -> PlayOptions {
    PlayOptions {
        asks_game: true,
        opponent: None,
        asks_level: true,
        first_mover: None,
        ..options("tixtax")
    }
}

#[test]
fn game_opponent_level_and_side_are_asked_in_this_order() {
    let printed = output(unset(), &["nim", "engine", "expert", "engine"]);
    let parts = [
        "1  tixtax        TixTax: ultimate tic-tac-toe",
        "Board Nim",
        " 0 beginner",
        "15 expert",
        "20 full strength",
        "zermelo, level 15",
        "R  you",
    ];
    let mut rest = &printed[..];
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part}: {printed}"));
        rest = &rest[at..];
    }
    let default = output(unset(), &["", "", "", ""]);
    assert!(default.contains("X  you") && default.contains("zermelo, level 20"), "{default}");
    assert!(default.contains(" 8 intermediate (Elo 1645)"), "{default}");
    assert!(default.contains("Next move: anywhere."), "{default}");
    assert!(output(unset(), &["2", "", "7", "me"]).contains("zermelo, level 7"));
    let chosen = output(unset(), &["4", "human"]);
    assert!(chosen.contains("B  the first player") && !chosen.contains("Elo"), "{chosen}");
    let beyond = (registry::games().len() + 1).to_string();
    let wrong = output(unset(), &[&beyond, "chess", "0", "ttt", "engine", "21", "quit"]);
    for answer in [&beyond, "chess", "0"] {
        let refusal = format!("\"{answer}\" is not a valid answer: type tixtax or tictactoe or");
        assert!(wrong.contains(&refusal), "{wrong}");
    }
    let range = "\"21\" is not a level. Expected a number from 0 (beginner) to 20 (full strength)";
    assert!(wrong.contains(range), "{wrong}");
    let chinese = PlayOptions { language: Language::Chinese, ..unset() };
    let chinese = output(chinese, &["ponghauki", "电脑", "大师", "你"]);
    assert!(chinese.contains("电脑（zermelo，18 级）"), "{chinese}");
}

#[test]
fn levels_are_set_by_number_or_name() {
    let printed = output(options("tictactoe"), &["level", "level hobby", "level 级", "级别 全力"]);
    assert!(printed.contains("The engine plays at level 20."), "{printed}");
    assert!(printed.contains("12 advanced"), "{printed}");
    assert!(
        printed.contains("now plays at level 6.") && printed.contains("now plays at level 20.")
    );
    assert!(printed.contains("is not a level. Expected a number from 0"), "{printed}");
    let printed = output(options("tictactoe"), &["level experrt", "级别 21"]);
    assert!(printed.contains("\"experrt\" is not a level. Did you mean expert?"), "{printed}");
    let chinese = PlayOptions { language: Language::Chinese, ..options("tictactoe") };
    let printed = output(chinese, &["level experrt"]);
    assert!(printed.contains("“experrt”不是级别。是不是想输入“expert”？"), "{printed}");
}

#[test]
fn the_option_for_the_level_takes_numbers_and_names() {
    let play = |level: &str| {
        let line = ["play", "tictactoe", "--first", "me", "--lang", "en", "--level", level];
        let output = run_program(&line, b"");
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout, stderr, output.status.code())
    };
    for (typed, level) in
        [("7", 7), ("expert", 15), ("Full-Strength", 20), ("full strength", 20), ("大师", 18)]
    {
        let (stdout, _, code) = play(typed);
        assert!(stdout.contains(&format!("zermelo, level {level}")), "{typed}: {stdout}");
        assert_eq!(code, Some(0));
    }
    for (typed, words) in [
        ("experrt", "unknown level \"experrt\"; did you mean \"expert\"? expected a number"),
        ("21", "unknown level \"21\", expected a number from 0 to 20 or one of: beginner"),
        ("-1", "unknown level \"-1\", expected a number from 0 to 20"),
    ] {
        let (stdout, stderr, code) = play(typed);
        assert!(stderr.contains(words) && stdout.is_empty(), "{typed}: {stderr}");
        assert_eq!(code, Some(2));
    }
}

#[test]
fn rules_show_examples_of_every_game() {
    for spec in registry::games() {
        for (typed, language) in [("rules", Language::English), ("规则", Language::Chinese)] {
            let printed = |typed: &[&str]| {
                output(PlayOptions { language, ..two_human_options(spec.id) }, typed).len()
            };
            assert!(printed(&[typed]) > printed(&[]) + 100, "{}", spec.id);
        }
    }
    let rules = output(two_human_options("ponghauki"), &["rules"]);
    assert!(rules.contains("The first move of the game is a3b2"), "{rules}");
}

#[test]
fn resigning_loses_the_game_until_it_is_taken_back() {
    let folder = Folder::new("play-resign");
    let path = folder.file("game.pgn").display().to_string();
    let (save, load) = (format!("save {path}"), format!("load {path}"));
    let printed = output(options("tictactoe"), &["5", "resign", "hint", "1", "redo", &save, "no"]);
    for part in [
        "Zermelo wins: you resigned.",
        "Score after 1 game: you 0, zermelo 1.",
        "The game is over.",
        "\"1\" cannot be played",
        "There is no move to replay.",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let record = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
    assert_eq!(record.result, Some(Outcome::Win(Side::P2)), "{text}");
    let loaded = output(options("tictactoe"), &[&load, "undo", "9", "undo", "resign", "no"]);
    assert_eq!(loaded.matches("Zermelo wins: you resigned.").count(), 2, "{loaded}");
    assert!(loaded.contains("The game goes on."), "{loaded}");
    assert!(loaded.ends_with("Score after 1 game: you 0, zermelo 1. Goodbye."), "{loaded}");
    let resigned = output(two_human_options("nim"), &["a 1", "认输", "no"]);
    assert!(resigned.contains("The first player wins: the second player resigned."), "{resigned}");
}

#[test]
fn new_games_may_be_of_another_kind_and_keep_the_score() {
    let typed = ["new tictactoe", "1", "2", "4", "3", "7", "new nim", "new chess", "resign", "no"];
    let printed = output(two_human_options("ponghauki"), &typed);
    for part in [
        "Type a move as a cell, such as b2",
        "Score after 1 game: the first player 1, the second player 0.",
        "Random start ",
        "\"chess\" is not a game: expected one of tixtax tictactoe",
        "Score after 2 games: the first player 1, the second player 1.",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let drawn = ["5", "1", "9", "3", "2", "8", "4", "6", "7", "undo", "7", "no"];
    let printed = output(two_human_options("tictactoe"), &drawn);
    let score = "Score after 1 game: the first player 0.5, the second player 0.5.";
    assert_eq!(printed.matches(score).count(), 2, "a game counts once: {printed}");
}

#[test]
fn the_first_move_of_black_in_a_record_is_numbered_as_such() {
    let folder = Folder::new("play-black");
    let path = folder.file("game.pgn").display().to_string();
    let save = format!("save {path}");
    let fen = Some("2x/3/3 o".to_owned());
    let options = PlayOptions { fen, ..two_human_options("tictactoe") };
    output(options, &["a3", "b2", "c1", &save]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\n1... a3 ") && text.contains(" 2. b2 "), "{text}");
    let record = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
    assert_eq!(record.moves.iter().map(|mv| &mv.mv[..]).collect::<Vec<_>>(), ["a3", "b2", "c1"]);
    assert_eq!(record.to_pgn(), text);
}
