//! Draws a board with characters: box-drawing lines, letters and discs, or plain ASCII.
//!
//! One unit of a [`BoardLayout`] is four columns by two rows. In a narrow window, a board that is
//! divided by heavy lines is drawn smaller, without the thin ones. A large piece covers an area that
//! is decided.

use super::text::{TextLine, TextStyle};
use crate::rules::drawing::{BoardLayout, Label, Piece, PieceShape, Spot, SpotContent, Stroke};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardSize {
    /// With a line between any two squares.
    Full,
    /// With heavy lines only. Three squares between two of them have room for brackets.
    Compact,
}

impl BoardSize {
    /// Columns and rows per unit of the layout.
    fn unit(self) -> [f32; 2] {
        match self {
            Self::Full => [4.0, 2.0],
            Self::Compact => [10.0 / 3.0, 4.0 / 3.0],
        }
    }

    /// The largest size that fits into a number of columns, if one does.
    pub fn fitting(layout: &BoardLayout, columns: usize) -> Option<Self> {
        let is_divided = layout.strokes.iter().any(|stroke| stroke.heavy);
        let sizes = [Self::Full, Self::Compact].into_iter();
        sizes.filter(|size| *size == Self::Full || is_divided).find(|size| {
            LEFT_MARGIN + 1 + (layout.width * size.unit()[0]).round() as usize <= columns
        })
    }
}

/// Columns to the left of the board, for the rank labels.
const LEFT_MARGIN: usize = 2;

pub struct BoardView<'a> {
    pub layout: &'a BoardLayout,
    pub contents: &'a [SpotContent],
    /// Labels of this position, such as the gaps of Nim.
    pub extra_labels: &'a [Label],
    pub last_move: &'a [usize],
    /// Whether the game is over; highlighted spots then decided it.
    pub is_over: bool,
    /// Draw in ASCII, without colours.
    pub plain: bool,
    pub size: BoardSize,
}

/// The weight of the line from a character to its right, left, lower and upper neighbour: 0 is no
/// line, 1 a thin one, 2 a heavy one.
type LineWeights = [u8; 4];
const RIGHT: usize = 0;
const LEFT: usize = 1;
const DOWN: usize = 2;
const UP: usize = 3;

#[derive(Clone, Copy, Default)]
struct CanvasCell {
    lines: LineWeights,
    /// A character drawn over the lines.
    letter: Option<char>,
    style: TextStyle,
    inverted: bool,
}

struct Canvas {
    columns: usize,
    rows: usize,
    /// Rows above the board, for extra labels.
    top_margin: usize,
    /// Columns and rows per unit of the layout.
    unit: [f32; 2],
    cells: Vec<CanvasCell>,
    plain: bool,
}

/// Draws a board from top to bottom, without trailing spaces.
pub fn draw(view: &BoardView<'_>) -> Vec<TextLine> {
    let mut canvas = Canvas::new(view);
    let is_drawn = |stroke: &&Stroke| stroke.heavy || view.size == BoardSize::Full;
    for stroke in view.layout.strokes.iter().filter(is_drawn) {
        canvas.draw_stroke(stroke);
    }
    for label in view.layout.labels.iter().chain(view.extra_labels) {
        canvas.write_centred([label.x, label.y], &label.text, TextStyle::Dim);
    }
    for (index, (spot, content)) in view.layout.spots.iter().zip(view.contents).enumerate() {
        if !spot.is_area {
            canvas.draw_place(view, index, spot, *content);
        }
    }
    for (spot, content) in view.layout.spots.iter().zip(view.contents) {
        if spot.is_area {
            canvas.draw_area(view, spot, *content);
        }
    }
    for index in view.last_move {
        canvas.mark_last_move(view, *index);
    }
    canvas.into_lines()
}

pub fn piece_symbol(layout: &BoardLayout, piece: &Piece, plain: bool) -> char {
    match piece.shape {
        PieceShape::Disc if !plain => {
            let is_first = layout.pieces.first() == Some(piece);
            if is_first { '●' } else { '○' }
        }
        _ => piece.letter.to_ascii_uppercase(),
    }
}

