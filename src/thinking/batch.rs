//! [`Batch`]: many games of one type at once, with moves and positions as numbers, for training.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::analyzer::Analyzer;
use super::any_game::AnyGame;
use super::error::EngineError;
use super::known_game::KnownGame;
use super::request::SearchRequest;
use super::settings::Settings;
use super::typed_game::TypedGame;
use crate::rules::random::mix64;
use crate::rules::{Game, GameDrawing, GameEncoding, GameNotation, Record, SplitMix, Value};
use crate::search::SearchControl;
use crate::solve::{ExactSolver, OutOfMemory, Prover, UniformHeuristic};

/// What all positions of a game have in common when moves and positions are numbers.
#[derive(Debug, Clone)]
pub struct ActionSpace {
    /// The name of each [action](GameEncoding::action) that is a move.
    pub actions: Vec<Option<String>>,
    /// The number of planes of a position, and the shape of each.
    pub planes: Vec<usize>,
    /// The image of each action under each symmetry; an action that is not a move is its own.
    pub action_images: Vec<Vec<i64>>,
}

impl ActionSpace {
    pub(super) fn of_game<G: GameEncoding>() -> Self {
        let moves = || (0..G::ACTIONS).map(G::from_action);
        // The first position of a game may have a rule of its own.
        let start = G::start();
        let pos = start.legal_moves().first().map_or(start, |mv| start.after(*mv));
        let image = |symmetry, (action, mv): (usize, Option<G::Move>)| {
            mv.map_or(action, |mv| G::action(pos.move_image(mv, symmetry))) as i64
        };
        let images = |symmetry| moves().enumerate().map(|each| image(symmetry, each)).collect();
        Self {
            actions: moves().map(|mv| mv.map(|mv| mv.to_string())).collect(),
            planes: [&[G::PLANES], &plane_shape::<G>()[..]].concat(),
            action_images: (0..G::SYMMETRIES).map(images).collect(),
        }
    }
}

/// The shape of a plane: rows and columns of a square board, otherwise the number of places.
#[must_use]
pub fn plane_shape<G: GameDrawing>() -> Vec<usize> {
    let places =
        G::layout().map_or(0, |layout| layout.spots.iter().filter(|spot| !spot.is_area).count());
    let side = places.isqrt();
    if side * side == places { vec![side, side] } else { vec![places] }
}

#[derive(Debug, Clone, Copy)]
pub struct BatchSetup {
    /// The number of games.
    pub count: usize,
    pub seed: u64,
    /// The number of random moves at the start of each game.
    pub opening_plies: usize,
    /// Whether a finished game is followed by a new one at once.
    pub auto_reset: bool,
}

/// Where the state of all games is written.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// A row for each game, 1 for each legal action.
    pub legal: &'a mut [u8],
    pub planes: Option<&'a mut [f32]>,
    /// The number of the side to move.
    pub turns: &'a mut [i8],
    /// The results of the games that ended, for the players who moved.
    pub rewards: &'a mut [f32],
    /// Whether each game has ended.
    pub dones: &'a mut [bool],
}

/// Values as numbers, NaN where they are unknown.
pub type Values = Result<Vec<f32>, OutOfMemory>;

/// Many games of one type.
pub trait Batch: Send {
    /// Checks the actions to play in the chosen games.
    ///
    /// # Errors
    /// Fails if one is illegal; the error says which and why.
    fn check(&self, actions: &[i64], chosen: &dyn Fn(usize) -> bool) -> Result<(), String>;

    /// Plays an action in each of the chosen games, and leaves the others as they are. All are legal.
    fn step(&mut self, actions: &[i64], chosen: &dyn Fn(usize) -> bool, arrays: &mut Arrays<'_>);

    /// Starts the chosen games of a range again.
    fn reset(
        &mut self,
        range: Range<usize>,
        chosen: &dyn Fn(usize) -> bool,
        arrays: &mut Arrays<'_>,
    );

    /// Chooses a legal action in each game, -1 where the game is over.
    fn random_actions(&mut self) -> Vec<i64>;

    /// Chooses the engine's action in each of the chosen games, -1 in the others and where the game is over.
    /// `request` says how, with the threads that share the games; each game has a seed of its own. Every
    /// search starts with empty tables, so an action depends on nothing else than the game.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    fn engine_actions(
        &mut self,
        request: &SearchRequest,
        chosen: &dyn Fn(usize) -> bool,
        control: &SearchControl,
    ) -> Result<Vec<i64>, EngineError>;

