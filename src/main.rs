//! The `zermelo` binary.

use std::process::ExitCode;

use zermelo::thinking::registry::BUILT_IN_GAMES;

fn main() -> ExitCode {
    zermelo::program(BUILT_IN_GAMES)
}
