//! The studies of ultimate tic-tac-toe: counts, and for a position the state of each board.

use super::census::{census, section};
use super::{Datum, Section, Study, first_player_wins};
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::games::{TixTax, TixTaxOpen};
use crate::rules::{Game, Outcome, Side};

/// The study of the game where won boards are closed.
#[derive(Debug)]
pub struct TixTaxStudy;

/// The study of the game where only full boards are closed.
#[derive(Debug)]
pub struct TixTaxOpenStudy;

impl Study<TixTax> for TixTaxStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        vec![counts::<TixTax>(), bounds()]
    }

    fn analyze_position(pos: &TixTax) -> Vec<Section> {
        position_sections(pos)
    }
}

impl Study<TixTaxOpen> for TixTaxOpenStudy {
    fn analyze_game(stop: &mut dyn FnMut() -> bool) -> Vec<Section> {
        vec![counts::<TixTaxOpen>(), first_player_wins::section(stop)]
    }

    fn analyze_position(pos: &TixTaxOpen) -> Vec<Section> {
        position_sections(pos)
    }
}

fn counts<G: Game>() -> Section {
    /// Plies for which positions are counted.
    const POSITIONS: u32 = 6;
    /// Further plies for which only sequences are counted.
    const BEYOND: u32 = 2;
    section(&census(&G::start(), POSITIONS), BEYOND)
}

/// Upper bounds of the game's size, which is not known exactly.
fn bounds() -> Section {
    let cells = TixTax::start().move_count() as i32;
    let orders = (1..=cells).map(f64::from).product::<f64>();
    let move_sequences = 9_f64.powi(cells);
    Section::facts("bounds", "Upper bounds of the game's size")
        .fact("orders", "81!, orders in which to fill all cells", Datum::Size(orders))
        .fact(
            "moves",
            "9^81, games of 81 moves with nine choices each",
            Datum::Size(move_sequences),
        )
        .remark("The value of the game is unknown.")
}

fn position_sections<R: Rule>(pos: &Ultimate<R>) -> Vec<Section> {
    vec![overview(pos), boards(pos)]
}

/// The usual number of a board: 1 to 9, row by row from the top left.
fn number(board: usize) -> Datum {
    (board + 1).into()
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::P1 => "x",
        Side::P2 => "o",
    }
}

fn overview<R: Rule>(pos: &Ultimate<R>) -> Section {
    let forced = match (pos.outcome(), pos.forced()) {
        (Some(_), _) => Datum::Missing,
        (None, None) => "any".into(),
        (None, Some(board)) => number(board),
    };
    Section::facts("chances", "Winning chances")
        .fact("mover", "to move", letter(pos.side()))
        .fact("board", "board to play in", forced)
        .fact("wins_now", "moves that win immediately", winning_moves(pos))
        .fact("x_can_win", "x can still win", pos.can_still_win(Side::P1))
        .fact("o_can_win", "o can still win", pos.can_still_win(Side::P2))
        .fact("x_needs", "boards that would win the game for x", deciding_boards(pos, Side::P1))
        .fact("o_needs", "boards that would win the game for o", deciding_boards(pos, Side::P2))
}

/// The boards with which a side would complete a line of boards.
fn deciding_boards<R: Rule>(pos: &Ultimate<R>, side: Side) -> Datum {
    let open = |board: &usize| pos.deciding_boards(side) >> board & 1 == 1;
    Datum::List((0..9).filter(open).map(number).collect())
}

fn winning_moves<R: Rule>(pos: &Ultimate<R>) -> Datum {
    let wins = |mv: &TixTaxMove| pos.after(*mv).outcome() == Some(Outcome::Win(pos.side()));
    Datum::list(pos.legal_moves().into_iter().filter(wins))
}

fn boards<R: Rule>(pos: &Ultimate<R>) -> Section {
    let columns = [
        ("board", "board"),
        ("state", "state"),
        ("empty", "empty"),
        ("x_can_win", "x can win it"),
        ("o_can_win", "o can win it"),
        ("x_closes", "winning cells for x"),
        ("o_closes", "winning cells for o"),
    ];
    let mut table = Section::table("boards", "Boards", &columns);
    for board in 0..9 {
        let owner =
            [Side::P1, Side::P2].into_iter().find(|side| pos.owned(*side) >> board & 1 == 1);
        let is_closed = pos.closed() >> board & 1 == 1;
        let state = match (owner, is_closed) {
            (Some(side), true) => format!("{}, closed", letter(side)),
            (Some(side), false) => letter(side).to_owned(),
            (None, true) => "full".to_owned(),
            (None, false) => "open".to_owned(),
        };
        let empty = 9 - [Side::P1, Side::P2]
            .map(|side| pos.stones(side, board).count_ones())
            .iter()
            .sum::<u32>();
        let can_win =
            |side| Datum::from(owner.is_none() && pos.winnable_boards(side) >> board & 1 == 1);
        let closes = |side| Datum::list(pos.winning_cells(side, board));
        table.row(vec![
            number(board),
            state.into(),
            empty.into(),
            can_win(Side::P1),
            can_win(Side::P2),
            closes(Side::P1),
            closes(Side::P2),
        ]);
    }
    table.remark("Boards are numbered row by row from the top left: 1 is a9 to c7, 9 is g3 to i1.")
}
