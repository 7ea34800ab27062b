//! The arithmetic of the net: what the sums of the first layer are worth.
//!
//! The same few units look at the eight images of the board. The second layer looks at the units of
//! one image and at their means over all; the outputs look at both layers and add up the images. So
//! turning or mirroring a position moves numbers from one image to another and changes nothing else.
//!
//! All in whole numbers, of 16 bits up to the outputs, so that eight are done at once and the result
//! is the same on every machine. A sum of a hidden unit that leaves the 16 bits stays at their end,
//! from where, as the file is checked, nothing brings it back to where it matters.

use wide::{i16x8, i32x4};

use super::file::{EvalFile, Head};
use super::shape::{HIDDEN, HIDDEN_SHIFT, ONE, UNITS};
use crate::games::grid::SYMMETRIES;

/// A number for each image of the board; they are worked on at once.
type Images = i16x8;
/// A number for each unit of the first layer.
type Units = i16x8;
/// A number for each of eight hidden units.
type Eight = i16x8;
const EIGHTS: usize = HIDDEN / 8;

/// One weight or sum for each unit and image.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row([Images; UNITS]);

impl Row {
    /// The row with these numbers for unit and image.
    pub(super) fn new(number: impl Fn(usize, usize) -> i16) -> Self {
        let images = |unit| std::array::from_fn::<_, SYMMETRIES, _>(|image| number(unit, image));
        Self(std::array::from_fn(|unit| Images::from(images(unit))))
    }

    /// Adds a row to a sum.
    #[inline]
    pub(super) fn add(&mut self, row: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum += *weight;
        }
    }

    /// Puts one row in the place of another.
    #[inline]
    pub(super) fn exchange(&mut self, old: &Self, new: &Self) {
        for ((sum, old), new) in self.0.iter_mut().zip(&old.0).zip(&new.0) {
            *sum += *new - *old;
        }
    }
}

/// Makes one number of both layers: a head of the net.
#[derive(Debug)]
pub(super) struct Output {
    weights: [Images; HIDDEN],
    short: Units,
    scale: f32,
    bias: f32,
}

impl Output {
    fn new(head: &Head) -> Self {
        let weights = head.weights.map(Images::splat);
        Self { weights, short: head.short.into(), scale: head.scale, bias: head.bias }
    }
}

/// What stands behind the first layer.
#[derive(Debug)]
pub(super) struct Layers {
    /// What the hidden units begin with, …
    start: [Eight; EIGHTS],
    /// … what the mean of each unit of the first layer over the images adds to them, …
    context: [[Eight; EIGHTS]; UNITS],
    /// … and what each unit of the first layer adds to each of them, image by image.
    inner: [[Images; UNITS]; HIDDEN],
    pub(super) odds: Output,
    pub(super) draws: Output,
}

impl Layers {
    pub(super) fn new(file: &EvalFile) -> Self {
        let eights = |all: &[i16; HIDDEN]| {
            std::array::from_fn(|part| Eight::from(&all[8 * part..8 * part + 8]))
        };
        let weights = |hidden: usize| file.inner.map(|unit| Images::splat(unit[hidden]));
        Self {
            start: eights(&file.inner_bias),
            context: file.context.each_ref().map(eights),
            inner: std::array::from_fn(weights),
            odds: Output::new(&file.odds),
            draws: Output::new(&file.draws),
        }
    }

    /// What some outputs make of the sums of the first layer, which come in two parts.
    #[inline]
    pub(super) fn judge<const N: usize>(
        &self,
        sums: &Row,
        forced: &Row,
        outputs: [&Output; N],
    ) -> [f32; N] {
        let active: [Images; UNITS] =
            std::array::from_fn(|unit| clipped_square(sums.0[unit] + forced.0[unit]));
        let means = means(active);
        let mut start = self.start;
        for (mean, weights) in means.to_array().into_iter().zip(&self.context) {
            for (start, weight) in start.iter_mut().zip(weights) {
                *start = start.saturating_add(Eight::splat(mean).mul_keep_high(*weight));
            }
        }
        let mut totals: [i32x4; N] = outputs.map(|output| means.dot(output.short));
        for (number, inner) in self.inner.iter().enumerate() {
            let mut hidden = Images::splat(start[number / 8].as_array()[number % 8]);
            for (active, weight) in active.iter().zip(inner) {
                hidden = hidden.saturating_add(active.mul_keep_high(*weight));
            }
            let hidden = clipped_square(hidden >> HIDDEN_SHIFT);
            for (total, output) in totals.iter_mut().zip(outputs) {
                *total += hidden.dot(output.weights[number]);
            }
        }
        std::array::from_fn(|n| totals[n].reduce_add() as f32 * outputs[n].scale + outputs[n].bias)
    }
}

/// Clips at nought and [`ONE`] and squares; one becomes nearly 1 << 15.
#[inline]
fn clipped_square(values: Images) -> Images {
    let values = values.max(Images::ZERO).min(Images::splat(ONE));
    values * values
}

/// The mean of each unit over the images; each is divided by eight before they are added, so that
/// the sum fits.
#[inline]
fn means(active: [Images; UNITS]) -> Units {
    let eighths = Images::transpose(active.map(|unit| unit >> 3));
    eighths.into_iter().fold(Units::ZERO, |sum, image| sum + image)
}
