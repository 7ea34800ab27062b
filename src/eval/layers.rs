//! The arithmetic of the net: what the sums of the first layer are worth.
//!
//! The same few units look at the eight images of the board. The second layer looks at the units of
//! one image and at their means over all; the outputs look at both layers and add up the images. So
//! turning or mirroring a position moves numbers from one image to another and changes nothing else.
//!
//! All in whole numbers, and as the file is checked none overflows: so the result is the same on every
//! machine, however many of them it can work on at once. What it can is found out when the program
//! runs; the functions that have a `simd` exist once for each kind of processor, for which they have
//! to be inlined into the one that makes the choice.

use fearless_simd::prelude::*;
use fearless_simd::{i16x8, i16x16, i32x4, i32x8};

use super::architecture::{HIDDEN, HIDDEN_SHIFT, ONE, PRODUCT_SHIFT, UNITS};
use super::file::{EvalFile, HeadWeights};
use crate::games::grid::SYMMETRIES;

/// Units are taken in pairs: one step multiplies both and adds up the products.
const PAIRS: usize = UNITS / 2;
/// So many numbers are worked on at once: a pair's for each image, or two units' one after the other.
const LANES: usize = 2 * SYMMETRIES;
/// Hidden units for which pairs of weights stand in as many numbers.
const EIGHT: usize = LANES / 2;

/// Numbers that are worked on at once.
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

/// One weight or sum for each unit and image; image by image the two units of a pair stand side by
/// side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FeatureRow([Lanes; PAIRS]);

impl FeatureRow {
    /// The row with these numbers for unit and image.
    pub(super) fn new(number: impl Fn(usize, usize) -> i16) -> Self {
        Self(std::array::from_fn(|pair| Lanes::new(|lane| number(2 * pair + lane % 2, lane / 2))))
    }

    /// Adds a row to a sum.
    pub(super) fn add(&mut self, row: &Self) {
        for (sum, weights) in self.0.iter_mut().zip(&row.0) {
            for (sum, weight) in sum.0.iter_mut().zip(weights.0) {
                *sum += weight;
            }
        }
    }

    /// The sum with one of these rows in the place of another.
    #[inline(always)]
    pub(super) fn exchanged<S: Simd>(&self, simd: S, rows: &[Self], change: [u32; 2]) -> Self {
        let [old, new] = change.map(|row| &rows[row as usize]);
        let mut sum = Self::default();
        for (pair, sum) in sum.0.iter_mut().enumerate() {
            let change = new.0[pair].load(simd) - old.0[pair].load(simd);
            (self.0[pair].load(simd) + change).store_array(&mut sum.0);
        }
        sum
    }
}

/// Makes one number of both layers: a head of the net.
#[derive(Debug)]
pub(super) struct OutputHead {
    /// For two hidden units at a time.
    weights: [Lanes; HIDDEN / 2],
    short: [i16; UNITS],
    scale: f32,
    bias: f32,
}

impl OutputHead {
    fn new(head: &HeadWeights) -> Self {
        let weights = |two: usize| Lanes::new(|lane| head.weights[2 * two + lane / SYMMETRIES]);
        let HeadWeights { short, scale, bias, .. } = *head;
        Self { weights: std::array::from_fn(weights), short, scale, bias }
    }
}

/// What stands behind the first layer.
#[derive(Debug)]
pub(super) struct HiddenLayers {
    /// What the hidden units begin with, …
    start: [i32; HIDDEN],
    /// … what the mean of each unit of the first layer over the images adds to eight at a time, …
    context: [[Lanes; PAIRS]; HIDDEN / EIGHT],
    /// … and what each unit of the first layer adds to each of them, the same in all images; two at a
    /// time.
    inner: [[[Lanes; PAIRS]; 2]; HIDDEN / 2],
    pub(super) odds: OutputHead,
    pub(super) draws: OutputHead,
}

