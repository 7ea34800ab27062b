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
            "games": games().iter().map(|spec| describe_game(spec, language)).collect::<Vec<_>>(),
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
fn level_elos(spec: &GameSpec) -> Option<[u32; NAMED_LEVELS.len()]> {
    spec.level_scale().map(|scale| NAMED_LEVELS.map(|level| scale.elo(level)))
}

fn describe_game(spec: &'static GameSpec, language: Language) -> Json {
    let game = spec.open();
    let layout = game.layout();
    let pieces = || layout.iter().flat_map(|layout| &layout.pieces);
    let name = |piece: &Piece| language.player(PlayerLabel::Piece(*piece));
    json!({
        "id": spec.id,
        "name": language.game_title(spec.id),
        "summary": language.game_text(spec.id, "rules"),
        "rules": language.rules(spec.id),
        "labels_text": language.game_text(spec.id, "extraLabels"),
        "sides": pieces().map(|piece| piece.letter).collect::<Vec<_>>(),
        "side_names": pieces().map(name).collect::<Vec<_>>(),
        "level_elos": level_elos(spec),
        "has_random_start": game.has_random_start(),
        "is_solved": spec.is_solved,
        "has_graph": spec.graph().is_some(),
        "has_atlas": spec.has_atlas(),
        "has_lessons": !spec.lessons.is_empty(),
        "layout": layout,
    })
}
