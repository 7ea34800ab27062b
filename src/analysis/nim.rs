//! What `analyze` computes about Board Nim: which gaps are lost, and two ways to see it without
//! binary numbers.
//!
//! The side to move loses if and only if the xor of the gap sizes (the nim-sum) is 0. Two methods for
//! human players give the same result. Method one pairs off equal gaps: if all but one or two of
//! them pair off, some move makes all pair off. Method two is a list of lost positions that do not
//! pair off. A position is lost if its gaps pair off or are on the list.

mod columns;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::{Figure, GameAnalysis, names};
use crate::games::Nim;
use crate::language::{Language, Localized};
use crate::rules::Game;

/// The sorted sizes of the non-empty gaps.
type Gaps = Vec<u8>;

/// How well two methods for human players work, how often the first player wins, and the gaps of a
/// position.
#[derive(Debug)]
pub struct NimAnalysis;

impl GameAnalysis<Nim> for NimAnalysis {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Json {
        let list = method_two();
        let all = all_gaps();
        json!({
            "start": start(),
            "example": example(),
            "methods": totals(&all, &list),
            "files": counts(&all, &list),
            "cores": cores(&list),
            "list": list_by_files(&list),
            "chances": chances(&all),
            "plies": lines_of_play(),
        })
    }

    fn analyze_position(pos: &Nim) -> Json {
        let (list, gaps) = (method_two(), sorted(pos.heaps()));
        let by_file: Vec<u8> = pos.heaps().collect();
        let sum = nim_sum(pos.heaps());
        let winning =
            pos.legal_moves().into_iter().filter(|mv| nim_sum(pos.after(*mv).heaps()) == 0);
        json!({
            "gaps": { "gaps": by_file, "binary": binary(&by_file) },
            "nim": {
                "nim_sum": sum,
                "binary": columns::binary(sum),
                "method": NimMethod::of(&gaps, &list).description(),
            },
            "winning_moves": { "winning": names(winning) },
        })
    }

    fn figures(language: Language) -> Vec<Figure> {
        let start: Vec<u8> = Nim::start().heaps().collect();
        vec![
            columns::figure("start", &start, language),
            columns::figure("example", &EXAMPLE, language),
        ]
    }

    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/nim.en.md"),
            include_str!("../../data/chapters/nim.zh.md"),
        ]
    }

    fn position_text() -> Localized {
        [
            include_str!("../../data/chapters/nim.position.en.md"),
            include_str!("../../data/chapters/nim.position.zh.md"),
        ]
    }
}

/// The gaps of the worked example in the chapter.
const EXAMPLE: [u8; 3] = [3, 4, 6];

fn binary(gaps: &[u8]) -> Vec<String> {
    gaps.iter().copied().map(columns::binary).collect()
}

fn start() -> Json {
    let is_lost = nim_sum(Nim::start().heaps()) == 0;
    json!({ "gap": greatest_gap(), "winner": if is_lost { "second" } else { "first" } })
}

/// A nim-sum worked out, and the move that makes it 0.
fn example() -> Json {
    let sum = nim_sum(EXAMPLE.into_iter());
    let winning = EXAMPLE.into_iter().find(|gap| gap ^ sum < *gap);
    json!({
        "gaps": EXAMPLE,
        "binary": binary(&EXAMPLE),
        "nim_sum": sum,
        "nim_sum_binary": columns::binary(sum),
        "from": winning,
        "to": winning.map(|gap| gap ^ sum),
    })
}

fn sorted(heaps: impl Iterator<Item = u8>) -> Gaps {
    let mut gaps: Gaps = heaps.filter(|gap| *gap > 0).collect();
    gaps.sort_unstable();
    gaps
}

fn nim_sum(heaps: impl Iterator<Item = u8>) -> u8 {
    heaps.fold(0, |sum, gap| sum ^ gap)
}

fn files() -> usize {
    Nim::start().heaps().count()
}

