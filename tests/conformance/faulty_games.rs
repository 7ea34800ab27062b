//! Games with one wrong method each: the kit must reject every one, because of that method.

use std::panic::catch_unwind;

use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::drawing::Label;
use zermelo::rules::random::mix64;
use zermelo::rules::{Game, Notation, Outcome, QuietMove, Side, SplitMix};

use super::fault::{Faulty, Methods};
use super::kit::check_game;

fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)))
}

/// Runs the kit until it fails; the message must begin with the name of the wrong method.
fn assert_rejected<G: Game, const WRONG: bool>(method: &str, methods: Methods<G>) {
    methods.install();
    let mut random = SplitMix::new(1);
    for _ in 0..200 {
        let (seed, index) = (random.bits(), random.below(1 << 16));
        if let Err(panic) = catch_unwind(|| check_game::<Faulty<G, WRONG>>(seed, index)) {
            let literal = || panic.downcast_ref::<&str>().map(ToString::to_string);
            let message =
                panic.downcast_ref::<String>().cloned().or_else(literal).unwrap_or_default();
            // `assert_eq!` prefixes the message.
            let own = message.split_once("failed: ").map_or(&message[..], |(_, own)| own);
            let mut methods = own.split(':').next().unwrap().split(" and ");
            assert!(methods.any(|named| named == method), "expected {method}: {message}");
            return;
        }
    }
    panic!("the kit accepts a game with a wrong {method}");
}

#[test]
fn wrapped_games_without_a_fault_pass() {
    macro_rules! check {
        (() $($name:ident: $game:ty,)*) => {$(
            Methods::<$game>::of_game().install();
            (0..8).for_each(|seed| check_game::<Faulty<$game, false>>(seed, 7 * seed as usize));
        )*};
    }
    zermelo::for_each_game!(check);
}

#[test]
fn a_cyclic_game_that_denies_it() {
    assert_rejected::<PongHauKi, true>("CYCLIC", Methods::of_game());
}

#[test]
fn move_codes_beyond_their_bound() {
    assert_rejected::<Nim, true>("MOVE_CODES", Methods::of_game());
}

/// `test, Game, wrong method: { methods }`, each a test that the kit rejects the game.
macro_rules! faults {
    ($($test:ident, $game:ident, $method:literal: { $($methods:tt)* })*) => {$(
        #[test]
        fn $test() {
            let methods = Methods::<$game> { $($methods)* ..Methods::of_game() };
            assert_rejected::<$game, false>($method, methods);
        }
    )*};
}

