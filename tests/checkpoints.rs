//! Checkpoints of `zermelo solve`: exclusive use, and checkpoints that do not fit into memory.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::{Folder, TIMEOUT, lines, run_program, start_program};
use zermelo::games::TixTax;
use zermelo::rules::{Game, SplitMix};

fn start(fen: &str, more: &[&str]) -> Child {
    start_program(&[&["solve", "--fen", fen], more].concat())
}

#[test]
fn a_checkpoint_is_used_by_one_run_at_a_time() {
    let folder = Folder::new("solve-locked");
    let file = folder.file("proof");
    let path = file.to_str().unwrap();
    let start_fen = TixTax::start().to_string();
    let mut first = start(&start_fen, &["--checkpoint", path, "--checkpoint-every", "0.1"]);
    let deadline = Instant::now() + TIMEOUT;
    while !file.exists() {
        assert!(Instant::now() < deadline, "no checkpoint is written");
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = run_program(&["solve", "--fen", &start_fen, "--checkpoint", path], b"");
    assert_eq!(second.status.code(), Some(2));
    let error = lines(&second.stderr)[0];
    assert!(error.ends_with("proof: another run is using this checkpoint"), "{error}");
    // A killed run leaves its lock file, which locks nothing any more.
    first.kill().unwrap();
    first.wait().unwrap();
    let third = ["solve", "--fen", &start_fen, "--checkpoint", path, "--time", "0.1"];
    let third = run_program(&third, b"");
    assert_eq!(third.status.code(), Some(0));
    assert!(lines(&third.stderr)[0].contains("resuming from"), "{:?}", lines(&third.stderr));
    let names: Vec<_> = fs::read_dir(file.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| !name.to_str().unwrap().ends_with(".part"))
        .collect();
    assert_eq!(names, ["proof"], "the lock file is removed");
}

/// Writes a checkpoint of `count` entries, each in a bucket of its own where possible.
fn write_checkpoint(path: &Path, fen: &str, count: u64) {
    let mut bytes = format!("zermelo proof 1 tixtax {fen}\n").into_bytes();
    // Open bounds, both proof numbers 1, work 8.
    let data = 1 | 1 << 24 | 8 << 48 | 2 << 60 | 1_u64 << 63;
    let mut random = SplitMix::new(1);
    for _ in 0..count {
        bytes.extend(random.bits().to_le_bytes());
        bytes.extend(data.to_le_bytes());
    }
    bytes.extend([0; 16]);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_checkpoint_larger_than_the_memory_is_refused_and_stays_as_it_was() {
    let folder = Folder::new("solve-too-large");
    let file = folder.file("proof");
    let fen = TixTax::start().to_string();
    // 32 MB of entries; 64 MiB of memory leave 23 MiB for the table.
    write_checkpoint(&file, &fen, 2_000_000);
    let before = fs::metadata(&file).unwrap();
    let solve = |memory: &str| {
        let path = file.to_str().unwrap();
        let arguments =
            ["solve", "--fen", &fen, "--checkpoint", path, "--memory", memory, "--time", "0.1"];
        run_program(&arguments, b"")
    };
    let refused = solve("64");
    assert_eq!(refused.status.code(), Some(2));
    let error = lines(&refused.stderr)[0];
    assert!(error.contains("the checkpoint has 2000000 entries, "), "{error}");
    let after = fs::metadata(&file).unwrap();
    assert_eq!(
        (before.len(), before.modified().unwrap()),
        (after.len(), after.modified().unwrap())
    );
    let needed = error.split("--memory ").nth(1).unwrap().split(' ').next().unwrap();
    let resumed = solve(needed);
    assert_eq!(resumed.status.code(), Some(0), "{:?}", lines(&resumed.stderr));
    assert!(lines(&resumed.stderr)[0].contains("resuming from"));
    let kept = fs::metadata(&file).unwrap().len();
    assert!(kept > before.len() * 95 / 100, "{kept} of {} bytes", before.len());
}
