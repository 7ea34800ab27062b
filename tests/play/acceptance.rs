//! What a review says after a badly played game, in every game and language: the decisive mistake,
//! the better move and a reason. `tests/reasons` recomputes the reasons from the rules.

use zermelo::language::Language;
use zermelo::terminal::PlayOptions;
use zermelo::thinking::registry;

use super::script::{Script, lines, two_human_options};

/// A badly played game and its review.
struct BadGame {
    game: &'static str,
    fen: &'static str,
    typed: &'static [&'static str],
    review: [&'static str; 2],
    /// The sentence at the end of the game, if it ends.
    summary: [&'static str; 2],
}

const BAD_GAMES: [BadGame; 7] = [
    BadGame {
        game: "tictactoe",
        fen: "startpos",
        typed: &["1", "2", "4", "3", "7"],
        review: [
            "2  the second player  b3??  draw → loss 6  better: b2 (takes the centre; the only move that does not lose)",
            "2  后手  b3??  和棋 → 必败 6  更好的着法：b2（占据中心；唯一不输的着法）",
        ],
        summary: [
            "The game turned on move 2, the second player's b3: a draw became a loss. The right move \
             was b2 (takes the centre; the only move that does not lose).",
            "转折点是第 2 步，后手的 b3：和棋变成了必败。正确的着法是 b2（占据中心；唯一不输的着法）。",
        ],
    },
    BadGame {
        game: "ponghauki",
        fen: "startpos",
        typed: &["a3b2", "a1a3", "b2a1", "a3b2", "a1a3", "c1a1"],
        review: [
            "5  the first player  a1a3??  draw → loss 2  better: c3a3 (avoids a trap; does not leave both pieces on a3 \
             and c3; the only move that does not lose)",
            "5  先手  a1a3??  和棋 → 必败 2  更好的着法：c3a3（避免被困；不让两子都留在 a3 和 c3；唯一不输的着法）",
        ],
        summary: [
            "The game turned on move 5, the first player's a1a3: a draw became a loss. The right move \
             was c3a3 (avoids a trap; ",
            "转折点是第 5 步，先手的 a1a3：和棋变成了必败。正确的着法是 c3a3（避免被困；",
        ],
    },
    BadGame {
        game: "nim",
        fen: "rr6/8/8/8/8/1b1rrrrr/2rbbbbb/b1b5 b",
        typed: &["a 1", "a 1", "resign"],
        review: [
            "1  the first player  a1a2??  win 9 → loss 10  better: a1a3 (reduces the gap of file a from 6 to 4, which \
             brings the nim-sum from 2 to 0; pairs off with file b; the only winning move)",
            "1  先手  a1a2??  必胜 9 → 必败 10  更好的着法：a1a3（把 a 列的空格从 6 减到 4，使尼姆和从 2 变为 \
             0；与 b 列配成一对；唯一的制胜着法）",
        ],
        summary: [
            "The game turned on move 1, the first player's a1a2: a win became a loss. The right move \
             was a1a3 (reduces the gap of file a from 6 to 4, ",
            "转折点是第 1 步，先手的 a1a2：必胜变成了必败。正确的着法是 a1a3（把 a 列的空格从 6 减到 4，",
        ],
    },
    BadGame {
        game: "tixtax",
        fen: "oo1xoo1xx/o2xxoxoo/o1o2xoxx/x1o1o1xxx/1o3x3/o2oxxo1o/xx3oxo1/xxx1x1xoo/1x1o1o1ox o 26 b2",
        typed: &["d5"],
        review: [
            "1  the second player  d5??  win → draw  better: f6 (wins with the next move, whatever the opponent answers, \
             which no other move does; blocks the opponent on the centre board; threatens to win the \
             game on the centre board)",
            "1  后手  d5??  必胜 → 和棋  更好的着法：f6（无论对方怎么应，下一步都能获胜（只有这步能做到）；阻止对方赢下正中的小棋盘；威胁在正中的小棋盘获胜）",
        ],
        summary: ["", ""],
    },
    BadGame {
        game: "tixtax",
        fen: "1x6o/1x1o1xxxx/1x1ooo1oo/1xo3ooo/8x/1x1ooo3/2x1x1oxx/2xoxo2x/2o1xx1ox o 20 -",
        typed: &["a3", "b2", "resign"],
        review: [
            "1  the second player  a3??  draw → loss  better: ",
            "1  后手  a3??  和棋 → 必败  更好的着法：",
        ],
        summary: [
            "The game turned on move 1, the second player's a3: a draw became a loss. Better was ",
            "转折点是第 1 步，后手的 a3：和棋变成了必败。更好的着法是 ",
        ],
    },
    BadGame {
        game: "tixtax-open",
        fen: "xxoxoxoox/xooxooxxx/xxxxo1ooo/ooxo1oxxx/1oo1xxox1/1o1xxoxox/oxooxxooo/o1oxoox2/ooxxxxxo1 x 36 \
              g5 XXOO.XOXO",
        typed: &["c4"],
        review: [
            "1  the first player  c4??  win → loss  better: a4 (wins with the next move, whatever the opponent answers, \
             which no other move does)",
            "1  先手  c4??  必胜 → 必败  更好的着法：a4（无论对方怎么应，下一步都能获胜（只有这步能做到））",
        ],
        summary: ["", ""],
    },
    BadGame {
        game: "tixtax-count",
        fen: "1o1ooxo1o/x1x1xxoox/xxxooxx1o/x1xoox1xo/oxxox1ooo/1xoxx1o2/oxxoxx1xx/xox1o1oo1/xooooxox1 o 32 b7",
        typed: &["f2", "resign"],
        review: [
            "1  the second player  f2??  win → loss  better: d2 (wins with the next move, whatever the opponent answers, \
             which no other move does; wins the bottom middle board; makes two in a line on the big \
             board (missing: the bottom right board))",
            "1  后手  f2??  必胜 → 必败  更好的着法：d2（无论对方怎么应，下一步都能获胜（只有这步能做到）；\
             赢下中下的小棋盘；在大棋盘上形成两连（还差右下的小棋盘））",
        ],
        summary: [
            "The game turned on move 1, the second player's f2: a win became a loss. The right move \
             was d2 (wins with the next move, ",
            "转折点是第 1 步，后手的 f2：必胜变成了必败。正确的着法是 d2（无论对方怎么应，下一步都能获胜",
        ],
    },
];

/// What a game between two human players prints, in lines that are not wrapped.
fn play(game: &str, fen: &str, typed: &[&str], language: Language) -> Vec<String> {
    let mut script = Script::new(lines(typed));
    script.columns = 400;
    let fen = Some(fen.to_owned());
    script.play(PlayOptions { fen, language, ..two_human_options(game) }).unwrap();
    script.printed
}

#[test]
fn the_review_names_the_decisive_mistake_the_better_move_and_the_reason() {
    for (index, language) in [Language::English, Language::Chinese].into_iter().enumerate() {
        for BadGame { game, fen, typed, review, summary } in &BAD_GAMES {
            let printed = play(game, fen, &[typed, &["review"][..]].concat(), language);
            let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let has = |text: &str| printed.iter().any(|line| spaced(line).contains(&spaced(text)));
            assert!(has(review[index]), "{game}: {printed:#?}");
            assert!(has(summary[index]), "{game}: {printed:#?}");
        }
    }
    for spec in registry::games() {
        assert!(BAD_GAMES.iter().any(|bad| bad.game == spec.id), "{} has no bad game", spec.id);
    }
}

/// The summary says so if a player resigned a position that was not lost.
#[test]
fn early_resignations_are_named() {
    for (language, sentence) in [
        (Language::English, "The second player resigned too early: a draw was left."),
        (Language::Chinese, "后手认输过早。当时的局面：和棋。"),
    ] {
        let printed = play("tictactoe", "startpos", &["5", "resign"], language);
        assert!(printed.iter().any(|line| line == sentence), "{printed:#?}");
        assert!(!printed.iter().any(|line| line.contains("Neither side made a mistake")));
    }
    let lost = play("tictactoe", "startpos", &["1", "2", "resign"], Language::English);
    assert!(
        lost.iter()
            .any(|line| line.contains("The first player resigned too early: a win was left."))
    );
    let lost = play("tictactoe", "startpos", &["1", "2", "5", "resign"], Language::English);
    assert!(!lost.iter().any(|line| line.contains("too early")), "{lost:#?}");
}

/// After a loss to the engine the summary names the costliest mistake, even if no single move turned
/// the game.
#[test]
#[ignore = "plays and reviews games for ten seconds"]
fn every_loss_is_summed_up_with_a_mistake() {
    use zermelo::interact::PlayerKind;
    use zermelo::rules::SplitMix;
    use zermelo::terminal::{Completions, ConsoleInput};

    let mut lost = 0;
    for spec in registry::games() {
        for (seed, language) in [(1, Language::English), (2, Language::Chinese)] {
            let mut random = SplitMix::new(seed);
            let mut script =
                Script::new(
                    |completions: &Completions, _: &[String]| match &completions.moves[..] {
                        [] => ConsoleInput::End,
                        moves => ConsoleInput::Line(moves[random.below(moves.len())].clone()),
                    },
                );
            script.columns = 400;
            let options = PlayOptions {
                opponent: Some(PlayerKind::Engine),
                language,
                seed,
                ..super::script::options(spec.id)
            };
            script.play(options).unwrap();
            if !script.has_printed("Zermelo wins") && !script.has_printed("电脑赢了") {
                continue;
            }
            let names_mistake = |line: &String| {
                let has = |words: [&str; 3]| words.iter().all(|word| line.contains(word));
                has([": ", " became ", " was "]) || has(["第 ", "变成了", "着法是 "])
            };
            // A random start of Nim may be lost from the first move on.
            let was_lost = script.has_printed("No turning point") && spec.id == "nim";
            assert!(
                script.printed.iter().any(names_mistake)
                    || was_lost
                    || script.has_printed("Neither side"),
                "{}: {:#?}",
                spec.id,
                script.printed
            );
            lost += 1;
        }
    }
    assert!(lost > 4, "{lost}");
}
