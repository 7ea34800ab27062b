//! A program in a pseudo-terminal.

use std::fs::File;
use std::io::Read;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

use super::ZERMELO;

/// A running program and its terminal.
pub struct Terminal {
    /// Where its keys are pressed.
    pub keys: Pty,
    pub child: Child,
    /// What it prints; disconnected once the program has exited.
    pub output: Receiver<Vec<u8>>,
}

impl Terminal {
    /// Starts a program in a terminal of 24 rows and 80 columns.
    pub fn start(command: Command) -> Self {
        Self::with_size(command, 24, 80)
    }

    /// Starts a program in a terminal and reads its output in the background.
    pub fn with_size(command: Command, rows: u16, columns: u16) -> Self {
        let (keys, inside) = open().unwrap();
        keys.resize(Size::new(rows, columns)).unwrap();
        let child = command.spawn(inside).unwrap();
        let mut reader = File::from(rustix::io::dup(&keys).unwrap());
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Reading fails when the program has exited.
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { keys, child, output }
    }
}

/// The program with the environment of an ordinary colour terminal.
pub fn zermelo(arguments: &[&str]) -> Command {
    let command = Command::new(ZERMELO).args(arguments).env("TERM", "xterm");
    command.env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8")
}
