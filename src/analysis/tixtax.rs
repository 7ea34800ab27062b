//! The studies of ultimate tic-tac-toe: counts, and for a position the state of each board.

use super::census::{census, section};
use super::{Datum, ReportFigure, Section, Study, first_player_wins};
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::games::{TixTax, TixTaxCount, TixTaxOpen};
use crate::language::Localized;
use crate::rules::{Game, Outcome, Record, Side};
use crate::solve::{Guide, Prover};

/// The study of the game where won boards are closed.
#[derive(Debug)]
pub struct TixTaxStudy;

/// The study of the game where only full boards are closed.
#[derive(Debug)]
pub struct TixTaxOpenStudy;

/// The study of the game where the number of boards decides a game without a line.
#[derive(Debug)]
pub struct TixTaxCountStudy;

impl Study<TixTaxCount> for TixTaxCountStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        vec![counts::<TixTaxCount>(), bounds()]
    }

    fn chapter() -> Option<Localized> {
        Some([
            include_str!("chapters/tixtax-count.en.md"),
            include_str!("chapters/tixtax-count.zh.md"),
        ])
    }

    fn figures() -> Vec<ReportFigure> {
        // The position of docs/rules.md.
        const FEN: &str = "xoxoxox2/oxoooxxx1/xxoxoxoox/xxooooxxo/oxxoxxxox/xx1xo1o1o/o2ooxoxo/\
            oo2xxox1/xoooxxxo1 o 35 -";
        let caption = [
            "Board 9 is the last one open, and o cannot win it. So x wins by four boards to three.",
            "只剩第 9 个小棋盘未关闭，而 o 赢不下它，所以 x 以四比三获胜。",
        ];
        let pos = FEN.parse::<TixTaxCount>().ok();
        let draw = |pos| ReportFigure::of_position("count", &pos, &[], caption);
        pos.and_then(draw).into_iter().collect()
    }

    fn analyze_position(pos: &TixTaxCount) -> Vec<Section> {
        [position_sections(pos), vec![count(pos)]].concat()
    }
}

impl Study<TixTax> for TixTaxStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        vec![counts::<TixTax>(), bounds()]
    }

    fn chapter() -> Option<Localized> {
        Some([include_str!("chapters/tixtax.en.md"), include_str!("chapters/tixtax.zh.md")])
    }

    fn figures() -> Vec<ReportFigure> {
        let caption = [
            "x began in the centre cell of the centre board and so sent o to that board. o replied in \
             its top left cell: now x has to play in the top left board.",
            "x 第一步下在正中小棋盘的中心，把 o 送到这个小棋盘；o 下在它的左上格，于是 x 必须在左上的小棋盘落子。",
        ];
        let mut record = Record::new(TixTax::start());
        let is_played = ["e5", "d6"].iter().all(|mv| record.push_text(mv).is_ok());
        let draw = || ReportFigure::of_position("sending", record.position(), &[], caption);
        is_played.then(draw).flatten().into_iter().collect()
    }

    fn analyze_position(pos: &TixTax) -> Vec<Section> {
        position_sections(pos)
    }
}

impl Study<TixTaxOpen> for TixTaxOpenStudy {
    fn analyze_game(stop: &mut dyn FnMut() -> bool) -> Vec<Section> {
        vec![counts::<TixTaxOpen>(), first_player_wins::section(stop)]
    }

    fn prove_known<H: Guide<TixTaxOpen>>(
        prover: &mut Prover<TixTaxOpen, H>,
        pos: &TixTaxOpen,
        stop: &mut dyn FnMut() -> bool,
    ) {
        first_player_wins::prove(prover, pos, stop);
    }

    fn chapter() -> Option<Localized> {
        Some([
            include_str!("chapters/tixtax-open.en.md"),
            include_str!("chapters/tixtax-open.zh.md"),
        ])
    }

    fn figures() -> Vec<ReportFigure> {
        first_player_wins::figure().into_iter().collect()
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
    let title = ["The size of the game", "对局的规模"];
    Section::facts("bounds", title)
        .fact(
            "orders",
            ["81!, orders in which to fill all cells", "81!：填满所有格子的次序"],
            Datum::Size(orders),
        )
        .fact(
            "moves",
            ["9^81, games of 81 moves with nine choices each", "9^81：81 步、每步九种选择"],
            Datum::Size(move_sequences),
        )
}

fn position_sections<R: Rule>(pos: &Ultimate<R>) -> Vec<Section> {
    vec![overview(pos), deciding(pos), boards(pos), winning_cells(pos)]
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
        (None, None) => Datum::term("any", ["any", "任选"]),
        (None, Some(board)) => number(board),
    };
    let can_win = |side| pos.can_still_win(side);
    Section::facts("chances", ["Winning chances", "胜机"])
        .fact("mover", ["to move", "轮到"], letter(pos.side()))
        .fact("board", ["board to play in", "须下的小棋盘"], forced)
        .fact("x_can_win", ["x can still win", "x 还能胜"], can_win(Side::P1))
        .fact("o_can_win", ["o can still win", "o 还能胜"], can_win(Side::P2))
}

