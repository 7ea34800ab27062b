//! The [`Game`] trait: rules, and what searches ask. A position implements a few required methods; the
//! methods with a default body are hooks that a game overrides to answer faster or more precisely.

use std::fmt::{Debug, Display};
use std::hash::{Hash, Hasher};
use std::ops::DerefMut;
use std::str::FromStr;

use super::random::mix64;
use super::{FenError, MoveError, Outcome, Side, SplitMix};

/// A move; `Display` writes it in the game's notation.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// A number below [`Game::MOVE_CODES`] that identifies the move among all moves of the game.
    fn code(self) -> usize;

    /// The move with this code; `None` if there is none.
    fn from_code(code: usize) -> Option<Self>;
}

/// A move that neither ends the game nor changes the answers of [`Game::can_still_win`] and
/// [`Game::has_secured_win`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietMove {
    /// [`Game::wins_at_once`] after the move: whether the opponent can win with the next one.
    pub allows_win: bool,
}

/// A position of a two-player game with perfect information: small, `Copy`, without history.
///
/// The sides always alternate; a game with passes makes the pass a move. Equal positions have the
/// same legal moves, keys and value. Details that only appear in the FEN, such as the last move or
/// the number of plies played, do not take part in `Eq`.
///
/// `Display` writes the FEN and `FromStr` reads it. `FromStr` must refuse every text whose position
/// would break a method of this trait: a side to move that does not fit the board, two winners,
/// pieces missing or left over, moves played after the end. It need not prove that a game can reach
/// the position.
///
/// Text, board and numbers are traits of their own: [`GameNotation`](super::GameNotation),
/// [`GameDrawing`](super::GameDrawing) and [`GameEncoding`](super::GameEncoding).
pub trait Game:
    Copy + Eq + Hash + Debug + Display + FromStr<Err = FenError> + Send + Sync + 'static
{
    /// The name in commands and records.
    const ID: &'static str;
    /// Other accepted names.
    const ALIASES: &'static [&'static str] = &[];
    /// Whether a position can recur; if so, the third occurrence is a draw (see
    /// [`Record`](super::Record)).
    const CYCLIC: bool = false;
    /// An upper bound of all move codes, exclusive; at most 65534.
    const MOVE_CODES: usize;
    /// The number of symmetries of [`Game::image`], including the identity.
    const SYMMETRIES: usize = 1;
    /// Whether only the side that made the last move can have won.
    const WINNER_MOVES_LAST: bool = true;
    /// Whether casual games start from [`Game::random_start`].
    const HAS_RANDOM_START: bool = false;
    /// The number of random plies in a varied opening.
    const OPENING_PLIES: usize = 4;

    type Move: Move;
    /// A list of moves, such as a `Vec`, or an `ArrayVec` where the search has to be fast.
    type Moves: DerefMut<Target = [Self::Move]> + IntoIterator<Item = Self::Move>;

    fn start() -> Self;

    /// The side to move; in a finished game, the side that would be to move.
    fn side(&self) -> Side;

    /// The result by the rules of the game, `None` while the game is in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal moves; empty if and only if [`Game::outcome`] is `Some`. Their order breaks ties
    /// between equally good moves.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a legal move; the result of an illegal one is unspecified.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// A 64-bit hash. Equal positions have equal keys, and different positions must differ in it
    /// except by accident. The default is computed from the `Hash` of the position.
    fn key(&self) -> u64 {
        let mut hasher = KeyHasher(0);
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// An upper bound of the number of plies to the end of the game, `None` if the rules give none.
    /// It falls with every move. A search of that depth is exhaustive and its value exact.
    fn max_plies_left(&self) -> Option<u32> {
        None
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// Fails if the move is illegal; the position is unchanged.
    fn play(&mut self, mv: Self::Move) -> Result<(), MoveError> {
        if !self.is_legal(mv) {
            return Err(MoveError::Illegal { found: mv.to_string(), hint: legal_hint(self) });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// The position after a legal move. Inner loops play the move on a copy of their own instead: the
    /// one returned here is copied once more, which waits for the writes of the move.
    #[inline]
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = *self;
        next.play_unchecked(mv);
        next
    }

    fn is_legal(&self, mv: Self::Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    #[inline]
    fn move_count(&self) -> usize {
        self.legal_moves().len()
    }

    /// The number of legal moves after a legal move.
    #[inline]
    fn reply_count(&self, mv: Self::Move) -> usize {
        self.after(mv).move_count()
    }

    /// An estimate of how many legal moves are safe: they do not let the opponent win at once.
    #[inline]
    fn safe_move_count(&self) -> usize {
        self.move_count()
    }

    /// Whether a legal move lets the opponent win at once. `true` means that it does; `false` is
    /// always allowed.
    #[inline]
    fn is_unsafe(&self, mv: Self::Move) -> bool {
        match self.quiet_move(mv) {
            Some(quiet) => quiet.allows_win,
            None => self.after(mv).wins_at_once(),
        }
    }

    /// A uniformly random legal move; the game must not be over.
    #[inline]
    fn random_move(&self, random: &mut SplitMix) -> Self::Move {
        let moves = self.legal_moves();
        moves[random.below(moves.len())]
    }

    /// The key of the transposition table, which treats positions with the same one as equal.
    ///
    /// Positions with equal search keys must agree in everything that a search or an evaluation asks,
    /// now and after the same moves. Equal positions have equal search keys. Positions that differ
    /// only in stones of a board that is closed for good, for instance, may be merged.
    #[inline]
    fn search_key(&self) -> u64 {
        self.key()
    }

    /// A hash for solvers that may merge different positions with the same game tree.
    ///
    /// Positions with equal value keys must have the same side to move, outcome and legal moves, and
    /// each of these moves must again lead to equal value keys. So they have the same value, and a
    /// best move or proof found for one holds for the other. Equal positions have equal value keys.
    /// Positions that differ only in who occupies a square on which no line can be completed, for
    /// instance, may be merged; mirror images may not, since their moves differ.
    #[inline]
    fn value_key(&self) -> u64 {
        self.key()
    }

    /// Describes a move without making it, if it is quiet. `None` is always allowed.
    #[inline]
    fn quiet_move(&self, mv: Self::Move) -> Option<QuietMove> {
        let _ = mv;
        None
    }

    /// The value keys before and after a quiet move, xored.
    #[inline]
    fn value_key_xor(&self, mv: Self::Move) -> u64 {
        self.value_key() ^ self.after(mv).value_key()
    }

    /// Whether `side` can still win. `false` means that no continuation wins for `side`; `true` is
    /// always allowed.
    #[inline]
    fn can_still_win(&self, side: Side) -> bool {
        let _ = side;
        true
    }

    /// Whether `side` wins however the game goes on. `true` means that every continuation wins for
    /// `side`, and requires a bound of [`Game::max_plies_left`]; `false` is always allowed.
    #[inline]
    fn has_secured_win(&self, side: Side) -> bool {
        let _ = side;
        false
    }

    /// What each side has counted, if the finished game was decided by counting.
    fn final_count(&self) -> Option<[u32; 2]> {
        None
    }

    /// Returns the [`Game::search_key`] of the position after a move if it can be computed without making
    /// the move, so that the entry of that position can be prefetched.
    fn search_key_after(&self, mv: Self::Move) -> Option<u64> {
        let _ = mv;
        None
    }

    /// Whether the side to move has a move that wins the game at once. `true` means that it has;
    /// `false` is always allowed.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// Identifies a position for repetition. Positions with the same repetition key show the same
    /// board with the same side to move. They may differ in rules that apply only once, such as a
    /// restricted first move.
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// A start position for a varied game, before any random plies are played.
    fn random_start(random: &mut SplitMix) -> Self {
        let _ = random;
        Self::start()
    }

    /// The position under symmetry number `symmetry`, below [`Game::SYMMETRIES`]; number 0 is the
    /// identity.
    ///
    /// The image has the same side to move, outcome and value. [`Game::move_image`] maps the legal
    /// moves one to one to those of the image, and playing a move commutes with the symmetry. A
    /// position without such an image is its own image, and so are then its moves.
    #[must_use]
    fn image(&self, symmetry: usize) -> Self {
        let _ = symmetry;
        *self
    }

    /// The key of the position's image under a symmetry.
    fn image_key(&self, symmetry: usize) -> u64 {
        self.image(symmetry).key()
    }

    /// The move in [`Game::image`] that corresponds to `mv` here.
    fn move_image(&self, mv: Self::Move, symmetry: usize) -> Self::Move {
        let _ = symmetry;
        mv
    }
}

/// The hint that accompanies the refusal of an illegal move: some legal ones, or that the game is over.
pub(super) fn legal_hint<G: Game>(pos: &G) -> String {
    const SHOWN: usize = 9;
    let moves = pos.legal_moves();
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

/// Hashes a position for its default key: the same in every build, and no input can aim at it.
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix64(self.0.rotate_left(29) ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A key that all symmetric images of a position share.
#[must_use]
pub fn symmetric_key<G: Game>(pos: &G) -> u64 {
    (0..G::SYMMETRIES).map(|symmetry| pos.image_key(symmetry)).min().unwrap_or_else(|| pos.key())
}
