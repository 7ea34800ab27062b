//! Game records: text and JSON round-trip with any content.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use zermelo::records::GameReader;
use zermelo::records::{EngineScore, GameRecord, MoveRecord, SearchInfo, Seconds, Termination};
use zermelo::records::{Glyph, ValueKeepingMoves};
use zermelo::rules::{ExactValue, Outcome, Side};
use zermelo::search::Score;
use zermelo::statistics::{EloModel, Sprt};

fn seconds() -> impl Strategy<Value = Seconds> {
    (0u64..100_000_000).prop_map(|micros| std::time::Duration::from_micros(micros).into())
}

fn move_value() -> impl Strategy<Value = Score> {
    prop_oneof![
        Just(Score::Exact(ExactValue::Draw)),
        any::<u16>().prop_map(|plies| Score::Exact(ExactValue::Win(plies))),
        any::<u16>().prop_map(|plies| Score::Exact(ExactValue::Loss(plies))),
        any::<i32>().prop_map(Score::Estimate),
    ]
}

fn search_info() -> impl Strategy<Value = SearchInfo> {
    let score = prop_oneof![
        any::<i32>().prop_map(EngineScore::Cp),
        any::<i32>().prop_map(EngineScore::Mate),
    ];
    (option::of(score), option::of(any::<u32>()), option::of(any::<u64>()))
        .prop_map(|(score, depth, nodes)| SearchInfo { score, depth, nodes })
}

/// What a review adds to a move.
fn annotation() -> impl Strategy<Value = MoveRecord> {
    let line = vec("[a-i][1-9]([a-i][1-9])?|P@[a-c][1-3]|[1-9][0-9]?", 0..9);
    let keep = option::of((0usize..99, 0usize..99, any::<bool>()));
    let mark = option::of(prop::sample::select(&Glyph::ALL[..]));
    (move_value(), move_value(), line, keep, mark).prop_map(
        |(value, best, best_line, keep, mark)| {
            let keep =
                keep.map(|(count, legal, is_proven)| ValueKeepingMoves { count, legal, is_proven });
            let (value, best) = (Some(value), Some(best));
            MoveRecord { value, best, best_line, keep, mark, ..MoveRecord::default() }
        },
    )
}

fn moves() -> impl Strategy<Value = Vec<MoveRecord>> {
    let mv = (
        "[a-i][1-9]([a-i][1-9])?|P@[a-c][1-3]|[1-9]\\.[1-9]|%[a-c]",
        search_info(),
        seconds(),
        option::of(seconds()),
        option::of(annotation()),
    );
    let record = mv.prop_map(|(mv, info, time, over, annotation)| MoveRecord {
        mv,
        info,
        time,
        over,
        ..annotation.unwrap_or_default()
    });
    vec(record, 0..20)
}

fn game() -> impl Strategy<Value = GameRecord> {
    let result = prop_oneof![
        Just(None),
        Just(Some(Outcome::Draw)),
        Just(Some(Outcome::Win(Side::P1))),
        Just(Some(Outcome::Win(Side::P2))),
    ];
    // Names and messages of engines are arbitrary.
    let text = "(?s:.){0,30}";
    let head = (any::<u32>(), any::<u32>(), any::<u32>(), 0u64..4_000_000_000, text, text);
    let tail = (
        prop::sample::select(&Termination::ALL[..]),
        text,
        vec(text, 0..3),
        option::of("(?s:.){0,30}"),
        vec(("[A-Za-z]{0,8}", text), 0..2),
        any::<[Option<i64>; 2]>(),
    );
    (head, moves(), result, tail).prop_map(|(head, moves, result, tail)| {
        let (number, round, pair, started, first, second) = head;
        let (termination, reason, broken_claims, stderr, tags, seeds) = tail;
        GameRecord {
            number,
            round,
            pair,
            game: "tixtax".to_owned(),
            players: [first, second],
            fen: "9/9/9/9/9/9/9/9/9 x 1 -".to_owned(),
            second_begins: number % 2 == 1,
            moves,
            result,
            termination,
            reason,
            limits: ["tc=10+0.1".to_owned(), "nodes=5".to_owned()],
            seeds,
            started,
            broken_claims,
            stderr,
            tags: tags.into_iter().map(|(name, content)| (format!("My{name}"), content)).collect(),
        }
    })
}

proptest! {
    #[test]
    fn records_round_trip(games in vec(game(), 0..4)) {
        let text: String = games.iter().map(GameRecord::to_pgn).collect();
        let read: Vec<GameRecord> = GameReader::new(text.as_bytes()).map(Result::unwrap).collect();
        prop_assert_eq!(&read, &games);
        for game in games {
            let json = serde_json::to_string(&game).unwrap();
            prop_assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), game);
        }
    }

    /// A truncated record yields its complete games and the position of their end.
    #[test]
    fn truncated_record_keeps_complete_games(games in vec(game(), 1..4), share in 0.0..1.0f64) {
        let texts: Vec<String> = games.iter().map(GameRecord::to_pgn).collect();
        let text = format!("% about the tournament\n{}", texts.concat());
        let cut = (text.len() as f64 * share) as usize;
        let mut reader = GameReader::new(&text.as_bytes()[..cut]);
        let mut read = Vec::new();
        while let Some(game) = reader.next_game().unwrap() {
            read.push(game);
        }
        prop_assert_eq!(&read[..], &games[..read.len()]);
        let complete = reader.complete_bytes() as usize;
        prop_assert!(complete <= cut);
        prop_assert!(read.len() == games.len() || cut < complete + texts[read.len()].len() + 25);
    }

    #[test]
    fn reader_accepts_any_text_without_panic(text in "(\\PC|\n|\\[|\\]|\"|\\{|\\}){0,200}") {
        for game in GameReader::new(text.as_bytes()) {
            drop(game);
        }
    }
}

