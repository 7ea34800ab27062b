//! Games with one wrong method each: the kit must reject every one, because of that method.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::panic::catch_unwind;
use std::str::FromStr;

use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::drawing::{BoardLayout, Label, SpotContent};
use zermelo::rules::random::mix64;
use zermelo::rules::{FenError, Game, MoveError, Notation, Outcome, Side, SplitMix};

use crate::kit::check_game;

type MoveOf<F> = <<F as Fault>::Base as Game>::Move;

/// A correct game and the methods that are overridden to be wrong.
trait Fault: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    type Base: Game;
    const CYCLIC: bool = Self::Base::CYCLIC;
    const MOVE_CODES: usize = Self::Base::MOVE_CODES;

    fn fen(pos: &Self::Base) -> String {
        pos.to_string()
    }
    fn side(pos: &Self::Base) -> Side {
        pos.side()
    }
    fn outcome(pos: &Self::Base) -> Option<Outcome> {
        pos.outcome()
    }
    fn key(pos: &Self::Base) -> u64 {
        pos.key()
    }
    fn parse_user_move(pos: &Self::Base, text: &str) -> Result<MoveOf<Self>, MoveError> {
        pos.parse_user_move(text)
    }
    fn max_plies_left(pos: &Self::Base) -> Option<u32> {
        pos.max_plies_left()
    }
    fn play(pos: &mut Self::Base, mv: MoveOf<Self>) -> Result<(), MoveError> {
        pos.play(mv)
    }
    fn after(pos: &Self::Base, mv: MoveOf<Self>) -> Self::Base {
        pos.after(mv)
    }
    fn is_legal(pos: &Self::Base, mv: MoveOf<Self>) -> bool {
        pos.is_legal(mv)
    }
    fn move_count(pos: &Self::Base) -> usize {
        pos.move_count()
    }
    fn reply_count(pos: &Self::Base, mv: MoveOf<Self>) -> usize {
        pos.reply_count(mv)
    }
    /// None by default, so that a wrong key is rejected for itself.
    fn key_after(_: &Self::Base, _: MoveOf<Self>) -> Option<u64> {
        None
    }
    fn random_move(pos: &Self::Base, random: &mut SplitMix) -> MoveOf<Self> {
        pos.random_move(random)
    }
    fn value_key(pos: &Self::Base) -> u64 {
        pos.value_key()
    }
    fn can_still_win(pos: &Self::Base, side: Side) -> bool {
        pos.can_still_win(side)
    }
    fn has_secured_win(pos: &Self::Base, side: Side) -> bool {
        pos.has_secured_win(side)
    }
    fn wins_at_once(pos: &Self::Base) -> bool {
        pos.wins_at_once()
    }
    fn final_count(pos: &Self::Base) -> Option<[u32; 2]> {
        pos.final_count()
    }
    fn repetition_key(pos: &Self::Base) -> u64 {
        pos.repetition_key()
    }
    fn image(pos: &Self::Base, symmetry: usize) -> Self::Base {
        pos.image(symmetry)
    }
    fn image_key(pos: &Self::Base, symmetry: usize) -> u64 {
        Self::key(&Self::image(pos, symmetry))
    }
    fn move_image(pos: &Self::Base, mv: MoveOf<Self>, symmetry: usize) -> MoveOf<Self> {
        pos.move_image(mv, symmetry)
    }
    fn write_as(pos: &Self::Base, notation: Notation) -> Option<String> {
        pos.write_as(notation)
    }
    fn write_move_as(mv: MoveOf<Self>, notation: Notation) -> Option<String> {
        Self::Base::write_move_as(mv, notation)
    }
    fn spot_contents(pos: &Self::Base) -> Vec<SpotContent> {
        pos.spot_contents()
    }
    fn extra_labels(pos: &Self::Base) -> Vec<Label> {
        pos.extra_labels()
    }
    fn legal_hint(pos: &Self::Base) -> String {
        pos.legal_hint()
    }
}

