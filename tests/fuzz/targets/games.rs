//! Random games: incremental state matches state computed from scratch, and the rules match other
//! implementations.
//!
//! The first byte selects the game, the second the starting position; every further byte selects a move,
//! and its top bit an evaluation after it.
#![no_main]

use std::any::Any;
use std::cmp::Ordering;

use board_game::board::{Board, Outcome as TheirOutcome, Player};
use board_game::games::sttt::{Coord, STTTBoard};
use board_game::games::ttt::TTTBoard;
use board_game::util::coord::Coord3;
use zermelo::eval::{HandcraftedEval, Net};
use zermelo::games::tixtax::{Rule, TixTaxMove, Ultimate};
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::{Game, GameEncoding, GameNotation, Move, Outcome, Record, Side, SplitMix};
use zermelo::search::{Evaluator, ZeroEval};
use zermelo_fuzz::{check_equal, check_position};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [number, start, moves @ ..] = bytes else { return };
    PLAY[usize::from(*number) % PLAY.len()](*start, moves);
});

const PLAY: [fn(u8, &[u8]); 6] = [
    play::<TixTax, Net>,
    play::<TixTaxCount, Net>,
    play::<TixTaxOpen, HandcraftedEval>,
    play::<TicTacToe, ZeroEval>,
    play::<PongHauKi, ZeroEval>,
    play::<Nim, ZeroEval>,
];

/// Creates an evaluator as the engine does.
trait NewEvaluator {
    fn new_evaluator() -> Self;
}

impl NewEvaluator for Net {
    fn new_evaluator() -> Self {
        Self::embedded().unwrap()
    }
}

impl NewEvaluator for HandcraftedEval {
    fn new_evaluator() -> Self {
        Self::default()
    }
}

impl NewEvaluator for ZeroEval {
    fn new_evaluator() -> Self {
        Self
    }
}

fn play<G: GameNotation + GameEncoding, E: Evaluator<G> + NewEvaluator>(start: u8, choices: &[u8]) {
    let (mut own, mut other) = (E::new_evaluator(), reference_rules::<G>());
    let first = match start {
        0 => G::start(),
        seed => G::random_start(&mut SplitMix::new(seed.into())),
    };
    let mut record = Record::new(first);
    own.reset(&first);
    for choice in choices {
        let before = *record.position();
        let moves = record.legal_moves();
        assert_eq!(moves.is_empty(), record.outcome().is_some(), "{before}");
        if moves.is_empty() {
            assert!(before.legal_moves().iter().all(|mv| record.clone().push(*mv).is_err()));
            break;
        }
        let mv = moves[usize::from(*choice) % moves.len()];
        record.push(mv).unwrap_or_else(|error| panic!("{before}: {error}"));
        let after = *record.position();
        check_equal(
            &after,
            &after.to_string().parse().unwrap_or_else(|error| panic!("{after}: {error}")),
        );
        other.follow(mv, &after);
        if after.outcome().is_some() {
            break;
        }
        own.make_move(&before, mv, &after);
        if choice & 128 != 0 {
            // Undoing and replaying the move gives the same evaluation.
            let value = own.evaluate(&after);
            own.undo_move();
            own.make_move(&before, mv, &after);
            assert_eq!(value, own.evaluate(&after), "{after}");
        }
    }
    let last = record.position();
    if last.outcome().is_none() {
        let value = own.evaluate(last);
        own.reset(last);
        assert_eq!(value, own.evaluate(last), "{last}");
    }
    // The slow checks run once per game; every prefix of an input is another input.
    check_position(last);
    if G::CYCLIC {
        check_repetition(&record);
    }
}

/// Checks that exactly the third occurrence of a position ends the game, counting FENs.
fn check_repetition<G: Game>(record: &Record<G>) {
    let board = |pos: &G| pos.to_string().rsplit_once(' ').map(|(board, _)| board.to_owned());
    let mut pos = *record.first();
    let mut seen = vec![board(&pos)];
    for mv in record.moves() {
        pos.play_unchecked(*mv);
        seen.push(board(&pos));
    }
    let now = board(record.position());
    let thrice = seen.iter().filter(|other| **other == now).count() >= 3;
    let expected = pos.outcome().or(thrice.then_some(Outcome::Draw));
    assert_eq!(record.outcome(), expected, "{pos}");
}

/// An independent implementation of the rules.
trait ReferenceRules<G: Game> {
    /// Plays a legal move and checks that the legal moves, the side to move and the outcome agree.
    fn follow(&mut self, mv: G::Move, after: &G);
}

