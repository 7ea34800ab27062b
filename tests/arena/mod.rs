//! `zermelo match` as a process: engine faults become results, no game is lost and all output is
//! correct.

mod annotations;
mod codingame;
mod documentation;
mod evidence;
mod faults;
mod formats;
mod resume;
mod settings;
mod shard_choice;
mod shards;
#[cfg(unix)]
mod signals;
mod start;

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::{ABORT, EXIT_1, EXIT_3, Folder, NO_FILE, NO_PROGRAM, ZERMELO, fake_command};
use zermelo::records::{GameReader, GameRecord};

fn zermelo(arguments: &[&str]) -> Command {
    let mut command = Command::new(ZERMELO);
    command.arg("match").args(arguments).stdin(Stdio::null());
    command
}

fn typed(arguments: &str) -> Command {
    let words = shlex::split(arguments).unwrap();
    zermelo(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the `args=` setting of `fake_command` for an engine with a fault.
fn fake(fault: &str) -> String {
    format!("args=engine {fault}")
}

/// Returns the `args=` setting of `fake_command` for a bot with a fault.
fn fake_bot(fault: &str) -> String {
    format!("args=bot {fault}")
}

fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{status}\n{stdout}\n{stderr}");
    assert!(stderr.is_empty(), "{stderr}");
    stdout.into_owned()
}

fn fail(command: &mut Command, code: i32) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    assert_eq!(status.code(), Some(code), "{}{stderr}", String::from_utf8_lossy(&stdout));
    stderr
}

fn read(path: &str) -> Vec<GameRecord> {
    GameReader::new(&*fs::read(path).unwrap()).map(Result::unwrap).collect()
}
