//! Perft: counts the leaves of a game tree, the standard check of a move generator.
//!
//! Repetition is ignored and nothing is cached: every path counts. The last ply is counted in bulk
//! with [`Game::reply_count`].

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::Game;
use crate::platform::poll;

/// The number of move sequences of `depth` plies.
#[must_use]
pub fn perft<G: Game>(pos: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.move_count() as u64,
        2 => pos.legal_moves().into_iter().map(|mv| pos.reply_count(mv) as u64).sum(),
        _ => pos.legal_moves().into_iter().map(|mv| perft(&pos.after(mv), depth - 1)).sum(),
    }
}

/// Like [`perft()`], but returns `None` soon after `stop` is set.
fn perft_until<G: Game>(pos: &G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    const UNINTERRUPTED: u32 = 4;
    poll();
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(perft(pos, depth));
    }
    pos.legal_moves().into_iter().map(|mv| perft_until(&pos.after(mv), depth - 1, stop)).sum()
}

/// The leaf count of each legal move, in the order of the move list, computed on `threads` threads;
/// `None` if `stop` was set before the end. `depth` must be at least 1.
#[must_use]
pub fn divide<G: Game>(
    pos: &G,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<(G::Move, u64)>> {
    let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let subtrees = subtrees(pos, depth, &moves);
    let next_subtree = AtomicUsize::new(0);
    let complete = AtomicBool::new(true);
    let work = || {
        while let Some(subtree) = subtrees.get(next_subtree.fetch_add(1, Ordering::Relaxed)) {
            match perft_until(&subtree.pos, subtree.depth, stop) {
                Some(leaves) => counts[subtree.root_move].fetch_add(leaves, Ordering::Relaxed),
                None => return complete.store(false, Ordering::Relaxed),
            };
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If no more threads can be spawned, the existing ones do the work.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let counts = counts.into_iter().map(AtomicU64::into_inner);
    complete.into_inner().then(|| moves.into_iter().zip(counts).collect())
}

/// A unit of work for one thread.
struct Subtree<G> {
    pos: G,
    depth: u32,
    /// The index of the root move it belongs to.
    root_move: usize,
}

/// Splits the tree at ply two, fine enough to keep all threads busy until the end.
fn subtrees<G: Game>(pos: &G, depth: u32, moves: &[G::Move]) -> Vec<Subtree<G>> {
    let mut subtrees = Vec::new();
    for (root_move, &mv) in moves.iter().enumerate() {
        let child = pos.after(mv);
        if depth < 3 {
            subtrees.push(Subtree { pos: child, depth: depth - 1, root_move });
            continue;
        }
        for reply in child.legal_moves() {
            subtrees.push(Subtree { pos: child.after(reply), depth: depth - 2, root_move });
        }
    }
    subtrees
}
