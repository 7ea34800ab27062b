//! Matches with CodinGame bots (`proto=codingame`).

use std::fs;

use zermelo::records::{GameRecord, Termination};
use zermelo::rules::Outcome;

use crate::common::is_running;

use super::{ABORT, EXIT_3, Folder, fail, fake_bot, fake_command, read, succeed, typed, zermelo};

/// Returns the arguments that pit a bot against this program, whose moves are instant.
fn against_bot<'a>(bot: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let engines =
        ["--engine", "name=bot", fake_command(), "proto=codingame", "st=0.3", "firsttime=2", bot];
    let zermelo = ["--engine", "name=zermelo", "nodes=50"];
    engines.iter().chain(&zermelo).chain(more).copied().collect()
}

/// Bots have the limits of the contest unless others are given.
#[test]
fn a_bot_has_a_second_for_its_first_move() {
    let folder = Folder::new("bot-limits");
    let record = folder.path("games.pgn");
    let bot = fake_bot("late-start");
    let play = |limits: &[&str]| {
        let engines = ["--engine", "name=bot", fake_command(), "proto=codingame", &bot];
        let more = ["--engine", "name=zermelo", "nodes=50", "--record", &record];
        let output = zermelo(&engines).args(limits).args(more).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let games = read(&record);
        fs::remove_file(&record).unwrap();
        (games[0].limits[0].clone(), games[0].reason.clone())
    };
    for (limits, all) in
        [(&[][..], "st=0.1 firsttime=1"), (&["st=0.3"], "st=0.3 firsttime=1"), (&["st=2"], "st=2")]
    {
        let (found, reason) = play(limits);
        assert_eq!(found, all);
        assert!(reason.ends_with("wins by the rules"), "{reason}");
    }
    let (_, reason) = play(&["st=0.1", "firsttime=0.2"]);
    assert!(reason.starts_with("bot made no move within 0.200s; it answered"), "{reason}");
    assert!(reason.ends_with("s (its first move, firsttime=0.2)"), "{reason}");
}

fn play(folder: &Folder, fault: &str, more: &[&str]) -> Vec<GameRecord> {
    let record = folder.path(&format!("{fault}.pgn"));
    let bot = fake_bot(&format!("{fault} '{}'", folder.path(fault)));
    succeed(zermelo(&against_bot(&bot, more)).args(["--record", &record]));
    read(&record)
}

#[test]
fn every_fault_of_a_bot_loses_with_its_own_termination() {
    let folder = Folder::new("bot-faults");
    for (fault, termination, reason) in [
        ("occupied", Termination::Illegal, "bot played"),
        ("off-board", Termination::Illegal, "bot played 9 9: not on the board"),
        ("no-move", Termination::Illegal, "bot played -1 -1: not on the board"),
        ("square", Termination::ProtocolError, "bot sent \"e5\", expected a move as ROW COL"),
        ("one-number", Termination::ProtocolError, "bot sent \"4\", expected a move as ROW COL"),
        ("prose", Termination::ProtocolError, "stormy"),
        ("bytes", Termination::ProtocolError, "not UTF-8"),
        ("endless", Termination::ProtocolError, "more than 65536 bytes"),
        ("twice", Termination::ProtocolError, "before its turn"),
        ("banner", Termination::ProtocolError, "bot sent \"Bot 1.0\""),
        ("crash", Termination::Crash, ABORT),
        ("exit", Termination::Crash, EXIT_3),
        ("late", Termination::Time, "no move within 0.300s; it answered after 0."),
        ("silent", Termination::Stall, "no move within 0.300s, nor in another 1s"),
        ("stderr-flood", Termination::Stall, "no move within 0.300s"),
        ("child", Termination::Stall, "no move within 0.300s"),
        ("chatty", Termination::Normal, "by the rules"),
    ] {
        let games = play(&folder, fault, &[]);
        let context = format!("{fault}: {games:#?}");
        assert_eq!(games.len(), 2, "{context}");
        // One fault does not exclude the bot from the next game.
        for game in games {
            assert_eq!(game.termination, termination, "{context}");
            assert!(game.reason.contains(reason), "{context}");
            if termination.is_fault() {
                assert_eq!(game.player_at_fault(), Some("bot"), "{context}");
                let loser = game.side_of("bot").unwrap();
                assert_eq!(game.result, Some(Outcome::Win(loser.other())), "{context}");
            }
            let stderr = (fault == "crash").then_some("out of cheese");
            assert!(fault == "stderr-flood" || game.stderr.as_deref() == stderr, "{context}");
            let quoted = "; last line on stderr: \"out of cheese\"";
            assert_eq!(game.reason.ends_with(quoted), stderr.is_some(), "{context}");
        }
    }
}

