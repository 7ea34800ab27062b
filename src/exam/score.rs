//! Compares answers with the exact values: the share of right moves and the mean loss of value, in
//! all and by group, and the worst mistakes.

use super::suite::{ExamPosition, Motif, Suite};
use crate::records::{GameRecord, Glyph, MoveRecord, Termination, ValueKeepingMoves};
use crate::rules::Value;
use crate::search::Score;
use crate::statistics::NORMAL_95;

/// The first and the last ply of each band.
pub const BANDS: [(usize, usize); 4] = [(24, 29), (30, 35), (36, 41), (42, 60)];

#[derive(Debug, Clone, PartialEq)]
pub struct ExamAnswer {
    /// The position's number.
    pub id: usize,
    /// What was chosen.
    pub choice: Choice,
}

/// What was chosen in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    Move(String),
    /// None: the kind of the engine's fault, and what it did.
    Fault(Termination, String),
}

/// A number between 0 and 1 with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    pub interval: [f64; 2],
}

/// How often how much was lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Indexed by half points: nothing, a half (from a win to a draw, or from a draw to a loss), one.
    pub lost: [u64; 3],
}

/// The positions that have something in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What it is about: `all`, `ply`, `right moves` or `motif`.
    pub kind: &'static str,
    /// Its name among those of its kind.
    pub name: String,
    /// The answers.
    pub tally: Tally,
}

/// A wrong move.
#[derive(Debug, Clone, Copy)]
pub struct Mistake<'a> {
    pub position: &'a ExamPosition,
    /// The move.
    pub mv: &'a str,
    /// The half points that it lost.
    pub lost: usize,
}

impl ExamPosition {
    /// The half points that an answer loses. A fault loses the game.
    pub fn lost_by(&self, choice: &Choice) -> usize {
        let value = match choice {
            Choice::Move(mv) => self.value_of(mv).unwrap_or(Value::Loss),
            Choice::Fault(..) => Value::Loss,
        };
        self.best().half_points() - value.half_points()
    }
}

impl Tally {
    pub fn answers(&self) -> u64 {
        self.lost.iter().sum()
    }

    /// The share of right moves.
    pub fn right_share(&self) -> Option<Estimate> {
        self.estimate(self.lost[0] as f64)
    }

    /// The mean loss of value: 1 from a win to a loss.
    pub fn mean_loss(&self) -> Option<Estimate> {
        self.estimate(self.lost[1] as f64 / 2.0 + self.lost[2] as f64)
    }

    /// Wilson's interval of a share. For the loss it is a little too wide, since halves vary less than
    /// zeros and ones.
    fn estimate(&self, sum: f64) -> Option<Estimate> {
        const Z: f64 = NORMAL_95;
        if self.answers() == 0 {
            return None;
        }
        let count = self.answers() as f64;
        let value = sum / count;
        let centre = value + Z * Z / (2.0 * count);
        let reach = Z * (value * (1.0 - value) / count + Z * Z / (4.0 * count * count)).sqrt();
        let end = |end: f64| (end / (1.0 + Z * Z / count)).clamp(0.0, 1.0);
        Some(Estimate { value, interval: [end(centre - reach), end(centre + reach)] })
    }
}

/// Counts the answers by group; groups without answers are left out.
pub fn groups(suite: &Suite, answers: &[ExamAnswer]) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut add = |kind, name: String, belongs: &dyn Fn(&ExamPosition) -> bool| {
        let mut tally = Tally::default();
        for (position, answer) in answered(suite, answers).filter(|(own, _)| belongs(own)) {
            tally.lost[position.lost_by(&answer.choice)] += 1;
        }
        if tally.answers() > 0 {
            groups.push(Group { kind, name, tally });
        }
    };
    add("all", "all".to_owned(), &|_| true);
    for (first, last) in BANDS {
        let belongs = |position: &ExamPosition| (first..=last).contains(&position.line.len());
        add("ply", format!("plies {first} to {last}"), &belongs);
    }
    for (name, count) in [("one right move", 1), ("two right moves", 2)] {
        let belongs = |position: &ExamPosition| position.right_moves().count() == count;
        add("right moves", name.to_owned(), &belongs);
    }
    let many = |position: &ExamPosition| position.right_moves().count() > 2;
    add("right moves", "more right moves".to_owned(), &many);
    for (motif, name) in Motif::NAMES {
        add("motif", name.to_owned(), &|position| position.motifs.contains(&motif));
    }
    groups
}

