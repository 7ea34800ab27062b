//! One kit of properties for every game: a game that passes it fits every searcher and protocol
//! command there is. Positions come from random games, moves and symmetries from the game itself.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxOpen};
use zermelo::rules::drawing::{BoardLayout, Label, SpotContent};
use zermelo::rules::{Game, Move, Notation, Outcome, Record, SplitMix, perft};

/// A record of a random game, up to `plies` long.
fn random_record<G: Game>(seed: u64, plies: usize) -> Record<G> {
    let mut random = SplitMix::new(seed);
    let mut record = Record::new(G::random_start(&mut random));
    for _ in 0..plies {
        let moves = record.legal_moves();
        if moves.is_empty() {
            break;
        }
        record.push(moves[random.below(moves.len())]).unwrap();
    }
    record
}

fn generated_moves_are_the_accepted_ones<G: Game>(pos: &G) {
    let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
    let distinct: HashSet<_> = moves.iter().collect();
    assert_eq!(distinct.len(), moves.len(), "{pos}: a move is listed twice");
    assert_eq!(pos.move_count(), moves.len(), "{pos}");
    let codes: HashSet<usize> = moves.iter().map(|mv| mv.code()).collect();
    assert_eq!(codes.len(), moves.len(), "{pos}: two moves have one code");
    // Every name that two squares can make is tried, not only those that are generated.
    let squares: Vec<String> =
        ('a'..='i').flat_map(|file| (1..=9).map(move |rank| format!("{file}{rank}"))).collect();
    let pairs = squares.iter().flat_map(|from| squares.iter().map(move |to| format!("{from}{to}")));
    for name in squares.iter().cloned().chain(pairs) {
        let Ok(mv) = pos.parse_move(&name) else { continue };
        assert_eq!(pos.is_legal(mv), moves.contains(&mv), "{pos}: {name}");
        let mut next = *pos;
        assert_eq!(next.play(mv).is_ok(), moves.contains(&mv), "{pos}: {name}");
        if !moves.contains(&mv) {
            assert_eq!(next, *pos, "a refused move changed the position");
        }
    }
    for mv in moves {
        assert!(mv.code() < G::MOVE_CODES);
        assert_eq!(pos.parse_move(&mv.to_string()), Ok(mv), "{pos}");
        assert_eq!(pos.parse_typed_move(&mv.to_string().to_uppercase()), Ok(mv), "{pos}");
        assert_eq!(pos.reply_count(mv), pos.after(mv).legal_moves().len(), "{pos} {mv}");
    }
}

fn round_trips<G: Game>(pos: &G) {
    let fen = pos.to_string();
    let read: G = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(read, *pos);
    assert_eq!(read.to_string(), fen, "one form is written");
    assert_eq!(read.key(), pos.key(), "{fen}: the key kept up is not the key counted");
    assert_eq!(read.outcome(), pos.outcome(), "{fen}");
    assert_eq!(read.max_plies_left(), pos.max_plies_left(), "{fen}");
    assert!(!pos.diagram().is_empty());
}

/// Whatever a game writes it reads back: positions as equal ones, moves as the same. A game that does
/// not write its start in a notation writes nothing in it.
fn notations_round_trip<G: Game>(pos: &G) {
    assert_eq!(pos.write_as(Notation::Own), Some(pos.to_string()));
    for notation in Notation::ALL {
        let has_it = G::start().write_as(notation).is_some();
        let text = pos.write_as(notation);
        assert!(has_it || text.is_none(), "{pos} in {notation}");
        if let Some(text) = text {
            let read: G = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read, *pos, "{text}");
            assert_eq!(read.write_as(notation), Some(text), "one form is written");
        }
        for mv in pos.legal_moves() {
            let text = G::write_move_as(mv, notation);
            assert_eq!(text.is_some(), has_it, "{mv} in {notation}");
            if let Some(text) = text {
                assert_eq!(pos.parse_move(&text), Ok(mv), "{text}");
            }
        }
    }
}

fn finished_games_have_no_moves<G: Game>(pos: &G) {
    assert_eq!(pos.outcome().is_some(), pos.legal_moves().is_empty(), "{pos}");
    if let Some(Outcome::Win(side)) = pos.outcome() {
        assert!(pos.can_still_win(side), "{pos}");
    }
}

/// A position without an image of its own (the first move of Pong Hau K'i) is its own image, and
/// then its moves are too.
fn symmetries_keep_the_game<G: Game>(pos: &G) {
    assert_eq!(pos.image(0), *pos);
    for symmetry in 0..G::SYMMETRIES {
        let image = pos.image(symmetry);
        assert_eq!(pos.image_key(symmetry), image.key(), "{pos}");
        assert_eq!(image.outcome(), pos.outcome(), "{pos}");
        assert_eq!(perft(&image, 2), perft(pos, 2), "{pos}");
        for mv in pos.legal_moves() {
            let turned = image.after(pos.move_image(mv, symmetry));
            let child = pos.after(mv);
            assert!(turned == child.image(symmetry) || turned == child, "{pos} {mv}");
        }
    }
}

