//! Checkpoints: the prover's table in a file, so that a later run can resume the proof.
//!
//! A text line names the game and the position; table entries in binary and a checksum follow.
//! Entries of small searches, which make up most of the table, are left out: they are quickly found
//! again.

use std::io::{self, BufRead, Read, Write};

use super::Prover;
use super::table::{ProofEntry, ProofTable};
use crate::printing::quote;
use crate::rules::Game;

/// The start of every file, including the format version.
const MAGIC: &str = "zermelo proof 1";
/// The maximum length in bytes of the first line.
const MAX_FIRST_LINE: u64 = 512;
/// Entries with less work are not saved; see [`ProofEntry::work`] for the unit.
const MIN_WORK: u8 = 8;
/// Entries loaded between two checks of the table's fill level.
const BATCH_ENTRIES: u64 = 1 << 14;
/// The fill level, in permille, at which the table grows while entries are loaded. In a fuller table
/// more of them meet in one bucket and are dropped.
const RESUME_GROWTH_LOAD: u16 = 250;
/// A file is refused if more than this fraction (1/20) of its entries does not fit.
const MAX_DROPPED_DIVISOR: u64 = 20;

/// How much of a checkpoint was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointEntries {
    /// The number of entries in the file.
    pub saved: u64,
    /// How many of them were dropped because others took their place in the table.
    pub dropped: u64,
}

/// Why a proof cannot be resumed from a file.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("not a proof checkpoint (expected it to start with \"{MAGIC}\")")]
    NotACheckpoint,
    #[error("checkpoint of {found}, not of {expected}")]
    WrongPosition {
        /// The game and position in the file.
        found: String,
        /// The game and position to solve.
        expected: String,
    },
    /// The file is truncated or was modified.
    #[error("corrupt checkpoint: {0}")]
    Corrupt(&'static str),
    #[error(
        "the checkpoint has {} entries, {} of which do not fit into memory, expected --memory {mebibytes} or more",
        .entries.saved, .entries.dropped
    )]
    TooLarge {
        /// The entries in the file, and those that did not fit.
        entries: CheckpointEntries,
        /// The memory that is enough, in MiB.
        mebibytes: usize,
    },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Returns the game and the position, as the first line of a checkpoint names them.
fn title<G: Game>(pos: &G) -> String {
    format!("{} {pos}", G::ID)
}

impl<G: Game, H> Prover<G, H> {
    /// Writes a checkpoint of the proof of a position.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn save(&self, pos: &G, output: &mut dyn Write) -> io::Result<()> {
        let mut output = ChecksumWriter { inner: output, checksum: crc32fast::Hasher::new() };
        writeln!(output, "{MAGIC} {}", title(pos))?;
        for (key, data) in self.table().entries(MIN_WORK) {
            output.write_all(&key.to_le_bytes())?;
            output.write_all(&data.to_le_bytes())?;
        }
        // An entry is never zero, so zeros mark the end.
        output.write_all(&[0; 16])?;
        let checksum = output.checksum.finalize();
        output.inner.write_all(&checksum.to_le_bytes())
    }

    /// Loads a checkpoint, replacing the table's content. A few entries of little work may be dropped
    /// even if there is enough memory.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is corrupt, belongs to another position or does not fit into
    /// the table; the table is empty then.
    pub fn restore(
        &mut self,
        pos: &G,
        input: &mut dyn BufRead,
    ) -> Result<CheckpointEntries, CheckpointError> {
        self.clear();
        let result = load(self.table_mut(), &title(pos), input);
        if result.is_err() {
            self.clear();
        }
        result
    }
}

fn load(
    table: &mut ProofTable,
    title: &str,
    input: &mut dyn BufRead,
) -> Result<CheckpointEntries, CheckpointError> {
    let mut header = Vec::new();
    input.take(MAX_FIRST_LINE).read_until(b'\n', &mut header)?;
    let line = String::from_utf8_lossy(&header);
    let found = line.strip_prefix(MAGIC).ok_or(CheckpointError::NotACheckpoint)?.trim();
    if found != title {
        return Err(CheckpointError::WrongPosition {
            found: quote(found),
            expected: title.to_owned(),
        });
    }
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&header);
    let mut entries = CheckpointEntries { saved: 0, dropped: 0 };
    loop {
        if entries.saved.is_multiple_of(BATCH_ENTRIES) {
            table.grow_above(RESUME_GROWTH_LOAD);
        }
        let mut pair = [0; 16];
        read(input, &mut pair)?;
        checksum.update(&pair);
        let (key, data) = pair.split_at(8);
        let word =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        match word(data) {
            0 => break,
            data => match ProofEntry::checked(data).filter(is_consistent) {
                Some(entry) => {
                    entries.saved += 1;
                    entries.dropped += u64::from(table.store(word(key), entry));
                }
                None => return Err(CheckpointError::Corrupt("invalid entry")),
            },
        }
    }
    let mut expected = [0; 4];
    read(input, &mut expected)?;
    if expected != checksum.finalize().to_le_bytes() {
        return Err(CheckpointError::Corrupt("checksum mismatch"));
    }
    match input.read(&mut [0])? {
        0 if entries.dropped > entries.saved / MAX_DROPPED_DIVISOR => {
            let mebibytes = ProofTable::size_for(entries.saved).div_ceil(1 << 20) as usize;
            Err(CheckpointError::TooLarge { entries, mebibytes })
        }
        0 => Ok(entries),
        _ => Err(CheckpointError::Corrupt("data after the end")),
    }
}

