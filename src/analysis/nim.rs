//! The study of Nim on the board: which gaps are lost, and two ways to see it without binary numbers.
//!
//! The side to move loses exactly if the xor of the gap sizes (the nim-sum) is 0. Two methods for
//! human players give the same result. Method one pairs off equal gaps: if all but one or two of
//! them pair off, some move makes all pair off. Method two is a list of lost positions that do not
//! pair off. A position is lost if its gaps pair off or are on the list.

use std::collections::{BTreeMap, BTreeSet};

use super::{Datum, Section, Study};
use crate::games::Nim;
use crate::rules::{Game, HeapSum};

/// The sorted sizes of the non-empty gaps.
type Gaps = Vec<u8>;

/// Reports how well two methods for human players work, how often the first player wins, and the
/// gaps of a position.
#[derive(Debug)]
pub struct NimStudy;

impl Study<Nim> for NimStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let list = method_two();
        let all = all_gaps();
        vec![
            totals(&all, &list),
            counts(&all, &list),
            method_two_section(&list),
            chances(&all),
            lines_of_play(),
        ]
    }

    fn analyze_position(pos: &Nim) -> Vec<Section> {
        let (list, gaps) = (method_two(), sorted(pos.heaps()));
        let by_file: Vec<u8> = pos.heaps().collect();
        let winning =
            pos.legal_moves().into_iter().filter(|mv| nim_sum(pos.after(*mv).heaps()) == 0);
        vec![
            Section::facts("gaps", "Gaps")
                .fact(
                    "gaps",
                    "file by file",
                    Datum::List(by_file.iter().map(|gap| u32::from(*gap).into()).collect()),
                )
                .fact("nim_sum", "nim-sum", u32::from(nim_sum(pos.heaps())))
                .fact("method", "method", NimMethod::of(&gaps, &list).description())
                .fact("winning", "winning moves", Datum::list(winning))
                .remark("The nim-sum has a 1 where a binary column has an odd number of ones:")
                .remarks(worked_nim_sum(&gaps)),
        ]
    }
}

fn sorted(heaps: impl Iterator<Item = u8>) -> Gaps {
    let mut gaps: Gaps = heaps.filter(|gap| *gap > 0).collect();
    gaps.sort_unstable();
    gaps
}

fn nim_sum(heaps: impl Iterator<Item = u8>) -> u8 {
    heaps.fold(0, |sum, gap| sum ^ gap)
}

/// The nim-sum worked out in binary: a line for each gap and one for the sum.
fn worked_nim_sum(gaps: &[u8]) -> Vec<String> {
    let line = |label: &str, number: u8| format!("{label:>9} = {number:03b}");
    let sum = nim_sum(gaps.iter().copied());
    let result = format!("{} = {sum}", line("nim-sum", sum));
    gaps.iter().map(|gap| line(&gap.to_string(), *gap)).chain([result]).collect()
}

fn files() -> usize {
    Nim::start().heaps().count()
}

fn greatest_gap() -> u8 {
    Nim::start().heaps().max().unwrap_or(0)
}

