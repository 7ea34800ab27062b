//! The layers of the code: each imports only those above it in the table of docs/architecture.md, and
//! inside a layer there are no circles. A path counts where it begins with `crate`, `super` or `self`, or is imported.

use std::collections::{BTreeMap, BTreeSet};
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

/// The paths that a file names, such as `super::board::Board`.
#[derive(Debug, Default)]
struct Module {
    /// The name in scope and the path of each import.
    imports: Vec<(String, String)>,
    /// What the file uses. An import that it only passes on is not a use.
    uses: Vec<String>,
}

impl Module {
    fn parse(code: &str) -> Self {
        let mut module = Self::default();
        let mut lines = code.lines().map(|line| line.split("//").next().unwrap().trim());
        while let Some(line) = lines.next() {
            let import = line.split_once("use ").filter(|(visibility, _)| {
                ["", "pub ", "pub(crate) ", "pub(super) "].contains(visibility)
            });
            let Some((visibility, start)) = import else {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
                let paths = line.split(|c| !is_part(c)).map(|path| path.trim_matches(':'));
                let starts = ["crate::", "super::", "self::"];
                let paths = paths.filter(|path| starts.iter().any(|start| path.starts_with(start)));
                module.uses.extend(paths.map(str::to_owned));
                continue;
            };
            let mut tree = start.to_owned();
            while !tree.ends_with(';') {
                tree += lines.next().expect("the end of an import");
            }
            for path in paths_in(tree.trim_end_matches(';')) {
                let (path, name) = path.split_once(" as ").unwrap_or((&path, ""));
                let path = path.trim_end_matches("::self");
                let name = if name.is_empty() { path.rsplit("::").next().unwrap() } else { name };
                module.imports.push((name.to_owned(), path.to_owned()));
                if visibility.is_empty() {
                    module.uses.push(path.to_owned());
                }
            }
        }
        module
    }
}

/// The paths of an import: `a::{b, c as d}` has `a::b` and `a::c as d`.
fn paths_in(tree: &str) -> Vec<String> {
    let Some((prefix, group)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let mut depth = 0;
    let parts = group.trim_end_matches('}').split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| paths_in(&format!("{prefix}{part}"))).collect()
}

/// The library by the paths of its modules: `crate`, `crate::rules`, …
struct Library(BTreeMap<String, Module>);

impl Library {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let modules = source_files(&root).into_iter().map(|file| {
            let path = file.strip_prefix(&root).unwrap().with_extension("");
            let names = path.iter().map(|name| name.to_str().unwrap());
            let names = names.filter(|name| !matches!(*name, "mod" | "lib"));
            let code = fs::read_to_string(&file).unwrap();
            let code = code.split("#[cfg(test)]\nmod tests").next().unwrap();
            let path = ["crate"].into_iter().chain(names).collect::<Vec<_>>().join("::");
            (path, Module::parse(code))
        });
        Self(modules.collect())
    }

    /// The module that defines what a path in a module names, through up to `depth` re-exports.
    fn resolve(&self, from: &str, path: &str, depth: usize) -> String {
        let mut place = from.to_owned();
        let mut names = path.split("::");
        while let Some(name) = names.next() {
            let below = format!("{place}::{name}");
            if name == "crate" {
                place = name.to_owned();
            } else if name == "super" {
                place =
                    place.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned());
            } else if self.0.contains_key(&below) {
                place = below;
            } else if name != "self" {
                let imports = self.0.get(&place).into_iter().flat_map(|module| &module.imports);
                let import = imports.into_iter().find(|(known, _)| known == name);
                return match import {
                    Some((_, import)) if depth > 0 => {
                        let path = [import].into_iter().map(String::as_str).chain(names);
                        self.resolve(&place, &path.collect::<Vec<_>>().join("::"), depth - 1)
                    }
                    _ => place,
                };
            }
        }
        place
    }

    /// The circles among the entries of each folder: files, and folders with all that is in them. A module
    /// and what lies below it may use each other. What remains after entries that nothing uses, or that use
    /// nothing, have been taken away, is as many lines `USER uses USED`.
    fn circles(&self) -> Vec<String> {
        let mut arrows = BTreeSet::new();
        for (user, module) in &self.0 {
            for used in module.uses.iter().map(|path| self.resolve(user, path, 8)) {
                let [one, other]: [Vec<_>; 2] =
                    [user, &used].map(|path| path.split("::").collect());
                let common = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
                if common < one.len().min(other.len()) {
                    let [from, to] = [one, other].map(|names| names[..=common].join("::"));
                    arrows.insert((from, to, format!("{user} uses {used}")));
                }
            }
        }
        loop {
            let before = arrows.len();
            let users: BTreeSet<_> = arrows.iter().map(|(from, _, _)| from.clone()).collect();
            let used: BTreeSet<_> = arrows.iter().map(|(_, to, _)| to.clone()).collect();
            arrows.retain(|(from, to, _)| used.contains(from) && users.contains(to));
            if arrows.len() == before {
                return arrows.into_iter().map(|(_, _, line)| line).collect();
            }
        }
    }
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
            let Module { imports, uses } = Module::parse(&fs::read_to_string(&file).unwrap());
            let paths = imports.into_iter().map(|(_, path)| path).chain(uses);
            for path in paths.filter_map(|path| path.strip_prefix("crate::").map(str::to_owned)) {
                let import = path.split("::").next().unwrap();
                let place = place(import).unwrap_or_else(|| panic!("{file:?}: {path}"));
                assert!(place <= number, "{} imports {import}", file.display());
            }
        }
    }
}

#[test]
fn no_layer_has_a_circle() {
    let circles = Library::read().circles();
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n"));
}

/// Re-exports and imports of modules hide no arrow, and comments are none.
#[test]
fn circles_are_found_through_re_exports() {
    let module = |path: &str, code: &str| (path.to_owned(), Module::parse(code));
    let mut library = Library(BTreeMap::from([
        module(
            "crate::a",
            "mod b;\npub use self::b::B;\npub(crate) use c::{\n    C,\n    Other as New,\n};",
        ),
        module("crate::a::b", "//! super::c::C\nuse super::New;\nstruct B(New);"),
        module("crate::a::c", "use super::d;\nstruct C(d::D);"),
        module("crate::a::d", "struct D;"),
    ]));
    assert_eq!(library.circles(), [] as [&str; 0]);
    library.0.extend([module("crate::a::d", "fn d() -> crate::a::B {}")]);
    let circle = ["a::b uses crate::a::c", "a::c uses crate::a::d", "a::d uses crate::a::b"];
    assert_eq!(library.circles(), circle.map(|line| format!("crate::{line}")));
}
