//! The network in floating point: the outputs of a position and their gradient.
//!
//! Functions with a `simd` parameter are compiled once per level and must be inlined into the one that
//! dispatches.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};
use zermelo::eval::architecture::{BOARDS, HIDDEN, IMAGES, UNITS};
use zermelo::eval::board_code::{board_image, class_images};

use crate::data::Position;
use crate::loss::Loss;

/// Rows of a class: one for each board, then one for each as the board to play in.
pub(crate) const ROWS_OF_CLASS: usize = 2 * BOARDS;
/// Rows that a position adds up in each image.
const TERMS: usize = BOARDS + 1;

/// A row of the first layer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(align(32))]
pub(crate) struct Row(pub(crate) [f32; UNITS]);

impl Row {
    #[inline(always)]
    pub(crate) fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::load_array_ref(simd, &self.0)
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, term) in self.0.iter_mut().zip(other.0) {
            *sum += term;
        }
    }
}

/// The layers after the first one, and its bias; also their gradient.
#[derive(Debug, Clone, Default, PartialEq)]
#[repr(align(64))]
pub(crate) struct Layers {
    /// From each unit of the first layer to each hidden unit, within one image of the board.
    pub(crate) inner: [[f32; HIDDEN]; UNITS],
    /// From the sum of each unit over the images to each hidden unit.
    pub(crate) context: [[f32; HIDDEN]; UNITS],
    pub(crate) inner_bias: [f32; HIDDEN],
    /// For the expected score and for the draws: weights of the hidden units, summed over the images.
    pub(crate) heads: [[f32; HIDDEN]; 2],
    /// The same for the units of the first layer.
    pub(crate) skips: [[f32; UNITS]; 2],
    pub(crate) head_biases: [f32; 2],
    pub(crate) bias: [f32; UNITS],
}

impl Layers {
    /// All numbers, in parts.
    pub(crate) fn parts(&self) -> [&[f32]; 7] {
        [
            self.inner.as_flattened(),
            self.context.as_flattened(),
            &self.inner_bias,
            self.heads.as_flattened(),
            self.skips.as_flattened(),
            &self.head_biases,
            &self.bias,
        ]
    }

    pub(crate) fn parts_mut(&mut self) -> [&mut [f32]; 7] {
        [
            self.inner.as_flattened_mut(),
            self.context.as_flattened_mut(),
            &mut self.inner_bias,
            self.heads.as_flattened_mut(),
            self.skips.as_flattened_mut(),
            &mut self.head_biases,
            &mut self.bias,
        ]
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (sums, terms) in self.parts_mut().into_iter().zip(other.parts()) {
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term;
            }
        }
    }
}

/// Where the rows of a position are in each image.
#[derive(Debug)]
pub(crate) struct Images {
    classes: Vec<[u16; IMAGES]>,
    boards: [[u8; BOARDS]; IMAGES],
}

impl Images {
    pub(crate) fn new() -> Self {
        let boards = std::array::from_fn(|symmetry| {
            std::array::from_fn(|board| board_image(board, symmetry) as u8)
        });
        Self { classes: class_images(), boards }
    }

    #[inline(always)]
    pub(crate) fn rows(&self, position: &Position) -> [[u32; TERMS]; IMAGES] {
        let mut rows = [[0; TERMS]; IMAGES];
        for (board, class) in position.classes.iter().enumerate() {
            let classes = &self.classes[usize::from(*class)];
            for ((rows, class), boards) in rows.iter_mut().zip(classes).zip(&self.boards) {
                rows[board] = u32::from(*class) * ROWS_OF_CLASS as u32 + u32::from(boards[board]);
            }
        }
        let forced = usize::from(position.forced);
        for rows in &mut rows {
            rows[BOARDS] = rows[forced] + BOARDS as u32;
        }
        rows
    }
}

/// The network, ready for many positions.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) layers: &'a Layers,
    pub(crate) images: &'a Images,
    pub(crate) loss: Loss,
}

/// What the layers computed for a position.
struct Activations<S: Simd> {
    rows: [[u32; TERMS]; IMAGES],
    /// Sums of the first layer.
    sums: [f32x8<S>; IMAGES],
    active: [[f32; UNITS]; IMAGES],
    /// The units of the first layer, summed over the images.
    total: f32x8<S>,
    /// Sums of the hidden units.
    inner: [f32x16<S>; IMAGES],
    /// The hidden units, summed over the images.
    hidden: f32x16<S>,
}