/// Whether solved proof numbers agree with the bounds: the bounds decide every solved goal.
fn is_consistent(entry: &ProofEntry) -> bool {
    let ProofEntry { bounds, goal, numbers, .. } = entry;
    goal.result(*bounds).is_some() || numbers.result().is_none()
}

fn read(input: &mut dyn BufRead, bytes: &mut [u8]) -> Result<(), CheckpointError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CheckpointError::Corrupt("truncated"),
        _ => error.into(),
    })
}

/// Computes the checksum of what is written.
struct ChecksumWriter<'a> {
    inner: &'a mut dyn Write,
    checksum: crc32fast::Hasher,
}

impl Write for ChecksumWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof_numbers::ProofNumbers;
    use super::super::prover::tests::{late_positions, never};
    use super::super::{ProofGoal, ValueBounds, Verification, Verifier};
    use super::*;
    use crate::games::TixTax;
    use crate::rules::Value;
    use crate::solve::UniformHeuristic;

    #[test]
    fn solved_entries_without_matching_bounds_are_inconsistent() {
        let open = ProofNumbers { proof: 5, disproof: 1 };
        for (bounds, numbers, expected) in [
            (ValueBounds::OPEN, ProofNumbers::PROVEN, false),
            (ValueBounds::OPEN, ProofNumbers { proof: 5, disproof: 0 }, false),
            (ValueBounds::OPEN, open, true),
            (ValueBounds::exactly(Value::Draw), ProofNumbers::PROVEN, true),
            (
                ValueBounds { lower: Value::Loss, upper: Value::Draw },
                ProofNumbers::DISPROVEN,
                false,
            ),
        ] {
            let entry = ProofEntry { bounds, goal: ProofGoal::AtLeastDraw, numbers, work: 9 };
            assert_eq!(is_consistent(&entry), expected, "{entry:?}");
        }
    }

    /// The entries that a checkpoint leaves out are searched again, but no more than that: neither the
    /// walk nor the searches on its way grow much.
    #[test]
    fn verifying_a_resumed_proof_costs_little_more() {
        let (mut proof_nodes, mut nodes, mut visited) = (0, [0; 2], [0; 2]);
        for pos in late_positions::<TixTax>(12, 32) {
            let mut prover = Prover::new(UniformHeuristic, 1 << 22).unwrap();
            let bounds = prover.prove(&pos, u64::MAX, &mut never);
            proof_nodes += prover.nodes();
            let mut file = Vec::new();
            prover.save(&pos, &mut file).unwrap();
            let mut resumed = Prover::new(UniformHeuristic, 1 << 22).unwrap();
            resumed.restore(&pos, &mut &file[..]).unwrap();
            for (index, prover) in [&mut prover, &mut resumed].into_iter().enumerate() {
                let before = prover.nodes();
                let mut verifier = Verifier::new(1 << 20);
                let Verification::Confirmed { positions, .. } =
                    verifier.verify(prover, &pos, bounds, &mut |_| false)
                else {
                    panic!("{pos}")
                };
                nodes[index] += prover.nodes() - before;
                visited[index] += positions;
            }
        }
        assert!(nodes[1] * 50 < proof_nodes, "{proof_nodes} {nodes:?}");
        assert!(visited[1] < visited[0] * 11 / 10, "{visited:?}");
    }

    #[test]
    fn invalid_entries_are_rejected_despite_a_valid_checksum() {
        let pos = late_positions::<TixTax>(1, 24).next().unwrap();
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        prover.prove(&pos, u64::MAX, &mut never);
        let nodes = prover.nodes();
        let mut file = Vec::new();
        prover.save(&pos, &mut file).unwrap();
        prover.restore(&pos, &mut &file[..]).unwrap();
        prover.prove(&pos, u64::MAX, &mut never);
        assert!(prover.nodes() - nodes < nodes / 2, "the saved entries are used");

        let first = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        assert!(file.len() > first + 36, "at least one entry is saved");
        // Clears the highest bit of the first entry, which is always set.
        file[first + 15] &= 127;
        let end = file.len() - 4;
        let checksum = crc32fast::hash(&file[..end]);
        file[end..].copy_from_slice(&checksum.to_le_bytes());
        let error = prover.restore(&pos, &mut &file[..]).unwrap_err();
        assert!(error.to_string().contains("invalid entry"), "{error}");
        assert_eq!(prover.table().entries(0).count(), 0, "nothing is kept");
    }
}