/// The wrong moves, the costliest first; among equals, those that had the most right alternatives.
pub fn mistakes<'a>(suite: &'a Suite, answers: &'a [ExamAnswer]) -> Vec<Mistake<'a>> {
    let mistake = |(position, answer): (&'a ExamPosition, &'a ExamAnswer)| {
        let lost = position.lost_by(&answer.choice);
        match &answer.choice {
            Choice::Move(mv) if lost > 0 => Some(Mistake { position, mv, lost }),
            _ => None,
        }
    };
    let mut mistakes: Vec<_> = answered(suite, answers).filter_map(mistake).collect();
    mistakes.sort_by_key(|mistake| {
        (2 - mistake.lost, usize::MAX - mistake.position.right_moves().count())
    });
    mistakes
}

fn answered<'a>(
    suite: &'a Suite,
    answers: &'a [ExamAnswer],
) -> impl Iterator<Item = (&'a ExamPosition, &'a ExamAnswer)> {
    answers.iter().filter_map(|answer| Some((suite.positions.get(answer.id - 1)?, answer)))
}

/// The cells of ultimate tic-tac-toe, after which every game is over.
const MAX_PLIES: usize = 81;

/// The name of the other player in records.
const OPPONENT: &str = "exam";

/// Whether a game is that of a mistake.
pub fn is_mistake(game: &GameRecord) -> bool {
    game.moves.len() == 1 && game.players.iter().any(|name| name == OPPONENT)
}

impl Mistake<'_> {
    /// A game of one move, for `review`. With a suite of this program it holds the proven review.
    pub fn record(&self, number: u32, suite: &Suite, engine: &str) -> GameRecord {
        let mover = self.position.line.len() % 2;
        let mut players = [const { String::new() }; 2];
        engine.clone_into(&mut players[mover]);
        OPPONENT.clone_into(&mut players[1 - mover]);
        let right: Vec<&str> = self.position.right_moves().collect();
        let mut mv = MoveRecord { mv: self.mv.to_owned(), ..MoveRecord::default() };
        if suite.is_own {
            // Only the values are known, not how long a win takes.
            let plies = (MAX_PLIES - self.position.line.len()) as u16;
            let proven = |value: Value| Score::by_line(value.in_plies(plies));
            mv.value = self.position.value_of(self.mv).map(proven);
            mv.best = Some(proven(self.position.best()));
            mv.best_line = right.iter().take(1).map(ToString::to_string).collect();
            let (count, legal) = (right.len(), self.position.values.len());
            mv.keep = Some(ValueKeepingMoves { count, legal, is_proven: true });
            // It loses half a point at least.
            mv.mark = Some(Glyph::Blunder);
        }
        GameRecord {
            number,
            game: suite.game.to_owned(),
            players,
            fen: self.position.fen.clone(),
            second_begins: mover == 1,
            moves: vec![mv],
            termination: Termination::Unterminated,
            reason: format!(
                "position {} of the exam, right: {}",
                self.position.id,
                right.join(" ")
            ),
            ..GameRecord::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(estimate: Option<Estimate>, expected: [f64; 3]) {
        let Estimate { value, interval: [low, high] } = estimate.unwrap();
        for (number, expected) in [value, low, high].into_iter().zip(expected) {
            assert!((number - expected).abs() < 5e-5, "{number} {expected}");
        }
    }

    #[test]
    fn shares_and_losses_have_wilson_intervals() {
        // 15 of 148: Newcombe 1998, table I, method 3.
        assert_close(Tally { lost: [15, 133, 0] }.right_share(), [0.10135, 0.06239, 0.16050]);
        assert_close(Tally { lost: [0, 20, 0] }.right_share(), [0.0, 0.0, 0.16113]);
        let tally = Tally { lost: [6, 2, 2] };
        assert_close(tally.mean_loss(), [0.3, 0.10779, 0.60322]);
        assert_eq!(Tally::default().mean_loss(), None);
    }
}
