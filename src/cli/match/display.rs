//! What is seen of a match: a live line on a terminal, plain lines elsewhere, tables at the end.

use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use crate::arena::record::{GameRecord, result_text};
use crate::arena::scoreboard::{Scoreboard, Standing};
use crate::arena::setup::{TournamentFormat, TournamentSetup};
use crate::arena::sprt_progress::{SprtDecision, SprtProgress};
use crate::arena::statistics::{
    EloEstimate, ScoreTally, SprtVerdict, likelihood_of_superiority, logistic_elo, normalized_elo,
};

/// Shows a match on stdout.
pub(super) struct MatchDisplay {
    is_terminal: bool,
    /// The games that are played, where it is not all of them.
    part: Option<RangeInclusive<u32>>,
    total: Option<u64>,
    /// Games that were finished before, and now.
    before: u64,
    now: u64,
    names: Vec<String>,
    began: Instant,
    last_shown: Option<Instant>,
}

/// How the tournament is called.
pub(super) fn format_name(setup: &TournamentSetup) -> String {
    let (count, rounds, games) = (setup.engines.len(), setup.rounds, setup.games);
    let kind = match setup.tournament {
        TournamentFormat::RoundRobin if count == 2 => "match",
        TournamentFormat::RoundRobin => "round robin",
        TournamentFormat::Gauntlet => "gauntlet",
        TournamentFormat::Knockout => "knockout",
        TournamentFormat::Swiss => "Swiss tournament",
    };
    let plural =
        |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{kind} of {count} engines, {} of {}", plural(rounds, "round"), plural(games, "game"))
}

impl MatchDisplay {
    pub(super) fn new(
        setup: &TournamentSetup,
        part: Option<RangeInclusive<u32>>,
        total: Option<u64>,
        before: u64,
    ) -> Self {
        Self {
            is_terminal: io::stdout().is_terminal(),
            part,
            total,
            before,
            now: 0,
            names: setup.engines.iter().map(|engine| engine.name.clone()).collect(),
            began: Instant::now(),
            last_shown: None,
        }
    }

    /// For a record that was played long ago.
    pub(super) fn of_record(games: u64) -> Self {
        Self {
            is_terminal: false,
            part: None,
            total: Some(games),
            before: games,
            now: 0,
            names: Vec::new(),
            began: Instant::now(),
            last_shown: None,
        }
    }

    pub(super) fn begin(&self, setup: &TournamentSetup) -> io::Result<()> {
        let mut line = format!("{}: {}", setup.game, format_name(setup));
        if let Some(part) = &self.part {
            line += &format!(", of these games {}-{}", part.start(), part.end());
        }
        if let Some(total) = self.total {
            line += &format!(", {total} in all");
        }
        if self.before > 0 {
            line += &format!("; {} played before", self.before);
        }
        self.say(&line)
    }

