//! The HTML report contains all games as data, never as markup, and its positions match the games.

use std::path::Path;
use std::time::Duration;

use zermelo::arena::match_report::{HtmlReport, render_html};
use zermelo::arena::tournament::scoreboard::Scoreboard;
use zermelo::arena::tournament::sprt_progress::SprtProgress;
use zermelo::records::Glyph;
use zermelo::records::{EngineScore, GameRecord, MoveRecord, SearchInfo, Termination};
use zermelo::rules::{ExactValue, Outcome, Side, SplitMix, StartPosition};
use zermelo::search::Score;
use zermelo::statistics::{EloModel, ObservationUnit, Sprt};
use zermelo::thinking::registry::{self, games};
use zermelo::viewer::MAX_GAMES;

use crate::common::is_installed;

/// Player names that challenge escaping and layout.
const NAMES: [&str; 5] = [
    "Zermelo 0.2",
    "</script><b>x",
    "Monte \"Carlo\" & Söhne <!-- ",
    "an engine with a name so long that it does not fit into a column of any table",
    "Ω",
];

/// A complete random game with plausible engine output.
fn random_game(number: u32, game: &str, players: [&str; 2]) -> GameRecord {
    let mut random = SplitMix::new(u64::from(number));
    let mut desk = registry::find(game).unwrap().open();
    desk.set_position(&StartPosition::Random { seed: u64::from(number / 2), plies: None }, &[])
        .unwrap();
    let fen = desk.fen();
    let mut moves = Vec::new();
    let mut score = 0;
    while desk.outcome().is_none() {
        let legal = desk.legal_moves(zermelo::rules::Notation::Own);
        let mv = legal[random.below(legal.len())].clone();
        desk.play_moves(&[&mv]).unwrap();
        score = -score + random.below(161) as i32 - 80;
        moves.push(move_record(mv, score, &mut random));
    }
    GameRecord {
        number,
        round: number.div_ceil(20),
        pair: number.div_ceil(2),
        game: game.to_owned(),
        players: players.map(str::to_owned),
        fen,
        moves,
        result: desk.outcome(),
        reason: "the rules <i>decided</i> & all is well".to_owned(),
        limits: ["tc=10+0.1".to_owned(), "tc=10+0.1".to_owned()],
        seeds: [Some(i64::from(number)), None],
        started: 1_790_000_000 + 60 * u64::from(number),
        ..GameRecord::default()
    }
}

fn move_record(mv: String, score: i32, random: &mut SplitMix) -> MoveRecord {
    let score = match random.below(12) {
        0 => None,
        1 => Some(EngineScore::Mate(if score < 0 { -4 } else { 5 })),
        _ => Some(EngineScore::Cp(score)),
    };
    let depth = Some(4 + random.below(12) as u32);
    let nodes = Some(random.below(2_000_000) as u64);
    let value = [ExactValue::Win(3), ExactValue::Draw, ExactValue::Loss(4)][random.below(3)];
    let best = if random.below(6) == 0 { value.max(ExactValue::Draw) } else { value };
    MoveRecord {
        mv,
        info: SearchInfo { score, depth, nodes },
        time: Duration::from_micros(random.below(900_000) as u64).into(),
        over: (random.below(40) == 0).then(|| Duration::from_millis(3).into()),
        value: Some(Score::Exact(value)),
        best: Some(Score::Exact(best)),
        mark: (value < best).then_some(Glyph::Blunder),
        ..MoveRecord::default()
    }
}

/// A tournament over all games with every kind of fault.
fn tournament(count: u32, names: &[&str]) -> Vec<GameRecord> {
    let players = names.len() as u32;
    let mut games: Vec<GameRecord> = (1..=count)
        .map(|number| {
            let pair = number.div_ceil(2);
            let first = names[(pair % players) as usize];
            let second = names[((pair + 1 + pair / players % (players - 1)) % players) as usize];
            let both = if number % 2 == 0 { [second, first] } else { [first, second] };
            let game = games()[(pair as usize / 3) % games().len()].id;
            random_game(number, game, both)
        })
        .collect();
    for game in games.iter_mut().filter(|game| game.number % 17 == 0) {
        let fault = Termination::ALL[(game.number as usize / 17) % Termination::ALL.len()];
        game.termination = fault;
        game.moves.truncate(game.moves.len() / 2);
        game.result = match fault {
            Termination::StartFailure => None,
            Termination::Adjudication | Termination::MaxMoves => Some(Outcome::Draw),
            _ => Some(Outcome::Win(Side::P2)),
        };
        game.stderr = Some("thread 'main' panicked\n<b>no</b>".to_owned());
        game.broken_claims = vec![format!("{} claimed a proven win and lost", game.players[0])];
    }
    if let [.., unknown, damaged] = &mut games[..] {
        unknown.game = "ugi".to_owned();
        damaged.moves[1].mv = "z9<s>".to_owned();
    }
    games
}

