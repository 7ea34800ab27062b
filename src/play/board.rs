//! Any board in characters: strokes become box characters, spots become letters and discs.
//!
//! One unit of a [`BoardLayout`] is four columns and two rows. An area whose fate is settled is shown
//! large in place of what is in it.

use super::text::{Ink, Line};
use crate::rules::drawing::{BoardLayout, Label, Piece, PieceShape, Spot, SpotContent, Stroke};

/// A unit of the layout in columns and rows.
const UNIT: [f32; 2] = [4.0, 2.0];
/// Columns to the left of the board, for the labels of the ranks.
const LEFT: usize = 2;

/// What is to be drawn.
#[derive(Debug)]
pub struct View<'a> {
    /// The empty board.
    pub layout: &'a BoardLayout,
    /// What its spots show.
    pub shown: &'a [SpotContent],
    /// What is written beside it in this position.
    pub remarks: &'a [Label],
    /// The spots of the last move.
    pub last: &'a [usize],
    /// Whether the game is over: what is lit has decided it.
    pub is_over: bool,
    /// Whether there are neither colours nor letters beyond ASCII.
    pub plain: bool,
}

/// A stroke through a character, towards its right, left, lower and upper neighbour: 0 for none, 1
/// for a thin one, 2 for a heavy one.
type Arms = [u8; 4];
const RIGHT: usize = 0;
const LEFTWARD: usize = 1;
const DOWN: usize = 2;
const UP: usize = 3;

#[derive(Clone, Copy, Default)]
struct Mark {
    arms: Arms,
    letter: Option<char>,
    ink: Ink,
    marked: bool,
}

struct Canvas {
    columns: usize,
    rows: usize,
    /// Rows above the board.
    above: usize,
    marks: Vec<Mark>,
    plain: bool,
}

/// How many columns a board takes.
#[must_use]
pub fn width(layout: &BoardLayout) -> usize {
    LEFT + 1 + (layout.width * UNIT[0]).round() as usize
}

/// Draws a board; without trailing blanks, the first line is its top.
#[must_use]
pub fn draw(view: &View<'_>) -> Vec<Line> {
    let mut canvas = Canvas::new(view);
    for stroke in &view.layout.strokes {
        canvas.stroke(stroke);
    }
    for label in view.layout.labels.iter().chain(view.remarks) {
        canvas.write([label.x, label.y], &label.text, Ink::Dim);
    }
    for (index, (spot, shown)) in view.layout.spots.iter().zip(view.shown).enumerate() {
        if !spot.is_area {
            canvas.place(view, index, spot, *shown);
        }
    }
    for (spot, shown) in view.layout.spots.iter().zip(view.shown) {
        if spot.is_area {
            canvas.area(view, spot, *shown);
        }
    }
    for index in view.last {
        canvas.mark_last(view, *index);
    }
    canvas.lines()
}

/// The character of a piece.
#[must_use]
pub fn glyph(layout: &BoardLayout, piece: &Piece, plain: bool) -> char {
    match piece.shape {
        PieceShape::Disc if !plain => {
            let is_first = layout.pieces.first() == Some(piece);
            if is_first { '●' } else { '○' }
        }
        _ => piece.letter.to_ascii_uppercase(),
    }
}

/// The places over which an area lies.
fn covered<'a>(
    view: &'a View<'_>,
    area: &'a Spot,
) -> impl Iterator<Item = (usize, SpotContent)> + 'a {
    let within = |spot: &Spot| {
        let away = (spot.x - area.x).abs().max((spot.y - area.y).abs());
        !spot.is_area && away < area.size / 2.0
    };
    let spots = view.layout.spots.iter().zip(view.shown).enumerate();
    spots.filter(move |(_, (spot, _))| within(spot)).map(|(index, (_, shown))| (index, *shown))
}