faults! {
    an_immediate_win_everywhere, TicTacToe, "wins_at_once": {
        wins_at_once: |_| true,
    }
    an_immediate_win_where_the_opponent_threatens_one, TixTax, "wins_at_once": {
        wins_at_once: |pos| pos.wins_at_once() || pos.deciding_boards(!pos.side()) != 0,
    }
    a_side_that_never_wins, Nim, "can_still_win": {
        can_still_win: |_, side| side == Side::P1,
    }
    the_chance_to_win_mixed_up_between_the_sides, TicTacToe, "can_still_win": {
        can_still_win: |pos, side| pos.can_still_win(!side),
    }
    a_chance_to_win_lost_too_early, TixTax, "can_still_win": {
        can_still_win: |pos, side| pos.owned(!side).count_ones() < 4 || pos.owned(side).count_ones() >= 3,
    }
    a_win_secured_by_a_lead_that_can_be_caught, TixTaxCount, "has_secured_win": {
        has_secured_win: |pos, side| pos.owned_count(side) > pos.owned_count(!side) + 1,
    }
    a_win_secured_although_the_opponent_can_make_a_line, TixTaxCount, "has_secured_win": {
        has_secured_win: |pos, side| pos.owned_count(side) > pos.winnable_count(!side),
    }
    a_win_secured_for_the_wrong_side, TixTaxCount, "has_secured_win": {
        has_secured_win: |pos, side| pos.has_secured_win(!side),
    }
    a_final_count_of_the_other_side, TixTaxCount, "final_count": {
        final_count: |pos| pos.final_count().map(|[first, second]| [second, first]),
    }
    a_final_count_before_the_end, TixTaxCount, "final_count": {
        final_count: |pos| Some([Side::P1, Side::P2].map(|side| pos.owned_count(side).into())),
    }
    a_bound_of_plies_that_is_too_low, TixTax, "max_plies_left": {
        max_plies_left: |pos| pos.max_plies_left().map(|plies| plies / 2),
    }
    a_bound_of_plies_that_does_not_fall, TicTacToe, "max_plies_left": {
        max_plies_left: |_| Some(9),
    }
    a_bound_of_plies_that_disappears, Nim, "max_plies_left": {
        max_plies_left: |pos| pos.max_plies_left().filter(|plies| *plies > 3),
    }
    a_bound_of_plies_in_a_cyclic_game, PongHauKi, "max_plies_left": {
        max_plies_left: |_| Some(200),
    }
    a_value_key_that_counts_stones, TicTacToe, "value_key": {
        value_key: |pos| 9 - pos.legal_moves().len() as u64,
    }
    a_value_key_without_the_side_to_move, Nim, "value_key": {
        value_key: |pos| hash(pos.to_string().trim_end_matches(['b', 'r'])),
    }
    a_value_key_without_the_forced_board, TixTax, "value_key": {
        value_key: |pos| {
            let fen = pos.to_string();
            hash(fen.rsplit_once(' ').unwrap().0)
        },
    }
    a_value_key_that_merges_mirror_images, TicTacToe, "value_key": {
        value_key: |pos| (0..TicTacToe::SYMMETRIES).map(|symmetry| pos.image_key(symmetry)).min().unwrap(),
    }
    a_value_key_that_merges_every_stone_of_a_decided_game, TicTacToe, "value_key": {
        value_key: |pos| {
            let can_win = [Side::P1, Side::P2].map(|side| pos.can_still_win(side));
            if can_win[0] { pos.key() } else { pos.legal_moves().len() as u64 }
        },
    }
    a_value_key_with_the_number_of_plies, PongHauKi, "value_key": {
        value_key: |pos| hash(&pos.to_string()),
    }
    a_key_without_the_side_to_move, PongHauKi, "key": {
        key: |pos| pos.repetition_key() & 0x3ff,
    }
    a_key_with_the_number_of_plies, PongHauKi, "key": {
        key: |pos| hash(&pos.to_string()),
    }
    a_repetition_key_of_the_mover_only, PongHauKi, "repetition_key": {
        repetition_key: |pos| u64::from(pos.pieces(pos.side())),
    }
    a_repetition_key_with_the_number_of_plies, PongHauKi, "repetition_key": {
        repetition_key: |pos| hash(&pos.to_string()),
    }
    an_image_that_is_another_position, TicTacToe, "image": {
        image: |pos, symmetry| {
            let moves = pos.legal_moves();
            if symmetry == 0 || moves.is_empty() { *pos } else { pos.after(moves[0]) }
        },
    }
    an_image_without_its_moves, Nim, "move_image": {
        move_image: |_, mv, _| mv,
    }
    moves_without_their_image, TixTax, "move_image": {
        image: |pos, _| *pos,
    }
    another_first_symmetry, TixTaxOpen, "image": {
        image: |pos, symmetry| pos.image(7 - symmetry),
        move_image: |pos, mv, symmetry| pos.move_image(mv, 7 - symmetry),
    }
    the_key_of_no_image, TixTax, "image_key": {
        image_key: Some(|pos, _| pos.key()),
    }
    a_wrong_number_of_moves, TixTax, "move_count": {
        move_count: |pos| pos.move_count().min(12),
    }
    a_wrong_number_of_replies, TicTacToe, "reply_count": {
        reply_count: |pos, _| pos.move_count() - 1,
    }
    the_key_before_a_move, TixTax, "key_after": {
        key_after: |pos, _| Some(pos.key()),
    }
    a_quiet_move_without_effect_on_the_value_key, TixTax, "value_key_xor": {
        quiet_move: |pos, mv| pos.quiet_move(mv),
        value_key_xor: |_, _| 0,
    }
    an_overlooked_win_after_a_quiet_move, TixTax, "quiet_move": {
        quiet_move: |pos, mv| pos.quiet_move(mv).map(|_| QuietMove { allows_win: false }),
    }
    a_win_that_counts_as_quiet, TixTax, "quiet_move": {
        quiet_move: |pos, mv| Some(QuietMove { allows_win: pos.after(mv).wins_at_once() }),
        value_key_xor: |pos, mv| pos.value_key() ^ pos.after(mv).value_key(),
    }
    a_move_that_is_legal_too_often, Nim, "is_legal": {
        is_legal: |_, _| true,
    }
    an_illegal_move_that_is_played, PongHauKi, "play": {
        play: |pos, mv| {
            pos.play_unchecked(mv);
            Ok(())
        },
    }
    a_successor_that_is_not_played, TicTacToe, "after": {
        after: |pos, _| *pos,
    }
    a_random_move_that_prefers_the_first, TixTax, "random_move": {
        random_move: |pos, random| {
            let moves = pos.legal_moves();
            moves[random.below(moves.len()).min(random.below(moves.len()))]
        },
    }
    a_side_that_is_always_to_move, Nim, "side": {
        side: |_| Side::P1,
    }
    a_finished_game_that_goes_on, TicTacToe, "outcome": {
        outcome: |pos| pos.outcome().filter(|outcome| *outcome == Outcome::Draw),
    }
    a_fen_that_reads_back_as_another_position, Nim, "FromStr": {
        fen: |pos| pos.image(1).to_string(),
    }
    a_user_move_in_lower_case_only, TicTacToe, "parse_user_move": {
        parse_user_move: |pos, text| {
            let is_lower = !text.contains(char::is_uppercase);
            pos.parse_move(if is_lower { text } else { "" })
        },
    }
    a_notation_of_the_start_only, TixTax, "write_as": {
        write_as: |pos, notation| pos.write_as(if notation == Notation::Drops { Notation::Own } else { notation })
                .filter(|_| notation != Notation::Drops || *pos != TixTax::start()),
    }
    a_move_in_a_notation_that_is_missing, TicTacToe, "write_move_as": {
        write_move_as: |mv, notation| TicTacToe::write_move_as(mv, notation).or(Some(mv.to_string())),
    }
    a_spot_too_few, Nim, "spot_contents": {
        spot_contents: |pos| pos.spot_contents().split_off(1),
    }
    a_label_on_the_board, Nim, "extra_labels": {
        extra_labels: |_| vec![Label { x: 1.0, y: 1.0, text: "here".to_owned() }],
    }
    a_hint_of_two_lines, TicTacToe, "legal_hint": {
        legal_hint: |_| "no\nidea".to_owned(),
    }
}
