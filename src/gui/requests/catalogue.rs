//! `games`: the games, the levels of the engine and the settings of the program.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestHandler;
use crate::interact::PlayerLabel;
use crate::interact::levels::{DEFAULT_LEVEL, NAMED_LEVELS, level_name};
use crate::language::Language;
use crate::rules::drawing::Piece;
use crate::thinking::GameSpec;
use crate::thinking::registry::games;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesRequest {}

impl RequestHandler {
    /// What the page has to know at its start.
    pub(super) fn catalogue(&self, language: Language) -> Json {
        let texts: BTreeMap<&str, &str> = language.report_texts().into_iter().collect();
        let levels = NAMED_LEVELS
            .map(|level| json!({ "level": level, "name": level_name(level, language) }));
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "games": games().iter().map(|entry| describe_game(entry, language)).collect::<Vec<_>>(),
            "levels": levels,
            "default_game": self.game.id,
            "default_level": DEFAULT_LEVEL,
            "default_lang": self.language.map(Language::code),
            "engines": self.engines,
            "watch": self.is_watching,
            "texts": texts,
        })
    }
}

/// The Elo of the named levels; `None` in a game without a scale.
fn level_elos(entry: &GameSpec) -> Option<[u32; NAMED_LEVELS.len()]> {
    entry.level_scale().map(|scale| NAMED_LEVELS.map(|level| scale.elo(level)))
}

fn describe_game(entry: &'static GameSpec, language: Language) -> Json {
    let game = entry.open();
    let layout = game.layout();
    let pieces = || layout.iter().flat_map(|layout| &layout.pieces);
    let name = |piece: &Piece| language.player(PlayerLabel::Piece(*piece));
    json!({
        "id": entry.id,
        "name": language.game_title(entry.id),
        "summary": language.game_text(entry.id, "rules"),
        "rules": language.rules(entry.id),
        "labels_text": language.game_text(entry.id, "extraLabels"),
        "sides": pieces().map(|piece| piece.letter).collect::<Vec<_>>(),
        "side_names": pieces().map(name).collect::<Vec<_>>(),
        "level_elos": level_elos(entry),
        "has_random_start": game.has_random_start(),
        "is_solved": entry.is_solved,
        "has_graph": entry.graph().is_some(),
        "has_atlas": entry.has_atlas(),
        "has_lessons": !entry.lessons.is_empty(),
        "layout": layout,
    })
}