impl Canvas {
    fn new(view: &View<'_>) -> Self {
        let columns = width(view.layout);
        let above = usize::from(view.remarks.iter().any(|label| label.y < 0.0));
        // One row below the board, for the labels of the files.
        let rows = above + (view.layout.height * UNIT[1]).round() as usize + 2;
        let marks = vec![Mark::default(); columns * rows];
        Self { columns, rows, above, marks, plain: view.plain }
    }

    /// The column and row of a point of the layout.
    fn at(&self, [x, y]: [f32; 2]) -> [usize; 2] {
        let place = |value: f32, unit: f32, before: usize| {
            let place = (value * unit).round() as isize + before as isize;
            place.max(0) as usize
        };
        [place(x, UNIT[0], LEFT), place(y, UNIT[1], self.above)]
    }

    fn mark(&mut self, [column, row]: [usize; 2]) -> &mut Mark {
        let [column, row] = [column.min(self.columns - 1), row.min(self.rows - 1)];
        &mut self.marks[row * self.columns + column]
    }

    fn put(&mut self, at: [usize; 2], letter: char, ink: Ink) {
        *self.mark(at) = Mark { letter: Some(letter), ink, ..Mark::default() };
    }

    /// Writes a text with its middle at a point.
    fn write(&mut self, centre: [f32; 2], text: &str, ink: Ink) {
        let [column, row] = self.at(centre);
        let begin = column.saturating_sub(text.chars().count() / 2);
        for (index, letter) in text.chars().enumerate() {
            self.put([begin + index, row], letter, ink);
        }
    }

    fn stroke(&mut self, stroke: &Stroke) {
        let weight = if stroke.heavy { 2 } else { 1 };
        let [from, to] = [self.at(stroke.from), self.at(stroke.to)];
        let [left, right] = [from[0].min(to[0]), from[0].max(to[0])];
        let [top, bottom] = [from[1].min(to[1]), from[1].max(to[1])];
        let mut arm = |at: [usize; 2], direction: usize| {
            let arms = &mut self.mark(at).arms;
            arms[direction] = arms[direction].max(weight);
        };
        if top == bottom {
            for column in left..right {
                arm([column, top], RIGHT);
                arm([column + 1, top], LEFTWARD);
            }
        } else if left == right {
            for row in top..bottom {
                arm([left, row], DOWN);
                arm([left, row + 1], UP);
            }
        } else {
            let falls = (from[0] < to[0]) == (from[1] < to[1]);
            for row in top + 1..bottom {
                let along = (row - top) as f32 / (bottom - top) as f32;
                let steps = (along * (right - left) as f32).round() as usize;
                let column = if falls { left + steps } else { right - steps };
                let letter = if falls { self.choose('╲', '\\') } else { self.choose('╱', '/') };
                self.put([column, row], letter, Ink::Plain);
            }
        }
    }

    fn choose(&self, full: char, ascii: char) -> char {
        if self.plain { ascii } else { full }
    }

    fn place(&mut self, view: &View<'_>, index: usize, spot: &Spot, shown: SpotContent) {
        let at = self.at([spot.x, spot.y]);
        if let Some(piece) = view.layout.piece(shown.mark) {
            let ink = if shown.highlighted { Ink::Decided } else { Ink::Tone(piece.colour) };
            self.put(at, glyph(view.layout, piece, self.plain), ink);
            if shown.highlighted && view.plain {
                self.put_around(at, ['*', '*'], ink);
            }
        } else if shown.mark == SpotContent::EMPTY && Self::invites(view, index) {
            let letter = self.choose('·', '.');
            self.put(at, letter, Ink::Dim);
        }
    }

    /// Whether an empty place is pointed out: where areas are lit, those in them.
    fn invites(view: &View<'_>, index: usize) -> bool {
        let mut areas = view.layout.spots.iter().zip(view.shown).filter(|(spot, _)| spot.is_area);
        let covers = |area: &Spot| covered(view, area).any(|(own, _)| own == index);
        !view.is_over
            && (areas.clone().next().is_none()
                || areas.any(|(spot, shown)| shown.highlighted && covers(spot)))
    }

