//! Positions of the files of `zermelo datagen`, with what to learn about them.

use std::fs;
use std::path::{Path, PathBuf};

use zermelo::eval::architecture::BOARDS;
use zermelo::eval::board_code::{BOARD_CLASS, board_code};
use zermelo::eval::training_data::{TrainingFile, TrainingSample};
use zermelo::games::tixtax::{ClosedRule, CountRule, Rule, TixTaxMove, Ultimate};
use zermelo::rules::Game;

use crate::loss::sigmoid;

/// A factor of ten in the odds, as in the program.
const POINTS_PER_TENFOLD_ODDS: f32 = 400.0;
/// Positions of the last games that are held out, at most a tenth of all.
const HELD_OUT: usize = 100_000;
const LABELS_HEADER: &[u8] = b"zermelo-labels 1\n";
/// Bytes of a label: the expected score and the chance of a draw of the position, a move, and the same two
/// after that move, in units of 1/65535. The move is 81 where there is none.
const LABEL: usize = 10;

/// A position as the network sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Position {
    /// The class of each small board and of the big one.
    pub(crate) classes: [u16; BOARDS],
    /// The board to play in; the big one if the choice is free.
    pub(crate) forced: u8,
    /// The expected score to learn, from 0 to 1.
    pub(crate) expected: f32,
    /// The chance of a draw to learn.
    pub(crate) drawn: f32,
}

impl Position {
    pub(crate) fn new(sample: &TrainingSample, expected: f32, drawn: f32) -> Self {
        let mut classes = [0; BOARDS];
        let (mut owned, mut lost) = (0, 0);
        for (board, code) in sample.boards.iter().enumerate() {
            let class = BOARD_CLASS[usize::from(*code)];
            classes[board] = class;
            owned |= u16::from(class == 0) << board;
            lost |= u16::from(class == 1) << board;
        }
        classes[BOARDS - 1] = BOARD_CLASS[usize::from(board_code(owned, lost))];
        Self { classes, forced: sample.forced, expected, drawn }
    }
}

#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) trained: Vec<Position>,
    pub(crate) held_out: Vec<Position>,
    /// Identifies the positions.
    pub(crate) checksum: u32,
}

/// What to learn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Targets {
    /// The weight of results relative to scores.
    pub(crate) share: f32,
    /// Whether to learn from the labels beside the files.
    pub(crate) labels: bool,
}

impl Data {
    /// Reads files of one game.
    pub(crate) fn read(paths: &[PathBuf], targets: Targets) -> Result<Self, String> {
        let (mut played, mut labelled) = (Vec::new(), Vec::new());
        let mut checksum = crc32fast::Hasher::new();
        let mut first = None;
        for path in paths {
            let error = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let mut file = TrainingFile::read(path)
                .map_err(|found| error(&found))?
                .ok_or_else(|| error(&"it has no games yet"))?;
            let game = game(file.settings()).ok_or_else(|| {
                error(&format!(
                    "its games were played with {:?}, expected game tixtax or tixtax-count",
                    file.settings()
                ))
            })?;
            let expected = *first.get_or_insert(game);
            if game != expected {
                return Err(error(&format!(
                    "its games are of {game}, those before of {expected}; each has a network of its own"
                )));
            }
            let (mut samples, before) = (Vec::new(), played.len());
            let mut of_file = crc32fast::Hasher::new();
            file.for_each_sample(&mut |_, sample, result| {
                of_file.update(&bytemuck::cast::<_, [u8; 18]>(sample.boards));
                of_file.update(&[sample.forced]);
                let result = (f32::from(result) + 1.0) / 2.0;
                let odds = sample.points as f32 * std::f32::consts::LN_10 / POINTS_PER_TENFOLD_ODDS;
                let expected = targets.share * result + (1.0 - targets.share) * sigmoid(odds);
                played.push(Position::new(sample, expected, f32::from(result == 0.5)));
                if targets.labels {
                    samples.push(*sample);
                }
            })
            .map_err(|found| error(&found))?;
            println!("{}: {} positions", path.display(), played.len() - before);
            let of_file = of_file.finalize();
            checksum.update(&of_file.to_le_bytes());
            if targets.labels {
                let labels = Labels::read(&path.with_extension("labels"), samples.len(), of_file)?;
                if game == "tixtax" {
                    labels.add::<ClosedRule>(&samples, &mut labelled)?;
                } else {
                    labels.add::<CountRule>(&samples, &mut labelled)?;
                }
            }
        }
        let kept = played.len() - HELD_OUT.min(played.len() / 10);
        let held_out = played.split_off(kept);
        if held_out.is_empty() {
            return Err(format!("only {kept} positions, expected at least 10"));
        }
        let trained = if targets.labels { trained_part(&labelled, kept) } else { played };
        Ok(Self { trained, held_out, checksum: checksum.finalize() })
    }
}

