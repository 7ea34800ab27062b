//! The learned evaluation: a small, efficiently updatable neural network (NNUE).
//!
//! The input is ten boards: the nine small ones and the big one, whose cells are the owners of the
//! small ones. The first layer has a row of weights for each class of board code on each board, and
//! another set of rows for the board the mover has to play in; `layers` continues from the sum of
//! the rows.
//!
//! A move changes the code of one small board, and of the big one if it wins a board, so the sums
//! are kept on a stack of accumulators, from both sides' points of view, and updated by a few rows.

use std::sync::Arc;

use fearless_simd::{Level, Simd, dispatch};

use super::TIXTAX_CALIBRATION;
use super::architecture::BOARDS;
use super::board_code::{BOARD_CLASS, BOARD_CLASSES, board_code, board_image, class_images};
use super::file::EvalFile;
use super::layers::{FeatureRow, HiddenLayers, OutputHead};
use crate::games::grid::SYMMETRIES;
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::rules::{Game, Side};
use crate::search::{
    Calibration, EVAL_LIMIT, Evaluator, OutOfMemory, POINTS_PER_TENFOLD_ODDS, Points,
};

/// The index of the big board.
const BIG: usize = 9;

/// The weights, laid out for inference.
#[derive(Debug)]
struct NetTables {
    /// A row for each board and class, and one for it as the board to play in.
    rows: Vec<[FeatureRow; 2]>,
    bias: FeatureRow,
    layers: HiddenLayers,
    fingerprint: u32,
}

impl NetTables {
    fn new(file: &EvalFile) -> Result<Self, OutOfMemory> {
        const ROWS: usize = BOARDS * BOARD_CLASSES;
        let images = class_images();
        let mut rows = Vec::new();
        let mebibytes = (ROWS * size_of::<[FeatureRow; 2]>()).div_ceil(1 << 20);
        rows.try_reserve_exact(ROWS).map_err(|_| OutOfMemory { mebibytes })?;
        for board in 0..BOARDS {
            let starts: [usize; SYMMETRIES] =
                std::array::from_fn(|symmetry| board_image(board, symmetry) * BOARD_CLASSES);
            for images in &images {
                rows.push([0, ROWS].map(|layer| {
                    FeatureRow::new(|unit, symmetry| {
                        let row = layer + starts[symmetry] + usize::from(images[symmetry]);
                        file.rows[row][unit]
                    })
                }));
            }
        }
        Ok(Self {
            rows,
            bias: FeatureRow::new(|unit, _| file.bias[unit]),
            layers: HiddenLayers::new(file),
            fingerprint: file.fingerprint,
        })
    }
}

/// The rows of the first layer that a move replaced, from one point of view: old and new.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    board: [u32; 2],
    /// The same for the big board; both equal if the move won no board.
    big: [u32; 2],
}

/// The first layer's sums at one position. They are computed lazily, since many positions are left
/// without an evaluation, and most are evaluated for the side to move only.
#[derive(Debug, Clone, Default)]
struct Accumulator {
    /// The sums without the board to play in, from each point of view.
    sums: [FeatureRow; 2],
    is_computed: [bool; 2],
    /// The changes since the previous accumulator, from each point of view.
    changes: [Change; 2],
}

/// The learned evaluation of the closed rules.
#[derive(Debug, Clone)]
pub struct Net {
    /// The SIMD instructions of the processor.
    level: Level,
    tables: Arc<NetTables>,
    /// From the root to the current position; only the first `depth` are in use.
    accumulators: Vec<Accumulator>,
    depth: usize,
}