    fn put_around(&mut self, [column, row]: [usize; 2], [left, right]: [char; 2], ink: Ink) {
        self.put([column.saturating_sub(1), row], left, ink);
        self.put([column + 1, row], right, ink);
    }

    fn mark_last(&mut self, view: &View<'_>, index: usize) {
        let (spot, shown) = (&view.layout.spots[index], view.shown[index]);
        let at = self.at([spot.x, spot.y]);
        let Some(piece) = view.layout.piece(shown.mark) else { return };
        if !shown.highlighted {
            self.put(at, glyph(view.layout, piece, self.plain), Ink::Tone(piece.colour));
        }
        if !view.plain {
            self.mark(at).marked = true;
        } else if !shown.highlighted {
            self.put_around(at, ['[', ']'], Ink::Plain);
        }
    }

    fn area(&mut self, view: &View<'_>, spot: &Spot, shown: SpotContent) {
        let half = spot.size / 2.0;
        let from = self.at([spot.x - half, spot.y - half]);
        let to = self.at([spot.x + half, spot.y + half]);
        let has_room = covered(view, spot).any(|(_, place)| place.mark == SpotContent::EMPTY);
        let is_decided = shown.highlighted && view.is_over;
        let is_open = has_room && !is_decided;
        let owner = view.layout.piece(shown.mark);
        let tone = owner.map_or(Ink::Plain, |piece| Ink::Tone(piece.colour));
        let ink = if is_decided { Ink::Decided } else { tone };
        match owner {
            Some(piece) if !is_open => {
                self.clear(from, to);
                self.large(piece, from, to, ink);
                if is_decided && view.plain {
                    let [left, right] = [from[0] + 1, to[0] - 1];
                    for at in [
                        [left, from[1] + 1],
                        [right, from[1] + 1],
                        [left, to[1] - 1],
                        [right, to[1] - 1],
                    ] {
                        self.put(at, '*', ink);
                    }
                }
            }
            Some(piece) => {
                let middle = usize::midpoint(from[0], to[0]);
                self.put([middle, from[1]], glyph(view.layout, piece, self.plain), ink);
            }
            None => {}
        }
        if shown.highlighted && !view.is_over {
            self.light(from, to);
        }
    }

    /// Takes away what is within a border.
    fn clear(&mut self, from: [usize; 2], to: [usize; 2]) {
        for row in from[1] + 1..to[1] {
            for column in from[0] + 1..to[0] {
                *self.mark([column, row]) = Mark::default();
            }
        }
        // The border keeps nothing that led inside.
        for column in from[0] + 1..to[0] {
            self.mark([column, from[1]]).arms[DOWN] = 0;
            self.mark([column, to[1]]).arms[UP] = 0;
        }
        for row in from[1] + 1..to[1] {
            self.mark([from[0], row]).arms[RIGHT] = 0;
            self.mark([to[0], row]).arms[LEFTWARD] = 0;
        }
    }

    /// A piece as large as there is room within a border.
    fn large(&mut self, piece: &Piece, from: [usize; 2], to: [usize; 2], ink: Ink) {
        let [top, bottom] = [from[1] + 1, to[1] - 1];
        // Twice as wide as high looks square.
        let reach = bottom - top;
        let middle = usize::midpoint(from[0], to[0]);
        let [left, right] = [middle - reach, middle + reach];
        match piece.shape {
            PieceShape::Cross => {
                for row in top..=bottom {
                    let steps = 2 * (row - top);
                    let [down, up] = [self.choose('╲', '\\'), self.choose('╱', '/')];
                    self.put([right - steps, row], up, ink);
                    self.put([left + steps, row], down, ink);
                    if left + steps == right - steps {
                        self.put([left + steps, row], self.choose('╳', 'X'), ink);
                    }
                }
            }
            PieceShape::Ring | PieceShape::Disc => {
                let (level, upright) = (self.choose('─', '-'), self.choose('│', '|'));
                for column in left + 1..right {
                    self.put([column, top], level, ink);
                    self.put([column, bottom], level, ink);
                }
                for row in top + 1..bottom {
                    self.put([left, row], upright, ink);
                    self.put([right, row], upright, ink);
                }
                let corners = [
                    ([left, top], '╭', '.'),
                    ([right, top], '╮', '.'),
                    ([left, bottom], '╰', '\''),
                    ([right, bottom], '╯', '\''),
                ];
                for (at, full, plain) in corners {
                    self.put(at, self.choose(full, plain), ink);
                }
            }
        }
    }

