//! `zermelo-bindgen INPUT.wasm FOLDER`: writes the module and the script that loads it.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = &arguments[..] else {
        eprintln!("usage: zermelo-bindgen INPUT.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let bindgen =
        bindgen.input_path(input).out_name("zermelo").typescript(false).remove_name_section(true);
    let result = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{input}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
