//! The network as a weights file: integers for the program, floating-point numbers for training.

use zermelo::eval::architecture::{
    BOARDS, HIDDEN, HIDDEN_SHIFT, IMAGES, MAX_HEAD, MAX_INNER_TOTAL, MAX_ROW, MAX_SKIP, ONE,
    PRODUCT_SHIFT, UNITS,
};
use zermelo::eval::board_code::BOARD_CLASSES;
use zermelo::eval::{EvalFile, HeadWeights};

use crate::net::{Layers, ROWS_OF_CLASS, Row};

/// The scale of the hidden units' sums.
const HIDDEN_ONE: f32 = (ONE as i32 * (1 << HIDDEN_SHIFT)) as f32;
/// The scale of the weights between the layers.
const INNER: f32 = HIDDEN_ONE * (1 << PRODUCT_SHIFT) as f32 / SQUARE;
/// The program's hidden units see the mean over the images, those of the trainer the sum.
const CONTEXT: f32 = IMAGES as f32 * INNER;
/// The scale of the activations.
const SQUARE: f32 = ONE as f32 * ONE as f32;
/// The largest weight of an output. One less than the file allows, so that either sign may round.
const HEAD: f32 = (MAX_HEAD - 1) as f32;

/// Returns the place in the file of a row of a class.
fn place(class: usize, board: usize) -> usize {
    board * BOARD_CLASSES + class
}

/// Reads the layers and the rows, by class and board.
pub(crate) fn read(file: &EvalFile) -> (Layers, Vec<Row>) {
    let divided = |numbers: [i16; HIDDEN], scale: f32| numbers.map(|n| f32::from(n) / scale);
    let heads = [&file.odds, &file.draws];
    // The weights were multiplied by this scale.
    let scales = heads.map(|head| 1.0 / (SQUARE * head.scale));
    let layers = Layers {
        inner: file.inner.map(|unit| divided(unit, INNER)),
        context: file.context.map(|unit| divided(unit, CONTEXT)),
        inner_bias: divided(file.inner_bias, HIDDEN_ONE),
        heads: [0, 1].map(|output| divided(heads[output].weights, scales[output])),
        skips: [0, 1].map(|output| {
            heads[output].skip.map(|n| f32::from(n) / (IMAGES as f32 * scales[output]))
        }),
        head_biases: heads.map(|head| head.bias),
        bias: file.bias.map(|n| f32::from(n) / f32::from(ONE)),
    };
    let row = |class, board| file.rows[place(class, board)].map(|n| f32::from(n) / f32::from(ONE));
    let rows =
        (0..BOARD_CLASSES).flat_map(|class| (0..ROWS_OF_CLASS).map(move |board| (class, board)));
    (layers, rows.map(|(class, board)| Row(row(class, board))).collect())
}

/// Rounds the weights to integers; returns also how many were clipped.
pub(crate) fn quantized(layers: &Layers, rows: &[Row]) -> (EvalFile, usize) {
    let mut rounding = Rounding { clipped: 0 };
    let head = |output: usize, rounding: &mut Rounding| {
        let weights = layers.heads[output];
        let largest = weights.iter().fold(f32::MIN_POSITIVE, |max, weight| max.max(weight.abs()));
        let scale = HEAD / largest;
        HeadWeights {
            weights: rounding.all(weights, scale, MAX_HEAD - 1),
            skip: rounding.all(layers.skips[output], IMAGES as f32 * scale, MAX_SKIP - 1),
            scale: 1.0 / (SQUARE * scale),
            bias: layers.head_biases[output],
        }
    };
    let (odds, draws) = (head(0, &mut rounding), head(1, &mut rounding));
    let mut file_rows = vec![[0; UNITS]; rows.len()];
    for (index, row) in rows.iter().enumerate() {
        let place = place(index / ROWS_OF_CLASS, index % ROWS_OF_CLASS);
        file_rows[place] = rounding.all(row.0, f32::from(ONE), MAX_ROW);
    }
    let file = EvalFile {
        odds,
        draws,
        inner_bias: rounding.all(layers.inner_bias, HIDDEN_ONE, i16::MAX),
        inner: layers.inner.map(|unit| rounding.all(unit, INNER, i16::MAX)),
        context: layers.context.map(|unit| rounding.all(unit, CONTEXT, i16::MAX)),
        bias: rounding.all(layers.bias, f32::from(ONE), MAX_ROW),
        rows: file_rows,
        fingerprint: 0,
    };
    (file, rounding.clipped)
}

struct Rounding {
    clipped: usize,
}

impl Rounding {
    fn all<const N: usize>(&mut self, numbers: [f32; N], scale: f32, limit: i16) -> [i16; N] {
        numbers.map(|number| {
            let scaled = (number * scale).round();
            let limit = f32::from(limit);
            self.clipped += usize::from(scaled.abs() > limit);
            scaled.clamp(-limit, limit) as i16
        })
    }
}

/// Keeps the weights between the layers in the range of the file.
pub(crate) fn limit(layers: &mut Layers) {
    let clamp = |numbers: &mut [f32], limit: f32| {
        numbers.iter_mut().for_each(|number| *number = number.clamp(-limit, limit));
    };
    clamp(layers.context.as_flattened_mut(), f32::from(i16::MAX) / CONTEXT);
    clamp(layers.inner.as_flattened_mut(), f32::from(i16::MAX) / INNER);
    // Rounding adds up to half a unit to each weight.
    let largest = (MAX_INNER_TOTAL as usize - UNITS) as f32 / INNER;
    for hidden in 0..HIDDEN {
        let total: f32 = layers.inner.iter().map(|unit| unit[hidden].abs()).sum();
        if total > largest {
            layers.inner.iter_mut().for_each(|unit| unit[hidden] *= largest / total);
        }
    }
}

const _: () = assert!(ROWS_OF_CLASS == 2 * BOARDS);
