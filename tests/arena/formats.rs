//! All tournament formats, in every game, played by the real engine.

use std::fs;

use zermelo::arena::tournament::replay;
use zermelo::records::{EngineScore, GameRecord, Seconds, Termination};
use zermelo::rules::Outcome;

use super::{Folder, fail, fake, fake_command, read, succeed, typed, zermelo};

/// The engine plays itself in every game: all games end by the rules and pass a check of the
/// record.
#[test]
fn every_game_is_played_by_its_rules() {
    let folder = Folder::new("every-game");
    for game in zermelo::thinking::registry::games() {
        let record = folder.path(&format!("{}.pgn", game.id));
        let mate = folder.path(&format!("{}.json", game.id));
        let id = game.id;
        let arguments = format!(
            "--engine --engine proto=ugi option.Seed=4 --game {id} --each nodes=40 \
             option.Searcher=mcts --rounds 3 --openings random=2 --concurrency 2 --record {record} \
             --json {mate}"
        );
        let stdout = succeed(&mut typed(&arguments));
        assert!(stdout.contains("Terminations: normal 6"), "{stdout}");
        let mut games = read(&record);
        assert_eq!(games.len(), 6);
        for game in &mut games {
            assert_eq!(game.termination, Termination::Normal);
            assert_eq!(replay::check_and_correct(game), Ok(()));
            assert!(
                game.players.iter().all(|name| ["zermelo", "zermelo-2"].contains(&name.as_str()))
            );
        }
        let openings = |pair: u32| {
            let of_pair = games.iter().filter(move |game| game.pair == pair);
            of_pair.map(|game| game.fen.clone()).collect::<Vec<_>>()
        };
        for pair in 1..=3 {
            let [first, second] = openings(pair).try_into().unwrap();
            assert_eq!(first, second);
        }
        // Pong Hau K'i has only one opening of this length.
        assert_eq!(openings(1) == openings(2), game.id == "ponghauki");
        // The JSON lines have the same games.
        let text = fs::read_to_string(&mate).unwrap();
        let mut lines = text.lines();
        assert!(lines.next().unwrap().starts_with("{\"type\":\"tournament\",\"schema\":1,"));
        let from_json: Vec<GameRecord> =
            lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(from_json, read(&record));
    }
}

/// With engine-defined rules, both engines are queried for the state of the game.
#[test]
fn engine_defined_rules_are_refereed_by_queries() {
    let folder = Folder::new("engine-defined");
    let record = folder.path("games.pgn");
    let engine = ["--engine", "option.UCI_Variant=ponghauki", "option.Searcher=random"];
    let rest = ["--game", "ugi", "--each", "nodes=5", "--rounds", "2", "--record", &record];
    succeed(zermelo(&engine).args(["--engine", "name=b"]).args(&engine[1..]).args(rest));
    let games = read(&record);
    assert_eq!(games.len(), 4);
    for mut game in games {
        assert_eq!((game.game.as_str(), game.fen.as_str()), ("ugi", "startpos"));
        assert_eq!(game.termination, Termination::Normal);
        // The engines reported the right result.
        game.game = "ponghauki".to_owned();
        assert_eq!(replay::check_and_correct(&mut game), Ok(()));
    }
    // With an opening, the record has its moves and the side that moves first.
    let (book, record) = (folder.path("book.txt"), folder.path("book.pgn"));
    fs::write(&book, "startpos moves a3b2 a1a3 b2a1\n").unwrap();
    let source = format!("file={book}");
    let rest = ["--game", "ugi", "--each", "nodes=5", "--openings", &source, "--record", &record];
    succeed(zermelo(&engine).args(["--engine", "name=b"]).args(&engine[1..]).args(rest));
    for game in read(&record) {
        assert_eq!(game.fen, "startpos moves a3b2 a1a3 b2a1");
        assert!(game.second_begins && game.termination == Termination::Normal, "{game:?}");
        let first = &game.moves[0].mv;
        assert!(first == "a3b2" || first == "c1b2", "{first}");
    }
    let liar = fake("liar");
    let record = folder.path("liar.pgn");
    let engine = fake_command();
    let arguments = format!(
        "--engine name=true option.UCI_Variant=tictactoe --engine name=liar \"{engine}\" \"{liar}\" \
         --game ugi --each nodes=5 --record {record}"
    );
    let stdout = succeed(&mut typed(&arguments));
    assert!(stdout.contains("Not counted: 2 games without a result"), "{stdout}");
    for game in read(&record) {
        assert_eq!((game.termination, game.result), (Termination::Disagreement, None));
        assert!(game.reason.starts_with("query gameover: "), "{}", game.reason);
    }
}

