//! Checks the symmetries of a game.

use std::collections::HashSet;

use super::rules::SIDES;
use super::{Check, ensure};
use crate::rules::{Game, perft};

/// Each image is the same game: the same state, and moves that correspond one to one and lead to
/// the images of the positions they lead to here.
pub(super) fn images_are_the_same_game<G: Game>(pos: &G) -> Check {
    ensure!(pos.image(0) == *pos, "image", pos, "number 0 is not the identity");
    for symmetry in 0..G::SYMMETRIES {
        let image = pos.image(symmetry);
        let is_key = pos.image_key(symmetry) == image.key();
        ensure!(is_key, "image_key", pos, "not the key of image {symmetry}");
        let prospects =
            |pos: &G| SIDES.map(|side| (pos.can_still_win(side), pos.has_secured_win(side)));
        let differs = [
            ("side", image.side() != pos.side()),
            ("outcome", image.outcome() != pos.outcome()),
            ("max_plies_left", image.max_plies_left() != pos.max_plies_left()),
            ("wins_at_once", image.wins_at_once() != pos.wins_at_once()),
            ("can_still_win or has_secured_win", prospects(&image) != prospects(pos)),
            ("perft(2)", perft(&image, 2) != perft(pos, 2)),
        ];
        let differs = differs.into_iter().find(|(_, differs)| *differs).map(|(what, _)| what);
        let what = differs.unwrap_or_default();
        ensure!(differs.is_none(), "image", pos, "image {symmetry}, '{image}', has another {what}");
        let map = |mv| pos.move_image(mv, symmetry);
        let mapped: HashSet<G::Move> = pos.legal_moves().into_iter().map(map).collect();
        let own: HashSet<G::Move> = image.legal_moves().into_iter().collect();
        ensure!(
            mapped == own,
            "move_image",
            pos,
            "not the legal moves of image {symmetry}, '{image}'"
        );
        for mv in pos.legal_moves() {
            let mapped = image.after(pos.move_image(mv, symmetry));
            let child = pos.after(mv);
            // A position without an image is its own image, and so are then its moves.
            let is_its_own = image == *pos && mapped == child;
            let commutes = mapped == child.image(symmetry) || is_its_own;
            ensure!(
                commutes,
                "image",
                pos,
                "playing {mv} does not commute with symmetry {symmetry}"
            );
        }
    }
    Ok(())
}