    /// The state of the random numbers, for [`set_random_state`](Self::set_random_state).
    fn random_state(&self) -> u64;

    fn set_random_state(&mut self, state: u64);

    fn game(&self, index: usize) -> Box<dyn AnyGame>;

    /// Replaces one of the games; returns `false` if `game` is of another type.
    fn set_game(&mut self, index: usize, game: &dyn AnyGame, arrays: &mut Arrays<'_>) -> bool;

    /// The planes of the positions after all legal moves of all games, and the results of those that end it.
    fn afterstates(&self) -> (Vec<f32>, Vec<f32>);

    /// Another batch of the same games.
    fn copy(&self) -> Box<dyn Batch>;

    /// Writes the state of all games.
    fn show_all(&self, arrays: &mut Arrays<'_>);

    /// The values of the positions with at most `max_plies` plies left.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    fn values(&mut self, max_plies: u32, control: &SearchControl) -> Values;

    /// The values of all actions there, for the player who takes them.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    fn action_values(&mut self, max_plies: u32, control: &SearchControl) -> Values;
}

pub(super) fn start<R: KnownGame>(setup: BatchSetup) -> Box<dyn Batch> {
    Box::new(TypedBatch::<R> {
        records: vec![Record::new(R::Game::start()); setup.count],
        random: SplitMix::new(mix64(setup.seed)),
        setup,
        truth: Truth::default(),
        engines: Vec::new(),
    })
}

struct TypedBatch<R: KnownGame> {
    records: Vec<Record<R::Game>>,
    random: SplitMix,
    setup: BatchSetup,
    truth: Truth<R::Game, R::ExactSolver>,
    /// The engines that have answered, one for each thread.
    engines: Vec<BatchEngine<R>>,
}

type BatchEngine<R> =
    Analyzer<<R as KnownGame>::Game, <R as KnownGame>::ExactSolver, <R as KnownGame>::Evaluation>;

/// The nodes of a search that 1 MiB of table is made for.
const NODES_PER_MEBIBYTE: u64 = 1 << 14;

/// The size of the table in MiB: clearing a large one takes longer than a short search.
fn table_size(request: &SearchRequest) -> usize {
    let limits = request.skill_level.map_or(request.limits, |level| level.weaken(request.limits));
    let size = limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(NODES_PER_MEBIBYTE));
    size.clamp(1, Settings::default().hash as u64) as usize
}

fn move_of<G: GameEncoding>(action: i64) -> Option<G::Move> {
    usize::try_from(action).ok().and_then(G::from_action)
}

impl<R: KnownGame> TypedBatch<R> {
    /// A game after its random opening, which is shorter if the next move would end the game.
    fn start(&mut self) -> Record<R::Game> {
        let mut record = Record::new(R::Game::random_start(&mut self.random));
        for _ in 0..self.setup.opening_plies {
            let _ = record.push(record.position().random_move(&mut self.random));
            if record.outcome().is_some() {
                record.pop();
                break;
            }
        }
        record
    }

    fn show(&self, index: usize, arrays: &mut Arrays<'_>) {
        let (record, count) = (&self.records[index], R::Game::ACTIONS);
        let row = &mut arrays.legal[index * count..(index + 1) * count];
        row.fill(0);
        if record.outcome().is_none() {
            for mv in record.position().legal_moves() {
                row[R::Game::action(mv)] = 1;
            }
        }
        arrays.turns[index] = record.position().side().index() as i8;
        if let Some(planes) = &mut arrays.planes {
            let size = planes.len() / self.records.len();
            record.position().write_planes(&mut planes[index * size..(index + 1) * size]);
        }
    }
}

impl<R: KnownGame> Batch for TypedBatch<R> {
    fn check(&self, actions: &[i64], chosen: &dyn Fn(usize) -> bool) -> Result<(), String> {
        for (index, (record, action)) in self.records.iter().zip(actions).enumerate() {
            if !chosen(index) || record.outcome().is_some() {
                continue;
            }
            let pos = record.position();
            let Some(mv) = move_of::<R::Game>(*action) else {
                let count = R::Game::ACTIONS;
                return Err(format!(
                    "game {index}: {action} is not an action, expected a legal one below {count}"
                ));
            };
            if !pos.is_legal(mv) {
                let refused = record.illegal(&mv.to_string());
                return Err(format!("game {index}, action {action}: {refused}"));
            }
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i64], chosen: &dyn Fn(usize) -> bool, arrays: &mut Arrays<'_>) {
        for (index, action) in actions.iter().enumerate() {
            if !chosen(index) {
                continue;
            }
            arrays.rewards[index] = 0.0;
            let record = &mut self.records[index];
            let mover = record.position().side();
            let is_played = move_of::<R::Game>(*action).is_some_and(|mv| record.push(mv).is_ok());
            let outcome = record.outcome();
            arrays.dones[index] = outcome.is_some();
            if let Some(outcome) = outcome {
                if is_played {
                    arrays.rewards[index] = as_number(outcome.value_for(mover));
                }
                if self.setup.auto_reset {
                    self.records[index] = self.start();
                }
            }
            self.show(index, arrays);
        }
    }