/// The moves and boards that decide the game.
fn deciding<R: Rule>(pos: &Ultimate<R>) -> Section {
    Section::facts("deciding", ["What decides the game", "决定胜负之处"])
        .fact("wins_now", ["moves that win immediately", "立即获胜的着法"], winning_moves(pos))
        .fact(
            "x_needs",
            ["boards that would win the game for x", "x 赢下即胜的小棋盘"],
            deciding_boards(pos, Side::P1),
        )
        .fact(
            "o_needs",
            ["boards that would win the game for o", "o 赢下即胜的小棋盘"],
            deciding_boards(pos, Side::P2),
        )
}

/// The boards with which a side would complete a line of boards.
fn deciding_boards<R: Rule>(pos: &Ultimate<R>, side: Side) -> Datum {
    let open = |board: &usize| pos.deciding_boards(side) >> board & 1 == 1;
    Datum::counts((0..9).filter(open).map(number))
}

fn winning_moves<R: Rule>(pos: &Ultimate<R>) -> Datum {
    let wins = |mv: &TixTaxMove| pos.after(*mv).outcome() == Some(Outcome::Win(pos.side()));
    Datum::list(pos.legal_moves().into_iter().filter(wins))
}

fn boards<R: Rule>(pos: &Ultimate<R>) -> Section {
    let columns = [
        ("board", ["board", "小棋盘"]),
        ("state", ["state", "状态"]),
        ("empty", ["empty", "空格"]),
        ("x_can_win", ["x can win it", "x 能赢"]),
        ("o_can_win", ["o can win it", "o 能赢"]),
    ];
    let mut table = Section::table("boards", ["Boards", "小棋盘"], &columns);
    for board in 0..9 {
        let owner =
            [Side::P1, Side::P2].into_iter().find(|side| pos.owned(*side) >> board & 1 == 1);
        let is_closed = pos.closed() >> board & 1 == 1;
        let state = match (owner, is_closed) {
            (Some(Side::P1), true) => Datum::term("x, closed", ["x, closed", "x，已关闭"]),
            (Some(Side::P2), true) => Datum::term("o, closed", ["o, closed", "o，已关闭"]),
            (Some(side), false) => letter(side).into(),
            (None, true) => Datum::term("full", ["full", "已满"]),
            (None, false) => Datum::term("open", ["open", "未定"]),
        };
        let empty = 9 - [Side::P1, Side::P2]
            .map(|side| pos.stones(side, board).count_ones())
            .iter()
            .sum::<u32>();
        let can_win =
            |side| Datum::from(owner.is_none() && pos.winnable_boards(side) >> board & 1 == 1);
        let row = vec![number(board), state, empty.into(), can_win(Side::P1), can_win(Side::P2)];
        table.row(row);
    }
    table.remark([
        "Boards are numbered row by row from the top left: 1 is a9 to c7, 9 is g3 to i1.",
        "小棋盘从左上角起逐行编号：1 为 a9 至 c7，9 为 g3 至 i1。",
    ])
}

/// The cells that win a board, for the boards that have some.
fn winning_cells<R: Rule>(pos: &Ultimate<R>) -> Section {
    let columns = [
        ("board", ["board", "小棋盘"]),
        ("x_closes", ["for x", "x"]),
        ("o_closes", ["for o", "o"]),
    ];
    let title = ["Cells that win a board", "赢下小棋盘的格子"];
    let mut table = Section::table("winning_cells", title, &columns);
    for board in 0..9 {
        let cells = [Side::P1, Side::P2]
            .map(|side| pos.winning_cells(side, board).collect::<Vec<TixTaxMove>>());
        if cells.iter().any(|cells| !cells.is_empty()) {
            let [x, o] = cells.map(Datum::list);
            table.row(vec![number(board), x, o]);
        }
    }
    table
}

/// Who can still win on count.
fn count(pos: &TixTaxCount) -> Section {
    let columns = [
        ("side", ["side", "一方"]),
        ("boards", ["boards won", "已赢"]),
        ("at_most", ["at most in the end", "最多可赢"]),
        ("line", ["can make a line", "能连线"]),
        ("count", ["can win on count", "能凭计数胜"]),
        ("ahead", ["cannot be caught", "追不上"]),
    ];
    let mut table = Section::table("count", ["Boards counted", "小棋盘计数"], &columns);
    for side in [Side::P1, Side::P2] {
        let (boards, rival) = (pos.owned_count(side), !side);
        table.row(vec![
            letter(side).into(),
            u32::from(boards).into(),
            u32::from(pos.winnable_count(side)).into(),
            pos.can_align(side).into(),
            (pos.winnable_count(side) > pos.owned_count(rival)).into(),
            (boards > pos.winnable_count(rival)).into(),
        ]);
    }
    table.remark(["A line wins before the boards are counted.", "连成一线者胜，不再计数。"])
}
