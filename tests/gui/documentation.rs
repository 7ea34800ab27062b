//! docs/gui.md documents every field of every request and answer, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use zermelo::gui::requests::{ClientMessage, RequestContext, RequestHandler};
use zermelo::search::SearchControl;

const PAGE: &str = include_str!("../../docs/gui.md");

/// The documented fields by section: those of requests and, by their prefixes, of answers.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = "Options".to_owned();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("### `") {
            section = title.trim_end_matches('`').to_owned();
            sections.insert(section.clone(), BTreeSet::new());
        } else if line.starts_with("## ") {
            section = line.trim_start_matches("## ").to_owned();
        } else if let Some(row) = line.strip_prefix("| `") {
            let field = row.split('`').next().unwrap().to_owned();
            sections.entry(section.clone()).or_default().insert(field);
        }
    }
    sections
}

/// The names in backquotes of a message after "expected".
fn expected_names(message: &str) -> BTreeSet<String> {
    let Some((_, names)) = message.split_once("expected") else { return BTreeSet::new() };
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn refusal(request: &Json) -> String {
    ClientMessage::parse(&request.to_string()).unwrap_err().reason
}

/// The names of all requests.
fn requests() -> BTreeSet<String> {
    expected_names(&refusal(&json!({ "id": 1, "ask": "?" })))
}

#[test]
fn every_request_is_documented_with_its_fields() {
    let documented = documented();
    let requests = requests();
    assert!(requests.len() >= 17, "{requests:?}");
    for request in &requests {
        let section = documented.get(request).unwrap_or_else(|| panic!("no section {request}"));
        let is_of_request = |field: &&String| !field.contains('.');
        let written: BTreeSet<String> = section.iter().filter(is_of_request).cloned().collect();
        let message = refusal(&json!({ "id": 1, "ask": request, "?": 0 }));
        assert!(message.contains("unknown field"), "{request}: {message}");
        assert_eq!(expected_names(&message), written, "{request}");
    }
    let message = refusal(&json!({ "id": 1, "ask": "position", "setup": { "?": 0 } }));
    assert_eq!(expected_names(&message), documented["A setup"]);
    let is_request = |name: &&String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let sections: BTreeSet<&String> = documented.keys().filter(is_request).collect();
    assert_eq!(sections, requests.iter().collect(), "sections without a request");
}

/// Adds the paths of all values except null; a documented path covers what is below it.
fn collect(path: &str, value: &Json, documented: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    match value {
        Json::Null => {}
        _ if documented.contains(path) => {
            found.insert(path.to_owned());
        }
        Json::Object(fields) => {
            for (name, value) in fields {
                collect(&format!("{path}.{name}"), value, documented, found);
            }
        }
        Json::Array(items) => {
            for item in items {
                collect(&format!("{path}[]"), item, documented, found);
            }
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

const RECORD: &str = "[Game \"tictactoe\"]\n[White \"a\"]\n[Black \"b\"]\n[FEN \"3/3/3 x\"]\n\
    [Result \"1-0\"]\n[Termination \"normal\"]\n[Comment \"1 good\"]\n[Comment \"2/b2 why\"]\n[Variation \"2 b2 c3\"]\n\n\
    1. a3 {0.1s} b3 $4 {0.1s, worth loss 6, best draw, keep 1/8}\n(1... b2 c3) 1-0\n\n\
    [Game \"nim\"]\n[Result \"*\"]\n\n1. a1a9 {0.1s} *\n\n";

/// Requests whose answers together have all fields.
fn examples() -> Vec<Json> {
    let tictactoe = |moves: &[&str]| json!({ "game": "tictactoe", "moves": moves });
    let won = ["a1", "b1", "a2", "b2", "a3"];
    vec![
        json!({ "ask": "games" }),
        json!({ "ask": "position", "setup": tictactoe(&won) }),
        json!({ "ask": "position", "setup": { "game": "nim", "moves": ["c1c4"] } }),
        json!({ "ask": "why_illegal", "setup": tictactoe(&[]), "move": "b2" }),
        json!({ "ask": "why_illegal", "setup": tictactoe(&[]), "move": "z" }),
        json!({ "ask": "hint", "setup": tictactoe(&["b2"]) }),
        json!({ "ask": "explain", "setup": tictactoe(&["b2"]), "move": "b3" }),
        json!({ "ask": "start", "game": "nim", "kind": "random" }),
        json!({ "ask": "ratings", "setup": tictactoe(&["b2", "b3"]) }),
        json!({ "ask": "ratings", "setup": { "game": "tixtax" }, "nodes": 4000 }),
        json!({ "ask": "review", "setup": tictactoe(&["b2", "b3", "a1", "c3"]) }),
        json!({ "ask": "puzzle", "game": "tixtax", "difficulty": 5, "number": 2 }),
        json!({ "ask": "graph", "setup": { "game": "ponghauki" } }),
        json!({ "ask": "analysis", "game": "ponghauki" }),
        json!({ "ask": "analysis", "game": "tixtax", "ms": 10 }),
        json!({ "ask": "analysis", "setup": { "game": "nim" } }),
        json!({ "ask": "read_record", "text": RECORD }),
        json!({ "ask": "write_record", "setup": tictactoe(&won) }),
        json!({ "ask": "picture", "setup": tictactoe(&won) }),
        json!({ "ask": "prove", "setup": tictactoe(&["b2", "b3"]) }),
        json!({ "ask": "prove", "setup": { "game": "tixtax" }, "ms": 2500 }),
    ]
}

/// Fields that the examples show only by accident.
const OPTIONAL: [&str; 3] = ["answer.diagram", "answer.blocks[].notes", "answer.blocks[].text"];

#[test]
fn every_field_of_every_answer_is_documented() {
    let documented = documented();
    let handler = RequestHandler {
        engines: vec!["other".to_owned()],
        language: Some(Default::default()),
        ..RequestHandler::default()
    };
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for mut example in examples() {
        example["id"] = json!(1);
        let Ok(ClientMessage::Request(request)) = ClientMessage::parse(&example.to_string()) else {
            panic!("{example}")
        };
        let name = example["ask"].as_str().unwrap();
        let (section, found) = (&documented[name], found.entry(name.to_owned()).or_default());
        let mut progress = Vec::new();
        let mut report = |part: Json| progress.push(part);
        let control = SearchControl::default();
        let mut context = RequestContext { control: &control, progress: &mut report };
        let answer = handler.answer(&request, &mut context).unwrap();
        collect("answer", &answer, section, found);
        progress.iter().for_each(|part| collect("progress", part, section, found));
    }
    for (name, found) in &mut found {
        let is_of_answer = |field: &&String| field.contains('.');
        let mut written: BTreeSet<String> =
            documented[name].iter().filter(is_of_answer).cloned().collect();
        for field in OPTIONAL {
            written.remove(field);
            found.remove(field);
        }
        assert_eq!(*found, written, "{name}");
    }
}
