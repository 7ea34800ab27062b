//! Resuming from a record alone: foreign commands run only once they are confirmed.

use std::fs;

use super::{Folder, fail, read, succeed, zermelo};

/// Writes a record of one pair whose second engine is `engine`, as JSON; returns its path.
pub(super) fn record_with(folder: &Folder, engine: &str) -> String {
    let record = folder.path("games.pgn");
    let words = ["--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];
    let _ = fs::remove_file(&record);
    succeed(zermelo(&words).args(["--game", "tictactoe", "--record", &record]));
    let text = fs::read_to_string(&record).unwrap();
    let plain = r#""name":"b","cmd":"zermelo""#;
    assert!(text.contains(plain), "{text}");
    fs::write(&record, text.replacen(plain, &format!(r#""name":"b",{engine}"#), 1)).unwrap();
    record
}

/// The commands are shown in full, with invisible characters escaped; a header with control
/// characters is refused anyway.
#[test]
fn foreign_commands_of_a_record_need_trust() {
    let folder = Folder::new("trust");
    let long = "x".repeat(200);
    let cases = [
        (
            format!(r#""cmd":"./evil","args":["a b","{long}\u202e[2K"],"dir":".""#),
            if cfg!(windows) {
                format!("    b: ./evil \"a b\" {long}\\u{{202e}}[2K (in .)\n")
            } else {
                format!("    b: ./evil 'a b' '{long}\\u{{202e}}[2K' (in .)\n")
            },
        ),
        (
            r#""cmd":"zermelo","options":[["evalfile","/etc/passwd"]]"#.to_owned(),
            "    b: zermelo  option.evalfile=/etc/passwd\n".to_owned(),
        ),
        (
            r#""cmd":"zermelo","options":[["Log  File","precious"]]"#.to_owned(),
            "    b: zermelo  option.Log  File=precious\n".to_owned(),
        ),
        (
            r#""cmd":"zermelo","stderr":"precious""#.to_owned(),
            "    b: zermelo  stderr=precious\n".to_owned(),
        ),
    ];
    for (engine, shown) in cases {
        let record = record_with(&folder, &engine);
        let before = fs::read(&record).unwrap();
        let resume = ["--resume", "--record", &record, "--rounds", "2"];
        let error = fail(zermelo(&resume).current_dir(folder.path("")), 2);
        assert!(error.contains("games.pgn names these commands to run:\n"), "{error}");
        assert!(error.contains(&shown), "{error}\n{shown}");
        assert!(
            !error.contains("    a: ") && error.contains("--trust-record to run them"),
            "{error}"
        );
        assert_eq!(fs::read(&record).unwrap(), before);
        assert!(!fs::exists(folder.path("precious")).unwrap());
    }
    // This program alone runs nothing foreign, and neither does --plan.
    let record = record_with(&folder, r#""cmd":"zermelo","options":[["Hash","4"]]"#);
    succeed(&mut zermelo(&["--resume", "--record", &record, "--rounds", "2"]));
    let record = record_with(&folder, r#""cmd":"./evil""#);
    succeed(&mut zermelo(&["--resume", "--record", &record, "--plan"]));
    let log = folder.path("log");
    let record = record_with(&folder, &format!(r#""cmd":"zermelo","stderr":"{log}""#));
    let trusted = ["--resume", "--trust-record", "--record", &record, "--rounds", "2"];
    succeed(&mut zermelo(&trusted));
    assert_eq!(read(&record).len(), 4);
    let error = fail(&mut zermelo(&["--trust-record", "--record", &record]), 2);
    assert!(error.contains("--resume"), "{error}");
}