/// The places inside an area, with their indices among the spots.
fn places_in<'a>(
    view: &'a BoardView<'_>,
    area: &'a Spot,
) -> impl Iterator<Item = (usize, SpotContent)> + 'a {
    let is_inside = |spot: &Spot| {
        let distance = (spot.x - area.x).abs().max((spot.y - area.y).abs());
        !spot.is_area && distance < area.size / 2.0
    };
    let spots = view.layout.spots.iter().zip(view.contents).enumerate();
    spots
        .filter(move |(_, (spot, _))| is_inside(spot))
        .map(|(index, (_, content))| (index, *content))
}

/// Whether a place is shown as playable when it is empty: if some areas are highlighted, only the
/// places in them are.
fn is_playable(view: &BoardView<'_>, index: usize) -> bool {
    let mut areas = view.layout.spots.iter().zip(view.contents).filter(|(spot, _)| spot.is_area);
    let contains = |area: &Spot| places_in(view, area).any(|(own, _)| own == index);
    let has_areas = areas.clone().next().is_some();
    !view.is_over
        && (!has_areas || areas.any(|(area, content)| content.highlighted && contains(area)))
}

impl Canvas {
    fn new(view: &BoardView<'_>) -> Self {
        let unit = view.size.unit();
        let columns = LEFT_MARGIN + 1 + (view.layout.width * unit[0]).round() as usize;
        let top_margin = usize::from(view.extra_labels.iter().any(|label| label.y < 0.0));
        // Both border rows count, and one row below them holds the file labels.
        let rows = top_margin + (view.layout.height * unit[1]).round() as usize + 2;
        let cells = vec![CanvasCell::default(); columns * rows];
        Self { columns, rows, top_margin, unit, cells, plain: view.plain }
    }

    /// Converts layout coordinates to column and row.
    fn to_canvas(&self, [x, y]: [f32; 2]) -> [usize; 2] {
        let convert = |value: f32, unit: f32, margin: usize| {
            // Labels before the border keep their distance.
            let scaled = if value < 0.0 { (value * unit).floor() } else { (value * unit).round() };
            let position = scaled as isize + margin as isize;
            position.max(0) as usize
        };
        [convert(x, self.unit[0], LEFT_MARGIN), convert(y, self.unit[1], self.top_margin)]
    }

    fn cell(&mut self, [column, row]: [usize; 2]) -> &mut CanvasCell {
        let [column, row] = [column.min(self.columns - 1), row.min(self.rows - 1)];
        &mut self.cells[row * self.columns + column]
    }

    fn put(&mut self, at: [usize; 2], letter: char, style: TextStyle) {
        *self.cell(at) = CanvasCell { letter: Some(letter), style, ..CanvasCell::default() };
    }

    fn put_beside(&mut self, at: [usize; 2], [left, right]: [char; 2], style: TextStyle) {
        let [column, row] = at;
        self.put([column.saturating_sub(1), row], left, style);
        self.put([column + 1, row], right, style);
    }

    fn write_centred(&mut self, centre: [f32; 2], text: &str, style: TextStyle) {
        let [column, row] = self.to_canvas(centre);
        let begin = column.saturating_sub(text.chars().count() / 2);
        for (index, letter) in text.chars().enumerate() {
            self.put([begin + index, row], letter, style);
        }
    }

    fn draw_stroke(&mut self, stroke: &Stroke) {
        let weight = if stroke.heavy { 2 } else { 1 };
        let [from, to] = [self.to_canvas(stroke.from), self.to_canvas(stroke.to)];
        let [left, right] = [from[0].min(to[0]), from[0].max(to[0])];
        let [top, bottom] = [from[1].min(to[1]), from[1].max(to[1])];
        let mut add_line = |at: [usize; 2], direction: usize| {
            let lines = &mut self.cell(at).lines;
            lines[direction] = lines[direction].max(weight);
        };
        if top == bottom {
            for column in left..right {
                add_line([column, top], RIGHT);
                add_line([column + 1, top], LEFT);
            }
        } else if left == right {
            for row in top..bottom {
                add_line([left, row], DOWN);
                add_line([left, row + 1], UP);
            }
        } else {
            let falls = (from[0] < to[0]) == (from[1] < to[1]);
            for row in top + 1..bottom {
                let fraction = (row - top) as f32 / (bottom - top) as f32;
                let steps = (fraction * (right - left) as f32).round() as usize;
                let column = if falls { left + steps } else { right - steps };
                let letter = if falls { self.select('╲', '\\') } else { self.select('╱', '/') };
                self.put([column, row], letter, TextStyle::Plain);
            }
        }
    }

