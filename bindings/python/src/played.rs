//! [`Played`]: a game in progress behind one interface, whatever its type, fast enough for loops in Python.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};

use zermelo::rules::{Game, Move, MoveError, Outcome, Record, Side};
use zermelo::thinking::registry::{GameEntry, GameVisitor, RegisteredGame};

/// A game in progress. Moves are text or [actions](Move::action).
pub(crate) trait Played: Send + Sync {
    fn play(&mut self, mv: &str) -> Result<(), MoveError>;
    fn take_back(&mut self) -> Option<String>;
    fn is_legal(&self, mv: &str) -> bool;
    fn for_each_legal_action(&self, visit: &mut dyn FnMut(usize));
    fn action(&self, mv: &str) -> Result<usize, MoveError>;
    fn outcome(&self) -> Option<Outcome>;
    fn final_count(&self) -> Option<[u32; 2]>;
    fn side(&self) -> Side;
    fn max_plies_left(&self) -> Option<u32>;
    fn plies(&self) -> usize;
    fn moves(&self) -> Vec<String>;
    fn first_fen(&self) -> String;
    fn fen(&self) -> String;
    fn diagram(&self) -> String;
    fn hash(&self) -> u64;
    fn equals(&self, other: &dyn Played) -> bool;
    fn copy(&self) -> Box<dyn Played>;
    /// A game at the image of the position under a symmetry.
    fn image(&self, symmetry: usize) -> Box<dyn Played>;
    fn write_planes(&self, planes: &mut [f32]);
    fn as_any(&self) -> &dyn Any;
}

impl<G: Game> Played for Record<G> {
    fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        self.push_text(mv)
    }

    fn take_back(&mut self) -> Option<String> {
        self.pop().map(|mv| mv.to_string())
    }

    fn is_legal(&self, mv: &str) -> bool {
        let parsed = self.position().parse_move(mv);
        parsed.is_ok_and(|mv| self.outcome().is_none() && self.position().is_legal(mv))
    }

    fn for_each_legal_action(&self, visit: &mut dyn FnMut(usize)) {
        if Self::outcome(self).is_none() {
            self.position().legal_moves().into_iter().for_each(|mv| visit(mv.action()));
        }
    }

    fn action(&self, mv: &str) -> Result<usize, MoveError> {
        Ok(self.position().parse_move(mv)?.action())
    }

    fn outcome(&self) -> Option<Outcome> {
        Self::outcome(self)
    }

    fn final_count(&self) -> Option<[u32; 2]> {
        self.position().final_count()
    }

    fn side(&self) -> Side {
        self.position().side()
    }

    fn max_plies_left(&self) -> Option<u32> {
        self.position().max_plies_left()
    }

    fn plies(&self) -> usize {
        Self::moves(self).len()
    }

    fn moves(&self) -> Vec<String> {
        Self::moves(self).iter().map(ToString::to_string).collect()
    }

    fn first_fen(&self) -> String {
        self.first().to_string()
    }

    fn fen(&self) -> String {
        self.position().to_string()
    }

    fn diagram(&self) -> String {
        self.position().diagram()
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (G::ID, self.position()).hash(&mut hasher);
        hasher.finish()
    }

    fn equals(&self, other: &dyn Played) -> bool {
        other
            .as_any()
            .downcast_ref::<Self>()
            .is_some_and(|other| self.position() == other.position())
    }

    fn copy(&self) -> Box<dyn Played> {
        Box::new(self.clone())
    }

    fn image(&self, symmetry: usize) -> Box<dyn Played> {
        Box::new(Self::new(self.position().image(symmetry)))
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.position().write_planes(planes);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Opens a game at a position, or at its start.
pub(crate) struct Open<'a>(pub(crate) Option<&'a str>);

impl GameVisitor for Open<'_> {
    type Output = Result<Box<dyn Played>, zermelo::rules::FenError>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        let pos = self.0.map_or_else(|| Ok(R::Game::start()), str::parse)?;
        Ok(Box::new(Record::<R::Game>::new(pos)))
    }
}

/// What all positions of a game have in common.
pub(crate) struct Facts {
    pub(crate) entry: &'static GameEntry,
    /// The name of each action that is a move.
    pub(crate) actions: Vec<Option<String>>,
    /// The number of planes, and the shape of each.
    pub(crate) planes: Vec<usize>,
    /// The image of each action under each symmetry; an action that is not a move is its own.
    pub(crate) action_images: Vec<Vec<i64>>,
}

/// Finds the [`Facts`] of a game.
pub(crate) struct FindFacts(pub(crate) &'static GameEntry);

impl GameVisitor for FindFacts {
    type Output = Facts;

    fn visit<R: RegisteredGame>(self) -> Facts {
        let moves = || (0..R::Game::ACTIONS).map(<R::Game as Game>::Move::from_action);
        // The first position of a game may have a rule of its own.
        let start = R::Game::start();
        let pos = start.after(start.legal_moves()[0]);
        let image = |symmetry, (action, mv): (usize, Option<<R::Game as Game>::Move>)| {
            mv.map_or(action, |mv| pos.move_image(mv, symmetry).action()) as i64
        };
        let images = |symmetry| moves().enumerate().map(|each| image(symmetry, each)).collect();
        Facts {
            entry: self.0,
            actions: moves().map(|mv| mv.map(|mv| mv.to_string())).collect(),
            planes: [&[R::Game::PLANES], &plane_shape::<R::Game>()[..]].concat(),
            action_images: (0..R::Game::SYMMETRIES).map(images).collect(),
        }
    }
}

/// The shape of a plane: rows and columns of a square board, otherwise the number of places.
pub(crate) fn plane_shape<G: Game>() -> Vec<usize> {
    let places =
        G::layout().map_or(0, |layout| layout.spots.iter().filter(|spot| !spot.is_area).count());
    let side = places.isqrt();
    if side * side == places { vec![side, side] } else { vec![places] }
}
