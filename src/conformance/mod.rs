//! The conformance kit: checks a game against the definitions of [`Game`] and its companion traits on random games.
//!
//! A game that passes works with every searcher, solver and command. Put it into a test:
//!
//! ```
//! use zermelo::games::TicTacToe;
//!
//! zermelo::conformance::check::<TicTacToe>().unwrap();
//! ```

mod drawing;
mod keys;
mod notation;
mod rules;
mod symmetry;

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::rules::{Game, GameEncoding, GameNotation, Move, SplitMix};

const GAMES: u64 = 64;
/// A game whose positions can recur is left after this many plies.
const MAX_CYCLIC_PLIES: usize = 120;
/// Any other game has to end within this many plies.
const MAX_PLIES: usize = 10_000;

/// A game that breaks the definition of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The method or constant at fault.
    pub method: &'static str,
    pub position: String,
    /// What should hold, and what was found.
    pub rule: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (position '{}')", self.method, self.rule, self.position)
    }
}

impl Error for Fault {}

type Check = Result<(), Fault>;

fn fault(method: &'static str, pos: &impl fmt::Display, rule: impl Into<String>) -> Fault {
    Fault { method, position: pos.to_string(), rule: rule.into() }
}

/// Returns a fault unless a condition holds: `ensure!(condition, "method", position, "rule {}", …)`.
macro_rules! ensure {
    ($condition:expr, $method:literal, $pos:expr, $($rule:tt)+) => {
        if !$condition {
            return Err($crate::conformance::fault($method, &$pos, format!($($rule)+)));
        }
    };
}
use ensure;

/// Checks a game on random games. A panic of the game counts as a fault.
///
/// # Errors
/// Fails with the first fault of each method.
pub fn check<G: GameNotation + GameEncoding>() -> Result<(), Vec<Fault>> {
    let mut kit = Kit { faults: Vec::new() };
    kit.run::<G>(&G::start(), drawing::layout_is_sound::<G>);
    // Further games cannot be played either once one cannot.
    let _ = (0..GAMES).all(|seed| kit.check_game::<G>(&mut SplitMix::new(seed)));
    kit.result()
}

/// Checks a game in one position, such as one that was read from a FEN.
///
/// # Errors
/// Fails with the first fault of each method.
pub fn check_position<G: GameNotation + GameEncoding>(pos: &G) -> Result<(), Vec<Fault>> {
    let mut kit = Kit { faults: Vec::new() };
    kit.check_rules(pos, &mut SplitMix::new(0));
    kit.check_position(pos);
    kit.result()
}

struct RandomGame<G: Game> {
    positions: Vec<G>,
    moves: Vec<G::Move>,
}

struct Kit {
    faults: Vec<Fault>,
}

impl Kit {
    fn result(self) -> Result<(), Vec<Fault>> {
        if self.faults.is_empty() { Ok(()) } else { Err(self.faults) }
    }

