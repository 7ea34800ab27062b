//! Inference: from the sums of the first layer to the outputs.
//!
//! The first layer has the same few units for each of the eight images of the board. The second
//! layer sees the units of one image and their means over all images; the outputs see both layers,
//! summed over the images. Rotating or mirroring a position only permutes the images, so the result
//! is the same.
//!
//! All arithmetic is in integers, and the checks on the weights exclude overflow, so results are the
//! same on every machine and SIMD level. The level is detected at run time. Functions with a `simd`
//! parameter are compiled once per level and must be inlined into the one that dispatches. Without
//! SIMD, as in some browsers, scalar code is used, since emulated vectors are slower.

use fearless_simd::prelude::*;
use fearless_simd::{i16x8, i16x16, i32x4, i32x8};
use prefetch_index::prefetch_index;

use super::architecture::{HIDDEN, HIDDEN_SHIFT, ONE, PRODUCT_SHIFT, UNITS};
use super::file::{EvalFile, HeadWeights};
use crate::games::grid::SYMMETRIES;

/// Units are processed in pairs, since one instruction multiplies both and adds the products.
const PAIRS: usize = UNITS / 2;
/// Numbers per vector: one pair of units for each image, or two consecutive units.
const LANES: usize = 2 * SYMMETRIES;
/// Hidden units per vector, with a pair of weights each.
const UNITS_PER_VECTOR: usize = LANES / 2;

/// One vector of numbers.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Lanes([i16; LANES]);

impl Lanes {
    fn new(number: impl Fn(usize) -> i16) -> Self {
        Self(std::array::from_fn(number))
    }

    #[inline(always)]
    fn load<S: Simd>(&self, simd: S) -> i16x16<S> {
        i16x16::load_array_ref(simd, &self.0)
    }
}

/// One weight or sum for each unit and image. Each vector interleaves a pair of units, image by
/// image.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct FeatureRow([Lanes; PAIRS]);

impl FeatureRow {
    /// Creates a row from a function of unit and image.
    pub(super) fn new(number: impl Fn(usize, usize) -> i16) -> Self {
        Self(std::array::from_fn(|pair| Lanes::new(|lane| number(2 * pair + lane % 2, lane / 2))))
    }

    /// Prefetches the two cache lines of the row.
    #[inline]
    pub(super) fn prefetch(&self) {
        prefetch_index(&self.0[..], 0);
        prefetch_index(&self.0[..], PAIRS / 2);
    }

    pub(super) fn add(&mut self, row: &Self) {
        for (sum, weights) in self.0.iter_mut().zip(&row.0) {
            for (sum, weight) in sum.0.iter_mut().zip(weights.0) {
                *sum += weight;
            }
        }
    }

    /// Returns the sum with one row replaced by another.
    #[inline(always)]
    pub(super) fn with_row_replaced<S: Simd>(
        &self,
        simd: S,
        rows: &[[Self; 2]],
        change: [u32; 2],
    ) -> Self {
        let [old, new] = change.map(|row| &rows[row as usize][0]);
        let mut sum = Self::default();
        for (pair, sum) in sum.0.iter_mut().enumerate() {
            let change = new.0[pair].load(simd) - old.0[pair].load(simd);
            (self.0[pair].load(simd) + change).store_array(&mut sum.0);
        }
        sum
    }
}

/// An output of the net, computed from both layers.
#[derive(Debug)]
pub(super) struct OutputHead {
    /// Two hidden units per vector.
    weights: [Lanes; HIDDEN / 2],
    /// Weights of the skip connection from the means of the first layer.
    skip: [i16; UNITS],
    scale: f32,
    bias: f32,
}

impl OutputHead {
    fn new(head: &HeadWeights) -> Self {
        let weights = |hidden_pair: usize| {
            Lanes::new(|lane| head.weights[2 * hidden_pair + lane / SYMMETRIES])
        };
        let HeadWeights { skip, scale, bias, .. } = *head;
        Self { weights: std::array::from_fn(weights), skip, scale, bias }
    }
}

/// The layers after the first.
#[derive(Debug)]
pub(super) struct HiddenLayers {
    /// Biases of the hidden units.
    bias: [i32; HIDDEN],
    /// Weights from the means of the first layer's units over the images, eight hidden units at a
    /// time.
    context: [[Lanes; PAIRS]; HIDDEN / UNITS_PER_VECTOR],
    /// Weights from the first layer's units of one image, the same in all images; two hidden units
    /// at a time.
    inner: [[[Lanes; PAIRS]; 2]; HIDDEN / 2],
    /// The inner weights by unit, for scalar code. Each number holds the weights of two hidden
    /// units, one in each half, so that one multiplication serves both.
    packed: [[i64; HIDDEN / 2]; UNITS],
    pub(super) odds: OutputHead,
    pub(super) draws: OutputHead,
}

