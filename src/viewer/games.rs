//! The games of a page, with the changes on the board after each move.
//!
//! A tournament can contain thousands of games, so positions are stored as differences, and move data
//! as columns that are omitted if empty.

use std::collections::BTreeMap;

use serde::Serialize;

use super::MAX_GAMES;
use crate::records::replay::{Frame, first_mover, replay};
use crate::records::{
    EngineScore, GameRecord, MoveRecord, Seconds, Termination, result_text, worth_text,
};
use crate::records::{Glyph, ValueKeepingMoves};
use crate::rules::Side;
use crate::rules::drawing::{BoardLayout, SpotContent};
use crate::search::Score;

#[derive(Debug, Serialize)]
pub(super) struct ReportGame {
    number: u32,
    round: u32,
    pair: u32,
    game: String,
    /// The indices of the first and the second player in the list of names.
    players: [Option<usize>; 2],
    result: &'static str,
    termination: Termination,
    reason: String,
    limits: [String; 2],
    seeds: [Option<i64>; 2],
    started: u64,
    fen: String,
    /// The side that makes the first move, 0 or 1.
    first_mover: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken_claims: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<String>,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<EngineScore>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Option<u64>>,
    times: Vec<Seconds>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    over: Vec<Option<Seconds>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    worth: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    best: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Option<Glyph>>,
    /// The best lines, where they start with another move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    better: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keep: Vec<Option<ValueKeepingMoves>>,
    /// The first player's expected score at the start and after each move, and whether it is proven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expected: Vec<Option<(f64, bool)>>,
    #[serde(flatten)]
    positions: GamePositions,
}

/// The positions of a game; empty if it cannot be replayed.
#[derive(Debug, Default, Serialize)]
pub(super) struct GamePositions {
    /// The FEN of the first position.
    start: String,
    /// The first position, one character per spot.
    shown: String,
    /// The output of [`changes()`] for each move that could be played.
    changes: Vec<String>,
    /// The [`difference()`] of consecutive FENs for each move that could be played.
    fens: Vec<String>,
    /// Text diagrams, for games without a board layout.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagrams: Vec<String>,
    /// Why not all moves could be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Returns the games to embed, at most [`MAX_GAMES`], and their board layouts.
pub(super) fn embedded_games(
    games: &[GameRecord],
    names: &[&str],
) -> (Vec<ReportGame>, BTreeMap<String, BoardLayout>) {
    let mut layouts = BTreeMap::new();
    let half = if games.len() > MAX_GAMES { MAX_GAMES / 2 } else { games.len() };
    let first = &games[..half];
    let last = if half < games.len() { &games[games.len() - half..] } else { &[] };
    let games =
        first.iter().chain(last).map(|game| report_game(game, names, &mut layouts)).collect();
    (games, layouts)
}

#[derive(Debug, Serialize)]
struct GameInProgress<'a> {
    number: u32,
    game: &'a str,
    players: &'a [String; 2],
    result: &'static str,
    moves: Vec<&'a str>,
    #[serde(flatten)]
    positions: GamePositions,
}

/// The games that are being played as JSON, like those of a page, but with the players' names.
pub fn in_progress_json(games: &[GameRecord]) -> String {
    let games = games.iter().map(|record| GameInProgress {
        number: record.number,
        game: &record.game,
        players: &record.players,
        result: result_text(None),
        moves: record.moves.iter().map(|mv| &*mv.mv).collect(),
        positions: positions(record, &mut BTreeMap::new()),
    });
    serde_json::to_string(&games.collect::<Vec<_>>()).unwrap_or_default()
}

fn report_game(
    record: &GameRecord,
    names: &[&str],
    layouts: &mut BTreeMap<String, BoardLayout>,
) -> ReportGame {
    let record = record.clone();
    let number = |name: &String| names.iter().position(|own| own == name);
    ReportGame {
        players: [0, 1].map(|side| number(&record.players[side])),
        result: result_text(record.result),
        first_mover: first_mover(&record).index(),
        positions: positions(&record, layouts),
        moves: record.moves.iter().map(|mv| mv.mv.clone()).collect(),
        scores: column(&record.moves, |mv| mv.info.score),
        depths: column(&record.moves, |mv| mv.info.depth),
        nodes: column(&record.moves, |mv| mv.info.nodes),
        times: record.moves.iter().map(|mv| mv.time).collect(),
        over: column(&record.moves, |mv| mv.over),
        worth: column(&record.moves, |mv| mv.value.map(worth_text)),
        best: column(&record.moves, |mv| mv.best.map(worth_text)),
        marks: column(&record.moves, |mv| mv.mark),
        better: column(&record.moves, better_line),
        keep: column(&record.moves, |mv| mv.keep),
        expected: expected_scores(&record),
        number: record.number,
        round: record.round,
        pair: record.pair,
        game: record.game,
        termination: record.termination,
        reason: record.reason,
        limits: record.limits,
        seeds: record.seeds,
        started: record.started,
        fen: record.fen,
        broken_claims: record.broken_claims,
        stderr: record.stderr,
    }
}

