//! One kit of property tests for every game: a game that passes it works with every searcher,
//! solver and command.

mod drawing;
mod hooks;
mod keys;
mod kit;
mod notation;

use proptest::prelude::*;
use zermelo::for_each_game;
use zermelo::games::{Nim, PongHauKi, TixTax};
use zermelo::rules::{Game, GameEncoding, GameNotation, Move, Outcome, Record, SplitMix};
use zermelo::thinking::registry::games;

macro_rules! conformance {
    (() $($name:ident: $game:ty,)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

            $(
                #[test]
                fn $name(seed: u64, index: usize) {
                    kit::check_game::<$game>(seed, index);
                }
            )*
        }

        proptest! {
            #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

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
            assert!(games().iter().map(|entry| entry.id).eq(tested));
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

#[test]
fn every_layout_is_sound() {
    let layouts = games().iter().filter_map(|game| game.open().layout());
    assert!(layouts.map(|layout| drawing::layout_is_sound(&layout)).count() > 0);
}

#[test]
fn nim_is_the_sum_of_its_heaps() {
    let mut random = SplitMix::new(1);
    for _ in 0..200 {
        let index = random.below(100);
        let positions = kit::random_game::<Nim>(random.bits());
        hooks::heaps_describe_the_moves(&positions[index % positions.len()]);
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
    let positions = kit::random_game::<G>(seed);
    let mut random = SplitMix::new(seed);
    let text = garbled(&positions[index % positions.len()].to_string(), &mut random);
    if let Ok(pos) = text.parse::<G>() {
        notation::fen_round_trips(&pos);
        notation::all_notations_round_trip(&pos);
        hooks::finished_games_have_no_moves(&pos);
        hooks::promises_hold(&pos, &mut random);
        for mv in pos.legal_moves() {
            hooks::finished_games_have_no_moves(&pos.after(mv));
        }
    }
}

/// Arbitrary text is never a FEN. If it happens to be a move, it is one that can be written.
fn check_arbitrary_text<G: GameNotation + GameEncoding>(text: &str) {
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
