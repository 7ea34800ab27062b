//! Where the rows of the first layer come from in training: the sum of a free row, the rows of the board's
//! eight lines, and a projection of an encoding that all small boards share. So rare boards are estimated by
//! what they share with others. The program only sees the sums.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, f32x16};
use zermelo::eval::architecture::{BOARDS, UNITS};
use zermelo::eval::board_code::{BOARD_CLASS, BOARD_CLASSES};

use crate::adam::{Step, Weights};
use crate::net::{ROWS_OF_CLASS, Row};
use crate::random::Normal;

/// Won, lost and full boards, the first classes.
const CLOSED: usize = 3;
const LINES: [[u32; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
/// What a class can be made of: each closed class for itself, and each content of each line.
const PARTS: usize = CLOSED + 27 * LINES.len();
/// Encodings: of the small boards and of the big one.
const KINDS: usize = 2;
/// Numbers of an encoding.
const WIDTH: usize = 2 * UNITS;
/// Rows of the encodings of a class or a part.
const ENCODING_ROWS: usize = KINDS * WIDTH / UNITS;
/// Adam would change the free rows of rare classes as fast as all others; a larger epsilon leaves them near
/// what the shared weights give.
const OWN_EPSILON: f32 = 1e-4;

/// The weights that a class has for itself.
#[derive(Debug, Clone, PartialEq)]
struct Own {
    rows: [Weights; ROWS_OF_CLASS],
    encodings: [Weights; ENCODING_ROWS],
}

/// The weights that classes share.
#[derive(Debug, Clone, PartialEq)]
struct Shared<W> {
    /// By part, then board.
    lines: Vec<W>,
    /// By part.
    encodings: Vec<W>,
    /// By board.
    projections: Vec<W>,
}

impl<W> Shared<W> {
    fn new(mut weights: impl FnMut(f32) -> W) -> Self {
        let mut group = |count, scale| (0..count).map(|_| weights(scale)).collect();
        Self {
            lines: group(PARTS * ROWS_OF_CLASS, 0.02),
            encodings: group(PARTS * ENCODING_ROWS, 0.1),
            // Zero at first, so that the rows of a trained network can be the free rows.
            projections: group(ROWS_OF_CLASS * WIDTH, 0.0),
        }
    }

    fn groups_mut(&mut self) -> [&mut Vec<W>; 3] {
        [&mut self.lines, &mut self.encodings, &mut self.projections]
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Generator {
    parts: Vec<[u16; LINES.len()]>,
    own: Vec<Own>,
    shared: Shared<Weights>,
}

impl Generator {
    pub(crate) fn new(random: &mut Normal) -> Self {
        let mut weights = |scale: f32| Weights::new(|_| scale * random.number());
        let own = |_| Own {
            rows: std::array::from_fn(|_| weights(0.01)),
            encodings: std::array::from_fn(|_| weights(0.05)),
        };
        let own = (0..BOARD_CLASSES).map(own).collect();
        Self { parts: parts_of_classes(), own, shared: Shared::new(weights) }
    }

    /// Starts from the rows of a trained network; the shared weights contribute nothing at first.
    pub(crate) fn start_from(&mut self, rows: &[Row]) {
        for (own, rows) in self.own.iter_mut().zip(rows.as_chunks::<ROWS_OF_CLASS>().0) {
            for (own, row) in own.rows.iter_mut().zip(rows) {
                own.values = *row;
            }
        }
        for weights in &mut self.shared.lines {
            weights.values = Row::default();
        }
    }

    /// All numbers, for a checkpoint.
    pub(crate) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut [f32; UNITS]> {
        let own = self.own.iter_mut().flat_map(|own| own.rows.iter_mut().chain(&mut own.encodings));
        let shared = self.shared.groups_mut().into_iter().flatten();
        own.chain(shared).flat_map(Weights::numbers_mut)
    }

    /// Computes all rows.
    pub(crate) fn rows(&self, level: Level, rows: &mut [Row], threads: usize) {
        let share = BOARD_CLASSES.div_ceil(threads);
        std::thread::scope(|scope| {
            let jobs = rows.as_chunks_mut::<ROWS_OF_CLASS>().0.chunks_mut(share);
            for ((rows, own), parts) in
                jobs.zip(self.own.chunks(share)).zip(self.parts.chunks(share))
            {
                scope.spawn(move || {
                    for ((rows, own), parts) in rows.iter_mut().zip(own).zip(parts) {
                        dispatch!(level, simd => self.shared.rows(simd, own, used(parts), rows));
                    }
                });
            }
        });
    }

    /// Trains by one step on the gradient of the rows, a sum over threads, and clears it.
    pub(crate) fn train(&mut self, level: Level, step: Step, gradients: &mut [Vec<Row>]) {
        let mut shared = self.train_own(level, step, gradients);
        for (weights, gradients) in self.shared.groups_mut().into_iter().zip(shared.groups_mut()) {
            for (weights, gradient) in weights.iter_mut().zip(gradients) {
                dispatch!(level, simd => step.weights(simd, weights, gradient.load(simd)));
            }
        }
    }

    /// Trains the classes' own weights; returns the gradient of the shared ones.
    fn train_own(&mut self, level: Level, step: Step, gradients: &mut [Vec<Row>]) -> Shared<Row> {
        let share = BOARD_CLASSES.div_ceil(gradients.len());
        let mut by_share: Vec<Vec<&mut [[Row; ROWS_OF_CLASS]]>> = Vec::new();
        by_share.resize_with(gradients.len(), Vec::new);
        for gradient in gradients {
            let classes = gradient.as_chunks_mut::<ROWS_OF_CLASS>().0;
            for (gradients, part) in by_share.iter_mut().zip(classes.chunks_mut(share)) {
                gradients.push(part);
            }
        }
        let shared = &self.shared;
        let transposed = &shared.transposed_projections();
        let mut sums: Vec<Shared<Row>> = std::thread::scope(|scope| {
            let classes = self.own.chunks_mut(share).zip(self.parts.chunks(share));
            let jobs: Vec<_> = classes
                .zip(by_share)
                .map(|((own, parts), mut gradients)| {
                    scope.spawn(move || {
                        let mut sums = Shared::new(|_| Row::default());
                        for (index, (own, parts)) in own.iter_mut().zip(parts).enumerate() {
                            let gradient = take_sum(&mut gradients, index);
                            dispatch!(level, simd =>
                                shared.train_own(simd, (step, transposed), own, used(parts), &gradient, &mut sums));
                        }
                        sums
                    })
                })
                .collect();
            jobs.into_iter().map(crate::joined).collect()
        });
        let mut sum = sums.swap_remove(0);
        for other in &mut sums {
            for (sums, terms) in sum.groups_mut().into_iter().zip(other.groups_mut()) {
                sums.iter_mut().zip(terms).for_each(|(sum, term)| sum.add(term));
            }
        }
        sum
    }
}

/// Takes the sum over all threads of the gradients of a class.
fn take_sum(gradients: &mut [&mut [[Row; ROWS_OF_CLASS]]], class: usize) -> [Row; ROWS_OF_CLASS] {
    let mut sum = [Row::default(); ROWS_OF_CLASS];
    for gradient in gradients {
        for (sum, term) in sum.iter_mut().zip(&mut gradient[class]) {
            sum.add(term);
            *term = Row::default();
        }
    }
    sum
}

type Encodings = [[f32; WIDTH]; KINDS];
/// A projection by unit.
type Projection = [[f32; WIDTH]; UNITS];

impl Shared<Weights> {
    fn transposed_projections(&self) -> Vec<Projection> {
        let projections = self.projections.as_chunks::<WIDTH>().0.iter();
        let weight = |rows: &[Weights; WIDTH], unit: usize| rows.map(|row| row.values.0[unit]);
        projections.map(|rows| std::array::from_fn(|unit| weight(rows, unit))).collect()
    }

    #[inline(always)]
    fn encodings<S: Simd>(&self, simd: S, own: &Own, parts: &[u16]) -> Encodings {
        let mut rows: [f32x8<S>; ENCODING_ROWS] = own.encodings.map(|row| row.values.load(simd));
        for part in parts {
            let weights = &self.encodings[usize::from(*part) * ENCODING_ROWS..][..ENCODING_ROWS];
            for (row, weights) in rows.iter_mut().zip(weights) {
                *row += weights.values.load(simd);
            }
        }
        let mut encodings = [[0.0; WIDTH]; KINDS];
        let numbers = encodings.as_flattened_mut().as_chunks_mut::<UNITS>().0;
        numbers.iter_mut().zip(rows).for_each(|(numbers, row)| row.store_array(numbers));
        encodings
    }

    /// Computes the rows of a class.
    #[inline(always)]
    fn rows<S: Simd>(&self, simd: S, own: &Own, parts: &[u16], rows: &mut [Row; ROWS_OF_CLASS]) {
        let encodings = self.encodings(simd, own, parts);
        for (board, row) in rows.iter_mut().enumerate() {
            let mut sum = own.rows[board].values.load(simd);
            for part in parts {
                sum += self.lines[usize::from(*part) * ROWS_OF_CLASS + board].values.load(simd);
            }
            let projection = &self.projections[board * WIDTH..][..WIDTH];
            for (factor, weights) in encodings[kind(board)].into_iter().zip(projection) {
                sum = weights.values.load(simd).mul_add(f32x8::splat(simd, factor), sum);
            }
            sum.store_array(&mut row.0);
        }
    }

    /// Trains a class's own weights on the gradient of its rows, and adds that of the shared weights.
    #[inline(always)]
    fn train_own<S: Simd>(
        &self,
        simd: S,
        (step, transposed): (Step, &[Projection]),
        own: &mut Own,
        parts: &[u16],
        gradient: &[Row; ROWS_OF_CLASS],
        sums: &mut Shared<Row>,
    ) {
        let encodings = self.encodings(simd, own, parts);
        let mut of_encodings = [[0.0; WIDTH]; KINDS];
        let own_step = step.with_epsilon(OWN_EPSILON);
        for (board, gradient) in gradient.iter().enumerate() {
            // Most classes are rare.
            if *gradient != Row::default() {
                for part in parts {
                    sums.lines[usize::from(*part) * ROWS_OF_CLASS + board].add(gradient);
                }
                let row = gradient.load(simd);
                let projection = &mut sums.projections[board * WIDTH..][..WIDTH];
                for (sum, factor) in projection.iter_mut().zip(encodings[kind(board)]) {
                    let terms = row.mul_add(f32x8::splat(simd, factor), sum.load(simd));
                    terms.store_array(&mut sum.0);
                }
                let of_encoding = &mut of_encodings[kind(board)];
                let mut sum = f32x16::load_array_ref(simd, of_encoding);
                for (factor, weights) in gradient.0.into_iter().zip(&transposed[board]) {
                    let weights = f32x16::load_array_ref(simd, weights);
                    sum = weights.mul_add(f32x16::splat(simd, factor), sum);
                }
                sum.store_array(of_encoding);
            }
            own_step.weights(simd, &mut own.rows[board], gradient.load(simd));
        }
        let of_encodings = of_encodings.as_flattened().as_chunks::<UNITS>().0;
        for part in parts {
            let sums = &mut sums.encodings[usize::from(*part) * ENCODING_ROWS..][..ENCODING_ROWS];
            sums.iter_mut().zip(of_encodings).for_each(|(sum, term)| sum.add(&Row(*term)));
        }
        for (weights, gradient) in own.encodings.iter_mut().zip(of_encodings) {
            own_step.weights(simd, weights, f32x8::load_array_ref(simd, gradient));
        }
    }
}

/// The encoding that a row uses: that of small boards or that of the big one.
const fn kind(board: usize) -> usize {
    (board % BOARDS == BOARDS - 1) as usize
}

/// The parts of a class, without those after the end: a closed class is one part.
fn used(parts: &[u16; LINES.len()]) -> &[u16] {
    if usize::from(parts[0]) < CLOSED { &parts[..1] } else { parts }
}

fn parts_of_classes() -> Vec<[u16; LINES.len()]> {
    let mut parts = vec![[0; LINES.len()]; BOARD_CLASSES];
    for (code, class) in BOARD_CLASS.iter().enumerate() {
        let class = usize::from(*class);
        let digit = |cell: u32| code / 3usize.pow(cell) % 3;
        parts[class] = if class < CLOSED {
            [class as u16; LINES.len()]
        } else {
            std::array::from_fn(|line| {
                let [one, two, three] = LINES[line].map(digit);
                (CLOSED + 27 * line + one + 3 * two + 9 * three) as u16
            })
        };
    }
    parts
}

#[cfg(test)]
mod tests {
    use zermelo::rules::SplitMix;

    use super::*;

    /// The sum of all rows, each number with a weight, changes with every shared number as its gradient says.
    #[test]
    fn the_gradient_of_shared_weights_is_that_of_the_rows() {
        let mut random = Normal(SplitMix::new(3));
        let mut generator = Generator::new(&mut random);
        for weights in &mut generator.shared.projections {
            weights.values = Row(std::array::from_fn(|_| random.number()));
        }
        let level = Level::new();
        let count = BOARD_CLASSES * ROWS_OF_CLASS;
        let factors: Vec<Row> =
            (0..count).map(|_| Row(std::array::from_fn(|_| random.number()))).collect();
        let sum = |generator: &Generator| -> f64 {
            let mut rows = vec![Row::default(); count];
            generator.rows(level, &mut rows, 2);
            let pairs = rows.iter().zip(&factors).flat_map(|(row, by)| row.0.into_iter().zip(by.0));
            pairs.map(|(number, factor)| f64::from(number) * f64::from(factor)).sum()
        };
        // A rate of 0 leaves the weights alone. The gradient comes from two threads.
        let half = Row([0.5; UNITS]);
        let halves: Vec<Row> = factors
            .iter()
            .map(|row| Row(std::array::from_fn(|unit| row.0[unit] * half.0[unit])))
            .collect();
        let mut gradients = [halves.clone(), halves];
        let mut sums = generator.clone().train_own(level, Step::new(1, 0.0), &mut gradients);
        assert!(gradients.iter().flatten().all(|row| *row == Row::default()));
        for (group, size) in [PARTS * ROWS_OF_CLASS, PARTS * ENCODING_ROWS, ROWS_OF_CLASS * WIDTH]
            .into_iter()
            .enumerate()
        {
            for _ in 0..10 {
                let (row, unit) = (random.0.below(size), random.0.below(UNITS));
                let expected = f64::from(sums.groups_mut()[group][row].0[unit]);
                let change = |by: f32| {
                    let mut changed = generator.clone();
                    changed.shared.groups_mut()[group][row].values.0[unit] += by;
                    sum(&changed)
                };
                // The sum is linear in each number.
                let found = (change(0.5) - change(-0.5)) / 1.0;
                assert!(
                    (found - expected).abs() < 0.05 + 0.001 * expected.abs(),
                    "{found} {expected}"
                );
            }
        }
    }
}