impl HiddenLayers {
    pub(super) fn new(file: &EvalFile) -> Self {
        let pairs = |weights: &[[i16; HIDDEN]; UNITS], hidden: &dyn Fn(usize) -> usize| {
            let weight = |pair: usize, lane: usize| weights[2 * pair + lane % 2][hidden(lane)];
            std::array::from_fn(|pair| Lanes::new(|lane| weight(pair, lane)))
        };
        let context = |eight: usize| pairs(&file.context, &|lane| EIGHT * eight + lane / 2);
        let inner = |hidden: usize| pairs(&file.inner, &|_| hidden);
        Self {
            start: file.inner_bias.map(i32::from),
            context: std::array::from_fn(context),
            inner: std::array::from_fn(|two| [inner(2 * two), inner(2 * two + 1)]),
            odds: OutputHead::new(&file.odds),
            draws: OutputHead::new(&file.draws),
        }
    }

    /// What some outputs make of the sums of the first layer, which come in two parts.
    #[inline(always)]
    pub(super) fn judge<S: Simd, const N: usize>(
        &self,
        simd: S,
        sums: &FeatureRow,
        forced: &FeatureRow,
        outputs: [&OutputHead; N],
    ) -> [f32; N] {
        let mut active = [i16x16::splat(simd, 0); PAIRS];
        for (active, (sums, forced)) in active.iter_mut().zip(sums.0.iter().zip(&forced.0)) {
            *active = clipped_square(sums.load(simd) + forced.load(simd));
        }
        let means = means(active);
        let start = self.start_of_hidden(simd, means);
        let mut totals = [i32x8::splat(simd, 0); N];
        for (two, (inner, start)) in self.inner.iter().zip(start.as_chunks::<2>().0).enumerate() {
            let mut sums = [i32x8::splat(simd, 0); 2];
            for (sum, (inner, start)) in sums.iter_mut().zip(inner.iter().zip(start)) {
                for (active, weights) in active.iter().zip(inner) {
                    *sum += active.pairwise_dot_product(weights.load(simd));
                }
                *sum = (*sum >> PRODUCT_SHIFT) + *start;
            }
            let hidden = clipped_square(sums[0].saturating_narrow(sums[1]) >> HIDDEN_SHIFT);
            for (total, output) in totals.iter_mut().zip(outputs) {
                *total += hidden.pairwise_dot_product(output.weights[two].load(simd));
            }
        }
        let mut logits = [0.0; N];
        for (logit, (total, output)) in logits.iter_mut().zip(totals.iter().zip(outputs)) {
            let short = means.pairwise_dot_product(i16x8::load_array(simd, output.short));
            let total = total.reduce_sum() + short.reduce_sum();
            *logit = total as f32 * output.scale + output.bias;
        }
        logits
    }

    /// What the hidden units begin with, in all images alike.
    #[inline(always)]
    fn start_of_hidden<S: Simd>(&self, simd: S, means: i16x8<S>) -> [i32; HIDDEN] {
        let mut start = self.start;
        let means: i32x4<S> = means.bitcast();
        for (start, context) in start.as_chunks_mut::<EIGHT>().0.iter_mut().zip(&self.context) {
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

/// Clips at nought and [`ONE`] and squares; one becomes nearly 1 << 15.
#[inline(always)]
fn clipped_square<S: Simd>(values: i16x16<S>) -> i16x16<S> {
    let values = values.max(0).min(ONE);
    values * values
}

/// The mean of each unit over the images; each is divided by eight before they are added, so that
/// the sum fits.
#[inline(always)]
fn means<S: Simd>(active: [i16x16<S>; PAIRS]) -> i16x8<S> {
    let [first, second, third, fourth] = active;
    let first_and_third = folded(halved(first), halved(third));
    let second_and_fourth = folded(halved(second), halved(fourth));
    folded(first_and_third, second_and_fourth)
}

/// Half of the images added to the others.
#[inline(always)]
fn halved<S: Simd>(pair: i16x16<S>) -> i16x8<S> {
    let (low, high) = (pair >> SYMMETRIES.ilog2()).split();
    low + high
}

/// Adds half of the pairs to the other half in each of two; what comes of the two stands by turns.
#[inline(always)]
fn folded<S: Simd>(one: i16x8<S>, other: i16x8<S>) -> i16x8<S> {
    let (one, other): (i32x4<S>, i32x4<S>) = (one.bitcast(), other.bitcast());
    let (low, high): (i16x8<S>, i16x8<S>) =
        (one.zip_low(other).bitcast(), one.zip_high(other).bitcast());
    low + high
}
