//! Counting the leaves of a game tree: the classic check of a move generator.
//!
//! Repetition is ignored: two paths to one position are two leaves. The last ply is counted, not
//! played; no table remembers anything.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::Game;

/// The number of move sequences of length `depth`.
#[must_use]
pub fn perft<G: Game>(pos: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.move_count() as u64,
        2 => pos.legal_moves().into_iter().map(|mv| pos.reply_count(mv) as u64).sum(),
        _ => pos.legal_moves().into_iter().map(|mv| perft(&pos.after(mv), depth - 1)).sum(),
    }
}

/// As [`perft()`], but gives up with `None` soon after `stop` is set.
fn perft_until<G: Game>(pos: &G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    const UNINTERRUPTED: u32 = 4;
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(perft(pos, depth));
    }
    pos.legal_moves().into_iter().map(|mv| perft_until(&pos.after(mv), depth - 1, stop)).sum()
}

/// The leaf counts behind each legal move, in the order of the move list, computed on `threads`
/// threads; `None` if `stop` was set before the end. `depth` must be at least 1.
#[must_use]
pub fn divide<G: Game>(
    pos: &G,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<(G::Move, u64)>> {
    let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let tasks = tasks(pos, depth, &moves);
    let next_task = AtomicUsize::new(0);
    let complete = AtomicBool::new(true);
    let work = || {
        while let Some(task) = tasks.get(next_task.fetch_add(1, Ordering::Relaxed)) {
            match perft_until(&task.pos, task.depth, stop) {
                Some(leaves) => counts[task.move_number].fetch_add(leaves, Ordering::Relaxed),
                None => return complete.store(false, Ordering::Relaxed),
            };
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system has no thread to give, those that are there do the work.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let counts = counts.into_iter().map(AtomicU64::into_inner);
    complete.into_inner().then(|| moves.into_iter().zip(counts).collect())
}

struct Task<G> {
    pos: G,
    depth: u32,
    move_number: usize,
}

/// Cuts the tree two plies down, fine enough to keep all threads busy to the end.
fn tasks<G: Game>(pos: &G, depth: u32, moves: &[G::Move]) -> Vec<Task<G>> {
    let mut tasks = Vec::new();
    for (move_number, &mv) in moves.iter().enumerate() {
        let child = pos.after(mv);
        if depth < 3 {
            tasks.push(Task { pos: child, depth: depth - 1, move_number });
            continue;
        }
        for reply in child.legal_moves() {
            tasks.push(Task { pos: child.after(reply), depth: depth - 2, move_number });
        }
    }
    tasks
}
