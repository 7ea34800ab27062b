//! `zermelo gui` as a program.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::client::parse_url;
use crate::common::ZERMELO;

pub(crate) fn start(arguments: &[&str]) -> (Child, String) {
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
