//! What `analyze` computes about ultimate tic-tac-toe: counts, and for a position the state of each
//! board.

use serde_json::{Value as Json, json};

use super::board_svg::position_figure;
use super::census::{census, ply_table};
use super::{Figure, GameAnalysis, first_player_wins, merge, names, yes_or_no};
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::games::{TixTax, TixTaxCount, TixTaxOpen};
use crate::language::{Language, Localized};
use crate::rules::{Game, Outcome, Record, Side};

/// The game where won boards are closed.
#[derive(Debug)]
pub struct TixTaxAnalysis;

/// The game where only full boards are closed.
#[derive(Debug)]
pub struct TixTaxOpenAnalysis;

/// The game where the number of boards decides a game without a line.
#[derive(Debug)]
pub struct TixTaxCountAnalysis;

const POSITION_TEXT: Localized = [
    include_str!("../../data/chapters/tixtax.position.en.md"),
    include_str!("../../data/chapters/tixtax.position.zh.md"),
];

impl GameAnalysis<TixTaxCount> for TixTaxCountAnalysis {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Json {
        json!({ "plies": plies::<TixTaxCount>(), "bounds": bounds() })
    }

    fn analyze_position(pos: &TixTaxCount) -> Json {
        merge(position_data(pos), json!({ "count": count(pos) }))
    }

    fn figures(language: Language) -> Vec<Figure> {
        // The position of docs/rules.md.
        const FEN: &str = "xoxoxox2/oxoooxxx1/xxoxoxoox/xxooooxxo/oxxoxxxox/xx1xo1o1o/o2ooxoxo/\
            oo2xxox1/xoooxxxo1 o 35 -";
        let pos = FEN.parse::<TixTaxCount>().ok();
        pos.and_then(|pos| position_figure("count", &pos, &[], language)).into_iter().collect()
    }

    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/tixtax-count.en.md"),
            include_str!("../../data/chapters/tixtax-count.zh.md"),
        ]
    }

    fn position_text() -> Localized {
        POSITION_TEXT
    }
}

impl GameAnalysis<TixTax> for TixTaxAnalysis {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Json {
        json!({ "plies": plies::<TixTax>(), "bounds": bounds() })
    }

    fn analyze_position(pos: &TixTax) -> Json {
        position_data(pos)
    }

    fn figures(language: Language) -> Vec<Figure> {
        let mut record = Record::new(TixTax::start());
        let is_played = ["e5", "d6"].iter().all(|mv| record.push_text(mv).is_ok());
        let figure = position_figure("sending", record.position(), &[], language);
        figure.filter(|_| is_played).into_iter().collect()
    }

    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/tixtax.en.md"),
            include_str!("../../data/chapters/tixtax.zh.md"),
        ]
    }

    fn position_text() -> Localized {
        POSITION_TEXT
    }
}

impl GameAnalysis<TixTaxOpen> for TixTaxOpenAnalysis {
    fn analyze_game(stop: &mut dyn FnMut() -> bool) -> Json {
        let proof = first_player_wins::prove_on_the_spot(stop);
        json!({ "plies": plies::<TixTaxOpen>(), "first_player_wins": proof })
    }

    fn analyze_position(pos: &TixTaxOpen) -> Json {
        position_data(pos)
    }

    fn figures(language: Language) -> Vec<Figure> {
        first_player_wins::figure(language).into_iter().collect()
    }

    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/tixtax-open.en.md"),
            include_str!("../../data/chapters/tixtax-open.zh.md"),
        ]
    }

    fn position_text() -> Localized {
        POSITION_TEXT
    }
}

fn plies<G: Game>() -> Json {
    /// Plies for which positions are counted.
    const POSITIONS: u32 = 6;
    /// Further plies for which only sequences are counted.
    const BEYOND: u32 = 2;
    ply_table(&census(&G::start(), POSITIONS), BEYOND)
}

