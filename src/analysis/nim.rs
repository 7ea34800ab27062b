//! The study of Nim on the board: which gaps are lost, and two ways to see it without binary numbers.
//!
//! The side to move loses exactly if the xor of the gap sizes (the nim-sum) is 0. Two methods for
//! human players give the same result. Method one pairs off equal gaps: if all but one or two of
//! them pair off, some move makes all pair off. Method two is a list of lost positions that do not
//! pair off. A position is lost if its gaps pair off or are on the list.

mod columns;

use std::collections::{BTreeMap, BTreeSet};

use super::census::PLIES_TITLE;
use super::{Datum, ReportFigure, Section, Study};
use crate::games::Nim;
use crate::language::Localized;
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
            start(),
            example(),
            totals(&all, &list),
            counts(&all, &list),
            cores(&list),
            method_two_section(&list),
            chances(&all),
            lines_of_play(),
        ]
    }

    fn figures() -> Vec<ReportFigure> {
        let start: Vec<u8> = Nim::start().heaps().collect();
        vec![columns::figure("start", &start), columns::figure("example", &EXAMPLE)]
    }

    fn chapter() -> Option<Localized> {
        Some([include_str!("chapters/nim.en.md"), include_str!("chapters/nim.zh.md")])
    }

    fn analyze_position(pos: &Nim) -> Vec<Section> {
        let (list, gaps) = (method_two(), sorted(pos.heaps()));
        let by_file: Vec<u8> = pos.heaps().collect();
        let sum = nim_sum(pos.heaps());
        let winning =
            pos.legal_moves().into_iter().filter(|mv| nim_sum(pos.after(*mv).heaps()) == 0);
        vec![
            Section::facts("gaps", ["Gaps", "空格数"])
                .fact("gaps", ["file by file", "逐列"], Datum::counts(by_file.clone()))
                .fact("binary", ["… in binary", "… 二进制"], Datum::list(binary(&by_file)))
                .remark([
                    "The gap of a file is the number of empty squares between its two pieces.",
                    "一列的空格数是该列两枚棋子之间的空格数目。",
                ]),
            Section::facts("nim", ["Nim-sum", "尼姆和"])
                .fact("nim_sum", ["nim-sum", "尼姆和"], sum)
                .fact("binary", ["… in binary", "… 二进制"], columns::binary(sum))
                .fact("method", ["method", "方法"], NimMethod::of(&gaps, &list).description())
                .remark([
                    "The nim-sum has a 1 where a binary column has an odd number of ones. The side \
                     to move loses exactly if it is 0.",
                    "把各空格数写成二进制，某一位上 1 的个数为奇数时，尼姆和的该位为 1。\
                     尼姆和为 0 时，行棋方必败；否则必胜。",
                ]),
            Section::facts("winning_moves", ["Winning moves", "制胜着法"]).fact(
                "winning",
                ["moves that bring the nim-sum to 0", "使尼姆和变为 0 的着法"],
                Datum::list(winning),
            ),
        ]
    }
}

/// The gaps of the worked example in the chapter.
const EXAMPLE: [u8; 3] = [3, 4, 6];

fn binary(gaps: &[u8]) -> impl Iterator<Item = String> {
    gaps.iter().copied().map(columns::binary)
}

/// The start position and its winner.
fn start() -> Section {
    let winner = match nim_sum(Nim::start().heaps()) {
        0 => Datum::term("second", ["second", "后手"]),
        _ => Datum::term("first", ["first", "先手"]),
    };
    Section::facts("start", ["The start position", "起始局面"])
        .fact("gap", ["gap of every file", "每列的空格数"], greatest_gap())
        .fact("winner", ["player who wins", "必胜的一方"], winner)
}