#[test]
fn each_game_has_its_own_process_which_is_killed_at_its_end() {
    let folder = Folder::new("bot-processes");
    let games = play(&folder, "log", &["--rounds", "2", "--game", "tixtax-open"]);
    assert!(games.iter().all(|game| game.termination == Termination::Normal), "{games:#?}");
    let log = fs::read_to_string(folder.path("log")).unwrap();
    let ids: Vec<&str> = log.lines().filter(|line| !line.contains(' ')).collect();
    // The start check starts the bot once more.
    assert_eq!(ids.len(), 1 + games.len(), "{log}");
    for id in ids {
        assert!(!is_running(id.parse().unwrap()), "{id} is alive");
    }
    // The first turn of the first game, in which the bot begins.
    let turns: Vec<&str> = log.lines().skip(2).collect();
    assert_eq!(turns[0], "-1 -1 81");
    assert_eq!(log.matches("-1 -1").count(), 2, "{log}");
}

/// Returns the moves that the runner chose, and checks that only this program's are chosen.
fn book_moves(game: &GameRecord) -> Vec<&str> {
    let bot = game.side_of("bot").unwrap().index();
    let chosen = game.moves.iter().enumerate().filter(|(_, mv)| mv.is_book);
    chosen
        .map(|(ply, mv)| {
            assert_ne!(ply % 2, bot, "{game:#?}");
            assert!(ply < 6, "{game:#?}");
            mv.mv.as_str()
        })
        .collect()
}

#[test]
fn first_moves_are_random_and_the_same_in_both_games_of_a_pair() {
    let folder = Folder::new("bot-openings");
    let json = folder.path("games.json");
    let more = ["--openings", "random-moves=3", "--rounds", "3", "--seed", "5", "--jsonl", &json];
    let games = play(&folder, "plain", &more);
    let chosen: Vec<Vec<&str>> = games.iter().map(book_moves).collect();
    assert!(chosen.iter().all(|moves| moves.len() == 3), "{chosen:?}");
    // In its first move each side has all squares to choose from, or nine as the second player.
    let first_of = |pair: usize| chosen[2 * pair][0];
    assert!(first_of(0) != first_of(1) || first_of(0) != first_of(2), "{chosen:?}");
    for pair in games.chunks(2) {
        assert_eq!(pair[0].fen, pair[1].fen);
        assert_ne!(pair[0].players, pair[1].players);
    }
    // The flag survives both formats, and a repeated match makes the same choices.
    assert_eq!(fs::read_to_string(&json).unwrap().matches("\"book\":true").count(), 18);
    let text = fs::read_to_string(folder.path("plain.pgn")).unwrap();
    assert_eq!(text.matches("{book}").count(), 18);
    let again = folder.path("again.pgn");
    let bot = fake_bot("plain");
    let more =
        ["--openings", "random-moves=3", "--rounds", "3", "--seed", "5", "--game-range", "3-4"];
    succeed(zermelo(&against_bot(&bot, &more)).args(["--record", &again]));
    let again = read(&again);
    assert_eq!(again.iter().map(book_moves).collect::<Vec<_>>(), chosen[2..4]);
}

