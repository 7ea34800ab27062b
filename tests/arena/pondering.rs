//! Pondering: what engines receive, how their time is measured, and faults while they ponder.

use std::fs;

use zermelo::arena::tournament::rescore;
use zermelo::records::{GameRecord, Termination};
use zermelo::rules::Outcome;

use super::faults::play_faulty;
use super::{EXIT_3, Folder, fail, fake, fake_command, read, succeed, zermelo};

/// Plays a game of the scripted engine, pondering, as the first player against another.
fn play_pondering(folder: &Folder, fault: &str, opponent: &str, more: &[&str]) -> GameRecord {
    let (record, log) = (folder.path(&format!("{fault}.pgn")), folder.path(fault));
    let (bad, other) = (fake(&format!("{fault} '{log}'")), fake(opponent));
    let first = ["--engine", "name=first", fake_command(), &bad, "ponder=true"];
    let second = ["--engine", "name=second", fake_command(), &other];
    let common =
        ["--game", "tictactoe", "--openings", "start", "--games", "1", "--record", &record];
    succeed(zermelo(&first).args(second).args(common).args(more));
    read(&record).remove(0)
}

/// Returns the commands that the scripted engine received from the first move on.
fn commands(folder: &Folder, fault: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.path(fault)).unwrap();
    let commands = text.lines().skip_while(|line| !line.starts_with("position"));
    commands.filter(|line| *line != "isready").map(str::to_owned).collect()
}

#[test]
fn expected_reply_is_answered_after_ponderhit() {
    let folder = Folder::new("ponder-hit");
    let game = play_pondering(&folder, "ponder-hit", "none", &["--each", "tc=60+1"]);
    assert_eq!(game.reason, "first wins by the rules");
    let log = fs::read_to_string(folder.path("ponder-hit")).unwrap();
    assert!(log.contains("setoption name Ponder value true\n"), "{log}");
    let commands = commands(&folder, "ponder-hit");
    assert_eq!(commands[0], "position fen 3/3/3 x");
    assert!(commands[1].starts_with("go wtime 60000 winc 1000 btime 60000"), "{commands:?}");
    assert_eq!(commands[2], "position fen 3/3/3 x moves a1 a2");
    assert!(commands[3].starts_with("go ponder wtime 6"), "{commands:?}");
    assert_eq!(commands[4..6], ["ponderhit", "position fen 3/3/3 x moves a1 a2 a3 b1"]);
    assert_eq!(commands.iter().filter(|command| *command == "ponderhit").count(), 3);
    assert!(!commands.contains(&"stop".to_owned()), "{commands:?}");
    // What the engine reports while pondering belongs to the move.
    assert_eq!(game.moves[2].info.nodes, Some(9));
}

#[test]
fn another_reply_stops_pondering_and_starts_a_search() {
    let folder = Folder::new("ponder-miss");
    let game = play_pondering(&folder, "ponder-miss", "none", &["--each", "nodes=5"]);
    assert_eq!(game.reason, "first wins by the rules");
    let commands = commands(&folder, "ponder-miss");
    let expected = [
        "position fen 3/3/3 x",
        "go nodes 5",
        "position fen 3/3/3 x moves a1 c3",
        "go ponder nodes 5",
        "stop",
        "position fen 3/3/3 x moves a1 a2",
        "go nodes 5",
    ];
    assert_eq!(commands[..7], expected);
    assert!(!commands.contains(&"ponderhit".to_owned()), "{commands:?}");
}

/// Such a reply also belongs to the last move of a game.
#[test]
fn illegal_expected_reply_is_ignored() {
    let folder = Folder::new("ponder-illegal");
    let game = play_pondering(&folder, "ponder-illegal", "none", &["--each", "depth=1"]);
    assert_eq!(game.reason, "first wins by the rules");
    let commands = commands(&folder, "ponder-illegal");
    assert!(commands.iter().all(|command| !command.starts_with("go ponder")), "{commands:?}");
}