/// The game that a fault makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Faulty<F: Fault>(F::Base);

impl<F: Fault> Display for Faulty<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&F::fen(&self.0))
    }
}

impl<F: Fault> FromStr for Faulty<F> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        fen.parse().map(Self)
    }
}

impl<F: Fault> Game for Faulty<F> {
    const ID: &'static str = F::Base::ID;
    const CYCLIC: bool = F::CYCLIC;
    const MOVE_CODES: usize = F::MOVE_CODES;
    const SYMMETRIES: usize = F::Base::SYMMETRIES;
    const OPENING_PLIES: usize = F::Base::OPENING_PLIES;

    type Move = MoveOf<F>;
    type Moves = <F::Base as Game>::Moves;

    fn start() -> Self {
        Self(F::Base::start())
    }
    fn random_start(random: &mut SplitMix) -> Self {
        Self(F::Base::random_start(random))
    }
    fn legal_moves(&self) -> Self::Moves {
        self.0.legal_moves()
    }
    fn play_unchecked(&mut self, mv: Self::Move) {
        self.0.play_unchecked(mv);
    }
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        self.0.parse_move(text)
    }
    fn diagram(&self) -> String {
        self.0.diagram()
    }
    fn layout() -> Option<BoardLayout> {
        F::Base::layout()
    }

    fn side(&self) -> Side {
        F::side(&self.0)
    }
    fn outcome(&self) -> Option<Outcome> {
        F::outcome(&self.0)
    }
    fn key(&self) -> u64 {
        F::key(&self.0)
    }
    fn parse_user_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        F::parse_user_move(&self.0, text)
    }
    fn max_plies_left(&self) -> Option<u32> {
        F::max_plies_left(&self.0)
    }
    fn play(&mut self, mv: Self::Move) -> Result<(), MoveError> {
        F::play(&mut self.0, mv)
    }
    fn after(&self, mv: Self::Move) -> Self {
        Self(F::after(&self.0, mv))
    }
    fn is_legal(&self, mv: Self::Move) -> bool {
        F::is_legal(&self.0, mv)
    }
    fn move_count(&self) -> usize {
        F::move_count(&self.0)
    }
    fn reply_count(&self, mv: Self::Move) -> usize {
        F::reply_count(&self.0, mv)
    }
    fn key_after(&self, mv: Self::Move) -> Option<u64> {
        F::key_after(&self.0, mv)
    }
    fn random_move(&self, random: &mut SplitMix) -> Self::Move {
        F::random_move(&self.0, random)
    }
    fn value_key(&self) -> u64 {
        F::value_key(&self.0)
    }
    fn can_still_win(&self, side: Side) -> bool {
        F::can_still_win(&self.0, side)
    }
    fn has_secured_win(&self, side: Side) -> bool {
        F::has_secured_win(&self.0, side)
    }
    fn wins_at_once(&self) -> bool {
        F::wins_at_once(&self.0)
    }
    fn final_count(&self) -> Option<[u32; 2]> {
        F::final_count(&self.0)
    }
    fn repetition_key(&self) -> u64 {
        F::repetition_key(&self.0)
    }
    fn image(&self, symmetry: usize) -> Self {
        Self(F::image(&self.0, symmetry))
    }
    fn image_key(&self, symmetry: usize) -> u64 {
        F::image_key(&self.0, symmetry)
    }
    fn move_image(&self, mv: Self::Move, symmetry: usize) -> Self::Move {
        F::move_image(&self.0, mv, symmetry)
    }
    fn write_as(&self, notation: Notation) -> Option<String> {
        F::write_as(&self.0, notation)
    }
    fn write_move_as(mv: Self::Move, notation: Notation) -> Option<String> {
        F::write_move_as(mv, notation)
    }
    fn spot_contents(&self) -> Vec<SpotContent> {
        F::spot_contents(&self.0)
    }
    fn extra_labels(&self) -> Vec<Label> {
        F::extra_labels(&self.0)
    }
    fn legal_hint(&self) -> String {
        F::legal_hint(&self.0)
    }
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)))
}

