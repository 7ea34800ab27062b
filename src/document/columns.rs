//! Tables of text with aligned columns.

use unicode_width::UnicodeWidthStr;

use super::wrap_text;

const GAP: usize = 2;

/// Aligns the columns of a table, those in `right` to the right.
pub fn format_table(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    let widths = column_widths(rows);
    rows.iter().map(|row| format_row(row, &widths, right).trim_end().to_owned()).collect()
}

/// Aligns the columns of a table whose last one may be prose. If the table is wider than `columns`,
/// prose is wrapped; if too little space is left for it, it gets lines of its own.
pub fn format_wrapped_table(rows: &[Vec<String>], right: &[usize], columns: usize) -> Vec<String> {
    const MIN_WIDTH: usize = 20;
    const INDENT: usize = 6;
    let lines = format_table(rows, right);
    let mut widths = column_widths(rows);
    let Some(last) = widths.pop() else { return lines };
    if fits(&lines, columns) || right.contains(&widths.len()) {
        return lines;
    }
    let start: usize = widths.iter().map(|width| width + GAP).sum();
    let is_beside = columns.saturating_sub(start) >= last.min(MIN_WIDTH);
    let indent = if is_beside { start } else { INDENT };
    let format = |row: &Vec<String>| {
        let (cells, prose) = row.split_at(row.len().min(widths.len()));
        let prose = prose.concat();
        let mut first = format_row(cells, &widths, right);
        let mut prose = if prose.is_empty() {
            Vec::new()
        } else {
            wrap_text(&prose, columns.saturating_sub(indent))
        };
        if is_beside && !prose.is_empty() {
            first += &" ".repeat(start.saturating_sub(first.width()));
            first += &prose.remove(0);
        }
        let rest = prose.into_iter().map(|line| " ".repeat(indent) + &line);
        [first.trim_end().to_owned()].into_iter().chain(rest).collect::<Vec<_>>()
    };
    rows.iter().flat_map(format).collect()
}

/// Turns the rows of a table into columns.
pub fn transposed(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    (0..columns).map(|column| rows.iter().map(|row| cell(row, column)).collect()).collect()
}

/// Whether no line is wider than `columns`.
pub fn fits(lines: &[String], columns: usize) -> bool {
    lines.iter().all(|line| line.width() <= columns)
}

fn column_widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

fn format_row(cells: &[String], widths: &[usize], right: &[usize]) -> String {
    let mut line = String::new();
    for (column, cell) in cells.iter().enumerate() {
        let gap = if column > 0 { GAP } else { 0 };
        let padding = " ".repeat(widths[column] - cell.width());
        let [before, after] =
            if right.contains(&column) { [&*padding, ""] } else { ["", &*padding] };
        line += &[&" ".repeat(gap), before, cell, after].concat();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        vec![
            row(["2", "b3", "better: b2, which takes the centre"]),
            row(["10", "c", "更好的着法：b2（占据中心）"]),
        ]
    }

    #[test]
    fn prose_that_is_too_wide_continues_below_its_start() {
        assert_eq!(
            format_wrapped_table(&rows(), &[0], 80),
            [" 2  b3  better: b2, which takes the centre", "10  c   更好的着法：b2（占据中心）"]
        );
        assert_eq!(
            format_wrapped_table(&rows(), &[0], 30),
            [
                " 2  b3  better: b2, which",
                "        takes the centre",
                "10  c   更好的着法：b2（占据中",
                "        心）"
            ]
        );
    }

    #[test]
    fn prose_without_enough_space_gets_lines_of_its_own() {
        assert_eq!(
            format_wrapped_table(&rows()[..1], &[0], 24),
            ["2  b3", "      better: b2, which", "      takes the centre"]
        );
    }

    #[test]
    fn transposed_tables_have_rows_as_columns() {
        let rows = [vec!["a".to_owned(), "b".to_owned()], vec!["c".to_owned()]];
        assert_eq!(format_table(&transposed(&rows), &[]), ["a  c", "b"]);
    }
}