/// The opponent's thinking time is not charged to the pondering engine, and after a hit it answers
/// almost at once.
#[test]
fn time_after_a_hit_counts_from_ponderhit() {
    let folder = Folder::new("ponder-slow");
    let game = play_pondering(&folder, "ponder-slow", "slow", &["--each", "st=2"]);
    assert_eq!(game.reason, "first wins by the rules");
    let times: Vec<f64> = game.moves.iter().map(|mv| mv.time.as_f64()).collect();
    assert!(times[3] >= 0.3 && times[5] >= 0.3, "{times:?}");
    assert!(times[4] < 0.3 && times[6] < 0.3, "{times:?}");
}

/// More output than any queue holds neither blocks the engine nor is it a fault.
#[test]
fn output_of_a_pondering_engine_is_read() {
    let folder = Folder::new("ponder-info");
    let game = play_pondering(&folder, "ponder-info", "slow", &["--each", "st=5"]);
    assert_eq!(game.reason, "first wins by the rules");
}

#[test]
fn engine_that_fails_while_pondering_loses_that_game() {
    let folder = Folder::new("ponder-faults");
    let faults = [
        ("ponder-exit", Termination::Crash, EXIT_3),
        // The opponent's move ends the game.
        ("ponder-late-exit", Termination::Crash, EXIT_3),
        ("ponder-answer", Termination::Garbage, "bestmove while pondering"),
        ("ponder-prose", Termination::Garbage, "stormy"),
        ("ponder-deaf", Termination::Time, "no move within 1.000s"),
    ];
    for (fault, termination, reason) in faults {
        let each = ["--each", "st=1", "ponder=true", "--rounds", "2", "--recover"];
        let games = play_faulty(&folder, fault, &each);
        assert_eq!(games.len(), 4, "{fault}");
        let failed: Vec<_> = games.iter().filter(|game| game.termination.is_fault()).collect();
        assert!(!failed.is_empty(), "{fault}");
        for game in failed {
            let context = format!("{fault}: {game:#?}");
            assert_eq!(game.player_at_fault(), Some("bad"), "{context}");
            assert_eq!(game.termination, termination, "{context}");
            assert!(game.reason.contains(reason), "{context}");
            let winner = game.side_of("bad").unwrap().other();
            assert_eq!(game.result, Some(Outcome::Win(winner)), "{context}");
            assert_eq!(rescore::check_and_correct(&mut game.clone()), Ok(()), "{context}");
        }
    }
}

/// The setting is part of the record, so that a match resumes with it or is refused.
#[test]
fn pondering_is_recorded_and_resumed() {
    let folder = Folder::new("ponder-resume");
    let (record, config) = (folder.path("games.pgn"), folder.path("match.toml"));
    let text = "game = 'nim'\n[each]\nnodes = 200\nponder = true\n[[engine]]\nname = 'a'\n\
                [[engine]]\nname = 'b'\noption.Searcher = 'mcts'\nponder = false\n";
    fs::write(&config, text).unwrap();
    succeed(&mut zermelo(&["--config", &config, "--record", &record]));
    let head = fs::read_to_string(&record).unwrap().lines().next().unwrap().to_owned();
    assert_eq!(head.matches("\"ponder\":true").count(), 1, "{head}");
    succeed(&mut zermelo(&["--config", &config, "--rounds", "2", "--record", &record]));
    assert_eq!(read(&record).len(), 4);
    assert!(read(&record).iter().all(|game| game.termination == Termination::Normal));
    fs::write(&config, text.replace("ponder = true", "ponder = false")).unwrap();
    let error = fail(&mut zermelo(&["--config", &config, "--rounds", "2", "--record", &record]), 2);
    assert!(error.contains("ponder"), "{error}");
}

/// Zermelo against itself: the clocks, the limits and every game end as without pondering.
#[test]
fn zermelo_ponders_under_every_limit() {
    let folder = Folder::new("ponder-zermelo");
    for (number, limit) in ["tc=5+0.05", "st=0.02", "nodes=300", "depth=3"].iter().enumerate() {
        let record = folder.path(&format!("{number}.pgn"));
        let words = ["--engine", "name=a", "--engine", "name=b", "option.Searcher=mcts"];
        let each = ["--game", "tixtax", "--maxmoves", "6", "--each", limit, "ponder=true"];
        let files = ["timemargin=5000", "--record", &record];
        succeed(zermelo(&words).args(each).args(files));
        for game in read(&record) {
            assert_eq!(game.termination, Termination::MaxMoves, "{limit}: {}", game.reason);
        }
    }
}
