//! `zermelo datagen`: what it writes is whole, the same however it came about, and survives a kill.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use common::Folder;

const RECORD: usize = 24;
const HEAD: usize = 8 * RECORD;

fn datagen(out: &Path, games: u32, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
    let games = games.to_string();
    command.args(["datagen", "--nodes", "60", "--evaluation", "hand-set", "--games", &games]);
    command.arg("--out").arg(out).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(out: &Path, games: u32, more: &[&str]) -> Output {
    datagen(out, games, more).output().unwrap()
}

/// The games of a file by their numbers; panics where anything else is in it.
fn games(path: &Path) -> BTreeMap<u64, Vec<[u8; RECORD]>> {
    let bytes = fs::read(path).unwrap();
    let (records, rest) = bytes[HEAD..].as_chunks::<RECORD>();
    assert!(rest.is_empty());
    let (mut games, mut game) = (BTreeMap::new(), Vec::new());
    for record in records {
        if record[..2] != [0xff, 0xff] {
            game.push(*record);
            continue;
        }
        let count = u16::from_le_bytes([record[2], record[3]]);
        assert_eq!(usize::from(count), game.len());
        let number = u64::from_le_bytes(record[4..12].try_into().unwrap());
        let earlier = games.insert(number, std::mem::take(&mut game));
        assert!(earlier.is_none(), "game {number} is there twice");
    }
    assert!(game.is_empty(), "no game is open at the end");
    games
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let folder = Folder::new("datagen-threads");
    let [one, three] = ["one", "three"].map(|name| folder.file(name));
    let output = run(&one, 12, &[]);
    assert!(output.status.success(), "{output:?}");
    let found = games(&one);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
    let positions: usize = found.values().map(Vec::len).sum();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told, format!("12 games, {positions} positions\n"));
    assert!(run(&three, 12, &["--threads", "3"]).status.success());
    assert_eq!(games(&three), found);
    let other = folder.file("other");
    assert!(run(&other, 12, &["--seed", "1"]).status.success());
    assert_ne!(games(&other), found);
}

#[test]
fn positions_follow_each_other_with_the_result_of_the_game() {
    let folder = Folder::new("datagen-positions");
    let out = folder.file("out");
    assert!(run(&out, 20, &[]).status.success());
    let mut results = [0; 3];
    for game in games(&out).values() {
        let result = |record: &[u8; RECORD]| record[19] as i8;
        let stones = |record: &[u8; RECORD]| record[22];
        for pair in game.windows(2) {
            assert_eq!(result(&pair[0]), -result(&pair[1]), "seen by the mover");
            assert_eq!(stones(&pair[0]) + 1, stones(&pair[1]));
        }
        results[(result(&game[0]) + 1) as usize] += 1;
    }
    assert!(results.iter().all(|count| *count > 0), "{results:?}");
}

#[test]
fn a_file_that_was_cut_off_anywhere_is_filled_up_again() {
    let folder = Folder::new("datagen-cut");
    let whole = folder.file("whole");
    assert!(run(&whole, 8, &[]).status.success());
    let (bytes, expected) = (fs::read(&whole).unwrap(), games(&whole));
    let out = folder.file("out");
    for cut in (0..bytes.len()).step_by(bytes.len() / 9).chain([1, HEAD - 1, HEAD, HEAD + 1]) {
        fs::write(&out, &bytes[..cut]).unwrap();
        let output = run(&out, 8, &[]);
        assert!(output.status.success(), "cut at {cut}: {output:?}");
        assert_eq!(games(&out), expected, "cut at {cut}");
    }
    // A whole file is left as it is, and more games are added to it.
    assert!(run(&whole, 8, &[]).status.success());
    assert_eq!(fs::read(&whole).unwrap(), bytes);
    assert!(run(&whole, 9, &[]).status.success());
    assert_eq!(games(&whole).len(), 9);
}

#[test]
fn a_file_that_was_damaged_is_refused_and_left_alone() {
    let folder = Folder::new("datagen-damaged");
    let out = folder.file("out");
    assert!(run(&out, 3, &[]).status.success());
    let mut bytes = fs::read(&out).unwrap();
    bytes[HEAD + RECORD + 1] ^= 1;
    fs::write(&out, &bytes).unwrap();
    let output = run(&out, 4, &[]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("damaged: the checksum of the game that ends at byte"), "{error}");
    assert_eq!(fs::read(&out).unwrap(), bytes);
}

#[test]
fn a_killed_run_goes_on() {
    let folder = Folder::new("datagen-killed");
    let (out, undisturbed) = (folder.file("out"), folder.file("undisturbed"));
    for pause in [40, 90, 150] {
        let mut child = datagen(&out, 300, &["--threads", "2"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = fs::metadata(&out).unwrap().len();
    assert!(run(&out, 300, &[]).status.success());
    assert!(
        fs::metadata(&out).unwrap().len() >= before - before % RECORD as u64 - 82 * RECORD as u64
    );
    assert!(run(&undisturbed, 300, &["--threads", "2"]).status.success());
    assert_eq!(games(&out), games(&undisturbed));
}

#[test]
fn files_of_another_kind_are_left_alone() {
    let folder = Folder::new("datagen-foreign");
    let out = folder.file("out");
    for (contents, reason) in
        [("a letter\n", "no file of samples"), ("zermelo-samples 1 seed 7 nodes 60\n", "seed 7")]
    {
        fs::write(&out, contents).unwrap();
        let output = run(&out, 2, &[]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(reason) && error.contains("out"), "{error}");
        assert_eq!(fs::read_to_string(&out).unwrap(), contents);
    }
    let judged = folder.file("judged");
    assert!(run(&judged, 1, &[]).status.success());
    let otherwise = run(&judged, 1, &["--evaluation", "embedded"]);
    assert_eq!(otherwise.status.code(), Some(2), "{otherwise:?}");
    let missing = run(&folder.file("no/such/folder"), 2, &[]);
    assert_eq!(missing.status.code(), Some(1));
    let judge = run(&folder.file("new"), 2, &["--evaluation", "/nowhere"]);
    assert_eq!(judge.status.code(), Some(2), "{judge:?}");
}