    /// Selects between a Unicode character and its ASCII substitute.
    fn select(&self, unicode: char, ascii: char) -> char {
        if self.plain { ascii } else { unicode }
    }

    fn draw_place(
        &mut self,
        view: &BoardView<'_>,
        index: usize,
        spot: &Spot,
        content: SpotContent,
    ) {
        let at = self.to_canvas([spot.x, spot.y]);
        if let Some(piece) = view.layout.piece(content.mark) {
            let style = if content.highlighted {
                TextStyle::Winning
            } else {
                TextStyle::Piece(piece.colour)
            };
            self.put(at, piece_symbol(view.layout, piece, self.plain), style);
            if content.highlighted && view.plain {
                self.put_beside(at, ['*', '*'], style);
            }
        } else if content.mark == SpotContent::EMPTY && is_playable(view, index) {
            let letter = self.select('·', '.');
            self.put(at, letter, TextStyle::Dim);
        }
    }

    /// Marks a piece that the last move placed or moved.
    fn mark_last_move(&mut self, view: &BoardView<'_>, index: usize) {
        let (spot, content) = (&view.layout.spots[index], view.contents[index]);
        let at = self.to_canvas([spot.x, spot.y]);
        let Some(piece) = view.layout.piece(content.mark) else { return };
        if !content.highlighted {
            let symbol = piece_symbol(view.layout, piece, self.plain);
            self.put(at, symbol, TextStyle::Piece(piece.colour));
        }
        if !view.plain {
            self.cell(at).inverted = true;
        } else if !content.highlighted {
            self.put_beside(at, ['[', ']'], TextStyle::Plain);
        }
    }

    /// Draws the state of an area: a large piece if it is decided and closed, a small one on the
    /// border if it is decided but still open, and a coloured border if it may be played in.
    fn draw_area(&mut self, view: &BoardView<'_>, spot: &Spot, content: SpotContent) {
        let half = spot.size / 2.0;
        let from = self.to_canvas([spot.x - half, spot.y - half]);
        let to = self.to_canvas([spot.x + half, spot.y + half]);
        let has_empty_place =
            places_in(view, spot).any(|(_, place)| place.mark == SpotContent::EMPTY);
        let is_winning = content.highlighted && view.is_over;
        let is_open = has_empty_place && !is_winning;
        if let Some(piece) = view.layout.piece(content.mark) {
            let style =
                if is_winning { TextStyle::Winning } else { TextStyle::Piece(piece.colour) };
            if is_open {
                let middle = usize::midpoint(from[0], to[0]);
                let symbol = piece_symbol(view.layout, piece, self.plain);
                self.put([middle, from[1]], symbol, style);
            } else {
                self.clear_inside(from, to);
                self.draw_large(piece, from, to, style);
                if is_winning && view.plain {
                    for row in [from[1] + 1, to[1] - 1] {
                        for column in [from[0] + 1, to[0] - 1] {
                            self.put([column, row], '*', style);
                        }
                    }
                }
            }
        }
        if content.highlighted && !view.is_over {
            self.highlight_border(from, to);
        }
    }

    fn clear_inside(&mut self, from: [usize; 2], to: [usize; 2]) {
        for row in from[1] + 1..to[1] {
            for column in from[0] + 1..to[0] {
                *self.cell([column, row]) = CanvasCell::default();
            }
        }
        // Lines that led from the border to the inside.
        for column in from[0] + 1..to[0] {
            self.cell([column, from[1]]).lines[DOWN] = 0;
            self.cell([column, to[1]]).lines[UP] = 0;
        }
        for row in from[1] + 1..to[1] {
            self.cell([from[0], row]).lines[RIGHT] = 0;
            self.cell([to[0], row]).lines[LEFT] = 0;
        }
    }

