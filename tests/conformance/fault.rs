//! Wraps a correct game and makes single methods of it wrong. The wrong methods are chosen at run time, because each
//! type that passes through the kit takes seconds to compile.

use std::any::Any;
use std::cell::Cell;
use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use zermelo::rules::drawing::{BoardLayout, Label, SpotContent};
use zermelo::rules::{FenError, Game, MoveError, Notation, Outcome, QuietMove, Side, SplitMix};

/// The methods of a game.
#[derive(Debug)]
pub(crate) struct Methods<G: Game> {
    pub(crate) fen: fn(&G) -> String,
    pub(crate) side: fn(&G) -> Side,
    pub(crate) outcome: fn(&G) -> Option<Outcome>,
    pub(crate) key: fn(&G) -> u64,
    pub(crate) parse_user_move: fn(&G, &str) -> Result<G::Move, MoveError>,
    pub(crate) max_plies_left: fn(&G) -> Option<u32>,
    pub(crate) play: fn(&mut G, G::Move) -> Result<(), MoveError>,
    pub(crate) after: fn(&G, G::Move) -> G,
    pub(crate) is_legal: fn(&G, G::Move) -> bool,
    pub(crate) move_count: fn(&G) -> usize,
    pub(crate) reply_count: fn(&G, G::Move) -> usize,
    pub(crate) key_after: fn(&G, G::Move) -> Option<u64>,
    pub(crate) random_move: fn(&G, &mut SplitMix) -> G::Move,
    pub(crate) value_key: fn(&G) -> u64,
    pub(crate) quiet_move: fn(&G, G::Move) -> Option<QuietMove>,
    pub(crate) value_key_xor: fn(&G, G::Move) -> u64,
    pub(crate) can_still_win: fn(&G, Side) -> bool,
    pub(crate) has_secured_win: fn(&G, Side) -> bool,
    pub(crate) wins_at_once: fn(&G) -> bool,
    pub(crate) final_count: fn(&G) -> Option<[u32; 2]>,
    pub(crate) repetition_key: fn(&G) -> u64,
    pub(crate) image: fn(&G, usize) -> G,
    /// By default the key of the image.
    pub(crate) image_key: Option<fn(&G, usize) -> u64>,
    pub(crate) move_image: fn(&G, G::Move, usize) -> G::Move,
    pub(crate) write_as: fn(&G, Notation) -> Option<String>,
    pub(crate) write_move_as: fn(G::Move, Notation) -> Option<String>,
    pub(crate) spot_contents: fn(&G) -> Vec<SpotContent>,
    pub(crate) extra_labels: fn(&G) -> Vec<Label>,
    pub(crate) legal_hint: fn(&G) -> String,
}

impl<G: Game> Methods<G> {
    /// Those of the game itself, without the shortcuts that a wrong answer of another method would contradict.
    pub(crate) fn of_game() -> Self {
        Self {
            fen: G::to_string,
            side: G::side,
            outcome: G::outcome,
            key: G::key,
            parse_user_move: G::parse_user_move,
            max_plies_left: G::max_plies_left,
            play: G::play,
            after: G::after,
            is_legal: G::is_legal,
            move_count: G::move_count,
            reply_count: G::reply_count,
            key_after: |_, _| None,
            random_move: G::random_move,
            value_key: G::value_key,
            quiet_move: |_, _| None,
            value_key_xor: G::value_key_xor,
            can_still_win: G::can_still_win,
            has_secured_win: G::has_secured_win,
            wins_at_once: G::wins_at_once,
            final_count: G::final_count,
            repetition_key: G::repetition_key,
            image: G::image,
            image_key: None,
            move_image: G::move_image,
            write_as: G::write_as,
            write_move_as: G::write_move_as,
            spot_contents: G::spot_contents,
            extra_labels: G::extra_labels,
            legal_hint: G::legal_hint,
        }
    }

    /// Makes these the methods of `Faulty` on this thread.
    pub(crate) fn install(self) {
        METHODS.set(Some(Box::leak(Box::new(self))));
    }

    fn installed() -> &'static Self {
        METHODS.get().and_then(|methods| methods.downcast_ref()).expect("installed methods")
    }
}

thread_local! {
    static METHODS: Cell<Option<&'static dyn Any>> = const { Cell::new(None) };
}

/// A game with the installed methods; with `WRONG` constants its positions do not recur, or its moves have few codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faulty<G: Game, const WRONG: bool>(G, &'static Methods<G>);

impl<G: Game, const WRONG: bool> Faulty<G, WRONG> {
    fn new(pos: G) -> Self {
        Self(pos, Methods::installed())
    }
}