impl HiddenLayers {
    pub(super) fn new(file: &EvalFile) -> Self {
        let pairs = |weights: &[[i16; HIDDEN]; UNITS], hidden: &dyn Fn(usize) -> usize| {
            let weight = |pair: usize, lane: usize| weights[2 * pair + lane % 2][hidden(lane)];
            std::array::from_fn(|pair| Lanes::new(|lane| weight(pair, lane)))
        };
        let context =
            |group: usize| pairs(&file.context, &|lane| UNITS_PER_VECTOR * group + lane / 2);
        let inner = |hidden: usize| pairs(&file.inner, &|_| hidden);
        let pack = |unit: &[i16; HIDDEN]| {
            let half = |hidden: usize| i64::from(unit[hidden]);
            std::array::from_fn(|hidden_pair| {
                half(2 * hidden_pair) + (half(2 * hidden_pair + 1) << 32)
            })
        };
        Self {
            bias: file.inner_bias.map(i32::from),
            context: std::array::from_fn(context),
            inner: std::array::from_fn(|hidden_pair| {
                [inner(2 * hidden_pair), inner(2 * hidden_pair + 1)]
            }),
            packed: std::array::from_fn(|unit| pack(&file.inner[unit])),
            odds: OutputHead::new(&file.odds),
            draws: OutputHead::new(&file.draws),
        }
    }

    /// Computes some outputs from the sums of the first layer, which come in two parts.
    #[inline(always)]
    pub(super) fn forward<S: Simd, const N: usize>(
        &self,
        simd: S,
        sums: &FeatureRow,
        forced: &FeatureRow,
        outputs: [&OutputHead; N],
    ) -> [f32; N] {
        if simd.level().is_fallback() {
            return self.forward_scalar(sums, forced, outputs);
        }
        let mut active = [i16x16::splat(simd, 0); PAIRS];
        for (active, (sums, forced)) in active.iter_mut().zip(sums.0.iter().zip(&forced.0)) {
            *active = clipped_square(sums.load(simd) + forced.load(simd));
        }
        let means = means(active);
        let start = self.hidden_start(simd, means);
        let mut totals = [i32x8::splat(simd, 0); N];
        for (hidden_pair, (inner, start)) in
            self.inner.iter().zip(start.as_chunks::<2>().0).enumerate()
        {
            let mut sums = [i32x8::splat(simd, 0); 2];
            for (sum, (inner, start)) in sums.iter_mut().zip(inner.iter().zip(start)) {
                for (active, weights) in active.iter().zip(inner) {
                    *sum += active.pairwise_dot_product(weights.load(simd));
                }
                *sum = (*sum >> PRODUCT_SHIFT) + *start;
            }
            let hidden = clipped_square(sums[0].saturating_narrow(sums[1]) >> HIDDEN_SHIFT);
            for (total, output) in totals.iter_mut().zip(outputs) {
                *total += hidden.pairwise_dot_product(output.weights[hidden_pair].load(simd));
            }
        }
        let mut logits = [0.0; N];
        for (logit, (total, output)) in logits.iter_mut().zip(totals.iter().zip(outputs)) {
            let skip = means.pairwise_dot_product(i16x8::load_array(simd, output.skip));
            let total = total.reduce_sum() + skip.reduce_sum();
            *logit = total as f32 * output.scale + output.bias;
        }
        logits
    }

