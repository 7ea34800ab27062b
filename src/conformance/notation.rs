//! Checks that whatever a game writes it reads back.

use super::keys::equal_positions_agree;
use super::{Check, ensure, fault};
use crate::rules::{Game, GameNotation, Notation};

pub(super) fn fen_round_trips<G: Game>(pos: &G) -> Check {
    let fen = pos.to_string();
    ensure!(!fen.contains(char::is_control), "Display", pos, "a FEN is one line");
    let read: G =
        fen.parse().map_err(|error| fault("FromStr", pos, format!("refused: {error}")))?;
    ensure!(read == *pos, "FromStr", pos, "it is read as another position, '{read}'");
    ensure!(read.to_string() == fen, "Display", pos, "once read, it is written as '{read}'");
    // The incremental state of `pos` is that computed from the FEN.
    equal_positions_agree(&read, pos)?;
    ensure!("".parse::<G>().is_err(), "FromStr", pos, "the empty text is read as a position");
    Ok(())
}

pub(super) fn moves_are_read_as_written<G: GameNotation>(pos: &G) -> Check {
    for mv in pos.legal_moves() {
        let name = mv.to_string();
        ensure!(
            !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace()),
            "Display of moves",
            pos,
            "'{name}' is not one word"
        );
        let read = pos.parse_move(&name);
        ensure!(read == Ok(mv), "parse_move", pos, "'{name}' is read as {}", shown(&read));
        let typed = name.to_uppercase();
        let read = pos.parse_user_move(&typed);
        ensure!(read == Ok(mv), "parse_user_move", pos, "'{typed}' is read as {}", shown(&read));
    }
    let read = pos.parse_move("");
    ensure!(read.is_err(), "parse_move", pos, "the empty text is read as {}", shown(&read));
    Ok(())
}

fn shown<M: std::fmt::Display, E: std::fmt::Display>(read: &Result<M, E>) -> String {
    match read {
        Ok(mv) => format!("'{mv}'"),
        Err(error) => format!("an error: {error}"),
    }
}

/// Positions read back as equal ones and moves as the same. A game that does not write its start in
/// a notation writes nothing in it.
pub(super) fn all_notations_round_trip<G: GameNotation>(pos: &G) -> Check {
    let own = pos.write_as(Notation::Own);
    ensure!(own == Some(pos.to_string()), "write_as", pos, "its own notation is not the FEN");
    for notation in Notation::ALL {
        let has_it = G::start().write_as(notation).is_some();
        let text = pos.write_as(notation);
        ensure!(
            has_it || text.is_none(),
            "write_as",
            pos,
            "it has {notation}, but the start has not"
        );
        if let Some(text) = text {
            let read: G = text
                .parse()
                .map_err(|error| fault("write_as", pos, format!("'{text}' is refused: {error}")))?;
            ensure!(read == *pos, "write_as", pos, "'{text}' is read as another position");
            let again = read.write_as(notation);
            ensure!(again.as_ref() == Some(&text), "write_as", pos, "'{text}' becomes {again:?}");
        }
        for mv in pos.legal_moves() {
            let text = G::write_move_as(mv, notation);
            ensure!(text.is_some() == has_it, "write_move_as", pos, "{mv} in {notation}: {text:?}");
            let read = text.as_ref().map(|text| pos.parse_move(text));
            let is_same = read.as_ref().is_none_or(|read| *read == Ok(mv));
            ensure!(is_same, "write_move_as", pos, "{mv} in {notation} is read as another move");
        }
    }
    Ok(())
}