/// Along a whole game: the bound of the plies left falls with every move and is never too low, and
/// who wins in the end could win all along.
fn promises_are_kept_to_the_end<G: Game>(record: &Record<G>) {
    let mut pos = *record.first();
    let mut passed = vec![pos];
    for mv in record.moves() {
        let next = pos.after(*mv);
        if let (Some(before), Some(after)) = (pos.max_plies_left(), next.max_plies_left()) {
            assert!(after < before, "{pos} {mv}");
        }
        assert_eq!(next.side(), !pos.side(), "{pos} {mv}: the sides take turns");
        pos = next;
        passed.push(pos);
    }
    for (played, early) in passed.iter().enumerate() {
        let left = (record.moves().len() - played) as u32;
        assert!(early.max_plies_left().is_none_or(|bound| bound >= left), "{early}");
        if let Some(Outcome::Win(side)) = pos.outcome() {
            assert!(early.can_still_win(side), "{early}");
        }
    }
}

/// What is counted move by move, on several threads, is what is counted at once behind each.
fn divided_counts_are_those_of_the_moves<G: Game>(pos: &G) {
    for depth in 1..=3 {
        let counts = perft::divide(pos, depth, 2, &AtomicBool::new(false)).unwrap();
        let moves = pos.legal_moves().into_iter();
        let expected: Vec<_> = moves.map(|mv| (mv, perft(&pos.after(mv), depth - 1))).collect();
        assert_eq!(counts, expected, "{pos}: {depth}");
    }
}

/// A move has the same code wherever it is played, and no other move has it.
fn codes_tell_moves_apart<G: Game>(record: &Record<G>) {
    let mut known = HashMap::new();
    let mut pos = *record.first();
    for mv in record.moves() {
        for listed in pos.legal_moves() {
            assert_eq!(*known.entry(listed.code()).or_insert(listed), listed, "one code for both");
        }
        pos = pos.after(*mv);
    }
}

/// All positions of a game, and all that can follow one of them: each has a key of its own, and what follows one move
/// is not taken for what follows another.
fn keys_tell_positions_apart<G: Game>(record: &Record<G>) {
    let mut known = HashMap::new();
    let mut pos = *record.first();
    for mv in record.moves().iter().map(Some).chain([None]) {
        let next: Vec<G> = pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect();
        for pos in next.iter().chain([&pos]) {
            let other = *known.entry(pos.key()).or_insert(*pos);
            assert_eq!(other, *pos, "one key for both");
        }
        let repeated: HashSet<u64> = next.iter().map(Game::repetition_key).collect();
        assert_eq!(repeated.len(), next.len(), "{pos}");
        if let Some(mv) = mv {
            pos = pos.after(*mv);
        }
    }
}

/// A picture shows all there is to see of the board, on spots that are on it.
fn pictures_show_the_board<G: Game>(pos: &G) {
    let shown = pos.spot_contents();
    let Some(layout) = G::layout() else {
        assert!(shown.is_empty(), "{pos}");
        return;
    };
    assert_eq!(shown.len(), layout.spots.len(), "{pos}");
    for (spot, SpotContent { mark, .. }) in layout.spots.iter().zip(&shown) {
        let known = layout.pieces.iter().any(|piece| piece.letter == *mark);
        assert!(
            known || [SpotContent::EMPTY, SpotContent::CLOSED].contains(mark),
            "{pos}: {}",
            spot.name
        );
    }
    let places = |shown: &[SpotContent]| -> Vec<char> {
        let both = layout.spots.iter().zip(shown);
        both.filter(|(spot, _)| !spot.is_area).map(|(_, shown)| shown.mark).collect()
    };
    // As many of each piece as the FEN names.
    let fen = pos.to_string();
    let mut named: Vec<char> = fen.split(' ').next().unwrap().chars().collect();
    let mut seen = places(&shown);
    for letters in [&mut named, &mut seen] {
        letters.retain(char::is_ascii_lowercase);
        letters.sort_unstable();
    }
    assert_eq!(seen, named, "{pos}");
    for mv in pos.legal_moves() {
        let next = pos.after(mv);
        assert_ne!(places(&next.spot_contents()), places(&shown), "{pos}: {mv} is not seen");
    }
}