/// A nim-sum worked out, and the move that makes it 0.
fn example() -> Section {
    let sum = nim_sum(EXAMPLE.into_iter());
    let winning = EXAMPLE.into_iter().find(|gap| gap ^ sum < *gap);
    Section::facts("example", ["A worked example", "算例"])
        .fact("gaps", ["gaps", "空格数"], Datum::counts(EXAMPLE))
        .fact("binary", ["… in binary", "… 二进制"], Datum::list(binary(&EXAMPLE)))
        .fact("nim_sum", ["nim-sum", "尼姆和"], sum)
        .fact("nim_sum_binary", ["… in binary", "… 二进制"], columns::binary(sum))
        .fact("from", ["the gap to change", "要改变的空格数"], winning)
        .fact("to", ["… to", "… 改为"], winning.map(|gap| gap ^ sum))
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

    fn description(self) -> Datum {
        let texts = match self {
            Self::Over => ["none: no moves are left", "无：已无棋可走"],
            Self::Paired => {
                ["none: the gaps pair off, so all moves lose", "无：空格数两两相等，怎么走都输"]
            }
            Self::Listed => [
                "none: the gaps are on the list of method two, so all moves lose",
                "无：空格数在方法二的表中，怎么走都输",
            ],
            Self::One => {
                ["one: a move makes all gaps pair off", "方法一：有一步可使空格数两两相等"]
            }
            Self::Two => {
                ["two: a move leads to gaps on its list", "方法二：有一步可走到表中的空格数"]
            }
        };
        Datum::term(texts[0], texts)
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
    let agree = match agree {
        true => Datum::term("everywhere", ["everywhere", "完全一致"]),
        false => Datum::term("not everywhere", ["not everywhere", "不完全一致"]),
    };
    Section::facts(
        "methods",
        ["Both methods, by the sizes of the gaps", "两种方法（按空格数统计）"],
    )
    .fact("multisets", ["multisets of gaps", "空格数组合"], all.len())
    .fact(
        "lost",
        ["… lost for the side to move: nim-sum 0", "… 行棋方必败：尼姆和为 0"],
        lost.count(),
    )
    .fact(
        "method_one",
        ["… won by method one, pairing", "… 用方法一（配对）取胜"],
        count(NimMethod::One),
    )
    .fact(
        "method_two",
        ["… won by method two, the list", "… 用方法二（查表）取胜"],
        count(NimMethod::Two),
    )
    .fact(
        "pairs",
        ["… lost: the gaps pair off or no moves are left", "… 必败：两两相等，或已无棋可走"],
        count(NimMethod::Paired) + count(NimMethod::Over),
    )
    .fact(
        "listed",
        ["… lost: the gaps are on the list", "… 必败：在表中"],
        count(NimMethod::Listed),
    )
    .fact("agree", ["both methods agree with the nim-sum", "两种方法与尼姆和"], agree)
}

fn counts(all: &[Gaps], list: &BTreeSet<Gaps>) -> Section {
    let columns = [
        ("files", ["files with a gap", "有空格的列数"]),
        ("multisets", ["multisets", "组合"]),
        ("lost", ["lost", "必败"]),
        ("pairs", ["pair off", "两两相等"]),
        ("listed", ["on the list", "在表中"]),
    ];
    let title = ["Counts by number of files", "按列数统计"];
    let mut table = Section::table("files", title, &columns);
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
    table.row(row(Datum::term("all", ["all", "全部"]), &|_| true));
    table.row(row(Datum::term("2 or more", ["2 or more", "2 列以上"]), &|own| own >= 2));
    table.remark([
        "A published count for the last row is 404 lost of 2995: 208 that pair off and 196 on the list.",
        "某已发表的统计中，最后一行为 2995 种中 404 种必败：208 种两两相等，196 种在表中。",
    ])
}

/// The list without pairs: what is left of each entry after equal gaps cancel.
fn cores(list: &BTreeSet<Gaps>) -> Section {
    let is_odd = |gaps: &Gaps, gap: u8| gaps.iter().filter(|own| **own == gap).count() % 2 == 1;
    let reduce =
        |gaps: &Gaps| -> Gaps { (1..=greatest_gap()).filter(|gap| is_odd(gaps, *gap)).collect() };
    let cores: BTreeSet<Gaps> = list.iter().map(reduce).collect();
    let mut cores: Vec<Gaps> = cores.into_iter().collect();
    cores.sort_by_key(Vec::len);
    let names = cores.iter().map(|gaps| gaps.iter().map(u8::to_string).collect::<String>());
    Section::facts("cores", ["The list after equal gaps cancel", "消去相等空格数之后的表"])
        .fact("count", ["entries", "条目"], cores.len())
        .fact("gaps", ["gaps", "空格数"], Datum::list(names))
}

fn method_two_section(list: &BTreeSet<Gaps>) -> Section {
    let mut by_length: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for gaps in list {
        by_length.entry(gaps.len()).or_default().push(gaps.iter().map(u8::to_string).collect());
    }
    let columns = [("files", ["files", "列数"]), ("gaps", ["gaps", "空格数"])];
    let title = ["The list of method two", "方法二的表"];
    let mut table = Section::table("list", title, &columns);
    for (files, gaps) in by_length {
        table.row(vec![files.into(), Datum::list(gaps)]);
    }
    table.remark([
        "A number such as 123 stands for three files with the gaps 1, 2 and 3, in any order; all \
         other files are closed.",
        "例如 123 表示有三列的空格数分别为 1、2、3（次序不限），其余各列已无空格。",
    ])
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
        ("distribution", ["uniform over", "均匀分布于"]),
        ("lost", ["lost", "先手必败"]),
        ("starts", ["of", "总数"]),
        ("first_player_wins", ["first wins %", "先手必胜 %"]),
    ];
    let title = ["How often the first player wins from a random start", "随机开局时先手必胜的比例"];
    let mut table = Section::table("chances", title, &columns);
    let squares = u64::from(greatest_gap()) + 2;
    let lost = all.iter().filter(|gaps| nim_sum(gaps.iter().copied()) == 0).count() as u64;
    let rows = [
        ("gaps", ["the gap of each file", "每列的空格数"], count_lost(|_| 1)),
        (
            "placements",
            ["the placements in each file", "每列的棋子位置"],
            count_lost(|gap| squares - 1 - u64::from(gap)),
        ),
        ("multisets", ["the multisets of gaps", "空格数组合"], (lost, all.len() as u64)),
    ];
    for (name, words, (lost, starts)) in rows {
        let won = 100.0 * (1.0 - lost as f64 / starts as f64);
        table.row(vec![
            Datum::term(name, words),
            lost.into(),
            starts.into(),
            Datum::Measure(won, 3),
        ]);
    }
    table
}

/// Move sequences from the start, counted over multisets of gaps, since the counts depend on nothing
/// else.
fn lines_of_play() -> Section {
    const PLIES: u32 = 8;
    let columns = [
        ("ply", ["plies", "步数"]),
        ("sequences", ["move sequences", "走法序列"]),
        ("multisets", ["multisets of gaps", "空格数组合"]),
    ];
    let mut table = Section::table("plies", PLIES_TITLE, &columns);
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
