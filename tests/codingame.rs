//! `zermelo codingame`: the program as a CodinGame bot.

use std::io::{BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

use crate::common::{lines, run_program, start_program, wait_with_timeout};
use zermelo::protocol::codingame::{BotAnswer, RowColumn, parse_answer, turn_text};
use zermelo::rules::{Notation, SplitMix};
use zermelo::thinking::{CodingameBoard, registry};

/// Plays a game against the bot with random moves and returns the times of its answers.
fn play_random_game(game: &str, bot_begins: bool, seed: u64, arguments: &[&str]) -> Vec<Duration> {
    let spec = registry::find(game).unwrap();
    let board = CodingameBoard::of_game(spec).unwrap();
    let mut position = spec.open();
    let mut random = SplitMix::new(seed);
    let mut child = start_program(&[&["codingame", "--game", game], arguments].concat());
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut opponent: Option<RowColumn> = None;
    let mut times = Vec::new();
    let mut is_bots_turn = bot_begins;
    while position.outcome().is_none() {
        let legal = position.legal_moves(Notation::Own);
        if is_bots_turn {
            let sent = Instant::now();
            writeln!(input, "{}", turn_text(opponent, &board.places_of(&legal))).unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            times.push(sent.elapsed());
            let Some(BotAnswer::Square(place)) = parse_answer(line.trim_end()) else {
                panic!("{line:?}")
            };
            assert_eq!(line, format!("{place}\n"));
            position.play_moves(&[board.name_of(place)]).unwrap();
        } else {
            let chosen = &legal[random.below(legal.len())];
            opponent = board.place_of(chosen);
            position.play_moves(&[chosen]).unwrap();
        }
        is_bots_turn = !is_bots_turn;
    }
    if let Some(last) = opponent.filter(|_| is_bots_turn) {
        // The bot exits without waiting for the list of moves.
        writeln!(input, "{last}").unwrap();
    }
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    let output = wait_with_timeout(child).unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, b"", "{output:?}");
    times
}

#[test]
fn bot_plays_whole_games_and_prints_only_its_moves() {
    let games = registry::games().iter().filter(|spec| CodingameBoard::of_game(spec).is_ok());
    let games: Vec<&str> = games.map(|spec| spec.id).collect();
    assert!(games.contains(&"tixtax-count"), "{games:?}");
    for (number, game) in (0..).zip(games.repeat(2)) {
        let limits = ["--first-ms", "200", "--ms", "40", "--threads", "2", "--hash", "4"];
        let times = play_random_game(game, number % 2 == 0, number, &limits);
        // Generous, since the tests share the machine.
        assert!(times.iter().all(|time| *time < Duration::from_secs(2)), "{times:?}");
        let thinking = times.iter().filter(|time| time.as_millis() >= 20).count();
        assert!(thinking >= 3, "{times:?}");
    }
}

#[test]
fn weaker_play_and_other_options_can_be_set() {
    let options = ["--ms", "20", "--first-ms", "20", "--option", "Skill Level=0"];
    play_random_game("tixtax", true, 7, &options);
    let searcher = ["--ms", "20", "--first-ms", "20", "--option", "searcher=random"];
    play_random_game("tixtax", false, 8, &searcher);
}

