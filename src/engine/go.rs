//! The arguments of `go`, resolved against the game.

use std::time::Duration;

use crate::printing::plural;
use crate::protocol::GoOptions;
use crate::protocol::reply::Dialect;
use crate::rules::Side;
use crate::search::{Limits, PlayerClock, TimeBudget};
use crate::thinking::{AnyGame, SearchRequest, Settings};

pub(super) fn request(
    go: &GoOptions<'_>,
    game: &dyn AnyGame,
    settings: &Settings,
    dialect: Dialect,
) -> SearchRequest {
    let limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        win_within: go.mate.map(|count| dialect.mate_plies(count)),
        budget: time_budget(go, game, settings),
    };
    let moves = go.search_moves.iter().map(|mv| (*mv).to_owned()).collect();
    SearchRequest { moves, limits, ..settings.request() }
}

fn time_budget(go: &GoOptions<'_>, game: &dyn AnyGame, settings: &Settings) -> TimeBudget {
    let milliseconds = |time: i64| Duration::from_millis(time.try_into().unwrap_or(0));
    if go.infinite {
        return TimeBudget::default();
    }
    // A client that sends only one clock means the clock of the side to move.
    let [mover, other] = [game.side(), game.side().other()].map(Side::index);
    let clock = if go.time[mover].is_some() { mover } else { other };
    let by_clock = go.time[clock].map(|left| {
        let clock = PlayerClock {
            left: milliseconds(left),
            increment: go.increment[clock].map_or(Duration::ZERO, milliseconds),
            moves_to_go: go.moves_to_go.filter(|moves| *moves > 0),
        };
        let max_plies_left = game.max_plies_left();
        TimeBudget::share(clock, settings.move_overhead, max_plies_left, settings.ponder)
    });
    match (by_clock, go.move_time.map(milliseconds)) {
        (Some(share), Some(fixed)) => {
            let earlier = |time: Option<Duration>| time.map(|time| time.min(fixed));
            TimeBudget { soft: earlier(share.soft), hard: earlier(share.hard) }
        }
        (Some(share), None) => share,
        (None, Some(fixed)) => TimeBudget::fixed(fixed),
        (None, None) => TimeBudget::default(),
    }
}

/// Describes how `go` was understood, for clients that switched debugging on.
pub(super) fn describe(limits: Limits, candidates: usize) -> String {
    let Limits { depth, nodes, win_within, budget } = limits;
    let parts = [
        depth.map(|depth| format!("depth {depth}")),
        nodes.map(|nodes| format!("nodes {nodes}")),
        win_within.map(|plies| format!("win within {}", plural(plies, "ply"))),
        budget.soft.map(|time| format!("soft time limit {} ms", time.as_millis())),
        budget.hard.map(|time| format!("hard time limit {} ms", time.as_millis())),
    ];
    let candidates = plural(candidates, "candidate move");
    [candidates].into_iter().chain(parts.into_iter().flatten()).collect::<Vec<_>>().join(", ")
}
