//! Solver checkpoints: any bytes are loaded or refused; a loaded checkpoint has a valid checksum, can be
//! resumed and round-trips.
//!
//! The first byte selects the format. Random input rarely has a valid checksum, so usually the rest is
//! table entries, some with keys of reachable positions, and header, end marker and checksum are added.
#![no_main]

use zermelo::games::TixTax;
use zermelo::rules::Game;
use zermelo::solve::{CheckpointError, Prover, UniformHeuristic};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    let mut file = match form % 4 {
        0 => rest.to_vec(),
        _ => wrapped(rest),
    };
    // Trailing data, or a missing byte.
    match form >> 2 & 15 {
        1 => file.extend(rest),
        2 => drop(file.pop()),
        _ => {}
    }
    let mut prover = Prover::new(UniformHeuristic, TABLE).expect("a small table");
    if prover.restore(&TixTax::start(), &mut &file[..]).is_err() {
        return assert_eq!(saved(&prover), wrapped(&[]), "a refused checkpoint loads nothing");
    }
    let (content, sum) = file.split_at(file.len() - 4);
    assert_eq!(crc32fast::hash(content).to_le_bytes(), sum);
    check_wrong_lengths_are_refused(&mut file);
    let written = saved(&prover);
    let mut again = Prover::new(UniformHeuristic, TABLE).expect("a small table");
    again.restore(&TixTax::start(), &mut &written[..]).expect("own output is valid");
    assert_eq!(saved(&again).len(), written.len());
    let _ = prover.bounds(&TixTax::start());
    prover.prove(&TixTax::start(), NODES, &mut || false);
});

/// The table size in bytes; small, so that entries replace each other.
const TABLE: usize = 1 << 12;
const NODES: u64 = 20;

fn wrapped(entries: &[u8]) -> Vec<u8> {
    let mut file = format!("zermelo proof 1 {} {}\n", TixTax::ID, TixTax::start()).into_bytes();
    for entry in entries.as_chunks::<16>().0 {
        let (key, data) = entry.split_at(8);
        match key {
            [.., 0] => file.extend(key),
            // A random key would not belong to any position.
            _ => file.extend(position(key).value_key().to_le_bytes()),
        }
        file.extend(&data[..7]);
        // Every entry has its top bit set.
        file.push(data[7] | 128);
    }
    file.extend([0; 16]);
    let sum = crc32fast::hash(&file).to_le_bytes();
    [&file[..], &sum].concat()
}

/// The position after some moves; a zero byte is no move.
fn position(choices: &[u8]) -> TixTax {
    choices.iter().filter(|choice| **choice > 0).fold(TixTax::start(), |pos, choice| {
        let moves = pos.legal_moves();
        pos.after(moves[usize::from(*choice) % moves.len()])
    })
}

fn saved(prover: &Prover<TixTax, UniformHeuristic>) -> Vec<u8> {
    let mut file = Vec::new();
    prover.save(&TixTax::start(), &mut file).expect("writing to memory");
    file
}

fn check_wrong_lengths_are_refused(file: &mut Vec<u8>) {
    let mut prover = Prover::new(UniformHeuristic, TABLE).expect("a small table");
    let mut refused = |file: &[u8]| {
        let result = prover.restore(&TixTax::start(), &mut &file[..]);
        assert!(matches!(result, Err(CheckpointError::Corrupt(_))));
    };
    file.push(0);
    refused(file);
    file.truncate(file.len() - 2);
    refused(file);
}