fn render(title: &str, games: &[GameRecord], names: &[&str], test: Option<Sprt>) -> String {
    let mut scoreboard = Scoreboard::new(names.iter().copied(), ObservationUnit::Pairs);
    games.iter().for_each(|game| scoreboard.add(game));
    let setup = [
        ("Time control", "10 s + 0.1 s"),
        ("Openings", "random, both sides <u>of each</u>"),
        ("Concurrency", "2"),
        ("Hash", "16 MiB"),
    ];
    let setup = setup.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
    let mut sprt = test.and_then(|test| SprtProgress::new(test, names));
    if let Some(sprt) = &mut sprt {
        sprt.update(&scoreboard);
    }
    let (title, scoreboard, sprt) = (title.to_owned(), &scoreboard, sprt.as_ref());
    render_html(&HtmlReport { title, setup, scoreboard, sprt, games })
}

fn embedded_data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn every_game_is_embedded() {
    let games = tournament(60, &NAMES);
    let data = embedded_data(&render("All", &games, &NAMES, None));
    let shown = data["games"].as_array().unwrap();
    assert_eq!(shown.len(), games.len());
    for (shown, game) in shown.iter().zip(&games) {
        assert_eq!(shown["number"], game.number);
        let moves: Vec<&str> =
            shown["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert!(moves.iter().copied().eq(game.moves.iter().map(|mv| &mv.mv[..])));
        let player = shown["players"][0].as_u64().unwrap() as usize;
        assert_eq!(data["standings"][player]["name"], game.players[0]);
    }
    assert_eq!(data["left_out"], 0);
}

#[test]
fn player_names_never_become_markup() {
    let names = ["</script><b>x", "<!--<script>"];
    let page = render("</title><b>{{data}}&", &tournament(40, &names), &names, None);
    assert_eq!(page.matches("</script>").count(), 2, "one closing tag each for data and scripts");
    assert!(page.contains("<title>&lt;/title&gt;&lt;b&gt;{{data}}&amp;</title>"));
    assert!(!page.contains("<b>") && !page.contains("<!--<") && !page.contains("<i>"));
    assert_eq!(embedded_data(&page)["title"], "</title><b>{{data}}&");
    let addresses = page.matches("://").count();
    assert_eq!(
        addresses,
        page.matches("\"http://www.w3.org/2000/svg\"").count(),
        "no resource is loaded"
    );
}

/// Applies the changes like the script of the page.
#[test]
fn changes_lead_to_the_last_position() {
    for spec in games() {
        for number in 1..20 {
            let game = random_game(number, spec.id, ["a", "b"]);
            let data =
                embedded_data(&render("One", std::slice::from_ref(&game), &["a", "b"], None));
            let shown = &data["games"][0];
            let mut letters: Vec<char> = shown["shown"].as_str().unwrap().chars().collect();
            let mut fen = shown["start"].as_str().unwrap().to_owned();
            assert_eq!(fen, game.fen);
            for (changes, difference) in
                shown["changes"].as_array().unwrap().iter().zip(shown["fens"].as_array().unwrap())
            {
                for change in changes.as_str().unwrap().split(' ') {
                    let (spot, letter) = change.split_at(change.len() - 1);
                    letters[spot.parse::<usize>().unwrap()] = letter.parse().unwrap();
                }
                let [head, tail, middle] =
                    difference.as_str().unwrap().splitn(3, ',').collect::<Vec<_>>()[..]
                else {
                    panic!("{difference}");
                };
                let tail = &fen[fen.len() - tail.parse::<usize>().unwrap()..];
                fen = format!("{}{middle}{tail}", &fen[..head.parse().unwrap()]);
            }
            let mut desk = spec.open();
            let moves: Vec<&str> = game.moves.iter().map(|mv| &mv.mv[..]).collect();
            desk.set_position(&StartPosition::Fen(&game.fen), &moves).unwrap();
            assert_eq!(fen, desk.fen());
            let wanted: String = desk.spot_contents().iter().map(ToString::to_string).collect();
            assert_eq!(letters.into_iter().collect::<String>(), wanted, "{fen}");
            assert!(data["layouts"][spec.id]["spots"].is_array());
        }
    }
}

#[test]
fn games_that_cannot_be_replayed_carry_an_error() {
    let games = tournament(30, &NAMES);
    let data = embedded_data(&render("Damaged", &games, &NAMES, None));
    let unknown = &data["games"][28];
    assert_eq!(unknown["start"], "");
    assert!(unknown["error"].as_str().unwrap().contains("ugi"));
    let damaged = &data["games"][29];
    assert_eq!(damaged["changes"].as_array().unwrap().len(), 1);
    assert!(damaged["error"].as_str().unwrap().starts_with("ply 2: "));
}

#[test]
fn large_tournaments_embed_the_first_and_last_games() {
    let count = MAX_GAMES as u32 + 500;
    let names = ["a", "b"];
    let games: Vec<_> = (1..=count).map(|number| random_game(number, "tictactoe", names)).collect();
    let data = embedded_data(&render("Many", &games, &names, None));
    let shown = data["games"].as_array().unwrap();
    assert_eq!((shown.len(), &data["left_out"]), (MAX_GAMES, &500.into()));
    assert_eq!(shown[MAX_GAMES / 2 - 1]["number"], MAX_GAMES / 2);
    assert_eq!(shown[MAX_GAMES / 2]["number"], count - MAX_GAMES as u32 / 2 + 1);
    assert_eq!(data["counted"], count);
}

#[test]
fn empty_tournaments_can_be_rendered() {
    let data = embedded_data(&render("Nothing", &[], &["a"], None));
    assert!(data["games"].as_array().unwrap().is_empty());
}

/// As in the text output, a match is seen by the engine given first, also if the other one leads.
#[test]
fn the_first_engine_is_the_point_of_view_of_a_match() {
    let names = ["new", "old"];
    let lost = |number| GameRecord {
        result: Some(Outcome::Win(if number % 2 == 1 { Side::P2 } else { Side::P1 })),
        fen: "startpos".to_owned(),
        ..random_game(number, "tictactoe", if number % 2 == 1 { names } else { ["old", "new"] })
    };
    let data = embedded_data(&render("Match", &[1, 2, 3, 4].map(lost), &names, None));
    assert_eq!((&data["standings"][0]["name"], &data["first"]), (&"old".into(), &1.into()));
    let curve = &data["elo"][0];
    assert_eq!((data["elo"].as_array().unwrap().len(), &curve["player"]), (1, &1.into()));
    assert!(curve["points"][1][1].as_f64().unwrap() < 0.0, "{curve}");
    let say = "(text, values) => text.replace(/{(\\w+)}/g, (_, name) => values[name])";
    let summary = format!("new Tournament({data}, {say}).summary()");
    if let Some(printed) = run_script(&summary) {
        assert!(
            printed.starts_with("new scored 0 of 4 points against old: Elo below "),
            "{printed}"
        );
    }
}

/// Writes sample pages for `scripts/gui_check reports`.
#[test]
#[ignore = "writes files for a browser test"]
fn write_sample_pages() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, page: String| std::fs::write(folder.join(name), page).unwrap();
    write("field.html", render("Five games, five players", &tournament(300, &NAMES), &NAMES, None));
    let test = Sprt::new(EloModel::Normalized, 0.0, 20.0, 0.05, 0.05).unwrap();
    let two = ["Zermelo 0.2", "Zermelo 0.1"];
    write("couple.html", render("New against old", &tournament(400, &two), &two, Some(test)));
    let many = tournament(2600, &NAMES);
    write("many.html", render("More games than a page holds", &many, &NAMES, None));
    write("empty.html", render("Nothing played yet", &[], &two, None));
}

