//! Advice to the user: the best move, why a move is good or bad, and the coach's warning.

use std::time::Duration;

use super::game::PlayGame;
use super::review::MIN_LOSS;
use crate::language::{Language, Values};
use crate::reasons::Reason;
use crate::search::{PvLine, Score, SearchControl};
use crate::thinking::{EngineError, Report, SearchRequest};

/// The loss of expected score from which the coach warns.
const MIN_LOSS_FOR_WARNING: f64 = 0.20;

/// A move with its value for the side that makes it, and its reasons.
#[derive(Debug, Clone)]
pub struct MoveAdvice {
    pub mv: String,
    pub score: Score,
    pub reasons: Vec<Reason>,
    /// How many other moves are as good, within the noise of a search; `None` where there is nothing to
    /// compare: the value is proven, or the move is worse than the best.
    rivals: Option<usize>,
}

impl MoveAdvice {
    fn summary(&self, language: Language) -> String {
        let value = language.score("full", self.score);
        language.fill("advice.move", &[("move", &self.mv), ("value", &value)])
    }

    /// The move, its value and the reasons for and against it.
    fn text(&self, language: Language) -> String {
        // The value already says that the move wins.
        let reasons = self.reasons.iter().filter(|reason| **reason != Reason::Wins);
        let text = self.summary(language) + &sentence(reasons, language);
        match self.rivals {
            Some(0) if self.reasons.is_empty() => text + language.text("advice.alone"),
            Some(count) if self.reasons.is_empty() => {
                text + &language.fill("advice.quiet", &[("count", &count)])
            }
            _ => text,
        }
    }

    /// The move as a hint, with the moves expected after it.
    pub fn hint(&self, line: &[String], language: Language) -> String {
        let text = self.text(language);
        if line.is_empty() {
            return text;
        }
        text + &language.fill("advice.line", &[("moves", &line.join(" "))])
    }
}

/// The reasons for or against a move as a sentence; empty if there are none.
fn sentence<'a>(reasons: impl Iterator<Item = &'a Reason>, language: Language) -> String {
    let reasons = language.reasons(&reasons.cloned().collect::<Vec<_>>());
    if reasons.is_empty() {
        return reasons;
    }
    language.fill("advice.because", &[("reasons", &reasons)])
}

/// Why a move is good or bad.
#[derive(Debug, Clone)]
pub struct Explanation {
    pub chosen: MoveAdvice,
    /// The opponent's best reply; `None` if the game is over.
    pub reply: Option<MoveAdvice>,
    /// The moves expected after the reply.
    pub line: Vec<String>,
    /// The best move, if it is better.
    pub better: Option<MoveAdvice>,
}

impl Explanation {
    /// Whether nothing can be better: the move is the only one, or wins at once.
    fn is_beyond_question(&self) -> bool {
        let settles = |reason: &Reason| {
            matches!(reason, Reason::OnlyLegalMove | Reason::Wins | Reason::Traps)
        };
        self.chosen.reasons.iter().any(settles)
    }

    /// The expected score that the move gives away, compared with the best one.
    pub fn loss(&self) -> f64 {
        let expected = |advice: &MoveAdvice| advice.score.expected();
        let chosen = expected(&self.chosen);
        self.better.as_ref().map_or(0.0, |better| expected(better) - chosen).max(0.0)
    }

    /// The better move, if this one is a mistake.
    fn missed(&self) -> Option<&MoveAdvice> {
        self.better.as_ref().filter(|_| self.loss() >= MIN_LOSS)
    }

    /// The first sentence of the judgement: what the move is worth, or what a mistake gives away.
    pub(crate) fn summary(&self, language: Language) -> String {
        let Some(better) = self.missed() else { return self.chosen.summary(language) };
        let [before, after] =
            [better, &self.chosen].map(|advice| language.score("noun", advice.score));
        let values: &Values<'_> =
            &[("move", &self.chosen.mv), ("before", &before), ("after", &after)];
        language.fill("advice.mistake", values)
    }

    /// The squares and boards that the judgement turns on.
    pub(crate) fn places(&self) -> Vec<String> {
        let is_mistake = self.missed().is_some();
        let own = self.chosen.reasons.iter().filter(|reason| !is_mistake || reason.is_drawback());
        let reply = self.reply.iter().filter(|_| is_mistake).flat_map(|reply| &reply.reasons);
        own.chain(reply).flat_map(Reason::places).collect()
    }

    /// What is said of the move without naming a better one. Of a mistake, nothing that speaks for it.
    pub(crate) fn judgement(&self, language: Language) -> String {
        if self.missed().is_some() { self.refutation(language) } else { self.assessment(language) }
    }

    /// What a mistake gives away, what speaks against it, and how the opponent answers.
    fn refutation(&self, language: Language) -> String {
        let drawbacks = self.chosen.reasons.iter().filter(|reason| reason.is_drawback());
        let text = self.summary(language) + &sentence(drawbacks, language);
        let Some(MoveAdvice { mv, reasons, .. }) = &self.reply else { return text };
        let line: Vec<String> = [mv].into_iter().chain(&self.line).cloned().collect();
        text + &language.refutation(&line, reasons)
    }

