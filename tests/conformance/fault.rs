//! Wraps a correct game and makes single methods of it wrong.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use zermelo::rules::drawing::{BoardLayout, Label, SpotContent};
use zermelo::rules::{FenError, Game, MoveError, Notation, Outcome, QuietMove, Side, SplitMix};

pub(crate) type MoveOf<F> = <<F as Fault>::Base as Game>::Move;

/// A correct game and the methods that are overridden to be wrong.
pub(crate) trait Fault: Copy + Eq + Hash + Debug + Send + Sync + 'static {
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
    /// None by default, so that a wrong answer of another method is rejected for itself.
    fn quiet_move(_: &Self::Base, _: MoveOf<Self>) -> Option<QuietMove> {
        None
    }
    fn value_key_xor(pos: &Self::Base, mv: MoveOf<Self>) -> u64 {
        pos.value_key_xor(mv)
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
pub(crate) struct Faulty<F: Fault>(F::Base);

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
    fn quiet_move(&self, mv: Self::Move) -> Option<QuietMove> {
        F::quiet_move(&self.0, mv)
    }
    fn value_key_xor(&self, mv: Self::Move) -> u64 {
        F::value_key_xor(&self.0, mv)
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
