//! `zermelo gui` as a program on Unix: it opens a browser, and a signal ends it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;

use crate::client::{Tab, parse_url};
use crate::common::{Folder, ZERMELO, fake_command};
use crate::program::start;

#[test]
fn the_printed_address_opens_the_page_and_a_signal_ends_the_program() {
    let (mut child, url) = start(&["nim", "--port", "0", "--lang", "zh"]);
    let (address, token) = parse_url(&url);
    assert!(address.ip().is_loopback());
    let mut tab = Tab::open(address, &token);
    let catalogue = tab.ask("games", json!({}));
    assert_eq!(
        (&catalogue["default_game"], &catalogue["default_lang"]),
        (&json!("nim"), &json!("zh"))
    );
    tab.send("go infinite");
    tab.wait_for("info");
    let begin = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

/// Other users can list the arguments of processes, so the browser gets a file that only this user can
/// read.
#[test]
fn the_browser_is_led_to_the_address_by_a_private_file() {
    let folder = Folder::new("gui-program-browser");
    let (opener, opened) = (folder.file("xdg-open"), folder.file("opened"));
    fs::write(&opener, format!("#!/bin/sh\necho \"$*\" > {}\n", opened.display())).unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", opener.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut child = Command::new(ZERMELO)
        .args(["gui", "--port", "0"])
        .envs([("PATH", path.as_str()), ("DISPLAY", ":0")])
        .env_remove("HOME")
        .env("XDG_RUNTIME_DIR", opener.parent().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Zermelo is at ").unwrap();
    let begin = Instant::now();
    let arguments = loop {
        match fs::read_to_string(&opened) {
            Ok(arguments) if arguments.ends_with('\n') => break arguments,
            _ => assert!(begin.elapsed() < Duration::from_secs(20), "no browser was opened"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(!arguments.contains(&parse_url(url).1), "{arguments}");
    let page = std::path::Path::new(arguments.trim());
    assert!(fs::read_to_string(page).unwrap().contains(&format!("url={url}\"")));
    assert_eq!(fs::metadata(page).unwrap().permissions().mode() & 0o777, 0o600);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait().unwrap();
    assert!(!page.exists(), "the file is removed");
}

#[test]
fn a_signal_ends_every_engine() {
    let folder = Folder::new("gui-program-engines");
    let beat = format!("args=engine beat '{}'", folder.path("pids"));
    let sleeper = ["--engine", fake_command(), &beat, "name=sleeper"];
    let arguments = [&["--port", "0", "--engine", "proto=ugi"], &sleeper[..]].concat();
    let (mut child, url) = start(&arguments);
    let (address, token) = parse_url(&url);
    let mut tab = Tab::open(address, &token);
    assert_eq!(tab.ask("games", json!({}))["engines"], json!(["zermelo", "sleeper"]));
    tab.start("engine", json!({ "name": "sleeper", "line": "uci" }));
    while tab.receive_json()["line"] != "uciok" {}
    let begin = Instant::now();
    let pid = loop {
        let pids = fs::read_to_string(folder.file("pids")).unwrap_or_default();
        if let Some((pid, _)) = pids.split_once('\n') {
            break Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "the engine never worked");
        std::thread::sleep(Duration::from_millis(10));
    };
    test_kill_process(pid).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(test_kill_process(pid).is_err(), "the engine is alive");
}