    /// Lights up a border.
    fn light(&mut self, from: [usize; 2], to: [usize; 2]) {
        for column in from[0]..=to[0] {
            for row in [from[1], to[1]] {
                self.light_at([column, row]);
            }
        }
        for row in from[1]..=to[1] {
            for column in [from[0], to[0]] {
                self.light_at([column, row]);
            }
        }
    }

    fn light_at(&mut self, at: [usize; 2]) {
        let mark = self.mark(at);
        if mark.letter.is_none() {
            mark.ink = Ink::Lit;
        }
    }

    fn lines(&self) -> Vec<Line> {
        let line = |marks: &[Mark]| {
            let used = marks.iter().rposition(|mark| self.letter(mark) != ' ');
            let mut line = Line::default();
            for mark in &marks[..used.map_or(0, |last| last + 1)] {
                line.push(&self.letter(mark).to_string(), mark.ink, mark.marked);
            }
            line
        };
        self.marks.chunks(self.columns).map(line).collect()
    }

    fn letter(&self, mark: &Mark) -> char {
        mark.letter.unwrap_or_else(|| crossing(mark.arms, self.plain))
    }
}

/// The character of a crossing of strokes. Where the strokes of one direction differ, the heavier
/// one counts.
fn crossing(arms: Arms, plain: bool) -> char {
    /// By the directions in which strokes leave; each with both thin, the level one heavy, the
    /// upright one heavy, both heavy.
    const CROSSINGS: [(Arms, [char; 4]); 11] = [
        ([1, 1, 0, 0], ['─', '━', '─', '━']),
        ([0, 0, 1, 1], ['│', '│', '┃', '┃']),
        ([1, 0, 1, 0], ['┌', '┍', '┎', '┏']),
        ([0, 1, 1, 0], ['┐', '┑', '┒', '┓']),
        ([1, 0, 0, 1], ['└', '┕', '┖', '┗']),
        ([0, 1, 0, 1], ['┘', '┙', '┚', '┛']),
        ([1, 0, 1, 1], ['├', '┝', '┠', '┣']),
        ([0, 1, 1, 1], ['┤', '┥', '┨', '┫']),
        ([1, 1, 1, 0], ['┬', '┯', '┰', '┳']),
        ([1, 1, 0, 1], ['┴', '┷', '┸', '┻']),
        ([1, 1, 1, 1], ['┼', '┿', '╂', '╋']),
    ];
    let present = arms.map(|weight| weight.min(1));
    let Some((_, letters)) = CROSSINGS.iter().find(|(own, _)| *own == present) else { return ' ' };
    let level = arms[RIGHT].max(arms[LEFTWARD]) == 2;
    let upright = arms[DOWN].max(arms[UP]) == 2;
    let letter = letters[usize::from(level) + 2 * usize::from(upright)];
    if !plain {
        return letter;
    }
    match (present, level, upright) {
        ([1, 1, 0, 0], false, _) => '-',
        ([1, 1, 0, 0], true, _) => '=',
        ([0, 0, 1, 1], _, false) => '|',
        ([0, 0, 1, 1], _, true) => '#',
        (_, false, false) => '+',
        (_, _, true) => '#',
        (_, true, false) => '=',
    }
}
