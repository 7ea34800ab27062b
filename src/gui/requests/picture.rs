//! `picture`: the board as an SVG image.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestError;
use super::setup::GameSetup;
use crate::analysis::{BoardSvg, HeatMap};
use crate::browser::without_variables;
use crate::language::Language;
use crate::rules::Value;
use crate::search::Score;

/// Asks for a picture of the board.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureRequest {
    setup: GameSetup,
    /// The values of the moves to draw, best first.
    #[serde(default)]
    ratings: Vec<DrawnRating>,
}

/// The value of a move, as in the answer to `ratings`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawnRating {
    r#move: String,
    expected: f64,
    is_proven: bool,
}

impl DrawnRating {
    fn score(&self) -> Score {
        let estimate = Score::from_expected(self.expected);
        let value = match self.expected {
            expected if expected > 0.5 => Value::Win,
            expected if expected < 0.5 => Value::Loss,
            _ => Value::Draw,
        };
        if self.is_proven { Score::Exact(value.in_plies(0)) } else { estimate }
    }
}

impl PictureRequest {
    pub(super) fn answer(&self, language: Language) -> Result<Json, RequestError> {
        let game = self.setup.open()?;
        let position = game.position.as_ref();
        let Some(layout) = position.layout() else {
            return Err(RequestError::new("this game has no board that can be drawn"));
        };
        let legal = if game.is_over() { Vec::new() } else { game.legal_moves() };
        // Only legal moves are drawn, so nothing from outside gets into the image.
        let ratings = self.ratings.iter().filter(|rating| legal.contains(&rating.r#move));
        let ratings: Vec<_> =
            ratings.map(|rating| (rating.r#move.clone(), rating.score())).collect();
        let heat = HeatMap::new(&layout, &ratings);
        let (shown, labels) = (position.spot_contents(), position.extra_labels());
        let image = BoardSvg { layout: &layout, shown: &shown, labels: &labels, heat: Some(&heat) };
        Ok(json!({ "svg": without_variables(&image.svg(language)) }))
    }
}
