//! The weights file of the learned evaluation.
//!
//! A text line, `zermelo-eval 4`; four 32-bit floats, scale and bias of the odds and of the draws;
//! then 16-bit integers: for each of these two heads its weights of the hidden units and of the first
//! layer (skip connection); the biases of the hidden units, the weights from each unit of the first
//! layer to each of them, and from its mean over the images; the biases of the first layer and its
//! rows. Last a CRC-32 of everything before it. All numbers are little-endian.
//!
//! The integers have their sign in the lowest bit, so that small ones have a high byte of 0: 0, -1, 1, -2, ….
//! First come the low bytes of all of them, then the high ones, which compresses them by a quarter more.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

use super::architecture::{BOARDS, HIDDEN, MAX_HEAD, MAX_INNER_TOTAL, MAX_ROW, MAX_SKIP, UNITS};
use super::board_code::BOARD_CLASSES;
use crate::files;
use crate::printing::quote;
use crate::search::OutOfMemory;

const HEADER: &[u8] = b"zermelo-eval 4\n";
/// Numbers in the first layer, apart from its biases.
const FIRST_LAYER_NUMBERS: usize = 2 * BOARDS * BOARD_CLASSES * UNITS;
const SECOND_LAYER_NUMBERS: usize = HIDDEN + 2 * UNITS * HIDDEN;
const HEAD_WEIGHTS: usize = HIDDEN + UNITS;
/// Size of a file in bytes.
const SIZE: usize = HEADER.len()
    + 4 * 4
    + 2 * (2 * HEAD_WEIGHTS + SECOND_LAYER_NUMBERS + UNITS + FIRST_LAYER_NUMBERS)
    + 4;

/// The weights of an output.
#[derive(Debug, Clone, Copy)]
pub struct HeadWeights {
    pub weights: [i16; HIDDEN],
    /// The skip connection from the means of the first layer.
    pub skip: [i16; UNITS],
    /// Factor from the weighted sum to a logit.
    pub scale: f32,
    /// Added to the logit.
    pub bias: f32,
}

/// The weights as stored in the file.
#[derive(Debug, Clone)]
pub struct EvalFile {
    pub odds: HeadWeights,
    pub draws: HeadWeights,
    pub inner_bias: [i16; HIDDEN],
    /// From each unit of the first layer to each hidden unit, within one image of the board.
    pub inner: [[i16; HIDDEN]; UNITS],
    /// From the mean of each unit over the images to each hidden unit.
    pub context: [[i16; HIDDEN]; UNITS],
    pub bias: [i16; UNITS],
    /// A row for each board and class, then one for each as the board to play in.
    pub rows: Vec<[i16; UNITS]>,
    /// The checksum, which identifies the net.
    pub fingerprint: u32,
}

