//! The bots in `examples/bots`: short, correct in both protocols, equal in their moves and as strong as
//! they say; and `docs/bots.md`, followed as by a newcomer.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{LazyLock, Mutex};

use serde_json::Value;
use zermelo::games::{TixTax, TixTaxCount};
use zermelo::protocol::reply::result_word;
use zermelo::rules::{Game, Side, SplitMix};

use crate::common::{Folder, ZERMELO, is_installed, lines, run_program, wait_with_timeout};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bots");

/// Generous, because other tests load the machine.
const MARGIN: &str = "timemargin=5000";

/// The bots whose language is installed: the name of the file, and the program.
static BOTS: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bots");
    fs::create_dir_all(&folder).unwrap();
    let languages: [(&str, &[&str]); 4] = [
        ("bot.py", &["python3"]),
        ("bot.js", &["node"]),
        ("bot.cpp", &["g++", "-O2", "-march=native", "-std=c++17", "-Wall", "-Wextra", "-Werror"]),
        ("bot.rs", &["rustc", "-O", "-Dwarnings"]),
    ];
    let installed = languages.into_iter().filter(|(_, words)| is_installed(words[0]));
    let start = |(file, words): (&'static str, &[&str])| {
        let source = format!("{SOURCES}/{file}");
        let [compiler, flags @ ..] = words else { unreachable!() };
        if flags.is_empty() {
            return (file, source);
        }
        let program = folder.join(file.replace('.', "-")).to_str().unwrap().to_owned();
        let output = Command::new(compiler).args(flags).args([&source, "-o", &program]).output();
        let Output { status, stderr, .. } = output.unwrap();
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        (file, program)
    };
    installed.map(start).collect()
});

/// Runs a check for each bot at the same time.
fn for_each_bot(check: impl Fn(&str, &str) + Sync) {
    std::thread::scope(|scope| {
        for (file, program) in &*BOTS {
            let check = &check;
            scope.spawn(move || check(file, program));
        }
    });
}

#[test]
fn each_bot_has_at_most_150_lines_of_code() {
    let mut count = 0;
    for entry in fs::read_dir(SOURCES).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let is_code = |line: &&str| {
            let other = ["//", "# ", "#!", "#include ", "import ", "from ", "use "];
            !line.is_empty() && !other.iter().any(|start| line.starts_with(start))
        };
        let code = text.lines().map(str::trim).filter(is_code).count();
        assert!((100..=150).contains(&code), "{}: {code} lines", path.display());
        count += 1;
    }
    assert_eq!(count, 4);
}

/// What is missing is of no use in matches: none of the bots reads its input while it searches.
#[test]
#[ignore = "checks four bots twice"]
fn the_bots_pass_the_compliance_check_in_both_protocols() {
    for_each_bot(|file, program| {
        for (game, proto) in
            [("tixtax", "ugi"), ("tixtax-count", "ugi"), ("tixtax-count", "codingame")]
        {
            let (cmd, proto) = (format!("cmd={program}"), format!("proto={proto}"));
            let engine = ["--engine", &cmd, &proto, MARGIN];
            let options = ["compliance", "--json", "--reply-timeout", "60", "--game", game];
            let output = run_program(&[&options[..], &engine].concat(), b"");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert!(output.status.success(), "{file}, {proto}: {report:#}");
            let steps = report["steps"].as_array().unwrap().iter();
            let warned = steps.filter(|step| step["status"] == "warn").map(|step| &step["name"]);
            let expected = if proto == "proto=ugi" { vec!["go infinite"] } else { vec![] };
            assert_eq!(warned.collect::<Vec<_>>(), expected, "{file}, {proto}: {report:#}");
        }
    });
}

/// Positions of random games, some of them finished, and the answers that `query` deserves there.
fn positions<G: Game>(commands: &mut Vec<String>, answers: &mut Vec<String>) {
    commands.push(format!("setoption name UCI_Variant value {}", G::ID));
    let mut random = SplitMix::new(7);
    for round in 0..30 {
        let (mut position, mut moves) = (G::start(), String::new());
        let mut plies = if round % 3 == 0 { 100 } else { 20 + round };
        while position.outcome().is_none() && plies > 0 {
            let mv = position.random_move(&mut random);
            position.play_unchecked(mv);
            moves.push_str(&format!(" {mv}"));
            plies -= 1;
        }
        for setup in [format!("startpos moves{moves}"), format!("fen {position}")] {
            commands.push(format!("position {setup}"));
            commands.extend(["gameover", "p1turn", "result"].map(|word| format!("query {word}")));
            commands.push("go p1time 9999999 p2time 9999999 depth 3".to_owned());
            answers.push(format!("response {}", position.outcome().is_some()));
            answers.push(format!("response {}", position.side() == Side::P1));
            answers.push(format!("response {}", result_word(position.outcome())));
        }
    }
}

