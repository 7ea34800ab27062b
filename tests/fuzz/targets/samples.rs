//! Training data files: any bytes are accepted or refused, only complete games count, and resuming a file
//! keeps what was read from it.
//!
//! The first byte selects the format. Usually the rest is positions and seals, 24 bytes each, and a
//! header and valid footers are added.
#![no_main]

use std::fs;

use zermelo::eval::training_data::{HEADER_RECORDS, RECORD_SIZE, TrainingDataError, TrainingFile};
use zermelo_fuzz::scratch_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    let content = match form % 4 {
        0 => rest.to_vec(),
        1 => [&head()[..], rest].concat(),
        _ => [&head()[..], &with_seals(rest)].concat(),
    };
    let path = scratch_file("samples");
    fs::write(&path, &content).expect("a writable temporary folder");
    let Ok(read) = TrainingFile::read(&path) else {
        assert!(TrainingFile::open(&path, SETTINGS).is_err());
        return assert_eq!(
            fs::read(&path).expect("an existing file"),
            content,
            "a refused file is unchanged"
        );
    };
    let counted = read.as_ref().map_or((0, 0), |file| file.count_games_and_positions(0..u64::MAX));
    let is_ours = read.is_some_and(|file| file.settings() == SETTINGS);
    match TrainingFile::open(&path, SETTINGS) {
        Ok(opened) => assert_eq!(opened.count_games_and_positions(0..u64::MAX), counted),
        Err(TrainingDataError::SettingsMismatch { .. }) => return assert!(!is_ours),
        // A truncated header may be the start of a different one.
        Err(TrainingDataError::WrongFormat) => {
            return assert!(content.len() < HEADER_RECORDS * RECORD_SIZE);
        }
        Err(error) => panic!("{error}"),
    }
    let whole = fs::read(&path).expect("an existing file");
    assert!(
        whole.starts_with(&head())
            && (whole.len() - HEADER_RECORDS * RECORD_SIZE).is_multiple_of(RECORD_SIZE)
    );
    assert!(content.starts_with(&whole) || content.len() < HEADER_RECORDS * RECORD_SIZE);
    let again = TrainingFile::read(&path).expect("still readable").expect("a complete header");
    assert_eq!(again.count_games_and_positions(0..u64::MAX), counted);
    let mut copy =
        TrainingFile::open(&scratch_file("copy"), SETTINGS).expect("a writable temporary folder");
    copy.add_all(&mut [again]).expect("a file is consistent with itself");
    assert_eq!(copy.count_games_and_positions(0..u64::MAX), counted);
    drop(copy);
    fs::remove_file(scratch_file("copy")).expect("an existing file");
});

const SETTINGS: &str = "seed 0 nodes 1";

fn head() -> Vec<u8> {
    let mut head = format!("zermelo-samples 2 {SETTINGS}").into_bytes();
    head.resize(HEADER_RECORDS * RECORD_SIZE, b' ');
    head
}

/// Fills in the sample count and the checksum in each seal.
fn with_seals(records: &[u8]) -> Vec<u8> {
    let (mut file, mut game) = (Vec::new(), 0);
    for record in records.chunks(RECORD_SIZE) {
        let start = file.len();
        file.extend(record);
        if record.len() == RECORD_SIZE && record.starts_with(&[255, 255]) {
            let count = ((start - game) / RECORD_SIZE) as u16;
            file[start + 2..start + 4].copy_from_slice(&count.to_le_bytes());
            let sum = u64::from(crc32fast::hash(&file[game..start + 12]));
            file[start + 12..start + 20].copy_from_slice(&sum.to_le_bytes());
            game = file.len();
        }
    }
    file
}
