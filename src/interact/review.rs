//! The review of a game as text: a table of its moves, a table of its players, its turning points.

use crate::document::columns::{fits, format_table, format_wrapped_table, transposed};
use crate::language::{Language, Values};
use crate::reasons::Reason;
use crate::records::{Glyph, ValueKeepingMoves};
use crate::teaching::review::{GameReview, MoveReview, PlayerReview, ReviewOptions};

/// The maximum number of moves of a line in a table.
const MAX_LINE: usize = 6;

/// The loss of expected score below which another move is not called better.
pub(super) const MIN_LOSS: f64 = 0.03;

impl Language {
    /// A heading above a list.
    fn list_heading(self, key: &str) -> String {
        self.fill("grades.heading", &[("text", &self.text(key))])
    }

    /// Makes a sentence of words such as the reasons for a move.
    fn sentence(self, words: &str) -> String {
        self.fill("grades.sentence", &[("text", &words)])
    }

    /// The move that was better than the one played, and the reasons for it.
    pub fn better_move(self, mv: &MoveReview) -> String {
        let reasons = self.bracketed_reasons(&mv.best_reasons);
        self.fill("grades.better", &[("move", &mv.best_move()), ("reasons", &reasons)])
    }

    /// The moves expected after the better one, up to `max_line` with it; empty if there are none.
    pub fn better_line(self, mv: &MoveReview, max_line: usize) -> String {
        match &mv.best_line[..mv.best_line.len().min(max_line)] {
            [_, rest @ ..] if !rest.is_empty() => {
                self.fill("grades.line", &[("moves", &rest.join(" "))])
            }
            _ => String::new(),
        }
    }

    /// How much was searched per move.
    pub fn review_effort(self, options: &ReviewOptions) -> String {
        let nodes = options.nodes.map(|nodes| self.fill("grades.nodes", &[("nodes", &nodes)]));
        let time = options.time.map(|time| {
            let seconds = time.as_millis() as f64 / 1000.0;
            self.fill("grades.time", &[("seconds", &seconds)])
        });
        self.join_sentences(&[nodes, time].into_iter().flatten().collect::<Vec<_>>())
    }

    /// The reasons for and against a reviewed move, and what was better. Of a mistake, only what speaks against
    /// it, and how the opponent answers.
    pub fn reviewed_move(self, review: &GameReview, mv: &MoveReview, max_line: usize) -> String {
        let is_mistake = is_mistake(mv);
        let said = mv.reasons.iter().filter(|reason| !is_mistake || reason.is_drawback());
        let reasons = self.reasons(&said.cloned().collect::<Vec<_>>());
        let mut sentences = Vec::new();
        if !reasons.is_empty() {
            sentences.push(self.sentence(&reasons));
        } else if !is_mistake && mv.before.proven().is_none() && mv.had_choice() {
            let ValueKeepingMoves { count, legal, .. } = mv.keeping;
            let quiet = self.fill("grades.quiet", &[("count", &count), ("legal", &legal)]);
            sentences.push(self.sentence(&quiet));
        }
        if let Some(next) = refutation(review, mv) {
            let refutation = self.refutation(&next.best_line, next.reasons_for_best());
            sentences.push(refutation.trim_start().to_owned());
        }
        if is_improvable(mv) {
            let better = self.better_move(mv) + &self.better_line(mv, max_line);
            sentences.push(self.sentence(&better));
        }
        self.join_sentences(&sentences)
    }
}

/// The position after a mistake, whose best move refutes it.
fn refutation<'a>(review: &'a GameReview, mv: &MoveReview) -> Option<&'a MoveReview> {
    review.move_after(mv).filter(|next| is_mistake(mv) && !next.best_line.is_empty())
}

/// The reply that refutes a mistake, if the move is one, and the squares and boards that the reasons for and
/// against the move turn on.
pub fn turning_places<'a>(
    review: &'a GameReview,
    mv: &MoveReview,
) -> (Option<&'a str>, Vec<String>) {
    let reply = refutation(review, mv);
    let own = mv.reasons.iter().filter(|reason| !is_mistake(mv) || reason.is_drawback());
    let answers = reply.into_iter().flat_map(MoveReview::reasons_for_best);
    (reply.map(MoveReview::best_move), own.chain(answers).flat_map(Reason::places).collect())
}

/// Whether a move is marked as a mistake, however small.
pub(super) fn is_mistake(mv: &MoveReview) -> bool {
    mv.mark.is_some_and(|mark| mark != Glyph::OnlyMove)
}

/// Whether another move was better; equally good moves are no improvement. Of a move without a mark, only
/// if something can be said for the other one.
pub fn is_improvable(mv: &MoveReview) -> bool {
    let has_reason = || mv.best_reasons.iter().any(|reason| !reason.is_drawback());
    mv.best_move() != mv.mv && mv.loss() >= MIN_LOSS && (mv.mark.is_some() || has_reason())
}

/// Returns the review as lines: every move, then the players, the effort if moves were searched, and the
/// turning points. Empty names are replaced. Tables that are wider than `columns` are wrapped or turned;
/// sentences are not.
pub fn review_lines(
    review: &GameReview,
    names: [&str; 2],
    effort: Option<&ReviewOptions>,
    language: Language,
    columns: usize,
) -> Vec<String> {
    let names = player_names(names, language);
    let header = ["ply", "player", "move", "", "before", "after", "keep", "betterLine"];
    let mut rows = vec![header.map(|name| heading(name, language)).to_vec()];
    rows.extend(review.moves.iter().map(|mv| move_row(mv, &names, language)));
    let mut lines = format_wrapped_table(&rows, &[0], columns);
    if review.moves.len() < review.plies {
        let (reviewed, plies) = (review.moves.len(), review.plies);
        let values: &Values<'_> = &[("reviewed", &reviewed), ("plies", &plies)];
        lines.push(language.fill("grades.stopped", values));
    }
    lines.push(String::new());
    lines.extend(player_lines(review, &names, language, columns));
    lines.extend(effort.map(|effort| language.review_effort(effort)));
    lines.push(String::new());
    lines.extend(turning_point_lines(review, &names, language, columns));
    lines
}