/// Why a weights file was rejected.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    #[error("cannot read {}: {source}", quote(path))]
    Io {
        /// The file.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    #[error("not a weights file: it does not start with \"zermelo-eval 4\"")]
    Header,
    /// Truncated, or of another architecture.
    #[error("wrong size: {found} bytes, expected {SIZE}")]
    Size {
        /// The size of the file.
        found: u64,
    },
    #[error("checksum mismatch: the file is corrupt")]
    Checksum,
    /// A weight is beyond the range that training produces.
    #[error("{0}")]
    Range(String),
    /// There is no memory for the weights.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

impl EvalFile {
    /// Reads a weights file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a weights file of this version.
    pub fn load(path: &Path) -> Result<Self, EvalFileError> {
        let io = |source| EvalFileError::Io { path: path.to_string_lossy().into_owned(), source };
        let file = files::open_regular_file(path, OpenOptions::new().read(true)).map_err(io)?;
        let mut bytes = Vec::new();
        (&file).take(SIZE as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.starts_with(HEADER) && bytes.len() != SIZE {
            return Err(EvalFileError::Size { found: file.metadata().map_err(io)?.len() });
        }
        Self::parse(&bytes)
    }

    /// Parses the content of a weights file.
    ///
    /// # Errors
    /// Fails if it is not a weights file of this version.
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
        let (low, high) = numbers.split_at(numbers.len() / 2);
        let [(low, low_rows), (high, high_rows)] = [low, high]
            .map(|bytes| bytes.split_at(2 * HEAD_WEIGHTS + SECOND_LAYER_NUMBERS + UNITS));
        let mut floats = floats.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let mut float = || floats.next().unwrap_or_default();
        let numbers = &mut low.iter().zip(high).map(|(low, high)| number(*low, *high));
        let mut head = || HeadWeights {
            scale: float(),
            bias: float(),
            weights: take(numbers),
            skip: take(numbers),
        };
        let odds = head();
        let draws = head();
        let inner_bias = take(numbers);
        let inner = std::array::from_fn(|_| take(numbers));
        let context = std::array::from_fn(|_| take(numbers));
        let bias = take(numbers);
        let encoded = low_rows.as_chunks::<UNITS>().0.iter().zip(high_rows.as_chunks::<UNITS>().0);
        let row = |(low, high): (&[u8; UNITS], &[u8; UNITS])| {
            std::array::from_fn(|unit| number(low[unit], high[unit]))
        };
        let mut rows = Vec::new();
        let out_of_memory = |_| OutOfMemory { mebibytes: (2 * low_rows.len()).div_ceil(1 << 20) };
        rows.try_reserve_exact(encoded.len()).map_err(out_of_memory)?;
        rows.extend(encoded.map(row));
        let file = Self { odds, draws, inner_bias, inner, context, bias, rows, fingerprint };
        file.check()?;
        Ok(file)
    }

    /// The content of a file with these weights, the inverse of [`Self::parse`].
    ///
    /// # Errors
    /// Fails if a weight is beyond the range that `parse` accepts.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EvalFileError> {
        self.check()?;
        let heads = [&self.odds, &self.draws];
        let mut bytes = HEADER.to_vec();
        bytes.extend(
            heads.iter().flat_map(|head| [head.scale, head.bias]).flat_map(f32::to_le_bytes),
        );
        let numbers = || {
            let heads = heads.into_iter().flat_map(|head| head.weights.iter().chain(&head.skip));
            let layers = [&self.inner, &self.context].into_iter().flatten().flatten();
            let first = self.bias.iter().chain(self.rows.iter().flatten());
            let numbers = heads.chain(&self.inner_bias).chain(layers).chain(first);
            numbers.map(|number| ((number << 1) ^ (number >> 15)).to_le_bytes())
        };
        bytes.extend(numbers().map(|[low, _]| low));
        bytes.extend(numbers().map(|[_, high]| high));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Checks that no sum can overflow. The products of two means with their weights never do:
    /// 2 · 32,760 · 32,768 is less than 2^31.
    pub(super) fn check(&self) -> Result<(), EvalFileError> {
        for (name, head) in [("odds", &self.odds), ("draws", &self.draws)] {
            check_float(format_args!("scale of the {name}"), head.scale)?;
            check_float(format_args!("bias of the {name}"), head.bias)?;
            check_weights(format_args!("hidden weight of the {name}"), &head.weights, MAX_HEAD)?;
            check_weights(format_args!("skip weight of the {name}"), &head.skip, MAX_SKIP)?;
        }
        for hidden in 0..HIDDEN {
            let total: u32 =
                self.inner.iter().map(|unit| u32::from(unit[hidden].unsigned_abs())).sum();
            if total > MAX_INNER_TOTAL {
                return Err(out_of_range(
                    format_args!("absolute weights of hidden unit {hidden}, in total"),
                    total,
                    format_args!("of at most {MAX_INNER_TOTAL}"),
                ));
            }
        }
        check_weights(format_args!("bias of the first layer"), &self.bias, MAX_ROW)?;
        check_weights(format_args!("weight of the first layer"), self.rows.as_flattened(), MAX_ROW)
    }
}

/// Checks the scale or bias of a head; NaN is rejected too.
fn check_float(name: fmt::Arguments<'_>, found: f32) -> Result<(), EvalFileError> {
    if found.abs() < 100.0 {
        return Ok(());
    }
    Err(out_of_range(name, found, format_args!("below 100")))
}

/// Checks the absolute values of weights.
fn check_weights(name: fmt::Arguments<'_>, weights: &[i16], max: i16) -> Result<(), EvalFileError> {
    match weights.iter().find(|weight| weight.unsigned_abs() > max.unsigned_abs()) {
        None => Ok(()),
        Some(found) => Err(out_of_range(name, found, format_args!("of at most {max}"))),
    }
}

fn out_of_range(
    name: fmt::Arguments<'_>,
    found: impl fmt::Display,
    limit: fmt::Arguments<'_>,
) -> EvalFileError {
    EvalFileError::Range(format!("{name}: {found}, expected an absolute value {limit}"))
}

fn number(low: u8, high: u8) -> i16 {
    let bits = u16::from_le_bytes([low, high]);
    (bits >> 1) as i16 ^ -((bits & 1) as i16)
}

/// Returns the next numbers; the size check ensures that there are enough.
fn take<const COUNT: usize>(numbers: &mut impl Iterator<Item = i16>) -> [i16; COUNT] {
    std::array::from_fn(|_| numbers.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    const EMBEDDED: &[u8] = include_bytes!("../../data/weights/tixtax.eval");
    /// The number of integers.
    const COUNT: usize = (SIZE - HEADER.len() - 16 - 4) / 2;

    /// Returns the embedded file with some bytes changed and a matching checksum.
    fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = EMBEDDED.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        with_checksum(file)
    }

    /// Returns the embedded file with some numbers changed to one, counted from 0, and a matching checksum.
    fn with_numbers(places: Range<usize>, number: i16) -> Vec<u8> {
        let mut file = EMBEDDED.to_vec();
        let [low, high] = ((number << 1) ^ (number >> 15)).to_le_bytes();
        let start = HEADER.len() + 16;
        for place in places {
            file[start + place] = low;
            file[start + COUNT + place] = high;
        }
        with_checksum(file)
    }

    fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
        let end = SIZE - 4;
        let sum = crc32fast::hash(&file[..end]).to_le_bytes();
        file[end..].copy_from_slice(&sum);
        file
    }

    #[test]
    fn the_embedded_file_is_valid() {
        let file = EvalFile::parse(EMBEDDED).unwrap();
        assert_eq!(file.rows.len() * UNITS, FIRST_LAYER_NUMBERS);
        assert_eq!(changed(0, HEADER), EMBEDDED);
        assert_eq!(file.to_bytes().unwrap(), EMBEDDED);
    }

    #[test]
    fn invalid_files_are_rejected_with_a_reason() {
        let first = HEADER.len();
        let mut corrupt = EMBEDDED.to_vec();
        corrupt[1000] ^= 1;
        let inner = 2 * HEAD_WEIGHTS + HIDDEN;
        let cases: [(Vec<u8>, &str); 11] = [
            (Vec::new(), "does not start with \"zermelo-eval 4\""),
            (b"zermelo-eval 1\none_in_line 4\n".to_vec(), "does not start with"),
            (EMBEDDED[..1000].to_vec(), "1000 bytes, expected"),
            ([EMBEDDED, b"x"].concat(), "expected"),
            (corrupt, "corrupt"),
            (
                changed(first, &f32::NAN.to_le_bytes()),
                "scale of the odds: NaN, expected an absolute value below 100",
            ),
            (
                with_numbers(0..1, 129),
                "hidden weight of the odds: 129, expected an absolute value of at most 128",
            ),
            (
                with_numbers(HIDDEN..HIDDEN + 1, -4097),
                "odds: -4097, expected an absolute value of at most 4096",
            ),
            (
                with_numbers(inner..inner + UNITS * HIDDEN, i16::MAX),
                "in total: 262136, expected an absolute value of at most 65535",
            ),
            (
                with_numbers(2 * HEAD_WEIGHTS - 1..2 * HEAD_WEIGHTS, 4097),
                "skip weight of the draws: 4097, expected an absolute value of at most 4096",
            ),
            (
                with_numbers(COUNT - 1..COUNT, -2701),
                "first layer: -2701, expected an absolute value of at most 2700",
            ),
        ];
        for (bytes, reason) in cases {
            let error = EvalFile::parse(&bytes).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let error = EvalFile::load(Path::new("/nowhere/at all")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at all"), "{error}");
    }
}
