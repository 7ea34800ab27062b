//! What is known, in a file: so that a proof can be gone on with after the program has ended.
//!
//! A line of text names the game and the position; behind it are the entries of the table in which
//! some work went, as they are there, and a check sum. What took little work is left out: it is soon
//! found again, and makes up most of the table.

use std::io::{self, BufRead, Read, Write};

use super::Prover;
use super::table::{ProofEntry, ProofTable};
use crate::rules::{Game, quote};

/// How every file begins; the number is the version.
const MAGIC: &str = "zermelo proof 1";
/// The longest first line.
const LONGEST: u64 = 1024;
/// Entries that took less work than this stay out; see [`ProofEntry`] for the unit.
const LEAST_WORK: u8 = 8;
/// So many entries are taken in between two looks at how full the table is.
const FEW: u64 = 1 << 14;

/// Why a file cannot be gone on from.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It does not begin like one.
    #[error("it is no checkpoint of a proof (expected to begin with \"{MAGIC}\")")]
    Foreign,
    /// It belongs to another position.
    #[error("it belongs to {found}, not to {expected}")]
    Other {
        /// What it is about.
        found: String,
        /// What it should be about.
        expected: String,
    },
    /// It is cut off or was changed.
    #[error("it is damaged ({0})")]
    Damaged(&'static str),
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How the file of a position begins.
fn title<G: Game>(pos: &G) -> String {
    format!("{} {pos}", G::ID)
}

impl<G: Game, H> Prover<G, H> {
    /// Writes down what it knows, for going on with the proof of a position.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, pos: &G, output: &mut dyn Write) -> io::Result<()> {
        let mut output = Summed { inner: output, sum: crc32fast::Hasher::new() };
        writeln!(output, "{MAGIC} {}", title(pos))?;
        for (key, data) in self.table().entries(LEAST_WORK) {
            output.write_all(&key.to_le_bytes())?;
            output.write_all(&data.to_le_bytes())?;
        }
        // No entry has data of nought: this is the end.
        output.write_all(&[0; 16])?;
        let sum = output.sum.finalize();
        output.inner.write_all(&sum.to_le_bytes())
    }

    /// Takes in what was written down.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged or belongs to another position; then nothing is
    /// known afterwards.
    pub fn restore(&mut self, pos: &G, input: &mut dyn BufRead) -> Result<(), CheckpointError> {
        self.clear();
        let taken = take_in(self.table_mut(), &title(pos), input);
        if taken.is_err() {
            self.clear();
        }
        taken
    }
}

fn take_in(
    table: &mut ProofTable,
    title: &str,
    input: &mut dyn BufRead,
) -> Result<(), CheckpointError> {
    let mut first = Vec::new();
    input.take(LONGEST).read_until(b'\n', &mut first)?;
    let line = String::from_utf8_lossy(&first);
    let found = line.strip_prefix(MAGIC).ok_or(CheckpointError::Foreign)?.trim();
    if found != title {
        return Err(CheckpointError::Other { found: quote(found), expected: title.to_owned() });
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(&first);
    for count in 0_u64.. {
        if count.is_multiple_of(FEW) {
            table.make_room();
        }
        let mut pair = [0; 16];
        read(input, &mut pair)?;
        sum.update(&pair);
        let (key, data) = pair.split_at(8);
        let word =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        match word(data) {
            0 => break,
            data => match ProofEntry::read(data).filter(makes_sense) {
                Some(entry) => table.store(word(key), entry),
                None => return Err(CheckpointError::Damaged("an entry makes no sense")),
            },
        }
    }
    let mut expected = [0; 4];
    read(input, &mut expected)?;
    if expected != sum.finalize().to_le_bytes() {
        return Err(CheckpointError::Damaged("the check sum is wrong"));
    }
    match input.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(CheckpointError::Damaged("something follows its end")),
    }
}

/// An answer is only known where the bounds give it.
fn makes_sense(entry: &ProofEntry) -> bool {
    let ProofEntry { bounds, question, distance, .. } = entry;
    question.answer(*bounds).is_some() || distance.verdict().is_none()
}

fn read(input: &mut dyn BufRead, bytes: &mut [u8]) -> Result<(), CheckpointError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CheckpointError::Damaged("it is cut off"),
        _ => error.into(),
    })
}

/// Sums up what is written.
struct Summed<'a> {
    inner: &'a mut dyn Write,
    sum: crc32fast::Hasher,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof_numbers::ProofNumbers;
    use super::super::prover::tests::{late, never};
    use super::super::{ProofGoal, ValueBounds};
    use super::*;
    use crate::games::TixTax;
    use crate::rules::Value;
    use crate::solve::UniformGuide;

    #[test]
    fn an_answer_is_only_known_where_the_bounds_give_it() {
        let open = ProofNumbers { proof: 5, disproof: 1 };
        for (bounds, distance, is_right) in [
            (ValueBounds::OPEN, ProofNumbers::PROVEN, false),
            (ValueBounds::OPEN, ProofNumbers { proof: 5, disproof: 0 }, false),
            (ValueBounds::OPEN, open, true),
            (ValueBounds::exactly(Value::Draw), ProofNumbers::PROVEN, true),
            (ValueBounds { least: Value::Loss, most: Value::Draw }, ProofNumbers::DISPROVEN, false),
        ] {
            let entry = ProofEntry { bounds, question: ProofGoal::Holds, distance, work: 9 };
            assert_eq!(makes_sense(&entry), is_right, "{entry:?}");
        }
    }

    /// An entry that no table holds is refused, even where the check sum is right.
    #[test]
    fn entries_that_make_no_sense_are_refused() {
        let pos = late::<TixTax>(1, 24).next().unwrap();
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        prover.prove(&pos, u64::MAX, &mut never);
        let nodes = prover.nodes();
        let mut file = Vec::new();
        prover.save(&pos, &mut file).unwrap();
        prover.restore(&pos, &mut &file[..]).unwrap();
        prover.prove(&pos, u64::MAX, &mut never);
        assert!(prover.nodes() - nodes < nodes / 2, "what was saved is known again");

        let first = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        assert!(file.len() > first + 36, "there is an entry");
        // The top byte of its data.
        file[first + 15] &= 127;
        let end = file.len() - 4;
        let sum = crc32fast::hash(&file[..end]);
        file[end..].copy_from_slice(&sum.to_le_bytes());
        let refused = prover.restore(&pos, &mut &file[..]).unwrap_err();
        assert!(refused.to_string().contains("an entry makes no sense"), "{refused}");
        assert_eq!(prover.table().entries(0).count(), 0, "nothing of it is kept");
    }
}
