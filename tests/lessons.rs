//! The lessons: which moves do what a step asks for is recomputed from the rules and the exact solvers, by code that reads
//! positions as text.

use zermelo::rules::{Game, Outcome, StartPosition, Value};
use zermelo::solve::ExactSearch;
use zermelo::teaching::lessons::{Goal, Step, lessons, parse};
use zermelo::thinking::GameSpec;
use zermelo::thinking::registry::{self, games};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn prove_lessons<G: Game>() {
    for lesson in lessons(spec(G::ID)).unwrap() {
        for (number, step) in (1..).zip(&lesson.steps) {
            let place = format!("{} {}, step {number}", G::ID, lesson.id);
            prove_step::<G>(step, &place);
        }
    }
}

fn prove_step<G: Game>(step: &Step, place: &str) {
    let mut pos = step.start.as_ref().map_or_else(G::start, |fen| match fen.parse() {
        Ok(pos) => pos,
        Err(error) => panic!("{place}: {error}"),
    });
    for mv in &step.moves {
        pos = play(&pos, mv);
    }
    let names = move_names(&pos);
    let does_all = |mv: &&String| step.goals.iter().all(|goal| does(goal, &pos, mv));
    let mut right: Vec<&String> = names.iter().filter(does_all).collect();
    let mut accepted: Vec<&String> = step.accepted.iter().collect();
    right.sort();
    accepted.sort();
    assert_eq!(accepted, right, "{place}: {:?}", step.goals);
    let must_hold = step.goals.iter().any(|goal| matches!(goal, Goal::Hold | Goal::Stop));
    for mv in names.iter().filter(|mv| must_hold && !accepted.contains(mv)) {
        let (answer, _) = step.answer(mv);
        if let Some(reply) = &answer.reply {
            let after = play(&play(&pos, mv), reply);
            assert_eq!(value(&after), Value::Loss, "{place}: {mv} {reply}");
        }
    }
}

fn move_names<G: Game>(pos: &G) -> Vec<String> {
    pos.legal_moves().into_iter().map(|mv| mv.to_string()).collect()
}

fn play<G: Game>(pos: &G, name: &str) -> G {
    let found = pos.legal_moves().into_iter().find(|mv| mv.to_string() == name);
    pos.after(found.unwrap_or_else(|| panic!("illegal move {name} in {pos}")))
}

/// The exact value for the side to move.
fn value<G: Game>(pos: &G) -> Value {
    if !spec(G::ID).is_solved {
        return ExactSearch::default().value(pos);
    }
    let mut game = spec(G::ID).open();
    game.set_position(&StartPosition::Fen(&pos.to_string()), &[]).unwrap();
    game.evaluate().unwrap().proven().unwrap().value()
}

fn does<G: Game>(goal: &Goal, pos: &G, mv: &str) -> bool {
    let after = play(pos, mv);
    let (own, other) = (pos.side(), pos.side().other());
    let replies = move_names(&after);
    let is_won = after.outcome() == Some(Outcome::Win(own));
    let loses_to = |reply: &String| play(&after, reply).outcome() == Some(Outcome::Win(other));
    let (before_fen, fen) = (pos.to_string(), after.to_string());
    let [before, next] = [&before_fen, &fen].map(|fen| Boards::read(fen));
    match goal {
        Goal::Any => true,
        Goal::To(squares) => squares.iter().any(|square| mv.ends_with(square.as_str())),
        Goal::Win => is_won,
        Goal::Stop => is_won || !replies.iter().any(loses_to),
        Goal::Force => value(&after) == Value::Loss,
        Goal::Hold => value(&after) != Value::Win,
        Goal::Fork => threats(&fen, mover(&before_fen)) >= 2,
        Goal::Pair => {
            let gaps = gaps(&fen);
            let count = |gap: &usize| gaps.iter().filter(|own| *own == gap).count();
            gaps.iter().all(|gap| *gap == 0 || count(gap) % 2 == 0)
        }
        Goal::Zero => gaps(&fen).into_iter().fold(0, |sum, gap| sum ^ gap) == 0,
        Goal::Apart => {
            let groups: Vec<&str> = fen.split(['/', ' ']).collect();
            let both = mover(&before_fen).to_string().repeat(2);
            groups[0] != both && groups[2] != both
        }
        Goal::Send(board) => after.outcome().is_none() && next.targets == [board - 1],
        Goal::Bound => after.outcome().is_some() || next.targets.len() == 1,
        Goal::Free => after.outcome().is_none() && next.targets.len() > 1,
        Goal::Board => before.wins_board(mv, before.mover),
        Goal::Block => before.wins_board(mv, next.mover),
        Goal::Deny => !replies.iter().any(|reply| next.wins_board(reply, next.mover)),
        Goal::Harmless => !replies.iter().any(|reply| {
            let last = Boards::read(&play(&after, reply).to_string());
            let wins_board = next.wins_board(reply, next.mover);
            loses_to(reply) || wins_board && !last.missing(reply, next.mover).is_empty()
        }),
        Goal::Next => {
            is_won
                || replies.iter().all(|reply| {
                    let last = play(&after, reply);
                    let boards = Boards::read(&last.to_string());
                    move_names(&last).iter().any(|mv| boards.wins_board(mv, boards.mover))
                })
        }
        Goal::Line => {
            before.wins_board(mv, before.mover) && !next.missing(mv, before.mover).is_empty()
        }
        Goal::Double => {
            before.wins_board(mv, before.mover) && next.missing(mv, before.mover).len() >= 2
        }
        Goal::Cut => {
            let board = place(mv).0;
            let is_cut = |line: &&[usize; 3]| {
                line.contains(&board)
                    && line.iter().all(|own| *own == board || before.owners[*own] == next.mover)
            };
            before.wins_board(mv, before.mover) && LINES.iter().any(|line| is_cut(&line))
        }
    }
}

