//! The learned evaluation: a small net whose first layer is kept up to date move by move.
//!
//! A position is ten boards, each with its contents: the nine small ones, and the big one whose
//! cells are the owners of the small ones. The first layer has a row of weights for each class of
//! contents on each board, and another for the board the mover has to play in; what is done with the
//! sum of the rows stands in `layers`.
//!
//! A move changes the contents of one small board, and of the big one when it wins a board, so the
//! sums of both sides' views are kept on a stack and changed by a few rows.

use std::sync::{Arc, OnceLock};

use fearless_simd::{Level, Simd, dispatch};

use super::TIXTAX_CALIBRATION;
use super::architecture::BOARDS;
use super::board_code::{BOARD_CLASS, BOARD_CLASSES, board_code};
use super::file::EvalFile;
use super::layers::{FeatureRow, HiddenLayers, OutputHead};
use crate::games::TixTax;
use crate::games::grid::{IMAGE, SYMMETRIES};
use crate::games::tixtax::TixTaxMove;
use crate::rules::{Game, Side};
use crate::search::{
    Calibration, EVAL_LIMIT, Evaluator, OutOfMemory, POINTS_PER_TENFOLD_ODDS, Points,
};

/// The number of the big board.
const BIG: usize = 9;

/// The weights, laid out for use.
#[derive(Debug)]
struct NetTables {
    /// A row for each board and class of contents, then one for each as the board to play in.
    rows: Vec<FeatureRow>,
    /// What the units begin with.
    bias: FeatureRow,
    layers: HiddenLayers,
    fingerprint: u32,
}

