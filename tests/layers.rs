//! The layers of the code: each imports only those above it in the table of docs/architecture.md, and
//! inside a layer there are no circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../docs/architecture.md");

/// Folders that may still have a circle. To be emptied, and then removed.
const KNOWN_CIRCLES: [&str; 0] = [];

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

/// A path such as `crate::rules::Game`, by its names.
type Names = Vec<String>;

/// A file of the library, by what it names.
#[derive(Debug, Default)]
struct Module {
    /// The name in scope and the path of each `use`, groups resolved.
    imports: Vec<(String, Names)>,
    /// Every other path in the code, many of which are just a name.
    paths: Vec<Names>,
}

impl Module {
    fn parse(code: &str) -> Self {
        let tokens = tokens(code);
        let mut module = Self::default();
        let mut rest = &tokens[..];
        while let Some((first, after)) = rest.split_first() {
            if first == "use" {
                let end = after.iter().position(|token| token == ";").unwrap_or(after.len());
                add_imports(&after[..end], &[], &mut module.imports);
                rest = &after[end..];
            } else if first == "." {
                // A field or method.
                rest = after.get(1..).unwrap_or_default();
            } else if is_name(first) {
                let (path, after) = read_path(rest);
                module.paths.push(path);
                rest = after;
            } else {
                rest = after;
            }
        }
        module
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The names, `::` and single symbols of a file, excluding its comments and texts.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(letter) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if letter == '"' {
            text_length(rest)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find("'").unwrap() + 2
        } else if rest.starts_with("::") {
            2
        } else if is_name(rest) {
            rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                .unwrap_or(rest.len())
        } else {
            letter.len_utf8()
        };
        let token = &rest[..length];
        if !(token.starts_with("//") || token.starts_with('"') || token.trim().is_empty()) {
            tokens.push(token.to_owned());
        }
        rest = &rest[length..];
    }
    tokens
}

/// The length of the text in quotes with which `code` begins.
fn text_length(code: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in code.char_indices().skip(1) {
        if letter == '"' && !escaped {
            return at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    code.len()
}

/// Reads the path with which the tokens begin.
fn read_path(tokens: &[String]) -> (Names, &[String]) {
    let mut path = vec![tokens[0].clone()];
    let mut rest = &tokens[1..];
    while let [colons, name, after @ ..] = rest
        && colons == "::"
        && is_name(name)
    {
        path.push(name.clone());
        rest = after;
    }
    (path, rest)
}

/// Adds the imports of a `use` behind a prefix: `a::{b, c as d}` is `a::b` and `a::c`.
fn add_imports(tokens: &[String], prefix: &[String], imports: &mut Vec<(String, Names)>) {
    let Some(first) = tokens.first() else { return };
    let (mut path, mut rest) = (prefix.to_vec(), tokens);
    if is_name(first) {
        let (names, after) = read_path(tokens);
        path.extend(names);
        rest = after;
    }
    if rest.first().is_some_and(|token| token == "::") {
        rest = &rest[1..];
    }
    match rest.first().map(String::as_str) {
        Some("{") => {
            let mut depth = 0;
            let mut start = 1;
            for (at, token) in rest.iter().enumerate() {
                match token.as_str() {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    _ => {}
                }
                if (token == "," && depth == 1) || depth == 0 {
                    add_imports(&rest[start..at], &path, imports);
                    start = at + 1;
                }
                if depth == 0 {
                    break;
                }
            }
        }
        Some("as") => imports.push((rest[1].clone(), path)),
        _ => {
            if path.last().is_some_and(|name| name == "self") {
                path.pop();
            }
            if let Some(name) = path.last().cloned() {
                imports.push((name, path));
            }
        }
    }
}

/// The library by the paths of its modules.
struct Library(BTreeMap<Names, Module>);

impl Library {
    fn read(root: &Path) -> Self {
        let modules = source_files(root).into_iter().map(|file| {
            let names = file.strip_prefix(root).unwrap().with_extension("");
            let mut names: Names =
                names.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
            if matches!(names.last().unwrap().as_str(), "mod" | "lib") {
                names.pop();
            }
            let code = fs::read_to_string(file).unwrap();
            (names, Module::parse(code.split("#[cfg(test)]\nmod tests").next().unwrap()))
        });
        Self(modules.collect())
    }

    /// The module that defines what a path in a module names; `None` outside the library. Re-exports
    /// are followed to the definition.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<&Names> {
        let (first, mut rest) = path.split_first()?;
        let mut place: Names = from.to_vec();
        match first.as_str() {
            "crate" => place.clear(),
            "self" => {}
            "super" => {
                place.pop()?;
            }
            name => {
                if self.0.contains_key(&[from, &[name.to_owned()]].concat()) {
                    place.push(name.to_owned());
                } else {
                    return self.resolve_import(from, name, rest, depth);
                }
            }
        }
        while let Some((name, after)) = rest.split_first() {
            let below = [&place[..], std::slice::from_ref(name)].concat();
            if name == "super" {
                place.pop()?;
            } else if self.0.contains_key(&below) {
                place = below;
            } else {
                let import = self.resolve_import(&place, name, after, depth);
                return import.or_else(|| self.0.get_key_value(&place).map(|(names, _)| names));
            }
            rest = after;
        }
        self.0.get_key_value(&place).map(|(names, _)| names)
    }

    /// The module that defines what a module imports under a name.
    fn resolve_import(
        &self,
        from: &[String],
        name: &str,
        rest: &[String],
        depth: usize,
    ) -> Option<&Names> {
        let module = self.0.get(from)?;
        let (_, path) = module.imports.iter().find(|(known, _)| known == name)?;
        if path.first().is_some_and(|first| first == name) || depth == 0 {
            return None;
        }
        self.resolve(from, &[&path[..], rest].concat(), depth - 1)
    }

    /// The modules of its own layer that a module uses. An import that it only passes on is not a use,
    /// and neither is the declaration of a child.
    fn uses(&self, names: &Names) -> BTreeSet<&Names> {
        let module = &self.0[names];
        let is_use = |path: &&Names| {
            path.len() > 1 || module.imports.iter().any(|(name, _)| *name == path[0])
        };
        let used =
            module.paths.iter().filter(is_use).filter_map(|path| self.resolve(names, path, 8));
        used.filter(|used| *used != names && used.first() == names.first()).collect()
    }
}

/// What uses what, as pairs of files, by the entries of a folder that they belong to.
type Arrows<'a> = BTreeMap<Names, BTreeMap<Names, BTreeSet<(&'a Names, &'a Names)>>>;

/// The arrows among the entries of each folder of a layer: files, and folders with all that is in them. A
/// module and what lies below it may use each other.
fn arrows(library: &Library) -> Arrows<'_> {
    let mut arrows = Arrows::new();
    for names in library.0.keys() {
        for used in library.uses(names) {
            let common = names.iter().zip(used).take_while(|(one, other)| one == other).count();
            if common < names.len().min(used.len()) {
                let [entry, other] = [names, used].map(|file| file[..=common].to_vec());
                let pairs = arrows.entry(entry).or_default().entry(other).or_default();
                pairs.insert((names, used));
            }
        }
    }
    arrows
}

