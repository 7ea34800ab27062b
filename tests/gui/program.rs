//! `zermelo gui` as a program.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Tab, parse_url};
use crate::common::{Folder, ZERMELO};

fn start(arguments: &[&str]) -> (Child, String) {
    let mut child = Command::new(ZERMELO)
        .args(["gui", "--no-browser"])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Zermelo is at ").unwrap().to_owned();
    (child, url)
}

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
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
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
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
    assert!(!page.exists(), "the file is removed");
}

#[test]
fn each_run_has_its_own_token() {
    let [one, other] = [0, 1].map(|_| {
        let (mut child, url) = start(&["--port", "0"]);
        child.kill().unwrap();
        child.wait().unwrap();
        parse_url(&url).1
    });
    assert_ne!(one, other);
}

#[test]
fn a_port_in_use_is_reported() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output =
        Command::new(ZERMELO).args(["gui", "--no-browser", "--port", &port]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(&format!("cannot listen on 127.0.0.1 port {port}")), "{error}");
}

#[test]
fn a_signal_ends_every_engine() {
    let folder = Folder::new("gui-program-engines");
    let (script, pid) = (folder.file("engine.sh"), folder.file("pid"));
    let text = format!("#!/bin/sh\necho $$ > {}\necho uciok\nexec sleep 1000\n", pid.display());
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let command = format!("cmd={}", script.display());
    let arguments = ["--port", "0", "--engine", &command, "name=sleeper", "--engine", "proto=ugi"];
    let (mut child, url) = start(&arguments);
    let (address, token) = parse_url(&url);
    let mut tab = Tab::open(address, &token);
    assert_eq!(tab.ask("games", json!({}))["engines"], json!(["sleeper", "zermelo"]));
    tab.start("engine", json!({ "name": "sleeper", "line": "uci" }));
    while tab.receive_json()["line"] != "uciok" {}
    let pid = fs::read_to_string(&pid).unwrap();
    let kill = |signal: &str, id: &str| {
        Command::new("kill").args([signal, id.trim()]).stderr(Stdio::null()).status().unwrap()
    };
    assert!(kill("-0", &pid).success());
    kill("-INT", &child.id().to_string());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!kill("-0", &pid).success(), "the engine is alive");
}

#[test]
fn engines_need_different_names_and_a_protocol_of_lines() {
    for (arguments, expected) in [
        (&["--engine", "name=a", "--engine", "name=a"][..], "each engine needs its own name"),
        (&["--engine", "proto=codingame"], "expected proto=uci or proto=ugi"),
        (&["--engine", "st=1"], "st"),
    ] {
        let output =
            Command::new(ZERMELO).args(["gui", "--no-browser"]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{error}");
    }
}
