//! The screen: the board, with the players and the situation beside or below it.

use super::board::{self, BoardView};
use super::console::ConsoleFormat;
use super::game::PlayGame;
use super::messages::{Language, Message};
use super::options::PlayerKind;
use super::text::{TextLine, TextStyle, wrap};
use crate::rules::Side;
use crate::rules::drawing::BoardLayout;

/// A narrower window shows no board.
const MIN_COLUMNS: usize = 36;

/// What the screen shows, and how.
pub(super) struct Screen<'a> {
    pub(super) game: &'a PlayGame,
    pub(super) language: Language,
    pub(super) level: u32,
    pub(super) format: ConsoleFormat,
    /// The reminder of the commands.
    pub(super) commands: Message<'a>,
}

impl Screen<'_> {
    /// The lines of the screen. The panel goes beside the board if it fits there.
    pub(super) fn lines(&self) -> Vec<TextLine> {
        const GAP: usize = 3;
        const MIN_PANEL_WIDTH: usize = 28;
        /// The empty line above the board, and the prompt.
        const EXTRA_ROWS: usize = 2;
        if self.format.columns < MIN_COLUMNS {
            let text = self.language.render(&Message::WindowTooNarrow(MIN_COLUMNS));
            return wrap(&[TextLine::styled(text, TextStyle::Bold)], self.format.columns);
        }
        let (panel, board) = (self.panel(), self.board());
        let board_width = board.iter().map(TextLine::width).max().unwrap_or(0);
        let panel_width = self.format.columns.saturating_sub(board_width + GAP);
        let mut lines = vec![TextLine::default()];
        if panel_width >= MIN_PANEL_WIDTH {
            let panel = wrap(&panel, panel_width);
            for row in 0..board.len().max(panel.len()) {
                let mut line = board.get(row).cloned().unwrap_or_default();
                if let Some(beside) = panel.get(row).filter(|beside| beside.width() > 0) {
                    line.append_at(board_width + GAP, beside);
                }
                lines.push(line);
            }
        } else {
            // If board and panel do not fit on one screen, only what changes from move to move is
            // shown.
            let panel = wrap(&panel, self.format.columns);
            let free_rows = self.format.rows.saturating_sub(board.len() + EXTRA_ROWS);
            lines.extend(board);
            if panel.len() <= free_rows {
                lines.extend(panel);
            } else {
                lines.extend(wrap(&self.situation(), self.format.columns));
            }
        }
        lines
    }

    /// The drawn board, or a compact diagram if the terminal is too narrow.
    fn board(&self) -> Vec<TextLine> {
        let position = &self.game.position;
        match position.layout() {
            Some(layout) if board::width(&layout) <= self.format.columns => {
                board::draw(&BoardView {
                    layout: &layout,
                    contents: &position.spot_contents(),
                    extra_labels: &position.extra_labels(),
                    last_move: &self.last_move_spots(&layout),
                    is_over: position.outcome().is_some(),
                    plain: self.format.plain,
                })
            }
            _ => position.diagram().lines().map(TextLine::plain).collect(),
        }
    }

    /// The spots whose names occur in the name of the last move.
    fn last_move_spots(&self, layout: &BoardLayout) -> Vec<usize> {
        let last_move = self.game.last_move().unwrap_or_default();
        let is_part = |spot: &str| !spot.is_empty() && last_move.contains(spot);
        let spots = layout.spots.iter().enumerate();
        spots.filter(|(_, spot)| is_part(&spot.name)).map(|(index, _)| index).collect()
    }

    /// The title, the players, the situation and a reminder of the commands.
    fn panel(&self) -> Vec<TextLine> {
        let position = &self.game.position;
        let render =
            |message: Message<'_>, style| TextLine::styled(self.language.render(&message), style);
        let mut lines = vec![render(Message::Title(self.game.entry.id), TextStyle::Bold)];
        let layout = position.layout();
        lines.extend([Side::P1, Side::P2].map(|side| self.player(side, layout.as_ref())));
        lines.push(TextLine::default());
        lines.extend(self.situation());
        if self.game.is_over() {
            return lines;
        }
        if !position.extra_labels().is_empty() {
            lines.push(render(Message::ExtraLabels(self.game.entry.id), TextStyle::Dim));
        }
        if self.game.player_to_move() == PlayerKind::Person {
            lines.push(TextLine::default());
            lines.push(render(self.commands, TextStyle::Dim));
        }
        lines
    }

    /// The last move, the player to move and the boards that may be played in.
    fn situation(&self) -> Vec<TextLine> {
        let position = &self.game.position;
        let render = |message| self.language.render(&message);
        let mut lines = Vec::new();
        if let (Some(last_move), Some(ply)) =
            (self.game.last_move(), self.game.plies().checked_sub(1))
        {
            let player = self.game.label_at(ply);
            lines.push(TextLine::plain(render(Message::LastMove(player, last_move))));
        }
        if self.game.is_over() {
            return lines;
        }
        let mover = self.game.label(position.side());
        lines.push(TextLine::styled(render(Message::ToMove(mover)), TextStyle::Bold));
        let layout = position.layout();
        let spots = layout.iter().flat_map(|layout| &layout.spots).zip(position.spot_contents());
        let areas: Vec<bool> = spots
            .filter(|(spot, _)| spot.is_area)
            .map(|(_, content)| content.highlighted)
            .collect();
        let playable: Vec<usize> = (1..)
            .zip(&areas)
            .filter(|(_, playable)| **playable)
            .map(|(number, _)| number)
            .collect();
        if !playable.is_empty() {
            let is_all = playable.len() == areas.len();
            lines.push(TextLine::plain(render(Message::PlayableBoards(&playable, is_all))));
        }
        lines
    }

    /// A side's piece and player.
    fn player(&self, side: Side, layout: Option<&BoardLayout>) -> TextLine {
        let mut line = TextLine::default();
        if let Some(layout) = layout {
            let piece = &layout.pieces[side.index()];
            let symbol = board::piece_symbol(layout, piece, self.format.plain);
            line.push(&format!("{symbol}  "), TextStyle::Piece(piece.colour), false);
        }
        let player = Message::Player(self.game.label(side), self.level);
        line.push(&self.language.render(&player), TextStyle::Plain, false);
        line
    }
}
