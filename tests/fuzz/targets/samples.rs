//! Files of training data: any bytes are taken or refused, only what is whole counts, and a file that
//! was gone on with holds what was read from it.
//!
//! The first byte says how the rest is meant. In most cases it is positions and seals, 24 bytes each,
//! and gets a head and seals that fit.
#![no_main]

use std::fs;

use zermelo::eval::training_data::{HEAD, RECORD, TrainingDataError, TrainingFile};
use zermelo_fuzz::scratch_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    let content = match form % 4 {
        0 => rest.to_vec(),
        1 => [&head()[..], rest].concat(),
        _ => [&head()[..], &with_seals(rest)].concat(),
    };
    let path = scratch_file("samples");
    fs::write(&path, &content).expect("the folder for temporary files");
    let Ok(read) = TrainingFile::read(&path) else {
        assert!(TrainingFile::open(&path, MADE_BY).is_err());
        return assert_eq!(
            fs::read(&path).expect("it is there"),
            content,
            "what is refused is left alone"
        );
    };
    let counted = read.as_ref().map_or((0, 0), |file| file.count(0..u64::MAX));
    let is_ours = read.is_some_and(|file| file.made_by() == MADE_BY);
    match TrainingFile::open(&path, MADE_BY) {
        Ok(opened) => assert_eq!(opened.count(0..u64::MAX), counted),
        Err(TrainingDataError::Different { .. }) => return assert!(!is_ours),
        // A head that was torn may be the beginning of another.
        Err(TrainingDataError::Foreign) => return assert!(content.len() < HEAD * RECORD),
        Err(error) => panic!("{error}"),
    }
    let whole = fs::read(&path).expect("it is there");
    assert!(whole.starts_with(&head()) && (whole.len() - HEAD * RECORD).is_multiple_of(RECORD));
    assert!(content.starts_with(&whole) || content.len() < HEAD * RECORD);
    let again =
        TrainingFile::read(&path).expect("what was kept is read").expect("its head is whole");
    assert_eq!(again.count(0..u64::MAX), counted);
    let mut copy = TrainingFile::open(&scratch_file("copy"), MADE_BY).expect("the same folder");
    copy.add_all(&mut [again]).expect("a file does not contradict itself");
    assert_eq!(copy.count(0..u64::MAX), counted);
    drop(copy);
    fs::remove_file(scratch_file("copy")).expect("it was written");
});

const MADE_BY: &str = "seed 0 nodes 1";

fn head() -> Vec<u8> {
    let mut head = format!("zermelo-samples 2 {MADE_BY}").into_bytes();
    head.resize(HEAD * RECORD, b' ');
    head
}

/// The records with count and check sum of each game in its seal.
fn with_seals(records: &[u8]) -> Vec<u8> {
    let (mut file, mut game) = (Vec::new(), 0);
    for record in records.chunks(RECORD) {
        let start = file.len();
        file.extend(record);
        if record.len() == RECORD && record.starts_with(&[255, 255]) {
            let count = ((start - game) / RECORD) as u16;
            file[start + 2..start + 4].copy_from_slice(&count.to_le_bytes());
            let sum = u64::from(crc32fast::hash(&file[game..start + 12]));
            file[start + 12..start + 20].copy_from_slice(&sum.to_le_bytes());
            game = file.len();
        }
    }
    file
}