/// All multisets of gaps.
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
        Nim::heap_options(gaps[index]).map(move |option| {
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

fn totals(all: &[Gaps], list: &BTreeSet<Gaps>) -> Section {
    let count = |method| all.iter().filter(|gaps| NimMethod::of(gaps, list) == method).count();
    let lost = all.iter().filter(|gaps| nim_sum(gaps.iter().copied()) == 0);
    let agree = all.iter().all(|gaps| {
        let lost = matches!(
            NimMethod::of(gaps, list),
            NimMethod::Over | NimMethod::Paired | NimMethod::Listed
        );
        lost == (nim_sum(gaps.iter().copied()) == 0)
    });
    Section::facts("methods", "Nim on the board, by the sizes of the gaps")
        .fact("multisets", "multisets of gaps", all.len())
        .fact("lost", "… lost for the side to move: nim-sum 0", lost.count())
        .fact("method_one", "… won by method one, pairing", count(NimMethod::One))
        .fact("method_two", "… won by method two, the list", count(NimMethod::Two))
        .fact(
            "pairs",
            "… lost: the gaps pair off or no moves are left",
            count(NimMethod::Paired) + count(NimMethod::Over),
        )
        .fact("listed", "… lost: the gaps are on the list", count(NimMethod::Listed))
        .fact(
            "agree",
            "both methods agree with the nim-sum",
            if agree { "everywhere" } else { "not everywhere" },
        )
        .remark("Gaps are the empty squares between the two pieces of a file. The nim-sum has a 1 where a")
        .remark("binary column has an odd number of ones. For gaps 3, 4 and 6:")
        .remarks(worked_nim_sum(&[3, 4, 6]))
        .remark("Moving to nim-sum 0 wins: here, a move that shrinks the 3 to 2.")
        .remark("Pairing: two equal gaps cancel, since each move in one can be copied in the other.")
        .remark(format!(
            "The list: the {} multisets with nim-sum 0 that do not pair off, such as 1, 2 and 3.",
            list.len()
        ))
}

fn counts(all: &[Gaps], list: &BTreeSet<Gaps>) -> Section {
    let columns = [
        ("files", "files with a gap"),
        ("multisets", "multisets"),
        ("lost", "lost"),
        ("pairs", "pair off"),
        ("listed", "on the list"),
    ];
    let mut table = Section::table("files", "Counts by number of files", &columns);
    let row = |name: Datum, counted: &dyn Fn(usize) -> bool| {
        let counted: Vec<&Gaps> = all.iter().filter(|gaps| counted(gaps.len())).collect();
        let pairs = counted.iter().filter(|gaps| unpaired(gaps) == 0).count();
        let listed = counted.iter().filter(|gaps| list.contains(**gaps)).count();
        let [counted, lost, pairs, listed] = [counted.len(), pairs + listed, pairs, listed];
        vec![name, counted.into(), lost.into(), pairs.into(), listed.into()]
    };
    for files in 0..=files() {
        table.row(row(files.into(), &|own| own == files));
    }
    table.row(row("all".into(), &|_| true));
    table.row(row("2 or more".into(), &|own| own >= 2));
    table.remark(PUBLISHED)
}

/// A count from the literature that differs.
const PUBLISHED: &str = "A published count for the last row is 404 lost of 2995: 208 that pair off \
                         and 196 on the list.";

fn method_two_section(list: &BTreeSet<Gaps>) -> Section {
    let mut by_length: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for gaps in list {
        by_length.entry(gaps.len()).or_default().push(gaps.iter().map(u8::to_string).collect());
    }
    let columns = [("files", "files"), ("count", "count"), ("gaps", "gaps")];
    let mut table = Section::table("list", "The list of method two", &columns);
    for (files, gaps) in by_length {
        table.row(vec![files.into(), gaps.len().into(), Datum::list(gaps)]);
    }
    table
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

fn chances(all: &[Gaps]) -> Section {
    let columns = [
        ("distribution", "uniform over"),
        ("lost", "lost"),
        ("starts", "of"),
        ("first_player_wins", "first player wins %"),
    ];
    let title = "How often the first player wins from a random start";
    let mut table = Section::table("chances", title, &columns);
    let squares = u64::from(greatest_gap()) + 2;
    let lost = all.iter().filter(|gaps| nim_sum(gaps.iter().copied()) == 0).count() as u64;
    let rows = [
        ("the gap of each file", count_lost(|_| 1)),
        ("the placements in each file", count_lost(|gap| squares - 1 - u64::from(gap))),
        ("the multisets of gaps", (lost, all.len() as u64)),
    ];
    for (name, (lost, starts)) in rows {
        let won = 100.0 * (1.0 - lost as f64 / starts as f64);
        table.row(vec![name.into(), lost.into(), starts.into(), Datum::Measure(won, 3)]);
    }
    table
}

/// Move sequences from the start, counted over multisets of gaps, since the counts depend on nothing
/// else.
fn lines_of_play() -> Section {
    const PLIES: u32 = 8;
    let columns =
        [("ply", "plies"), ("sequences", "move sequences"), ("multisets", "multisets of gaps")];
    let mut table = Section::table("plies", "Counts by ply", &columns);
    let mut ways = BTreeMap::from([(sorted(Nim::start().heaps()), 1_u64)]);
    for ply in 0..=PLIES {
        table.row(vec![ply.into(), ways.values().sum::<u64>().into(), ways.len().into()]);
        let mut next = BTreeMap::new();
        for (gaps, count) in &ways {
            for gaps in moves(gaps) {
                *next.entry(gaps).or_insert(0) += count;
            }
        }
        ways = next;
    }
    table
}
