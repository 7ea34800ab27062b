//! Settings on the command line and in files, and the errors about invalid ones.

use std::fs;
use std::path::Path;

use zermelo::arena::tournament::journal;

use super::{Folder, NO_FILE, fail, read, succeed, typed, zermelo};

const TWO: [&str; 6] = ["--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];

/// Errors show the line and underline the invalid setting.
#[test]
fn errors_point_at_the_invalid_setting() {
    let cases: [(&[&str], &str); 21] = [
        (
            &["--engine", "cmd=zermelo", "tcc=1+0.1"],
            "--engine 1: unknown key \"tcc\"; did you mean \"tc\"? expected one of: cmd name \
             proto dir args option.NAME tc st first nodes depth timemargin ponder stderr\n    \
             --engine cmd=zermelo tcc=1+0.1\n                         ^^^\n",
        ),
        (
            &["--engine", "name=a", "nodes=1", "--engine", "name=b", "tc=fast"],
            "--engine 2: \"fast\" for tc, expected [MOVES/]TIME[+INCREMENT] in seconds, or \
             MINUTES:SECONDS, such as 40/60+0.5, 2:30 or 10+0.1\n    --engine name=b tc=fast\n                       ^^^^\n",
        ),
        (
            &["--engine", "nodes=0"],
            "--engine 1: \"0\" for nodes, expected a whole number from 1\n    \
             --engine nodes=0\n                   ^\n",
        ),
        (
            &["--engine", "alphabeta"],
            "--engine 1: \"alphabeta\" after --engine, expected KEY=VALUE\n    \
             --engine alphabeta\n             ^^^^^^^^^\n",
        ),
        (&["--engine", "name=a", "name=b"], "name is given twice"),
        (&["--engine", "ponder=yes"], "\"yes\" for ponder, expected true or false"),
        (
            &["--each", "ponder=true", "nodes=1", "--engine", "name=c", "proto=ugi", "--engine"],
            "ponder=true of c needs proto=uci: UGI has no pondering",
        ),
        (&["--engine", "proto=xboard"], "\"xboard\" for proto, expected uci or ugi"),
        (&["--engine", "args='x"], "expected arguments with balanced quotes"),
        (&["--engine", "name=a", "--engine"], "--engine 1: no limit: set tc="),
        (&["--engine", "nodes=1"], "1 engine given, expected at least two --engine"),
        (&[], "0 engines given, expected at least two --engine"),
        (&["--each", "name=x", "--engine", "nodes=1"], "engines cannot share one name"),
        (&["--openings", "random=many"], "--openings: \"many\" for random, expected a number of"),
        (&["--openings", "order=random"], "expected file=FILE, random=PLIES or first=N"),
        (&["--openings", "random=3", "plies=4"], "plies= need file=, not random="),
        (
            &["--game", "ugi", "--openings", "first=2"],
            "--openings first=2: the runner knows no moves with --game ugi, expected start or file=FILE",
        ),
        (&["--sprt", "elo0=0"], "--sprt: expected both elo0= and elo1="),
        (&["--sprt", "elo0=5", "elo1=0"], "--sprt: "),
        (&["--resign", "score=-4"], "\"-4\" for score, expected a score in hundredths, at least 0"),
        (&["--draw", "moves=4"], "unknown key \"moves\", expected one of: movenumber movecount"),
    ];
    for (words, message) in cases {
        let mut command = zermelo(words);
        if words.iter().all(|word| *word != "--engine") && !words.is_empty() {
            command.args(TWO);
        }
        let error = fail(&mut command, 2);
        assert!(error.contains(message), "{words:?}\n{error}\n{message}");
    }
    let three = ["--engine", "name=c", "--sprt", "elo0=0", "elo1=5"];
    let error = fail(zermelo(&TWO).args(three), 2);
    assert!(error.contains("--sprt compares two engines, but 3 are given"), "{error}");
    let same = ["--engine", "name=a", "--engine", "name=a", "--each", "nodes=1"];
    let error = fail(&mut zermelo(&same), 2);
    assert!(error.contains("two engines are named \"a\""), "{error}");
}

/// No two outputs may be one file, and no output may overwrite an input.
#[test]
fn conflicting_output_files_are_rejected() {
    let folder = Folder::new("apart");
    let (one, alias) = (folder.path("one"), folder.alias("one"));
    let stderr = format!("stderr={alias}");
    let cases: [&[&str]; 4] = [
        &["--record", &one, "--report", &alias],
        &["--record", &one, "--json", &one],
        &["--json", &one, "--engine", "name=c", &stderr],
        &["--rescore", &one, "--json", &alias],
    ];
    for words in cases {
        let mut command = if words[0] == "--rescore" { zermelo(&[]) } else { zermelo(&TWO) };
        let error = fail(command.args(words), 2);
        assert!(error.contains("are the same file"), "{error}");
        assert!(!fs::exists(&one).unwrap());
    }
    let error = fail(zermelo(&TWO).args(["--record", &one, "--log", &alias]), 2);
    assert!(error.contains("--record and --log are the same file"), "{error}");
    assert!(fs::read_to_string(&one).unwrap().is_empty());
    for (word, message) in
        [("dir=/nowhere", "is not a folder"), ("stderr=/nowhere/log", "/nowhere/log")]
    {
        let error = fail(zermelo(&TWO).args(["--engine", "name=c", word]), 2);
        assert!(error.contains(message), "{error}");
    }
    for place in [NO_FILE, "/nowhere/games.pgn", "/"] {
        let error = fail(zermelo(&TWO).args(["--record", place]), 2);
        assert!(error.contains(&format!("cannot open {place}: ")), "{error}");
    }
    // A report replaces only regular files, and follows a link.
    for place in [NO_FILE, &folder.path(""), "/nowhere/page.html"] {
        let error = fail(zermelo(&TWO).args(["--report", place]), 2);
        assert!(error.contains("not a regular file") || error.contains("its folder"), "{error}");
    }
    #[cfg(unix)]
    {
        let (page, link) = (folder.path("page.html"), folder.path("link.html"));
        fs::write(&page, "old").unwrap();
        std::os::unix::fs::symlink(&page, &link).unwrap();
        succeed(zermelo(&TWO).args(["--game", "tictactoe", "--report", &link]));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));
    }
    let control = fail(zermelo(&TWO).args(["--engine", "name=a\tb"]), 2);
    assert!(control.contains("name contains a control character"), "{control}");
}