impl Net {
    /// Creates the evaluation with these weights.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    pub fn new(file: &EvalFile) -> Result<Self, OutOfMemory> {
        let tables = Arc::new(NetTables::new(file)?);
        Ok(Self { level: Level::new(), tables, accumulators: Vec::new(), depth: 0 })
    }

    /// A checksum that identifies the weights.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        self.tables.fingerprint
    }

    /// The row of a small board from one point of view.
    #[inline]
    fn board_row<R: Rule>(pos: &Ultimate<R>, side: Side, board: usize) -> usize {
        row(board, pos.stones(side, board), pos.stones(side.other(), board))
    }

    /// The row of the big board from one point of view.
    #[inline]
    fn big_row<R: Rule>(pos: &Ultimate<R>, side: Side) -> usize {
        row(BIG, pos.owned(side), pos.owned(side.other()))
    }

    /// The row of the board the mover has to play in; the big board if the choice is free.
    #[inline]
    fn forced_row<R: Rule>(pos: &Ultimate<R>) -> usize {
        match pos.forced() {
            Some(board) => Self::board_row(pos, pos.side(), board),
            None => Self::big_row(pos, pos.side()),
        }
    }

    /// Computes the sums of the current position from the point of view of `side`.
    #[inline(always)]
    fn update_accumulators(&mut self, simd: impl Simd, side: usize) {
        let (rows, accumulators) = (&self.tables.rows, &mut self.accumulators[..self.depth]);
        // The sums of the root are always computed.
        let computed = accumulators
            .iter()
            .rposition(|accumulator| accumulator.is_computed[side])
            .unwrap_or_default();
        for at in computed + 1..accumulators.len() {
            let (before, rest) = accumulators.split_at_mut(at);
            let current = &mut rest[0];
            let Change { board, big } = current.changes[side];
            current.sums[side] = before[at - 1].sums[side].with_row_replaced(simd, rows, board);
            if big[0] != big[1] {
                current.sums[side] = current.sums[side].with_row_replaced(simd, rows, big);
            }
            current.is_computed[side] = true;
        }
    }

    /// Returns the outputs of some heads for the current position.
    #[inline]
    fn logits<R: Rule, const N: usize>(
        &mut self,
        pos: &Ultimate<R>,
        outputs: impl Fn(&HiddenLayers) -> [&OutputHead; N],
    ) -> [f32; N] {
        dispatch!(self.level, simd => self.logits_simd(simd, pos, outputs))
    }

    /// The same for one SIMD level.
    #[inline(always)]
    fn logits_simd<R: Rule, const N: usize>(
        &mut self,
        simd: impl Simd,
        pos: &Ultimate<R>,
        outputs: impl Fn(&HiddenLayers) -> [&OutputHead; N],
    ) -> [f32; N] {
        let side = pos.side().index();
        self.update_accumulators(simd, side);
        let NetTables { rows, layers, .. } = &*self.tables;
        let sums = &self.accumulators[self.depth - 1].sums[side];
        layers.forward(simd, sums, &rows[Self::forced_row(pos)][1], outputs(layers))
    }
}

