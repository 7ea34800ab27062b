//! Passes the current commit to the build; `--version` shows it.

use std::fs;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=.git/HEAD");
    println!("cargo::rerun-if-changed=.git/refs");
    let commit = packaged_commit()
        .or_else(current_commit)
        .map_or_else(|| "unknown commit".to_owned(), |commit| commit.chars().take(10).collect());
    println!("cargo::rustc-env=ZERMELO_COMMIT={commit}");
}

/// The commit that `cargo package` wrote into the package.
fn packaged_commit() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    Some(rest.chars().take_while(char::is_ascii_hexdigit).collect())
}

fn current_commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
