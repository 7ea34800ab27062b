//! The review as a page: players and the moves that mattered, above the viewer of the games.

use super::review::{is_mistake, player_cells, player_headings};
use crate::document::escape_html;
use crate::language::Language;
use crate::printing::printable;
use crate::records::{GameRecord, Glyph, result_text};
use crate::teaching::annotate::annotate;
use crate::teaching::review::{GameReview, MoveReview, ReviewOptions};
use crate::thinking::registry;
use crate::viewer::{ViewerData, ViewerPage};

#[derive(Debug, Clone)]
pub struct ReviewedGame {
    pub number: u32,
    pub record: GameRecord,
    pub review: GameReview,
    /// The limits of its searches; `None` if there were none.
    pub effort: Option<ReviewOptions>,
    /// What is wrong with the game after its reviewed moves.
    pub error: Option<String>,
}

/// Renders reviewed games. `name` is the title of several; `is_flipped` shows the boards from the second
/// player's side.
pub fn review_page(
    name: &str,
    games: &[ReviewedGame],
    language: Language,
    is_flipped: bool,
) -> String {
    let title = match games {
        [game] => {
            let [first, second] = game.record.players.each_ref().map(|name| printable(name));
            format!("{first} - {second}")
        }
        _ => name.to_owned(),
    };
    let page = ViewerPage {
        title: &title,
        kicker: "Review",
        language,
        head: "",
        sections: &games.iter().map(|game| section(game, language)).collect::<String>(),
        scripts: "",
    };
    let records: Vec<GameRecord> = games.iter().map(annotated).collect();
    page.render(&ViewerData::of_review(&records, language, is_flipped))
}

/// Returns the record with its review, numbered as on the command line.
fn annotated(game: &ReviewedGame) -> GameRecord {
    let mut record = game.record.clone();
    annotate(&mut record, &game.review);
    record.number = game.number;
    record
}

/// Returns the section of a game: a table of its players, its turning points and mistakes.
fn section(game: &ReviewedGame, language: Language) -> String {
    let ReviewedGame { number, record, review, effort, error } = game;
    let heading = format!(
        "{number}: {}, {} - {}, {}",
        language.game_title(&record.game),
        printable(&record.players[0]),
        printable(&record.players[1]),
        result_text(record.result)
    );
    let heading = escape_html(&heading);
    let rows = record.players.iter().zip(&review.players);
    let rows = rows.map(|(name, player)| {
        row("td", &[vec![printable(name).to_string()], player_cells(player)].concat())
    });
    let table = row("th", &player_headings(language)) + &rows.collect::<String>();
    let notice = error.as_ref().map_or(String::new(), |error| {
        let reviewed = review.moves.len();
        let notice = language.fill("error.reviewed", &[("reviewed", &reviewed), ("error", error)]);
        format!("<p class=\"notice\">{}</p>", escape_html(&notice))
    });
    let effort = effort.map_or(String::new(), |effort| language.review_effort(&effort));
    let legends = ["grades.legend", "grades.accuracyLegend"].map(|key| language.text(key));
    let legend = language.join_sentences(&[legends[0].into(), legends[1].into(), effort]);
    format!(
        "<section data-game=\"{number}\"><h2>{heading}</h2>{notice}\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{heading}\"><table>{table}</table></div>\
         <p class=\"note\">{}</p>{}</section>\n",
        escape_html(&legend),
        moments(game, language)
    )
}

fn row(kind: &str, cells: &[String]) -> String {
    let cell = |cell: &String| format!("<{kind}>{}</{kind}>", escape_html(cell));
    format!("<tr>{}</tr>", cells.iter().map(cell).collect::<String>())
}

/// Returns the lists of the moves that mattered: turning points, the costliest move of the loser if
/// none of its moves is among them, and the other mistakes.
fn moments(game: &ReviewedGame, language: Language) -> String {
    let review = &game.review;
    let (turning_points, others): (Vec<_>, Vec<_>) =
        review.moves.iter().enumerate().partition(|(at, _)| review.turning_points.contains(at));
    let turning_points: Vec<_> = turning_points.into_iter().map(|(_, mv)| mv).collect();
    let costliest: Vec<_> = review.costliest_mistake().into_iter().collect();
    let is_other = |mv: &&MoveReview| is_mistake(mv) && !costliest.contains(mv);
    let mistakes: Vec<_> = others.into_iter().map(|(_, mv)| mv).filter(is_other).collect();
    let steady = match &turning_points[..] {
        [] => format!("<p>{}</p>", escape_html(language.text("grades.steady"))),
        _ => String::new(),
    };
    [
        steady,
        list("grades.turningPoints", game, &turning_points, language),
        list("grades.costliest", game, &costliest, language),
        list("grades.otherMistakes", game, &mistakes, language),
    ]
    .concat()
}

/// Returns moves below a heading, each with a link to it in the viewer and a place for the board before
/// it, which the viewer draws; nothing if there are no moves.
fn list(heading: &str, game: &ReviewedGame, moves: &[&MoveReview], language: Language) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let number = game.number;
    let names = game.record.players.each_ref().map(|name| printable(name).to_string());
    let layout = registry::find(&game.record.game).ok().and_then(|spec| spec.open().layout());
    let spots = |mv: &str| {
        let spots = layout.as_ref().map(|layout| layout.spots_of_move(mv)).unwrap_or_default();
        spots.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
    };
    let item = |mv: &&MoveReview| {
        let [before, after] = [mv.before, mv.after].map(|score| language.short_score(score));
        format!(
            "<li value=\"{ply}\"><a href=\"#game={number}&amp;ply={ply}\">{}</a> {}<p>{}</p>\
             <div class=\"moment\" data-ply=\"{ply}\" data-played=\"{}\" data-best=\"{}\"></div></li>",
            escape_html(&format!("{}{}", mv.mv, mv.mark.map_or("", Glyph::symbol))),
            escape_html(&format!("{}: {before} → {after}", names[mv.side.index()])),
            escape_html(&language.reviewed_move(&game.review, mv, usize::MAX)),
            spots(&mv.mv),
            spots(mv.best_move()),
            ply = mv.ply,
        )
    };
    let items: String = moves.iter().map(item).collect();
    format!("<h3>{}</h3><ol class=\"moments\">{items}</ol>", escape_html(language.text(heading)))
}