    /// Draws a piece as large as fits inside a border.
    fn draw_large(&mut self, piece: &Piece, from: [usize; 2], to: [usize; 2], style: TextStyle) {
        let [top, bottom] = [from[1] + 1, to[1] - 1];
        // A character cell is about twice as tall as it is wide.
        let half_width = bottom - top;
        let middle = usize::midpoint(from[0], to[0]);
        let [left, right] = [middle - half_width, middle + half_width];
        match piece.shape {
            PieceShape::Cross => {
                let [falling, rising] = [self.select('╲', '\\'), self.select('╱', '/')];
                for row in top..=bottom {
                    let steps = 2 * (row - top);
                    self.put([right - steps, row], rising, style);
                    self.put([left + steps, row], falling, style);
                    if left + steps == right - steps {
                        self.put([left + steps, row], self.select('╳', 'X'), style);
                    }
                }
            }
            PieceShape::Ring | PieceShape::Disc => {
                let (horizontal, vertical) = (self.select('─', '-'), self.select('│', '|'));
                for column in left + 1..right {
                    self.put([column, top], horizontal, style);
                    self.put([column, bottom], horizontal, style);
                }
                for row in top + 1..bottom {
                    self.put([left, row], vertical, style);
                    self.put([right, row], vertical, style);
                }
                let corners = [
                    ([left, top], '╭', '.'),
                    ([right, top], '╮', '.'),
                    ([left, bottom], '╰', '\''),
                    ([right, bottom], '╯', '\''),
                ];
                for (at, unicode, ascii) in corners {
                    self.put(at, self.select(unicode, ascii), style);
                }
            }
        }
    }

    fn highlight_border(&mut self, from: [usize; 2], to: [usize; 2]) {
        let horizontal =
            (from[0]..=to[0]).flat_map(|column| [from[1], to[1]].map(|row| [column, row]));
        let vertical =
            (from[1]..=to[1]).flat_map(|row| [from[0], to[0]].map(|column| [column, row]));
        for at in horizontal.chain(vertical) {
            let cell = self.cell(at);
            if cell.letter.is_none() {
                cell.style = TextStyle::Playable;
            }
        }
    }

    fn into_lines(self) -> Vec<TextLine> {
        let to_line = |cells: &[CanvasCell]| {
            let last = cells.iter().rposition(|cell| self.letter(cell) != ' ');
            let mut line = TextLine::default();
            for cell in &cells[..last.map_or(0, |last| last + 1)] {
                line.push(&self.letter(cell).to_string(), cell.style, cell.inverted);
            }
            line
        };
        self.cells.chunks(self.columns).map(to_line).collect()
    }

    fn letter(&self, cell: &CanvasCell) -> char {
        cell.letter.unwrap_or_else(|| line_character(cell.lines, self.plain))
    }
}

/// The character for the lines that meet in a cell. If opposite lines differ in weight, the heavier
/// one counts.
fn line_character(lines: LineWeights, plain: bool) -> char {
    /// By the directions present. The characters are: both thin, horizontal heavy, vertical heavy,
    /// both heavy.
    const CHARACTERS: [(LineWeights, [char; 4]); 11] = [
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
    let present = lines.map(|weight| weight.min(1));
    let Some((_, characters)) = CHARACTERS.iter().find(|(own, _)| *own == present) else {
        return ' ';
    };
    let is_horizontal_heavy = lines[RIGHT].max(lines[LEFT]) == 2;
    let is_vertical_heavy = lines[DOWN].max(lines[UP]) == 2;
    if !plain {
        return characters[usize::from(is_horizontal_heavy) + 2 * usize::from(is_vertical_heavy)];
    }
    match (present, is_horizontal_heavy, is_vertical_heavy) {
        ([1, 1, 0, 0], false, _) => '-',
        ([1, 1, 0, 0], true, _) => '=',
        ([0, 0, 1, 1], _, false) => '|',
        ([0, 0, 1, 1], _, true) => '#',
        (_, false, false) => '+',
        (_, _, true) => '#',
        (_, true, false) => '=',
    }
}