/// Upper bounds of the game's size, which is not known exactly: 81!, the orders in which to fill all
/// cells, and 9^81, the games of 81 moves with nine choices each.
fn bounds() -> Json {
    let cells = TixTax::start().move_count() as i32;
    let orders = (1..=cells).map(f64::from).product::<f64>();
    json!({ "orders": orders, "moves": 9_f64.powi(cells) })
}

fn position_data<R: Rule>(pos: &Ultimate<R>) -> Json {
    json!({
        "chances": chances(pos),
        "deciding": deciding(pos),
        "boards": boards(pos),
        "winning_cells": winning_cells(pos),
    })
}

/// The usual number of a board: 1 to 9, row by row from the top left.
fn number(board: usize) -> usize {
    board + 1
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::P1 => "x",
        Side::P2 => "o",
    }
}

fn chances<R: Rule>(pos: &Ultimate<R>) -> Json {
    let forced = match (pos.outcome(), pos.forced()) {
        (Some(_), _) => Json::Null,
        (None, None) => "any".into(),
        (None, Some(board)) => number(board).into(),
    };
    json!({
        "mover": letter(pos.side()),
        "board": forced,
        "x_can_win": yes_or_no(pos.can_still_win(Side::P1)),
        "o_can_win": yes_or_no(pos.can_still_win(Side::P2)),
    })
}

/// The moves that win at once, and the boards with which a side would complete a line of boards.
fn deciding<R: Rule>(pos: &Ultimate<R>) -> Json {
    let wins = |mv: &TixTaxMove| pos.after(*mv).outcome() == Some(Outcome::Win(pos.side()));
    let boards = |side| -> Vec<usize> {
        let decides = |board: &usize| pos.deciding_boards(side) >> board & 1 == 1;
        (0..9).filter(decides).map(number).collect()
    };
    json!({
        "wins_now": names(pos.legal_moves().into_iter().filter(wins)),
        "x_needs": boards(Side::P1),
        "o_needs": boards(Side::P2),
    })
}

fn boards<R: Rule>(pos: &Ultimate<R>) -> Json {
    let row = |board: usize| {
        let owner =
            [Side::P1, Side::P2].into_iter().find(|side| pos.owned(*side) >> board & 1 == 1);
        let state = match (owner, pos.closed() >> board & 1 == 1) {
            (Some(Side::P1), true) => "x, closed",
            (Some(Side::P2), true) => "o, closed",
            (Some(side), false) => letter(side),
            (None, true) => "full",
            (None, false) => "open",
        };
        let stones = [Side::P1, Side::P2].map(|side| pos.stones(side, board).count_ones());
        let can_win =
            |side| yes_or_no(owner.is_none() && pos.winnable_boards(side) >> board & 1 == 1);
        json!({
            "board": number(board),
            "state": state,
            "empty": 9 - stones[0] - stones[1],
            "x_can_win": can_win(Side::P1),
            "o_can_win": can_win(Side::P2),
        })
    };
    (0..9).map(row).collect()
}

/// The cells that win a board, for the boards that have some.
fn winning_cells<R: Rule>(pos: &Ultimate<R>) -> Json {
    let row = |board: usize| {
        let [x, o] = [Side::P1, Side::P2].map(|side| names(pos.winning_cells(side, board)));
        let is_empty = x.is_empty() && o.is_empty();
        let row = json!({ "board": number(board), "x_closes": x, "o_closes": o });
        (!is_empty).then_some(row)
    };
    (0..9).filter_map(row).collect()
}

/// Who can still win on count.
fn count(pos: &TixTaxCount) -> Json {
    let row = |side: Side| {
        let (boards, rival) = (pos.owned_count(side), !side);
        json!({
            "side": letter(side),
            "boards": boards,
            "at_most": pos.winnable_count(side),
            "line": yes_or_no(pos.can_align(side)),
            "count": yes_or_no(pos.winnable_count(side) > pos.owned_count(rival)),
            "ahead": yes_or_no(boards > pos.winnable_count(rival)),
        })
    };
    [Side::P1, Side::P2].into_iter().map(row).collect()
}