impl Pass<'_> {
    #[inline(always)]
    fn activations<S: Simd>(&self, simd: S, position: &Position) -> Activations<S> {
        let layers = self.layers;
        let rows = self.images.rows(position);
        let mut sums = [f32x8::load_array(simd, layers.bias); IMAGES];
        for (sum, rows) in sums.iter_mut().zip(&rows) {
            for row in rows {
                *sum += self.rows[*row as usize].load(simd);
            }
        }
        let mut active = [[0.0; UNITS]; IMAGES];
        let mut total = f32x8::splat(simd, 0.0);
        for (active, sum) in active.iter_mut().zip(&sums) {
            let clipped = sum.max(0.0).min(1.0);
            let square = clipped * clipped;
            total += square;
            square.store_array(active);
        }
        let mut start = f32x16::load_array(simd, layers.inner_bias);
        for (total, weights) in total.to_array().into_iter().zip(&layers.context) {
            start =
                f32x16::load_array_ref(simd, weights).mul_add(f32x16::splat(simd, total), start);
        }
        let mut inner = [start; IMAGES];
        for (unit, weights) in layers.inner.iter().enumerate() {
            let weights = f32x16::load_array_ref(simd, weights);
            for (inner, active) in inner.iter_mut().zip(&active) {
                *inner = weights.mul_add(f32x16::splat(simd, active[unit]), *inner);
            }
        }
        let mut hidden = f32x16::splat(simd, 0.0);
        for inner in &inner {
            let clipped = inner.max(0.0).min(1.0);
            hidden = clipped.mul_add(clipped, hidden);
        }
        Activations { rows, sums, active, total, inner, hidden }
    }

    #[inline(always)]
    fn outputs<S: Simd>(&self, simd: S, seen: &Activations<S>) -> [f32; 2] {
        std::array::from_fn(|output| {
            let head = f32x16::load_array_ref(simd, &self.layers.heads[output]);
            let skip = f32x8::load_array_ref(simd, &self.layers.skips[output]);
            let sum = (seen.hidden * head).reduce_sum() + (seen.total * skip).reduce_sum();
            sum + self.layers.head_biases[output]
        })
    }

    /// Returns the outputs for a position.
    #[inline(always)]
    pub(crate) fn outputs_of<S: Simd>(&self, simd: S, position: &Position) -> [f32; 2] {
        self.outputs(simd, &self.activations(simd, position))
    }

    /// Returns the loss of a position and adds its gradient times `weight`. `transposed` are the
    /// layers' matrices.
    #[inline(always)]
    pub(crate) fn learn<S: Simd>(
        &self,
        simd: S,
        position: &Position,
        weight: f32,
        transposed: &Transposed,
        row_gradients: &mut [Row],
        gradient: &mut Layers,
    ) -> f32 {
        let seen = self.activations(simd, position);
        let (loss, slopes) = self.loss.of(self.outputs(simd, &seen), position);
        let slopes = slopes.map(|slope| slope * weight);
        let (mut of_hidden, mut of_total) = (f32x16::splat(simd, 0.0), f32x8::splat(simd, 0.0));
        for (output, slope) in slopes.into_iter().enumerate() {
            let wide = f32x16::splat(simd, slope);
            let head = f32x16::load_array_ref(simd, &self.layers.heads[output]);
            of_hidden = head.mul_add(wide, of_hidden);
            let skip = f32x8::load_array_ref(simd, &self.layers.skips[output]);
            of_total = skip.mul_add(f32x8::splat(simd, slope), of_total);
            accumulate16(simd, &mut gradient.heads[output], seen.hidden * wide);
            accumulate8(simd, &mut gradient.skips[output], seen.total * f32x8::splat(simd, slope));
            gradient.head_biases[output] += slope;
        }
        let mut of_inner = [[0.0; HIDDEN]; IMAGES];
        let mut of_start = f32x16::splat(simd, 0.0);
        for (of_inner, inner) in of_inner.iter_mut().zip(&seen.inner) {
            let clipped = inner.max(0.0).min(1.0);
            let slope = clipped.simd_eq(*inner).select(clipped + clipped, f32x16::splat(simd, 0.0));
            let slope = slope * of_hidden;
            of_start += slope;
            slope.store_array(of_inner);
        }
        accumulate16(simd, &mut gradient.inner_bias, of_start);
        for (unit, total) in seen.total.to_array().into_iter().enumerate() {
            accumulate16(simd, &mut gradient.context[unit], of_start * f32x16::splat(simd, total));
            let mut sum = f32x16::load_array_ref(simd, &gradient.inner[unit]);
            for (of_inner, active) in of_inner.iter().zip(&seen.active) {
                let active = f32x16::splat(simd, active[unit]);
                sum = f32x16::load_array_ref(simd, of_inner).mul_add(active, sum);
            }
            sum.store_array(&mut gradient.inner[unit]);
        }
        for (slope, weights) in of_start.to_array().into_iter().zip(&transposed.context) {
            of_total = weights.load(simd).mul_add(f32x8::splat(simd, slope), of_total);
        }
        let mut of_active = [of_total; IMAGES];
        for (hidden, weights) in transposed.inner.iter().enumerate() {
            let weights = weights.load(simd);
            for (of_active, of_inner) in of_active.iter_mut().zip(&of_inner) {
                *of_active = weights.mul_add(f32x8::splat(simd, of_inner[hidden]), *of_active);
            }
        }
        let mut of_bias = f32x8::splat(simd, 0.0);
        for ((of_active, sum), rows) in of_active.into_iter().zip(&seen.sums).zip(&seen.rows) {
            let clipped = sum.max(0.0).min(1.0);
            let slope = clipped.simd_eq(*sum).select(clipped + clipped, f32x8::splat(simd, 0.0));
            let slope = slope * of_active;
            of_bias += slope;
            for row in rows {
                accumulate8(simd, &mut row_gradients[*row as usize].0, slope);
            }
        }
        accumulate8(simd, &mut gradient.bias, of_bias);
        loss
    }
}

/// The matrices of the layers, by hidden unit.
#[derive(Debug)]
pub(crate) struct Transposed {
    inner: [Row; HIDDEN],
    context: [Row; HIDDEN],
}

impl Transposed {
    pub(crate) fn new(layers: &Layers) -> Self {
        let transposed = |weights: &[[f32; HIDDEN]; UNITS]| {
            std::array::from_fn(|hidden| Row(weights.map(|unit| unit[hidden])))
        };
        Self { inner: transposed(&layers.inner), context: transposed(&layers.context) }
    }
}

#[inline(always)]
fn accumulate8<S: Simd>(simd: S, sums: &mut [f32; UNITS], terms: f32x8<S>) {
    (f32x8::load_array_ref(simd, sums) + terms).store_array(sums);
}

#[inline(always)]
fn accumulate16<S: Simd>(simd: S, sums: &mut [f32; HIDDEN], terms: f32x16<S>) {
    (f32x16::load_array_ref(simd, sums) + terms).store_array(sums);
}