    /// The value of the move, its reasons and the best reply in words; of a mistake, also what follows.
    fn assessment(&self, language: Language) -> String {
        let mut text = self.chosen.text(language);
        if let Some(MoveAdvice { mv, reasons, .. }) = &self.reply {
            let reasons = language.bracketed_reasons(reasons);
            text += &language.fill("advice.reply", &[("move", mv), ("reasons", &reasons)]);
            if self.missed().is_some() {
                text += &language.continuation(&self.line);
            }
        }
        text
    }

    pub fn text(&self, language: Language) -> String {
        let mut text = self.assessment(language);
        if let Some(MoveAdvice { mv, score, reasons, .. }) = &self.better {
            let (value, reasons) =
                (language.score("full", *score), language.bracketed_reasons(reasons));
            let values: &Values<'_> = &[("move", mv), ("value", &value), ("reasons", &reasons)];
            text += &language.fill("advice.better", values);
        } else if !self.is_beyond_question() {
            text += language.text("advice.noBetter");
        }
        text
    }

    /// What the coach says before the move is made; `None` if the move is good enough.
    pub fn warning(&self, language: Language) -> Option<String> {
        let better = self.better.as_ref().filter(|_| self.loss() >= MIN_LOSS_FOR_WARNING)?;
        let [before, after] =
            [better, &self.chosen].map(|advice| language.score("noun", advice.score));
        let warning = language.fill("advice.warning", &[("before", &before), ("after", &after)]);
        Some(warning + &self.text(language))
    }
}

/// Assesses the legal moves of a position that is not final. All advice asks this, and so gets the deepest
/// answer so far. Fails if the search cannot allocate its memory.
pub fn assess(
    game: &mut PlayGame,
    time: Duration,
    control: &SearchControl,
) -> Result<Report, EngineError> {
    let request = SearchRequest::assess_all(None, Some(time), 1);
    game.position.prepare(&request)?.run(&control.child(), &mut |_| {})
}

/// Finds the best move of a position that is not final, and the expected line after it. Fails if
/// the search cannot allocate its memory.
pub fn best_move(
    game: &mut PlayGame,
    time: Duration,
    control: &SearchControl,
) -> Result<(MoveAdvice, Vec<String>), EngineError> {
    let report = assess(game, time, control)?;
    best_of(game, report)
}

fn best_of(game: &mut PlayGame, report: Report) -> Result<(MoveAdvice, Vec<String>), EngineError> {
    let (score, rivals) = (report.score(), rivals(&report));
    let mut line = report.lines.into_iter().take(1).flat_map(|best| best.moves);
    let mv = line.next().unwrap_or_default();
    let line: Vec<String> = line.collect();
    let reasons = game.position.reasons(&mv, line.first().map(String::as_str))?;
    Ok((MoveAdvice { mv, score, reasons, rivals }, line))
}

/// Explains a legal move. `time` is for the position, and again for the one after the move. Fails if
/// the move is illegal or the search cannot allocate its memory.
pub fn explain(
    game: &mut PlayGame,
    mv: &str,
    time: Duration,
    control: &SearchControl,
) -> Result<Explanation, EngineError> {
    let next = game
        .after(mv, |game| (!game.is_over()).then(|| best_move(game, time, control)).transpose())?;
    let (reply, line) = next.map_or((None, Vec::new()), |(reply, line)| (Some(reply), line));
    let reasons = game.position.reasons(mv, reply.as_ref().map(|reply| reply.mv.as_str()))?;
    let report = assess(game, time, control)?;
    let own = report.lines.iter().find(|own| own.mv() == mv).map(|own| own.score);
    let (best, _) = best_of(game, report)?;
    let score = own.unwrap_or(best.score);
    let is_worse = is_better(best.score, score);
    let rivals = best.rivals.filter(|_| !is_worse);
    let chosen = MoveAdvice { mv: mv.to_owned(), score, reasons, rivals };
    let better = (best.mv != mv && is_worse).then_some(best);
    Ok(Explanation { chosen, reply, line, better })
}

/// How many other moves are as good as the best one; `None` if its value is proven.
fn rivals(report: &Report) -> Option<usize> {
    let best = report.score();
    let is_rival = |own: &&PvLine<String>| !is_better(best, own.score);
    best.proven().is_none().then(|| report.lines.iter().skip(1).filter(is_rival).count())
}

/// Whether a score is better than another by more than the noise of a search.
fn is_better(best: Score, other: Score) -> bool {
    const NOISE: f64 = 0.02;
    match (best, other) {
        (Score::Exact(best), Score::Exact(other)) => best > other,
        _ => best.expected() - other.expected() > NOISE,
    }
}
