//! Passes the current commit to the build; `--version` shows it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=.git/HEAD");
    println!("cargo::rerun-if-changed=.git/refs");
    let output = Command::new("git").args(["rev-parse", "--short=10", "HEAD"]).output();
    let commit = output
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown commit".to_owned(), |text| text.trim().to_owned());
    println!("cargo::rustc-env=ZERMELO_COMMIT={commit}");
}