/// Converts a logit to points, clamped in case the weights are extreme.
#[inline]
fn points(logit: f32) -> Points {
    let points = logit * (POINTS_PER_TENFOLD_ODDS as f32 / std::f32::consts::LN_10);
    (points as Points).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

impl<R: Rule> Evaluator<Ultimate<R>> for Net {
    const CALIBRATION: Calibration = TIXTAX_CALIBRATION;

    fn reset(&mut self, pos: &Ultimate<R>) {
        let mut sums = [self.tables.bias; 2];
        for side in [Side::P1, Side::P2] {
            let sum = &mut sums[side.index()];
            for board in 0..9 {
                sum.add(&self.tables.rows[Self::board_row(pos, side, board)][0]);
            }
            sum.add(&self.tables.rows[Self::big_row(pos, side)][0]);
        }
        self.depth = 1;
        self.accumulators.truncate(0);
        self.accumulators.push(Accumulator {
            sums,
            is_computed: [true; 2],
            changes: Default::default(),
        });
    }

    #[inline]
    fn make_move(&mut self, before: &Ultimate<R>, mv: TixTaxMove, after: &Ultimate<R>) {
        if self.accumulators.len() == self.depth {
            self.accumulators.push(Accumulator::default());
        }
        let accumulator = &mut self.accumulators[self.depth];
        accumulator.is_computed = [false; 2];
        let won = before.owned(before.side()) != after.owned(before.side());
        for side in [Side::P1, Side::P2] {
            // Written in place: copying a `Change` right after writing its fields stalls store
            // forwarding.
            let Change { board, big } = &mut accumulator.changes[side.index()];
            for (row, pos) in board.iter_mut().zip([before, after]) {
                *row = Self::board_row(pos, side, mv.board()) as u32;
            }
            for (row, pos) in big.iter_mut().zip([before, after]) {
                *row = if won { Self::big_row(pos, side) as u32 } else { 0 };
            }
        }
        self.depth += 1;
    }

    #[inline]
    fn prefetch(&self, pos: &Ultimate<R>, mv: TixTaxMove) {
        let (board, us) = (mv.board(), pos.side());
        let ours = pos.stones(us, board) | 1 << mv.square();
        let rows = &self.tables.rows;
        rows[row(board, pos.stones(!us, board), ours)][0].prefetch();
        // Where the move sends, unless it decides that board.
        let forced = mv.square();
        if forced != board && pos.closed() >> forced & 1 == 0 {
            rows[Self::board_row(pos, !us, forced)][1].prefetch();
        }
    }

    #[inline]
    fn undo_move(&mut self) {
        self.depth -= 1;
    }

    #[inline]
    fn evaluate(&mut self, pos: &Ultimate<R>) -> Points {
        let [odds] = self.logits(pos, |layers| [&layers.odds]);
        points(odds)
    }

    fn evaluate_with_draw_share(&mut self, pos: &Ultimate<R>) -> (Points, Option<f32>) {
        let [odds, draws] = self.logits(pos, |layers| [&layers.odds, &layers.draws]);
        (points(odds), Some(sigmoid(draws)))
    }
}

/// The logistic function.
fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}

/// The index of the feature row for the stones on a board.
#[inline]
fn row(board: usize, own: u16, other: u16) -> usize {
    board * BOARD_CLASSES + usize::from(BOARD_CLASS[usize::from(board_code(own, other))])
}

#[cfg(test)]
mod tests {
    use super::super::architecture::{HIDDEN, HIDDEN_SHIFT, ONE, PRODUCT_SHIFT, UNITS};
    use super::super::file::HeadWeights;
    use super::*;
    use crate::games::TixTax;
    use crate::rules::{GameNotation, Notation, SplitMix};

    /// Unfinished positions of random games, each with the move that is played there.
    fn random_game(seed: u64) -> Vec<(TixTax, TixTaxMove)> {
        let mut random = SplitMix::new(seed);
        let (mut pos, mut game) = (TixTax::start(), Vec::new());
        while pos.outcome().is_none() {
            let mv = pos.random_move(&mut random);
            game.push((pos, mv));
            pos = pos.after(mv);
        }
        game
    }

    fn fresh(net: &Net, pos: &TixTax) -> (Points, Option<f32>) {
        let mut net = net.clone();
        net.reset(pos);
        let both = net.evaluate_with_draw_share(pos);
        assert_eq!(both.0, net.evaluate(pos));
        both
    }

    #[test]
    fn incremental_update_equals_fresh_evaluation() {
        let mut net = Net::embedded().unwrap();
        let fresh_net = net.clone();
        for seed in 0..20 {
            let game = random_game(seed);
            net.reset(&game[0].0);
            // Evaluate some positions while making moves, all while undoing them.
            for (index, pair) in game.windows(2).enumerate() {
                let [(before, mv), (after, _)] = pair else { unreachable!() };
                net.make_move(before, *mv, after);
                if (index as u64 + seed).is_multiple_of(3) {
                    assert_eq!(net.evaluate_with_draw_share(after), fresh(&fresh_net, after));
                }
            }
            for (pos, _) in game.iter().rev() {
                assert_eq!(net.evaluate_with_draw_share(pos), fresh(&fresh_net, pos), "{pos}");
                Evaluator::<TixTax>::undo_move(&mut net);
            }
        }
    }

