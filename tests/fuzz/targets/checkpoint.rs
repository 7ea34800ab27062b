//! Checkpoints of a proof: any bytes are taken or refused, what is taken has the right checksum and
//! can be worked on, and is written as it was read.
//!
//! The first byte says how the rest is meant. Few inputs would have a check sum that fits, so in most
//! cases the rest is entries alone, keys of positions that may be met among them, and head, end and sum
//! are put around them.
#![no_main]

use zermelo::games::TixTax;
use zermelo::rules::Game;
use zermelo::solve::{CheckpointError, Prover, UniformGuide};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    let mut file = match form % 4 {
        0 => rest.to_vec(),
        _ => wrapped(rest),
    };
    // Something behind the end, and something missing.
    match form >> 2 & 15 {
        1 => file.extend(rest),
        2 => drop(file.pop()),
        _ => {}
    }
    let mut prover = Prover::new(UniformGuide, TABLE).expect("little memory");
    if prover.restore(&TixTax::start(), &mut &file[..]).is_err() {
        return assert_eq!(saved(&prover), wrapped(&[]), "what is refused leaves nothing");
    }
    let (content, sum) = file.split_at(file.len() - 4);
    assert_eq!(crc32fast::hash(content).to_le_bytes(), sum);
    longer_and_shorter_are_refused(&mut file);
    let written = saved(&prover);
    let mut again = Prover::new(UniformGuide, TABLE).expect("little memory");
    again.restore(&TixTax::start(), &mut &written[..]).expect("what was written is read");
    assert_eq!(saved(&again).len(), written.len());
    let _ = prover.bounds(&TixTax::start());
    prover.prove(&TixTax::start(), NODES, &mut || false);
});

/// Bytes of a table, so few that entries drive each other out.
const TABLE: usize = 1 << 12;
const NODES: u64 = 20;

fn wrapped(entries: &[u8]) -> Vec<u8> {
    let mut file = format!("zermelo proof 1 {} {}\n", TixTax::ID, TixTax::start()).into_bytes();
    for entry in entries.as_chunks::<16>().0 {
        let (key, data) = entry.split_at(8);
        match key {
            [.., 0] => file.extend(key),
            // A key of its own would be that of no position.
            _ => file.extend(position(key).value_key().to_le_bytes()),
        }
        file.extend(&data[..7]);
        // The top bit is set in every entry.
        file.push(data[7] | 128);
    }
    file.extend([0; 16]);
    let sum = crc32fast::hash(&file).to_le_bytes();
    [&file[..], &sum].concat()
}

/// The position that some moves lead to; nought is none.
fn position(choices: &[u8]) -> TixTax {
    choices.iter().filter(|choice| **choice > 0).fold(TixTax::start(), |pos, choice| {
        let moves = pos.legal_moves();
        pos.after(moves[usize::from(*choice) % moves.len()])
    })
}

fn saved(prover: &Prover<TixTax, UniformGuide>) -> Vec<u8> {
    let mut file = Vec::new();
    prover.save(&TixTax::start(), &mut file).expect("it is written to memory");
    file
}

fn longer_and_shorter_are_refused(file: &mut Vec<u8>) {
    let mut prover = Prover::new(UniformGuide, TABLE).expect("little memory");
    let mut refused = |file: &[u8]| {
        let result = prover.restore(&TixTax::start(), &mut &file[..]);
        assert!(matches!(result, Err(CheckpointError::Corrupt(_))));
    };
    file.push(0);
    refused(file);
    file.truncate(file.len() - 2);
    refused(file);
}
