//! Weight files: any bytes are accepted or refused, and a network with accepted weights can evaluate.
//!
//! The first byte selects the format: a whole file, or patches of the embedded one, five bytes each, usually
//! with a valid checksum. Patching copies millions of bytes and is slow, so few inputs build a network.
#![no_main]

use std::sync::LazyLock;

use zermelo::eval::{EvalFile, Net};
use zermelo::games::TixTax;
use zermelo::rules::{Game, SplitMix};
use zermelo::search::Evaluator;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    match form {
        0..240 => drop(EvalFile::parse(rest)),
        240..248 => drop(read(&patched(rest))),
        248..254 => drop(read(&with_checksum(patched(rest)))),
        _ => drop(
            read(&with_checksum(patched(rest)))
                .map(|file| check_evaluations(Net::new(&file).unwrap())),
        ),
    }
});

static EMBEDDED: &[u8] = include_bytes!("../../../data/weights/tixtax.eval");

static POSITIONS: LazyLock<Vec<TixTax>> = LazyLock::new(|| {
    let mut random = SplitMix::new(1);
    let next = |pos: &TixTax| {
        let next = pos.after(pos.random_move(&mut random));
        next.outcome().is_none().then_some(next)
    };
    std::iter::successors(Some(TixTax::start()), next).collect()
});

fn patched(patches: &[u8]) -> Vec<u8> {
    let mut file = EMBEDDED.to_vec();
    for [low, middle, high, value, next] in patches.as_chunks::<5>().0 {
        let at = usize::from(*high) << 16 | usize::from(*middle) << 8 | usize::from(*low);
        // With the top bit set, patch the header, where few values are valid.
        let at = if high & 128 == 0 { at } else { at & 4095 };
        match file.get_mut(at..at + 2) {
            Some(bytes) => bytes.copy_from_slice(&[*value, *next]),
            None => file.truncate(at % EMBEDDED.len()),
        }
    }
    file
}

fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let end = file.len().saturating_sub(4);
    let sum = crc32fast::hash(&file[..end]).to_le_bytes();
    file.truncate(end);
    file.extend(sum);
    file
}

fn read(bytes: &[u8]) -> Option<EvalFile> {
    let file = EvalFile::parse(bytes).ok()?;
    let (content, sum) = bytes.split_at(bytes.len() - 4);
    assert_eq!(crc32fast::hash(content).to_le_bytes(), sum);
    Some(file)
}

fn check_evaluations(mut net: Net) {
    for pos in POSITIONS.iter() {
        net.reset(pos);
        let (points, draws) = net.evaluate_with_draw_share(pos);
        assert!((-30_000..=30_000).contains(&points), "{pos}: {points}");
        assert!(draws.is_some_and(|draws| (0.0..=1.0).contains(&draws)), "{pos}: {draws:?}");
    }
    let middle = &POSITIONS[POSITIONS.len() / 2];
    let mut values = (0..TixTax::SYMMETRIES).map(|symmetry| {
        let image = middle.image(symmetry);
        net.reset(&image);
        net.evaluate(&image)
    });
    let first = values.next();
    assert!(values.all(|value| Some(value) == first), "{middle}");
}
