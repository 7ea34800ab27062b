//! The `zermelo` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    zermelo::cli::main()
}
