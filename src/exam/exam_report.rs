//! The result of an exam as JSON, text and page.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::score::{Choice, Estimate, ExamAnswer, Group, Mistake, groups, mistakes};
use super::suite::{Suite, VERSION};
use crate::analysis::{BoardSvg, HeatMap};
use crate::document::{Document, Figure, escape_html, fill_template};
use crate::language::Language;
use crate::printing::printable;
use crate::records::Termination;
use crate::rules::{ExactValue, StartPosition, Value};
use crate::search::Score;
use crate::thinking::registry;

/// The version of the JSON format.
const SCHEMA: u32 = 1;

const TEMPLATE: &str = include_str!("report.md");

/// The boards of the costliest moves on the page.
const BOARDS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// What is known of the values.
const PROVEN: &str = "Every move's value is proven.";
const NOT_PROVEN: &str =
    "The values are those of a file that is not the suite of this program: they may be wrong.";

/// Who sat the exam.
#[derive(Debug, Clone)]
pub struct ExamTaker {
    pub name: String,
    /// The command and the limits of an engine.
    pub engine: Option<(String, String)>,
}

#[derive(Debug)]
pub struct ExamReport<'a> {
    suite: &'a Suite,
    answers: &'a [ExamAnswer],
    taker: ExamTaker,
    groups: Vec<Group>,
    /// The wrong moves, the costliest first.
    pub mistakes: Vec<Mistake<'a>>,
}

impl<'a> ExamReport<'a> {
    /// Compares answers with the truth.
    pub fn new(suite: &'a Suite, answers: &'a [ExamAnswer], taker: ExamTaker) -> Self {
        let (groups, mistakes) = (groups(suite, answers), mistakes(suite, answers));
        Self { suite, answers, taker, groups, mistakes }
    }

    pub fn json(&self) -> Json {
        let answer = |answer: &ExamAnswer| {
            let lost = self.suite.positions[answer.id - 1].lost_by(&answer.choice);
            let mut json = json!({ "id": answer.id, "loss": lost as f64 / 2.0 });
            match &answer.choice {
                Choice::Move(mv) => json["move"] = json!(mv),
                Choice::Fault(kind, reason) => {
                    json["fault"] = json!({ "kind": kind.as_str(), "reason": reason });
                }
            }
            json
        };
        let mut json = self.summary();
        json["schema"] = json!(SCHEMA);
        json["answers"] = self.answers.iter().map(answer).collect();
        json
    }

    pub fn text(&self, width: usize) -> String {
        self.document(&[], "").text(width)
    }

    /// The page, with pictures.
    pub fn html(&self) -> String {
        let mut figures = vec![Figure { name: "right", svg: self.chart(), diagram: None }];
        let mut boards = String::new();
        for (name, mistake) in BOARDS.into_iter().zip(&self.mistakes) {
            let Some(svg) = board_svg(self.suite.game, mistake) else { continue };
            figures.push(Figure { name, svg, diagram: None });
            let position = mistake.position;
            let _ = writeln!(
                boards,
                "\n![Position {}: {} is a {}, the position a {}]({name})",
                position.id,
                mistake.mv,
                position.value_of(mistake.mv).unwrap_or(Value::Loss),
                position.best()
            );
        }
        self.document(&figures, &boards).html()
    }

    fn document(&self, figures: &[Figure], end: &str) -> Document {
        let language = Language::English;
        let title = format!("The exam of {}", self.taker.name);
        let markdown = fill_template(TEMPLATE, &self.summary(), language, "") + end;
        Document::new(&title, language, &markdown, figures)
    }

