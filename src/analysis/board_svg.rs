//! Draws the board of any game as SVG, in the colours of [`browser::STYLE`](crate::browser::STYLE).

use std::fmt::Write;

use super::heat_map::HeatMap;
use crate::document::Figure;
use crate::language::Language;
use crate::rules::GameDrawing;
use crate::rules::drawing::{
    BoardLayout, Label, Piece, PieceColour, PieceShape, Spot, SpotContent,
};
use crate::search::Score;

#[derive(Debug, Clone, Copy)]
pub struct BoardSvg<'a> {
    pub layout: &'a BoardLayout,
    pub shown: &'a [SpotContent],
    /// Extra labels for this position.
    pub labels: &'a [Label],
    /// The values of the moves, if they are to be drawn.
    pub heat: Option<&'a HeatMap<'a>>,
}

/// Draws a position, with the values of its moves if there are any; `None` if the game has no board
/// to draw.
pub fn position_figure<G: GameDrawing>(
    name: &'static str,
    pos: &G,
    ratings: &[(String, Score)],
    language: Language,
) -> Option<Figure> {
    let layout = G::layout()?;
    let (shown, labels) = (pos.spot_contents(), pos.extra_labels());
    let heat = HeatMap::new(&layout, ratings);
    let board = BoardSvg { layout: &layout, shown: &shown, labels: &labels, heat: Some(&heat) };
    Some(Figure { name, svg: board.svg(language), diagram: Some(pos.diagram()) })
}

fn svg_colour(colour: PieceColour) -> &'static str {
    match colour {
        PieceColour::Blue => "var(--blue)",
        PieceColour::Orange => "var(--orange)",
        PieceColour::Black => "var(--black)",
        PieceColour::Red => "var(--red)",
    }
}

impl BoardSvg<'_> {
    /// The complete image, with labels and a margin.
    pub fn svg(&self, language: Language) -> String {
        const UNIT: f32 = 44.0;
        const MARGIN: f32 = 1.0;
        /// The height of the legend, in units.
        const LEGEND: f32 = 0.5;
        let heat = self.heat.filter(|heat| !heat.is_empty());
        let [width, mut height] =
            [self.layout.width, self.layout.height].map(|units| (units + 2.0 * MARGIN) * UNIT);
        if heat.is_some() {
            height += LEGEND * UNIT;
        }
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"var(--paper)\"/>\n"
        );
        text += &self.board([MARGIN * UNIT; 2], UNIT);
        for label in self.layout.labels.iter().chain(self.labels) {
            let [x, y] = [label.x, label.y].map(|place| (place + MARGIN) * UNIT);
            let (size, written) = (0.4 * UNIT, &label.text);
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\" \
                 fill=\"var(--soft)\">{written}</text>",
                y + 0.35 * size
            );
        }
        if let Some(heat) = heat {
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" text-anchor=\"middle\" \
                 fill=\"var(--soft)\">{}</text>",
                width / 2.0,
                height - 0.35 * UNIT,
                0.3 * UNIT,
                heat.legend(language)
            );
        }
        text + "</svg>\n"
    }

    /// The board alone, with its top left corner at this point and `unit` pixels per layout unit.
    pub(super) fn board(&self, corner: [f32; 2], unit: f32) -> String {
        let at = |point: [f32; 2]| [0, 1].map(|axis| corner[axis] + point[axis] * unit);
        let spots = || self.layout.spots.iter().zip(self.shown);
        let mut text = String::new();
        for (spot, shown) in spots() {
            text += &background(spot, *shown, at([spot.x, spot.y]), unit);
        }
        text += &self.heat.map(|heat| heat.background(corner, unit)).unwrap_or_default();
        for stroke in &self.layout.strokes {
            let ([x1, y1], [x2, y2]) = (at(stroke.from), at(stroke.to));
            let (colour, weight) = if stroke.heavy { ("ink", 0.07) } else { ("soft", 0.02) };
            let _ = writeln!(
                text,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                 stroke=\"var(--{colour})\" stroke-width=\"{:.1}\" stroke-linecap=\"square\"/>",
                (weight * unit).max(1.0)
            );
        }
        for (spot, shown) in spots() {
            let [x, y] = at([spot.x, spot.y]);
            let size = spot.size * unit;
            match self.layout.piece(shown.mark) {
                Some(piece) => {
                    if spot.is_area {
                        let half = 0.47 * size;
                        let _ = write!(
                            text,
                            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                             fill=\"var(--paper)\" fill-opacity=\"0.78\"/>",
                            x - half,
                            y - half,
                            2.0 * half,
                            2.0 * half
                        );
                    }
                    text += &draw_piece(piece, [x, y], size);
                }
                None if self.is_point(spot) => {
                    let _ = writeln!(
                        text,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"var(--paper)\" \
                         stroke=\"var(--soft)\"/>",
                        0.14 * size
                    );
                }
                None => {}
            }
        }
        if let Some(heat) = self.heat {
            let is_empty = |wanted: &Spot| {
                let mut shown = spots().filter(|(spot, _)| spot.name == wanted.name);
                shown.all(|(_, shown)| self.layout.piece(shown.mark).is_none())
            };
            text += &heat.foreground(corner, unit, is_empty);
        }
        text
    }

    /// Whether lines end at a spot, so that it is marked when empty.
    fn is_point(&self, spot: &Spot) -> bool {
        let centre = [spot.x, spot.y];
        self.layout.strokes.iter().any(|stroke| stroke.from == centre || stroke.to == centre)
    }
}

/// The background of a highlighted or closed spot.
fn background(spot: &Spot, shown: SpotContent, [x, y]: [f32; 2], unit: f32) -> String {
    let (colour, opacity) = match shown {
        SpotContent { highlighted: true, .. } => ("accent", 0.11),
        SpotContent { mark: SpotContent::CLOSED, .. } if spot.is_area => ("soft", 0.25),
        _ => return String::new(),
    };
    let (size, half) = (spot.size * unit, spot.size * unit / 2.0);
    let (left, top) = (x - half, y - half);
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size:.1}\" height=\"{size:.1}\" \
         fill=\"var(--{colour})\" fill-opacity=\"{opacity}\"/>\n"
    )
}

fn draw_piece(piece: &Piece, [x, y]: [f32; 2], size: f32) -> String {
    let (colour, weight) = (svg_colour(piece.colour), 0.1 * size);
    match piece.shape {
        PieceShape::Cross => {
            let reach = 0.26 * size;
            let [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach];
            format!(
                "<path d=\"M{left:.1} {top:.1}L{right:.1} {bottom:.1}M{left:.1} {bottom:.1}\
                 L{right:.1} {top:.1}\" stroke=\"{colour}\" stroke-width=\"{weight:.1}\" \
                 stroke-linecap=\"round\"/>\n"
            )
        }
        PieceShape::Ring => format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"{weight:.1}\"/>\n",
            0.27 * size
        ),
        PieceShape::Disc => format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{colour}\"/>\n",
            0.42 * size
        ),
    }
}
