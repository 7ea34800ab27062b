//! The kit: runs every check on one random game.

use zermelo::rules::{GameEncoding, GameNotation, Record, SplitMix};

use super::{drawing, hooks, keys, notation};

/// A cyclic game is cut off after this many plies.
const MAX_PLIES: usize = 120;

/// A random game from a random start, to its end.
fn random_record<G: GameNotation + GameEncoding>(random: &mut SplitMix) -> Record<G> {
    let mut record = Record::new(G::random_start(random));
    while record.moves().len() < MAX_PLIES {
        let moves = record.legal_moves();
        if moves.is_empty() {
            break;
        }
        record.push(moves[random.below(moves.len())]).unwrap();
    }
    record
}

/// The start position of a record and the position after each of its moves.
fn positions<G: GameNotation + GameEncoding>(record: &Record<G>) -> Vec<G> {
    let mut pos = *record.first();
    let mut positions = vec![pos];
    for mv in record.moves() {
        pos.play_unchecked(*mv);
        positions.push(pos);
    }
    positions
}

/// The positions of a random game.
pub(crate) fn random_game<G: GameNotation + GameEncoding>(seed: u64) -> Vec<G> {
    positions(&random_record(&mut SplitMix::new(seed)))
}

/// Runs all checks on a random game. Those that take long look at one of its positions, chosen by
/// `index`.
pub(crate) fn check_game<G: GameNotation + GameEncoding>(seed: u64, index: usize) {
    let mut random = SplitMix::new(seed);
    let record = random_record::<G>(&mut random);
    let positions = positions(&record);
    let pos = positions[index % positions.len()];

    for pos in &positions {
        hooks::finished_games_have_no_moves(pos);
        hooks::shortcuts_match_the_move_list(pos);
        hooks::promises_hold(pos, &mut random);
    }
    hooks::promises_hold_to_the_end(&positions, record.moves());
    hooks::generated_moves_are_the_accepted_ones(&pos);
    hooks::random_moves_are_uniform(&pos, &mut random);
    hooks::symmetries_keep_the_game(&pos);
    hooks::perft_divides_by_move(&pos);

    keys::move_codes_identify_moves(&positions);
    keys::actions_identify_moves(&positions);
    keys::keys_identify_positions(&positions);
    keys::equal_keys_mean_equal_games(&keys::neighbourhood(&positions, &pos), &mut random);

    notation::fen_round_trips(&pos);
    notation::all_notations_round_trip(&pos);
    drawing::board_is_shown(&pos);
    drawing::planes_show_the_pieces(&pos);
}