fn greatest_gap() -> u8 {
    Nim::start().heaps().max().unwrap_or(0)
}

fn all_gaps() -> Vec<Gaps> {
    let mut all = vec![Gaps::new()];
    let mut next = 0;
    while let Some(gaps) = all.get(next).cloned() {
        next += 1;
        if gaps.len() < files() {
            let least = gaps.last().copied().unwrap_or(1);
            all.extend((least..=greatest_gap()).map(|gap| [&gaps[..], &[gap]].concat()));
        }
    }
    all
}

/// The number of gaps left after equal ones pair off.
fn unpaired(gaps: &[u8]) -> usize {
    let alone = |gap: u8| gaps.iter().filter(|own| **own == gap).count() % 2;
    (1..=greatest_gap()).map(alone).sum()
}

/// The multisets one move away.
fn moves(gaps: &[u8]) -> impl Iterator<Item = Gaps> {
    (0..gaps.len()).flat_map(move |index| {
        (0..gaps[index]).map(move |option| {
            let others = gaps.iter().enumerate().filter(move |(own, _)| *own != index);
            sorted(others.map(|(_, gap)| *gap).chain([option]))
        })
    })
}

/// The list of method two: lost gaps that do not pair off. It is built in order of the number and the
/// sum of the gaps, so that all successors of an entry are decided before it.
fn method_two() -> BTreeSet<Gaps> {
    let mut open: Vec<Gaps> =
        all_gaps().into_iter().filter(|gaps| unpaired(gaps) > MAX_UNPAIRED).collect();
    open.sort_by_key(|gaps| (gaps.len(), gaps.iter().map(|gap| u32::from(*gap)).sum::<u32>()));
    let mut list = BTreeSet::new();
    for gaps in open {
        if moves(&gaps).all(|next| !list.contains(&next)) {
            list.insert(gaps);
        }
    }
    list
}

/// With at most this many unpaired gaps, one move makes all gaps pair off.
const MAX_UNPAIRED: usize = 2;

/// The method that finds the winning move, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NimMethod {
    Over,
    Paired,
    One,
    Two,
    Listed,
}

impl NimMethod {
    fn of(gaps: &[u8], list: &BTreeSet<Gaps>) -> Self {
        match unpaired(gaps) {
            _ if gaps.is_empty() => Self::Over,
            0 => Self::Paired,
            1..=MAX_UNPAIRED => Self::One,
            _ if list.contains(gaps) => Self::Listed,
            // Gaps off the list have a move onto it, by construction.
            _ => Self::Two,
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Over => "none: no moves are left",
            Self::Paired => "none: the gaps pair off, so all moves lose",
            Self::Listed => "none: the gaps are on the list of method two, so all moves lose",
            Self::One => "one: a move makes all gaps pair off",
            Self::Two => "two: a move leads to gaps on its list",
        }
    }
}

fn totals(all: &[Gaps], list: &BTreeSet<Gaps>) -> Json {
    let count = |method| all.iter().filter(|gaps| NimMethod::of(gaps, list) == method).count();
    let is_lost = |gaps: &&Gaps| nim_sum(gaps.iter().copied()) == 0;
    let agree = all.iter().all(|gaps| {
        let method = NimMethod::of(gaps, list);
        let lost = matches!(method, NimMethod::Over | NimMethod::Paired | NimMethod::Listed);
        lost == is_lost(&gaps)
    });
    json!({
        "multisets": all.len(),
        "lost": all.iter().filter(is_lost).count(),
        "method_one": count(NimMethod::One),
        "method_two": count(NimMethod::Two),
        "pairs": count(NimMethod::Paired) + count(NimMethod::Over),
        "listed": count(NimMethod::Listed),
        "agree": if agree { "everywhere" } else { "not everywhere" },
    })
}

