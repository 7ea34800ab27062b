//! What is shown of a game: the board, and beside it or below what there is to know.

use super::board::{self, View};
use super::console::Look;
use super::messages::{Language, Message};
use super::sitting::{Seat, Sitting};
use super::text::{Ink, Line, wrap};
use crate::rules::Side;
use crate::rules::drawing::BoardLayout;

/// A game as it is shown.
pub(super) struct Screen<'a> {
    pub(super) sitting: &'a Sitting,
    pub(super) language: Language,
    pub(super) level: u32,
    pub(super) look: Look,
}

impl Screen<'_> {
    /// The board, with what there is to know beside it or below.
    pub(super) fn lines(&self) -> Vec<Line> {
        const BETWEEN: usize = 3;
        const LEAST: usize = 28;
        /// The empty line above, and the prompt.
        const OWN_ROWS: usize = 2;
        let (beside, board) = (self.beside(), self.board());
        let width = board.iter().map(Line::width).max().unwrap_or(0);
        let room = self.look.columns.saturating_sub(width + BETWEEN);
        let mut lines = vec![Line::default()];
        if room >= LEAST {
            let beside = wrap(&beside, room);
            for row in 0..board.len().max(beside.len()) {
                let mut line = board.get(row).cloned().unwrap_or_default();
                if let Some(other) = beside.get(row).filter(|other| other.width() > 0) {
                    line.join(width + BETWEEN, other);
                }
                lines.push(line);
            }
        } else {
            // Where the board and all of this do not fit, only what has changed is told.
            let below = wrap(&beside, self.look.columns);
            let room = self.look.rows.saturating_sub(board.len() + OWN_ROWS);
            lines.extend(board);
            if below.len() <= room {
                lines.extend(below);
            } else {
                lines.extend(wrap(&self.situation(), self.look.columns));
            }
        }
        lines
    }

    /// The board, as large as there is room.
    fn board(&self) -> Vec<Line> {
        let desk = &self.sitting.desk;
        match desk.layout() {
            Some(layout) if board::width(&layout) <= self.look.columns => board::draw(&View {
                layout: &layout,
                shown: &desk.spot_contents(),
                remarks: &desk.extra_labels(),
                last: &self.last_spots(&layout),
                is_over: desk.outcome().is_some(),
                plain: self.look.plain,
            }),
            _ => desk.diagram().lines().map(Line::plain).collect(),
        }
    }

    /// The spots of the last move: those that its name is made of.
    fn last_spots(&self, layout: &BoardLayout) -> Vec<usize> {
        let name = self.sitting.last().unwrap_or_default();
        let is_in = |spot: &str| !spot.is_empty() && name.contains(spot);
        let spots = layout.spots.iter().enumerate();
        spots.filter(|(_, spot)| is_in(&spot.name)).map(|(index, _)| index).collect()
    }

    /// What there is to know of the position.
    fn beside(&self) -> Vec<Line> {
        let desk = &self.sitting.desk;
        let language = self.language;
        let mut lines =
            vec![Line::of(language.say(&Message::Title(self.sitting.game.id)), Ink::Bold)];
        let layout = desk.layout();
        lines.extend([Side::P1, Side::P2].map(|side| self.player(side, layout.as_ref())));
        lines.push(Line::default());
        lines.extend(self.situation());
        if desk.outcome().is_some() {
            return lines;
        }
        if !desk.extra_labels().is_empty() {
            lines.push(Line::of(language.say(&Message::Gaps), Ink::Dim));
        }
        if self.sitting.seat() == Seat::Person {
            lines.push(Line::default());
            lines.push(Line::of(language.say(&Message::HelpIsThere), Ink::Dim));
        }
        lines
    }

    /// What was played last, who is to move, and where.
    fn situation(&self) -> Vec<Line> {
        let desk = &self.sitting.desk;
        let say = |message| Line::plain(self.language.say(&message));
        let mut lines = Vec::new();
        if let (Some(last), Some(ply)) = (self.sitting.last(), self.sitting.plies().checked_sub(1))
        {
            lines.push(say(Message::LastMove(self.sitting.who_made(ply), last)));
        }
        if desk.outcome().is_some() {
            return lines;
        }
        let mover = self.sitting.who(desk.side());
        lines.push(Line::of(self.language.say(&Message::ToMove(mover)), Ink::Bold));
        let layout = desk.layout();
        let spots = layout.iter().flat_map(|layout| &layout.spots).zip(desk.spot_contents());
        let areas = spots.filter(|(spot, _)| spot.is_area).map(|(_, shown)| shown.highlighted);
        let lit: Vec<String> = (1..)
            .zip(areas)
            .filter(|(_, lit)| *lit)
            .map(|(number, _): (usize, _)| number.to_string())
            .collect();
        if !lit.is_empty() {
            lines.push(say(Message::PlayIn(&lit)));
        }
        lines
    }

    /// A side's piece, and who plays it.
    fn player(&self, side: Side, layout: Option<&BoardLayout>) -> Line {
        let mut line = Line::default();
        if let Some(layout) = layout {
            let piece = &layout.pieces[side.index()];
            let glyph = board::glyph(layout, piece, self.look.plain);
            line.push(&format!("{glyph}  "), Ink::Tone(piece.colour), false);
        }
        let player = Message::Player(self.sitting.who(side), self.level);
        line.push(&self.language.say(&player), Ink::Plain, false);
        line
    }
}
