//! Checks how a game is drawn: the layout of the board and the contents of its spots.

use std::collections::HashSet;

use zermelo::rules::drawing::{BoardLayout, Label, SpotContent};
use zermelo::rules::{GameEncoding, GameNotation};

/// The spots show every piece of the FEN, and every move changes what they show.
pub(crate) fn board_is_shown<G: GameNotation + GameEncoding>(pos: &G) {
    let contents = pos.spot_contents();
    let Some(layout) = G::layout() else {
        assert!(contents.is_empty(), "spot_contents: {pos}");
        assert!(pos.extra_labels().is_empty(), "extra_labels: {pos}");
        return;
    };
    assert_eq!(contents.len(), layout.spots.len(), "spot_contents: {pos}");
    for (spot, SpotContent { mark, .. }) in layout.spots.iter().zip(&contents) {
        let is_known = layout.pieces.iter().any(|piece| piece.letter == *mark)
            || [SpotContent::EMPTY, SpotContent::CLOSED].contains(mark);
        assert!(is_known, "spot_contents: {pos}: {}", spot.name);
    }
    for label in pos.extra_labels() {
        assert!(stands_beside(&layout, &label), "extra_labels: {pos}: {}", label.text);
    }
    let places = |contents: &[SpotContent]| -> Vec<char> {
        let both = layout.spots.iter().zip(contents);
        both.filter(|(spot, _)| !spot.is_area).map(|(_, content)| content.mark).collect()
    };
    // As many of each piece as the FEN names.
    let fen = pos.to_string();
    let mut named: Vec<char> = fen.split(' ').next().unwrap().chars().collect();
    let mut seen = places(&contents);
    for letters in [&mut named, &mut seen] {
        letters.retain(char::is_ascii_lowercase);
        letters.sort_unstable();
    }
    assert_eq!(seen, named, "spot_contents: {pos}");
    for mv in pos.legal_moves() {
        let next = places(&pos.after(mv).spot_contents());
        assert_ne!(next, places(&contents), "spot_contents: {pos}: {mv} is not seen");
    }
}

/// The planes are zeros and ones, and the first two have as many ones as the mover and the opponent have pieces.
pub(crate) fn planes_show_the_pieces<G: GameNotation + GameEncoding>(pos: &G) {
    let Some(layout) = G::layout() else { return };
    let contents = pos.spot_contents();
    let places = || layout.spots.iter().zip(&contents).filter(|(spot, _)| !spot.is_area);
    let mut planes = vec![f32::NAN; G::PLANES * places().count()];
    pos.write_planes(&mut planes);
    assert!(planes.iter().all(|number| [0.0, 1.0].contains(number)), "write_planes: {pos}");
    let sides = [pos.side(), pos.side().other()];
    for (plane, side) in planes.chunks_exact(places().count()).zip(sides) {
        let letter = layout.pieces[side.index()].letter;
        let pieces = places().filter(|(_, content)| content.mark == letter).count();
        assert_eq!(plane.iter().sum::<f32>(), pieces as f32, "write_planes: {pos}");
    }
}

fn is_inside(layout: &BoardLayout, x: f32, y: f32, margin: f32) -> bool {
    (-margin..=layout.width + margin).contains(&x)
        && (-margin..=layout.height + margin).contains(&y)
}

fn stands_beside(layout: &BoardLayout, label: &Label) -> bool {
    is_inside(layout, label.x, label.y, 1.0) && !is_inside(layout, label.x, label.y, 0.0)
}

/// Everything is on the board except labels, which stand beside it; spots do not overlap, and
/// names and letters are unique.
pub(crate) fn layout_is_sound(layout: &BoardLayout) {
    for spot in &layout.spots {
        assert!(is_inside(layout, spot.x, spot.y, -spot.size / 2.0), "{spot:?}");
    }
    for stroke in &layout.strokes {
        let mut ends = [stroke.from, stroke.to].into_iter();
        assert!(ends.all(|[x, y]| is_inside(layout, x, y, 0.0)), "{stroke:?}");
    }
    for label in &layout.labels {
        assert!(stands_beside(layout, label), "{}", label.text);
    }
    let places: Vec<_> = layout.spots.iter().filter(|spot| !spot.is_area).collect();
    for (number, one) in places.iter().enumerate() {
        for other in &places[..number] {
            let distance = (one.x - other.x).abs().max((one.y - other.y).abs());
            assert!(distance >= (one.size + other.size) / 2.0, "{} and {}", one.name, other.name);
            assert_ne!(one.name, other.name);
        }
    }
    let letters: HashSet<char> = layout.pieces.iter().map(|piece| piece.letter).collect();
    assert_eq!(letters.len(), layout.pieces.len());
    assert!(letters.iter().all(char::is_ascii_lowercase), "upper case marks highlighted spots");
}