/// Arguments without an effect on games that were played are refused, not ignored.
#[test]
fn merge_and_rescore_refuse_what_they_would_ignore() {
    for flag in ["--merge", "--rescore"] {
        let ignored = "--each st=1,--openings start,--rounds 3,--seed 1,--resign,--draw,--strict,--plan,\
                       --tournament gauntlet,--concurrency 2,--maxmoves 9,--recover,--games 4,\
                       --no-repeat,--patience 3,--stall 3,--config none.toml";
        for words in ignored.split(',') {
            let words: Vec<&str> = words.split(' ').collect();
            let error = fail(zermelo(&[flag, "games.pgn"]).args(&words), 2);
            let reason = format!("{} cannot be used with {flag}, which only reads", words[0]);
            assert!(error.contains(&reason), "{error}");
        }
    }
}

const FILE: &str = r#"
game = "nim"
rounds = 2
concurrency = 2
seed = 9
maxmoves = 40
recover = true

[each]
nodes = 50

[[engine]]
name = "plain"

[[engine]]
name = "tree"
args = ["--game", "nim"]
option.Searcher = "mcts"
option.Hash = 2

[openings]
random = 3
balanced = true

[sprt]
elo0 = -150.5
elo1 = 150
model = "logistic"
"#;

/// A file gives the same tournament as the command line, which overrides it.
#[test]
fn file_and_command_line_are_equivalent() {
    let folder = Folder::new("config");
    let file = folder.path("match.toml");
    fs::write(&file, FILE).unwrap();
    let [first, second] = ["first.pgn", "second.pgn"].map(|name| folder.path(name));
    succeed(&mut zermelo(&["--config", &file, "--record", &first]));
    let words = format!(
        "--game nim --rounds 2 --concurrency 2 --seed 9 --maxmoves 40 --recover --each nodes=50 \
         --engine name=plain --engine name=tree 'args=--game nim' option.Searcher=mcts \
         option.Hash=2 --openings random=3 balanced=true --sprt elo0=-150.5 elo1=150 \
         model=logistic --record {second}"
    );
    succeed(&mut typed(&words));
    let head = |path: &str| fs::read_to_string(path).unwrap().lines().next().unwrap().to_owned();
    assert_eq!(head(&first), head(&second));
    let third = folder.path("third.pgn");
    succeed(&mut zermelo(&["--config", &file, "--rounds", "1", "--record", &third]));
    assert_eq!(read(&third).len(), 2);
}