#[test]
fn a_bot_of_this_program_plays_in_every_rule_of_the_game() {
    let folder = Folder::new("bot-self");
    for game in zermelo::thinking::registry::games() {
        let bot = format!("args=codingame --game {} --ms 30 --first-ms 60 --margin-ms 20", game.id);
        let cmd = format!("cmd={}", env!("CARGO_BIN_EXE_zermelo"));
        let record = folder.path(&format!("{}.pgn", game.id));
        let engines = ["--engine", "name=bot", &cmd, "proto=codingame", "st=5", &bot];
        let more = ["--engine", "name=zermelo", "nodes=50", "--record", &record];
        let mut command = zermelo(&engines);
        command.args(more).args(["--game", game.id, "--openings", "random-moves=1"]);
        if !game.id.starts_with("tixtax") {
            let error = fail(&mut command, 2);
            assert!(error.contains("cannot be played in CodinGame's protocol"), "{error}");
            assert!(error.contains("expected one of: tixtax, tixtax-open"), "{error}");
            continue;
        }
        succeed(&mut command);
        let games = read(&record);
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.termination == Termination::Normal), "{games:#?}");
    }
}

#[test]
fn two_bots_play_from_the_start_position() {
    let folder = Folder::new("two-bots");
    let record = folder.path("games.pgn");
    let plain = fake_bot("plain");
    let bots = ["--engine", "name=a", &plain, "--engine", "name=b", &plain];
    let each = ["--each", fake_command(), "proto=codingame", "st=2", "--record", &record];
    succeed(zermelo(&bots).args(each));
    let games = read(&record);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].moves[0].mv, "a9");
    assert!(games.iter().all(|game| game.termination == Termination::Normal), "{games:#?}");
    let error = fail(zermelo(&bots).args(each).args(["--openings", "random-moves=2"]), 2);
    assert!(error.contains("neither a nor b can be given a position"), "{error}");
    // In a gauntlet the bots do not meet.
    let gauntlet = ["--tournament", "gauntlet", "--engine", "name=zermelo", "nodes=1"];
    let record = folder.path("gauntlet.pgn");
    let each = ["--each", "st=2", "--openings", "random-moves=2", "--record", &record];
    let bots = ["--engine", "name=a", fake_command(), "proto=codingame", &plain].into_iter();
    let bots: Vec<_> =
        bots.chain(["--engine", "name=b", fake_command(), "proto=codingame", &plain]).collect();
    succeed(zermelo(&gauntlet).args(bots).args(each));
    assert_eq!(read(&record).len(), 4);
}

#[test]
fn settings_that_do_not_suit_bots_are_refused() {
    let plain = fake_bot("plain");
    for (own, more, message) in [
        ("st=1", "--openings random=4", "every game begins at the start position"),
        ("st=1", "--openings file=x.txt", "expected start, or random-moves=N"),
        ("st=1", "--openings random-moves=0", "a number of moves from 1 to 1000"),
        (
            "st=1",
            "--openings random-moves=2 random=3",
            "random-moves= cannot be combined with other keys",
        ),
        ("st=1", "--game nim", "nim cannot be played in CodinGame's protocol"),
        ("st=1", "--game ugi", "cannot play a game with engine-defined rules"),
        ("st=1 option.Hash=3", "", "option.Hash of bot cannot be used"),
        ("st=1 nodes=5", "", "nodes= of bot cannot be used"),
        ("tc=1+1", "", "tc= of bot cannot be used"),
        ("firsttime=1", "", "firsttime= of bot needs st="),
    ] {
        let engine = fake_command();
        let bot = format!("--engine name=bot \"{engine}\" proto=codingame \"{plain}\" {own}");
        let error = fail(&mut typed(&format!("{bot} --engine name=zermelo nodes=1 {more}")), 2);
        assert!(error.contains(message), "{own} {more}: {error}");
    }
}

#[test]
fn a_bot_that_does_not_wait_for_input_is_reported_before_the_first_game() {
    let folder = Folder::new("bot-start");
    let record = folder.path("games.pgn");
    let bot = fake_bot("unborn");
    let error = fail(&mut zermelo(&against_bot(&bot, &["--record", &record])), 2);
    assert!(error.contains("bot does not wait for its first turn: it exited"), "{error}");
    assert!(error.contains("stderr:  no licence\nnothing was recorded"), "{error}");
    assert!(!fs::exists(record).unwrap());
}