    /// Runs a check and returns whether it passed. Only the first fault of a method is kept.
    fn run<G: GameNotation + GameEncoding>(
        &mut self,
        pos: &G,
        check: impl FnOnce() -> Check,
    ) -> bool {
        let found = catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            let position = catch_unwind(AssertUnwindSafe(|| pos.to_string())).unwrap_or_default();
            let rule = format!("it panics: {text}");
            Err(Fault { method: panicking_method(pos), position, rule })
        });
        let Err(fault) = found else { return true };
        if self.faults.iter().all(|known| known.method != fault.method) {
            self.faults.push(fault);
        }
        false
    }

    /// Runs all checks on a random game. Those that take long look at one of its positions.
    /// Returns whether it can be played.
    fn check_game<G: GameNotation + GameEncoding>(&mut self, random: &mut SplitMix) -> bool {
        let Some(game) = self.play::<G>(random) else { return false };
        let positions = &game.positions;
        let pos = &positions[random.below(positions.len())];
        for pos in positions {
            self.check_rules(pos, random);
        }
        self.check_position(pos);
        self.run(pos, || rules::promises_hold_to_the_end(&game));
        self.run(pos, || rules::random_moves_are_uniform(pos, random));
        self.run(pos, || keys::move_codes_identify_moves(positions));
        self.run(pos, || keys::actions_identify_moves(positions));
        self.run(pos, || keys::keys_identify_positions(positions));
        self.run(pos, || {
            keys::equal_keys_mean_equal_games(&keys::neighbourhood(positions, pos), random)
        });
        true
    }

    fn check_rules<G: GameNotation + GameEncoding>(&mut self, pos: &G, random: &mut SplitMix) {
        self.run(pos, || rules::moves_and_outcome_agree(pos));
        self.run(pos, || rules::shortcuts_match_the_move_list(pos));
        self.run(pos, || rules::promises_hold(pos, random));
    }

    fn check_position<G: GameNotation + GameEncoding>(&mut self, pos: &G) {
        self.run(pos, || rules::only_legal_moves_are_accepted(pos));
        self.run(pos, || symmetry::images_are_the_same_game(pos));
        self.run(pos, || notation::fen_round_trips(pos));
        self.run(pos, || notation::moves_are_read_as_written(pos));
        self.run(pos, || notation::all_notations_round_trip(pos));
        self.run(pos, || drawing::board_is_shown(pos));
        self.run(pos, || drawing::planes_show_the_pieces(pos));
    }

    /// Plays a random game to its end; `None` if it cannot be played.
    fn play<G: GameNotation + GameEncoding>(
        &mut self,
        random: &mut SplitMix,
    ) -> Option<RandomGame<G>> {
        let first = G::random_start(random);
        let mut game = RandomGame { positions: vec![first], moves: Vec::new() };
        let limit = if G::CYCLIC { MAX_CYCLIC_PLIES } else { MAX_PLIES };
        while game.moves.len() < limit {
            let pos = game.positions[game.moves.len()];
            let mut is_over = false;
            let passes = self.run(&pos, || {
                rules::moves_and_outcome_agree(&pos)?;
                let moves = pos.legal_moves();
                is_over = moves.is_empty();
                if !is_over {
                    let mv = moves[random.below(moves.len())];
                    game.positions.push(pos.after(mv));
                    game.moves.push(mv);
                }
                Ok(())
            });
            if !passes {
                return None;
            }
            if is_over {
                return Some(game);
            }
        }
        let rule = format!("a random game has not ended after {limit} plies");
        let may_go_on = self
            .run(&first, || if G::CYCLIC { Ok(()) } else { Err(fault("outcome", &first, rule)) });
        may_go_on.then_some(game)
    }
}

/// Finds the method that panics in a position by calling each of them.
fn panicking_method<G: GameNotation + GameEncoding>(pos: &G) -> &'static str {
    let moves = || pos.legal_moves().into_iter();
    let calls: [(&'static str, &dyn Fn()); 16] = [
        ("outcome", &|| _ = pos.outcome()),
        ("legal_moves", &|| _ = pos.legal_moves()),
        ("side", &|| _ = pos.side()),
        ("play_unchecked", &|| moves().for_each(|mv| _ = pos.after(mv))),
        ("Display", &|| _ = pos.to_string()),
        ("FromStr", &|| _ = pos.to_string().parse::<G>()),
        ("key", &|| _ = pos.key()),
        ("max_plies_left", &|| _ = pos.max_plies_left()),
        ("wins_at_once", &|| _ = pos.wins_at_once()),
        ("image", &|| (0..G::SYMMETRIES).for_each(|symmetry| _ = pos.image(symmetry))),
        ("is_legal", &|| moves().for_each(|mv| _ = pos.is_legal(mv))),
        ("parse_move", &|| moves().for_each(|mv| _ = pos.parse_move(&mv.to_string()))),
        ("layout", &|| _ = G::layout()),
        ("spot_contents", &|| _ = pos.spot_contents()),
        ("diagram", &|| _ = pos.diagram()),
        ("from_code", &|| (0..G::MOVE_CODES).for_each(|code| _ = G::Move::from_code(code))),
    ];
    let panics = |call: &dyn Fn()| catch_unwind(AssertUnwindSafe(call)).is_err();
    calls.into_iter().find(|(_, call)| panics(*call)).map_or("some method", |(method, _)| method)
}