fn counts(all: &[Gaps], list: &BTreeSet<Gaps>) -> Json {
    let row = |name: Json, counted: &dyn Fn(usize) -> bool| {
        let counted: Vec<&Gaps> = all.iter().filter(|gaps| counted(gaps.len())).collect();
        let pairs = counted.iter().filter(|gaps| unpaired(gaps) == 0).count();
        let listed = counted.iter().filter(|gaps| list.contains(**gaps)).count();
        json!({
            "files": name,
            "multisets": counted.len(),
            "lost": pairs + listed,
            "pairs": pairs,
            "listed": listed,
        })
    };
    let by_files = (0..=files()).map(|files| row(files.into(), &|own| own == files));
    let all = [row("all".into(), &|_| true), row("2 or more".into(), &|own| own >= 2)];
    by_files.chain(all).collect()
}

/// The list without pairs: what is left of each entry after equal gaps cancel.
fn cores(list: &BTreeSet<Gaps>) -> Json {
    let is_odd = |gaps: &Gaps, gap: u8| gaps.iter().filter(|own| **own == gap).count() % 2 == 1;
    let reduce =
        |gaps: &Gaps| -> Gaps { (1..=greatest_gap()).filter(|gap| is_odd(gaps, *gap)).collect() };
    let cores: BTreeSet<Gaps> = list.iter().map(reduce).collect();
    let mut cores: Vec<Gaps> = cores.into_iter().collect();
    cores.sort_by_key(Vec::len);
    let names: Vec<String> = cores.iter().map(|gaps| name(gaps)).collect();
    json!({ "count": cores.len(), "gaps": names })
}

/// The sizes of gaps as one number, such as 123.
fn name(gaps: &[u8]) -> String {
    gaps.iter().map(u8::to_string).collect()
}

fn list_by_files(list: &BTreeSet<Gaps>) -> Json {
    let mut by_files: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for gaps in list {
        by_files.entry(gaps.len()).or_default().push(name(gaps));
    }
    by_files.into_iter().map(|(files, gaps)| json!({ "files": files, "gaps": gaps })).collect()
}

/// Counts the lost positions and all positions. `weight` is the number of piece placements that give
/// a file a gap of that size.
fn count_lost(weight: impl Fn(u8) -> u64) -> (u64, u64) {
    let mut sums = BTreeMap::from([(0, 1)]);
    for _ in 0..files() {
        let mut next = BTreeMap::new();
        for (sum, count) in &sums {
            for gap in 0..=greatest_gap() {
                *next.entry(sum ^ gap).or_insert(0) += count * weight(gap);
            }
        }
        sums = next;
    }
    (sums.get(&0).copied().unwrap_or(0), sums.values().sum())
}

fn chances(all: &[Gaps]) -> Json {
    let squares = u64::from(greatest_gap()) + 2;
    let lost = all.iter().filter(|gaps| nim_sum(gaps.iter().copied()) == 0).count() as u64;
    let rows = [
        ("gaps", count_lost(|_| 1)),
        ("placements", count_lost(|gap| squares - 1 - u64::from(gap))),
        ("multisets", (lost, all.len() as u64)),
    ];
    let row = |(distribution, (lost, starts))| {
        json!({
            "distribution": distribution,
            "lost": lost,
            "starts": starts,
            "first_player_wins": 100.0 * (1.0 - lost as f64 / starts as f64),
        })
    };
    rows.into_iter().map(row).collect()
}

/// Move sequences from the start, counted over multisets of gaps, since the counts depend on nothing
/// else.
fn lines_of_play() -> Json {
    const PLIES: u32 = 8;
    let mut rows = Vec::new();
    let mut ways = BTreeMap::from([(sorted(Nim::start().heaps()), 1_u64)]);
    for ply in 0..=PLIES {
        let sequences = ways.values().sum::<u64>();
        rows.push(json!({ "ply": ply, "sequences": sequences, "multisets": ways.len() }));
        let mut next = BTreeMap::new();
        for (gaps, count) in &ways {
            for gaps in moves(gaps) {
                *next.entry(gaps).or_insert(0) += count;
            }
        }
        ways = next;
    }
    rows.into()
}
