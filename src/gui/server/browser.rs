//! Opens the page in the browser.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::access::new_token;

/// A file that leads the browser to the page. Other users can list the arguments of the browser, but
/// not read this file. It is removed when it is dropped.
pub struct RedirectFile(PathBuf);

impl RedirectFile {
    fn write(url: &str) -> io::Result<Self> {
        let path = folder().join(format!("zermelo-{}.html", new_token()?));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let redirect = Self(path);
        writeln!(
            file,
            "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Zermelo</title>\n\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<a href=\"{url}\">Zermelo</a>"
        )?;
        Ok(redirect)
    }
}

impl Drop for RedirectFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The folder of the file. Browsers in a snap can read only the home folder.
fn folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = variable("HOME").map(PathBuf::from).filter(|home| home.join("snap").is_dir());
    let runtime = || variable("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_dir());
    home.or_else(runtime).unwrap_or_else(std::env::temp_dir)
}

/// Opens an address in the user's browser through a file, which has to exist until the browser has
/// read it; returns `None` if no program was started that should do so.
#[must_use]
pub fn open_browser(url: &str) -> Option<RedirectFile> {
    let redirect = RedirectFile::write(url).ok()?;
    let mut command = browser_command(&redirect.0)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // Waits for it, so that no zombie is left.
    let wait = move || drop(child.wait());
    std::thread::Builder::new().name("browser".to_owned()).spawn(wait).ok()?;
    Some(redirect)
}

#[cfg(target_os = "macos")]
fn browser_command(page: &Path) -> Option<Command> {
    let mut command = Command::new("open");
    command.arg(page);
    Some(command)
}

#[cfg(windows)]
fn browser_command(page: &Path) -> Option<Command> {
    let mut command = Command::new("cmd");
    // The first quoted argument of `start` is the title of a window.
    command.args(["/C", "start", ""]).arg(page);
    Some(command)
}

/// Without a display, `xdg-open` might start a browser in this terminal.
#[cfg(not(any(target_os = "macos", windows)))]
fn browser_command(page: &Path) -> Option<Command> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().find(|name| is_set(name))?;
    let mut command = Command::new("xdg-open");
    command.arg(page);
    Some(command)
}