    fn reset(
        &mut self,
        range: Range<usize>,
        chosen: &dyn Fn(usize) -> bool,
        arrays: &mut Arrays<'_>,
    ) {
        for index in range {
            if chosen(index) {
                self.records[index] = self.start();
                arrays.rewards[index] = 0.0;
                arrays.dones[index] = false;
                self.show(index, arrays);
            }
        }
    }

    fn random_actions(&mut self) -> Vec<i64> {
        let random = &mut self.random;
        let choose = |record: &Record<R::Game>| match record.outcome() {
            Some(_) => -1,
            None => R::Game::action(record.position().random_move(random)) as i64,
        };
        self.records.iter().map(choose).collect()
    }

    fn engine_actions(
        &mut self,
        request: &SearchRequest,
        chosen: &dyn Fn(usize) -> bool,
        control: &SearchControl,
    ) -> Result<Vec<i64>, EngineError> {
        let mut actions = vec![-1; self.records.len()];
        let mut asked = Vec::new();
        for (index, record) in self.records.iter().enumerate() {
            if chosen(index) && record.outcome().is_none() {
                asked.push((index, self.random.bits()));
            }
        }
        let threads = request.threads.min(asked.len());
        let settings = Settings { hash: table_size(request), ..Settings::default() };
        let new_engine = || Analyzer::new(R::ExactSolver::default(), Settings::default(), None);
        while self.engines.len() < threads {
            self.engines.push(new_engine());
        }
        let (next, records) = (AtomicUsize::new(0), &self.records);
        let answers = Mutex::new((&mut actions, Ok(())));
        let lock = || answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |engine: &mut BatchEngine<R>| {
            engine.configure(&settings);
            while let Some((index, seed)) = asked.get(next.fetch_add(1, Ordering::Relaxed))
                && !control.is_stopped()
            {
                match answer_alone::<R>(engine, &records[*index], request, *seed, control) {
                    Ok(action) => lock().0[*index] = action,
                    Err(error) => {
                        lock().1 = Err(error);
                        break;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            let mut engines = self.engines[..threads].iter_mut();
            let first = engines.next();
            for engine in engines {
                scope.spawn(|| answer(engine));
            }
            first.map(answer)
        });
        let (_, result) = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.map(|()| actions)
    }

    fn random_state(&self) -> u64 {
        self.random.state()
    }

    fn set_random_state(&mut self, state: u64) {
        self.random = SplitMix::new(state);
    }

    fn game(&self, index: usize) -> Box<dyn AnyGame> {
        let record = self.records[index].clone();
        Box::new(TypedGame::<R::Game, R::ExactSolver, R::Evaluation, R::Reasons>::new(record))
    }

    fn set_game(&mut self, index: usize, game: &dyn AnyGame, arrays: &mut Arrays<'_>) -> bool {
        let Some(record) = game.record().downcast_ref::<Record<R::Game>>() else { return false };
        self.records[index] = record.clone();
        arrays.rewards[index] = 0.0;
        arrays.dones[index] = record.outcome().is_some();
        self.show(index, arrays);
        true
    }

    fn afterstates(&self) -> (Vec<f32>, Vec<f32>) {
        let size = plane_shape::<R::Game>().iter().product::<usize>() * R::Game::PLANES;
        let (mut planes, mut results) = (Vec::new(), Vec::new());
        for record in &self.records {
            let mut moves = record.legal_moves();
            moves.sort_by_key(|mv| R::Game::action(*mv));
            for mv in moves {
                let mut next = record.clone();
                let _ = next.push(mv);
                let start = planes.len();
                planes.resize(start + size, 0.0);
                next.position().write_planes(&mut planes[start..]);
                let result =
                    next.outcome().map(|outcome| outcome.value_for(record.position().side()));
                results.push(result.map_or(f32::NAN, as_number));
            }
        }
        (planes, results)
    }

    fn show_all(&self, arrays: &mut Arrays<'_>) {
        for (index, record) in self.records.iter().enumerate() {
            arrays.dones[index] = record.outcome().is_some();
            self.show(index, arrays);
        }
    }

    fn copy(&self) -> Box<dyn Batch> {
        Box::new(Self {
            records: self.records.clone(),
            random: self.random.clone(),
            setup: self.setup,
            truth: Truth::default(),
            engines: Vec::new(),
        })
    }

    fn values(&mut self, max_plies: u32, control: &SearchControl) -> Values {
        let mut values = vec![f32::NAN; self.records.len()];
        for (index, number) in values.iter_mut().enumerate() {
            if control.is_stopped() {
                break;
            }
            *number = self
                .truth
                .value(&self.records[index], max_plies, control)?
                .map_or(f32::NAN, as_number);
        }
        Ok(values)
    }

    fn action_values(&mut self, max_plies: u32, control: &SearchControl) -> Values {
        let mut values = vec![f32::NAN; self.records.len() * R::Game::ACTIONS];
        for (index, row) in values.chunks_exact_mut(R::Game::ACTIONS).enumerate() {
            if control.is_stopped() {
                break;
            }
            let record = &self.records[index];
            for mv in record.legal_moves() {
                let mut next = record.clone();
                let _ = next.push(mv);
                // The plies left count from the position before the move.
                let value = self.truth.value(&next, max_plies.saturating_sub(1), control)?;
                row[R::Game::action(mv)] = value.map_or(f32::NAN, |value| as_number(value.flip()));
            }
        }
        Ok(values)
    }
}

/// The engine's action in a game, without regard to what it has searched before.
fn answer_alone<R: KnownGame>(
    engine: &mut BatchEngine<R>,
    record: &Record<R::Game>,
    request: &SearchRequest,
    seed: u64,
    control: &SearchControl,
) -> Result<i64, EngineError> {
    let parse = |text: &String| record.position().parse_move(text);
    let request = SearchRequest { seed, threads: 1, ..request.try_map_moves(parse)? };
    engine.build(record.position(), request.searcher)?;
    engine.clear_searcher();
    let report = engine.analyze(record, &request, &control.child(), &mut |_| {})?;
    Ok(report.best_move().map_or(-1, |mv| R::Game::action(mv) as i64))
}

/// The size of the prover's table, which late positions do not fill.
const PROVER_BYTES: usize = 16 << 20;

/// Finds exact values.
#[derive(Debug)]
pub struct Truth<G: Game, O> {
    exact_solver: O,
    /// Allocated when it is needed.
    prover: Option<Prover<G, UniformHeuristic>>,
}

impl<G: Game, O: ExactSolver<G>> Default for Truth<G, O> {
    fn default() -> Self {
        Self { exact_solver: O::default(), prover: None }
    }
}

impl<G: Game, O: ExactSolver<G>> Truth<G, O> {
    /// The value of a position for the side to move; `None` if the game is not solved and more than
    /// `max_plies` plies may be left, or if the work is stopped.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    pub fn value(
        &mut self,
        record: &Record<G>,
        max_plies: u32,
        control: &SearchControl,
    ) -> Result<Option<Value>, OutOfMemory> {
        let pos = record.position();
        if let Some(outcome) = record.outcome() {
            return Ok(Some(outcome.value_for(pos.side())));
        }
        if O::IS_SOLVED {
            return Ok(Some(self.exact_solver.exact(pos).value()));
        }
        if pos.max_plies_left().is_none_or(|left| left > max_plies) {
            return Ok(None);
        }
        let prover = match &mut self.prover {
            Some(prover) => prover,
            None => self.prover.insert(Prover::new(UniformHeuristic, PROVER_BYTES)?),
        };
        prover.age();
        Ok(prover.prove(pos, u64::MAX, &mut || control.is_stopped()).value())
    }
}

/// A value as a number: -1, 0 or 1.
#[must_use]
pub fn as_number(value: Value) -> f32 {
    value.half_points() as f32 - 1.0
}
