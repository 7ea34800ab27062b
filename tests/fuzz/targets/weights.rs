//! Weights of the evaluation: any bytes are taken or refused, and a net of those that are taken can be
//! asked.
//!
//! The first byte says how the rest is meant: as the file, or as changes of the embedded one, five
//! bytes each, with a check sum that fits in most cases. A file has millions of bytes, so that is slow,
//! and a net is made of few.
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
        240..248 => drop(read(&changed(rest))),
        248..254 => drop(read(&with_sum(changed(rest)))),
        _ => drop(read(&with_sum(changed(rest))).map(|file| judge(Net::new(&file).unwrap()))),
    }
});

static EMBEDDED: &[u8] = include_bytes!("../../../src/eval/tixtax.eval");

/// Positions from the start to the end of a game.
static POSITIONS: LazyLock<Vec<TixTax>> = LazyLock::new(|| {
    let mut random = SplitMix::new(1);
    let next = |pos: &TixTax| {
        let next = pos.after(pos.random_move(&mut random));
        next.outcome().is_none().then_some(next)
    };
    std::iter::successors(Some(TixTax::start()), next).collect()
});

fn changed(changes: &[u8]) -> Vec<u8> {
    let mut file = EMBEDDED.to_vec();
    for [low, middle, high, value, next] in changes.as_chunks::<5>().0 {
        let at = usize::from(*high) << 16 | usize::from(*middle) << 8 | usize::from(*low);
        // The first numbers are those of which few are right.
        let at = if high & 128 == 0 { at } else { at & 4095 };
        match file.get_mut(at..at + 2) {
            Some(bytes) => bytes.copy_from_slice(&[*value, *next]),
            None => file.truncate(at % EMBEDDED.len()),
        }
    }
    file
}

fn with_sum(mut file: Vec<u8>) -> Vec<u8> {
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

fn judge(mut net: Net) {
    for pos in POSITIONS.iter() {
        net.reset(pos);
        let (points, draws) = net.evaluate_with_draw_share(pos);
        assert!((-30_000..=30_000).contains(&points), "{pos}: {points}");
        assert!(draws.is_some_and(|draws| (0.0..=1.0).contains(&draws)), "{pos}: {draws:?}");
    }
    let middle = &POSITIONS[POSITIONS.len() / 2];
    let mut worths = (0..TixTax::SYMMETRIES).map(|symmetry| {
        let image = middle.image(symmetry);
        net.reset(&image);
        net.evaluate(&image)
    });
    let first = worths.next();
    assert!(worths.all(|worth| Some(worth) == first), "{middle}");
}
