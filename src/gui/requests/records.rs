//! `read_record` and `write_record`: games as text.

use serde::{Deserialize, Serialize};

use super::RequestError;
use super::setup::GameSetup;
use crate::interact::PlayGame;
use crate::protocol::PositionSetup;
use crate::records::{
    GameRecord, Glyph, ReadGame, Termination, number_games, parse_result, read_damaged, result_text,
};
use crate::rules::Outcome;
use crate::thinking::registry;

/// The tags of a record that hold what the page adds to the moves: `PLY TEXT`, `PLY/MOVE/MOVE TEXT`
/// for a comment in a variation, and `PLY MOVE MOVE`.
const COMMENT_TAG: &str = "Comment";
const VARIATION_TAG: &str = "Variation";

/// The maximum number of comments and of variations of a game.
const MAX_NOTES: usize = 1000;

/// Asks for the games of a record.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRecordRequest {
    /// The content of the file.
    text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ReadRecordAnswer {
    games: Vec<RecordedGame>,
}

#[derive(Debug, Serialize)]
struct RecordedGame {
    number: u32,
    /// The game up to its first illegal move; null if it cannot be set up.
    setup: Option<RecordedSetup>,
    players: [String; 2],
    result: &'static str,
    /// The marks and better lines of moves that have some.
    annotations: Vec<Annotation>,
    comments: Vec<Comment>,
    variations: Vec<Variation>,
    /// What is wrong with the game.
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct RecordedSetup {
    game: &'static str,
    start: String,
    moves: Vec<String>,
    resigned: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Annotation {
    ply: usize,
    mark: Option<Glyph>,
    /// The best line, if it starts with another move.
    line: Vec<String>,
}

/// A comment on a move.
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
    pub(super) fn answer(&self) -> Result<ReadRecordAnswer, RequestError> {
        let failed = |error: std::io::Error| RequestError::new(error.to_string());
        let (_, games) = read_damaged(self.text.as_bytes()).map_err(failed)?;
        if games.is_empty() {
            return Err(RequestError::new("this file contains no games"));
        }
        if let [ReadGame { game: None, error: Some(error), .. }] = &games[..] {
            return Err(RequestError::new(error.clone()));
        }
        let numbers = number_games(&games);
        let games = games.into_iter().zip(numbers.as_slice());
        let games = games.map(|(read, number)| to_game(*number, read)).collect();
        Ok(ReadRecordAnswer { games })
    }
}

fn to_game(number: u32, read: ReadGame) -> RecordedGame {
    let Some(record) = read.game else {
        return RecordedGame {
            number,
            setup: None,
            players: <[String; 2]>::default(),
            result: result_text(None),
            annotations: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
            error: read.error,
        };
    };
    let (setup, illegal) = match to_setup(&record) {
        Ok((setup, illegal)) => (Some(setup), illegal),
        Err(error) => (None, Some(error.message)),
    };
    RecordedGame {
        number,
        setup,
        result: result_text(record.result),
        annotations: annotations(&record),
        comments: notes(&record, COMMENT_TAG)
            .filter_map(|(place, text)| {
                let (ply, moves) = place.split_once('/').unwrap_or((place, ""));
                let moves = moves.split('/').filter(|mv| !mv.is_empty()).map(str::to_owned);
                Some(Comment {
                    ply: ply.parse().ok()?,
                    text: text.to_owned(),
                    moves: moves.collect(),
                })
            })
            .collect(),
        variations: notes(&record, VARIATION_TAG)
            .filter_map(|(ply, moves)| {
                Some(Variation {
                    ply: ply.parse().ok()?,
                    moves: moves.split_whitespace().map(str::to_owned).collect(),
                })
            })
            .collect(),
        players: record.players,
        error: read.error.or(illegal),
    }
}

/// Converts a record to a setup, up to the first illegal move, which is described.
fn to_setup(record: &GameRecord) -> Result<(RecordedSetup, Option<String>), RequestError> {
    let entry = registry::find(&record.game)?;
    let mut game = entry.open();
    game.set_position(&PositionSetup::from_text(&record.fen), &[])?;
    let start = game.fen();
    let (mut moves, mut illegal) = (Vec::new(), None);
    for (index, mv) in record.moves.iter().enumerate() {
        let name = game.normalize_move(&mv.mv);
        match name.and_then(|name| game.play_moves(&[&name]).map(|()| name)) {
            Ok(name) => moves.push(name),
            Err(error) => {
                illegal = Some(format!("move {}: {error}", index + 1));
                break;
            }
        }
    }
    // A game with a winner that is not over by the rules was resigned.
    let resigned = match (record.result, game.outcome(), record.termination) {
        (Some(Outcome::Win(winner)), None, Termination::Normal) if illegal.is_none() => {
            Some(winner.other().index())
        }
        _ => None,
    };
    Ok((RecordedSetup { game: entry.id, start, moves, resigned }, illegal))
}

fn annotations(record: &GameRecord) -> Vec<Annotation> {
    let moves = (1..).zip(&record.moves);
    let annotation = |(ply, mv): (usize, &crate::records::MoveRecord)| {
        let is_better = mv.best_line.first().is_some_and(|best| *best != mv.mv);
        let line = if is_better { mv.best_line.clone() } else { Vec::new() };
        (mv.mark.is_some() || is_better).then_some(Annotation { ply, mark: mv.mark, line })
    };
    moves.filter_map(annotation).collect()
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
    #[serde(default)]
    comments: Vec<Comment>,
    #[serde(default)]
    variations: Vec<Variation>,
}

#[derive(Debug, Serialize)]
pub(super) struct WriteRecordAnswer {
    text: String,
}

impl WriteRecordRequest {
    pub(super) fn answer(&self) -> Result<WriteRecordAnswer, RequestError> {
        if self.comments.len().max(self.variations.len()) > MAX_NOTES {
            let reason = format!("too many comments, expected at most {MAX_NOTES}");
            return Err(RequestError::new(reason));
        }
        let game = self.setup.open()?;
        let mut record = game.to_record(0);
        record.players.clone_from(&self.players);
        record.tags = self.tags(&game);
        if let Some(text) = &self.result {
            let invalid = || {
                RequestError::new(format!(
                    "invalid result {text:?}, expected 1-0, 0-1, 1/2-1/2 or *"
                ))
            };
            record.result = parse_result(text).ok_or_else(invalid)?;
        }
        Ok(WriteRecordAnswer { text: record.to_pgn() })
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