impl NetTables {
    fn new(file: &EvalFile) -> Result<Self, OutOfMemory> {
        const ROWS: usize = 2 * BOARDS * BOARD_CLASSES;
        let images = class_images();
        let mut rows = Vec::new();
        let mebibytes = (ROWS * size_of::<FeatureRow>()).div_ceil(1 << 20);
        rows.try_reserve_exact(ROWS).map_err(|_| OutOfMemory { mebibytes })?;
        for layer in [0, BOARDS] {
            for board in 0..BOARDS {
                let seen = |symmetry: usize| match board {
                    BIG => BIG,
                    board => IMAGE[symmetry][board].into(),
                };
                let starts: [usize; SYMMETRIES] =
                    std::array::from_fn(|symmetry| (layer + seen(symmetry)) * BOARD_CLASSES);
                for images in &images {
                    rows.push(FeatureRow::new(|unit, symmetry| {
                        file.rows[starts[symmetry] + usize::from(images[symmetry])][unit]
                    }));
                }
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

/// The class that each class of contents has in each image of the board.
fn class_images() -> Vec<[u16; SYMMETRIES]> {
    let mut images = vec![[0; SYMMETRIES]; BOARD_CLASSES];
    for (number, class) in BOARD_CLASS.iter().enumerate() {
        let image = |symmetry| BOARD_CLASS[image_of_contents(number, symmetry)];
        images[usize::from(*class)] = std::array::from_fn(image);
    }
    images
}

fn image_of_contents(number: usize, symmetry: usize) -> usize {
    let (mut image, mut rest) = (0, number);
    for cell in IMAGE[symmetry] {
        image += rest % 3 * 3usize.pow(cell.into());
        rest /= 3;
    }
    image
}

/// What a move changed for one side: rows of the first layer that went and that came.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    board: [u32; 2],
    /// The big board's, where a board was won; else two that are alike.
    big: [u32; 2],
}

/// A position on the way from the root. Its sums are worked out when they are asked for, since many
/// positions are left again before, and most are only looked at by their mover.
#[derive(Debug, Clone)]
struct Accumulator {
    /// The sums of the first layer without the board to play in, as each side sees them.
    sums: [FeatureRow; 2],
    known: [bool; 2],
    /// From the step before to this one, as each side sees it.
    changes: [Change; 2],
}

/// The learned evaluation of tixtax.
#[derive(Debug, Clone)]
pub struct Net {
    /// What the processor can do at once.
    level: Level,
    tables: Arc<NetTables>,
    /// The way here; only the first `depth` are in use.
    steps: Vec<Accumulator>,
    depth: usize,
}

impl Net {
    /// The evaluation that comes with the program.
    ///
    /// # Errors
    /// When the memory is not to be had.
    pub fn embedded() -> Result<Self, OutOfMemory> {
        static EMBEDDED: OnceLock<Net> = OnceLock::new();
        if let Some(net) = EMBEDDED.get() {
            return Ok(net.clone());
        }
        let file =
            EvalFile::parse(include_bytes!("tixtax.eval")).expect("a test reads the embedded file");
        let net = Self::new(&file)?;
        Ok(EMBEDDED.get_or_init(|| net).clone())
    }

    /// The evaluation with these weights.
    ///
    /// # Errors
    /// When the memory is not to be had.
    pub fn new(file: &EvalFile) -> Result<Self, OutOfMemory> {
        let tables = Arc::new(NetTables::new(file)?);
        Ok(Self { level: Level::new(), tables, steps: Vec::new(), depth: 0 })
    }

    /// A number that tells these weights from others.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        self.tables.fingerprint
    }

    /// What a side sees on a board: the number of its row.
    #[inline]
    fn board_row(pos: &TixTax, side: Side, board: usize) -> usize {
        row(board, pos.stones(side, board), pos.stones(side.other(), board))
    }

    /// What a side sees on the big board.
    #[inline]
    fn big_row(pos: &TixTax, side: Side) -> usize {
        row(BIG, pos.owned(side), pos.owned(side.other()))
    }

    /// The row of the board that the mover has to play in; of the big board where it may choose.
    #[inline]
    fn forced_row(pos: &TixTax) -> usize {
        let seen = match pos.forced() {
            Some(board) => Self::board_row(pos, pos.side(), board),
            None => Self::big_row(pos, pos.side()),
        };
        BOARDS * BOARD_CLASSES + seen
    }

    /// Works out the sums of the position on the board, as `side` sees them.
    #[inline(always)]
    fn settle(&mut self, simd: impl Simd, side: usize) {
        let (rows, steps) = (&self.tables.rows, &mut self.steps[..self.depth]);
        // The root's are always known.
        let known = steps.iter().rposition(|step| step.known[side]).unwrap_or_default();
        for at in known + 1..steps.len() {
            let (before, rest) = steps.split_at_mut(at);
            let step = &mut rest[0];
            let Change { board, big } = step.changes[side];
            step.sums[side] = before[at - 1].sums[side].exchanged(simd, rows, board);
            if big[0] != big[1] {
                step.sums[side] = step.sums[side].exchanged(simd, rows, big);
            }
            step.known[side] = true;
        }
    }

    /// What some heads make of the position.
    #[inline]
    fn logits<const N: usize>(
        &mut self,
        pos: &TixTax,
        outputs: impl Fn(&HiddenLayers) -> [&OutputHead; N],
    ) -> [f32; N] {
        dispatch!(self.level, simd => self.logits_by(simd, pos, outputs))
    }

    /// The same by what a kind of processor can do at once.
    #[inline(always)]
    fn logits_by<const N: usize>(
        &mut self,
        simd: impl Simd,
        pos: &TixTax,
        outputs: impl Fn(&HiddenLayers) -> [&OutputHead; N],
    ) -> [f32; N] {
        let side = pos.side().index();
        self.settle(simd, side);
        let NetTables { rows, layers, .. } = &*self.tables;
        let sums = &self.steps[self.depth - 1].sums[side];
        layers.judge(simd, sums, &rows[Self::forced_row(pos)], outputs(layers))
    }
}

/// From natural logarithms to the scale of scores, and within its bounds, whatever the weights are.
#[inline]
fn points(logit: f32) -> Points {
    let points = logit * (POINTS_PER_TENFOLD_ODDS as f32 / std::f32::consts::LN_10);
    (points as Points).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

impl Evaluator<TixTax> for Net {
    const CALIBRATION: Calibration = TIXTAX_CALIBRATION;

    fn reset(&mut self, pos: &TixTax) {
        let mut sums = [self.tables.bias; 2];
        for side in [Side::P1, Side::P2] {
            let sum = &mut sums[side.index()];
            for board in 0..9 {
                sum.add(&self.tables.rows[Self::board_row(pos, side, board)]);
            }
            sum.add(&self.tables.rows[Self::big_row(pos, side)]);
        }
        self.depth = 1;
        self.steps.truncate(0);
        self.steps.push(Accumulator { sums, known: [true; 2], changes: Default::default() });
    }

    #[inline]
    fn make_move(&mut self, before: &TixTax, mv: TixTaxMove, after: &TixTax) {
        let board = mv.board();
        let won = before.owned(before.side()) != after.owned(before.side());
        let change = |side| Change {
            board: [before, after].map(|pos| Self::board_row(pos, side, board) as u32),
            big: if won {
                [before, after].map(|pos| Self::big_row(pos, side) as u32)
            } else {
                [0; 2]
            },
        };
        let changes = [change(Side::P1), change(Side::P2)];
        if self.steps.len() == self.depth {
            self.steps.push(Accumulator {
                sums: [FeatureRow::default(); 2],
                known: [false; 2],
                changes,
            });
        } else {
            let step = &mut self.steps[self.depth];
            step.known = [false; 2];
            step.changes = changes;
        }
        self.depth += 1;
    }

    #[inline]
    fn undo_move(&mut self) {
        self.depth -= 1;
    }

    #[inline]
    fn evaluate(&mut self, pos: &TixTax) -> Points {
        let [odds] = self.logits(pos, |layers| [&layers.odds]);
        points(odds)
    }

    fn evaluate_with_draw_share(&mut self, pos: &TixTax) -> (Points, Option<f32>) {
        let [odds, draws] = self.logits(pos, |layers| [&layers.odds, &layers.draws]);
        (points(odds), Some(share(draws)))
    }
}

/// From odds of draws, as a logarithm, to their share.
fn share(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}

/// The number of the row for some contents of a board.
#[inline]
fn row(board: usize, own: u16, other: u16) -> usize {
    board * BOARD_CLASSES + usize::from(BOARD_CLASS[usize::from(board_code(own, other))])
}

#[cfg(test)]
mod tests {
    use super::super::architecture::{HIDDEN, HIDDEN_SHIFT, ONE, PRODUCT_SHIFT, UNITS};
    use super::super::file::HeadWeights;
    use super::*;
    use crate::rules::SplitMix;

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
    fn what_is_kept_up_is_what_is_counted_afresh() {
        let mut net = Net::embedded().unwrap();
        let counted = net.clone();
        for seed in 0..20 {
            let game = random_game(seed);
            net.reset(&game[0].0);
            // Some positions are looked at on the way down, all on the way back.
            for (index, pair) in game.windows(2).enumerate() {
                let [(before, mv), (after, _)] = pair else { unreachable!() };
                net.make_move(before, *mv, after);
                if (index as u64 + seed).is_multiple_of(3) {
                    assert_eq!(net.evaluate_with_draw_share(after), fresh(&counted, after));
                }
            }
            for (pos, _) in game.iter().rev() {
                assert_eq!(net.evaluate_with_draw_share(pos), fresh(&counted, pos), "{pos}");
                net.undo_move();
            }
        }
    }

    fn embedded_file() -> EvalFile {
        EvalFile::parse(include_bytes!("tixtax.eval")).unwrap()
    }

    /// A file with every weight at one of the bounds that files are held to. The units of the first
    /// layer are often wholly on, so are the hidden ones.
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
            head.short = head.short.map(|_| either(-4096, 4096));
        }
        file.check().unwrap();
        file
    }

    /// What a net makes of a position by its definition, number by number.
    fn plainly(file: &EvalFile, pos: &TixTax) -> (Points, Option<f32>) {
        let square = |sum: i64| sum.clamp(0, ONE.into()).pow(2);
        let views: Vec<[i64; UNITS]> = (0..SYMMETRIES)
            .map(|symmetry| {
                let pos = &pos.image(symmetry);
                let boards = (0..9).map(|board| Net::board_row(pos, pos.side(), board));
                let rows = boards.chain([Net::big_row(pos, pos.side()), Net::forced_row(pos)]);
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
            // Of the means two at a time lose their lower bits together, of the units all.
            let pairs = means.chunks(2).zip(context.chunks(2));
            let context: i64 = pairs.map(|(means, weights)| lose(weigh(means, weights))).sum();
            let start = i64::from(file.inner_bias[hidden]) + context;
            let sums = views.iter().map(|view| start + lose(weigh(view, &inner)));
            sums.map(|sum| square(sum >> HIDDEN_SHIFT)).collect()
        });
        let logit = |head: &HeadWeights| {
            let weights = hidden.iter().zip(head.weights);
            let seen = weights.map(|(views, weight)| views.iter().sum::<i64>() * i64::from(weight));
            let total: i64 = weigh(&means, &head.short) + seen.sum::<i64>();
            total as f32 * head.scale + head.bias
        };
        (points(logit(&file.odds)), Some(share(logit(&file.draws))))
    }

    #[test]
    fn every_processor_sees_what_the_definition_says() {
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
                let expected = plainly(file, &pos);
                for level in levels.clone() {
                    let net = Net { level, ..net.clone() };
                    assert_eq!(fresh(&net, &pos), expected, "{pos} by {level:?}");
                }
            }
        }
    }

    #[test]
    fn whatever_the_weights_scores_stay_within_their_bounds() {
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
    fn turning_the_board_changes_nothing() {
        let net = Net::embedded().unwrap();
        for (pos, _) in (0..5).flat_map(random_game) {
            let worth = fresh(&net, &pos);
            for symmetry in 0..TixTax::SYMMETRIES {
                assert_eq!(fresh(&net, &pos.image(symmetry)), worth, "{pos}");
            }
        }
    }

    #[test]
    fn chances_are_sober_and_a_won_board_is_worth_having() {
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