impl<G: Game, const WRONG: bool> PartialEq for Faulty<G, WRONG> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<G: Game, const WRONG: bool> Eq for Faulty<G, WRONG> {}

impl<G: Game, const WRONG: bool> Hash for Faulty<G, WRONG> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<G: Game, const WRONG: bool> Display for Faulty<G, WRONG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.1.fen)(&self.0))
    }
}

impl<G: Game, const WRONG: bool> FromStr for Faulty<G, WRONG> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        fen.parse().map(Self::new)
    }
}

impl<G: Game, const WRONG: bool> Game for Faulty<G, WRONG> {
    const ID: &'static str = G::ID;
    const CYCLIC: bool = G::CYCLIC && !WRONG;
    const MOVE_CODES: usize = if WRONG && !G::CYCLIC { 100 } else { G::MOVE_CODES };
    const SYMMETRIES: usize = G::SYMMETRIES;
    const OPENING_PLIES: usize = G::OPENING_PLIES;

    type Move = G::Move;
    type Moves = G::Moves;

    fn start() -> Self {
        Self::new(G::start())
    }
    fn random_start(random: &mut SplitMix) -> Self {
        Self::new(G::random_start(random))
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
        G::layout()
    }

    fn side(&self) -> Side {
        (self.1.side)(&self.0)
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.1.outcome)(&self.0)
    }
    fn key(&self) -> u64 {
        (self.1.key)(&self.0)
    }
    fn parse_user_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        (self.1.parse_user_move)(&self.0, text)
    }
    fn max_plies_left(&self) -> Option<u32> {
        (self.1.max_plies_left)(&self.0)
    }
    fn play(&mut self, mv: Self::Move) -> Result<(), MoveError> {
        (self.1.play)(&mut self.0, mv)
    }
    fn after(&self, mv: Self::Move) -> Self {
        Self((self.1.after)(&self.0, mv), self.1)
    }
    fn is_legal(&self, mv: Self::Move) -> bool {
        (self.1.is_legal)(&self.0, mv)
    }
    fn move_count(&self) -> usize {
        (self.1.move_count)(&self.0)
    }
    fn reply_count(&self, mv: Self::Move) -> usize {
        (self.1.reply_count)(&self.0, mv)
    }
    fn key_after(&self, mv: Self::Move) -> Option<u64> {
        (self.1.key_after)(&self.0, mv)
    }
    fn random_move(&self, random: &mut SplitMix) -> Self::Move {
        (self.1.random_move)(&self.0, random)
    }
    fn value_key(&self) -> u64 {
        (self.1.value_key)(&self.0)
    }
    fn quiet_move(&self, mv: Self::Move) -> Option<QuietMove> {
        (self.1.quiet_move)(&self.0, mv)
    }
    fn value_key_xor(&self, mv: Self::Move) -> u64 {
        (self.1.value_key_xor)(&self.0, mv)
    }
    fn can_still_win(&self, side: Side) -> bool {
        (self.1.can_still_win)(&self.0, side)
    }
    fn has_secured_win(&self, side: Side) -> bool {
        (self.1.has_secured_win)(&self.0, side)
    }
    fn wins_at_once(&self) -> bool {
        (self.1.wins_at_once)(&self.0)
    }
    fn final_count(&self) -> Option<[u32; 2]> {
        (self.1.final_count)(&self.0)
    }
    fn repetition_key(&self) -> u64 {
        (self.1.repetition_key)(&self.0)
    }
    fn image(&self, symmetry: usize) -> Self {
        Self((self.1.image)(&self.0, symmetry), self.1)
    }
    fn image_key(&self, symmetry: usize) -> u64 {
        match self.1.image_key {
            Some(image_key) => image_key(&self.0, symmetry),
            None => self.image(symmetry).key(),
        }
    }
    fn move_image(&self, mv: Self::Move, symmetry: usize) -> Self::Move {
        (self.1.move_image)(&self.0, mv, symmetry)
    }
    fn write_as(&self, notation: Notation) -> Option<String> {
        (self.1.write_as)(&self.0, notation)
    }
    fn write_move_as(mv: Self::Move, notation: Notation) -> Option<String> {
        (Methods::<G>::installed().write_move_as)(mv, notation)
    }
    fn spot_contents(&self) -> Vec<SpotContent> {
        (self.1.spot_contents)(&self.0)
    }
    fn extra_labels(&self) -> Vec<Label> {
        (self.1.extra_labels)(&self.0)
    }
    fn legal_hint(&self) -> String {
        (self.1.legal_hint)(&self.0)
    }
}
