//! `read_record` and `write_record`: games as text.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::RequestError;
use super::setup::GameSetup;
use crate::interact::game::EarlyLoss;
use crate::interact::{PlayGame, PlayerKind};
use crate::records::{
    GameRecord, MoveRecord, ReadGame, number_games, parse_result, read_damaged, result_text,
};

/// The tags of a record that hold what the page adds to the moves: `PLY TEXT`, `PLY/MOVE/MOVE TEXT`
/// for a comment in a variation, and `PLY MOVE MOVE`.
const COMMENT_TAG: &str = "Comment";
const VARIATION_TAG: &str = "Variation";
/// The tag of a record that holds what the page keeps beside the game, in a form of its own.
const DATA_TAG: &str = "Page";

/// The latest time of a game, the end of the year 9999 in seconds since 1970.
const MAX_STARTED: u64 = 253_402_300_799;

/// The maximum number of comments and of variations of a game.
const MAX_NOTES: usize = 1000;

/// The maximum number of lines of a record, which bounds the memory of its games. A longer one is read in
/// parts.
const MAX_RECORD_LINES: usize = 20_000;

/// Asks for the games of a record.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRecordRequest {
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comment {
    /// The ply of the move, 0 for the start position.
    ply: usize,
    text: String,
    /// If the move is in a variation: the moves that lead to it and replace those from `ply` on.
    #[serde(default)]
    moves: Vec<String>,
}

/// Moves that replace those of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    /// The ply of the first move that is replaced, from 1.
    ply: usize,
    moves: Vec<String>,
}

impl ReadRecordRequest {
    pub(super) fn answer(&self) -> Result<Json, RequestError> {
        if self.text.lines().filter(|line| !line.is_empty()).nth(MAX_RECORD_LINES).is_some() {
            let limit = format!("expected at most {MAX_RECORD_LINES} lines");
            return Err(RequestError::new(format!("the record is too long: {limit}")));
        }
        let failed = |error: std::io::Error| RequestError::new(error.to_string());
        let (_, games) = read_damaged(self.text.as_bytes()).map_err(failed)?;
        let numbers = number_games(&games);
        let games = games.into_iter().zip(numbers.as_slice());
        let games: Vec<Json> = games.map(|(read, number)| to_game(*number, read)).collect();
        Ok(json!({ "games": games }))
    }
}

/// A game with its setup up to the first illegal move; the setup is null if the start is invalid.
fn to_game(number: u32, read: ReadGame) -> Json {
    let Some(record) = read.game else {
        return json!({
            "number": number,
            "setup": null,
            "players": ["", ""],
            "result": result_text(None),
            "started": null,
            "data": null,
            "annotations": [],
            "comments": [],
            "variations": [],
            "error": read.error,
        });
    };
    let (setup, illegal) = match PlayGame::from_record(&record, [PlayerKind::Human; 2]) {
        Err(error) => (Json::Null, Some(error.to_string())),
        Ok((game, illegal)) => {
            let loser =
                |loss| game.early_loss().filter(|own| own.1 == loss).map(|own| own.0.index());
            let setup = json!({
                "game": game.spec.id,
                "start": Some(game.start_fen()).filter(|fen| *fen != game.spec.open().fen()),
                "moves": game.moves().collect::<Vec<_>>(),
                "resigned": loser(EarlyLoss::Resigned),
                "out_of_time": loser(EarlyLoss::OutOfTime),
            });
            (setup, illegal.map(|(ply, error)| format!("move {ply}: {error}")))
        }
    };
    json!({
        "number": number,
        "setup": setup,
        "players": record.players,
        "result": result_text(record.result),
        "started": Some(record.started).filter(|seconds| *seconds > 0),
        "data": record.tags.iter().find(|(name, _)| name == DATA_TAG).map(|(_, text)| text),
        "annotations": annotations(&record),
        "comments": comments(&record),
        "variations": variations(&record),
        "error": read.error.or(illegal),
    })
}

fn comments(record: &GameRecord) -> Vec<Comment> {
    let comment = |(place, text): (&str, &str)| {
        let (ply, moves) = place.split_once('/').unwrap_or((place, ""));
        let moves = moves.split('/').filter(|mv| !mv.is_empty()).map(str::to_owned).collect();
        Some(Comment { ply: ply.parse().ok()?, text: text.to_owned(), moves })
    };
    notes(record, COMMENT_TAG).filter_map(comment).collect()
}

