//! The time manager: turns a clock into a budget for one move.

use std::time::Duration;

/// A player's clock as reported by the client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlayerClock {
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
}

/// Time for one move; `None` means unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new depth starts after this.
    pub soft: Option<Duration>,
    /// The search stops at this.
    pub hard: Option<Duration>,
}

impl TimeBudget {
    /// A fixed time for the move, used in full.
    #[must_use]
    pub fn fixed(time: Duration) -> Self {
        Self { soft: None, hard: Some(time) }
    }

    /// A share of the clock. `overhead` is kept in reserve for communication with the client, and a
    /// part of it for each further move. `max_plies_left` bounds the length of the game. With
    /// pondering the share is larger, since part of the thinking happens on the opponent's time.
    #[must_use]
    pub fn share(
        clock: PlayerClock,
        overhead: Duration,
        max_plies_left: Option<u32>,
        ponders: bool,
    ) -> Self {
        // Moves to budget for if the time control sets no number; also the most in games of unbounded
        // length.
        const MOVES_TO_GO: u32 = 30;
        // With this many plies left, searches usually prove the value. Sharing the time among the moves
        // before that gained 36 Elo.
        const PROVEN_PLIES: u32 = 40;
        // Moves to budget for even then.
        const MIN_UNPROVEN_MOVES: u32 = 4;
        // On a busy machine a move costs more than its search: each process has to wait for a core.
        const OVERHEAD_DIVISOR: u32 = 10;
        // Most games end well before the rules force an end: keep the overhead for two thirds of the
        // longest game.
        let max_moves = max_plies_left.map_or(MOVES_TO_GO, |plies| plies / 3 + 1);
        let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, max_moves.max(1));
        let lost_per_move = (overhead / OVERHEAD_DIVISOR).saturating_sub(clock.increment);
        let usable = clock.left.saturating_sub(overhead + lost_per_move * (moves - 1));
        let unproven_moves = max_plies_left
            .map_or(moves, |plies| plies.saturating_sub(PROVEN_PLIES) / 3 + MIN_UNPROVEN_MOVES);
        let fair = usable / moves.min(unproven_moves) + clock.increment * 3 / 4;
        // A depth begun before the soft limit may run past it, up to the hard limit.
        let soft = if ponders { fair * 4 / 5 } else { fair * 3 / 5 };
        // Never spend more than this part of the remaining time on one move.
        let ceiling = if moves == 1 { usable * 9 / 10 } else { usable / 2 };
        let hard = (fair * 3).min(ceiling);
        Self { soft: Some(soft.min(hard)), hard: Some(hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> PlayerClock {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        PlayerClock { left, increment, moves_to_go }
    }

    #[test]
    fn budget_never_exceeds_the_clock() {
        for left in [0, 1, 10, 11, 50, 1000, 60_000] {
            for increment in [0, 100, 10_000] {
                for moves_to_go in [None, Some(1), Some(40)] {
                    for plies in [None, Some(1), Some(81)] {
                        let clock = clock(left, increment, moves_to_go);
                        let budget = TimeBudget::share(clock, OVERHEAD, plies, true);
                        let usable = Duration::from_millis(left).saturating_sub(OVERHEAD);
                        assert!(budget.soft <= budget.hard);
                        assert!(budget.hard.unwrap() <= usable, "{clock:?}: {budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_time_the_budget_is_zero() {
        let budget = TimeBudget::share(clock(5, 0, None), OVERHEAD, Some(60), false);
        assert_eq!(budget.hard, Some(Duration::ZERO));
    }

    #[test]
    fn a_part_of_the_overhead_is_kept_for_each_further_move() {
        let hard = |left, increment, moves_to_go| {
            let clock = clock(left, increment, moves_to_go);
            TimeBudget::share(clock, OVERHEAD, Some(81), false).hard.unwrap()
        };
        assert_eq!(hard(37, 0, None), Duration::ZERO, "10 ms, and 1 ms for each of 27 moves");
        assert!(hard(38, 0, None) > Duration::ZERO);
        assert!(hard(11, 1, None) > Duration::ZERO, "the increment covers it");
        assert!(hard(11, 0, Some(1)) > Duration::ZERO, "the clock is reset before the next move");
        let mut left = 50_000;
        for ply in (0..81).step_by(2) {
            let clock = PlayerClock { left: Duration::from_micros(left), ..clock(0, 0, None) };
            let budget = TimeBudget::share(clock, OVERHEAD, Some(81 - ply), false);
            left -= (budget.hard.unwrap().as_micros() as u64) / 2 + 500;
        }
        assert!(left > 5_000, "0.5 ms more than half of each budget: {left} µs left");
    }

    #[test]
    fn a_game_of_maximum_length_never_loses_on_time() {
        let mut left = Duration::from_secs(10);
        for ply in (0..81).step_by(2) {
            let clock = PlayerClock { left, ..clock(0, 0, None) };
            let budget = TimeBudget::share(clock, OVERHEAD, Some(81 - ply), false);
            left -= budget.hard.unwrap();
        }
        assert!(left > Duration::ZERO);
    }

    #[test]
    fn the_time_is_spent_before_the_value_is_proven() {
        let mut left = Duration::from_secs(10);
        for ply in (0..40).step_by(2) {
            let clock = PlayerClock { left, ..clock(0, 0, None) };
            let soft = TimeBudget::share(clock, OVERHEAD, Some(81 - ply), false).soft.unwrap();
            assert!(soft > Duration::from_millis(300), "ply {ply}: {soft:?}");
            left -= soft;
        }
        assert!(left < Duration::from_secs(4), "{left:?} are left");
    }
}