    fn embedded_file() -> EvalFile {
        EvalFile::parse(include_bytes!("../../data/weights/tixtax.eval")).unwrap()
    }

    /// Returns a file with every weight at one of its bounds. The units of both layers are often
    /// saturated.
    fn extreme_file(seed: u64) -> EvalFile {
        let mut random = SplitMix::new(seed);
        let mut either = |one: i16, other: i16| if random.below(2) == 0 { one } else { other };
        let mut file = embedded_file();
        file.rows.iter_mut().flatten().chain(&mut file.bias).for_each(|n| *n = either(-2700, 2700));
        file.inner_bias = file.inner_bias.map(|_| either(i16::MIN, i16::MAX));
        file.context = file.context.map(|unit| unit.map(|_| either(i16::MIN, i16::MAX)));
        file.inner = [[0; HIDDEN]; UNITS];
        for hidden in 0..HIDDEN {
            for (unit, number) in [(0, i16::MAX), (1, i16::MAX), (2, 1)] {
                file.inner[(hidden + unit) % UNITS][hidden] = either(-number, number);
            }
        }
        for head in [&mut file.odds, &mut file.draws] {
            head.weights = head.weights.map(|_| either(-128, 128));
            head.skip = head.skip.map(|_| either(-4096, 4096));
        }
        file.check().unwrap();
        file
    }

    /// Evaluates a position by the definition of the net, number by number.
    fn reference_eval(file: &EvalFile, pos: &TixTax) -> (Points, Option<f32>) {
        let square = |sum: i64| sum.clamp(0, ONE.into()).pow(2);
        let views: Vec<[i64; UNITS]> = (0..SYMMETRIES)
            .map(|symmetry| {
                let pos = &pos.image(symmetry);
                let boards = (0..9).map(|board| Net::board_row(pos, pos.side(), board));
                let forced = BOARDS * BOARD_CLASSES + Net::forced_row(pos);
                let rows = boards.chain([Net::big_row(pos, pos.side()), forced]);
                let rows = rows.map(|row| &file.rows[row]).chain([&file.bias]);
                let mut sums = [0; UNITS];
                for row in rows {
                    for (sum, weight) in sums.iter_mut().zip(row) {
                        *sum += i64::from(*weight);
                    }
                }
                sums.map(square)
            })
            .collect();
        let means: [i64; UNITS] =
            std::array::from_fn(|unit| views.iter().map(|view| view[unit] >> 3).sum());
        let weigh = |numbers: &[i64], weights: &[i16]| -> i64 {
            numbers.iter().zip(weights).map(|(number, weight)| number * i64::from(*weight)).sum()
        };
        let hidden: [Vec<i64>; HIDDEN] = std::array::from_fn(|hidden| {
            let column = |weights: &[[i16; HIDDEN]; UNITS]| weights.map(|unit| unit[hidden]);
            let (context, inner) = (column(&file.context), column(&file.inner));
            let lose = |product: i64| product >> PRODUCT_SHIFT;
            // Pairs of means are shifted together, the units all at once.
            let pairs = means.chunks(2).zip(context.chunks(2));
            let context: i64 = pairs.map(|(means, weights)| lose(weigh(means, weights))).sum();
            let start = i64::from(file.inner_bias[hidden]) + context;
            let sums = views.iter().map(|view| start + lose(weigh(view, &inner)));
            sums.map(|sum| square(sum >> HIDDEN_SHIFT)).collect()
        });
        let logit = |head: &HeadWeights| {
            let weights = hidden.iter().zip(head.weights);
            let seen = weights.map(|(views, weight)| views.iter().sum::<i64>() * i64::from(weight));
            let total: i64 = weigh(&means, &head.skip) + seen.sum::<i64>();
            total as f32 * head.scale + head.bias
        };
        (points(logit(&file.odds)), Some(sigmoid(logit(&file.draws))))
    }

