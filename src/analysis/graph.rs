//! Draws a graph of positions. Each node shows the board, coloured by its value.

use std::fmt::Write;

use super::board_svg::BoardSvg;
use crate::language::{Language, Localized};
use crate::rules::Value;
use crate::rules::drawing::{BoardLayout, SpotContent};

/// Positions and the moves between them.
#[derive(Debug, Clone)]
pub struct PositionGraph {
    pub title: Localized<String>,
    pub layout: BoardLayout,
    pub nodes: Vec<GraphNode>,
    /// The moves, as pairs of node indices.
    pub arrows: Vec<(usize, usize)>,
}

#[derive(Debug, Clone)]
pub struct GraphNode {
    pub name: String,
    pub shown: Vec<SpotContent>,
    /// The value for the side to move.
    pub value: Value,
    /// Whether a game can reach the position.
    pub reached: bool,
    /// Its column and row.
    pub place: [i8; 2],
}

/// The distance between columns and between rows.
const SPACING: [f32; 2] = [126.0, 132.0];
/// The width and height of a node.
const NODE_SIZE: [f32; 2] = [84.0, 96.0];
const LABEL_HEIGHT: f32 = 18.0;
const MARGIN: f32 = 24.0;
/// The opacity of a node's fill.
const FILL: f32 = 0.15;
/// The height of the title above and of the legend below the nodes.
const TITLE_HEIGHT: f32 = 40.0;
const LEGEND_HEIGHT: f32 = 56.0;

fn colour(value: Value) -> &'static str {
    match value {
        Value::Win => "var(--blue)",
        Value::Draw => "var(--soft)",
        Value::Loss => "var(--orange)",
    }
}

fn value_label(value: Value, language: Language) -> &'static str {
    language.text(match value {
        Value::Win => "graph.won",
        Value::Draw => "graph.drawn",
        Value::Loss => "graph.lost",
    })
}

/// The line style: dashed for positions that no game reaches.
fn dash_style(reached: bool) -> &'static str {
    if reached { "" } else { " stroke-dasharray=\"6 5\"" }
}

impl PositionGraph {
    pub fn svg(&self, language: Language) -> String {
        let least = |axis: usize| self.nodes.iter().map(|node| node.place[axis]).min().unwrap_or(0);
        let most = |axis: usize| self.nodes.iter().map(|node| node.place[axis]).max().unwrap_or(0);
        let [width, height] = [0, 1].map(|axis| {
            f32::from(most(axis) - least(axis)) * SPACING[axis] + NODE_SIZE[axis] + 2.0 * MARGIN
        });
        let corner = [least(0), least(1)];
        let centre = |node: &GraphNode| {
            let at = |axis: usize| {
                f32::from(node.place[axis] - corner[axis]) * SPACING[axis]
                    + NODE_SIZE[axis] / 2.0
                    + MARGIN
            };
            [at(0), at(1) + TITLE_HEIGHT]
        };
        let total_height = height + TITLE_HEIGHT + LEGEND_HEIGHT;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total_height}\" \
             width=\"{width}\" height=\"{total_height}\" font-family=\"sans-serif\">\n\
             <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
             markerWidth=\"9\" markerHeight=\"9\" orient=\"auto-start-reverse\">\
             <path d=\"M0 1L10 5L0 9z\" fill=\"var(--soft)\"/></marker></defs>\n\
             <rect width=\"{width}\" height=\"{total_height}\" fill=\"var(--paper)\"/>\n\
             <text x=\"{}\" y=\"34\" font-size=\"20\" text-anchor=\"middle\" \
             fill=\"var(--ink)\">{}</text>\n",
            width / 2.0,
            language.pick(&self.title)
        );
        for (from, to) in &self.arrows {
            let dashed = dash_style(self.nodes[*from].reached);
            let [from, to] = [from, to].map(|index| centre(&self.nodes[*index]));
            let ([x1, y1], [x2, y2]) = (arrow_end(from, to), arrow_end(to, from));
            let _ = writeln!(
                text,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"var(--soft)\" \
                 stroke-width=\"1.6\" marker-end=\"url(#head)\"{dashed}/>"
            );
        }
        for node in &self.nodes {
            self.draw(node, centre(node), language, &mut text);
        }
        let y = height + TITLE_HEIGHT + LEGEND_HEIGHT / 2.0;
        text += &legend(width / 2.0, y, language);
        text + "</svg>\n"
    }

    fn draw(&self, node: &GraphNode, [x, y]: [f32; 2], language: Language, text: &mut String) {
        let colour = colour(node.value);
        let dashed = dash_style(node.reached);
        let [left, top] = [x - NODE_SIZE[0] / 2.0, y - NODE_SIZE[1] / 2.0];
        let _ = writeln!(
            text,
            "<g><title>{name}: {value}</title>\
             <rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{colour}\" \
             fill-opacity=\"{FILL}\" stroke=\"{colour}\" stroke-width=\"2.5\"{dashed}/>\
             <text x=\"{x}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\" text-anchor=\"middle\" \
             fill=\"var(--ink)\">{name}</text>",
            NODE_SIZE[0],
            NODE_SIZE[1],
            top + LABEL_HEIGHT,
            name = node.name,
            value = value_label(node.value, language)
        );
        let room = [NODE_SIZE[0] - 12.0, NODE_SIZE[1] - LABEL_HEIGHT - 10.0];
        let scale = (room[0] / self.layout.width).min(room[1] / self.layout.height);
        let from = [
            x - self.layout.width * scale / 2.0,
            top + LABEL_HEIGHT + 5.0 + (room[1] - self.layout.height * scale) / 2.0,
        ];
        let (layout, shown) = (&self.layout, &node.shown[..]);
        *text += &BoardSvg { layout, shown, labels: &[], heat: None }.board(from, scale);
        text.push_str("</g>\n");
    }
}

/// The point where an arrow between two nodes leaves the first.
fn arrow_end(from: [f32; 2], to: [f32; 2]) -> [f32; 2] {
    const GAP: f32 = 3.0;
    let offset = [to[0] - from[0], to[1] - from[1]];
    let part = |axis: usize| (NODE_SIZE[axis] / 2.0 + GAP) / offset[axis].abs();
    let part = part(0).min(part(1)).min(1.0);
    [from[0] + offset[0] * part, from[1] + offset[1] * part]
}

/// The legend of colours, in a row centred on this point.
fn legend(x: f32, y: f32, language: Language) -> String {
    const STEP: f32 = 150.0;
    let mut text = String::new();
    let values = [Value::Win, Value::Draw, Value::Loss]
        .map(|value| (colour(value), FILL, value_label(value, language), ""));
    let dashed = " stroke-dasharray=\"4 3\"";
    let unreached = ("var(--soft)", 0.0, language.text("graph.unreached"), dashed);
    let items = values.into_iter().chain([unreached]);
    for (index, (colour, opacity, word, dashed)) in items.enumerate() {
        let left = x + (index as f32 - 2.0) * STEP;
        let _ = writeln!(
            text,
            "<rect x=\"{left}\" y=\"{}\" width=\"22\" height=\"16\" rx=\"3\" fill=\"{colour}\" \
             fill-opacity=\"{opacity}\" stroke=\"{colour}\" stroke-width=\"2\"{dashed}/>\
             <text x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"var(--ink)\">{word}</text>",
            y - 8.0,
            left + 30.0,
            y + 5.0
        );
    }
    text
}
