//! `report`: the review of a game as a page of its own.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestError;
use super::records::WriteRecordRequest;
use crate::interact::review_page::{ReviewedGame, review_page};
use crate::language::Language;
use crate::records::GameReader;
use crate::teaching::annotate::stored_review;
use crate::teaching::review::ReviewOptions;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportRequest {
    game: WriteRecordRequest,
    /// The record in the answer to `review`.
    review: String,
    /// The nodes per move in that answer.
    #[serde(default)]
    nodes: Option<u64>,
    /// Whether boards are seen from the second player's side.
    #[serde(default)]
    flipped: bool,
}

impl ReportRequest {
    pub(super) fn answer(&self, language: Language) -> Result<Json, RequestError> {
        let mut record = self.game.to_record()?;
        let reviewed = GameReader::new(self.review.as_bytes()).next_game().ok().flatten();
        let reviewed = reviewed.filter(|reviewed| {
            let moves = reviewed.moves.iter().zip(&record.moves);
            reviewed.moves.len() == record.moves.len() && moves.clone().all(|(a, b)| a.mv == b.mv)
        });
        record.moves = reviewed.map(|reviewed| reviewed.moves).unwrap_or_default();
        let review = stored_review(&record)
            .map_err(|error| RequestError::new(error.to_string()))?
            .filter(|review| !review.moves.is_empty())
            .ok_or_else(|| RequestError::new("the review belongs to another game"))?;
        let effort = self
            .nodes
            .map(|nodes| ReviewOptions { nodes: Some(nodes), ..ReviewOptions::default() });
        let number = record.number;
        let game = ReviewedGame { number, record, review, effort, error: None };
        Ok(json!({ "html": review_page("", &[game], language, self.flipped) }))
    }
}
