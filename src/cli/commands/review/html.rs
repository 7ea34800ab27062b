//! The review as a page: players and turning points, then the viewer of the match report.

use std::path::Path;

use super::ReviewedGame;
use crate::arena::match_report::{HtmlReport, ReviewPage, render_html};
use crate::arena::tournament::scoreboard::Scoreboard;
use crate::document::escape_html;
use crate::interact::review::{player_cells, player_headings};
use crate::language::{Language, Values};
use crate::printing::printable;
use crate::records::Glyph;
use crate::records::{GameRecord, result_text};
use crate::statistics::ObservationUnit;
use crate::teaching::annotate::annotate;
use crate::teaching::review::MoveReview;

/// Renders reviewed games.
pub(super) fn render(path: &Path, games: &[ReviewedGame], language: Language) -> String {
    let records: Vec<GameRecord> = games.iter().map(annotated).collect();
    let mut scoreboard = Scoreboard::new([] as [String; 0], ObservationUnit::Games);
    records.iter().for_each(|record| scoreboard.add(record));
    let title = match games {
        [game] => {
            let [first, second] = game.record.players.each_ref().map(|name| printable(name));
            format!("{first} - {second}")
        }
        _ => path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
    };
    let review: String = games.iter().map(|game| section(game, language)).collect();
    render_html(&HtmlReport {
        title,
        setup: Vec::new(),
        scoreboard: &scoreboard,
        sprt: None,
        games: &records,
        review: Some(ReviewPage {
            html: &review,
            language: language.code(),
            texts: &language.report_texts(),
        }),
    })
}

/// Returns the record with its review, numbered as on the command line.
fn annotated(game: &ReviewedGame) -> GameRecord {
    let mut record = game.record.clone();
    annotate(&mut record, &game.review);
    record.number = game.number;
    record
}

/// Returns the section of a game: a table of its players and its turning points.
fn section(game: &ReviewedGame, language: Language) -> String {
    let ReviewedGame { number, record, review, effort, error } = game;
    let heading = format!(
        "{number}: {}, {} - {}, {}",
        language.game_title(&record.game),
        printable(&record.players[0]),
        printable(&record.players[1]),
        result_text(record.result)
    );
    let rows = record.players.iter().zip(&review.players);
    let rows = rows.map(|(name, player)| {
        row("td", &[vec![printable(name).to_string()], player_cells(player)].concat())
    });
    let table = row("th", &player_headings(language)) + &rows.collect::<String>();
    let turning_points: String = review
        .turning_points
        .iter()
        .map(|index| turning_point(*number, &review.moves[*index], language))
        .collect();
    let list = |heading, items| {
        format!("<h3>{}</h3><ol>{items}</ol>", escape_html(language.text(heading)))
    };
    let mut turning_points = match &turning_points[..] {
        "" => format!("<p>{}</p>", escape_html(language.text("grades.steady"))),
        items => list("grades.turningPoints", items),
    };
    if let Some(mv) = review.costliest_mistake() {
        turning_points += &list("grades.costliest", &turning_point(*number, mv, language));
    }
    let notice = error.as_ref().map_or(String::new(), |error| {
        let reviewed = review.moves.len();
        let notice = language.fill("error.reviewed", &[("reviewed", &reviewed), ("error", error)]);
        format!("<p class=\"notice\">{}</p>", escape_html(&notice))
    });
    let effort = effort.map_or(String::new(), |effort| language.review_effort(&effort));
    let legend = language.join_sentences(&[language.text("grades.legend").to_owned(), effort]);
    format!(
        "<section><h2>{}</h2>{notice}<div class=\"scroll\"><table>{table}</table></div>\
         <p class=\"note\">{}</p>{turning_points}</section>\n",
        escape_html(&heading),
        escape_html(&legend)
    )
}

fn row(kind: &str, cells: &[String]) -> String {
    let cell = |cell: &String| format!("<{kind}>{}</{kind}>", escape_html(cell));
    format!("<tr>{}</tr>", cells.iter().map(cell).collect::<String>())
}

/// Returns a list item with a link to the move in the viewer.
fn turning_point(number: u32, mv: &MoveReview, language: Language) -> String {
    let [before, after] = [mv.before, mv.after].map(|score| language.short_score(score));
    let better = language.better_move(mv) + &language.better_line(mv, usize::MAX);
    let values: &Values<'_> = &[("before", &before), ("after", &after), ("better", &better)];
    format!(
        "<li value=\"{ply}\"><a href=\"#game={number}&amp;ply={ply}\">{}</a> {}</li>",
        escape_html(&format!("{}{}", mv.mv, mv.mark.map_or("", Glyph::symbol))),
        escape_html(&language.fill("grades.values", values)),
        ply = mv.ply,
    )
}