    /// What does not depend on single positions. The template leaves out what is missing here.
    fn summary(&self) -> Json {
        let row = |group: &Group| {
            let right = group.tally.right_share().map(|own| numbers(own, 100.0));
            let loss = group.tally.mean_loss().map(|own| numbers(own, 1.0));
            let ([right_percent, right_low, right_high], [loss, loss_low, loss_high]) =
                (right.unwrap_or_default(), loss.unwrap_or_default());
            json!({
                "kind": group.kind, "name": group.name, "answers": group.tally.answers(),
                "right": group.tally.lost[0], "right_percent": right_percent,
                "right_low": right_low, "right_high": right_high,
                "loss": loss, "loss_low": loss_low, "loss_high": loss_high,
            })
        };
        let mut json = json!({
            "exam": {
                "game": self.suite.game,
                "title": Language::English.game_title(self.suite.game),
                "version": VERSION,
                "checksum": format!("{:08x}", self.suite.checksum),
                "is_proven": self.suite.is_own,
                "truth": if self.suite.is_own { PROVEN } else { NOT_PROVEN },
                "positions": self.suite.positions.len(),
                "answered": self.answers.len(),
            },
            "engine": { "name": printable(&self.taker.name).to_string() },
            "groups": self.groups.iter().map(row).collect::<Json>(),
        });
        if let Some((command, limits)) = &self.taker.engine {
            json["engine"]["command"] = json!(command);
            json["engine"]["limits"] = json!(limits);
        }
        let faults = self.faults();
        if !faults.is_empty() {
            json["faults"] = json!(faults);
        }
        let remedy = self.answers.iter().find_map(|answer| match &answer.choice {
            Choice::Fault(kind, _) => kind.remedy(),
            Choice::Move(_) => None,
        });
        if let Some(remedy) = remedy {
            json["remedy"] = json!(remedy);
        }
        let worst = |mistake: &Mistake<'_>| {
            let position = mistake.position;
            let value = position.value_of(mistake.mv).unwrap_or(Value::Loss);
            json!({
                "id": position.id, "move": mistake.mv,
                "value": format!("{value} instead of {}", position.best()),
                "right": position.right_moves().collect::<Vec<_>>(), "fen": position.fen,
            })
        };
        if !self.mistakes.is_empty() {
            json["worst"] = self.mistakes.iter().take(BOARDS.len()).map(worst).collect();
        }
        json
    }

    /// The faults by kind, with the first of each.
    fn faults(&self) -> Vec<Json> {
        let faults = || {
            self.answers.iter().filter_map(|answer| match &answer.choice {
                Choice::Fault(kind, reason) => Some((*kind, answer.id, reason)),
                Choice::Move(_) => None,
            })
        };
        let row = |kind: Termination| {
            let of_kind = || faults().filter(move |(own, ..)| *own == kind);
            let (_, id, reason) = of_kind().next()?;
            let reason = printable(reason).to_string();
            let count = of_kind().count();
            Some(json!({ "kind": kind.as_str(), "count": count, "id": id, "reason": reason }))
        };
        Termination::ALL.into_iter().filter_map(row).collect()
    }

    /// A bar for each group.
    fn chart(&self) -> String {
        const LEFT: f64 = 190.0;
        const WIDTH: f64 = 420.0;
        const ROW: f64 = 26.0;
        let x = |share: f64| LEFT + share * WIDTH;
        let height = ROW * (self.groups.len() as f64 + 1.5);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {height}\" width=\"{0}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n",
            LEFT + WIDTH + 30.0
        );
        for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let _ = writeln!(
                svg,
                "<path d=\"M{0} 0V{1}\" stroke=\"var(--rule)\"/><text x=\"{0}\" y=\"{2}\" \
                 text-anchor=\"middle\" fill=\"var(--soft)\">{3} %</text>",
                x(tick),
                height - ROW,
                height - 0.4 * ROW,
                100.0 * tick
            );
        }
        for (row, group) in self.groups.iter().enumerate() {
            let Some(Estimate { value, interval: [low, high] }) = group.tally.right_share() else {
                continue;
            };
            let y = ROW * (row as f64 + 0.5);
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"var(--ink)\">{}</text>\
                 <rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"var(--series-5)\"/>\
                 <path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"var(--ink)\" stroke-width=\"2\"/>",
                LEFT - 10.0,
                y + 4.5,
                escape_html(&group.name),
                y - 7.0,
                value * WIDTH,
                x(low),
                x(high)
            );
        }
        svg + "</svg>\n"
    }
}

fn numbers(Estimate { value, interval: [low, high] }: Estimate, unit: f64) -> [f64; 3] {
    [value, low, high].map(|number| number * unit)
}

/// The position of a mistake with the value of every move.
fn board_svg(game: &str, mistake: &Mistake<'_>) -> Option<String> {
    let mut board = registry::find(game).ok()?.open();
    board.set_position(&StartPosition::Fen(&mistake.position.fen), &[]).ok()?;
    let layout = board.layout()?;
    // Only the value is shown, not the number of plies.
    let score = |value: Value| match value {
        Value::Win => Score::Exact(ExactValue::Win(1)),
        Value::Draw => Score::Exact(ExactValue::Draw),
        Value::Loss => Score::Exact(ExactValue::Loss(2)),
    };
    let ratings: Vec<_> =
        mistake.position.values.iter().map(|(mv, value)| (mv.clone(), score(*value))).collect();
    let heat = HeatMap::new(&layout, &ratings).without_arrow();
    let (shown, labels) = (board.spot_contents(), board.extra_labels());
    let drawn = BoardSvg { layout: &layout, shown: &shown, labels: &labels, heat: Some(&heat) };
    Some(drawn.svg(Language::English))
}
