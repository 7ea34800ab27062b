//! The networks embedded in the program, one per rule.

use std::sync::OnceLock;

#[cfg(feature = "weights")]
use super::EvalFileError;
use super::{EvalFile, Net};
use crate::games::tixtax::{ClosedRule, CountRule, Rule};
use crate::search::OutOfMemory;

/// A rule with a network of its own.
pub trait EmbeddedNet: Rule {
    /// Returns the network embedded for this rule. Without the feature `weights`, its file is read
    /// by the reader given to `set_weights_reader`.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    fn embedded_net() -> Result<Net, OutOfMemory>;
}

impl Net {
    /// The evaluation of `tixtax` embedded in the program; [`EmbeddedNet`] has the networks of all rules.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    pub fn embedded() -> Result<Self, OutOfMemory> {
        ClosedRule::embedded_net()
    }
}

/// Embeds a weights file for a rule, in a cell that holds the network once it is read.
macro_rules! embed {
    ($rule:ty, $cell:ident, $file:literal) => {
        static $cell: OnceLock<Net> = OnceLock::new();

        impl EmbeddedNet for $rule {
            #[cfg(feature = "weights")]
            fn embedded_net() -> Result<Net, OutOfMemory> {
                load(&$cell, || {
                    match EvalFile::parse(include_bytes!(concat!("../../data/weights/", $file))) {
                        Err(EvalFileError::OutOfMemory(error)) => Err(error),
                        read => Ok(read.expect("a test reads the embedded files")),
                    }
                })
            }

            #[cfg(not(feature = "weights"))]
            fn embedded_net() -> Result<Net, OutOfMemory> {
                let read =
                    READER.get().expect("set_weights_reader is called before the first search");
                load(&$cell, || Ok(read($file)))
            }
        }
    };
}

embed!(ClosedRule, CLOSED_NET, "tixtax.eval");
embed!(CountRule, COUNT_NET, "tixtax-count.eval");

/// Returns the network in `cell`; reads it on first use.
fn load(
    cell: &OnceLock<Net>,
    read: impl FnOnce() -> Result<EvalFile, OutOfMemory>,
) -> Result<Net, OutOfMemory> {
    if let Some(net) = cell.get() {
        return Ok(net.clone());
    }
    let net = Net::new(&read()?)?;
    Ok(cell.get_or_init(|| net).clone())
}

/// Reads a weights file by its name, for instance `tixtax.eval`.
#[cfg(not(feature = "weights"))]
pub type WeightsReader = fn(&str) -> EvalFile;

#[cfg(not(feature = "weights"))]
static READER: OnceLock<WeightsReader> = OnceLock::new();

/// Sets the function that reads weights files. Each file is read when a search first needs it. Only the
/// first call counts.
#[cfg(not(feature = "weights"))]
pub fn set_weights_reader(read: WeightsReader) {
    let _ = READER.set(read);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_a_network() {
        ClosedRule::embedded_net().unwrap();
        CountRule::embedded_net().unwrap();
    }
}