/// Bad input ends the program with a message that says where it is and what is expected.
#[test]
fn bad_input_is_refused_with_its_place() {
    let all: String = (0..81).map(|index| format!("{} {}\n", index / 9, index % 9)).collect();
    let start = format!("-1 -1\n81\n{all}");
    for (input, answers, message) in [
        (String::new(), 0, "turn 1, line 1: unexpected end of input, expected the opponent's move"),
        ("e5\n".to_owned(), 0, "turn 1, line 1: unexpected \"e5\", expected the opponent's move"),
        ("\u{1b}[2J\n".to_owned(), 0, "unexpected \"\\u{1b}[2J\""),
        (
            "4 4\nnine\n".to_owned(),
            0,
            "turn 1, line 2: unexpected \"nine\", expected the number of",
        ),
        (
            "4 4\n100\n".to_owned(),
            0,
            "line 2: unexpected \"100\", expected the number of legal moves",
        ),
        (
            "-1 -1\n81\n0 0\n0 1\n".to_owned(),
            0,
            "turn 1, line 5: unexpected end of input, expected legal move 3 of 81 as ROW COL",
        ),
        (
            "-1 -1\n1\n4 4\n4 4\n".to_owned(),
            1,
            "turn 2, line 4: illegal opponent move 4 4 (e5), expected one of 3 3, 3 4, 3 5, 4 3",
        ),
        (format!("{start}-1 -1\n"), 1, "turn 2, line 84: unexpected \"-1 -1\""),
        (
            start.clone(),
            1,
            "turn 2, line 84: unexpected end of input, expected the opponent's move",
        ),
        (format!("4 4{}\n", " ".repeat(1 << 17)), 0, "turn 1, line 1: unexpected \"4 4"),
    ] {
        let arguments =
            ["codingame", "--first-ms", "10", "--ms", "10", "--option", "Searcher=random"];
        let output = run_program(&arguments, input.as_bytes());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{input:?}: {stderr}");
        assert_eq!(lines(&output.stdout).len(), answers, "{input:?}");
        assert!(stderr.contains(message), "{message}\n{stderr}");
    }
    let output = run_program(&["codingame"], b"4 4\n1\n\xff\xfe\n");
    assert_eq!(output.status.code(), Some(2));
    let huge = vec![b'9'; 1 << 20];
    assert_eq!(run_program(&["codingame"], &huge).status.code(), Some(2));
}

#[test]
fn wrong_list_of_legal_moves_is_reported_and_the_game_goes_on() {
    // The opponent has played the centre of the centre: c4, f4 and so on are legal, a9 is not.
    let input = b"4 4\n3\n3 3\n0 0\n5 5\n";
    let output = run_program(&["codingame", "--first-ms", "30"], input);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let expected = "turn 1, line 5: the listed moves are not the legal moves; missing: 3 4, 3 5, \
                    4 3, 4 5, 5 3, 5 4; illegal: 0 0\n";
    assert!(stderr.contains(expected), "{stderr}");
    let answer = lines(&output.stdout)[0];
    assert!(["3 3", "5 5"].contains(&answer), "{answer}");
    for (input, difference) in [
        ("\n4 4\n\n0\n", "turn 1, line 4: the listed moves are not the legal moves; missing: 3 3"),
        ("4 4\n1\n0 0\n", "3 4, 3 5, 4 3, 4 5, 5 3, 5 4, 5 5; illegal: 0 0\n"),
    ] {
        let output = run_program(&["codingame", "--first-ms", "30"], input.as_bytes());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(difference), "{stderr}");
        let answer = parse_answer(lines(&output.stdout)[0]);
        let Some(BotAnswer::Square(RowColumn { row: 3..=5, column: 3..=5 })) = answer else {
            panic!("{answer:?}")
        };
    }
}

#[test]
fn flags_are_checked() {
    for (arguments, message) in [
        (vec!["--game", "nim"], "nim cannot be played in CodinGame's protocol"),
        (vec!["--game", "ugi"], "--game ugi is only supported by"),
        (vec!["--ms", "0"], "\"0\" for --ms, expected "),
        (vec!["--margin-ms", "100"], "leaves no time to think"),
        (vec!["--option", "Hash=3"], "use --hash instead"),
        (vec!["--option", "UCI_Variant=nim"], "use --game instead"),
        (vec!["--option", " log   file=x.log"], "use --log instead"),
        (vec!["--option", "Move Overhead=50"], "use --margin-ms instead"),
        (vec!["--option", "Ponder=true"], "a bot cannot ponder"),
        (vec!["--option", "Skill Level"], "expected NAME=VALUE"),
        (vec!["--option", "Skill Level=50"], "invalid value \"50\" for option Skill Level"),
        (vec!["--option", "Nonsense=1"], "unknown option \"Nonsense\""),
        (vec!["--hash", "0"], "invalid value \"0\" for option Hash"),
    ] {
        let output = run_program(&[&["codingame"], &arguments[..]].concat(), b"");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}
