//! `zermelo datagen`: files are complete, independent of threads and interruptions, and survive a kill.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{Folder, NO_FILE};

const RECORD: usize = 24;
const HEAD: usize = 8 * RECORD;

fn datagen(out: &Path, games: u32, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
    let games = games.to_string();
    command.args(["datagen", "--nodes", "60", "--evaluation", "handcrafted", "--games", &games]);
    command.arg("--out").arg(out).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(out: &Path, games: u32, more: &[&str]) -> Output {
    datagen(out, games, more).output().unwrap()
}

/// Returns the games of a file by number; panics if it contains anything else.
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
        assert!(earlier.is_none(), "game {number} is duplicated");
    }
    assert!(game.is_empty(), "the last game has no seal");
    games
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("datagen-threads");
    let [one, three] = ["one", "three"].map(|name| folder.file(name));
    let output = run(&one, 12, &[]);
    assert!(output.status.success(), "{output:?}");
    let found = games(&one);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
    let positions: usize = found.values().map(Vec::len).sum();
    let summary = String::from_utf8(output.stdout).unwrap();
    assert_eq!(summary, format!("12 games, {positions} positions\n"));
    assert!(run(&three, 12, &["--threads", "3"]).status.success());
    assert_eq!(games(&three), found);
    let other = folder.file("other");
    assert!(run(&other, 12, &["--seed", "1"]).status.success());
    assert_ne!(games(&other), found);
}

#[test]
fn positions_are_consecutive_and_carry_the_result() {
    let folder = Folder::new("datagen-positions");
    let out = folder.file("out");
    assert!(run(&out, 20, &[]).status.success());
    let mut results = [0; 3];
    for game in games(&out).values() {
        let result = |record: &[u8; RECORD]| record[19] as i8;
        let stones = |record: &[u8; RECORD]| record[22];
        for pair in game.windows(2) {
            assert_eq!(result(&pair[0]), -result(&pair[1]), "from the mover's point of view");
            assert_eq!(stones(&pair[0]) + 1, stones(&pair[1]));
        }
        results[(result(&game[0]) + 1) as usize] += 1;
    }
    assert!(results.iter().all(|count| *count > 0), "{results:?}");
}

/// Games from few random moves would often be the same; branches reach positions that follow a mistake.
#[test]
fn games_start_apart_and_most_are_branches() {
    let folder = Folder::new("datagen-branches");
    let out = folder.file("out");
    assert!(run(&out, 200, &[]).status.success());
    let games = games(&out);
    let stones = |record: &[u8; RECORD]| record[22];
    let starts: BTreeSet<&[u8]> = games.values().map(|game| &game[0][..19]).collect();
    assert_eq!(starts.len(), 200);
    assert!(games.values().all(|game| stones(&game[0]) >= 4));
    let late = games.values().filter(|game| stones(&game[0]) > 15).count();
    assert!(late > 80, "{late} of 200 games start after the longest random opening");
}