#[test]
fn errors_point_at_the_invalid_line_of_a_file() {
    let folder = Folder::new("config-wrong");
    let file = folder.path("match.toml");
    for (right, wrong, message) in [
        ("rounds = 2", "round = 2", "match.toml: TOML parse error at line 3, column 1\n"),
        ("rounds = 2", "round = 2", "unknown field `round`, expected one of `game`, "),
        ("rounds = 2", "  round = 2", "\n3 |   round = 2\n  |   ^^^^^\n"),
        (
            "rounds = 2",
            "rounds = \"two\"",
            "\n3 | rounds = \"two\"\n  |          ^^^^^\ninvalid type: string \"two\", expected u32\n",
        ),
        ("rounds = 2", "rounds = -2", "invalid value: integer `-2`, expected u32\n"),
        ("rounds = 2", "rounds = [2", "match.toml: TOML parse error at line 4, "),
        ("[each]\nnodes = 50", "each = 3", "invalid type: integer `3`, expected a map"),
        ("rounds = 2", "record = true", "invalid type: boolean `true`, expected path string"),
        ("recover = true", "recover = 1", "invalid type: integer `1`, expected a boolean"),
        (
            "rounds = 2",
            "tournament = \"swis\"",
            "unknown variant `swis`, expected one of `roundrobin`, `gauntlet`, ",
        ),
        ("game = \"nim\"", "game = \"nim", "\n2 | game = \"nim\n  | "),
        ("option.Hash = 2", "opt.Hash = 2", "unknown key \"opt.Hash\""),
        ("nodes = 50", "nodes = -5", "    nodes = -5\n            ^^"),
        ("model = \"logistic\"", "model = \"elo\"", "    model = \"elo\"\n             ^^^"),
        ("game = \"nim\"", "game = \"chess\"", "\"chess\""),
        ("name = \"tree\"", "name = \"plain\"", "two engines are named \"plain\""),
        ("rounds = 2", "rounds = 0", "rounds = 0, expected 1 to 1000000"),
        ("concurrency = 2", "concurrency = 60000", "concurrency = 60000, expected 1 to 1024"),
        ("maxmoves = 40", "maxmoves = 0", "maxmoves = 0, expected 1 to 1000000"),
        ("seed = 9", "games = 0", "games = 0, expected"),
    ] {
        fs::write(&file, FILE.replace(right, wrong)).unwrap();
        let error = fail(&mut zermelo(&["--config", &file]), 2);
        assert!(error.contains(message), "{wrong}\n{error}\n{message}");
    }
    fs::write(&file, FILE.replace("seed = 9", "repeat = false")).unwrap();
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&["--config", &file, "--record", &record]));
    let fens: std::collections::HashSet<String> =
        read(&record).into_iter().map(|game| game.fen).collect();
    assert_eq!(fens.len(), 4);
    let error = fail(&mut zermelo(&["--config", &folder.path("none")]), 2);
    assert!(error.contains("cannot read") && error.contains("none"), "{error}");
}

