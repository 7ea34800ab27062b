//! Checks how a game is drawn: the layout of the board, the contents of its spots and the planes.

use std::collections::HashSet;

use super::{Check, ensure};
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::{GameDrawing, GameEncoding};

/// The spots show pieces of the layout, and every move changes what they show.
pub(super) fn board_is_shown<G: GameDrawing>(pos: &G) -> Check {
    ensure!(!pos.diagram().is_empty(), "diagram", pos, "it is empty");
    let contents = pos.spot_contents();
    let Some(layout) = G::layout() else {
        ensure!(contents.is_empty(), "spot_contents", pos, "there is no layout");
        ensure!(pos.extra_labels().is_empty(), "extra_labels", pos, "there is no layout");
        return Ok(());
    };
    let (count, spots) = (contents.len(), layout.spots.len());
    ensure!(count == spots, "spot_contents", pos, "{count} contents for {spots} spots");
    for (spot, SpotContent { mark, .. }) in layout.spots.iter().zip(&contents) {
        let is_known = layout.piece(*mark).is_some()
            || [SpotContent::EMPTY, SpotContent::CLOSED].contains(mark);
        ensure!(is_known, "spot_contents", pos, "{}: no piece has the letter '{mark}'", spot.name);
    }
    for Label { x, y, text } in pos.extra_labels() {
        ensure!(
            stands_beside(&layout, x, y),
            "extra_labels",
            pos,
            "'{text}' is not beside the board"
        );
    }
    let places = |contents: &[SpotContent]| -> Vec<char> {
        let both = layout.spots.iter().zip(contents);
        both.filter(|(spot, _)| !spot.is_area).map(|(_, content)| content.mark).collect()
    };
    for mv in pos.legal_moves() {
        let next = places(&pos.after(mv).spot_contents());
        ensure!(next != places(&contents), "spot_contents", pos, "{mv} changes nothing");
    }
    Ok(())
}

/// The planes are zeros and ones, and the first two have as many ones as the mover and the opponent have pieces.
pub(super) fn planes_show_the_pieces<G: GameEncoding>(pos: &G) -> Check {
    let Some(layout) = G::layout() else { return Ok(()) };
    let contents = pos.spot_contents();
    let places = || layout.spots.iter().zip(&contents).filter(|(spot, _)| !spot.is_area);
    let mut planes = vec![f32::NAN; G::PLANES * places().count()];
    pos.write_planes(&mut planes);
    let is_binary = planes.iter().all(|number| [0.0, 1.0].contains(number));
    ensure!(is_binary, "write_planes", pos, "some numbers are neither 0 nor 1");
    let sides = [pos.side(), pos.side().other()];
    for (plane, side) in planes.chunks_exact(places().count()).zip(sides) {
        let letter = layout.pieces[side.index()].letter;
        let pieces = places().filter(|(_, content)| content.mark == letter).count();
        let ones = plane.iter().sum::<f32>();
        ensure!(
            ones == pieces as f32,
            "write_planes",
            pos,
            "{ones} ones for {pieces} of '{letter}'"
        );
    }
    Ok(())
}

fn is_inside(layout: &BoardLayout, x: f32, y: f32, margin: f32) -> bool {
    (-margin..=layout.width + margin).contains(&x)
        && (-margin..=layout.height + margin).contains(&y)
}

fn stands_beside(layout: &BoardLayout, x: f32, y: f32) -> bool {
    is_inside(layout, x, y, 1.0) && !is_inside(layout, x, y, 0.0)
}

/// Everything is on the board except labels, which stand beside it; spots do not overlap, and
/// names and letters are unique.
pub(super) fn layout_is_sound<G: GameDrawing>() -> Check {
    let (start, Some(layout)) = (G::start(), G::layout()) else { return Ok(()) };
    ensure!(layout.pieces.len() >= 2, "layout", start, "fewer than two pieces");
    for spot in &layout.spots {
        let fits = is_inside(&layout, spot.x, spot.y, -spot.size / 2.0);
        ensure!(fits, "layout", start, "the spot {} leaves the board", spot.name);
    }
    for stroke in &layout.strokes {
        let mut ends = [stroke.from, stroke.to].into_iter();
        let fits = ends.all(|[x, y]| is_inside(&layout, x, y, 0.0));
        ensure!(fits, "layout", start, "{stroke:?} leaves the board");
    }
    for Label { x, y, text } in &layout.labels {
        ensure!(
            stands_beside(&layout, *x, *y),
            "layout",
            start,
            "'{text}' is not beside the board"
        );
    }
    let places: Vec<_> = layout.spots.iter().filter(|spot| !spot.is_area).collect();
    for (number, one) in places.iter().enumerate() {
        for other in &places[..number] {
            let distance = (one.x - other.x).abs().max((one.y - other.y).abs());
            let is_apart = distance >= (one.size + other.size) / 2.0;
            ensure!(is_apart, "layout", start, "{} and {} overlap", one.name, other.name);
            ensure!(one.name != other.name, "layout", start, "two spots are named {}", one.name);
        }
    }
    let letters: HashSet<char> = layout.pieces.iter().map(|piece| piece.letter).collect();
    ensure!(letters.len() == layout.pieces.len(), "layout", start, "two pieces have one letter");
    let is_lower = letters.iter().all(char::is_ascii_lowercase);
    ensure!(
        is_lower,
        "layout",
        start,
        "a piece's letter is not lower case, which marks highlights"
    );
    Ok(())
}