#[test]
fn games_of_tixtax_count_are_mostly_decided_and_kept_apart() {
    let folder = Folder::new("datagen-count");
    let [usual, counting, merged] = ["usual", "counting", "merged"].map(|name| folder.file(name));
    assert!(run(&usual, 40, &[]).status.success());
    assert!(run(&counting, 40, &["--game", "codingame"]).status.success());
    let [drawn, drawn_by_count] = [&usual, &counting]
        .map(|path| games(path).values().filter(|game| game[0][19] == 0).count());
    assert!(drawn > 2 * drawn_by_count, "{drawn} and {drawn_by_count} of 40 games drawn");
    let header = fs::read(&counting).unwrap()[..HEAD].to_vec();
    assert!(String::from_utf8_lossy(&header).contains("game tixtax-count seed 0"));
    let parts = [usual.to_str().unwrap(), counting.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_zermelo"))
        .args(["datagen", "--merge"])
        .args(parts)
        .arg("--out")
        .arg(&merged)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_file_truncated_anywhere_is_completed() {
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
    // A complete file stays as it is, and more games are appended.
    assert!(run(&whole, 8, &[]).status.success());
    assert_eq!(fs::read(&whole).unwrap(), bytes);
    assert!(run(&whole, 9, &[]).status.success());
    assert_eq!(games(&whole).len(), 9);
}

#[test]
fn a_corrupt_file_is_refused_and_not_changed() {
    let folder = Folder::new("datagen-damaged");
    let out = folder.file("out");
    assert!(run(&out, 3, &[]).status.success());
    let whole = fs::read(&out).unwrap();
    let is_seal = |record: &[u8]| record.starts_with(&[255, 255]);
    let seal = whole.chunks(RECORD).skip(HEAD / RECORD).rposition(is_seal).unwrap();
    let last = HEAD + seal * RECORD;
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 3;
        bytes
    };
    let mismatch = "checksum mismatch in the game that ends at byte";
    let second = last - games(&out)[&2].len() * RECORD;
    for (bytes, reason) in [
        (flipped(HEAD + RECORD + 1), mismatch.to_owned()),
        (flipped(last + 2), format!("{mismatch} {}", whole.len())),
        (flipped(last + 4), format!("{mismatch} {}", whole.len())),
        (
            [&whole, &whole[second..]].concat(),
            format!(
                "duplicate game 2, its second copy ends at byte {}",
                whole.len() + whole.len() - second
            ),
        ),
        // One missing byte must not discard more than a game.
        (
            [&whole[..second], &whole[second + 1..], &whole[HEAD..]].concat(),
            format!("no complete game after byte {second}"),
        ),
        (
            [&whole[..], &[7; 82 * RECORD]].concat(),
            format!("no complete game after byte {}", whole.len()),
        ),
    ] {
        fs::write(&out, &bytes).unwrap();
        let output = run(&out, 4, &[]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("corrupt: ") && error.contains(&reason), "{error}");
        assert_eq!(fs::read(&out).unwrap(), bytes);
    }
}

#[test]
fn a_locked_file_is_refused_and_not_changed() {
    let folder = Folder::new("datagen-held");
    let out = folder.file("out");
    assert!(run(&out, 3, &[]).status.success());
    let bytes = fs::read(&out).unwrap();
    // On Windows nobody could read a locked file, so a file beside it is locked instead.
    let place = if cfg!(windows) { folder.file("out.lock") } else { out.clone() };
    let held = fs::File::options().append(true).create(true).open(place).unwrap();
    held.lock().unwrap();
    let output = run(&out, 4, &[]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("another run is adding games to it"), "{error}");
    assert_eq!(fs::read(&out).unwrap(), bytes);
    drop(held);
    assert!(run(&out, 4, &[]).status.success());
}

#[test]
fn a_killed_run_can_be_resumed() {
    let folder = Folder::new("datagen-killed");
    let (out, undisturbed) = (folder.file("out"), folder.file("undisturbed"));
    for pause in [40, 90, 150] {
        let mut child = datagen(&out, 300, &["--threads", "2"]).spawn().unwrap();
        // Programs start slowly under Wine.
        while !out.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = fs::metadata(&out).unwrap().len();
    assert!(run(&out, 300, &[]).status.success());
    let complete = (before - before % RECORD as u64).saturating_sub(82 * RECORD as u64);
    assert!(fs::metadata(&out).unwrap().len() >= complete);
    assert!(run(&undisturbed, 300, &["--threads", "2"]).status.success());
    assert_eq!(games(&out), games(&undisturbed));
}

#[test]
fn foreign_files_are_refused_and_not_changed() {
    let folder = Folder::new("datagen-foreign");
    let out = folder.file("out");
    for (contents, reason) in [
        ("a letter\n", "not a training data file"),
        ("zermelo-samples 20 seed 0 nodes 60\n", "not a training data file"),
        ("zermelo-samples 2 seed 7 nodes 60\n", "seed 7"),
        ("zermelo-samples 2  seed 0 nodes 60", "\" seed 0 nodes 60\""),
    ] {
        fs::write(&out, contents).unwrap();
        let output = run(&out, 2, &[]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(reason) && error.contains("out"), "{error}");
        assert_eq!(fs::read_to_string(&out).unwrap(), contents);
    }
    let embedded = folder.file("embedded");
    assert!(run(&embedded, 1, &[]).status.success());
    let output = run(&embedded, 1, &["--evaluation", "embedded"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let missing = run(&folder.file("no/such/folder"), 2, &[]);
    assert_eq!(missing.status.code(), Some(2));
    let output = run(&folder.file("new"), 2, &["--evaluation", "/nowhere"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Merges the games of some files into another.
fn merge(parts: &[&Path], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
    command.args(["datagen", "--merge"]).args(parts).arg("--out").arg(out);
    command.output().unwrap()
}

/// Shards of several machines merge to byte for byte what one run writes.
#[test]
fn merged_shards_equal_a_single_run() {
    let folder = Folder::new("datagen-parts");
    let [whole, first, second, third, out] =
        ["whole", "first", "second", "third", "out"].map(|name| folder.file(name));
    let output = run(&whole, 20, &[]);
    assert!(output.status.success(), "{output:?}");
    let summary = String::from_utf8(output.stdout).unwrap();
    let expected = fs::read(&whole).unwrap();

    assert!(run(&first, 6, &[]).status.success());
    let output = run(&second, 13, &["--from-game", "6", "--threads", "2"]);
    assert!(output.status.success(), "{output:?}");
    let found = games(&second);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), (6..13).collect::<Vec<_>>());
    let positions: usize = found.values().map(Vec::len).sum();
    let summary_of_shard = String::from_utf8(output.stdout).unwrap();
    assert_eq!(summary_of_shard, format!("7 games, {positions} positions\n"));
    // A truncated shard is completed; a game in two shards counts once.
    let part = ["--from-game", "11"];
    assert!(run(&third, 20, &part).status.success());
    let bytes = fs::read(&third).unwrap();
    fs::write(&third, &bytes[..bytes.len() * 2 / 3]).unwrap();
    assert!(run(&third, 20, &part).status.success());
    assert_eq!(fs::read(&third).unwrap(), bytes);

    let output = merge(&[&third, &first, &second], &out);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), summary);
    assert!(fs::read(&out).unwrap() == expected, "byte for byte");
    // Nothing is left to add or to play.
    assert!(merge(&[&second, &out], &out).status.success());
    assert!(run(&out, 20, &[]).status.success());
    assert!(fs::read(&out).unwrap() == expected);
    // Existing games stay in front; an interrupted merge can be repeated.
    for cut in [0, 5, HEAD, HEAD + 700, expected.len() / 2, expected.len() - 1] {
        fs::write(&out, &expected[..cut]).unwrap();
        assert!(merge(&[&third, &first, &second], &out).status.success());
        assert!(fs::read(&out).unwrap() == expected, "cut at {cut}");
    }
    fs::copy(&second, &out).unwrap();
    assert!(merge(&[&third, &first], &out).status.success());
    assert_eq!(games(&out), games(&whole));
    assert!(fs::read(&out).unwrap().starts_with(&fs::read(&second).unwrap()));
}

#[test]
fn files_that_do_not_match_are_not_merged() {
    let folder = Folder::new("datagen-apart");
    let [first, second, out] = ["first", "second", "out"].map(|name| folder.file(name));
    assert!(run(&first, 3, &[]).status.success());
    let refuse = |parts: &[&Path], code: i32, messages: &[&str]| {
        let output = merge(parts, &out);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(messages.iter().all(|message| error.contains(message)), "{error}\n{messages:?}");
    };
    for (flag, value, word) in [("--seed", "8", "seed 8"), ("--evaluation", "embedded", "nodes 60")]
    {
        let other = folder.file(flag);
        let mut command = datagen(&other, 3, &[]);
        if flag == "--evaluation" {
            command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
            command.args(["datagen", "--nodes", "60", "--games", "3", "--out"]).arg(&other);
        }
        assert!(command.args([flag, value]).output().unwrap().status.success());
        let wanted = "expected \"game tixtax seed 0 nodes 60 branches 3 evaluation handcrafted\"";
        let name = other.to_str().unwrap();
        refuse(&[&first, &other], 2, &[name, word, wanted]);
        assert!(!out.exists(), "no output file is created");
        fs::copy(&other, &out).unwrap();
        refuse(&[&first], 2, &["out: its games were played with", word, "evaluation handcrafted"]);
        assert_eq!(fs::read(&out).unwrap(), fs::read(&other).unwrap());
        fs::remove_file(&out).unwrap();
    }
    // An incomplete game is left out, and its file is not changed.
    let bytes = fs::read(&first).unwrap();
    for cut in [HEAD, HEAD + 1, bytes.len() - 1, bytes.len() - RECORD - 3] {
        fs::write(&second, &bytes[..cut]).unwrap();
        let output = merge(&[&second], &out);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(games(&out).len(), if cut < HEAD + RECORD { 0 } else { 2 });
        assert_eq!(fs::read(&second).unwrap().len(), cut);
        fs::remove_file(&out).unwrap();
    }
    for cut in [0, 3, HEAD - 1] {
        fs::write(&second, &bytes[..cut]).unwrap();
        refuse(
            &[&second],
            2,
            &["second contains no complete game", "the files contain no complete game"],
        );
        let output = merge(&[&second, &first], &out);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(fs::read(&out).unwrap(), bytes);
        fs::remove_file(&out).unwrap();
    }
    // Corrupt files are refused, and so are two games with one number.
    let mut corrupt = bytes.clone();
    corrupt[HEAD + RECORD + 1] ^= 1;
    fs::write(&second, &corrupt).unwrap();
    refuse(
        &[&first, &second],
        2,
        &["second", "corrupt: checksum mismatch in the game that ends at"],
    );
    let last = bytes.len() - (games(&first)[&2].len() + 1) * RECORD;
    let mut renamed = [&bytes[..HEAD], &bytes[last..]].concat();
    let seal = renamed.len() - RECORD;
    renamed[seal + 4] = 1;
    let sum = crc32fast::hash(&renamed[HEAD..seal + 12]);
    renamed[seal + 12..seal + 16].copy_from_slice(&sum.to_le_bytes());
    fs::write(&second, &renamed).unwrap();
    refuse(&[&first, &second], 2, &["second: game 1 differs from the one in an earlier file"]);
    fs::write(&second, "a letter").unwrap();
    refuse(&[&first, &second], 2, &["second: not a training data file"]);
    refuse(&[&first, &folder.file("none")], 2, &["none"]);
    refuse(&[&first, Path::new(NO_FILE)], 2, &[&format!("{NO_FILE}: not a regular file")]);
}

#[test]
fn a_shard_without_games_is_refused() {
    let folder = Folder::new("datagen-first");
    let out = folder.file("out");
    for first in ["5", "9"] {
        let output = run(&out, 5, &["--from-game", first]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        let message = format!(
            "--from-game {first} leaves no game to play, expected less than 5, the value of --games"
        );
        assert!(error.contains(&message), "{error}");
    }
    assert!(!out.exists());
    let zermelo = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
        let output = command.args(["datagen", "--out"]).arg(&out).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(zermelo(&[]).contains("--games <N>"));
    for words in [["--games", "2"], ["--from-game", "2"], ["--seed", "0"], ["--nodes", "60"]] {
        let mut all = vec!["--merge", "x"];
        all.extend(words);
        assert!(zermelo(&all).contains("cannot be used with"), "{words:?}");
    }
}
