//! The opening table: the value of every first move and of every reply to it, up to symmetry.

use std::fmt::Write;

use super::{TicTacToe, TicTacToeSolver, letter, value_for};
use crate::analysis::{BoardSvg, HeatMap};
use crate::document::Figure;
use crate::games::tictactoe::TicTacToeMove;
use crate::language::Language;
use crate::rules::drawing::BoardLayout;
use crate::rules::{Game, GameDrawing, Move, Side, Value};
use crate::search::Score;

/// A first move and the value of each reply, for the first player.
struct Opening {
    mv: TicTacToeMove,
    value: Value,
    replies: Vec<(TicTacToeMove, Value)>,
}

/// The first moves, one of each class of symmetric ones.
fn openings(exact_solver: &mut TicTacToeSolver) -> Vec<Opening> {
    let start = TicTacToe::start();
    let mut classes = Vec::new();
    let mut openings = Vec::new();
    for mv in start.legal_moves() {
        let pos = start.after(mv);
        let class = (0..TicTacToe::SYMMETRIES).map(|symmetry| pos.image_key(symmetry)).min();
        if classes.contains(&class) {
            continue;
        }
        classes.push(class);
        let worth = |reply| (reply, value_for(Side::P1, &pos.after(reply), exact_solver));
        let replies = pos.legal_moves().into_iter().map(worth).collect();
        openings.push(Opening { mv, value: value_for(Side::P1, &pos, exact_solver), replies });
    }
    openings
}

pub(super) fn figure(exact_solver: &mut TicTacToeSolver, language: Language) -> Option<Figure> {
    let (layout, openings) = (TicTacToe::layout()?, openings(exact_solver));
    let svg = svg(&layout, &openings, language);
    Some(Figure { name: "openings", svg, diagram: Some(diagram(&openings)) })
}

/// What is written above a board.
fn title(opening: &Opening, language: Language) -> String {
    let key = match opening.value {
        Value::Win => "openings.won",
        Value::Draw => "openings.drawn",
        Value::Loss => "openings.lost",
    };
    format!("x {}: {}", opening.mv, language.text(key))
}

fn svg(layout: &BoardLayout, openings: &[Opening], language: Language) -> String {
    const UNIT: f32 = 56.0;
    const GAP: f32 = 48.0;
    const HEADER: f32 = 56.0;
    let count = openings.len() as f32;
    let width = count * layout.width * UNIT + (count + 1.0) * GAP;
    let height = HEADER + layout.height * UNIT + GAP;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"var(--paper)\"/>\n"
    );
    for (index, opening) in openings.iter().enumerate() {
        let left = GAP + index as f32 * (layout.width * UNIT + GAP);
        let shown = TicTacToe::start().after(opening.mv).spot_contents();
        let rate = |(mv, value): &(TicTacToeMove, Value)| {
            (mv.to_string(), Score::Exact(value.in_plies(0)))
        };
        let ratings: Vec<_> = opening.replies.iter().map(rate).collect();
        let heat = HeatMap::new(layout, &ratings).without_arrow();
        let board = BoardSvg { layout, shown: &shown, labels: &[], heat: Some(&heat) };
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"17\" text-anchor=\"middle\" \
             fill=\"var(--ink)\">{}</text>",
            left + layout.width * UNIT / 2.0,
            HEADER - 18.0,
            title(opening, language)
        );
        text += &board.board([left, HEADER], UNIT);
    }
    text + "</svg>\n"
}

/// The boards side by side, with the number of columns of a row of cells.
fn diagram(openings: &[Opening]) -> String {
    const SIDE: usize = 3;
    let cell = |opening: &Opening, code: usize| {
        let reply = opening.replies.iter().find(|(mv, _)| mv.code() == code);
        reply.map_or('x', |(_, value)| letter(*value)).to_string()
    };
    let row = |row: usize| {
        let board = |opening: &Opening| {
            let cells = (0..SIDE).map(|column| cell(opening, SIDE * row + column));
            cells.collect::<Vec<_>>().join(" ")
        };
        openings.iter().map(board).collect::<Vec<_>>().join("      ")
    };
    (0..SIDE).map(|index| row(index) + "\n").collect()
}
