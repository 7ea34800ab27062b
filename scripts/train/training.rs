//! The training: batches on all threads, steps of the optimizer, and a checkpoint to resume from.

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use fearless_simd::{Level, dispatch};
use zermelo::eval::architecture::{HIDDEN, UNITS};
use zermelo::eval::board_code::BOARD_CLASSES;
use zermelo::rules::SplitMix;

use crate::adam::{Step, Weights};
use crate::data::Position;
use crate::generator::Generator;
use crate::loss::Loss;
use crate::net::{Images, Layers, Pass, ROWS_OF_CLASS, Row, Transposed};
use crate::random::Normal;
use crate::weights;

/// The part of the steps in which the rate rises.
const RISE: f64 = 0.05;
/// Separates the random numbers of the weights and of the epochs.
const EPOCHS: u64 = 1 << 32;

/// The gradient that a thread computed.
#[derive(Debug)]
struct Worker {
    layers: Layers,
    loss: f64,
}

pub(crate) struct Training {
    pub(crate) layers: Layers,
    /// The layers' weights and moments, eight at a time; the last ones are not used.
    moments: Vec<Weights>,
    generator: Generator,
    /// What the generator makes.
    pub(crate) rows: Vec<Row>,
    /// The gradient of the rows, one per thread.
    row_gradients: Vec<Vec<Row>>,
    images: Images,
    pub(crate) loss: Loss,
    level: Level,
    /// Steps done.
    pub(crate) done: u64,
}

impl Training {
    pub(crate) fn new(seed: u64, threads: usize, loss: Loss) -> Self {
        let mut random = Normal(SplitMix::new(seed));
        let generator = Generator::new(&mut random);
        let limit = 1.0 / (UNITS as f32).sqrt();
        let mut rows = |scale: f32| -> [[f32; HIDDEN]; UNITS] {
            std::array::from_fn(|_| std::array::from_fn(|_| scale * random.number()))
        };
        let context = rows(0.02);
        let layers = Layers {
            inner: std::array::from_fn(|_| std::array::from_fn(|_| random.uniform(limit))),
            context,
            inner_bias: std::array::from_fn(|_| random.uniform(limit)),
            heads: std::array::from_fn(|_| std::array::from_fn(|_| 0.05 * random.number())),
            skips: std::array::from_fn(|_| std::array::from_fn(|_| random.uniform(limit))),
            head_biases: [0.0; 2],
            bias: [0.1; UNITS],
        };
        let numbers = layers.parts().map(<[f32]>::len).iter().sum::<usize>();
        let mut this = Self {
            layers,
            moments: vec![Weights::default(); numbers.div_ceil(UNITS)],
            generator,
            rows: vec![Row::default(); BOARD_CLASSES * ROWS_OF_CLASS],
            row_gradients: vec![vec![Row::default(); BOARD_CLASSES * ROWS_OF_CLASS]; threads],
            images: Images::new(),
            loss,
            level: Level::new(),
            done: 0,
        };
        this.generate();
        this
    }

    /// Starts from a trained network.
    pub(crate) fn start_from(&mut self, layers: Layers, rows: &[Row]) {
        self.layers = layers;
        self.generator.start_from(rows);
        self.generate();
    }

    fn generate(&mut self) {
        self.generator.rows(self.level, &mut self.rows, self.row_gradients.len());
    }

