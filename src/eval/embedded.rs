//! The networks embedded in the program, one per rule.

use std::sync::OnceLock;

use super::{EvalFile, EvalFileError, Net};
use crate::games::tixtax::{ClosedRule, CountRule, Rule};
use crate::search::OutOfMemory;

/// A rule with a network of its own.
pub trait EmbeddedNet: Rule {
    /// Returns the network embedded for this rule. Without the feature `weights` it is the one that was
    /// provided by `provide_weights`.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    fn embedded_net() -> Result<Net, OutOfMemory>;
}

/// Embeds a weights file for a rule, in a cell that holds the network once it is read.
macro_rules! embed {
    ($rule:ty, $cell:ident, $file:literal) => {
        static $cell: OnceLock<Net> = OnceLock::new();

        impl EmbeddedNet for $rule {
            #[cfg(feature = "weights")]
            fn embedded_net() -> Result<Net, OutOfMemory> {
                load(&$cell, include_bytes!($file))
            }

            #[cfg(not(feature = "weights"))]
            fn embedded_net() -> Result<Net, OutOfMemory> {
                Ok($cell.get().expect("provide_weights is called before the first search").clone())
            }
        }
    };
}

embed!(ClosedRule, CLOSED_NET, "tixtax.eval");
embed!(CountRule, COUNT_NET, "tixtax-count.eval");

/// Returns the network in `cell`, which is read from `bytes` at first.
#[cfg(feature = "weights")]
fn load(cell: &OnceLock<Net>, bytes: &[u8]) -> Result<Net, OutOfMemory> {
    if let Some(net) = cell.get() {
        return Ok(net.clone());
    }
    let file = match EvalFile::parse(bytes) {
        Err(EvalFileError::OutOfMemory(error)) => return Err(error),
        read => read.expect("a test reads the embedded files"),
    };
    let net = Net::new(&file)?;
    Ok(cell.get_or_init(|| net).clone())
}

/// Sets the networks of `tixtax` and `tixtax-count` from the content of their weights files. Only the
/// first call counts.
///
/// # Errors
/// Fails if one is not a weights file of this version.
#[cfg(not(feature = "weights"))]
pub fn provide_weights(closed: &[u8], count: &[u8]) -> Result<(), EvalFileError> {
    for (cell, bytes) in [(&CLOSED_NET, closed), (&COUNT_NET, count)] {
        let net = Net::new(&EvalFile::parse(bytes)?)?;
        let _ = cell.set(net);
    }
    Ok(())
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
