//! [`KnownGame`]: the types that make up what the program knows about a game.

use std::marker::PhantomData;

use super::settings::EngineEvaluator;
#[cfg(feature = "interface")]
pub(super) use crate::analysis::{DefaultAnalysis, GameAnalysis};
use crate::reasons::Reasons;
use crate::rules::{GameEncoding, GameNotation};
use crate::solve::ExactSolver;

/// Without the interface nobody asks for an analysis.
#[cfg(not(feature = "interface"))]
pub trait GameAnalysis<G> {}

#[cfg(not(feature = "interface"))]
#[derive(Debug)]
pub struct DefaultAnalysis;

#[cfg(not(feature = "interface"))]
impl<G> GameAnalysis<G> for DefaultAnalysis {}

/// A game with what solves, evaluates, analyzes and explains it.
pub(super) trait KnownGame: Send + Sync + 'static {
    type Game: GameNotation + GameEncoding;
    type ExactSolver: ExactSolver<Self::Game>;
    type Evaluation: EngineEvaluator<Self::Game>;
    type Analysis: GameAnalysis<Self::Game>;
    type Reasons: Reasons<Self::Game> + 'static;
}

/// Names a type without having one.
pub(super) type Named<T> = PhantomData<fn() -> T>;

/// The types that a [`GameSpec`](super::GameSpec) is built from.
pub(super) struct Types<G, O, E, A, R>(pub(super) Named<(G, O, E, A, R)>);

impl<G, O, E, A, R> KnownGame for Types<G, O, E, A, R>
where
    G: GameNotation + GameEncoding,
    O: ExactSolver<G>,
    E: EngineEvaluator<G>,
    A: GameAnalysis<G> + 'static,
    R: Reasons<G> + 'static,
{
    type Game = G;
    type ExactSolver = O;
    type Evaluation = E;
    type Analysis = A;
    type Reasons = R;
}