    fn pass(&self) -> Pass<'_> {
        Pass { rows: &self.rows, layers: &self.layers, images: &self.images, loss: self.loss }
    }

    /// Returns the mean loss of positions.
    pub(crate) fn mean_loss(&self, positions: &[Position]) -> f64 {
        let pass = self.pass();
        let sum = |positions: &[Position]| -> f64 {
            dispatch!(self.level, simd => {
                let outputs = |position| pass.outputs_of(simd, position);
                let loss = |position| pass.loss.of(outputs(position), position).0;
                positions.iter().map(|position| f64::from(loss(position))).sum()
            })
        };
        let share = positions.len().div_ceil(self.row_gradients.len());
        let total: f64 = std::thread::scope(|scope| {
            let jobs: Vec<_> =
                positions.chunks(share).map(|part| scope.spawn(|| sum(part))).collect();
            jobs.into_iter().map(crate::joined).sum()
        });
        total / positions.len() as f64
    }

    /// Computes the gradient of some positions; returns that of the layers and the mean loss. Those of the
    /// rows are in `row_gradients`.
    fn gradient(&mut self, positions: &[Position], batch: &[u32]) -> (Layers, f64) {
        let mut row_gradients = std::mem::take(&mut self.row_gradients);
        let (pass, level) = (self.pass(), self.level);
        let (transposed, weight) = (&Transposed::new(&self.layers), 1.0 / batch.len() as f32);
        let share = batch.len().div_ceil(row_gradients.len());
        let workers: Vec<Worker> = std::thread::scope(|scope| {
            let jobs: Vec<_> = batch
                .chunks(share)
                .zip(&mut row_gradients)
                .map(|(batch, rows)| {
                    let pass = &pass;
                    scope.spawn(move || {
                        let mut worker = Worker { layers: Layers::default(), loss: 0.0 };
                        dispatch!(level, simd => for number in batch {
                            let position = &positions[*number as usize];
                            let loss = pass.learn(simd, position, weight, transposed, rows, &mut worker.layers);
                            worker.loss += f64::from(loss);
                        });
                        worker
                    })
                })
                .collect();
            jobs.into_iter().map(crate::joined).collect()
        });
        let (mut layers, mut loss) = (Layers::default(), 0.0);
        for worker in &workers {
            layers.add(&worker.layers);
            loss += worker.loss;
        }
        self.row_gradients = row_gradients;
        (layers, loss / batch.len() as f64)
    }

    /// Trains by one step on a batch; returns its mean loss.
    pub(crate) fn step(&mut self, positions: &[Position], batch: &[u32], rate: f32) -> f64 {
        let (gradient, loss) = self.gradient(positions, batch);
        self.done += 1;
        let step = Step::new(self.done, rate);
        self.generator.train(self.level, step, &mut self.row_gradients);
        self.train_layers(step, &gradient);
        weights::limit(&mut self.layers);
        self.generate();
        loss
    }

    fn train_layers(&mut self, step: Step, gradient: &Layers) {
        let gradients = gradient.parts().into_iter().flatten().copied();
        let mut values = self.layers.parts_mut().into_iter().flatten();
        let mut gradients = gradients.fuse();
        for weights in &mut self.moments {
            let mut places: [Option<&mut f32>; UNITS] = std::array::from_fn(|_| values.next());
            let gradient = Row(std::array::from_fn(|_| gradients.next().unwrap_or_default()));
            for (number, place) in weights.values.0.iter_mut().zip(&places) {
                *number = place.as_ref().map_or(0.0, |place| **place);
            }
            dispatch!(self.level, simd => step.weights(simd, weights, gradient.load(simd)));
            for (number, place) in weights.values.0.iter().zip(&mut places) {
                if let Some(place) = place {
                    **place = *number;
                }
            }
        }
    }

    /// All numbers that a step changes.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let layers = self.layers.parts_mut().into_iter().flatten();
        let moments = self.moments.iter_mut().flat_map(Weights::numbers_mut);
        layers.chain(moments.chain(self.generator.numbers_mut()).flatten())
    }

    /// Writes what is needed to resume. `settings` is a line that identifies the run.
    pub(crate) fn save(&mut self, path: &Path, settings: &str) -> io::Result<()> {
        let part = path.with_extension("state-part");
        let mut file = BufWriter::new(fs::File::create(&part)?);
        file.write_all(settings.as_bytes())?;
        file.write_all(&self.done.to_le_bytes())?;
        let mut checksum = crc32fast::Hasher::new();
        for number in self.numbers_mut() {
            let bytes = number.to_le_bytes();
            checksum.update(&bytes);
            file.write_all(&bytes)?;
        }
        file.write_all(&checksum.finalize().to_le_bytes())?;
        file.into_inner()?.sync_all()?;
        fs::rename(part, path)
    }

    /// Resumes from a file of [`Self::save`]; without one, does nothing.
    pub(crate) fn resume(&mut self, path: &Path, settings: &str) -> Result<(), String> {
        let error = |found: &dyn std::fmt::Display| format!("{}: {found}", path.display());
        let mut bytes = Vec::new();
        match fs::File::open(path) {
            Err(found) if found.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file
                .and_then(|mut file| file.read_to_end(&mut bytes))
                .map_err(|found| error(&found))?,
        };
        let rest = bytes.strip_prefix(settings.as_bytes()).ok_or_else(|| {
            let line = bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
            error(&format!(
                "it is of a training with other settings or data; delete it to start again\n  found    {}\n  expected {}",
                String::from_utf8_lossy(line).trim_end(),
                settings.trim_end()
            ))
        })?;
        let corrupt = || error(&"checksum mismatch: the file is corrupt; delete it to start again");
        let (done, rest) = rest.split_first_chunk::<8>().ok_or_else(corrupt)?;
        let (numbers, checksum) = rest.split_last_chunk::<4>().ok_or_else(corrupt)?;
        let count = self.numbers_mut().count();
        if numbers.len() != 4 * count || crc32fast::hash(numbers).to_le_bytes() != *checksum {
            return Err(corrupt());
        }
        for (number, bytes) in self.numbers_mut().zip(numbers.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*bytes);
        }
        self.done = u64::from_le_bytes(*done);
        self.generate();
        Ok(())
    }
}

