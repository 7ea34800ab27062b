//! Adam, the optimizer.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use zermelo::eval::architecture::UNITS;

use crate::net::Row;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// Eight weights with their moments.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Weights {
    pub(crate) values: Row,
    moments: [Row; 2],
}

impl Weights {
    pub(crate) fn new(value: impl FnMut(usize) -> f32) -> Self {
        Self { values: Row(std::array::from_fn(value)), ..Self::default() }
    }

    /// All numbers, for a checkpoint.
    pub(crate) fn numbers_mut(&mut self) -> [&mut [f32; UNITS]; 3] {
        let [first, second] = &mut self.moments;
        [&mut self.values.0, &mut first.0, &mut second.0]
    }
}

/// One step of Adam.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    rate: f32,
    /// Factor of the second moment's root.
    root: f32,
    epsilon: f32,
}

impl Step {
    /// The step with this number, counted from 1.
    pub(crate) fn new(number: u64, rate: f32) -> Self {
        let bias = |beta: f32| (1.0 - f64::from(beta).powf(number as f64)) as f32;
        Self { rate: rate / bias(BETA1), root: 1.0 / bias(BETA2).sqrt(), epsilon: 1e-8 }
    }

    pub(crate) fn with_epsilon(self, epsilon: f32) -> Self {
        Self { epsilon, ..self }
    }

    #[inline(always)]
    pub(crate) fn weights<S: Simd>(self, simd: S, weights: &mut Weights, gradient: f32x8<S>) {
        let [first, second] = weights.moments.map(|row| row.load(simd));
        let first = (gradient - first).mul_add(f32x8::splat(simd, 1.0 - BETA1), first);
        let change = gradient.mul_sub(gradient, second);
        let second = change.mul_add(f32x8::splat(simd, 1.0 - BETA2), second);
        let divisor = second.sqrt() * self.root + self.epsilon;
        let values = weights.values.load(simd) - first * self.rate / divisor;
        for (numbers, row) in weights.numbers_mut().into_iter().zip([values, first, second]) {
            row.store_array(numbers);
        }
    }
}
