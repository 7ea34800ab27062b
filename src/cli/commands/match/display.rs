//! The output of a match: a live progress line on a terminal, plain lines elsewhere, then tables.

use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use super::rating;
use super::shards::range_text;
use crate::arena::match_report::match_progress::describe_format;
use crate::arena::tournament::evidence::Evidence;
use crate::arena::tournament::ladder_rating::LadderRating;
use crate::arena::tournament::scoreboard::{PlayerTotals, Scoreboard};
use crate::arena::tournament::sprt_progress::{SprtDecision, SprtProgress};
use crate::arena::tournament::tournament_setup::{OpeningSetup, TournamentSetup};
use crate::cli::terminal::{columns, cut_to_row, stdout};
use crate::document::columns::format_table;
use crate::printing::{decimal, plural, printable, signed};
use crate::records::{GameRecord, result_text};
use crate::scale::Ladder;
use crate::statistics::{
    EloEstimate, ScoreTally, likelihood_of_superiority, logistic_elo, normalized_elo,
};

/// Prints the progress and the results of a match to stdout.
pub(in crate::cli) struct MatchDisplay {
    is_terminal: bool,
    /// The games to play, unless all of them.
    shard: Option<RangeInclusive<u32>>,
    total: Option<u64>,
    /// Games finished by earlier runs, and by this one.
    earlier: u64,
    finished: u64,
    started: Instant,
    last_update: Option<Instant>,
    /// Whether the openings were chosen by default, so that the title has to name them.
    pub(super) names_openings: bool,
    pub(super) rated: Option<TournamentSetup>,
    /// Whether only the result of a ladder is printed, as JSON.
    pub(in crate::cli) prints_json: bool,
}

impl MatchDisplay {
    pub(super) fn new(
        shard: Option<RangeInclusive<u32>>,
        total: Option<u64>,
        earlier: u64,
    ) -> Self {
        Self {
            is_terminal: io::stdout().is_terminal(),
            shard,
            total,
            earlier,
            finished: 0,
            started: Instant::now(),
            last_update: None,
            names_openings: false,
            rated: None,
            prints_json: false,
        }
    }

    fn rated(&self) -> Option<(&TournamentSetup, &Ladder)> {
        let setup = self.rated.as_ref()?;
        Some((setup, setup.ladder.as_ref()?))
    }

    /// Prints the line that introduces the tournament.
    pub(super) fn print_title(&self, setup: &TournamentSetup) -> io::Result<()> {
        if self.prints_json {
            return Ok(());
        }
        let mut line = format!("{}: {}", setup.game, describe_format(setup));
        match (&self.shard, self.total) {
            (Some(shard), Some(0)) => {
                line += &format!("; it ends before game {}, nothing to play", shard.start());
            }
            (shard, total) => {
                if let Some(shard) = shard {
                    line += &format!(", of which games {}", range_text(shard));
                }
                if let Some(total) = total {
                    line += &format!(", {total} in total");
                }
            }
        }
        if self.earlier > 0 {
            line += &format!("; {} already played", self.earlier);
        }
        if self.names_openings && setup.openings != OpeningSetup::Start {
            line += &format!(
                "; balanced random openings ({}), --openings start plays from the start position",
                setup.openings
            );
        }
        writeln!(stdout(), "{line}")
    }

