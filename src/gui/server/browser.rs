//! Opens the page in the browser.

use std::process::{Command, Stdio};

/// Opens an address in the user's browser; returns whether a program was started that should do
/// so.
#[must_use]
pub fn open_browser(url: &str) -> bool {
    let Some(mut command) = browser_command(url) else { return false };
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else { return false };
    // Waits for it, so that no zombie is left.
    let wait = move || drop(child.wait());
    std::thread::Builder::new().name("browser".to_owned()).spawn(wait).is_ok()
}

#[cfg(target_os = "macos")]
fn browser_command(url: &str) -> Option<Command> {
    let mut command = Command::new("open");
    command.arg(url);
    Some(command)
}

#[cfg(windows)]
fn browser_command(url: &str) -> Option<Command> {
    let mut command = Command::new("cmd");
    // The first quoted argument of `start` is the title of a window.
    command.args(["/C", "start", "", url]);
    Some(command)
}

/// Without a display, `xdg-open` might start a browser in this terminal.
#[cfg(not(any(target_os = "macos", windows)))]
fn browser_command(url: &str) -> Option<Command> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().find(|name| is_set(name))?;
    let mut command = Command::new("xdg-open");
    command.arg(url);
    Some(command)
}
