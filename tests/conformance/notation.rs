//! Checks that whatever a game writes it reads back.

use zermelo::rules::{GameEncoding, GameNotation, Notation};

use super::keys::equal_positions_agree;

pub(crate) fn fen_round_trips<G: GameNotation + GameEncoding>(pos: &G) {
    let fen = pos.to_string();
    let read: G = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(read, *pos, "FromStr: {fen}");
    // The incremental state of `pos` is that computed from the FEN.
    equal_positions_agree(&read, pos);
    assert_eq!(read.to_string(), fen, "Display: one form is written");
    assert!(!pos.diagram().is_empty(), "diagram: {pos}");
}

/// Positions read back as equal ones and moves as the same. A game that does not write its start in
/// a notation writes nothing in it.
pub(crate) fn all_notations_round_trip<G: GameNotation + GameEncoding>(pos: &G) {
    assert_eq!(pos.write_as(Notation::Own), Some(pos.to_string()), "write_as: {pos}");
    for notation in Notation::ALL {
        let has_it = G::start().write_as(notation).is_some();
        let text = pos.write_as(notation);
        assert!(has_it || text.is_none(), "write_as: {pos} in {notation}");
        if let Some(text) = text {
            let read: G = text.parse().unwrap_or_else(|error| panic!("write_as: {text}: {error}"));
            assert_eq!(read, *pos, "write_as: {text}");
            assert_eq!(read.write_as(notation), Some(text), "write_as: one form is written");
        }
        for mv in pos.legal_moves() {
            let text = G::write_move_as(mv, notation);
            assert_eq!(text.is_some(), has_it, "write_move_as: {mv} in {notation}");
            if let Some(text) = text {
                assert_eq!(pos.parse_move(&text), Ok(mv), "write_move_as: {text}");
            }
        }
    }
}