    #[test]
    fn every_simd_level_matches_the_definition() {
        let best = Level::new();
        #[cfg(target_arch = "x86_64")]
        let lower = [best.as_sse4_2().map(Level::Sse4_2), best.as_avx2().map(Level::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let lower = [None];
        let levels = lower.into_iter().flatten().chain([Level::baseline(), best]);
        let files: Vec<EvalFile> =
            (0..4).map(extreme_file).chain(std::iter::once(embedded_file())).collect();
        let nets: Vec<Net> = files.iter().map(|file| Net::new(file).unwrap()).collect();
        for (pos, _) in (0..5).flat_map(random_game) {
            for (file, net) in files.iter().zip(&nets) {
                let expected = reference_eval(file, &pos);
                for level in levels.clone() {
                    let net = Net { level, ..net.clone() };
                    assert_eq!(fresh(&net, &pos), expected, "{pos} by {level:?}");
                }
                let (mut net, layers) = (net.clone(), &net.tables.layers);
                net.reset(&pos);
                let sums = &net.accumulators[0].sums[pos.side().index()];
                let forced = &net.tables.rows[Net::forced_row(&pos)][1];
                let outputs = [&layers.odds, &layers.draws];
                let [odds, draws] = layers.forward_scalar(sums, forced, outputs);
                assert_eq!((points(odds), Some(sigmoid(draws))), expected, "{pos} without SIMD");
            }
        }
    }

    #[test]
    fn scores_stay_within_bounds_for_extreme_weights() {
        let pos: TixTax = "9/9/9/9/4x4/9/9/9/9 o 1 e5".parse().unwrap();
        for scale in [-99.0, 99.0] {
            let mut file = embedded_file();
            file.odds.scale = scale;
            file.check().unwrap();
            let points = fresh(&Net::new(&file).unwrap(), &pos).0;
            assert_eq!(points.abs(), 30_000);
        }
    }

    #[test]
    fn symmetric_positions_have_equal_scores() {
        let net = Net::embedded().unwrap();
        for (pos, _) in (0..5).flat_map(random_game) {
            let expected = fresh(&net, &pos);
            for symmetry in 0..TixTax::SYMMETRIES {
                assert_eq!(fresh(&net, &pos.image(symmetry)), expected, "{pos}");
            }
        }
    }

    /// The table keeps one static evaluation for all positions with the same search key.
    #[test]
    fn positions_with_one_search_key_have_one_score() {
        let net = Net::embedded().unwrap();
        let mut compared = 0;
        for (pos, _) in (0..50).flat_map(random_game) {
            let Some(text) = pos.write_as(Notation::Compact) else { continue };
            let fields: Vec<&str> = text.split(';').collect();
            let rows =
                fields[1].chars().zip(fields[2].split('/')).map(|(state, row)| match state {
                    '.' | '@' => row.to_owned(),
                    _closed => row.chars().rev().collect(),
                });
            let rows: Vec<String> = rows.collect();
            let turned = format!("{};{};{}", fields[0], fields[1], rows.join("/"));
            // The stone that sent the mover may have been turned away.
            let Ok(turned) = turned.parse::<TixTax>() else { continue };
            assert_eq!(turned.search_key(), pos.search_key(), "{pos} {turned}");
            assert_eq!(fresh(&net, &turned), fresh(&net, &pos), "{pos} {turned}");
            compared += usize::from(turned != pos);
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn scores_are_moderate_and_a_won_board_is_an_advantage() {
        let net = Net::embedded().unwrap();
        for (pos, _) in (0..20).flat_map(random_game) {
            let (points, share) = fresh(&net, &pos);
            assert!(points.abs() < 3000);
            assert!(share.is_some_and(|share| (0.0..=1.0).contains(&share)));
        }
        let behind: TixTax = "xxx6/9/9/9/o7o/9/9/9/9 o 3 -".parse().unwrap();
        assert!(fresh(&net, &behind).0 < -50);
    }
}