    pub(super) fn print_game(
        &mut self,
        game: &GameRecord,
        scoreboard: &Scoreboard,
        sprt: Option<&SprtProgress>,
    ) -> io::Result<()> {
        /// Minimum interval between score lines when stdout is not a terminal.
        const SCORE_INTERVAL: Duration = Duration::from_secs(10);
        /// Minimum interval between updates of the progress line.
        const UPDATE_INTERVAL: Duration = Duration::from_millis(100);
        self.finished += 1;
        if self.prints_json {
            return Ok(());
        }
        let [first, second] = &game.players;
        let GameRecord { number, reason, result, .. } = game;
        let line = format!(
            "game {number}: {} {} {}, {} ({})",
            printable(first),
            result_text(*result),
            printable(second),
            printable(reason),
            plural(game.moves.len(), "ply")
        );
        if !self.is_terminal || game.termination.is_fault() || game.result.is_none() {
            self.print_line(&line)?;
        }
        for claim in &game.broken_claims {
            self.print_line(&format!("game {number}: {claim}"))?;
        }
        if !self.is_terminal {
            let last = *self.last_update.get_or_insert(self.started);
            if last.elapsed() >= SCORE_INTERVAL {
                self.last_update = Some(Instant::now());
                writeln!(stdout(), "so far: {}", self.progress(scoreboard, sprt))?;
            }
            return Ok(());
        }
        let is_due = self.last_update.is_none_or(|last| last.elapsed() >= UPDATE_INTERVAL);
        if is_due || Some(self.earlier + self.finished) == self.total {
            self.last_update = Some(Instant::now());
            let line = self.progress(scoreboard, sprt);
            let mut out = io::stdout().lock();
            let line = cut_to_row(&printable(&line).to_string(), columns());
            write!(out, "\r{line}\x1b[K")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Prints a line that stays above the progress line.
    pub(super) fn print_line(&mut self, text: &str) -> io::Result<()> {
        if self.prints_json {
            return Ok(());
        }
        if self.is_terminal {
            write!(io::stdout(), "\r\x1b[K")?;
        }
        writeln!(stdout(), "{}", printable(text))
    }

    fn progress(&self, scoreboard: &Scoreboard, sprt: Option<&SprtProgress>) -> String {
        let done = self.earlier + self.finished;
        let mut parts = vec![match self.total {
            Some(total) => format!("{done}/{}", plural(total, "game")),
            None => plural(done, "game"),
        }];
        if let Some((_, ladder)) = self.rated() {
            let rating = LadderRating::new(ladder, scoreboard);
            parts.push(format!("{} {}", rating.engine.name, rating.text()));
            return parts.join("  ");
        }
        match scoreboard.names().collect::<Vec<_>>().as_slice() {
            [first, second] => {
                let tally = scoreboard.tally(first, second);
                parts.push(format!("{first} {}", wins_draws_losses(&tally)));
                let elo = logistic_elo(&tally.sample()).filter(|elo| elo.value.is_finite());
                parts.extend(elo.map(|elo| format!("Elo {}", with_bounds(elo, 0))));
                parts.extend(sprt.map(|sprt| {
                    let (low, high) = sprt.test.bounds();
                    let ratio = sprt.test.log_likelihood_ratio(&tally);
                    let [ratio, low, high] = [ratio, low, high].map(|number| decimal(number, 2));
                    format!("LLR {ratio} ({low}, {high})")
                }));
            }
            names => {
                let points = |name: &str| scoreboard.field_tally(name).points();
                let by_points =
                    |left: &&&str, right: &&&str| points(left).total_cmp(&points(right));
                let leader = names.iter().max_by(by_points);
                parts.extend(leader.map(|name| format!("{name} leads with {}", points(name))));
            }
        }
        if let Some(total) = self.total.filter(|_| self.finished > 0) {
            let left = total.saturating_sub(done);
            let each = self.started.elapsed().as_secs_f64() / self.finished as f64;
            parts.push(format!("{} left", format_time(each * left as f64)));
        }
        parts.join("  ")
    }

    pub(super) fn print_results(
        &self,
        scoreboard: &Scoreboard,
        sprt: Option<&SprtProgress>,
    ) -> io::Result<()> {
        let mut out = stdout();
        if let Some((setup, ladder)) = self.rated()
            && self.prints_json
        {
            return writeln!(out, "{}", rating::json(setup, ladder, scoreboard)?);
        }
        if self.is_terminal && self.finished > 0 {
            writeln!(out)?;
        }
        if self.earlier + self.finished == 0 {
            return writeln!(out, "no game finished");
        }
        if let Some((setup, ladder)) = self.rated() {
            rating::write_text(&mut out, setup, ladder, scoreboard)?;
            return write_warnings(&mut out, scoreboard);
        }
        let standings = scoreboard.standings();
        let is_duel = standings.rows.len() == 2;
        writeln!(out, "\n{}", standings_table(&standings.rows, is_duel))?;
        if !is_duel {
            writeln!(
                out,
                "Ratings have an average of 0; the difference of two is their Elo difference."
            )?;
        }
        if standings.regularized && !is_duel {
            writeln!(
                out,
                "A player won or lost every game; ratings include one virtual draw per player."
            )?;
        }
        // The first player is that of the command line and of the SPRT, whoever leads.
        match scoreboard.names().collect::<Vec<_>>().as_slice() {
            [first, second] => write_head_to_head(&mut out, scoreboard, first, second)?,
            _ => {
                let names: Vec<&str> = standings.rows.iter().map(|row| &*row.name).collect();
                writeln!(out, "\n{}", crosstable(scoreboard, &names))?;
            }
        }
        writeln!(out, "Distinct games: {} of {}", scoreboard.distinct_games(), scoreboard.games)?;
        if let Some(sprt) = sprt {
            writeln!(out, "{}", sprt_line(scoreboard, sprt))?;
        }
        let terminations: Vec<String> =
            scoreboard.terminations().map(|(word, count)| format!("{word} {count}")).collect();
        writeln!(out, "Terminations: {}", terminations.join(", "))?;
        if scoreboard.uncounted > 0 {
            let games = plural(scoreboard.uncounted, "game");
            writeln!(out, "Not counted: {games} without a result")?;
        }
        if scoreboard.broken_claims > 0 {
            let claims = plural(scoreboard.broken_claims, "claim");
            writeln!(out, "{claims} of a proven win did not hold")?;
        }
        write_warnings(&mut out, scoreboard)
    }
}

/// Writes what to do about games lost on time, notes on encounters of identical players and warnings about
/// encounters with many copies.
fn write_warnings(out: &mut dyn Write, scoreboard: &Scoreboard) -> io::Result<()> {
    const MAX_WARNINGS: usize = 3;
    for remedy in scoreboard.terminations().filter_map(|(termination, _)| termination.remedy()) {
        writeln!(out, "{remedy}")?;
    }
    let notes: Vec<_> = scoreboard.evidence().filter_map(|evidence| evidence.note()).collect();
    let warnings = scoreboard.evidence().filter_map(|evidence| evidence.warning());
    let warnings: Vec<_> = warnings.map(|warning| warning.join("\n  ")).collect();
    for (kind, texts) in [("Note", notes), ("Warning", warnings)] {
        for text in texts.iter().take(MAX_WARNINGS) {
            writeln!(out, "{text}")?;
        }
        if let more @ 1.. = texts.len().saturating_sub(MAX_WARNINGS) {
            writeln!(out, "{kind}: the same in {}", plural(more, "more encounter"))?;
        }
    }
    Ok(())
}

/// Writes the results of two players against each other.
fn write_head_to_head(
    out: &mut dyn Write,
    scoreboard: &Scoreboard,
    first: &str,
    second: &str,
) -> io::Result<()> {
    let tally = scoreboard.tally(first, second);
    let sample = tally.sample();
    let shown = |estimate: Option<EloEstimate>| match estimate {
        Some(estimate) if estimate.value.is_infinite() => {
            format!("{} (one-sided)", with_bounds(estimate, 1))
        }
        Some(estimate) => with_bounds(estimate, 1),
        None => "unknown".to_owned(),
    };
    writeln!(
        out,
        "\n{} against {}: {} ({} of {})",
        printable(first),
        printable(second),
        wins_draws_losses(&tally),
        tally.points(),
        tally.games()
    )?;
    writeln!(
        out,
        "Elo {}, normalized {}, likelihood of superiority {:.1} %",
        shown(logistic_elo(&sample)),
        shown(normalized_elo(&sample)),
        100.0 * likelihood_of_superiority(&sample)
    )?;
    let pairs = tally.pairs;
    if pairs.iter().sum::<u64>() > 0 {
        writeln!(out, "Pairs scoring 0, 1/2, 1, 3/2, 2: {pairs:?}")?;
    }
    Ok(())
}

fn sprt_line(scoreboard: &Scoreboard, sprt: &SprtProgress) -> String {
    let SprtProgress { test, player, opponent, decision, stopped } = sprt;
    let (low, high) = test.bounds();
    let (player, opponent) = (printable(player), printable(opponent));
    let hypotheses = format!("{} Elo {} or {}", test.model.name(), test.elo0, test.elo1);
    let ratio = sprt.llr(scoreboard);
    let [ratio, low, high] = [ratio, low, high].map(|number| decimal(number, 2));
    let outcome = match (decision, stopped) {
        (None, Some(Evidence { games, distinct, .. })) => format!(
            "stopped after {} without a verdict: only {distinct} of them are distinct",
            plural(*games, "game")
        ),
        (None, None) => format!("LLR {ratio} ({low}, {high}), undecided"),
        (Some(SprtDecision { games, .. }), _) => {
            let conclusion = sprt.conclusion(scoreboard).unwrap_or_default();
            let conclusion = printable(&conclusion);
            let games = plural(*games, "game");
            format!("LLR {ratio} ({low}, {high}) after {games}, {conclusion}")
        }
    };
    format!("SPRT of {player} against {opponent}, {hypotheses}: {outcome}")
}

fn wins_draws_losses(tally: &ScoreTally) -> String {
    format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses)
}

/// `+35 (+23 to +47)`; `above +120` or `below -120` for an infinite estimate.
fn with_bounds(estimate: EloEstimate, digits: usize) -> String {
    let [value, low, high] =
        [estimate.value, estimate.low, estimate.high].map(|number| signed(number, digits));
    match estimate.value {
        f64::INFINITY => format!("above {low}"),
        f64::NEG_INFINITY => format!("below {high}"),
        _ => format!("{value} ({low} to {high})"),
    }
}

/// Formats seconds as `h:mm:ss` or `m:ss`.
fn format_time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Formats the standings. Between two players the table has their Elo, as the line below it; among
/// several it has ratings.
fn standings_table(rows: &[PlayerTotals], is_duel: bool) -> String {
    let scale = if is_duel { "Elo" } else { "rating" };
    let header =
        ["", "engine", "games", "points", "%", "+", "=", "-", scale, "s/move", "depth", "faults"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    let decimal = |value: Option<f64>, digits: usize| {
        value.map_or("-".to_owned(), |value| decimal(value, digits))
    };
    for (index, row) in rows.iter().enumerate() {
        let faults: Vec<String> =
            row.faults.iter().map(|(word, count)| format!("{word} {count}")).collect();
        table.push(vec![
            (index + 1).to_string(),
            printable(&row.name).to_string(),
            row.tally.games().to_string(),
            row.tally.points().to_string(),
            decimal(row.share().map(|share| 100.0 * share), 1),
            row.tally.wins.to_string(),
            row.tally.draws.to_string(),
            row.tally.losses.to_string(),
            if is_duel { row.elo() } else { row.rating }
                .map_or("-".to_owned(), |elo| with_bounds(elo, 0)),
            decimal(row.mean_time(), 3),
            decimal(row.mean_depth(), 1),
            faults.join(", "),
        ]);
    }
    format_table(&table, &[0, 2, 3, 4, 5, 6, 7, 8, 9, 10]).join("\n")
}

fn crosstable(scoreboard: &Scoreboard, names: &[&str]) -> String {
    let table = scoreboard.crosstable(names);
    let mut rows = vec![vec!["".to_owned(), "points of row against column".to_owned()]];
    rows[0].extend((1..=names.len()).map(|number| number.to_string()));
    for (index, (name, tallies)) in names.iter().zip(&table).enumerate() {
        let mut row = vec![(index + 1).to_string(), printable(name).to_string()];
        row.extend(tallies.iter().enumerate().map(|(column, tally)| match tally.games() {
            _ if column == index => "·".to_owned(),
            0 => "-".to_owned(),
            games => format!("{}/{games}", tally.points()),
        }));
        rows.push(row);
    }
    let right: Vec<usize> = (0..names.len() + 2).filter(|column| *column != 1).collect();
    format_table(&rows, &right).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_shown_with_their_bounds() {
        for (value, low, high, text) in [
            (35.0, 23.0, 47.4, "+35 (+23 to +47)"),
            (89.0, -172.0, 238.0, "+89 (-172 to +238)"),
            (300.0, 50.0, f64::INFINITY, "+300 (+50 to +inf)"),
            (f64::INFINITY, 120.0, f64::INFINITY, "above +120"),
            (f64::NEG_INFINITY, f64::NEG_INFINITY, 93.6, "below +94"),
        ] {
            assert_eq!(with_bounds(EloEstimate { value, low, high }, 0), text);
        }
    }
}
