//! [`GameSpec`]: a game and all that the program knows about it, whatever its type.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

#[cfg(feature = "interface")]
use super::analyzing::{self, AnalysisTask};
use super::any_game::AnyGame;
#[cfg(not(target_family = "wasm"))]
use super::batch::{self, ActionSpace, Batch, BatchSetup};
use super::error::EngineError;
use super::known_game::{DefaultAnalysis, GameAnalysis};
use super::known_game::{Named, Types};
use super::openings::{self, OpeningList, OpeningRequest};
use super::puzzles::{self, PuzzleGenerator, PuzzleSelection};
use super::settings::{EngineEvaluator, Settings};
use super::skill_level::LevelScale;
#[cfg(feature = "interface")]
use super::solving::SolveError;
use super::solving::{self, GameSolver, SolverOptions};
use super::typed_game::TypedGame;
#[cfg(feature = "interface")]
use crate::analysis::atlas::{AtlasError, AtlasMove};
#[cfg(feature = "interface")]
use crate::analysis::{AnalysisReport, PositionGraph};
use crate::reasons::{DefaultReasons, Reasons};
use crate::rules::{Game, GameEncoding, GameNotation, Record};
use crate::search::{SearchControl, ZeroEval};
use crate::solve::{ExactSolver, Minimax, OutOfMemory, Retrograde, Unsolved};

/// A game and all that the program knows about it.
///
/// [`GameSpec::new`] needs nothing but the rules:
///
/// ```
/// use zermelo::games::TicTacToe;
/// use zermelo::rules::Notation;
/// use zermelo::thinking::GameSpec;
///
/// let spec = GameSpec::new::<TicTacToe>().build();
/// assert!(spec.is_solved, "the game is small");
/// assert_eq!(spec.open().legal_moves(Notation::Own).len(), 9);
/// ```
#[derive(Clone, Copy)]
pub struct GameSpec {
    pub id: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// The default number of random plies of an opening.
    pub opening_plies: usize,
    /// Whether every position's exact value is available without a search.
    pub is_solved: bool,
    /// Its lessons; empty if there are none.
    pub lessons: &'static str,
    /// Its exam; empty if there is none.
    pub exam: &'static str,
    /// What `rate` knows about the strength of its references; empty if nothing was measured.
    pub references: &'static str,
    /// Whether a proof of its positions can be written as a certificate, whose checker knows its rules.
    pub has_certificates: bool,
    pub(super) bench_depth: u32,
    atlas: &'static str,
    work: &'static dyn GameWork,
}

impl GameSpec {
    /// Starts from the rules of a game, with a default for everything else.
    #[must_use]
    #[expect(clippy::new_ret_no_self, reason = "the types are named step by step")]
    pub const fn new<G: GameNotation + GameEncoding>()
    -> SpecBuilder<G, CountPositions, ZeroEval, DefaultAnalysis, DefaultReasons> {
        let data = SpecData {
            lessons: "",
            atlas: "",
            exam: "",
            references: "",
            has_certificates: false,
            bench_depth: DEFAULT_BENCH_DEPTH,
        };
        SpecBuilder { data, types: PhantomData }
    }

    /// Opens a new game at the starting position.
    #[must_use]
    pub fn open(&self) -> Box<dyn AnyGame> {
        self.work.open()
    }

    /// The Elo of the levels of the engine; `None` if it was not measured in this game.
    #[must_use]
    pub fn level_scale(&self) -> Option<LevelScale> {
        LevelScale::from_references(self.references)
    }

    /// The settings that the engine starts with in this game.
    pub(crate) fn settings(&self) -> Settings {
        Settings { level_scale: self.level_scale().unwrap_or_default(), ..Settings::default() }
    }

    /// Creates a solver of the game's positions.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub fn solver(&self, options: SolverOptions) -> Result<Box<dyn GameSolver>, OutOfMemory> {
        self.work.solver(options)
    }

    #[cfg(feature = "interface")]
    /// Reports on the game, or on one of its positions.
    ///
    /// # Errors
    /// Fails if the position is invalid.
    pub fn analyze(&self, task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError> {
        self.work.analyze(task)
    }

    #[cfg(feature = "interface")]
    /// The moves of a position that the game's atlas knows, best first.
    ///
    /// # Errors
    /// Fails if the atlas is damaged.
    pub fn moves_in_atlas(&self, fen: &str) -> Result<Vec<AtlasMove<String>>, AtlasError> {
        self.work.moves_in_atlas(self.atlas, fen)
    }

    /// Whether the game has an opening atlas.
    #[must_use]
    pub fn has_atlas(&self) -> bool {
        !self.atlas.is_empty()
    }

    #[cfg(feature = "interface")]
    /// Draws all positions of the game as a graph, if there are few enough.
    #[must_use]
    pub fn graph(&self) -> Option<PositionGraph> {
        self.work.graph()
    }

    /// Generates openings for matches, fewer if `control` is stopped.
    ///
    /// # Errors
    /// Fails if the search that checks for balance cannot allocate its memory.
    pub fn openings(
        &self,
        request: &OpeningRequest,
        control: &SearchControl,
    ) -> Result<OpeningList, EngineError> {
        self.work.openings(request, control)
    }

    /// Whether the game has so few openings that a match soon repeats them.
    #[must_use]
    pub fn has_few_openings(&self) -> bool {
        self.work.has_few_openings()
    }

    /// Starts generating puzzles.
    #[must_use]
    pub fn puzzles(&self, selection: &PuzzleSelection) -> Box<dyn PuzzleGenerator> {
        self.work.puzzles(selection)
    }

    /// Starts many games at once, for training.
    #[must_use]
    #[cfg(not(target_family = "wasm"))]
    pub fn batch(&self, setup: BatchSetup) -> Box<dyn Batch> {
        self.work.batch(setup)
    }

    /// The moves and positions of the game as numbers.
    #[must_use]
    #[cfg(not(target_family = "wasm"))]
    pub fn action_space(&self) -> ActionSpace {
        self.work.action_space()
    }
}

