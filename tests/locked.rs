//! Clients that must not choose files on this machine: `--locked`, and what `Log File` accepts.

use crate::common::{Client, Folder, run_program};

/// The answers to a conversation, without the handshake.
#[cfg(unix)]
fn answers(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let output = run_program(arguments, (lines.join("\n") + "\n").as_bytes());
    crate::common::lines(&output.stdout).iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn a_locked_engine_neither_offers_nor_accepts_options_that_name_files() {
    let folder = Folder::new("locked");
    let log = folder.file("log");
    for (arguments, is_locked) in [(&["--locked"][..], true), (&[], false)] {
        let mut client = Client::process(arguments);
        client.send("uci");
        let offered = client.until("uciok");
        for name in ["EvalFile", "Log File"] {
            let start = format!("option name {name} ");
            assert_ne!(offered.iter().any(|line| line.starts_with(&start)), is_locked, "{name}");
        }
        let refusals = [
            client.ask(&format!("setoption name log file value {}", log.display())),
            client.ask("setoption name EvalFile value <embedded>"),
            client.ask("setoption name Log File"),
        ];
        for (answer, name) in refusals.iter().zip(["Log File", "EvalFile", "Log File"]) {
            let expected = format!("info string error: option {name} is disabled by --locked: ");
            let is_refused = answer.len() == 1 && answer[0].starts_with(&expected);
            assert_eq!(is_refused, is_locked, "{answer:?}");
        }
        assert_ne!(log.exists(), is_locked);
        let unknown = client.ask_one("setoption name Nothing value 1");
        assert_ne!(unknown.contains("EvalFile"), is_locked, "{unknown}");
        assert_eq!(client.ask("setoption name Hash value 2"), [""; 0], "other options remain");
        let _ = std::fs::remove_file(&log);
    }
}

#[test]
fn locked_is_a_flag_of_the_engine_only() {
    let output = run_program(&["--locked", "perft", "1"], b"");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("--locked is for the engine"), "{error}");
}

#[cfg(unix)]
#[test]
fn log_file_accepts_only_regular_files() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    let folder = Folder::new("log-file");
    let [fifo, socket, link, file] =
        ["fifo", "socket", "link", "file"].map(|name| folder.file(name));
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    let _listener = UnixListener::bind(&socket).unwrap();
    symlink("/dev/null", &link).unwrap();
    let inside = folder.file("");
    for path in [&fifo, &socket, &link, &inside, &"/dev/null".into(), &"/dev/tty".into()] {
        let set = format!("setoption name Log File value {}", path.display());
        let answers = answers(&[], &[&set, "isready"]);
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert!(
            answers[0].starts_with("info string error: invalid value")
                && answers[0].ends_with("for option Log File: not a regular file"),
            "{answers:?}"
        );
    }
    let set = format!("setoption name Log File value {}", file.display());
    assert_eq!(answers(&[], &[&set, "isready", "isready"]), ["readyok", "readyok"]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("< isready"));
}