/// Otherwise a resumed match would not recognize its own settings.
#[test]
fn settings_round_trip_without_rounding() {
    let sprt = Sprt::new(EloModel::Normalized, 3.6282583605659156, 53.495432557387815, 0.05, 0.05);
    let sprt = sprt.unwrap();
    let json = serde_json::to_string(&sprt).unwrap();
    assert_eq!(serde_json::from_str::<Sprt>(&json).unwrap(), sprt, "{json}");
}

fn error_of(text: &str) -> String {
    GameReader::new(text.as_bytes()).find_map(Result::err).unwrap().to_string()
}

#[test]
fn errors_name_the_line_and_the_text() {
    let game = "[Game \"nim\"]\n[Result \"1-0\"]\n\n1. c1c4 {0.1s} 1-0\n\n";
    assert_eq!(GameReader::new(game.as_bytes()).map(Result::unwrap).count(), 1);
    let wrong = |from: &str, to: &str| error_of(&format!("{game}{}", game.replace(from, to)));
    assert_eq!(
        wrong("\"1-0\"", "\"0-1\""),
        "line 6: \"0-1\" in tag Result, expected 1-0 as after the moves"
    );
    assert_eq!(
        wrong("[Result \"", "[Result"),
        "line 7: found \"[Result1-0\\\"]\", expected a tag such as [Result \"1-0\"]"
    );
    assert_eq!(wrong("Game", "Event"), "line 6: no tag Game, expected [Game \"…\"]");
    let termination = wrong("[Result", "[Termination \"bored\"]\n[Result");
    assert!(termination.contains("\"bored\" in tag Termination, expected one of: normal illegal"));
    assert_eq!(
        wrong("} 1-0", "} 1-0 c8c7"),
        "line 9: found \"c8c7\", expected nothing after the result"
    );
    assert_eq!(
        wrong("} 1-0", "}"),
        "line 9: found nothing, expected a move with its comment, or the result"
    );
    // A result with a mark is not a move either: without the mark it would end the game.
    let marked = error_of("[Game \"ugi\"]\n\n1. a *! {0.1s} *\n\n");
    assert_eq!(marked, "line 3: found \"*!\", expected a move with its comment, or the result");
    // Neither is a glyph without its move: behind another move it would be a glyph of that one.
    let glyph = error_of("[Game \"ugi\"]\n\n1. a 2.$1b *\n\n");
    assert_eq!(glyph, "line 3: found \"2.$1b\", expected a move with its comment, or the result");
}

#[test]
fn marks_are_written_as_glyphs() {
    let mut game = GameReader::new("[Game \"nim\"]\n\n1. c1c4 {+1.00/3 0.1s} *\n\n".as_bytes())
        .next_game()
        .unwrap()
        .unwrap();
    assert!(!game.to_pgn().contains('$'));
    game.moves[0].value = Some(Score::Exact(ExactValue::Loss(4)));
    game.moves[0].best = Some(Score::Exact(ExactValue::Win(3)));
    game.moves[0].mark = Some(Glyph::Blunder);
    let line = "1. c1c4 $4 {+1.00/3 0.1000s, worth loss 4, best win 3} *\n";
    assert!(game.to_pgn().ends_with(&format!("\n\n{line}\n")), "{}", game.to_pgn());
}

/// Glyphs and variations of other programs, nested and commented, are skipped.
#[test]
fn foreign_variations_are_skipped() {
    let text = "[Game \"tictactoe\"]\n\n1. a3 $1 $14 {good} (1. b2 {better (really)} (1. c1!? b2) a1) \
        1... b2?? (1...c3 $6 2. a1) {late} 2. c3 *\n\n";
    let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
    let names: Vec<&str> = game.moves.iter().map(|mv| mv.mv.as_str()).collect();
    assert_eq!(names, ["a3", "b2", "c3"]);
    assert_eq!(game.moves[0].mark, Some(Glyph::OnlyMove));
    assert!(game.moves.iter().all(|mv| mv.best_line.is_empty()));
}

#[test]
fn best_lines_are_written_as_variations() {
    let line = |moves: &str| moves.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let text = "[Game \"tictactoe\"]\n\n1. a3 {0.1s} b3 $4 {0.1s, worth loss 6, best draw, keep 1/8}\n\
        (1... b2 2. c1 b1) 2. c2 {0.1s} *\n\n";
    let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
    let annotated = &game.moves[1];
    assert_eq!(annotated.best_line, line("b2 c1 b1"));
    assert_eq!(annotated.mark, Some(Glyph::Blunder));
    assert_eq!(annotated.keep, Some(ValueKeepingMoves { count: 1, legal: 8, is_proven: true }));
    let written = game.to_pgn().replace('\n', " ");
    let expected = "b3 $4 {0.1000s, worth loss 6, best draw, keep 1/8} (1... b2 2. c1 b1) 2. c2";
    assert!(written.contains(expected), "{written}");
}