/// Used for games without an independent implementation.
struct NoReference;

impl<G: Game> ReferenceRules<G> for NoReference {
    fn follow(&mut self, _: G::Move, _: &G) {}
}

/// Returns the independent implementation of a game, if there is one.
fn reference_rules<G: Game>() -> Box<dyn ReferenceRules<G>> {
    let tictactoe: Box<dyn ReferenceRules<TicTacToe>> = Box::new(TTTBoard::default());
    let tixtax: Box<dyn ReferenceRules<TixTax>> = Box::new(STTTBoard::default());
    let by_count: Box<dyn ReferenceRules<TixTaxCount>> = Box::new(STTTBoard::default());
    let known: [Box<dyn Any>; 3] = [Box::new(tictactoe), Box::new(tixtax), Box::new(by_count)];
    let own =
        known.into_iter().find_map(|rules| rules.downcast::<Box<dyn ReferenceRules<G>>>().ok());
    own.map_or_else(|| Box::new(NoReference) as Box<dyn ReferenceRules<G>>, |rules| *rules)
}

impl ReferenceRules<TicTacToe> for TTTBoard {
    fn follow(&mut self, mv: <TicTacToe as Game>::Move, after: &TicTacToe) {
        self.play(Coord3::from_index(mv.code() as u8)).unwrap();
        let theirs =
            available(self, (0..9).map(|cell| (usize::from(cell), Coord3::from_index(cell))));
        let outcome = their_outcome(self);
        check_same(self, outcome, theirs, after);
    }
}

/// The crate implements only closed boards, which are not played on once decided. Without a line the
/// game is drawn there; where the number of boards decides, its owners are counted. It numbers boards and cells
/// as this library does.
impl<R: Rule> ReferenceRules<Ultimate<R>> for STTTBoard {
    fn follow(&mut self, mv: TixTaxMove, after: &Ultimate<R>) {
        let coord = |board, cell| Coord::from_oo(board as u8, cell as u8);
        self.play(coord(mv.board(), mv.square())).unwrap();
        let cells = (0..9).flat_map(|board| (0..9).map(move |cell| (board, cell)));
        let numbered = cells.map(|(board, cell)| (board << 4 | cell, coord(board, cell)));
        let theirs = available(self, numbered);
        let count = |player| (0..9).filter(|board| self.macr(*board) == Some(player)).count();
        let outcome =
            their_outcome(self).map(|outcome| match count(Player::A).cmp(&count(Player::B)) {
                Ordering::Greater if outcome == Outcome::Draw && R::COUNT_DECIDES => {
                    Outcome::Win(Side::P1)
                }
                Ordering::Less if outcome == Outcome::Draw && R::COUNT_DECIDES => {
                    Outcome::Win(Side::P2)
                }
                _ => outcome,
            });
        check_same(self, outcome, theirs, after);
        for board in 0..9 {
            let owner =
                [Side::P1, Side::P2].into_iter().find(|side| after.owned(*side) >> board & 1 == 1);
            assert_eq!(self.macr(board).map(side_of), owner, "{after}");
            assert_eq!(self.is_macro_open(board), after.closed() >> board & 1 == 0, "{after}");
        }
    }
}

/// The codes of the legal moves.
fn available<B: Board>(board: &B, all: impl Iterator<Item = (usize, B::Move)>) -> Vec<usize> {
    let is_available = |mv| board.is_available_move(mv).unwrap_or(false);
    all.filter(|(_, mv)| is_available(*mv)).map(|(code, _)| code).collect()
}

fn their_outcome(board: &impl Board) -> Option<Outcome> {
    board.outcome().map(|outcome| match outcome {
        TheirOutcome::WonBy(player) => Outcome::Win(side_of(player)),
        TheirOutcome::Draw => Outcome::Draw,
    })
}

fn check_same<B: Board, G: Game>(
    theirs: &B,
    outcome: Option<Outcome>,
    their_moves: Vec<usize>,
    ours: &G,
) {
    assert_eq!(outcome, ours.outcome(), "{ours}");
    assert_eq!(side_of(theirs.next_player()), ours.side(), "{ours}");
    let mut codes: Vec<usize> = ours.legal_moves().iter().map(|mv| mv.code()).collect();
    codes.sort_unstable();
    assert_eq!(codes, their_moves, "{ours}");
}

fn side_of(player: Player) -> Side {
    match player {
        Player::A => Side::P1,
        Player::B => Side::P2,
    }
}