/// The heading of a column of a review, by its name in the table of texts.
pub fn heading(name: &str, language: Language) -> String {
    if name.is_empty() {
        String::new()
    } else {
        language.text(&format!("grades.{name}")).to_owned()
    }
}

pub fn player_headings(language: Language) -> Vec<String> {
    let mut headings =
        ["player", "accuracy", "meanLoss"].map(|name| heading(name, language)).to_vec();
    headings.extend(Glyph::ALL.map(|mark| mark.to_string()));
    headings.push(heading("proven", language));
    headings
}

/// Returns the table of the players, or its columns as rows if it is too wide.
fn player_lines(
    review: &GameReview,
    names: &[String; 2],
    language: Language,
    columns: usize,
) -> Vec<String> {
    let rows = names.iter().zip(&review.players);
    let rows = rows.map(|(name, player)| [vec![name.clone()], player_cells(player)].concat());
    let rows: Vec<Vec<String>> = [player_headings(language)].into_iter().chain(rows).collect();
    let mut lines = match format_table(&rows, &[1, 2, 3, 4, 5, 6, 7]) {
        lines if fits(&lines, columns) => lines,
        _ => format_table(&transposed(&rows), &[1, 2]),
    };
    lines.extend(
        ["grades.legend", "grades.accuracyLegend"].map(|key| language.text(key).to_owned()),
    );
    if review.moves.iter().any(|mv| mv.is_book) {
        lines.push(language.text("grades.bookLegend").to_owned());
    }
    lines
}

/// The cells of a player: accuracy, mean loss, the number of each mark, proven and total moves.
pub fn player_cells(player: &PlayerReview) -> Vec<String> {
    let accuracy = player.accuracy.map_or("-".to_owned(), |percent| format!("{percent:.1} %"));
    let count = |mark| match (player.marks.proven(mark), player.marks.estimated(mark)) {
        (0, 0) => "0".to_owned(),
        (proven, estimated) => format!("{proven}+{estimated}"),
    };
    let mut cells = vec![accuracy, format!("{:.1} %", 100.0 * player.mean_loss)];
    cells.extend(Glyph::ALL.map(count));
    cells.push(format!("{}/{}", player.proven_moves, player.moves));
    cells
}

fn turning_point_lines(
    review: &GameReview,
    names: &[String; 2],
    language: Language,
    columns: usize,
) -> Vec<String> {
    let moves: Vec<&MoveReview> =
        review.turning_points.iter().map(|index| &review.moves[*index]).collect();
    let mut lines = match &moves[..] {
        [] => vec![language.text("grades.steady").to_owned()],
        moves => mistake_lines("grades.turningPoints", moves, names, language, columns),
    };
    if let Some(mv) = review.costliest_mistake() {
        lines.extend(mistake_lines("grades.costliest", &[mv], names, language, columns));
    }
    lines
}

/// A heading, then a line for each mistake: who made it, that player's score before and after it, and the
/// better move. The names are left out where there is no room for them.
fn mistake_lines(
    heading: &str,
    moves: &[&MoveReview],
    names: &[String; 2],
    language: Language,
    columns: usize,
) -> Vec<String> {
    const INDENT: usize = 2;
    let columns = columns.saturating_sub(INDENT);
    let mistake_row = |mv: &&MoveReview| {
        let scores = [mv.before, mv.after].map(|score| language.short_score(score));
        vec![mv.ply.to_string(), names[mv.side.index()].clone(), marked(mv), scores.join(" → ")]
    };
    let mut rows: Vec<Vec<String>> = moves.iter().map(mistake_row).collect();
    if !fits(&format_table(&rows, &[0]), columns) {
        rows.iter_mut().for_each(|row| drop(row.remove(1)));
    }
    rows.iter_mut().zip(moves).for_each(|(row, mv)| row.push(language.better_move(mv)));
    let table = format_wrapped_table(&rows, &[0], columns);
    let table = table.into_iter().map(|line| format!("{:INDENT$}{line}", ""));
    [language.list_heading(heading)].into_iter().chain(table).collect()
}

fn move_row(mv: &MoveReview, names: &[String; 2], language: Language) -> Vec<String> {
    let mark =
        if mv.is_book { language.text("grades.book") } else { mv.mark.map_or("", Glyph::symbol) };
    let ValueKeepingMoves { count, legal, is_proven } = mv.keeping;
    vec![
        mv.ply.to_string(),
        names[mv.side.index()].clone(),
        mv.mv.clone(),
        mark.to_owned(),
        language.short_score(mv.before),
        language.short_score(mv.after),
        format!("{}{count}/{legal}", if is_proven { "" } else { "~" }),
        if is_improvable(mv) { shorten(&mv.best_line) } else { String::new() },
    ]
}

fn marked(mv: &MoveReview) -> String {
    format!("{}{}", mv.mv, mv.mark.map_or("", Glyph::symbol))
}

fn shorten(line: &[String]) -> String {
    let more = if line.len() > MAX_LINE { " …" } else { "" };
    line[..line.len().min(MAX_LINE)].join(" ") + more
}

/// The names, or first and second for those that are empty.
fn player_names(names: [&str; 2], language: Language) -> [String; 2] {
    let [first, second] = names;
    [(first, "first"), (second, "second")].map(|(name, place)| {
        if name.is_empty() { heading(place, language) } else { name.to_owned() }
    })
}