/// Runs the kit until it fails; the message must begin with the name of the wrong method.
fn assert_rejected<G: Game>(method: &str) {
    let mut random = SplitMix::new(1);
    for _ in 0..200 {
        let (seed, index) = (random.bits(), random.below(1 << 16));
        if let Err(panic) = catch_unwind(|| check_game::<G>(seed, index)) {
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
        (() $($name:ident: $game:ty { $($parts:tt)* })*) => {$({
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            struct NoFault;
            impl Fault for NoFault {
                type Base = $game;
            }
            (0..8).for_each(|seed| check_game::<Faulty<NoFault>>(seed, 7 * seed as usize));
        })*};
    }
    zermelo::for_each_game!(check);
}

/// `test, Game, wrong method: { overridden items }`, each a test that the kit rejects the game.
macro_rules! faults {
    ($($test:ident, $game:ident, $method:literal: { $($items:tt)* })*) => {$(
        #[test]
        fn $test() {
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            struct Wrong;
            impl Fault for Wrong {
                type Base = $game;
                $($items)*
            }
            assert_rejected::<Faulty<Wrong>>($method);
        }
    )*};
}

faults! {
    an_immediate_win_everywhere, TicTacToe, "wins_at_once": {
        fn wins_at_once(_: &TicTacToe) -> bool {
            true
        }
    }
    an_immediate_win_where_the_opponent_threatens_one, TixTax, "wins_at_once": {
        fn wins_at_once(pos: &TixTax) -> bool {
            pos.wins_at_once() || pos.deciding_boards(!pos.side()) != 0
        }
    }
    a_side_that_never_wins, Nim, "can_still_win": {
        fn can_still_win(_: &Nim, side: Side) -> bool {
            side == Side::P1
        }
    }
    the_chance_to_win_mixed_up_between_the_sides, TicTacToe, "can_still_win": {
        fn can_still_win(pos: &TicTacToe, side: Side) -> bool {
            pos.can_still_win(!side)
        }
    }
    a_chance_to_win_lost_too_early, TixTax, "can_still_win": {
        fn can_still_win(pos: &TixTax, side: Side) -> bool {
            pos.owned(!side).count_ones() < 4 || pos.owned(side).count_ones() >= 3
        }
    }
    a_win_secured_by_a_lead_that_can_be_caught, TixTaxCount, "has_secured_win": {
        fn has_secured_win(pos: &TixTaxCount, side: Side) -> bool {
            pos.owned_count(side) > pos.owned_count(!side) + 1
        }
    }
    a_win_secured_although_the_opponent_can_make_a_line, TixTaxCount, "has_secured_win": {
        fn has_secured_win(pos: &TixTaxCount, side: Side) -> bool {
            pos.owned_count(side) > pos.winnable_count(!side)
        }
    }
    a_win_secured_for_the_wrong_side, TixTaxCount, "has_secured_win": {
        fn has_secured_win(pos: &TixTaxCount, side: Side) -> bool {
            pos.has_secured_win(!side)
        }
    }
    a_final_count_of_the_other_side, TixTaxCount, "final_count": {
        fn final_count(pos: &TixTaxCount) -> Option<[u32; 2]> {
            pos.final_count().map(|[first, second]| [second, first])
        }
    }
    a_final_count_before_the_end, TixTaxCount, "final_count": {
        fn final_count(pos: &TixTaxCount) -> Option<[u32; 2]> {
            Some([Side::P1, Side::P2].map(|side| pos.owned_count(side).into()))
        }
    }
    a_bound_of_plies_that_is_too_low, TixTax, "max_plies_left": {
        fn max_plies_left(pos: &TixTax) -> Option<u32> {
            pos.max_plies_left().map(|plies| plies / 2)
        }
    }
    a_bound_of_plies_that_does_not_fall, TicTacToe, "max_plies_left": {
        fn max_plies_left(_: &TicTacToe) -> Option<u32> {
            Some(9)
        }
    }
    a_bound_of_plies_that_disappears, Nim, "max_plies_left": {
        fn max_plies_left(pos: &Nim) -> Option<u32> {
            pos.max_plies_left().filter(|plies| *plies > 3)
        }
    }
    a_bound_of_plies_in_a_cyclic_game, PongHauKi, "max_plies_left": {
        fn max_plies_left(_: &PongHauKi) -> Option<u32> {
            Some(200)
        }
    }
    a_cyclic_game_that_denies_it, PongHauKi, "CYCLIC": {
        const CYCLIC: bool = false;
    }
    move_codes_beyond_their_bound, Nim, "MOVE_CODES": {
        const MOVE_CODES: usize = 100;
    }
    a_value_key_that_counts_stones, TicTacToe, "value_key": {
        fn value_key(pos: &TicTacToe) -> u64 {
            9 - pos.legal_moves().len() as u64
        }
    }
    a_value_key_without_the_side_to_move, Nim, "value_key": {
        fn value_key(pos: &Nim) -> u64 {
            hash(pos.to_string().trim_end_matches(['b', 'r']))
        }
    }
    a_value_key_without_the_forced_board, TixTax, "value_key": {
        fn value_key(pos: &TixTax) -> u64 {
            let fen = pos.to_string();
            hash(fen.rsplit_once(' ').unwrap().0)
        }
    }
    a_value_key_that_merges_mirror_images, TicTacToe, "value_key": {
        fn value_key(pos: &TicTacToe) -> u64 {
            (0..TicTacToe::SYMMETRIES).map(|symmetry| pos.image_key(symmetry)).min().unwrap()
        }
    }
    a_value_key_that_merges_every_stone_of_a_decided_game, TicTacToe, "value_key": {
        fn value_key(pos: &TicTacToe) -> u64 {
            let can_win = [Side::P1, Side::P2].map(|side| pos.can_still_win(side));
            if can_win[0] { pos.key() } else { pos.legal_moves().len() as u64 }
        }
    }
    a_value_key_with_the_number_of_plies, PongHauKi, "value_key": {
        fn value_key(pos: &PongHauKi) -> u64 {
            hash(&pos.to_string())
        }
    }
    a_key_without_the_side_to_move, PongHauKi, "key": {
        fn key(pos: &PongHauKi) -> u64 {
            pos.repetition_key() & 0x3ff
        }
    }
    a_key_with_the_number_of_plies, PongHauKi, "key": {
        fn key(pos: &PongHauKi) -> u64 {
            hash(&pos.to_string())
        }
    }
    a_repetition_key_of_the_mover_only, PongHauKi, "repetition_key": {
        fn repetition_key(pos: &PongHauKi) -> u64 {
            u64::from(pos.pieces(pos.side()))
        }
    }
    a_repetition_key_with_the_number_of_plies, PongHauKi, "repetition_key": {
        fn repetition_key(pos: &PongHauKi) -> u64 {
            hash(&pos.to_string())
        }
    }
    an_image_that_is_another_position, TicTacToe, "image": {
        fn image(pos: &TicTacToe, symmetry: usize) -> TicTacToe {
            let moves = pos.legal_moves();
            if symmetry == 0 || moves.is_empty() { *pos } else { pos.after(moves[0]) }
        }
    }
    an_image_without_its_moves, Nim, "move_image": {
        fn move_image(_: &Nim, mv: MoveOf<Self>, _: usize) -> MoveOf<Self> {
            mv
        }
    }
    moves_without_their_image, TixTax, "move_image": {
        fn image(pos: &TixTax, _: usize) -> TixTax {
            *pos
        }
    }
    another_first_symmetry, TixTaxOpen, "image": {
        fn image(pos: &TixTaxOpen, symmetry: usize) -> TixTaxOpen {
            pos.image(7 - symmetry)
        }
        fn move_image(pos: &TixTaxOpen, mv: MoveOf<Self>, symmetry: usize) -> MoveOf<Self> {
            pos.move_image(mv, 7 - symmetry)
        }
    }
    the_key_of_no_image, TixTax, "image_key": {
        fn image_key(pos: &TixTax, _: usize) -> u64 {
            pos.key()
        }
    }
    a_wrong_number_of_moves, TixTax, "move_count": {
        fn move_count(pos: &TixTax) -> usize {
            pos.move_count().min(12)
        }
    }
    a_wrong_number_of_replies, TicTacToe, "reply_count": {
        fn reply_count(pos: &TicTacToe, _: MoveOf<Self>) -> usize {
            pos.move_count() - 1
        }
    }
    the_key_before_a_move, TixTax, "key_after": {
        fn key_after(pos: &TixTax, _: MoveOf<Self>) -> Option<u64> {
            Some(pos.key())
        }
    }
    a_move_that_is_legal_too_often, Nim, "is_legal": {
        fn is_legal(_: &Nim, _: MoveOf<Self>) -> bool {
            true
        }
    }
    an_illegal_move_that_is_played, PongHauKi, "play": {
        fn play(pos: &mut PongHauKi, mv: MoveOf<Self>) -> Result<(), MoveError> {
            pos.play_unchecked(mv);
            Ok(())
        }
    }
    a_successor_that_is_not_played, TicTacToe, "after": {
        fn after(pos: &TicTacToe, _: MoveOf<Self>) -> TicTacToe {
            *pos
        }
    }
    a_random_move_that_prefers_the_first, TixTax, "random_move": {
        fn random_move(pos: &TixTax, random: &mut SplitMix) -> MoveOf<Self> {
            let moves = pos.legal_moves();
            moves[random.below(moves.len()).min(random.below(moves.len()))]
        }
    }
    a_side_that_is_always_to_move, Nim, "side": {
        fn side(_: &Nim) -> Side {
            Side::P1
        }
    }
    a_finished_game_that_goes_on, TicTacToe, "outcome": {
        fn outcome(pos: &TicTacToe) -> Option<Outcome> {
            pos.outcome().filter(|outcome| *outcome == Outcome::Draw)
        }
    }
    a_fen_that_reads_back_as_another_position, Nim, "FromStr": {
        fn fen(pos: &Nim) -> String {
            pos.image(1).to_string()
        }
    }
    a_user_move_in_lower_case_only, TicTacToe, "parse_user_move": {
        fn parse_user_move(pos: &TicTacToe, text: &str) -> Result<MoveOf<Self>, MoveError> {
            let is_lower = !text.contains(char::is_uppercase);
            pos.parse_move(if is_lower { text } else { "" })
        }
    }
    a_notation_of_the_start_only, TixTax, "write_as": {
        fn write_as(pos: &TixTax, notation: Notation) -> Option<String> {
            pos.write_as(if notation == Notation::Drops { Notation::Own } else { notation })
                .filter(|_| notation != Notation::Drops || *pos != TixTax::start())
        }
    }
    a_move_in_a_notation_that_is_missing, TicTacToe, "write_move_as": {
        fn write_move_as(mv: MoveOf<Self>, notation: Notation) -> Option<String> {
            TicTacToe::write_move_as(mv, notation).or(Some(mv.to_string()))
        }
    }
    a_spot_too_few, Nim, "spot_contents": {
        fn spot_contents(pos: &Nim) -> Vec<SpotContent> {
            pos.spot_contents().split_off(1)
        }
    }
    a_label_on_the_board, Nim, "extra_labels": {
        fn extra_labels(_: &Nim) -> Vec<Label> {
            vec![Label { x: 1.0, y: 1.0, text: "here".to_owned() }]
        }
    }
    a_hint_of_two_lines, TicTacToe, "legal_hint": {
        fn legal_hint(_: &TicTacToe) -> String {
            "no\nidea".to_owned()
        }
    }
}