/// The entries that one leads to, itself included if it is part of a circle.
fn reached<'a>(entry: &'a Names, arrows: &'a Arrows<'_>) -> BTreeSet<&'a Names> {
    let mut reached = BTreeSet::new();
    let mut open = vec![entry];
    while let Some(next) = open.pop() {
        let used = arrows.get(next).into_iter().flat_map(BTreeMap::keys);
        open.extend(used.filter(|used| reached.insert(*used)));
    }
    reached
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
            let Module { imports, paths } = Module::parse(&fs::read_to_string(&file).unwrap());
            for path in imports.into_iter().map(|(_, path)| path).chain(paths) {
                if let [first, import, ..] = &path[..]
                    && first == "crate"
                {
                    let place = place(import).unwrap_or_else(|| panic!("{file:?}: {path:?}"));
                    assert!(place <= number, "{} imports {import}", file.display());
                }
            }
        }
    }
}

/// Inside a layer the entries of each folder stand in an order, too: following what they use never leads
/// back to where one began.
#[test]
fn no_layer_has_a_circle() {
    let library = Library::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let arrows = arrows(&library);
    let mut circles = BTreeMap::new();
    for entry in arrows.keys() {
        let returns = |other: &&Names| reached(other, &arrows).contains(entry);
        let circle: BTreeSet<_> = reached(entry, &arrows).into_iter().filter(returns).collect();
        for (_, pairs) in arrows[entry].iter().filter(|(other, _)| circle.contains(other)) {
            circles.entry(circle.clone()).or_insert_with(Vec::new).extend(pairs);
        }
    }
    let mut unknown = Vec::new();
    for (circle, pairs) in circles {
        let folder = circle.first().unwrap().split_last().unwrap().1.join("::");
        println!("a circle in {folder}:");
        for (user, used) in pairs {
            println!("    {} uses {}", user.join("::"), used.join("::"));
        }
        if !KNOWN_CIRCLES.contains(&&*folder) {
            unknown.push(folder);
        }
    }
    assert!(unknown.is_empty(), "circles in {unknown:?}, listed above");
}

/// Re-exports and imports of modules hide no arrow, and comments, texts and unit tests are none.
#[test]
fn arrows_lead_to_definitions() {
    let files = [
        ("a", "mod b; mod c; mod d; pub use self::b::B; pub use c::{C, Other as Renamed};"),
        (
            "a/b",
            "//! super::c::C\nuse super::Renamed; struct B(Renamed); const T: &str = \"super::d\";",
        ),
        ("a/c", "use super::d; struct C(d::D); struct Other;"),
        ("a/d", "struct D; fn d() -> crate::a::B { todo!() }"),
    ];
    let names = |path: &str| -> Names { path.split('/').map(str::to_owned).collect() };
    let files = files.map(|(path, code)| (names(path), Module::parse(code)));
    let library = Library(files.into());
    let uses = |path| library.uses(&names(path)).into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(uses("a"), [] as [Names; 0]);
    assert_eq!(uses("a/b"), [names("a/c")]);
    assert_eq!(uses("a/c"), [names("a/d")]);
    assert_eq!(uses("a/d"), [names("a/b")]);
    assert_eq!(reached(&names("a/b"), &arrows(&library)).len(), 3);
}