impl PartialEq for GameSpec {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for GameSpec {}

impl fmt::Debug for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameSpec").field(&self.id).finish()
    }
}

/// Small enough for a search of a few seconds in most games.
const DEFAULT_BENCH_DEPTH: u32 = 6;

/// What a [`GameSpec`] has beside the types.
#[derive(Debug, Clone, Copy)]
struct SpecData {
    lessons: &'static str,
    atlas: &'static str,
    exam: &'static str,
    references: &'static str,
    has_certificates: bool,
    bench_depth: u32,
}

/// Names what a [`GameSpec`] is built from.
#[derive(Debug)]
pub struct SpecBuilder<G, O, E, A, R> {
    data: SpecData,
    types: Named<(G, O, E, A, R)>,
}

impl<G: Game, O, E, A, R> SpecBuilder<G, O, E, A, R> {
    const fn with_types<P, F, B, S>(self) -> SpecBuilder<G, P, F, B, S> {
        SpecBuilder { data: self.data, types: PhantomData }
    }

    /// Names the solver of the game, [`Unsolved`] if there is none. By default a game with few positions is
    /// solved by [`Minimax`], or by [`Retrograde`] if its positions can repeat.
    #[must_use]
    pub const fn exact_solver<P: ExactSolver<G>>(self) -> SpecBuilder<G, P, E, A, R> {
        self.with_types()
    }

    /// Names the evaluation that guides alpha-beta. Without one, MCTS plays a game that is not solved.
    #[must_use]
    pub const fn evaluation<F: EngineEvaluator<G>>(self) -> SpecBuilder<G, O, F, A, R> {
        self.with_types()
    }

    /// Names the analysis for `analyze`.
    #[must_use]
    pub const fn analysis<B: GameAnalysis<G>>(self) -> SpecBuilder<G, O, E, B, R> {
        self.with_types()
    }

    /// Names what explains moves.
    #[must_use]
    pub const fn reasons<S: Reasons<G>>(self) -> SpecBuilder<G, O, E, A, S> {
        self.with_types()
    }

    /// Sets the depth of the benchmark.
    #[must_use]
    pub const fn bench_depth(mut self, depth: u32) -> Self {
        self.data.bench_depth = depth;
        self
    }

    /// Adds lessons, as [`lessons`](crate::teaching::lessons) reads them.
    #[must_use]
    pub const fn lessons(mut self, text: &'static str) -> Self {
        self.data.lessons = text;
        self
    }

    /// Adds an opening [`atlas`](crate::analysis::atlas).
    #[must_use]
    pub const fn atlas(mut self, text: &'static str) -> Self {
        self.data.atlas = text;
        self
    }

    /// Adds the positions of `exam`.
    #[must_use]
    pub const fn exam(mut self, text: &'static str) -> Self {
        self.data.exam = text;
        self
    }

    /// Adds the measured strength of the references of `rate`.
    #[must_use]
    pub const fn references(mut self, text: &'static str) -> Self {
        self.data.references = text;
        self
    }

    /// Says that a checker of certificates knows the rules.
    #[must_use]
    pub const fn certified(mut self) -> Self {
        self.data.has_certificates = true;
        self
    }
}

impl<G, O, E, A, R> SpecBuilder<G, O, E, A, R>
where
    G: GameNotation + GameEncoding,
    O: ExactSolver<G>,
    E: EngineEvaluator<G>,
    A: GameAnalysis<G> + 'static,
    R: Reasons<G> + 'static,
{
    #[must_use]
    pub const fn build(self) -> GameSpec {
        let SpecData { lessons, atlas, exam, references, has_certificates, bench_depth } =
            self.data;
        GameSpec {
            id: G::ID,
            aliases: G::ALIASES,
            opening_plies: G::OPENING_PLIES,
            is_solved: O::IS_SOLVED,
            lessons,
            exam,
            references,
            has_certificates,
            bench_depth,
            atlas,
            work: &Types::<G, O, E, A, R>(PhantomData),
        }
    }
}

