//! The trait that a game implements, and what it may add.
//!
//! [`Game`] is a position: small, `Copy`, without history. What a game must say is short; the
//! methods with a body are hooks with a correct general answer that a game may answer faster.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::DerefMut;
use std::str::FromStr;

use super::drawing::{BoardLayout, Label, SpotContent};
use super::{FenError, MoveError, Notation, Outcome, Side, SplitMix};

/// A move of some game; `Display` writes the game's notation.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// A number below [`Game::MOVE_CODES`], different for different moves.
    fn code(self) -> usize;
}

/// A position of a two-player game with perfect information.
///
/// The sides take turns, without exception; a game with passes makes the pass a move. `Display`
/// writes the FEN, `FromStr` reads it and refuses what no game can contain. Two equal
/// positions have the same legal moves, the same key and the same value; what only decorates the
/// FEN (which stone sent the mover, how many plies were played) does not count.
pub trait Game:
    Copy + Eq + Hash + Debug + Display + FromStr<Err = FenError> + Send + Sync + 'static
{
    /// The name in commands and records.
    const ID: &'static str;
    /// Other names that are read.
    const ALIASES: &'static [&'static str] = &[];
    /// Whether a position can come back; then the third occurrence is a draw (see
    /// [`Record`](super::Record)).
    const CYCLIC: bool = false;
    /// All move codes are below this, and this is below 65535.
    const MOVE_CODES: usize;
    /// How many images [`Game::image`] makes, the position itself included.
    const SYMMETRIES: usize = 1;
    /// Whether games between people begin in a random position.
    const HAS_RANDOM_START: bool = false;
    /// How many random plies make a varied opening.
    const OPENING_PLIES: usize;

    /// A move.
    type Move: Move;
    /// A list of moves.
    type Moves: DerefMut<Target = [Self::Move]> + IntoIterator<Item = Self::Move>;

    /// The position in which every game begins.
    fn start() -> Self;

    /// Who is to move; in a finished game, who would be.
    fn side(&self) -> Side;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal moves; empty exactly when [`Game::outcome`] is known. Their order breaks ties
    /// between moves that are equally good.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a move that is known to be legal; anything may come of one that is not.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// A well scattered hash of all that makes two positions equal: the searchers take positions
    /// with the same key for the same.
    fn key(&self) -> u64;

    /// Reads a move in this game's notations; whether it is legal is another question.
    ///
    /// # Errors
    /// When the text is no move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Reads a move as people type it at this position: in this game's notations, or shorter where
    /// the position tells the rest.
    ///
    /// # Errors
    /// When the text is no move of this game.
    fn parse_typed_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        self.parse_move(text)
    }

    /// The board as people draw it, several lines.
    fn diagram(&self) -> String;

    /// An upper bound of the plies that are left, where the rules give one; it falls with every
    /// move. A search that looks so far ahead takes what it finds for proven.
    fn max_plies_left(&self) -> Option<u32>;

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// When it is not; the position is as it was.
    fn play(&mut self, mv: Self::Move) -> Result<(), MoveError> {
        if !self.is_legal(mv) {
            return Err(MoveError::Illegal { found: mv.to_string(), hint: self.legal_hint() });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = *self;
        next.play_unchecked(mv);
        next
    }

    /// Whether a move can be played here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// How many moves are legal.
    #[inline]
    fn move_count(&self) -> usize {
        self.legal_moves().len()
    }

    /// How many moves are legal after a legal move.
    #[inline]
    fn reply_count(&self, mv: Self::Move) -> usize {
        self.after(mv).move_count()
    }

    /// One of the legal moves, each equally likely; the game must not be over.
    #[inline]
    fn random_move(&self, random: &mut SplitMix) -> Self::Move {
        let moves = self.legal_moves();
        moves[random.below(moves.len())]
    }

    /// A key for what counts for the value alone: positions that share it have the same legal moves
    /// and the same value, though they may differ in what can no longer matter.
    #[inline]
    fn value_key(&self) -> u64 {
        self.key()
    }

    /// Whether `side` can still win; `true` when in doubt.
    #[inline]
    fn can_still_win(&self, side: Side) -> bool {
        let _ = side;
        true
    }

    /// Whether the mover can win with this very move; `false` when in doubt.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// What must agree for a position to count as repeated.
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// A start position for a varied game, before any random plies are played.
    fn random_start(random: &mut SplitMix) -> Self {
        let _ = random;
        Self::start()
    }

    /// The position seen through symmetry number `symmetry`; number 0 changes nothing.
    #[must_use]
    fn image(&self, symmetry: usize) -> Self {
        let _ = symmetry;
        *self
    }

    /// The key of [`Game::image`].
    fn image_key(&self, symmetry: usize) -> u64 {
        self.image(symmetry).key()
    }

    /// The move of [`Game::image`] that corresponds to `mv` here.
    fn move_image(&self, mv: Self::Move, symmetry: usize) -> Self::Move {
        let _ = symmetry;
        mv
    }

    /// The position in a notation; `None` where the game has no such notation or the notation
    /// cannot tell this position. A game has a notation exactly if it writes its start in it. What
    /// is written is read back, by `FromStr`, as an equal position.
    fn write_as(&self, notation: Notation) -> Option<String> {
        (notation == Notation::Own).then(|| self.to_string())
    }

    /// A move in a notation; `None` where the game has no such notation. What is written is read
    /// back, by [`Game::parse_move`], as the same move.
    fn write_move_as(mv: Self::Move, notation: Notation) -> Option<String> {
        (notation == Notation::Own).then(|| mv.to_string())
    }

    /// The empty board as a picture; `None` where only [`Game::diagram`] shows the game.
    fn layout() -> Option<BoardLayout> {
        None
    }

    /// What each spot of [`Game::layout`] shows, in that order.
    fn spot_contents(&self) -> Vec<SpotContent> {
        Vec::new()
    }

    /// What is written beside the board of [`Game::layout`] in this position, besides its labels.
    fn extra_labels(&self) -> Vec<Label> {
        Vec::new()
    }

    /// What to tell somebody who tried an illegal move.
    fn legal_hint(&self) -> String {
        const SHOWN: usize = 9;
        let moves = self.legal_moves();
        if moves.is_empty() {
            return "the game is over".to_owned();
        }
        let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        let hidden = names.len().saturating_sub(SHOWN);
        names.truncate(SHOWN);
        let listed = names.join(" ");
        match hidden {
            0 => format!("legal here: {listed}"),
            _ => format!("legal here: {listed} and {hidden} more"),
        }
    }
}

/// A game whose positions are sums of at most 16 independent heaps that either player may reduce,
/// and in which who cannot move loses.
pub trait HeapSum: Game {
    /// The sizes of the heaps.
    fn heaps(&self) -> impl Iterator<Item = u8>;

    /// The sizes to which a heap may be brought in one move, each smaller than it is.
    fn heap_options(size: u8) -> impl Iterator<Item = u8>;
}
