//! The table of many reviewed games, and of their players.

use super::ReviewedGame;
use crate::document::columns::format_table;
use crate::interact::review::{heading, player_cells, player_headings};
use crate::language::Language;
use crate::printing::printable;
use crate::records::Glyph;
use crate::records::result_text;
use crate::teaching::review::PlayerReview;

/// Returns a row per game, then a row per player over all games.
pub(super) fn summary_lines(games: &[ReviewedGame], language: Language) -> Vec<String> {
    let header = ["game", "first", "", "second", "", "result", "turningPoints"];
    let mut rows = vec![header.map(|name| heading(name, language)).to_vec()];
    rows.extend(games.iter().map(game_row));
    let mut lines = format_table(&rows, &[0, 2, 4]);
    lines.push(String::new());
    let mut rows = vec![player_headings(language)];
    rows.extend(player_names(games).into_iter().map(|name| {
        let total = PlayerReview::sum_up(games.iter().flat_map(|game| reviews_of(game, name)));
        [vec![printable(name).to_string()], player_cells(&total)].concat()
    }));
    lines.extend(format_table(&rows, &[1, 2, 3, 4, 5, 6, 7]));
    lines.extend(
        ["grades.legend", "grades.accuracyLegend"].map(|key| language.text(key).to_owned()),
    );
    let effort = games.iter().find_map(|game| game.effort);
    lines.extend(effort.map(|effort| language.review_effort(&effort)));
    lines
}

fn game_row(game: &ReviewedGame) -> Vec<String> {
    const MAX_TURNING_POINTS: usize = 4;
    let accuracy = |player: &PlayerReview| {
        player.accuracy.map_or("-".to_owned(), |percent| format!("{percent:.1} %"))
    };
    let [first, second] = game.review.players.each_ref().map(accuracy);
    let turning_points = &game.review.turning_points;
    let describe = |index: &usize| {
        let mv = &game.review.moves[*index];
        format!("{} {}{}", mv.ply, mv.mv, mv.mark.map_or("", Glyph::symbol))
    };
    let shown = turning_points.iter().take(MAX_TURNING_POINTS).map(describe).collect::<Vec<_>>();
    let more = if turning_points.len() > MAX_TURNING_POINTS { ", …" } else { "" };
    let players = &game.record.players;
    vec![
        game.number.to_string(),
        printable(&players[0]).to_string(),
        first,
        printable(&players[1]).to_string(),
        second,
        result_text(game.record.result).to_owned(),
        shown.join(", ") + more,
    ]
}

fn player_names(games: &[ReviewedGame]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in games.iter().flat_map(|game| &game.record.players) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// Returns the reviews of a player in a game: both sides if the player played itself.
fn reviews_of<'a>(game: &'a ReviewedGame, name: &str) -> impl Iterator<Item = &'a PlayerReview> {
    let players = game.record.players.iter().zip(&game.review.players);
    players.filter(move |(own, _)| *own == name).map(|(_, review)| review)
}