/// Which positions are learned when.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) steps: u64,
    rate: f64,
    batch: usize,
    seed: u64,
    /// The number of the epoch whose order this is.
    epoch: u64,
    order: Vec<u32>,
}

impl Schedule {
    pub(crate) fn new(positions: usize, batch: usize, epochs: f64, rate: f64, seed: u64) -> Self {
        let batch = batch.min(positions);
        let steps = ((epochs * positions as f64 / batch as f64) as u64).max(20);
        Self { steps, rate, batch, seed, epoch: u64::MAX, order: (0..positions as u32).collect() }
    }

    /// The rate of a step: it rises, then falls along a cosine.
    pub(crate) fn rate(&self, step: u64) -> f32 {
        let part = (step as f64 + 0.5) / self.steps as f64;
        let cosine = |part: f64| 0.5 * (1.0 + (std::f64::consts::PI * part).cos());
        let factor = if part < RISE { part / RISE } else { cosine((part - RISE) / (1.0 - RISE)) };
        (self.rate * factor) as f32
    }

    /// The positions of a step. Each epoch has another order; what is left of one is dropped.
    pub(crate) fn batch(&mut self, step: u64) -> &[u32] {
        let steps = (self.order.len() / self.batch) as u64;
        if step / steps != self.epoch {
            self.epoch = step / steps;
            self.order.sort_unstable();
            SplitMix::new(self.seed + EPOCHS * (self.epoch + 1)).shuffle(&mut self.order);
        }
        &self.order[(step % steps) as usize * self.batch..][..self.batch]
    }
}

#[cfg(test)]
mod tests {
    use zermelo::eval::training_data::TrainingSample;
    use zermelo::games::TixTax;
    use zermelo::rules::Game;

    use super::*;

    /// The positions of random games, with their results.
    fn random_positions(games: usize) -> Vec<Position> {
        let mut random = SplitMix::new(1);
        let mut positions = Vec::new();
        for _ in 0..games {
            let mut pos = TixTax::start();
            while pos.outcome().is_none() {
                let (expected, drawn) =
                    ([0.0, 0.3, 0.5, 1.0][random.below(4)], random.below(2) as f32);
                positions.push(Position::new(&TrainingSample::new(&pos, 0), expected, drawn));
                pos.play_unchecked(pos.random_move(&mut random));
            }
        }
        positions
    }

