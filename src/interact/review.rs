//! The review of a game as text: a table of its moves, a table of its players, its turning points.

use super::messages::Language;
use crate::document::columns::{fits, format_table, format_wrapped_table, transposed};
use crate::records::Glyph;
use crate::teaching::review::{GameReview, MoveReview, PlayerReview};

/// The maximum number of moves of a line in a table.
const MAX_LINE: usize = 6;

/// Returns the review as lines: every move, then the players and the turning points. Empty names are
/// replaced. Tables that are wider than `columns` are wrapped or turned; sentences are not.
#[must_use]
pub fn review_lines(
    review: &GameReview,
    names: [&str; 2],
    language: Language,
    columns: usize,
) -> Vec<String> {
    let text = language.review_text();
    let names = player_names(names, language);
    let mut rows =
        vec![row([text.ply, text.player, text.mv, "", text.before, text.after, text.keep])];
    rows[0].push(text.better.to_owned());
    rows.extend(review.moves.iter().map(|mv| move_row(mv, &names, language)));
    let mut lines = format_wrapped_table(&rows, &[0], columns);
    if review.moves.len() < review.plies {
        lines.push(language.incomplete_review(review.moves.len(), review.plies));
    }
    lines.push(String::new());
    lines.extend(player_lines(review, &names, language, columns));
    lines.push(String::new());
    lines.extend(turning_point_lines(review, language, columns));
    lines
}

/// Returns the table of the players, or its columns as rows if it is too wide.
fn player_lines(
    review: &GameReview,
    names: &[String; 2],
    language: Language,
    columns: usize,
) -> Vec<String> {
    let text = language.review_text();
    let mut header = row([text.player, text.accuracy, text.mean_loss]);
    header.extend(Glyph::ALL.map(|mark| mark.to_string()));
    header.push(text.proven.to_owned());
    let rows = names.iter().zip(&review.players).map(|(name, player)| player_row(name, player));
    let rows: Vec<Vec<String>> = [header].into_iter().chain(rows).collect();
    let mut lines = match format_table(&rows, &[1, 2, 3, 4, 5, 6, 7]) {
        lines if fits(&lines, columns) => lines,
        _ => format_table(&transposed(&rows), &[1, 2]),
    };
    lines.push(text.legend.to_owned());
    if review.moves.iter().any(|mv| mv.is_book) {
        lines.push(text.book_legend.to_owned());
    }
    lines
}

/// The cells of a player: accuracy, mean loss, the number of each mark, proven and total moves.
#[must_use]
pub fn player_cells(player: &PlayerReview) -> Vec<String> {
    let accuracy = player.accuracy.map_or("-".to_owned(), |percent| format!("{percent:.1} %"));
    let count = |mark| match (player.marks.proven(mark), player.marks.estimated(mark)) {
        (0, 0) => "0".to_owned(),
        (proven, estimated) => format!("{proven}+{estimated}"),
    };
    let mut cells = vec![accuracy, format!("{:.3}", player.mean_loss)];
    cells.extend(Glyph::ALL.map(count));
    cells.push(format!("{}/{}", player.proven_moves, player.moves));
    cells
}

fn player_row(name: &str, player: &PlayerReview) -> Vec<String> {
    [vec![name.to_owned()], player_cells(player)].concat()
}

fn turning_point_lines(review: &GameReview, language: Language, columns: usize) -> Vec<String> {
    let text = language.review_text();
    let moves: Vec<&MoveReview> =
        review.turning_points.iter().map(|index| &review.moves[*index]).collect();
    let mut lines = match &moves[..] {
        [] => vec![text.steady.to_owned()],
        moves => mistake_lines(text.turning_points, moves, language, columns),
    };
    if let Some(mv) = review.costliest_mistake() {
        lines.extend(mistake_lines(text.costliest, &[mv], language, columns));
    }
    lines
}

/// A heading, then a line for each mistake with the better move.
fn mistake_lines(
    heading: &str,
    moves: &[&MoveReview],
    language: Language,
    columns: usize,
) -> Vec<String> {
    const INDENT: usize = 2;
    let mistake_row = |mv: &&MoveReview| {
        let scores = [mv.before, mv.after].map(|score| language.short_score(score));
        let better = language.better_move(mv.best_move(), &mv.best_reasons);
        row([&mv.ply.to_string(), &marked(mv), &scores.join(" → "), &better])
    };
    let rows: Vec<Vec<String>> = moves.iter().map(mistake_row).collect();
    let table = format_wrapped_table(&rows, &[0], columns.saturating_sub(INDENT));
    let table = table.into_iter().map(|line| format!("{:INDENT$}{line}", ""));
    [language.heading(heading)].into_iter().chain(table).collect()
}

fn move_row(mv: &MoveReview, names: &[String; 2], language: Language) -> Vec<String> {
    // Equally good moves are no improvement.
    const MIN_LOSS: f64 = 0.03;
    let is_better = mv.best_move() != mv.mv && mv.loss() >= MIN_LOSS;
    vec![
        mv.ply.to_string(),
        names[mv.side.index()].clone(),
        mv.mv.clone(),
        match mv.mark {
            _ if mv.is_book => language.review_text().book.to_owned(),
            mark => mark.map_or(String::new(), |mark| mark.to_string()),
        },
        language.short_score(mv.before),
        language.short_score(mv.after),
        language.keeping(mv.keeping),
        if is_better { shorten(&mv.best_line) } else { String::new() },
    ]
}

/// The move with its mark.
fn marked(mv: &MoveReview) -> String {
    format!("{}{}", mv.mv, mv.mark.map_or("", Glyph::symbol))
}

fn shorten(line: &[String]) -> String {
    let more = if line.len() > MAX_LINE { " …" } else { "" };
    line[..line.len().min(MAX_LINE)].join(" ") + more
}

fn player_names(names: [&str; 2], language: Language) -> [String; 2] {
    let replace = |(name, own): (&str, &str)| if name.is_empty() { own } else { name }.to_owned();
    let [first, second] = language.review_text().players;
    [replace((names[0], first)), replace((names[1], second))]
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}
