//! The screen: the board, with the players and the situation beside or below it.

use super::board::{self, BoardSize, BoardView};
use super::console::ConsoleFormat;
use super::text::{TextLine, TextStyle, wrap};
use crate::interact::game::PlayGame;
use crate::interact::situation::{playable_boards, to_move};
use crate::interact::{PlayerKind, PlayerLabel};
use crate::language::{Language, Values};
use crate::rules::Side;
use crate::rules::drawing::BoardLayout;

/// A narrower window shows no board.
const MIN_COLUMNS: usize = 36;

/// What the screen shows, and how.
pub(crate) struct Screen<'a> {
    pub(crate) game: &'a PlayGame,
    pub(crate) language: Language,
    pub(crate) level: u32,
    pub(crate) format: ConsoleFormat,
    pub(crate) commands: &'static str,
}

impl Screen<'_> {
    /// The lines of the screen. The panel goes beside the board if it fits there.
    pub(crate) fn lines(&self) -> Vec<TextLine> {
        const GAP: usize = 3;
        const MIN_PANEL_WIDTH: usize = 28;
        /// The empty line above the board, and the prompt.
        const EXTRA_ROWS: usize = 2;
        if self.format.columns < MIN_COLUMNS {
            let text = self.language.fill("screen.tooNarrow", &[("columns", &MIN_COLUMNS)]);
            return wrap(&[TextLine::styled(text, TextStyle::Bold)], self.format.columns);
        }
        let (panel, board) = (self.panel(true), self.board());
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
            // If board and panel do not fit on one screen, the list of commands is dropped first, then
            // everything that does not change from move to move.
            let free_rows = self.format.rows.saturating_sub(board.len() + EXTRA_ROWS);
            lines.extend(board);
            let panels = [panel, self.panel(false), self.situation()];
            let mut panels = panels.map(|panel| wrap(&panel, self.format.columns)).into_iter();
            let last = panels.next_back().unwrap_or_default();
            lines.extend(panels.find(|panel| panel.len() <= free_rows).unwrap_or(last));
        }
        lines
    }

    /// The drawn board, or a text diagram if the game has no drawing or the window is too narrow.
    fn board(&self) -> Vec<TextLine> {
        let position = &self.game.position;
        let columns = self.format.columns;
        let layout = position.layout();
        let fitting = layout.and_then(|own| Some((BoardSize::fitting(&own, columns)?, own)));
        let Some((size, layout)) = fitting else {
            return position.diagram().lines().map(TextLine::plain).collect();
        };
        board::draw(&BoardView {
            layout: &layout,
            contents: &position.spot_contents(),
            extra_labels: &position.extra_labels(),
            last_move: &layout.spots_of_move(self.game.last_move().unwrap_or_default()),
            is_over: position.outcome().is_some(),
            plain: self.format.plain,
            size,
        })
    }

    /// The title, the players, the situation and, if wanted, a reminder of the commands.
    fn panel(&self, has_commands: bool) -> Vec<TextLine> {
        let position = &self.game.position;
        let id = self.game.spec.id;
        let mut lines = vec![TextLine::styled(self.language.game_title(id), TextStyle::Bold)];
        let layout = position.layout();
        lines.extend([Side::P1, Side::P2].map(|side| self.player(side, layout.as_ref())));
        lines.push(TextLine::default());
        lines.extend(self.situation());
        if self.game.is_over() {
            return lines;
        }
        if !position.extra_labels().is_empty() {
            lines
                .push(TextLine::styled(self.language.game_text(id, "extraLabels"), TextStyle::Dim));
        }
        if has_commands && self.game.player_to_move() == PlayerKind::Human {
            lines.push(TextLine::default());
            lines.push(TextLine::styled(self.commands, TextStyle::Dim));
        }
        lines
    }

    /// The last move, the player to move and the boards that may be played in.
    fn situation(&self) -> Vec<TextLine> {
        let language = self.language;
        let mut lines = Vec::new();
        if let (Some(last_move), Some(ply)) =
            (self.game.last_move(), self.game.plies().checked_sub(1))
        {
            let player = language.player(self.game.label_at(ply));
            let values: &Values<'_> = &[("player", &player), ("move", &last_move)];
            lines.push(TextLine::plain(language.fill("status.lastMove", values)));
        }
        if self.game.is_over() {
            return lines;
        }
        let mover = self.game.label(self.game.position.side());
        lines.push(TextLine::styled(to_move(mover, language), TextStyle::Bold));
        let boards = playable_boards(self.game.position.as_ref(), language);
        lines.extend(boards.map(TextLine::plain));
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
        let player = match self.game.label(side) {
            PlayerLabel::Engine => self.language.fill("who.level", &[("level", &self.level)]),
            label => self.language.player(label),
        };
        line.push(&player, TextStyle::Plain, false);
        line
    }
}