    /// Compares the gradient of some numbers with the change of the outputs, weighted by the slopes of the loss.
    #[test]
    fn the_gradient_is_that_of_the_outputs() {
        let positions = random_positions(4);
        let mut training = Training::new(7, 2, Loss { power: None });
        let batch: Vec<u32> = (0..positions.len() as u32).collect();
        let (gradient, loss) = training.gradient(&positions, &batch);
        assert!((loss - training.mean_loss(&positions)).abs() < 1e-5);
        let of_rows: Vec<(usize, usize, f32)> = training
            .images
            .rows(&positions[20])
            .as_flattened()
            .iter()
            .flat_map(|row| (0..UNITS).map(|unit| (*row as usize, unit)))
            .map(|(row, unit)| {
                let of_threads = training.row_gradients.iter();
                (row, unit, of_threads.map(|rows| rows[row].0[unit]).sum())
            })
            .collect();
        let outputs = |training: &Training, position| -> [f32; 2] {
            let pass = training.pass();
            dispatch!(training.level, simd => pass.outputs_of(simd, position))
        };
        let slopes: Vec<[f32; 2]> = positions
            .iter()
            .map(|position| training.loss.of(outputs(&training, position), position).1)
            .collect();
        let sum = |training: &Training| -> f64 {
            let terms = positions.iter().zip(&slopes).map(|(position, slopes)| {
                let outputs = outputs(training, position);
                f64::from(outputs[0] * slopes[0] + outputs[1] * slopes[1])
            });
            terms.sum::<f64>() / positions.len() as f64
        };
        let mut check = |expected: f32, number: &dyn Fn(&mut Training) -> &mut f32| {
            let before = *number(&mut training);
            let mut changed = |by: f32| {
                *number(&mut training) = before + by;
                sum(&training)
            };
            let found = ((changed(1e-2) - changed(-1e-2)) / 2e-2) as f32;
            *number(&mut training) = before;
            assert!((found - expected).abs() < 1e-4 + 0.02 * expected.abs(), "{found} {expected}");
        };
        for (part, numbers) in gradient.parts().into_iter().enumerate() {
            for (index, expected) in numbers.iter().enumerate() {
                check(*expected, &|training| &mut training.layers.parts_mut()[part][index]);
            }
        }
        for (row, unit, expected) in of_rows {
            check(expected, &|training| &mut training.rows[row].0[unit]);
        }
    }

    #[test]
    fn a_resumed_training_continues_as_if_it_had_not_stopped() {
        let positions = random_positions(10);
        let path = std::env::temp_dir().join(format!("zermelo-training-{}", std::process::id()));
        let mut schedule = Schedule::new(positions.len(), 100, 4.0, 0.01, 5);
        let start = || Training::new(2, 2, Loss { power: None });
        let mut training = start();
        let mut step = |training: &mut Training| {
            let (rate, batch) = (schedule.rate(training.done), schedule.batch(training.done));
            training.step(&positions, batch, rate)
        };
        let first = step(&mut training);
        for _ in 0..6 {
            step(&mut training);
        }
        training.save(&path, "settings\n").unwrap();
        let mut resumed = start();
        assert!(resumed.resume(&path, "other\n").unwrap_err().contains("found    settings"));
        resumed.resume(&path, "settings\n").unwrap();
        let last: Vec<f64> = (0..6).map(|_| step(&mut training)).collect();
        // The order of the epoch is found again.
        assert_eq!((0..6).map(|_| step(&mut resumed)).collect::<Vec<_>>(), last);
        assert!(training.rows == resumed.rows && training.layers == resumed.layers);
        assert!(last[5] < first, "{last:?} {first}");
        fs::write(&path, "settings\n12345678 rest").unwrap();
        assert!(resumed.resume(&path, "settings\n").unwrap_err().contains("corrupt"));
        fs::remove_file(path).unwrap();
    }
}