#[test]
fn games_are_adjudicated_as_configured() {
    let folder = Folder::new("early");
    let play = |first: &str, second: &str, more: &[&str]| {
        let record = folder.path(&format!("{first} {second} {}.pgn", more.join(" ")));
        let (first, second) = (fake(first), fake(second));
        let engines = [
            "--engine",
            "name=a",
            fake_command(),
            &first,
            "--engine",
            "name=b",
            fake_command(),
            &second,
        ];
        let common = ["--game", "tictactoe", "--each", "st=1", "--games", "1", "--record", &record];
        succeed(zermelo(&engines).args(common).args(more));
        let mut games = read(&record);
        assert_eq!(games.len(), 1);
        games.remove(0)
    };
    let game = play("losing", "winning", &["--resign", "movecount=2", "score=500"]);
    assert_eq!(game.termination, Termination::Adjudication);
    assert_eq!((game.moves.len(), game.reason.as_str()), (3, "a resigns"));
    assert_eq!(game.result, game.side_of("b").map(Outcome::Win));
    assert_eq!(game.moves[0].info.score, Some(EngineScore::Cp(-900)));
    let two_sided = ["--resign", "movecount=2", "score=500", "twosided=true"];
    assert_eq!(play("losing", "winning", &two_sided).moves.len(), 4);
    let stubborn = play("losing", "none", &two_sided);
    assert_eq!(stubborn.termination, Termination::Normal);
    let game = play("none", "none", &["--draw", "movenumber=2", "movecount=1"]);
    assert_eq!((game.result, game.moves.len()), (Some(Outcome::Draw), 4));
    assert_eq!(game.termination, Termination::Adjudication);
    let game = play("none", "none", &["--maxmoves", "1"]);
    assert_eq!((game.result, game.moves.len()), (Some(Outcome::Draw), 2));
    assert_eq!(game.termination, Termination::MaxMoves);
}

#[test]
fn sprt_stops_the_match_at_its_decision() {
    let folder = Folder::new("sprt");
    let record = folder.path("games.pgn");
    let arguments = format!(
        "--engine name=strong --engine name=weak option.Searcher=random --each nodes=300 \
         --openings random=6 --rounds 1000 --record {record} --sprt elo0=0 elo1=100"
    );
    let stdout = succeed(&mut typed(&arguments));
    assert!(
        stdout.contains("SPRT of strong against weak, normalized Elo 0 or 100: LLR "),
        "{stdout}"
    );
    assert!(stdout.contains("H1 accepted"), "{stdout}");
    let games = read(&record).len();
    assert!((8..300).contains(&games), "{games}");
    assert!(stdout.contains(&format!("after {games} games, H1 accepted")), "{stdout}");
    // A decided match plays no more games.
    let again = succeed(&mut typed(&arguments));
    assert!(again.contains("H1 accepted"), "{again}");
    assert_eq!(read(&record).len(), games);
    // --check-record prints the same tables from the games alone, and computes another test.
    let checked = succeed(&mut zermelo(&["--check-record", &record]));
    let table = |stdout: &str| stdout[stdout.find("  engine ").unwrap()..].to_owned();
    assert_eq!(table(&checked), table(&again));
    let other = ["--sprt", "elo0=-5", "elo1=0", "model=logistic"];
    let other = succeed(zermelo(&["--check-record", &record]).args(other));
    assert!(other.contains("SPRT of strong against weak, logistic Elo -5 or 0: LLR "), "{other}");
    // The games of another program have no setup.
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.split_once('\n').unwrap().1).unwrap();
    let foreign = ["--check-record", &record, "--sprt", "elo0=0", "elo1=100"];
    assert!(succeed(&mut zermelo(&foreign)).contains("H1 accepted: strong is "));
    fs::write(&record, text).unwrap();
    // JSON lines give the same result.
    let json = folder.path("games.json");
    succeed(&mut zermelo(&["--check-record", &record, "--jsonl", &json]));
    assert_eq!(succeed(&mut zermelo(&["--check-record", &json])), checked);
}