fn layouts_are_sound(layout: &BoardLayout) {
    let inside = |x: f32, y: f32, away: f32| {
        (-away..=layout.width + away).contains(&x) && (-away..=layout.height + away).contains(&y)
    };
    for spot in &layout.spots {
        assert!(inside(spot.x, spot.y, -spot.size / 2.0), "{spot:?}");
    }
    for stroke in &layout.strokes {
        assert!([stroke.from, stroke.to].into_iter().all(|[x, y]| inside(x, y, 0.0)), "{stroke:?}");
    }
    for Label { x, y, text } in &layout.labels {
        assert!(inside(*x, *y, 1.0) && !inside(*x, *y, 0.0), "{text} stands beside the board");
    }
    let places: Vec<_> = layout.spots.iter().filter(|spot| !spot.is_area).collect();
    for (number, one) in places.iter().enumerate() {
        for other in &places[..number] {
            let apart = (one.x - other.x).abs().max((one.y - other.y).abs());
            assert!(apart >= (one.size + other.size) / 2.0, "{} and {}", one.name, other.name);
            assert_ne!(one.name, other.name);
        }
    }
    let letters: HashSet<char> = layout.pieces.iter().map(|piece| piece.letter).collect();
    assert_eq!(letters.len(), layout.pieces.len());
    assert!(letters.iter().all(char::is_ascii_lowercase), "upper case is for lit spots");
}

#[test]
fn every_layout_is_sound() {
    let layouts = zermelo::engine::registry::GAMES.iter().filter_map(|game| game.open().layout());
    assert!(layouts.map(|layout| layouts_are_sound(&layout)).count() > 0);
}

macro_rules! conformance {
    ($($name:ident: $game:ty,)*) => {$(
        proptest! {
            #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn $name(seed: u64, plies in 0..90_usize) {
                let record = random_record::<$game>(seed, plies);
                let pos = record.position();
                generated_moves_are_the_accepted_ones(pos);
                round_trips(pos);
                notations_round_trip(pos);
                finished_games_have_no_moves(pos);
                symmetries_keep_the_game(pos);
                divided_counts_are_those_of_the_moves(pos);
                pictures_show_the_board(pos);
                promises_are_kept_to_the_end(&record);
                keys_tell_positions_apart(&record);
                codes_tell_moves_apart(&record);
            }
        }
    )*

        /// Every game of the registry has to pass the kit.
        #[test]
        fn no_registered_game_is_left_out() {
            let tested = [$(<$game>::ID,)*];
            for entry in zermelo::engine::registry::GAMES {
                assert!(tested.contains(&entry.id), "{}", entry.id);
            }
        }
    };
}

conformance! {
    tixtax: TixTax,
    tixtax_open: TixTaxOpen,
    tictactoe: TicTacToe,
    ponghauki: PongHauKi,
    nim: Nim,
}

/// Changes one or two characters of a good FEN, as a careless client would.
fn garbled(fen: &str, seed: u64) -> String {
    let mut random = SplitMix::new(seed);
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

/// Whatever is read from a garbled FEN is a position that behaves like one.
fn garbled_fens_are_refused_or_sound<G: Game>(seed: u64, plies: usize) {
    let record = random_record::<G>(seed, plies);
    let text = garbled(&record.position().to_string(), seed);
    if let Ok(pos) = text.parse::<G>() {
        round_trips(&pos);
        notations_round_trip(&pos);
        finished_games_have_no_moves(&pos);
        for mv in pos.legal_moves() {
            finished_games_have_no_moves(&pos.after(mv));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_fen_breaks_the_rules(seed: u64, plies in 0..60_usize) {
        garbled_fens_are_refused_or_sound::<TixTax>(seed, plies);
        garbled_fens_are_refused_or_sound::<TixTaxOpen>(seed, plies);
        garbled_fens_are_refused_or_sound::<TicTacToe>(seed, plies);
        garbled_fens_are_refused_or_sound::<PongHauKi>(seed, plies);
        garbled_fens_are_refused_or_sound::<Nim>(seed, plies);
    }

    #[test]
    fn no_text_is_a_fen_by_accident(text in "\\PC{0,40}") {
        prop_assert!(text.parse::<TixTax>().is_err());
        prop_assert!(text.parse::<Nim>().is_err());
        prop_assert!(TixTax::start().parse_move(&text).is_err() || text.len() == 2);
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    // Always the first legal move goes round in circles.
    let mut record = Record::new(PongHauKi::start());
    while record.outcome().is_none() {
        let mv = record.legal_moves()[0];
        record.push(mv).unwrap();
        assert!(record.moves().len() < 200, "nobody ended the circle");
    }
    assert_eq!(record.position().outcome(), None, "by its rules alone the game would go on");
    assert_eq!(record.outcome(), Some(Outcome::Draw));
    assert!(record.legal_moves().is_empty());
    let mv = record.position().legal_moves()[0];
    assert!(record.push(mv).is_err());
    let last = record.keys().last();
    assert_eq!(record.keys().iter().filter(|key| Some(*key) == last).count(), 3);
}