/// Stands for an exact solver until [`SpecBuilder::build`] chooses one by the number of positions.
#[derive(Debug)]
pub struct CountPositions;

/// A game with at most this many positions counts as small: they are counted in a moment, and solved in
/// less than a second.
const MAX_SMALL: usize = 100_000;

impl<G, E, A, R> SpecBuilder<G, CountPositions, E, A, R>
where
    G: GameNotation + GameEncoding,
    E: EngineEvaluator<G>,
    A: GameAnalysis<G> + 'static,
    R: Reasons<G> + 'static,
{
    /// Builds the specification. Counts the positions of the game to choose its solver, unless
    /// [`SpecBuilder::exact_solver`] has named one.
    #[must_use]
    pub fn build(self) -> GameSpec {
        if !is_small::<G>() {
            self.exact_solver::<Unsolved>().build()
        } else if G::CYCLIC || G::start().max_plies_left().is_none() {
            self.exact_solver::<Retrograde<G>>().build()
        } else {
            self.exact_solver::<Minimax<G>>().build()
        }
    }
}

/// Whether few positions can be reached from the start.
fn is_small<G: Game>() -> bool {
    if G::HAS_RANDOM_START {
        return false;
    }
    let (mut seen, mut open) = (HashSet::from([G::start()]), vec![G::start()]);
    while let Some(pos) = open.pop() {
        let children = pos.legal_moves().into_iter().map(|mv| pos.after(mv));
        open.extend(children.filter(|child| seen.insert(*child)));
        if seen.len() > MAX_SMALL {
            return false;
        }
    }
    true
}

/// What needs the types of a game.
trait GameWork: Sync {
    fn open(&self) -> Box<dyn AnyGame>;
    fn solver(&self, options: SolverOptions) -> Result<Box<dyn GameSolver>, OutOfMemory>;
    #[cfg(feature = "interface")]
    fn analyze(&self, task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError>;
    #[cfg(feature = "interface")]
    fn moves_in_atlas(&self, atlas: &str, fen: &str) -> Result<Vec<AtlasMove<String>>, AtlasError>;
    #[cfg(feature = "interface")]
    fn graph(&self) -> Option<PositionGraph>;
    fn openings(
        &self,
        request: &OpeningRequest,
        control: &SearchControl,
    ) -> Result<OpeningList, EngineError>;
    fn has_few_openings(&self) -> bool;
    fn puzzles(&self, selection: &PuzzleSelection) -> Box<dyn PuzzleGenerator>;
    #[cfg(not(target_family = "wasm"))]
    fn batch(&self, setup: BatchSetup) -> Box<dyn Batch>;
    #[cfg(not(target_family = "wasm"))]
    fn action_space(&self) -> ActionSpace;
}

impl<G, O, E, A, R> GameWork for Types<G, O, E, A, R>
where
    G: GameNotation + GameEncoding,
    O: ExactSolver<G>,
    E: EngineEvaluator<G>,
    A: GameAnalysis<G> + 'static,
    R: Reasons<G> + 'static,
{
    fn open(&self) -> Box<dyn AnyGame> {
        Box::new(TypedGame::<G, O, E, R>::new(Record::new(G::start())))
    }

    fn solver(&self, options: SolverOptions) -> Result<Box<dyn GameSolver>, OutOfMemory> {
        Ok(Box::new(solving::TypedSolver::<Self>::new(options)?))
    }

    #[cfg(feature = "interface")]
    fn analyze(&self, task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError> {
        analyzing::analyze::<Self>(task)
    }

    #[cfg(feature = "interface")]
    fn moves_in_atlas(&self, atlas: &str, fen: &str) -> Result<Vec<AtlasMove<String>>, AtlasError> {
        analyzing::find_in_atlas::<G>(atlas, fen)
    }

    #[cfg(feature = "interface")]
    fn graph(&self) -> Option<PositionGraph> {
        A::graph()
    }

    fn openings(
        &self,
        request: &OpeningRequest,
        control: &SearchControl,
    ) -> Result<OpeningList, EngineError> {
        openings::generate::<G, O>(request, self.open(), control)
    }

    fn has_few_openings(&self) -> bool {
        openings::are_few::<G>()
    }

    fn puzzles(&self, selection: &PuzzleSelection) -> Box<dyn PuzzleGenerator> {
        puzzles::generator::<G, O>(selection)
    }

    #[cfg(not(target_family = "wasm"))]
    fn batch(&self, setup: BatchSetup) -> Box<dyn Batch> {
        batch::start::<Self>(setup)
    }

    #[cfg(not(target_family = "wasm"))]
    fn action_space(&self) -> ActionSpace {
        ActionSpace::of_game::<G>()
    }
}