fn variations(record: &GameRecord) -> Vec<Variation> {
    let variation = |(ply, moves): (&str, &str)| {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Some(Variation { ply: ply.parse().ok()?, moves })
    };
    notes(record, VARIATION_TAG).filter_map(variation).collect()
}

/// The moves that have a mark or a better line, with these.
fn annotations(record: &GameRecord) -> Vec<Json> {
    let annotation = |(ply, mv): (usize, &MoveRecord)| {
        let is_better = mv.best_line.first().is_some_and(|best| *best != mv.mv);
        let line = if is_better { &mv.best_line[..] } else { &[] };
        (mv.mark.is_some() || is_better)
            .then(|| json!({ "ply": ply, "mark": mv.mark, "line": line }))
    };
    (1..).zip(&record.moves).filter_map(annotation).collect()
}

/// The tags of a name: the place in the game, and what follows it.
fn notes<'a>(record: &'a GameRecord, name: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let tags = record.tags.iter().filter(move |(own, _)| own == name);
    tags.filter_map(|(_, content)| content.split_once(' '))
}

/// Asks for the record of a game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteRecordRequest {
    setup: GameSetup,
    /// The names of the first and the second player.
    #[serde(default)]
    players: [String; 2],
    /// The result, if it is not that of the rules: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(default)]
    result: Option<String>,
    /// When it started, in seconds since 1970.
    #[serde(default)]
    started: Option<u64>,
    /// Its number in a file of several games.
    #[serde(default)]
    number: Option<NonZeroU32>,
    /// What the page keeps beside the game.
    #[serde(default)]
    data: Option<String>,
    #[serde(default)]
    comments: Vec<Comment>,
    #[serde(default)]
    variations: Vec<Variation>,
}

impl WriteRecordRequest {
    pub(super) fn answer(&self) -> Result<Json, RequestError> {
        Ok(json!({ "text": self.to_record()?.to_pgn() }))
    }

    pub(super) fn to_record(&self) -> Result<GameRecord, RequestError> {
        if self.comments.len().max(self.variations.len()) > MAX_NOTES {
            let reason = format!("too many comments, expected at most {MAX_NOTES}");
            return Err(RequestError::new(reason));
        }
        let game = self.setup.open()?;
        let mut record = game.to_record(0);
        record.players.clone_from(&self.players);
        record.number = self.number.map_or(record.number, NonZeroU32::get);
        record.tags = self.tags(&game);
        record.tags.extend(self.data.clone().map(|data| (DATA_TAG.to_owned(), data)));
        if let Some(seconds) = self.started {
            if !(1..=MAX_STARTED).contains(&seconds) {
                let reason = format!("invalid started {seconds}, expected 1 to {MAX_STARTED}");
                return Err(RequestError::new(reason));
            }
            record.started = seconds;
        }
        if let Some(text) = &self.result {
            let invalid = || {
                RequestError::new(format!(
                    "invalid result {text:?}, expected 1-0, 0-1, 1/2-1/2 or *"
                ))
            };
            record.result = parse_result(text).ok_or_else(invalid)?;
        }
        Ok(record)
    }

    /// What the page added, as tags. Only plies of the game are kept.
    fn tags(&self, game: &PlayGame) -> Vec<(String, String)> {
        let is_move =
            |mv: &String| !mv.is_empty() && !mv.contains(|c: char| c.is_whitespace() || c == '/');
        let is_line = |ply: usize, moves: &[String]| {
            (1..=game.plies() + 1).contains(&ply) && moves.iter().all(is_move)
        };
        let comments = self.comments.iter().filter(|Comment { ply, moves, .. }| {
            if moves.is_empty() { *ply <= game.plies() } else { is_line(*ply, moves) }
        });
        let comments = comments.map(|Comment { ply, text, moves }| {
            let place: String = moves.iter().map(|mv| format!("/{mv}")).collect();
            (COMMENT_TAG.to_owned(), format!("{ply}{place} {text}"))
        });
        let variations =
            self.variations.iter().filter(|variation| is_line(variation.ply, &variation.moves));
        let variations = variations.map(|variation| {
            (VARIATION_TAG.to_owned(), format!("{} {}", variation.ply, variation.moves.join(" ")))
        });
        comments.chain(variations).collect()
    }
}
