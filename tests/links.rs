//! Every relative link in the Markdown files leads to a file, and every anchor to a heading; the page on installing lists what
//! `scripts/package` builds.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files of the repository, except the templates of `src` and `data`.
fn pages(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with('.') && !["data", "src", "target"].contains(&name) {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.insert(path.clone(), without_code(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn without_code(page: &str) -> String {
    page.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// The anchors of the headings, as GitHub derives them.
fn anchors(page: &str) -> HashSet<String> {
    let headings = page.lines().filter_map(|line| line.strip_prefix('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        text.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    };
    headings.map(anchor).collect()
}

/// The targets of inline links: `[text](target)`.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[test]
fn every_relative_link_and_anchor_resolves() {
    let mut found = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    pages(&root, &mut found);
    let mut count = 0;
    for (path, page) in &found {
        for link in links(page).filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            let place = format!("{}: {link}", path.display());
            let target = target.canonicalize().unwrap_or_else(|_| panic!("{place}: no such file"));
            if !anchor.is_empty() {
                let page = found.get(&target).unwrap_or_else(|| panic!("{place}: not a page"));
                assert!(anchors(page).contains(anchor), "{place}: no such heading");
            }
            count += 1;
        }
    }
    assert!(count > 80, "only {count} links were found");
}

/// The pairs of a dictionary in `scripts/package`.
fn dictionary(name: &str) -> BTreeMap<&'static str, &'static str> {
    let script = include_str!("../scripts/package");
    let (_, body) = script.split_once(&format!("\n{name} = {{")).unwrap();
    let words: Vec<_> = body.split_once('}').unwrap().0.split('"').collect();
    // Between the quotation marks, every second one a key.
    words.chunks_exact(4).map(|pair| (pair[1], pair[3])).collect()
}

#[test]
fn the_page_on_installing_lists_the_packages() {
    let version = env!("CARGO_PKG_VERSION");
    let debian = dictionary("DEBIAN");
    let rows = dictionary("TARGETS").into_iter().map(|(target, system)| {
        let (end, runner) = match target {
            _ if target.contains("windows") => ("zip", "Linux"),
            _ if target.contains("apple") => ("tar.xz", "Mac"),
            _ => ("tar.xz", "Linux"),
        };
        let archive = format!("`zermelo-{version}-{system}.{end}`");
        let deb = debian.get(target).map(|name| format!(", `zermelo_{version}-1_{name}.deb`"));
        format!("| {archive}{} | `{target}` | {runner} |", deb.unwrap_or_default())
    });
    let page = include_str!("../docs/install.md");
    let (_, table) = page.split_once("|---|---|---|\n| `zermelo-").unwrap();
    let table = format!("| `zermelo-{}", table.split_once("\n\n").unwrap().0);
    let listed: HashSet<String> = table.lines().map(str::to_owned).collect();
    assert_eq!(listed, rows.collect());
}
