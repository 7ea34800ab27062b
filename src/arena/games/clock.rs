//! The clock of each player during a game.

use std::time::Duration;

use crate::arena::engines::fault::EngineFailure;
use crate::arena::engines::time_control::{MIN_TIME, PlayLimits, SearchLimits};
use crate::records::Termination;

#[derive(Debug, Clone)]
pub(crate) struct GameClock {
    limits: PlayLimits,
    left: Duration,
    moves_to_go: Option<u32>,
    has_moved: bool,
}

impl GameClock {
    pub(crate) fn new(limits: PlayLimits) -> Self {
        let left = limits.time_control.map_or(Duration::ZERO, |control| control.time);
        let moves_to_go = limits.time_control.and_then(|control| control.moves);
        Self { limits, left, moves_to_go, has_moved: false }
    }

    fn move_time(&self) -> Option<Duration> {
        let first = self.limits.first_move_time.filter(|_| !self.has_moved);
        first.or(self.limits.move_time)
    }

    /// Returns the time available for the next move; `None` if there is no time limit.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        let left = self.limits.time_control.map(|_| self.left);
        [left, self.move_time()].into_iter().flatten().min()
    }

    /// Deducts the time of a move; returns the overrun, if any.
    pub(crate) fn spend(&mut self, taken: Duration) -> Option<Duration> {
        let over = self.allowance().and_then(|allowed| taken.checked_sub(allowed));
        self.has_moved = true;
        if let Some(control) = self.limits.time_control {
            // An overrun within the margin is not carried over: the clock stops at zero.
            self.left = self.left.saturating_sub(taken) + control.increment;
            self.moves_to_go = match self.moves_to_go {
                Some(1) => {
                    self.left += control.time;
                    control.moves
                }
                moves => moves.map(|moves| moves - 1),
            };
        }
        over.filter(|over| !over.is_zero())
    }

    /// Names the setting for the first move of a game in the fault of an engine that was late with it.
    pub(crate) fn explain_late_start(&self, failure: EngineFailure) -> EngineFailure {
        match failure {
            EngineFailure::Fault(mut fault)
                if matches!(fault.termination, Termination::Time | Termination::Stall)
                    && !self.has_moved
                    && self.limits.move_time.is_some() =>
            {
                fault.reason += &match self.limits.first_move_time {
                    Some(time) => format!(" (its first move, firsttime={})", time.as_secs_f64()),
                    None => " (its first move; firsttime=1 would allow it a second)".to_owned(),
                };
                EngineFailure::Fault(fault)
            }
            other => other,
        }
    }

    /// Returns the limits of the next search of `mover`; `clocks` are those of the first and the
    /// second player.
    pub(crate) fn search_limits(clocks: &[Self; 2], mover: usize) -> SearchLimits {
        let own = &clocks[mover];
        // An engine without a clock might mistake the opponent's for its own.
        let has_clock = own.limits.time_control.is_some();
        let shown = |clock: &Self| {
            let control = clock.limits.time_control.filter(|_| has_clock)?;
            Some((clock.left.max(MIN_TIME), control.increment))
        };
        SearchLimits {
            clocks: clocks.each_ref().map(shown),
            moves_to_go: own.moves_to_go,
            move_time: own.move_time(),
            nodes: own.limits.nodes,
            depth: own.limits.depth,
            allowed: own.allowance(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engines::uci;
    use crate::protocol::reply::Dialect;

    fn go_command(clocks: [&GameClock; 2], mover: usize) -> String {
        let limits = GameClock::search_limits(&clocks.map(GameClock::clone), mover);
        uci::go_command(Dialect::Uci, &limits)
    }

    fn timed(text: &str) -> PlayLimits {
        PlayLimits { time_control: Some(text.parse().unwrap()), ..PlayLimits::default() }
    }

    #[test]
    fn clock_runs_down_and_is_reset_after_its_moves() {
        let mut clock = GameClock::new(timed("2/10+1"));
        assert_eq!(clock.spend(Duration::from_secs(4)), None);
        assert_eq!(clock.allowance(), Some(Duration::from_secs(7)));
        assert_eq!(clock.moves_to_go, Some(1));
        assert_eq!(clock.spend(Duration::from_secs(8)), Some(Duration::from_secs(1)));
        assert_eq!(clock.allowance(), Some(Duration::from_secs(11)));
        assert_eq!(clock.moves_to_go, Some(2));
    }

    #[test]
    fn first_move_has_its_own_time() {
        let mut limits = PlayLimits::default();
        for (key, value) in [("st", "0.1"), ("first", "1")] {
            limits.set(key, value).unwrap().unwrap();
        }
        assert_eq!(limits.to_string(), "st=0.1 firsttime=1");
        assert_eq!(PlayLimits::try_from(limits.to_string()), Ok(limits));
        let mut clock = GameClock::new(limits);
        assert_eq!(go_command([&clock, &clock], 0), "go movetime 1000");
        assert_eq!(clock.spend(Duration::from_millis(1200)), Some(Duration::from_millis(200)));
        assert_eq!(clock.allowance(), Some(Duration::from_millis(100)));
        assert_eq!(go_command([&clock, &clock], 1), "go movetime 100");
    }

    #[test]
    fn go_command_has_both_clocks_and_the_limits_of_the_mover() {
        let first = GameClock::new(PlayLimits { nodes: Some(7), ..timed("40/60+0.5") });
        let second = GameClock::new(timed("5"));
        let untimed = GameClock::new(PlayLimits { depth: Some(3), ..PlayLimits::default() });
        assert_eq!(
            go_command([&first, &second], 0),
            "go wtime 60000 winc 500 btime 5000 binc 0 movestogo 40 nodes 7"
        );
        assert_eq!(go_command([&first, &second], 1), "go wtime 60000 winc 500 btime 5000 binc 0");
        assert_eq!(go_command([&first, &untimed], 1), "go depth 3");
        assert_eq!(untimed.allowance(), None);
    }
}
