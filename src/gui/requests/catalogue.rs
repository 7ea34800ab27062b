//! `games`: the games, the levels of the engine and the settings of the program.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RequestHandler;
use crate::interact::levels::{NAMED_LEVELS, NamedLevel};
use crate::interact::messages::{Language, Message};
use crate::rules::drawing::BoardLayout;
use crate::teaching::analyzing;
use crate::thinking::registry::{GAMES, GameEntry};

/// The level that the page starts with: strong enough to be interesting, weak enough to be beaten.
const DEFAULT_LEVEL: u32 = 8;

/// Asks for the games.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesRequest {}

/// What the page has to know at its start.
#[derive(Debug, Serialize)]
pub(super) struct Catalogue {
    version: &'static str,
    games: Vec<GameDescription>,
    levels: Vec<LevelDescription>,
    default_game: &'static str,
    default_level: u32,
    default_lang: Option<&'static str>,
    engines: Vec<String>,
    watch: bool,
    /// The texts of the tournament report by the English ones.
    texts: BTreeMap<&'static str, &'static str>,
}

/// A game.
#[derive(Debug, Serialize)]
struct GameDescription {
    id: &'static str,
    name: String,
    /// How the game is won, in a few sentences.
    summary: String,
    /// The rules with examples, a paragraph per line.
    rules: String,
    /// What the labels beside the board mean; empty if there are none.
    labels_text: String,
    /// The letters of the pieces.
    sides: Vec<char>,
    has_random_start: bool,
    is_solved: bool,
    has_graph: bool,
    layout: Option<BoardLayout>,
}

#[derive(Debug, Serialize)]
struct LevelDescription {
    level: u32,
    name: &'static str,
    elo: u32,
}

impl RequestHandler {
    pub(super) fn catalogue(&self, language: Language) -> Catalogue {
        Catalogue {
            version: env!("CARGO_PKG_VERSION"),
            games: GAMES.iter().map(|entry| describe_game(entry, language)).collect(),
            levels: levels(language),
            default_game: self.game.id,
            default_level: DEFAULT_LEVEL,
            default_lang: self.language.map(Language::code),
            engines: self.engines.clone(),
            watch: self.is_watching,
            texts: language.report_texts().iter().copied().collect(),
        }
    }
}

fn describe_game(entry: &'static GameEntry, language: Language) -> GameDescription {
    let game = entry.open();
    let layout = game.layout();
    let pieces = layout.iter().flat_map(|layout| &layout.pieces);
    GameDescription {
        id: entry.id,
        name: language.render(&Message::Title(entry.id)),
        summary: language.render(&Message::Objective(entry.id)),
        rules: language.render(&Message::Rules(entry.id)),
        labels_text: language.render(&Message::ExtraLabels(entry.id)),
        sides: pieces.map(|piece| piece.letter).collect(),
        has_random_start: game.has_random_start(),
        is_solved: entry.is_solved,
        has_graph: analyzing::graph(entry).is_some(),
        layout,
    }
}

fn levels(language: Language) -> Vec<LevelDescription> {
    let describe = |level: &NamedLevel| LevelDescription {
        level: level.level,
        name: level.name(language),
        elo: level.elo(),
    };
    NAMED_LEVELS.iter().map(describe).collect()
}