    /// Scalar version of [`Self::forward`].
    pub(super) fn forward_scalar<const N: usize>(
        &self,
        sums: &FeatureRow,
        forced: &FeatureRow,
        outputs: [&OutputHead; N],
    ) -> [f32; N] {
        let square = |sum: i32| sum.clamp(0, ONE.into()).pow(2);
        let mut images = [[0; UNITS]; SYMMETRIES];
        let mut means = [0; UNITS];
        for (pair, (sums, forced)) in sums.0.iter().zip(&forced.0).enumerate() {
            for (lane, (sum, forced)) in sums.0.iter().zip(forced.0).enumerate() {
                let active = square((sum + forced).into());
                let unit = 2 * pair + lane % 2;
                images[lane / 2][unit] = active;
                means[unit] += active >> SYMMETRIES.ilog2();
            }
        }
        let start = self.hidden_start_scalar(means);
        // The hidden units, summed over the images.
        let mut hidden = [0; HIDDEN];
        for image in images {
            let mut sums = [0; HIDDEN / 2];
            // Many units are inactive.
            for (active, weights) in
                image.iter().zip(&self.packed).filter(|(active, _)| **active != 0)
            {
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum += i64::from(*active) * weights;
                }
            }
            let hidden = hidden.as_chunks_mut::<2>().0.iter_mut();
            for (sum, (hidden, start)) in sums.iter().zip(hidden.zip(start.as_chunks::<2>().0)) {
                let low = *sum as i32;
                let high = ((*sum - i64::from(low)) >> 32) as i32;
                hidden[0] += square(((low >> PRODUCT_SHIFT) + start[0]) >> HIDDEN_SHIFT);
                hidden[1] += square(((high >> PRODUCT_SHIFT) + start[1]) >> HIDDEN_SHIFT);
            }
        }
        outputs.map(|output| {
            let weight = |at: usize| i32::from(output.weights[at / 2].0[at % 2 * SYMMETRIES]);
            let seen: i32 = hidden.iter().enumerate().map(|(at, number)| number * weight(at)).sum();
            let skip = means.iter().zip(output.skip).map(|(mean, weight)| mean * i32::from(weight));
            (seen + skip.sum::<i32>()) as f32 * output.scale + output.bias
        })
    }

    /// Scalar version of [`Self::hidden_start`].
    fn hidden_start_scalar(&self, means: [i32; UNITS]) -> [i32; HIDDEN] {
        std::array::from_fn(|hidden| {
            let weights = self.context[hidden / UNITS_PER_VECTOR]
                .iter()
                .map(|pair| pair.0.as_chunks::<2>().0);
            let pairs = means.as_chunks::<2>().0.iter().zip(weights);
            let products = pairs.map(|(means, weights)| {
                let [one, other] = weights[hidden % UNITS_PER_VECTOR].map(i32::from);
                (means[0] * one + means[1] * other) >> PRODUCT_SHIFT
            });
            self.bias[hidden] + products.sum::<i32>()
        })
    }

    /// Returns the part of the hidden sums that is the same in all images: biases and means.
    #[inline(always)]
    fn hidden_start<S: Simd>(&self, simd: S, means: i16x8<S>) -> [i32; HIDDEN] {
        let mut start = self.bias;
        let means: i32x4<S> = means.bitcast();
        for (start, context) in
            start.as_chunks_mut::<UNITS_PER_VECTOR>().0.iter_mut().zip(&self.context)
        {
            let mut sum = i32x8::load_array(simd, *start);
            for (pair, weights) in context.iter().enumerate() {
                let means: i16x16<S> = i32x8::splat(simd, means[pair]).bitcast();
                sum += means.pairwise_dot_product(weights.load(simd)) >> PRODUCT_SHIFT;
            }
            sum.store_array(start);
        }
        start
    }
}

/// Clips to 0..=[`ONE`] and squares (squared clipped ReLU); 1.0 becomes nearly 1 << 15.
#[inline(always)]
fn clipped_square<S: Simd>(values: i16x16<S>) -> i16x16<S> {
    let values = values.max(0).min(ONE);
    values * values
}

/// Returns the mean of each unit over the images. Each is divided by eight before the addition, so
/// that the sum fits.
#[inline(always)]
fn means<S: Simd>(active: [i16x16<S>; PAIRS]) -> i16x8<S> {
    let [first, second, third, fourth] = active;
    let first_and_third = fold(add_halves(first), add_halves(third));
    let second_and_fourth = fold(add_halves(second), add_halves(fourth));
    fold(first_and_third, second_and_fourth)
}

/// Adds one half of the images to the other.
#[inline(always)]
fn add_halves<S: Simd>(pair: i16x16<S>) -> i16x8<S> {
    let (low, high) = (pair >> SYMMETRIES.ilog2()).split();
    low + high
}

/// Adds the halves of each of two vectors and interleaves the results.
#[inline(always)]
fn fold<S: Simd>(one: i16x8<S>, other: i16x8<S>) -> i16x8<S> {
    let (one, other): (i32x4<S>, i32x4<S>) = (one.bitcast(), other.bitcast());
    let (low, high): (i16x8<S>, i16x8<S>) =
        (one.zip_low(other).bitcast(), one.zip_high(other).bitcast());
    low + high
}
