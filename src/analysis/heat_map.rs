//! Colours the squares of a board by the values of the moves, with an arrow for the best one.

use std::fmt::Write;

use crate::language::Language;
use crate::rules::drawing::{BoardLayout, Spot};
use crate::rules::{ExactValue, Value};
use crate::search::Score;

/// The values of the moves on a board.
#[derive(Debug, Clone)]
pub struct HeatMap<'a> {
    /// The square that shows each move, and its rating.
    squares: Vec<(&'a Spot, &'a (String, Score))>,
    /// The best move: the square it starts from, if it moves a piece, and its target.
    best: Option<(Option<&'a Spot>, &'a Spot)>,
}

impl<'a> HeatMap<'a> {
    /// Places the moves, best first, on the board. A move is shown on its target, or on the square it
    /// starts from if all moves have the same target.
    pub fn new(layout: &'a BoardLayout, ratings: &'a [(String, Score)]) -> Self {
        let places = |(mv, _): &(String, Score)| {
            let (start, target) = mv.split_at(mv.len().saturating_sub(2));
            let spot = |name: &str| layout.spots.iter().find(|spot| spot.name == name);
            Some((spot(start), spot(target)?))
        };
        let placed: Vec<_> =
            ratings.iter().filter_map(|rating| Some((rating, places(rating)?))).collect();
        let best = placed.first().map(|(_, places)| *places);
        let is_shared = |target: &Spot| placed.iter().all(|(_, (_, own))| own.name == target.name);
        let squares = placed.iter().map(|(rating, (start, target))| {
            (start.filter(|_| is_shared(target)).unwrap_or(*target), *rating)
        });
        Self { squares: squares.collect(), best }
    }

    /// Leaves out the arrow of the best move.
    pub fn without_arrow(self) -> Self {
        Self { best: None, ..self }
    }

    /// The coloured squares, to be drawn below lines and pieces.
    pub(super) fn background(&self, corner: [f32; 2], unit: f32) -> String {
        let mut text = String::new();
        for (spot, (mv, score)) in &self.squares {
            let [x, y] = [corner[0] + spot.x * unit, corner[1] + spot.y * unit];
            let size = 0.9 * spot.size * unit;
            let (colour, opacity) = wash(score.expected());
            let _ = writeln!(
                text,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{size:.1}\" height=\"{size:.1}\" \
                 fill=\"var(--{colour})\" fill-opacity=\"{opacity:.2}\"><title>{}: {}</title></rect>",
                x - size / 2.0,
                y - size / 2.0,
                mv,
                label(*score)
            );
        }
        text
    }

    /// The labels of the squares without a piece, and the arrow of the best move.
    pub(super) fn foreground(
        &self,
        corner: [f32; 2],
        unit: f32,
        is_empty: impl Fn(&Spot) -> bool,
    ) -> String {
        let at = |spot: &Spot| [corner[0] + spot.x * unit, corner[1] + spot.y * unit];
        let mut text = String::new();
        for (spot, (_, score)) in self.squares.iter().filter(|(spot, _)| is_empty(spot)) {
            let [x, y] = at(spot);
            // The lower right corner, which no arrow crosses.
            let reach = 0.41 * spot.size * unit;
            let size = 0.3 * spot.size * unit;
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"end\" \
                 fill=\"var(--ink)\">{}</text>",
                x + reach,
                y + reach,
                label(*score)
            );
        }
        if let Some((start, target)) = self.best {
            let end = at(target);
            // A placed piece comes from nowhere: its arrow starts at a corner of the square.
            let reach = 0.45 * target.size * unit;
            let from = start.map_or([end[0] - reach, end[1] - reach], at);
            text += &arrow(from, end, 0.09 * target.size * unit);
        }
        text
    }

    /// The legend: what the labels on the squares mean.
    pub(super) fn legend(&self, language: Language) -> &'static str {
        let is_exact = self.squares.iter().all(|(_, (_, score))| score.proven().is_some());
        language.text(if is_exact { "heat.exact" } else { "heat.estimates" })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.squares.is_empty()
    }
}

/// The colour of an expected score, as on the board of the page, and its opacity: the clearer the better.
fn wash(expected: f64) -> (&'static str, f64) {
    const EVEN: f64 = 0.1;
    let lead = 2.0 * expected - 1.0;
    let colour = if lead > EVEN {
        "blue"
    } else if lead < -EVEN {
        "orange"
    } else {
        "soft"
    };
    (colour, 0.15 + 0.4 * lead.abs())
}

/// The proven value as a letter, or the estimate in percent.
fn label(score: Score) -> String {
    match score.proven().map(ExactValue::value) {
        Some(Value::Win) => "W".to_owned(),
        Some(Value::Draw) => "D".to_owned(),
        Some(Value::Loss) => "L".to_owned(),
        None => format!("{:.0}%", 100.0 * score.expected()),
    }
}

fn arrow([x1, y1]: [f32; 2], [x2, y2]: [f32; 2], width: f32) -> String {
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    let (head, half) = (3.0 * width, 1.5 * width);
    let [neck_x, neck_y] = [x2 - dx * head, y2 - dy * head];
    format!(
        "<g class=\"best\"><line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{neck_x:.1}\" y2=\"{neck_y:.1}\" \
         stroke=\"var(--best)\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>\
         <path d=\"M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"var(--best)\"/></g>\n",
        neck_x - dy * half,
        neck_y + dx * half,
        neck_x + dy * half,
        neck_y - dx * half
    )
}
