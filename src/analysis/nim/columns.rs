//! Draws gaps as heaps, with their binary digits in columns and the nim-sum below.

use std::fmt::Write;

use super::nim_sum;
use crate::document::Figure;
use crate::language::Language;

/// The binary digits of a gap.
const DIGITS: [u8; 3] = [4, 2, 1];

pub(super) fn binary(gap: u8) -> String {
    DIGITS.iter().map(|digit| if gap & digit == 0 { '0' } else { '1' }).collect()
}

pub(super) fn figure(name: &'static str, gaps: &[u8], language: Language) -> Figure {
    Figure { name, svg: svg(gaps, language), diagram: Some(diagram(gaps, language)) }
}

/// A line for each gap and one for the nim-sum.
fn diagram(gaps: &[u8], language: Language) -> String {
    let line = |number: u8| format!("{number} = {}\n", binary(number));
    let label = language.text("nim.sum");
    let indent = " ".repeat(unicode_width::UnicodeWidthStr::width(label) + 3);
    let lines: String = gaps.iter().map(|gap| format!("{indent}{}", line(*gap))).collect();
    let sum = nim_sum(gaps.iter().copied());
    let rule = format!("{indent}{}\n", "-".repeat("0 = 000".len()));
    format!("{lines}{rule}{label} = {}", line(sum))
}

const ROW: f32 = 34.0;
/// The left ends of the heaps, the numbers and the binary digits.
const HEAP_LEFT: f32 = 110.0;
const STONE: f32 = 26.0;
const INK: &str = "var(--ink)";
const SOFT: &str = "var(--soft)";
const ODD: &str = "var(--alarm)";

fn svg(gaps: &[u8], language: Language) -> String {
    let greatest = gaps.iter().copied().max().unwrap_or(0);
    let number_left = HEAP_LEFT + f32::from(greatest) * STONE + 40.0;
    let digit_left = |index: usize| number_left + 60.0 + index as f32 * 34.0;
    let width = digit_left(DIGITS.len()) + 50.0;
    let height = (gaps.len() as f32 + 2.4) * ROW;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"18\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"var(--paper)\"/>\n"
    );
    let mut write = |x: f32, y: f32, anchor: &str, colour: &str, written: &str| {
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{written}</text>",
            y + 6.0
        );
    };
    let sum = nim_sum(gaps.iter().copied());
    for (index, weight) in DIGITS.into_iter().enumerate() {
        let x = digit_left(index);
        write(x, ROW * 0.7, "middle", SOFT, &weight.to_string());
        for (row, gap) in gaps.iter().copied().chain([sum]).enumerate() {
            let is_sum = row == gaps.len();
            let is_odd = gap & weight != 0;
            let y = line(row) + if is_sum { 0.25 * ROW } else { 0.0 };
            let colour = match (is_sum, is_odd) {
                (true, true) => ODD,
                (false, false) => "var(--drawn)",
                _ => INK,
            };
            write(x, y, "middle", colour, if is_odd { "1" } else { "0" });
        }
    }
    for (row, gap) in gaps.iter().enumerate() {
        let file = char::from(b'a' + row as u8).to_string();
        write(HEAP_LEFT - 40.0, line(row), "end", SOFT, &file);
        write(number_left, line(row), "end", INK, &gap.to_string());
    }
    let y = line(gaps.len()) + 0.25 * ROW;
    write(number_left, y, "end", INK, &format!("{} {sum}", language.text("nim.sum")));
    for (row, gap) in gaps.iter().enumerate() {
        for stone in 0..*gap {
            let x = HEAP_LEFT + f32::from(stone) * STONE;
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"10\" fill=\"{SOFT}\"/>",
                line(row)
            );
        }
    }
    let rule = line(gaps.len()) - 0.4 * ROW;
    let _ = writeln!(
        text,
        "<line x1=\"{:.1}\" y1=\"{rule:.1}\" x2=\"{:.1}\" y2=\"{rule:.1}\" stroke=\"{SOFT}\"/>",
        number_left - 10.0,
        digit_left(DIGITS.len()) - 14.0
    );
    text + "</svg>\n"
}

/// The height of the middle of a row.
fn line(row: usize) -> f32 {
    (row as f32 + 1.5) * ROW
}