fn mover(fen: &str) -> char {
    fen.split(' ').nth(1).unwrap().chars().next().unwrap()
}

/// The ranks of a FEN from the top, a character per square.
fn ranks(fen: &str) -> Vec<Vec<char>> {
    let squares = |mark: char| match mark.to_digit(10) {
        Some(count) => vec!['.'; count as usize],
        None => vec![mark],
    };
    fen.split(' ')
        .next()
        .unwrap()
        .split('/')
        .map(|rank| rank.chars().flat_map(squares).collect())
        .collect()
}

/// The number of cells with which a player completes a line of tic-tac-toe.
fn threats(fen: &str, player: char) -> usize {
    let cells: Vec<char> = ranks(fen).concat();
    let wins = |cell: usize| {
        let holds = |own: &usize| *own == cell || cells[*own] == player;
        cells[cell] == '.'
            && LINES.iter().any(|line| line.contains(&cell) && line.iter().all(holds))
    };
    (0..9).filter(|cell| wins(*cell)).count()
}

fn gaps(fen: &str) -> Vec<usize> {
    let ranks = ranks(fen);
    let rank_of = |file: usize, piece| ranks.iter().position(|rank| rank[file] == piece).unwrap();
    (0..8).map(|file| rank_of(file, 'b') - rank_of(file, 'r') - 1).collect()
}

/// A position of ultimate tic-tac-toe; empty for other games.
struct Boards {
    cells: Vec<Vec<char>>,
    owners: Vec<char>,
    open: Vec<bool>,
    /// The boards in which the player to move may play.
    targets: Vec<usize>,
    mover: char,
}

/// The board of a cell, and the place of the cell in it, from 0 at the top left.
fn place(mv: &str) -> (usize, usize) {
    let mut bytes = mv.bytes();
    let file = usize::from(bytes.next().unwrap() - b'a');
    let rank = 9 - usize::from(bytes.next().unwrap() - b'0');
    (rank / 3 * 3 + file / 3, rank % 3 * 3 + file % 3)
}

fn has_line(cells: &[char], player: char) -> bool {
    LINES.iter().any(|line| line.iter().all(|cell| cells[*cell] == player))
}

impl Boards {
    fn read(fen: &str) -> Self {
        let ranks = ranks(fen);
        let fields: Vec<&str> = fen.split(' ').collect();
        let mover = mover(fen);
        let (mut cells, mut owners) = (vec![vec!['.'; 9]; 9], vec!['.'; 9]);
        if ranks.len() != 9 {
            let (open, targets) = (Vec::new(), Vec::new());
            return Self { cells, owners, open, targets, mover };
        }
        for (board, own) in cells.iter_mut().enumerate() {
            for (cell, mark) in own.iter_mut().enumerate() {
                *mark = ranks[board / 3 * 3 + cell / 3][board % 3 * 3 + cell % 3];
            }
            owners[board] =
                ['x', 'o'].into_iter().find(|player| has_line(own, *player)).unwrap_or('.');
        }
        if let Some(owned) = fields.get(4) {
            owners = owned.to_lowercase().chars().collect();
        }
        let is_open = |board: usize| {
            cells[board].contains(&'.') && (owners[board] == '.' || fields.len() > 4)
        };
        let open: Vec<bool> = (0..9).map(is_open).collect();
        let targets = match fields[3] {
            "-" => (0..9).filter(|board| open[*board]).collect(),
            last => vec![place(last).1],
        };
        Self { cells, owners, open, targets, mover }
    }