/// Each bot knows whose turn it is and who has won, and all of them find the same moves.
#[test]
fn the_bots_follow_the_rules_and_play_alike() {
    let (mut commands, mut expected) = (vec!["ugi".to_owned()], Vec::new());
    positions::<TixTax>(&mut commands, &mut expected);
    positions::<TixTaxCount>(&mut commands, &mut expected);
    commands.push("quit\n".to_owned());
    let folder = Folder::new("bots-commands");
    let input = folder.file("commands");
    fs::write(&input, commands.join("\n")).unwrap();
    let searched = Mutex::new(BTreeSet::new());
    for_each_bot(|file, program| {
        let mut bot = Command::new(program);
        bot.stdin(File::open(&input).unwrap()).stdout(Stdio::piped());
        let output = wait_with_timeout(bot.spawn().unwrap()).unwrap();
        let (responses, others): (Vec<&str>, _) =
            lines(&output.stdout).into_iter().partition(|line| line.starts_with("response"));
        assert_eq!(responses, expected, "{file}");
        let searches: Vec<&str> = others.into_iter().skip_while(|line| *line != "ugiok").collect();
        assert!(searches.len() > 100, "{file}: {searches:?}");
        searched.lock().unwrap().insert(searches.join("\n"));
    });
    assert_eq!(searched.into_inner().unwrap().len(), BOTS.len().min(1));
}

/// The rating at the head of a bot, its margin, and the limit that it was measured with.
fn claimed_rating(file: &str) -> (f64, f64, String) {
    let text = fs::read_to_string(format!("{SOURCES}/{file}")).unwrap();
    let line = text.lines().find(|line| line.contains("Elo ")).unwrap();
    let words: Vec<&str> = line.split([' ', ',']).collect();
    let number = |label: &str| {
        words[words.iter().position(|word| *word == label).unwrap() + 1].parse().unwrap()
    };
    let limit = words.iter().find(|word| word.starts_with("depth=")).unwrap();
    (number("Elo"), number("±"), (*limit).to_owned())
}

/// Rates each bot, and compares with the rating that it claims. With a limit of depth neither the
/// machine nor its load matters.
fn check_ratings(extent: &[&str]) {
    for_each_bot(|file, program| {
        let (elo, margin, limit) = claimed_rating(file);
        let cmd = format!("cmd={program}");
        let rate = ["rate", "--json", "--engine", &cmd, "proto=ugi", "--each", &limit];
        let output = Command::new(ZERMELO).args(rate).args(extent).output().unwrap();
        let rating: Value = serde_json::from_slice(&output.stdout).unwrap();
        let bound = |end: usize| rating["interval"][end].as_f64().unwrap();
        let overlap = bound(0) <= elo + margin && elo - margin <= bound(1);
        assert!(overlap, "{file} claims {elo} ± {margin}: {rating}");
        assert_eq!(rating["faults"], serde_json::json!({}), "{file}");
    });
}

#[test]
#[ignore = "plays the bots for ten seconds"]
fn a_few_games_agree_with_the_rating_of_each_bot() {
    check_ratings(&["--max-games", "6"]);
}

#[test]
#[ignore = "plays hundreds of games"]
fn each_bot_is_as_strong_as_it_claims() {
    check_ratings(&["--precision", "50"]);
}

fn page_commands() -> Vec<String> {
    let blocks = include_str!("../docs/bots.md").split("```sh\n").skip(1);
    let commands = blocks.map(|block| block.split_once("```").unwrap().0.replace("\\\n", ""));
    commands.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Follows the page in an empty folder: every command succeeds. Only the clock is more generous, and
/// there are fewer games.
#[test]
fn a_newcomer_follows_the_page() {
    if !is_installed("python3") {
        return;
    }
    let folder = Folder::new("bots-page");
    symlink(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"), folder.file("examples")).unwrap();
    let programs = Path::new(ZERMELO).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    for command in page_commands() {
        let command = command
            .replace("proto=", &format!("{MARGIN} proto="))
            .replace("--each", &format!("--each {MARGIN}"))
            .replace("--rounds 10", "--rounds 1")
            .replace("st=0.05", "depth=1")
            .replace("zermelo rate", "zermelo rate --max-games 2")
            .replace("zermelo review", "zermelo review --nodes 1000")
            .replace("zermelo gui", "exec zermelo gui --no-browser --port 0");
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).env("PATH", &path).current_dir(folder.file(""));
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        if command.contains("zermelo gui") {
            let mut line = String::new();
            BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
            assert!(line.starts_with("Zermelo is at http://"), "{command}: {line}");
            child.kill().unwrap();
        }
        let output = wait_with_timeout(child).unwrap_or_else(|| panic!("{command} timed out"));
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let is_ended = command.contains("zermelo gui") || output.status.success();
        assert!(is_ended, "{command}\n{stdout}\n{stderr}");
        if command.starts_with("zermelo match") {
            assert!(stdout.contains("Terminations: normal"), "{command}\n{stdout}");
        }
    }
}
