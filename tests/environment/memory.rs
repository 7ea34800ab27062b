//! Too little memory, and files without an end.

use std::fs;

use super::common::Folder;
use super::{SLOW_POSITION, run_after, text};

/// With too little memory for its tables the program reports an error. Below the minimum to start, the
/// dynamic linker fails; where the tables leave no byte, the next small allocation aborts.
#[test]
#[ignore = "starts the program 91 times"]
fn lack_of_memory_is_reported() {
    let folder = Folder::new("no-memory");
    let out = folder.file("samples");
    let out = out.to_str().unwrap();
    let tasks: &[&[&str]] = &[
        &["--", "go nodes 500", "setoption name UCI_Variant value nim", "go"],
        &["--", "setoption name Hash value 100", "go nodes 500", "eval"],
        &["--", "setoption name Searcher value mcts", "go nodes 500"],
        &["solve", "--fen", SLOW_POSITION, "--memory", "64", "--time", "0.1"],
        &["solve", "--fen", SLOW_POSITION, "--memory", "64", "--time", "0.1", "--threads", "4"],
        &["datagen", "--games", "1", "--nodes", "20", "--out", out],
        &["bench"],
    ];
    for arguments in tasks {
        let mut reports = 0;
        for kibibytes in (24_000..180_000).step_by(12_000) {
            drop(fs::remove_file(out));
            let output = run_after(&format!("ulimit -v {kibibytes}"), arguments);
            let output_text = text(&output.stdout) + &text(&output.stderr);
            let code = output.status.code();
            if is_abort_of_small_allocation(&output_text) {
                continue;
            }
            assert!(
                matches!(code, Some(0..=2))
                    || output_text.contains("error while loading shared libraries"),
                "{arguments:?} with {kibibytes} KiB: {} {output_text}",
                output.status
            );
            let words = [
                "cannot allocate",
                "(available memory)",
                "cannot start a search thread",
                "cannot handle signals",
            ];
            let is_reported = words.iter().any(|word| output_text.contains(word));
            assert!(
                code == Some(0) || is_reported || code == Some(127),
                "{arguments:?}: {output_text}"
            );
            reports += usize::from(is_reported);
        }
        assert!(reports > 0 || arguments.contains(&"setoption name Searcher value mcts"));
    }
}

/// Whether the program aborted because it got no memory for less than a page.
fn is_abort_of_small_allocation(output: &str) -> bool {
    let size = output.split("memory allocation of ").nth(1).and_then(|rest| rest.split(' ').next());
    size.and_then(|size| size.parse::<u32>().ok()).is_some_and(|bytes| bytes < 4096)
}

/// Endless files are refused as records and openings without filling the memory.
#[test]
fn endless_files_are_refused() {
    let pair = ["--each", "nodes=9", "--engine", "name=a", "--engine", "name=b"];
    let tasks: [&[&str]; 3] = [
        &["match", "--check-record", "/dev/zero"],
        &["annotate", "/dev/zero"],
        &[&["match", "--openings", "file=/dev/zero"], &pair[..]].concat(),
    ];
    for arguments in tasks {
        let output = run_after("ulimit -v 2000000", arguments);
        let output_text = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output_text}");
        assert!(
            output_text.contains("/dev/zero") && output_text.contains("expected"),
            "{output_text}"
        );
    }
}
