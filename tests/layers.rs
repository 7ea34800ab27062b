//! The layers of the code: each imports only those above it in the table of docs/architecture.md.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../docs/architecture.md");

/// The layers from top to bottom, as the table names them: `rules`, `sync.rs`, …
fn layers() -> Vec<&'static str> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `src/"));
    rows.map(|row| row.split('`').next().unwrap()).collect()
}

fn source_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries =
        fs::read_dir(path).unwrap().flat_map(|entry| source_files(&entry.unwrap().path()));
    entries.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The top-level modules that a file names, as in `crate::rules::Game` or `crate::{rules, solve}`.
fn imports(code: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = code.lines().filter(is_code).collect::<String>();
    let names = code.split("crate::").skip(1).flat_map(|path| match path.strip_prefix('{') {
        Some(group) => group.split('}').next().unwrap().split(',').collect(),
        None => vec![path],
    });
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let names = names.map(|name| name.trim().split(|letter| !is_name(letter)).next().unwrap());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn layers_import_only_the_layers_above_them() {
    let (layers, root) = (layers(), Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let place = |name: &str| {
        layers.iter().position(|layer| layer.strip_suffix(".rs").unwrap_or(layer) == name)
    };
    for entry in fs::read_dir(&root).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "lib.rs" || layers.contains(&&*name), "src/{name} is not in the table");
    }
    for (number, layer) in layers.iter().enumerate() {
        for file in source_files(&root.join(layer)) {
            for import in imports(&fs::read_to_string(&file).unwrap()) {
                let place = place(&import).unwrap_or_else(|| panic!("{file:?}: crate::{import}"));
                assert!(place <= number, "{} imports {import}", file.display());
            }
        }
    }
}