/// Returns the game in the settings of a file, if there is a network for it.
fn game(settings: &str) -> Option<&'static str> {
    let mut words = settings.split(' ').skip_while(|word| *word != "game");
    let named = words.nth(1)?;
    ["tixtax", "tixtax-count"].into_iter().find(|game| *game == named)
}

/// Returns the labelled positions, each perhaps with its successor, that belong to the first `kept` positions.
fn trained_part(labelled: &[[Option<Position>; 2]], kept: usize) -> Vec<Position> {
    labelled[..kept].iter().flatten().copied().flatten().collect()
}

/// The labels of the positions of a file, as `teacher.py` writes them.
struct Labels {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Labels {
    fn read(path: &Path, positions: usize, checksum: u32) -> Result<Self, String> {
        let named = path.display();
        let mut bytes = fs::read(path).map_err(|error| format!("cannot read {named}: {error}"))?;
        if !bytes.starts_with(LABELS_HEADER) || bytes.len() < LABELS_HEADER.len() + 4 {
            return Err(format!(
                "{named}: not a file of labels: it does not start with \"zermelo-labels 1\""
            ));
        }
        bytes.drain(..LABELS_HEADER.len());
        if bytes[..4] != checksum.to_le_bytes() {
            return Err(format!(
                "{named}: its labels are of other positions; run teacher.py again"
            ));
        }
        bytes.drain(..4);
        if bytes.len() != positions * LABEL {
            let found = bytes.len();
            return Err(format!(
                "{named}: {found} bytes of labels, expected {}",
                positions * LABEL
            ));
        }
        Ok(Self { path: path.to_owned(), bytes })
    }

    /// Adds the positions and their successors with their labels.
    fn add<R: Rule>(
        &self,
        samples: &[TrainingSample],
        labelled: &mut Vec<[Option<Position>; 2]>,
    ) -> Result<(), String> {
        for (sample, label) in samples.iter().zip(self.bytes.as_chunks::<LABEL>().0) {
            let [expected, drawn, mv, later, later_drawn] =
                bytemuck::cast::<_, [[u8; 2]; LABEL / 2]>(*label).map(u16::from_le_bytes);
            let part = |number: u16| f32::from(number) / f32::from(u16::MAX);
            let error = || format!("{}: a move is not legal", self.path.display());
            let after = successor::<R>(sample, mv).map_err(|()| error())?;
            labelled.push([
                Some(Position::new(sample, part(expected), part(drawn))),
                after.map(|after| Position::new(&after, part(later), part(later_drawn))),
            ]);
        }
        Ok(())
    }
}

/// Returns the position after a move, if there is one. Fails if it is not legal.
fn successor<R: Rule>(sample: &TrainingSample, mv: u16) -> Result<Option<TrainingSample>, ()> {
    if mv == 81 {
        return Ok(None);
    }
    let pos = sample.position::<R>().map_err(|_| ())?;
    let is_played = |legal: &TixTaxMove| legal.board() * 9 + legal.square() == usize::from(mv);
    let mv = pos.legal_moves().into_iter().find(is_played).ok_or(())?;
    let after: Ultimate<R> = pos.after(mv);
    Ok(Some(TrainingSample::new(&after, 0)))
}