    fn wins_board(&self, mv: &str, player: char) -> bool {
        let (board, cell) = place(mv);
        let mut cells = self.cells[board].clone();
        cells[cell] = player;
        self.owners[board] == '.' && has_line(&cells, player)
    }

    /// The open boards that complete a line with the board of a move and another one of the player.
    fn missing(&self, mv: &str, player: char) -> Vec<usize> {
        let board = place(mv).0;
        let is_missing = |third: &usize| {
            let holds = |own: &usize| own == third || self.owners[*own] == player;
            self.owners[*third] == '.'
                && self.open[*third]
                && LINES.iter().any(|line| {
                    line.contains(third) && line.contains(&board) && line.iter().all(holds)
                })
        };
        (0..9).filter(is_missing).collect()
    }
}

fn spec(game: &str) -> &'static GameSpec {
    registry::find(game).unwrap()
}

#[test]
fn the_accepted_moves_and_only_they_do_what_each_step_asks_for() {
    macro_rules! prove {
        (() $($name:ident: $game:ty,)*) => {
            $(prove_lessons::<$game>();)*
        };
    }
    zermelo::for_each_game!(prove);
}

#[test]
fn every_game_has_lessons_of_five_to_ten_steps() {
    for game in games().iter().filter(|game| !game.lessons.is_empty()) {
        let lessons = lessons(game).unwrap();
        assert!(lessons.len() >= 2, "{}", game.id);
        for lesson in &lessons {
            assert!((5..=10).contains(&lesson.steps.len()), "{} {}", game.id, lesson.id);
        }
    }
}

#[test]
fn a_damaged_file_is_refused_with_the_lesson_and_the_step() {
    let step = |fields: &str| {
        let texts = r#""task": {"en": "a", "zh": "a"}, "right": {"text": {"en": "a", "zh": "a"}}"#;
        let first = r#""goals": ["any"], "accepted": "a1 a2 a3 b1 b2 b3 c1 c2 c3""#;
        format!(
            r#"[{{"id": "one", "title": {{"en": "a", "zh": "a"}}, "steps": [{{{first}, {texts}}}, {{{fields}, {texts}}}]}}]"#
        )
    };
    let wrong = r#""wrong": [{"text": {"en": "a", "zh": "a"}}]"#;
    let win = r#""moves": "a1 b1 a2 b2", "goals": ["win"]"#;
    for (text, message) in [
        ("[", "damaged: EOF"),
        ("[1]", "damaged: lesson 1: invalid type: integer `1`"),
        (r#"["tixtax/none"]"#, "damaged: no lesson \"tixtax/none\", expected GAME/LESSON"),
        (r#"[{"id": "one", "title": {"en": "a"}, "steps": []}]"#, "lesson 1: missing field `zh`"),
        (
            r#"[{"id": "one", "title": {"en": "a", "zh": "a"}, "steps": []}]"#,
            "lesson \"one\": no steps",
        ),
        (&step(r#""goals": ["any"]"#), "lesson \"one\", step 2: missing field `accepted`"),
        (&step(r#""goals": ["luck"], "accepted": "a1""#), "step 2: unknown variant `luck`"),
        (&step(r#""start": "3/3 x", "goals": ["any"], "accepted": "a1""#), "step 2: invalid"),
        (&step(r#""moves": "a1 a1", "goals": ["any"], "accepted": "b1""#), "step 2: illegal move"),
        (&step(&format!(r#"{win}, "accepted": "a4", {wrong}"#)), "step 2: illegal move \"a4\""),
        (
            &step(&format!(r#"{win}, "accepted": "", {wrong}"#)),
            "step 2: expected a goal and a move",
        ),
        (&step(&format!(r#"{win}, "accepted": "a3""#)), "step 2: no answer to the wrong move"),
    ] {
        let error = parse(spec("tictactoe"), text).unwrap_err().to_string();
        assert!(error.starts_with("the lessons of tictactoe are damaged: "), "{error}");
        assert!(error.contains(message), "{message}: {error}");
    }
    assert!(
        parse(spec("tictactoe"), &step(&format!(r#"{win}, "accepted": "a3", {wrong}"#))).is_ok()
    );
}