    /// A game was finished.
    pub(super) fn game(
        &mut self,
        game: &GameRecord,
        scoreboard: &Scoreboard,
        trial: Option<&SprtProgress>,
    ) -> io::Result<()> {
        /// Off a terminal, the score is told so often.
        const INTERIM: Duration = Duration::from_secs(10);
        /// A live line is not changed more often.
        const PAUSE: Duration = Duration::from_millis(100);
        self.now += 1;
        let [first, second] = &game.players;
        let GameRecord { number, reason, result, .. } = game;
        let line = format!(
            "game {number}: {first} {} {second}, {reason} ({} plies)",
            result_text(*result),
            game.moves.len()
        );
        if !self.is_terminal {
            self.say(&line)?;
            let last = *self.last_shown.get_or_insert(self.began);
            if last.elapsed() >= INTERIM {
                self.last_shown = Some(Instant::now());
                self.say(&format!("so far: {}", self.progress(scoreboard, trial)))?;
            }
            return Ok(());
        }
        if game.termination.is_fault() || game.result.is_none() {
            self.note(&line)?;
        }
        for claim in &game.broken_claims {
            self.note(&format!("game {number}: {claim}"))?;
        }
        let is_due = self.last_shown.is_none_or(|last| last.elapsed() >= PAUSE);
        if is_due || Some(self.before + self.now) == self.total {
            self.last_shown = Some(Instant::now());
            let line = self.progress(scoreboard, trial);
            let mut out = io::stdout().lock();
            write!(out, "\r{line}\x1b[K")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Something that should not be overlooked.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        if self.is_terminal {
            write!(io::stdout(), "\r\x1b[K")?;
        }
        self.say(text)
    }

    fn say(&self, line: &str) -> io::Result<()> {
        writeln!(io::stdout(), "{line}")
    }

    fn progress(&self, scoreboard: &Scoreboard, trial: Option<&SprtProgress>) -> String {
        let done = self.before + self.now;
        let mut parts = vec![match self.total {
            Some(total) => format!("{done}/{total} games"),
            None => format!("{done} games"),
        }];
        match self.names.as_slice() {
            [first, second] => {
                let tally = scoreboard.tally(first, second);
                parts.push(format!("{first} {}", wins_draws_losses(&tally)));
                let elo = logistic_elo(&tally.sample()).filter(|elo| elo.value.is_finite());
                parts.extend(elo.map(|elo| format!("Elo {}", with_error(elo))));
                parts.extend(trial.map(|trial| {
                    let (low, high) = trial.test.bounds();
                    let ratio = trial.test.log_likelihood_ratio(&tally);
                    format!("LLR {ratio:.2} ({low:.2}, {high:.2})")
                }));
            }
            names => {
                let points = |name: &String| scoreboard.field_tally(name).points();
                let better =
                    |left: &&String, right: &&String| points(left).total_cmp(&points(right));
                let leader = names.iter().max_by(better);
                parts.extend(leader.map(|name| format!("{name} leads with {}", points(name))));
            }
        }
        if let Some(total) = self.total.filter(|_| self.now > 0) {
            let left = total.saturating_sub(done);
            let each = self.began.elapsed().as_secs_f64() / self.now as f64;
            parts.push(format!("{} left", hours(each * left as f64)));
        }
        parts.join("  ")
    }

    /// The tables at the end.
    pub(super) fn end(
        &self,
        scoreboard: &Scoreboard,
        trial: Option<&SprtProgress>,
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.is_terminal && self.now > 0 {
            writeln!(out)?;
        }
        if self.before + self.now == 0 {
            return writeln!(out, "no game was finished");
        }
        let standings = scoreboard.standings();
        writeln!(out, "\n{}", standings_table(&standings.rows))?;
        if standings.regularised {
            writeln!(
                out,
                "Somebody only won or only lost: ratings with a virtual draw added for each."
            )?;
        }
        let names: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
        match (self.names.as_slice(), names.as_slice()) {
            ([first, second], _) => write_duel(&mut out, scoreboard, first, second)?,
            ([], [first, second]) => write_duel(&mut out, scoreboard, first, second)?,
            (_, names) => writeln!(out, "\n{}", crosstable(scoreboard, names))?,
        }
        if let Some(trial) = trial {
            writeln!(out, "{}", trial_line(scoreboard, trial))?;
        }
        let ends: Vec<String> =
            scoreboard.terminations().map(|(word, count)| format!("{word} {count}")).collect();
        writeln!(out, "Ends: {}", ends.join(", "))?;
        if scoreboard.uncounted() > 0 {
            writeln!(out, "{} game(s) without a result do not count", scoreboard.uncounted())?;
        }
        if scoreboard.broken_claims() > 0 {
            writeln!(out, "{} claim(s) of a proven win were not kept", scoreboard.broken_claims())?;
        }
        Ok(())
    }
}

/// What two players did against each other.
fn write_duel(
    out: &mut dyn Write,
    scoreboard: &Scoreboard,
    first: &str,
    second: &str,
) -> io::Result<()> {
    let tally = scoreboard.tally(first, second);
    let sample = tally.sample();
    let shown = |estimate: Option<EloEstimate>| estimate.map_or("unknown".to_owned(), with_bounds);
    writeln!(
        out,
        "\n{first} against {second}: {} ({} of {})",
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
    let pairs = tally.pairs();
    if pairs.iter().sum::<u64>() > 0 {
        writeln!(out, "Pairs by points 0, 1/2, 1, 3/2, 2: {pairs:?}")?;
    }
    Ok(())
}

fn trial_line(scoreboard: &Scoreboard, trial: &SprtProgress) -> String {
    let SprtProgress { test, player, decision, .. } = trial;
    let (low, high) = test.bounds();
    let hypotheses = format!("{} Elo {} against {}", test.model().name(), test.elo0(), test.elo1());
    let ratio = trial.llr(scoreboard);
    let outcome = match decision {
        None => format!("LLR {ratio:.2} ({low:.2}, {high:.2}), not decided"),
        Some(SprtDecision { verdict, games, .. }) => {
            let accepted = match verdict {
                SprtVerdict::AcceptH1 => format!("H1 accepted: {player} is stronger"),
                _ => format!("H0 accepted: {player} is not stronger by so much"),
            };
            format!("LLR {ratio:.2} ({low:.2}, {high:.2}) after {games} games, {accepted}")
        }
    };
    format!("SPRT of {hypotheses}: {outcome}")
}

fn wins_draws_losses(tally: &ScoreTally) -> String {
    format!("+{} ={} -{}", tally.wins(), tally.draws(), tally.losses())
}

/// `+35 ±12`.
fn with_error(estimate: EloEstimate) -> String {
    let error = (estimate.high - estimate.low) / 2.0;
    match error.is_finite() {
        true => format!("{:+.0} ±{error:.0}", estimate.value),
        false => format!("{:+.0}", estimate.value),
    }
}

/// `+35 (+23 to +47)`.
fn with_bounds(estimate: EloEstimate) -> String {
    let EloEstimate { value, low, high } = estimate;
    format!("{value:+.1} ({low:+.1} to {high:+.1})")
}

fn hours(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn standings_table(rows: &[Standing]) -> String {
    let heads = [
        "", "engine", "games", "points", "%", "+", "=", "-", "rating", "s/move", "depth", "faults",
    ];
    let mut table = vec![heads.map(str::to_owned)];
    let with = |value: Option<f64>, digits: usize| {
        value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
    };
    for (index, row) in rows.iter().enumerate() {
        let faults: Vec<String> =
            row.faults.iter().map(|(word, count)| format!("{word} {count}")).collect();
        table.push([
            (index + 1).to_string(),
            row.name.clone(),
            row.tally.games().to_string(),
            row.points.to_string(),
            with(row.share.map(|share| 100.0 * share), 1),
            row.tally.wins().to_string(),
            row.tally.draws().to_string(),
            row.tally.losses().to_string(),
            row.rating.map_or("-".to_owned(), with_error),
            with(row.mean_time, 3),
            with(row.mean_depth, 1),
            faults.join(", "),
        ]);
    }
    columns(&table, &[1, 11])
}

fn crosstable(scoreboard: &Scoreboard, names: &[&str]) -> String {
    let table = scoreboard.crosstable(names);
    let mut rows = vec![vec!["".to_owned(), "points of row against column".to_owned()]];
    rows[0].extend((1..=names.len()).map(|number| number.to_string()));
    for (index, (name, tallies)) in names.iter().zip(&table).enumerate() {
        let mut row = vec![(index + 1).to_string(), (*name).to_owned()];
        row.extend(tallies.iter().enumerate().map(|(column, tally)| match tally.games() {
            _ if column == index => "·".to_owned(),
            0 => "-".to_owned(),
            games => format!("{}/{games}", tally.points()),
        }));
        rows.push(row);
    }
    columns(&rows, &[1])
}

/// Rows in columns; those named are set to the left.
fn columns<R: AsRef<[String]>>(rows: &[R], left: &[usize]) -> String {
    let count = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|column| {
            let width = |row: &R| row.as_ref().get(column).map_or(0, |cell| cell.chars().count());
            rows.iter().map(width).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &R| {
        let cell = |(column, cell): (usize, &String)| match (widths[column], left.contains(&column))
        {
            (width, true) => format!("{cell:<width$}"),
            (width, false) => format!("{cell:>width$}"),
        };
        let cells: Vec<String> = row.as_ref().iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
