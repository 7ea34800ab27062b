//! docs/gui-protocol.md documents each request with its fields, and no other, and the fields of answers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use zermelo::gui::requests::{Ask, ClientMessage, RequestContext, RequestHandler};
use zermelo::interact::KeptSearcher;
use zermelo::search::SearchControl;

const PAGE: &str = include_str!("../../docs/gui-protocol.md");

/// The fields that the first columns of the tables name, by section; those of answers and of progress
/// have a prefix.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("## ").or(line.strip_prefix("### ")) {
            section = title.trim_matches('`').to_owned();
            sections.insert(section.clone(), BTreeSet::new());
        } else if let Some(row) = line.strip_prefix("| `") {
            let field = row.split('`').next().unwrap();
            sections.get_mut(&section).unwrap().insert(field.to_owned());
        }
    }
    sections
}

#[test]
fn every_request_is_documented() {
    let documented = documented();
    let is_request = |name: &&String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let sections: BTreeSet<&str> =
        documented.keys().filter(is_request).map(String::as_str).collect();
    assert_eq!(sections, Ask::NAMES.iter().copied().collect());
}

/// The names of the fields of a message, with `[]` for the elements of a list.
fn fields(name: &str, message: &Json) -> BTreeSet<String> {
    let nested = match message {
        Json::Object(entries) => {
            entries.iter().flat_map(|(key, own)| fields(&format!("{name}.{key}"), own)).collect()
        }
        Json::Array(items) => {
            items.iter().flat_map(|own| fields(&format!("{name}[]"), own)).collect()
        }
        _ => BTreeSet::new(),
    };
    if nested.is_empty() { BTreeSet::from([name.to_owned()]) } else { nested }
}

/// A field is documented by its own name, or by one that it is part of and that is described as a whole.
#[test]
fn every_field_of_every_answer_is_documented() {
    let opened = json!({ "game": "tictactoe", "moves": ["b2", "b3"] });
    let record = "[Game \"tictactoe\"]\n[Comment \"1 centre\"]\n[Variation \"1 a1 b1\"]\n\
        [Result \"*\"]\n\n1. b2 {draw?? best a1 a2 0.1s} *\n\n";
    let reviewed = "[Game \"tictactoe\"]\n[Result \"*\"]\n\n1. b2 {0.1s, worth draw, best draw, keep 9/9} \
        b3 {0.1s, worth loss 6, best draw, keep 4/8} *\n\n";
    let rating = json!({ "rating": 1500.0, "deviation": 200.0, "volatility": 0.06 });
    let requests = [
        json!({ "ask": "games", "lang": "zh" }),
        json!({ "ask": "position", "setup": opened, "replies": true }),
        json!({ "ask": "position", "setup": { "game": "nim" } }),
        json!({ "ask": "position", "setup": { "game": "tictactoe", "resigned": 0 } }),
        json!({ "ask": "why_illegal", "setup": opened, "move": "b2" }),
        json!({ "ask": "hint", "setup": opened }),
        json!({ "ask": "explain", "setup": opened, "move": "a1" }),
        json!({ "ask": "start", "game": "nim", "kind": "random" }),
        json!({ "ask": "ratings", "setup": { "game": "tixtax" }, "ms": 50 }),
        json!({ "ask": "review", "setup": opened }),
        json!({ "ask": "lessons", "game": "tictactoe" }),
        json!({ "ask": "puzzle", "game": "tictactoe" }),
        json!({ "ask": "rate_puzzle", "solver": rating, "puzzle": rating, "solved": true }),
        json!({ "ask": "graph", "setup": { "game": "ponghauki" } }),
        json!({ "ask": "analysis", "game": "ponghauki" }),
        json!({ "ask": "analysis", "setup": opened }),
        json!({ "ask": "read_record", "text": record }),
        json!({ "ask": "write_record", "setup": opened }),
        json!({ "ask": "report", "game": { "setup": opened }, "review": reviewed }),
        json!({ "ask": "prove", "setup": opened }),
        json!({ "ask": "prove", "setup": { "game": "tixtax" }, "ms": 1500 }),
    ];
    let documented = documented();
    for mut request in requests {
        let ask = request["ask"].as_str().unwrap().to_owned();
        for field in request
            .as_object()
            .unwrap()
            .keys()
            .filter(|field| !["ask", "lang"].contains(&field.as_str()))
        {
            assert!(documented[&ask].contains(field), "{ask}: {field}");
        }
        request["id"] = json!(1);
        let Ok(ClientMessage::Request(parsed)) = ClientMessage::parse(&request.to_string()) else {
            panic!("{request}");
        };
        let mut found = BTreeSet::new();
        let mut context = RequestContext {
            control: &SearchControl::default(),
            progress: &mut |progress| found.extend(fields("progress", &progress)),
            searcher: &mut KeptSearcher::default(),
        };
        let answer = RequestHandler::default().answer(&parsed, &mut context).unwrap();
        found.extend(fields("answer", &answer));
        let is_documented = |field: &String| {
            documented[&ask].iter().any(|own| {
                field
                    .strip_prefix(own.trim_end_matches("[]"))
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                    || own.strip_prefix(field).is_some_and(|rest| rest.starts_with(['.', '[']))
            })
        };
        found.retain(|field| !is_documented(field));
        assert!(found.is_empty(), "{ask}: {found:?}");
    }
}
