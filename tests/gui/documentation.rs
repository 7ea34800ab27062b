//! docs/gui-protocol.md documents each request with its fields, and no other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use zermelo::gui::requests::ClientMessage;

const PAGE: &str = include_str!("../../docs/gui-protocol.md");

/// The fields that the first columns of the tables name, by section; those of answers have a prefix and
/// are left out.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("## ").or(line.strip_prefix("### ")) {
            section = title.trim_matches('`').to_owned();
            sections.insert(section.clone(), BTreeSet::new());
        } else if let Some(row) = line.strip_prefix("| `") {
            let field = row.split('`').next().unwrap();
            if !field.contains('.') {
                sections.get_mut(&section).unwrap().insert(field.to_owned());
            }
        }
    }
    sections
}

/// The names that the refusal of a request expects.
fn expected_names(request: &Json) -> BTreeSet<String> {
    let message = ClientMessage::parse(&request.to_string()).unwrap_err().reason;
    let names = message.split_once("expected").map_or("", |(_, names)| names);
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_request_is_documented_with_its_fields() {
    let documented = documented();
    let requests = expected_names(&json!({ "id": 1, "ask": "?" }));
    assert!(requests.len() >= 17, "{requests:?}");
    for request in &requests {
        let fields = expected_names(&json!({ "id": 1, "ask": request, "?": 0 }));
        assert_eq!(documented.get(request), Some(&fields), "{request}");
    }
    let setup = json!({ "id": 1, "ask": "position", "setup": { "?": 0 } });
    assert_eq!(documented["A setup"], expected_names(&setup));
    let is_request = |name: &&String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let sections: BTreeSet<&String> = documented.keys().filter(is_request).collect();
    assert_eq!(sections, requests.iter().collect(), "sections without a request");
}