fn better_line(mv: &MoveRecord) -> Option<String> {
    let first = mv.best_line.first()?;
    (*first != mv.mv).then(|| mv.best_line.join(" "))
}

/// Returns the annotated expected score of the first player at the start and after each move; empty
/// if no move is annotated. A position has the value of its best move; the last one that of the move
/// that led to it.
fn expected_scores(record: &GameRecord) -> Vec<Option<(f64, bool)>> {
    let first = first_mover(record);
    let score = |ply: usize, value: Option<Score>| {
        let value = value?;
        let is_first = (first == Side::P1) == ply.is_multiple_of(2);
        let expected = if is_first { value.expected() } else { 1.0 - value.expected() };
        Some(((1000.0 * expected).round() / 1000.0, value.proven().is_some()))
    };
    let mut scores: Vec<_> =
        record.moves.iter().enumerate().map(|(ply, mv)| score(ply, mv.best)).collect();
    scores
        .extend(record.moves.iter().enumerate().next_back().map(|(ply, mv)| score(ply, mv.value)));
    if scores.iter().any(Option::is_some) { scores } else { Vec::new() }
}

/// Collects one value per move; empty if there are none.
fn column<T>(moves: &[MoveRecord], entry: impl Fn(&MoveRecord) -> Option<T>) -> Vec<Option<T>> {
    let column: Vec<Option<T>> = moves.iter().map(entry).collect();
    if column.iter().any(Option::is_some) { column } else { Vec::new() }
}

fn positions(record: &GameRecord, layouts: &mut BTreeMap<String, BoardLayout>) -> GamePositions {
    let replay = match replay(record) {
        Ok(replay) => replay,
        Err(error) => return GamePositions { error: Some(error), ..GamePositions::default() },
    };
    if let Some(layout) = replay.layout {
        layouts.entry(record.game.clone()).or_insert(layout);
    }
    let steps = || replay.frames.windows(2);
    let first = replay.frames.first();
    GamePositions {
        start: first.map_or_else(String::new, |frame| frame.fen.clone()),
        shown: first.map_or_else(String::new, |frame| {
            frame.shown.iter().map(ToString::to_string).collect()
        }),
        changes: steps().map(|step| changes(&step[0].shown, &step[1].shown)).collect(),
        fens: steps().map(|step| difference(&step[0].fen, &step[1].fen)).collect(),
        diagrams: replay
            .frames
            .iter()
            .filter_map(|Frame { diagram, .. }| diagram.clone())
            .collect(),
        error: replay.error,
    }
}

/// The changed spots, each as its index and its new content, separated by spaces.
fn changes(before: &[SpotContent], after: &[SpotContent]) -> String {
    let changed =
        before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    let words: Vec<String> = changed.map(|(spot, (_, shown))| format!("{spot}{shown}")).collect();
    words.join(" ")
}

/// The difference between two texts as the lengths of the common prefix and suffix and the text
/// between them, for example `4,2,xo`.
fn difference(before: &str, after: &str) -> String {
    let same = |(one, other): &(u8, u8)| one == other;
    if !before.is_ascii() || !after.is_ascii() {
        return format!("0,0,{after}");
    }
    let head = before.bytes().zip(after.bytes()).take_while(same).count();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old.bytes().rev().zip(new.bytes().rev()).take_while(same).count();
    format!("{head},{tail},{}", &new[..new.len() - tail])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_keep_prefix_and_suffix() {
        assert_eq!(difference("3/3/3 x", "3/1x1/3 x"), "2,4,1x1");
        assert_eq!(difference("aa", "aaa"), "2,0,a");
        assert_eq!(difference("abc", "abc"), "3,0,");
        assert_eq!(difference("", "x"), "0,0,x");
    }

    #[test]
    fn changes_list_the_changed_spots() {
        let row = |marks: &str| marks.chars().map(SpotContent::plain).collect::<Vec<_>>();
        assert_eq!(changes(&row("x.."), &row(".x.")), "0. 1x");
        let lit = [
            SpotContent { mark: SpotContent::EMPTY, highlighted: true },
            SpotContent { mark: 'o', highlighted: true },
        ];
        assert_eq!(changes(&row(".o"), &lit), "0* 1O");
    }
}
