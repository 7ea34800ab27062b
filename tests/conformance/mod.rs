//! Every game passes the conformance kit, also in positions read from damaged FENs. `faults` proves that the
//! kit finds what it promises to find.

mod faults;

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use zermelo::games::{Nim, PongHauKi, TixTax};
use zermelo::rules::{
    Game, GameDrawing, GameEncoding, GameNotation, Move, Outcome, Record, SplitMix, perft,
};
use zermelo::thinking::registry::games;
use zermelo::{conformance, for_each_game};

macro_rules! conformance {
    (() $($name:ident: $game:ty,)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(conformance::check::<$game>(), Ok(()));
                check_details::<$game>();
            }
        )*

        proptest! {
            #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn garbled_fens_are_refused_or_sound(seed: u64, index: usize) {
                $(check_garbled_fen::<$game>(seed, index);)*
            }

            #[test]
            fn no_text_is_a_fen_or_a_move_by_accident(text in "\\PC{0,40}") {
                $(check_arbitrary_text::<$game>(&text);)*
                prop_assert!(TixTax::start().parse_move(&text).is_err() || text.len() == 2);
            }
        }

        #[test]
        fn every_registered_game_is_tested() {
            let tested = [$(<$game>::ID),*];
            assert!(games().iter().map(|spec| spec.id).eq(tested));
        }
    };
}

for_each_game!(conformance);

#[test]
fn ids_and_aliases_are_unique() {
    let names = games().iter().flat_map(|game| [game.id].into_iter().chain(game.aliases.to_vec()));
    let mut names: Vec<String> = names.map(str::to_ascii_lowercase).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

fn random_game<G: Game>(random: &mut SplitMix) -> Vec<G> {
    let mut positions = vec![G::random_start(random)];
    while positions.len() <= 120 {
        let pos = positions[positions.len() - 1];
        if pos.outcome().is_some() {
            break;
        }
        positions.push(pos.after(pos.random_move(random)));
    }
    positions
}

/// The board shows as many of each piece as the FEN names, and counting by move on several threads gives the
/// perft of the position after each move.
fn check_details<G: GameDrawing>() {
    let mut random = SplitMix::new(7);
    for pos in (0..8).flat_map(|_| random_game::<G>(&mut random)) {
        let layout = G::layout().unwrap();
        let contents = pos.spot_contents();
        let places = layout.spots.iter().zip(&contents).filter(|(spot, _)| !spot.is_area);
        let mut seen: Vec<char> = places.map(|(_, content)| content.mark).collect();
        let mut named: Vec<char> = pos.to_string().split(' ').next().unwrap().chars().collect();
        for letters in [&mut named, &mut seen] {
            letters.retain(char::is_ascii_lowercase);
            letters.sort_unstable();
        }
        assert_eq!(seen, named, "{pos}");
        for depth in 1..=2 {
            let counts = perft::divide(&pos, depth, 2, &AtomicBool::new(false)).unwrap();
            let moves = pos.legal_moves().into_iter();
            let expected: Vec<_> = moves.map(|mv| (mv, perft(&pos.after(mv), depth - 1))).collect();
            assert_eq!(counts, expected, "{pos}: {depth}");
        }
    }
}

/// The moves change one heap each, to any smaller size.
#[test]
fn nim_is_the_sum_of_its_heaps() {
    let mut random = SplitMix::new(1);
    for pos in (0..20).flat_map(|_| random_game::<Nim>(&mut random)) {
        let heaps: Vec<u8> = pos.heaps().collect();
        let mut expected: Vec<Vec<u8>> = Vec::new();
        for (index, size) in heaps.iter().enumerate() {
            for option in 0..*size {
                let mut after = heaps.clone();
                after[index] = option;
                expected.push(after);
            }
        }
        let after = |mv| pos.after(mv).heaps().collect();
        let mut found: Vec<Vec<u8>> = pos.legal_moves().into_iter().map(after).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{pos}");
        if found.is_empty() {
            assert_eq!(pos.outcome(), Some(Outcome::Win(!pos.side())), "{pos}");
        }
    }
}

/// Changes one to two characters of a valid FEN, as a careless client would.
fn garbled(fen: &str, random: &mut SplitMix) -> String {
    let mut letters: Vec<char> = fen.chars().collect();
    for _ in 0..=random.below(2) {
        let at = random.below(letters.len());
        let other = ['x', 'o', 'b', 'r', '1', '9', '/', ' ', '-', 'é', '\0', '0'][random.below(12)];
        match random.below(3) {
            0 => letters[at] = other,
            1 => letters.insert(at, other),
            _ => drop(letters.remove(at)),
        }
    }
    letters.into_iter().collect()
}

/// A garbled FEN is refused, or the position that is read behaves like any other.
fn check_garbled_fen<G: GameNotation + GameEncoding>(seed: u64, index: usize) {
    let mut random = SplitMix::new(seed);
    let positions = random_game::<G>(&mut random);
    let text = garbled(&positions[index % positions.len()].to_string(), &mut random);
    if let Ok(pos) = text.parse::<G>() {
        assert_eq!(conformance::check_position(&pos), Ok(()), "{text}");
    }
}

/// Arbitrary text is never a FEN. If it happens to be a move, it is one that can be written.
fn check_arbitrary_text<G: GameNotation>(text: &str) {
    assert!(text.parse::<G>().is_err(), "{text}");
    let start = G::start();
    if let Ok(mv) = start.parse_move(text) {
        assert!(mv.code() < G::MOVE_CODES, "{text}");
        assert_eq!(start.parse_move(&mv.to_string()), Ok(mv), "{text}");
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    // Always playing the first legal move leads around in a circle.
    let mut record = Record::new(PongHauKi::start());
    while record.outcome().is_none() {
        let mv = record.legal_moves()[0];
        record.push(mv).unwrap();
        assert!(record.moves().len() < 200, "the repetition was not detected");
    }
    assert_eq!(record.position().outcome(), None, "the position itself is not finished");
    assert_eq!(record.outcome(), Some(Outcome::Draw));
    assert!(record.legal_moves().is_empty());
    let mv = record.position().legal_moves()[0];
    assert!(record.push(mv).is_err());
    let last = record.keys().last();
    assert_eq!(record.keys().iter().filter(|key| Some(*key) == last).count(), 3);
}
