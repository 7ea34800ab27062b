//! The networks embedded in the program, one per rule.

use std::sync::OnceLock;

use super::{EvalFile, EvalFileError, Net};
use crate::games::tixtax::{ClosedRule, CountRule, Rule};
use crate::search::OutOfMemory;

/// A rule with a network of its own.
pub trait EmbeddedNet: Rule {
    /// Returns the network embedded for this rule.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    fn embedded_net() -> Result<Net, OutOfMemory>;
}

/// Embeds a weights file for a rule.
macro_rules! embed {
    ($rule:ty, $file:literal) => {
        impl EmbeddedNet for $rule {
            fn embedded_net() -> Result<Net, OutOfMemory> {
                static NET: OnceLock<Net> = OnceLock::new();
                load(&NET, include_bytes!($file))
            }
        }
    };
}

embed!(ClosedRule, "tixtax.eval");
embed!(CountRule, "tixtax-count.eval");

/// Returns the network in `cell`, which is read from `bytes` at first.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_a_network() {
        ClosedRule::embedded_net().unwrap();
        CountRule::embedded_net().unwrap();
    }
}