/// Elo and SPRT are those of the first engine, in the match and from its record, whoever leads.
#[test]
fn the_first_engine_is_the_point_of_view_everywhere() {
    let folder = Folder::new("view");
    let record = folder.path("games.pgn");
    let engines = ["--engine", "name=new", "option.Searcher=random", "--engine", "name=old"];
    let more = ["--each", "nodes=300", "--openings", "random=6", "--rounds", "100"];
    let sprt = ["--record", &record, "--sprt", "elo0=0", "elo1=50"];
    let live = succeed(zermelo(&engines).args(more).args(sprt));
    let checked = succeed(&mut zermelo(&["--check-record", &record]));
    let tables = |stdout: &str| stdout[stdout.find("  engine ").unwrap()..].to_owned();
    assert_eq!(tables(&checked), tables(&live));
    assert!(live.contains("\nnew against old: +0 "), "{live}");
    let meaning = "H0 accepted: new is not stronger by 50 normalized Elo or more; by its score it is \
                   weaker than old\n";
    assert!(live.contains("\nSPRT of new against old, normalized Elo 0 or 50: LLR -"), "{live}");
    assert!(live.contains(meaning), "{live}");
}

#[test]
fn check_record_reports_games_that_break_the_rules() {
    let folder = Folder::new("check-record");
    let record = folder.path("games.pgn");
    let game = "[Game \"tictactoe\"]\n[Number \"7\"]\n[White \"a\"]\n[Black \"b\"]\n";
    let moves = "\n1. a1 {0.1s} b1 {0.1s} 2. a2 {0.1s} b2 {0.1s} 3. a3 {0.1s} ";
    for (ending, reason) in [
        ("0-1", "game 7: the result is 0-1 in the record, but 1-0 by the rules"),
        ("b3 {0.1s} 1-0", "game 7: ply 6: illegal move \"b3\", the game is over"),
        ("1-0", ""),
    ] {
        fs::write(&record, format!("{game}{moves}{ending}\n\n")).unwrap();
        let mut command = zermelo(&["--check-record", &record]);
        if reason.is_empty() {
            assert!(succeed(&mut command).contains("1  a"));
        } else {
            let stdout = fail(&mut command, 1);
            assert!(stdout.contains(reason), "{stdout}");
        }
    }
    // An unfinished game cannot have a result.
    fs::write(&record, format!("{game}\n1. a1 {{0.1s}} *\n\n")).unwrap();
    succeed(&mut zermelo(&["--check-record", &record]));
    fs::write(&record, format!("{game}\n1. a1 {{0.1s}} 1-0\n\n")).unwrap();
    let stdout = fail(&mut zermelo(&["--check-record", &record]), 1);
    assert!(
        stdout.contains("the result is 1-0 in the record, but the game is not over"),
        "{stdout}"
    );
}

/// Move times and overruns are measured outside the engine.
#[test]
fn clocks_and_time_margins_are_enforced() {
    let folder = Folder::new("clocks");
    let record = folder.path("games.pgn");
    let late = fake("late");
    let engine = fake_command();
    let arguments = format!(
        "--engine name=late \"{engine}\" \"{late}\" tc=2/1.2+0.01 timemargin=100 --engine name=good \
         st=0.05 timemargin=1000 --game tictactoe --record {record}"
    );
    succeed(&mut typed(&arguments));
    for game in read(&record) {
        let late = game.side_of("late").unwrap().index();
        assert_eq!(game.limits[late], "tc=2/1.2+0.01");
        let times: Vec<f64> =
            game.moves.iter().skip(late).step_by(2).map(|mv| mv.time.as_f64()).collect();
        // Only its very first move is fast.
        assert_eq!(times[0] < 0.3, game.number == 1, "{times:?}");
        assert!(times[1..].iter().all(|time| (0.4..1.0).contains(time)), "{times:?}");
        assert_eq!(game.termination, Termination::Normal, "{}", game.reason);
    }
    // Without a margin, a late move loses; within the margin, the overrun is recorded.
    for (margin, is_lost) in [("timemargin=0", true), ("timemargin=2000", false)] {
        let record = folder.path(margin);
        let arguments = format!(
            "--engine name=late \"{engine}\" \"{late}\" st=0.2 {margin} --engine name=good nodes=1 \
             --game tictactoe --record {record} --recover"
        );
        succeed(&mut typed(&arguments));
        for game in read(&record) {
            assert_eq!(game.termination == Termination::Time, is_lost, "{}", game.reason);
            let over = game.moves.iter().filter_map(|mv| mv.over).map(Seconds::as_f64);
            assert!(is_lost || over.clone().any(|over| (0.2..1.0).contains(&over)));
        }
    }
}
