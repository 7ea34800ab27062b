//! Models of the table of `src/solve/proof`, with stand-ins for the types it uses.

#[path = "../../../src/solve/proof/table.rs"]
mod table;

use std::sync::Arc;

use loom::thread;
use proof_numbers::ProofNumbers;

use crate::rules::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ValueBounds {
    pub(crate) lower: Value,
    pub(crate) upper: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProofGoal {
    Win,
    AtLeastDraw,
}

pub(crate) mod proof_numbers {
    pub(crate) type Number = u32;
    pub(crate) const INFINITE: Number = Number::MAX;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct ProofNumbers {
        pub(crate) proof: Number,
        pub(crate) disproof: Number,
    }
}

fn proven(work: u8) -> table::ProofEntry {
    let numbers = ProofNumbers { proof: work.into(), disproof: 7 };
    let bounds = ValueBounds { lower: Value::Draw, upper: Value::Win };
    table::ProofEntry { bounds, goal: ProofGoal::AtLeastDraw, numbers, work }
}

/// The same for the prover's table, where a mixed entry would be a false proof.
pub(crate) fn entries_are_never_mixed(keys: [u64; 2]) {
    let table = Arc::new(table::ProofTable::new(0).unwrap());
    let writers = [0, 1].map(|number: u8| {
        let (table, key) = (Arc::clone(&table), keys[usize::from(number)]);
        thread::spawn(move || {
            table.store(key, proven(number + 1));
        })
    });
    for key in keys {
        let found = table.probe(key);
        let right =
            |number: u8| keys[usize::from(number)] == key && found == Some(proven(number + 1));
        assert!(found.is_none() || right(0) || right(1), "{found:?}");
    }
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}
