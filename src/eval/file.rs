//! The file that the weights of the evaluation come in.
//!
//! A line of text, `zermelo-eval 3`; four numbers of 32 bits in floating point, scale and bias of the
//! odds and of the draws; then numbers of 16 bits: for each of these two heads what the hidden units
//! count and what the units of the first layer count; the biases of the hidden units, what each unit of
//! the first layer adds to each of them, what its mean over the images adds; the biases of the first
//! layer and its rows. At the end a checksum of everything before it. All little-endian.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::architecture::{BOARDS, HIDDEN, UNITS};
use super::board_code::BOARD_CLASSES;
use crate::rules::quote;

const HEADER: &[u8] = b"zermelo-eval 3\n";
/// Numbers in the first layer.
const ROWS: usize = 2 * BOARDS * BOARD_CLASSES * UNITS;
/// Numbers in the second layer.
const INNER: usize = HIDDEN + 2 * UNITS * HIDDEN;
/// Numbers in a head.
const HEAD: usize = HIDDEN + UNITS;
/// Bytes of a whole file.
const SIZE: usize = HEADER.len() + 4 * 4 + 2 * (2 * HEAD + INNER + UNITS + ROWS) + 4;

/// Makes one number of both layers: a head of the net.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeadWeights {
    pub(super) weights: [i16; HIDDEN],
    /// What the means of the first layer's units add.
    pub(super) short: [i16; UNITS],
    /// From the weighted sum to a logit, …
    pub(super) scale: f32,
    /// … to which this is added.
    pub(super) bias: f32,
}

/// Weights as they are read.
#[derive(Debug, Clone)]
pub struct EvalFile {
    pub(super) odds: HeadWeights,
    pub(super) draws: HeadWeights,
    pub(super) inner_bias: [i16; HIDDEN],
    /// For each unit of the first layer what it adds to each hidden one that sees the same image.
    pub(super) inner: [[i16; HIDDEN]; UNITS],
    /// The same for its mean over the images.
    pub(super) context: [[i16; HIDDEN]; UNITS],
    pub(super) bias: [i16; UNITS],
    pub(super) rows: Vec<[i16; UNITS]>,
    /// The checksum: what tells one net from another.
    pub(super) fingerprint: u32,
}

/// Why a weights file was refused.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", quote(path))]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("it does not begin with \"zermelo-eval 3\"")]
    Header,
    /// It was cut off, or made for another net.
    #[error("it has {found} bytes, expected {SIZE}")]
    Size {
        /// How long it is.
        found: u64,
    },
    /// It was changed.
    #[error("its checksum does not fit: the file is damaged")]
    Checksum,
    /// Its numbers are none that training brings forth.
    #[error("its weights are out of range: {0}")]
    Range(&'static str),
}