/// Prints the value of an expression that uses the scripts of the report, where Node.js is installed.
fn run_script(expression: &str) -> Option<String> {
    use zermelo::browser::{CHARTS, DOM, TOURNAMENT, to_classic_script};
    if !is_installed("node") {
        return None;
    }
    let script = [DOM, CHARTS, TOURNAMENT].map(to_classic_script).concat();
    let program = format!("{script}\nconsole.log({expression})");
    let output = std::process::Command::new("node").args(["-e", &program]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn numbers_of_the_report_have_no_negative_zero() {
    let numbers = "[fixed(-0.04, 1), fixed(-0, 0), signed(-0.4, 0), signed(-0, 1), signed(-0.06, 1), \
        signed(12.34, 1), scoreText({ cp: -0 }), estimate([-0.01, -3, 3], fill), \
        estimate([89, -172, 238], fill), [1e-5, 2e-5, 5e-4, 0.00123].map(duration)].join(' ')";
    let expected = "0.0 0 +0 +0.0 \u{2212}0.1 +12.3 +0.00 +0.0 (\u{2212}3.0 to +3.0) \
        +89 (\u{2212}172 to +238) 10\u{202f}\u{b5}s,20\u{202f}\u{b5}s,500\u{202f}\u{b5}s,1.2\u{202f}ms\n";
    assert!(run_script(numbers).is_none_or(|printed| printed == expected));
}