#[test]
fn openings_are_read_from_a_file() {
    let folder = Folder::new("openings");
    let (file, record) = (folder.path("book.txt"), folder.path("games.pgn"));
    let book = "# a comment\n3/1x1/3 o\n\nstartpos moves a1 b2 c3\n3/3/x2 o\n";
    fs::write(&file, book).unwrap();
    let openings = |more: &[&str]| {
        let source = format!("file={file}");
        let words =
            ["--game", "tictactoe", "--rounds", "4", "--record", &record, "--openings", &source];
        succeed(zermelo(&TWO).args(words).args(more));
        let games = read(&record);
        fs::remove_file(&record).unwrap();
        let fens: Vec<String> = games.iter().step_by(2).map(|game| game.fen.clone()).collect();
        fens
    };
    let all = ["3/1x1/3 o", "2x/1o1/x2 o", "3/3/x2 o"];
    assert_eq!(openings(&[]), [all[0], all[1], all[2], all[0]]);
    assert_eq!(openings(&["start=3"])[..2], [all[2], all[0]]);
    assert_eq!(openings(&["plies=1"])[1], "3/3/x2 o");
    let mut shuffled = openings(&["order=random"]);
    shuffled.truncate(3);
    shuffled.sort();
    let mut sorted = all;
    sorted.sort_unstable();
    assert_eq!(shuffled, sorted);
    for (line, message) in [
        ("3/1x1/3 x", "line 2: invalid FEN \"3/1x1/3 x\": field 'mover'"),
        ("xxx/oo1/3 o", "line 2: the game is over"),
        ("startpos moves z9", "line 2: \"z9\" is not a move"),
    ] {
        fs::write(&file, format!("3/1x1/3 o\n{line}\n")).unwrap();
        let source = format!("file={file}");
        let words = ["--game", "tictactoe", "--openings", &source];
        let error = fail(zermelo(&TWO).args(words), 2);
        assert!(error.contains(message), "{error}");
    }
}

/// More games than can be numbered are capped, with a message.
#[test]
fn plan_reports_a_tournament_that_is_cut_off() {
    let words = "--engine name=a --engine name=b --each nodes=1 --openings start --plan \
                 --games 1000000 --rounds";
    let plan = |rounds: &str| {
        let words: Vec<&str> = words.split_whitespace().chain([rounds]).collect();
        let output = zermelo(&words).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let games =
            serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["games"].clone();
        (games, String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(plan("4294"), (4_294_000_000_u32.into(), String::new()));
    let (games, stderr) = plan("4295");
    assert_eq!(games, u32::MAX);
    let message = "ask for 4295000000 games, but only the first 4294967295 can be played";
    assert!(stderr.contains(message), "{stderr}");
}

/// The setup of a record is found without parsing its games, so that a long match resumes quickly.
#[test]
fn a_setup_is_read_from_the_last_header_alone() {
    let folder = Folder::new("last-header");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let words = ["--game", "nim", "--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];
    succeed(zermelo(&words).args(["--record", &record, "--json", &json]));
    for (path, start) in [(&record, "% zermelo-match "), (&json, "{\"type\":\"tournament\"")] {
        let text = fs::read_to_string(path).unwrap();
        let header = text.lines().next().unwrap();
        let later = header.replace("\"rounds\":", "\"rounds\":1");
        assert!(header.starts_with(start) && later != header, "{header}");
        fs::write(path, format!("{header}\nnot a game\n\n{later}\n{header}")).unwrap();
        let rounds = |header: &str| {
            fs::write(folder.path("one"), format!("{header}\n")).unwrap();
            journal::read_setup(Path::new(&folder.path("one"))).unwrap().rounds
        };
        // The last line is incomplete.
        let setup = journal::read_setup(Path::new(path)).unwrap();
        assert_eq!(setup.rounds, rounds(&later));
        assert_ne!(setup.rounds, rounds(header));
    }
    let refused = fail(zermelo(&words).args(["--record", &record]), 2);
    assert!(refused.contains("games.pgn, line 2: found nothing"), "{refused}");
}