impl EvalFile {
    /// Reads a weights file.
    ///
    /// # Errors
    /// When the file cannot be read or is no weights file of this version.
    pub fn load(path: &Path) -> Result<Self, EvalFileError> {
        let io = |source| EvalFileError::Io { path: path.display().to_string(), source };
        let data = std::fs::metadata(path).map_err(io)?;
        // Opening a pipe or a device could wait for ever.
        if !data.is_file() {
            return Err(io(std::io::Error::other("not a regular file")));
        }
        let mut bytes = Vec::new();
        File::open(path).map_err(io)?.take(SIZE as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.starts_with(HEADER) && bytes.len() != SIZE {
            return Err(EvalFileError::Size { found: data.len() });
        }
        Self::parse(&bytes)
    }

    /// Reads what such a file holds.
    ///
    /// # Errors
    /// When it is no weights file of this version.
    pub fn parse(bytes: &[u8]) -> Result<Self, EvalFileError> {
        let body = bytes.strip_prefix(HEADER).ok_or(EvalFileError::Header)?;
        if bytes.len() != SIZE {
            return Err(EvalFileError::Size { found: bytes.len() as u64 });
        }
        let (content, sum) = bytes.split_at(SIZE - 4);
        let fingerprint = crc32fast::hash(content);
        if fingerprint.to_le_bytes() != sum {
            return Err(EvalFileError::Checksum);
        }
        let (floats, numbers) = body[..body.len() - 4].split_at(16);
        let (numbers, rows) = numbers.split_at(2 * (2 * HEAD + INNER + UNITS));
        let mut floats = floats.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let mut float = || floats.next().unwrap_or_default();
        let numbers =
            &mut numbers.as_chunks::<2>().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
        let mut head = || HeadWeights {
            scale: float(),
            bias: float(),
            weights: take(numbers),
            short: take(numbers),
        };
        let odds = head();
        let draws = head();
        let inner_bias = take(numbers);
        let inner = std::array::from_fn(|_| take(numbers));
        let context = std::array::from_fn(|_| take(numbers));
        let bias = take(numbers);
        let row = |bytes: &[u8; 2 * UNITS]| {
            std::array::from_fn(|unit| i16::from_le_bytes([bytes[2 * unit], bytes[2 * unit + 1]]))
        };
        let rows = rows.as_chunks::<{ 2 * UNITS }>().0.iter().map(row).collect();
        let file = Self { odds, draws, inner_bias, inner, context, bias, rows, fingerprint };
        file.check()?;
        Ok(file)
    }

    /// Sees that no sum can overflow. What two means add to a hidden unit cannot, whatever the weights:
    /// 2 · 32,760 · 32,768 is less than 2^31.
    pub(super) fn check(&self) -> Result<(), EvalFileError> {
        for head in [&self.odds, &self.draws] {
            if ![head.scale, head.bias].iter().all(|number| number.abs() < 100.0) {
                return Err(EvalFileError::Range("scale or bias of the head"));
            }
            if head.weights.iter().any(|weight| weight.unsigned_abs() > 128) {
                return Err(EvalFileError::Range("a weight of the head beyond 128"));
            }
            if head.short.iter().any(|weight| weight.unsigned_abs() > 4096) {
                return Err(EvalFileError::Range("a weight of the head's short cut beyond 4096"));
            }
        }
        for hidden in 0..HIDDEN {
            // A unit of the first layer is at most the square of one, which fits 15 bits.
            let sum: u32 =
                self.inner.iter().map(|unit| u32::from(unit[hidden].unsigned_abs())).sum();
            if sum >= 1 << 16 {
                return Err(EvalFileError::Range(
                    "the weights of a hidden unit beyond 65535 in sum",
                ));
            }
        }
        // Twelve numbers are added up: ten boards, the board to play in, the bias.
        if self.rows.iter().flatten().chain(&self.bias).any(|weight| weight.unsigned_abs() > 2700) {
            return Err(EvalFileError::Range("a weight of the first layer beyond 2700"));
        }
        Ok(())
    }
}

/// The next of some numbers; as many as are needed are there.
fn take<const COUNT: usize>(numbers: &mut impl Iterator<Item = i16>) -> [i16; COUNT] {
    std::array::from_fn(|_| numbers.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMBEDDED: &[u8] = include_bytes!("tixtax.eval");

    /// The embedded file with other bytes somewhere, and a checksum that fits.
    fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = EMBEDDED.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let end = SIZE - 4;
        let sum = crc32fast::hash(&file[..end]).to_le_bytes();
        file[end..].copy_from_slice(&sum);
        file
    }

    #[test]
    fn the_embedded_file_is_right() {
        let file = EvalFile::parse(EMBEDDED).unwrap();
        assert_eq!(file.rows.len() * UNITS, ROWS);
        assert_eq!(changed(0, HEADER), EMBEDDED);
    }

    #[test]
    fn wrong_files_are_refused_with_a_reason() {
        let first = HEADER.len();
        let mut damaged = EMBEDDED.to_vec();
        damaged[1000] ^= 1;
        let number = |place: usize| first + 16 + size_of::<i16>() * place;
        let (short, inner) = (number(HIDDEN), number(2 * HEAD + HIDDEN));
        let all_at_most = i16::MAX.to_le_bytes().repeat(UNITS * HIDDEN);
        let cases: [(Vec<u8>, &str); 11] = [
            (Vec::new(), "does not begin with \"zermelo-eval 3\""),
            (b"zermelo-eval 1\none_in_line 4\n".to_vec(), "does not begin with"),
            (EMBEDDED[..1000].to_vec(), "it has 1000 bytes, expected"),
            ([EMBEDDED, b"x"].concat(), "expected"),
            (damaged, "damaged"),
            (changed(first, &f32::NAN.to_le_bytes()), "scale or bias"),
            (changed(number(0), &129_i16.to_le_bytes()), "beyond 128"),
            (changed(short, &(-4097_i16).to_le_bytes()), "beyond 4096"),
            (changed(inner, &all_at_most), "beyond 65535 in sum"),
            (changed(number(2 * HEAD) - 2, &4097_i16.to_le_bytes()), "beyond 4096"),
            (changed(SIZE - 6, &(-2701_i16).to_le_bytes()), "beyond 2700"),
        ];
        for (bytes, reason) in cases {
            let error = EvalFile::parse(&bytes).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let error = EvalFile::load(Path::new("/nowhere/at all")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at all"), "{error}");
    }
}
