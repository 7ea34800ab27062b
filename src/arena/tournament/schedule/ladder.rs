//! The pairings of a ladder.

use super::{Pairing, Schedule};

impl Schedule {
    /// The next batch of a ladder, which follows from all batches but the latest. That one may still be
    /// played: no worker waits for another, and yet the order in which games end does not matter.
    /// Only the end needs all results, since the latest may widen an interval that was narrow enough.
    pub(super) fn ladder(&self, round: u32) -> Option<Vec<Pairing>> {
        let ladder = self.ladder.as_ref()?;
        let all = self.batches.len();
        let known = all.saturating_sub(1);
        let is_running = |batches| self.running.values().any(|(batch, ..)| *batch < batches);
        if is_running(known) {
            return None;
        }
        let mut next = ladder.next_references(&self.ladder_pairs(known));
        if next.is_empty() && !is_running(all) {
            next = ladder.next_references(&self.ladder_pairs(all));
        }
        let left = self.rounds as usize - self.batches.iter().map(Vec::len).sum::<usize>();
        let next = next.into_iter().take(left);
        let next = next.map(|reference| Pairing { round, players: [0, reference + 1] });
        Some(next.collect()).filter(|next: &Vec<_>| !next.is_empty())
    }

    /// The pairs of the first batches with each reference, by points.
    fn ladder_pairs(&self, batches: usize) -> Vec<[u64; 5]> {
        let mut pairs = vec![[0; 5]; self.players - 1];
        for (batch, pairings) in self.batches[..batches].iter().enumerate() {
            for (index, Pairing { players: [_, opponent], .. }) in pairings.iter().enumerate() {
                let [half_points, _] = self.half_points(batch, index);
                pairs[opponent - 1][half_points as usize] += 1;
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::NextGame;
    use super::*;
    use crate::arena::games::match_game::GamePlan;
    use crate::arena::tournament::ladder_rating::LadderRating;
    use crate::arena::tournament::scoreboard::Scoreboard;
    use crate::arena::tournament::tournament_setup::TournamentFormat;
    use crate::records::GameRecord;
    use crate::rules::{Outcome, Side, SplitMix};
    use crate::scale::references;
    use crate::scale::{Ladder, PAIRS_PER_BATCH};
    use crate::statistics::{EloEstimate, ObservationUnit, expected_score};

    /// The ladder of the program, with references that are known within ± 20.
    fn ladder(precision: f64) -> Ladder {
        let mut ladder = references::ladder("tixtax", precision).unwrap().1;
        ladder.references.iter_mut().for_each(|reference| reference.margin = 20.0);
        ladder
    }

    fn schedule(ladder: &Ladder, games: u32) -> Schedule {
        let format = TournamentFormat::Ladder;
        let players = ladder.references.len() + 1;
        let schedule = Schedule::new(format, players, games / 2, 2, true);
        Schedule { ladder: Some(ladder.clone()), ..schedule }
    }

    /// Nearly normal, with unit variance.
    fn deviation(random: &mut SplitMix) -> f64 {
        let sum: f64 = (0..12).map(|_| uniform(random)).sum();
        sum - 6.0
    }

    fn uniform(random: &mut SplitMix) -> f64 {
        random.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// What happens in a game of an engine of this strength. The number of the game decides, so that
    /// the order in which games end does not matter. Unbalanced openings favour a side, and players
    /// of equal strength draw three games of ten.
    fn result(plan: &GamePlan, strength: f64, references: &[f64], seed: u64) -> Outcome {
        let mut opening = SplitMix::new(seed ^ u64::from(plan.opening));
        let favour =
            if plan.opening.is_multiple_of(2) { 30.0 } else { 150.0 } * deviation(&mut opening);
        let mut random = SplitMix::new(seed ^ u64::from(plan.number) << 32);
        let elo = |player: usize| if player == 0 { strength } else { references[player - 1] };
        let expected = expected_score(elo(plan.players[0]) - elo(plan.players[1]) + favour);
        let draws = 1.2 * expected * (1.0 - expected);
        match uniform(&mut random) {
            chance if chance < draws => Outcome::Draw,
            chance if chance < draws / 2.0 + expected => Outcome::Win(Side::P1),
            _ => Outcome::Win(Side::P2),
        }
    }

    /// Plays a ladder to its end, with `parallel` games at a time; returns the games, sorted.
    fn play(
        schedule: &mut Schedule,
        parallel: usize,
        decide: impl Fn(&GamePlan) -> Outcome,
    ) -> Vec<GamePlan> {
        let (mut running, mut all): (Vec<GamePlan>, _) = (Vec::new(), Vec::new());
        loop {
            let next = schedule.next_game();
            match next {
                (NextGame::Game(plan), true) => {
                    schedule.record_result(plan.number, Some(decide(&plan)));
                    all.push(plan);
                    continue;
                }
                (NextGame::Game(plan), false) => {
                    running.push(plan.clone());
                    all.push(plan);
                    if running.len() < parallel {
                        continue;
                    }
                }
                (NextGame::Done, _) if running.is_empty() => break,
                _ => assert!(!running.is_empty(), "waits without running games"),
            }
            // The order in which games end is anything but that in which they begin.
            let plan = running.remove(running.len() * 7 / 3 % running.len());
            schedule.record_result(plan.number, Some(decide(&plan)));
        }
        all.sort_by_key(|plan| plan.number);
        all
    }

    fn rating(
        ladder: &Ladder,
        games: &[GamePlan],
        decide: impl Fn(&GamePlan) -> Outcome,
    ) -> EloEstimate {
        let names: Vec<String> =
            (0..=ladder.references.len()).map(|player| player.to_string()).collect();
        let mut scoreboard = Scoreboard::new(names.clone(), ObservationUnit::Pairs);
        for plan in games {
            scoreboard.add(&GameRecord {
                number: plan.number,
                pair: plan.pair,
                players: plan.players.map(|player| names[player].clone()),
                result: Some(decide(plan)),
                ..GameRecord::default()
            });
        }
        LadderRating::new(ladder, &scoreboard).estimate
    }

    /// A hundred engines of known strength, against references whose ratings are as uncertain as
    /// they say.
    #[test]
    fn engines_of_known_strength_get_ratings_within_their_intervals() {
        let ladder = ladder(25.0);
        let (mut within, mut longest, mut total) = (0, 0, 0);
        for seed in 0..100 {
            let mut random = SplitMix::new(seed);
            let strength = 700.0 + 1700.0 * uniform(&mut random);
            let truth = ladder.references.iter().map(|reference| {
                reference.elo + reference.variance().sqrt() * deviation(&mut random)
            });
            let truth: Vec<f64> = truth.collect();
            let decide = |plan: &GamePlan| result(plan, strength, &truth, seed);
            let games = play(&mut schedule(&ladder, 1500), 2, decide);
            let EloEstimate { value, low, high } = rating(&ladder, &games, decide);
            assert!(
                high - value <= 25.0,
                "{strength}: {value} {low} to {high} after {}",
                games.len()
            );
            within += u32::from(low <= strength && strength <= high);
            longest = longest.max(games.len());
            total += games.len();
        }
        assert!(within >= 90, "{within} of 100");
        assert!(longest <= 1500, "{longest}");
        println!("{within} of 100 within, {} games on average, at most {longest}", total / 100);
    }

    #[test]
    fn games_depend_neither_on_their_order_nor_on_interruptions() {
        let ladder = ladder(60.0);
        let truth: Vec<f64> = ladder.references.iter().map(|reference| reference.elo).collect();
        let decide = |plan: &GamePlan| result(plan, 1900.0, &truth, 1);
        let all = play(&mut schedule(&ladder, 1500), 1, decide);
        assert!((40..400).contains(&all.len()), "{}", all.len());
        for batch in all.chunks(2 * PAIRS_PER_BATCH) {
            let opponents: HashSet<usize> = batch.iter().flat_map(|plan| plan.players).collect();
            assert_eq!(opponents.len(), 1 + PAIRS_PER_BATCH, "all different, and the engine");
        }
        for parallel in [2, 3, 16] {
            assert_eq!(play(&mut schedule(&ladder, 1500), parallel, decide), all, "{parallel}");
        }
        for cut in (0..all.len()).step_by(7) {
            let mut resumed = schedule(&ladder, 1500);
            // The games played so far need not be a prefix.
            let played = all[..cut].iter().filter(|plan| plan.number % 5 != 3);
            played.for_each(|plan| resumed.mark_played(plan.number));
            assert_eq!(play(&mut resumed, 2, decide), all, "{cut}");
        }
        let short = play(&mut schedule(&ladder, 18), 2, decide);
        assert_eq!(short, all[..18]);
    }

    #[test]
    fn an_engine_beyond_the_scale_ends_the_ladder_early() {
        let ladder = ladder(25.0);
        for (result, extreme) in [(Side::P1, "level-20"), (Side::P2, "random")] {
            let decide = |plan: &GamePlan| match plan.players[0] {
                0 => Outcome::Win(result),
                _ => Outcome::Win(result.other()),
            };
            let games = play(&mut schedule(&ladder, 1500), 2, decide);
            assert!((40..=64).contains(&games.len()), "{}", games.len());
            let names = references::ladder("tixtax", 25.0).unwrap().0;
            let last = &games[games.len() - 8..];
            assert!(
                last.iter()
                    .flat_map(|plan| plan.players)
                    .any(|player| player > 0 && names[player - 1] == extreme)
            );
        }
    }
}
