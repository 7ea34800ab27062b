//! Certificates of `zermelo solve`: the independent checker accepts those of known positions and rejects
//! changed ones.

#[path = "certificate/reading.rs"]
mod reading;

use std::fs;
use std::path::Path;

use self::reading::{checker, is_read_alike};
use crate::common::{Folder, lines, run_program};
use zermelo::exam::suite::Suite;
use zermelo::games::{TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::StartPosition;
use zermelo::rules::random_positions::random_late_position;
use zermelo::rules::{Game, Side, SplitMix, Value};
use zermelo::solve::{CertificateSize, Prover, UniformHeuristic, ValueBounds};
use zermelo::thinking::registry;

/// The title of a certificate, up to the claim.
const MAGIC: &str = "zermelo certificate 1 ";
const CHECKSUM: usize = 4;
/// Marks an answer that refers to an earlier position.
const REFERENCE: u8 = 128;

fn solved_positions() -> Vec<(&'static str, &'static str)> {
    let lines =
        include_str!("data/tixtax-solved.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).collect()
}

/// Solves a position and returns its value; writes the certificate to the path.
fn certify(game: &str, fen: &str, path: &Path, more: &[&str]) -> String {
    let path = path.to_str().unwrap();
    let arguments = ["solve", "--game", game, "--fen", fen, "--certificate", path];
    let output = run_program(&[&arguments[..], more].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(lines(&output.stderr).last().unwrap().contains("certificate written: "), "{output:?}");
    lines(&output.stdout)[0].split(' ').next().unwrap().to_owned()
}

fn check(path: &Path) -> Result<(String, u64), String> {
    checker::check(path.to_str().unwrap())
}

/// Checks a certificate in memory.
fn check_bytes(folder: &Folder, bytes: &[u8]) -> Result<(String, u64), String> {
    let path = folder.file("changed");
    fs::write(&path, bytes).unwrap();
    check(&path)
}

/// Replaces the checksum by the correct one.
fn fix_checksum(bytes: &mut [u8]) {
    let end = bytes.len() - CHECKSUM;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn the_checker_is_small_and_stands_alone() {
    let source = include_str!("certificate/src/main.rs");
    assert!(source.lines().count() <= 320);
    assert!(!source.contains("zermelo::") && !source.contains("unsafe"));
    let manifest = include_str!("certificate/Cargo.toml");
    let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
    assert_eq!(dependencies.split('[').next().unwrap().trim(), "");
}

#[test]
fn certificates_of_known_positions_are_accepted() {
    accept_certificates(7, 1);
}

#[test]
#[ignore = "proves and certifies 33 positions"]
fn certificates_of_all_known_positions_are_accepted() {
    assert_eq!(accept_certificates(28, 5), documented_size("the 28 solved positions"));
}

/// Bytes and positions in a row of the table of sizes. `scripts/measure proofs` checks that of the hard positions.
fn documented_size(row: &str) -> [u64; 2] {
    let start = format!("| {row} |");
    let mut lines = include_str!("../docs/certificates.md").lines();
    let line = lines.find(|line| line.starts_with(&start)).unwrap();
    [3, 4]
        .map(|column| line.split('|').nth(column).unwrap().trim().replace(',', "").parse().unwrap())
}

/// Returns the bytes and positions of the certificates of solved positions.
fn accept_certificates(solved: usize, hard: usize) -> [u64; 2] {
    let folder = Folder::new(&format!("certificates-{solved}"));
    let path = folder.file("proof");
    let accept = |known: Option<&str>, fen: &str| {
        let value = certify("tixtax", fen, &path, &[]);
        assert!(known.is_none_or(|known| known == value), "{fen}");
        let (claim, positions) = check(&path).unwrap();
        assert_eq!(claim, format!("tixtax {value} {value} {fen}"));
        [fs::metadata(&path).unwrap().len(), positions]
    };
    let solved = solved_positions().into_iter().take(solved);
    let sizes = solved.map(|(value, fen)| accept(Some(value), fen));
    let [bytes, positions] =
        sizes.reduce(|sum, size| [sum[0] + size[0], sum[1] + size[1]]).unwrap();
    assert!(bytes < 2 * positions, "{bytes} bytes for {positions} positions");
    // The first of the hard positions take a second or less each.
    let lines = include_str!("data/tixtax-hard.txt").lines().filter(|line| !line.starts_with('#'));
    for fen in lines.take(hard) {
        accept(None, fen);
    }
    [bytes, positions]
}

#[test]
fn the_first_player_wins_the_open_rule() {
    let folder = Folder::new("certificate-open");
    let (path, start) = (folder.file("proof"), TixTaxOpen::start().to_string());
    assert_eq!(certify("tixtax-open", &start, &path, &[]), "win");
    let (claim, positions) = check(&path).unwrap();
    assert_eq!(claim, format!("tixtax-open win win {start}"));
    let size = [fs::metadata(&path).unwrap().len(), positions];
    assert_eq!(size, documented_size("the start of `tixtax-open`"));
}

/// Writes certificates with little memory, so that parts of the proof are repeated.
fn certify_late_positions<G: Game>(plies: u32, rule: &str) {
    let folder = Folder::new(&format!("certificates-{rule}"));
    let (mut random, mut prover) =
        (SplitMix::new(3), Prover::new(UniformHeuristic, 1 << 22).unwrap());
    let mut expanded = [0; 2];
    for _ in 0..60 {
        let pos: G = random_late_position(G::start(), plies, &mut random);
        let bounds = prover.prove(&pos, u64::MAX, &mut || false);
        let ValueBounds { lower, upper } = bounds;
        for (sum, memory) in expanded.iter_mut().zip([1 << 20, 1 << 9]) {
            let (size, bytes) = write(&mut prover, &pos, memory);
            *sum += size.expanded;
            assert_eq!(size.bytes, bytes.len() as u64);
            let (claim, _) = check_bytes(&folder, &bytes).unwrap();
            assert_eq!(claim, format!("{rule} {lower} {upper} {pos}"));
        }
    }
    assert!(expanded[0] < expanded[1], "{expanded:?}: the small memory makes no difference");
}

#[test]
fn certificates_written_with_little_memory_are_longer_and_accepted() {
    certify_late_positions::<TixTax>(22, "tixtax");
    certify_late_positions::<TixTaxOpen>(22, "tixtax-open");
    certify_late_positions::<TixTaxCount>(22, "tixtax-count");
}

/// Writes the certificate of a value; returns its size and bytes.
fn write<G: Game>(
    prover: &mut Prover<G, UniformHeuristic>,
    pos: &G,
    memory: usize,
) -> (CertificateSize, Vec<u8>) {
    let (bounds, mut bytes) = (prover.prove(pos, u64::MAX, &mut || false), Vec::new());
    let size = prover.write_certificate(pos, bounds, memory, &mut bytes, &mut |_| false);
    (size.unwrap(), bytes)
}

/// A certificate with the places of its answers and counts.
struct Parsed {
    bytes: Vec<u8>,
    /// The offset of each answer, the position it answers, and the value that it has to reach there.
    answers: Vec<(usize, TixTax, Value)>,
    counts: Vec<usize>,
}

impl Parsed {
    /// Reads the certificate of a value.
    fn new(path: &Path, fen: &str) -> Self {
        let bytes = fs::read(path).unwrap();
        let start = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let title = String::from_utf8(bytes[..start].to_vec()).unwrap();
        let value = match title.split(' ').nth(4) {
            Some("win") => Value::Win,
            Some("draw") => Value::Draw,
            _ => Value::Loss,
        };
        let pos: TixTax = fen.parse().unwrap();
        let mut parsed = Self { bytes, answers: Vec::new(), counts: Vec::new() };
        let mut next = start;
        for (side, target) in [(pos.side(), value), (pos.side().other(), value.flip())] {
            if target > Value::Loss {
                parsed.read(&pos, side, target, &mut next);
            }
        }
        assert_eq!(next + CHECKSUM, parsed.bytes.len());
        parsed
    }

    /// Whether the rules decide that a side reaches a value.
    fn is_decided(pos: &TixTax, side: Side, target: Value) -> bool {
        pos.outcome().is_some_and(|outcome| outcome.value_for(side) >= target)
            || target == Value::Draw && !pos.can_still_win(side.other())
            || pos.side() == side && pos.wins_at_once()
    }

    fn read(&mut self, pos: &TixTax, side: Side, target: Value, next: &mut usize) {
        if Self::is_decided(pos, side, target) {
            return;
        }
        if pos.side() != side {
            pos.legal_moves().iter().for_each(|mv| self.read(&pos.after(*mv), side, target, next));
            return;
        }
        self.answers.push((*next, *pos, target));
        let answer = self.bytes[*next];
        *next += 1;
        let after = pos.after(pos.legal_moves()[usize::from(answer & !REFERENCE)]);
        if answer & REFERENCE == 0 && !Self::is_decided(&after, side, target) {
            self.counts.push(*next);
            *next += 1;
            self.read(&after, side, target, next);
        }
    }
}

/// Certificates of a win, a draw and a loss.
fn three_certificates(folder: &Folder) -> Vec<Parsed> {
    let path = folder.file("proof");
    let of_value = |value| solved_positions().into_iter().find(|(known, _)| *known == value);
    ["win", "draw", "loss"]
        .map(|value| {
            let (_, fen) = of_value(value).unwrap();
            certify("tixtax", fen, &path, &[]);
            Parsed::new(&path, fen)
        })
        .into()
}

#[test]
fn changed_certificates_are_rejected() {
    reject_changed_bytes(100);
    reject_moves_that_lose_the_value(100);
}

#[test]
#[ignore = "checks three thousand certificates"]
fn certificates_changed_anywhere_are_rejected() {
    reject_changed_bytes(1000);
    reject_moves_that_lose_the_value(1000);
}

fn reject_changed_bytes(count: usize) {
    let folder = Folder::new(&format!("certificate-bytes-{count}"));
    let certificates = three_certificates(&folder);
    let mut random = SplitMix::new(1);
    for number in 0..count {
        let mut bytes = certificates[number % 3].bytes.clone();
        let index = random.below(bytes.len());
        bytes[index] ^= 1 + random.below(255) as u8;
        assert!(check_bytes(&folder, &bytes).is_err(), "byte {index} of {}", bytes.len());
    }
}

/// The checksums are correct here. A changed answer is wrong if the new move does not keep the value;
/// another move that keeps it may happen to fit the rest of the proof.
fn reject_moves_that_lose_the_value(count: usize) {
    let folder = Folder::new(&format!("certificate-moves-{count}"));
    let certificates = three_certificates(&folder);
    let mut prover = Prover::new(UniformHeuristic, 1 << 24).unwrap();
    let (mut random, mut wrong) = (SplitMix::new(2), 0);
    while wrong < count {
        let Parsed { bytes, answers, .. } = &certificates[random.below(3)];
        let (offset, pos, target) = answers[random.below(answers.len())];
        let moves = pos.legal_moves();
        let index = random.below(moves.len());
        let after = pos.after(moves[index]);
        let value = prover.prove(&after, u64::MAX, &mut || false).value().unwrap().flip();
        if value >= target {
            continue;
        }
        wrong += 1;
        for reference in [bytes[offset] & REFERENCE, !bytes[offset] & REFERENCE] {
            let mut changed = bytes.clone();
            changed[offset] = index as u8 | reference;
            fix_checksum(&mut changed);
            assert!(check_bytes(&folder, &changed).is_err(), "{} at {offset}, {pos}", moves[index]);
        }
    }
}

#[test]
fn changed_counts_are_found_at_the_position() {
    let folder = Folder::new("certificate-counts");
    for Parsed { bytes, counts, .. } in three_certificates(&folder) {
        let mut random = SplitMix::new(4);
        for _ in 0..100 {
            let offset = counts[random.below(counts.len())];
            let mut changed = bytes.clone();
            changed[offset] = changed[offset].wrapping_add(1 + random.below(255) as u8);
            fix_checksum(&mut changed);
            let error = check_bytes(&folder, &changed).unwrap_err();
            assert!(error.contains(" references "), "{error}");
        }
    }
}

#[test]
fn false_claims_and_damaged_files_are_rejected() {
    let folder = Folder::new("certificate-claims");
    let fen = solved_positions()[3].1;
    let path = folder.file("proof");
    assert_eq!(certify("tixtax", fen, &path, &[]), "draw");
    let whole = fs::read(&path).unwrap();
    let title = format!("{MAGIC}tixtax draw draw {fen}\n");
    let body = &whole[title.len()..];
    let other = solved_positions()[4].1;
    for (changed, reason) in [
        (format!("{MAGIC}tixtax win win {fen}\n"), ""),
        (format!("{MAGIC}tixtax loss loss {fen}\n"), ""),
        (format!("{MAGIC}tixtax draw draw {other}\n"), ""),
        (format!("{MAGIC}tixtax-open draw draw {fen} .........\n"), ""),
        (format!("{MAGIC}tixtax-four draw draw {fen}\n"), "unknown rule"),
        (format!("{MAGIC}tixtax win draw {fen}\n"), "above the upper bound"),
        (format!("{MAGIC}tixtax drawn draw {fen}\n"), "unknown rule or value"),
        (format!("{MAGIC}tixtax draw draw {}\n", &fen[5..]), "canonical FEN"),
        (title.replacen('1', "2", 1), "not a certificate of version 1"),
        (title.replace("draw draw", "draw"), ""),
    ] {
        let mut bytes = [changed.as_bytes(), body].concat();
        fix_checksum(&mut bytes);
        let error = check_bytes(&folder, &bytes).unwrap_err();
        assert!(error.contains(reason), "{changed}: {error}");
    }
    for length in [0, 10, title.len(), title.len() + 1, whole.len() / 2, whole.len() - 1] {
        let error = check_bytes(&folder, &whole[..length]).unwrap_err();
        assert!(error.contains("truncated"), "{length}: {error}");
    }
    let error = check_bytes(&folder, &[&whole[..], b"x"].concat()).unwrap_err();
    assert!(error.contains("not with its checksum"), "{error}");
    assert!(check(&folder.file("none")).unwrap_err().contains("(os error 2)"));
}

/// A claim about a position, with its checksum and no proof.
fn claim_without_proof(claim: &str) -> Vec<u8> {
    let mut bytes = [MAGIC.as_bytes(), claim.as_bytes(), b"\n", &[0; CHECKSUM]].concat();
    fix_checksum(&mut bytes);
    bytes
}

/// In each of these positions, read loosely, the rules decide the claim, so that no proof is needed.
#[test]
fn positions_that_the_program_reads_differently_or_not_at_all_are_rejected() {
    let folder = Folder::new("certificate-fens");
    let fen = "1o2xx3/3x5/1oxoxoo1o/3ox2o1/2o4ox/o1o2o2x/xo1x4x/xxox3xx/x2xo1oo1 x 19 f7";
    let claim = format!("tixtax win win {fen}");
    assert_eq!(check_bytes(&folder, &claim_without_proof(&claim)).unwrap().0, claim);
    for changed in [
        "tixtax win win xxxxxxxxx/oooooo3/9/9/9/9/9/9/9 xo 77 zz".to_owned(),
        claim.replace(" x 19", "  x 19"),
        claim.replace(" x 19", "\tx 19"),
        claim.replace(" x 19", " X 19"),
        claim.replace(" x 19", " xo 19"),
        claim.replace(" x 19", " o 19"),
        claim.replace(" x 19", " x 21"),
        claim.replace(" x 19", " x 019"),
        claim.replace(" f7", " F7"),
        claim.replace(" f7", " a9"),
        claim.replace(" f7", " a3"),
        claim.replace(" f7", ""),
        claim.replace(" f7", " f7 "),
        claim.replace(" f7", " f7 -"),
        claim.replace(" f7", " f7\r"),
        claim.replace("1o2xx3", "1o2XX3"),
        claim.replace("1o2xx3", "1o2xx21"),
        claim.replace("1o2xx3", "1o2xx30"),
        claim.replace("1o2xx3", "1o2xx4"),
        claim.replace("1o2xx3", "1o2xx..."),
        claim.replace("1o2xx3", "91/1o2xx3"),
        claim.replace("1o2xx3", "9/1o2xx3"),
        claim.replace("1o2xx3/", ""),
        claim.replace("1o2xx3/", "1xxxoooo1/"),
        format!("{claim} ........."),
        format!("\x1b[2K\r{claim}"),
    ] {
        let error = check_bytes(&folder, &claim_without_proof(&changed)).unwrap_err();
        assert!(error.contains("canonical") || error.contains("ASCII"), "{changed:?}: {error}");
    }
}

#[test]
fn a_claim_of_nothing_is_accepted_as_such() {
    let folder = Folder::new("certificate-vacuous");
    let claim = format!("tixtax-count loss win {}", TixTaxCount::start());
    assert_eq!(check_bytes(&folder, &claim_without_proof(&claim)), Ok((claim, 0)));
}

#[test]
fn a_reference_to_a_decided_position_is_rejected() {
    let folder = Folder::new("certificate-decided");
    // Only a draw is decided after an answer: a win is decided when it can be played.
    let [_, Parsed { bytes, answers, counts }, _] = &three_certificates(&folder)[..] else {
        panic!()
    };
    let mut offsets = answers.iter().map(|(offset, ..)| *offset);
    let is_decided =
        |offset: &usize| bytes[*offset] & REFERENCE == 0 && !counts.contains(&(offset + 1));
    let mut changed = bytes.clone();
    changed[offsets.rfind(is_decided).unwrap()] |= REFERENCE;
    fix_checksum(&mut changed);
    let error = check_bytes(&folder, &changed).unwrap_err();
    assert!(error.contains("that the rules decide"), "{error}");
}

/// Changes a few bytes of a text.
fn mutated(text: &str, random: &mut SplitMix) -> String {
    const LETTERS: &[u8] = b"xo123456789/ -.XO#abcdefghi0\t";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let (index, letter) = (random.below(bytes.len()), LETTERS[random.below(LETTERS.len())]);
        match random.below(4) {
            0 => bytes.insert(index, letter),
            1 if bytes.len() > 1 => drop(bytes.remove(index)),
            2 => bytes.swap(index, 0),
            _ => bytes[index] = letter,
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn checker_and_program_read_the_same_positions_in_mutated_claims() {
    let (mut random, mut accepted) = (SplitMix::new(6), 0);
    for number in 0..110_000 {
        let plies = random.below(60) as u32;
        let text = match number % 3 {
            0 => random_late_position(TixTax::start(), plies, &mut random).to_string(),
            1 => random_late_position(TixTaxOpen::start(), plies, &mut random).to_string(),
            _ => random_late_position(TixTaxCount::start(), plies, &mut random).to_string(),
        };
        let text = if number < 10_000 { text } else { mutated(&text, &mut random) };
        accepted += usize::from(match number % 3 {
            0 => is_read_alike::<TixTax>(&text),
            1 => is_read_alike::<TixTaxOpen>(&text),
            _ => is_read_alike::<TixTaxCount>(&text),
        });
    }
    assert!(accepted > 12_000, "{accepted}");
}

/// Runs `solve --certificate`, which has to fail without a certificate.
fn refused(arguments: &[&str], path: &Path, code: i32, reason: &str) {
    let path_text = path.to_str().unwrap();
    let output = run_program(&[&["solve", "--certificate", path_text], arguments].concat(), b"");
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(lines(&output.stderr).concat().contains(reason), "{output:?}");
    assert!(!path.exists());
}

#[test]
fn impossible_certificates_are_refused() {
    let folder = Folder::new("certificate-refused");
    let path = folder.file("proof");
    let fen = solved_positions()[0].1;
    let games = "only for tixtax, tixtax-open, tixtax-count";
    refused(&["--game", "tictactoe", "--fen", "3/3/3 x"], &path, 2, games);
    refused(&["--game", "nim", "--fen", "startpos"], &path, 2, games);
    let start = TixTax::start().to_string();
    refused(&["--fen", &start, "--time", "0.1"], &path, 1, "not written, since nothing is proven");
    let checkpoint = path.to_str().unwrap();
    refused(&["--fen", fen, "--checkpoint", checkpoint], &path, 2, "are the same file");
    refused(&["--fen", fen], &folder.file("none/proof"), 2, "its folder does not exist");
    refused(&["--file", "-"], &path, 2, "--certificate");
}

/// Every fortieth position of the exam: a certificate for each move that does not end the game.
#[test]
#[ignore = "proves and certifies some 400 positions"]
fn certificates_of_the_exam_are_accepted() {
    let folder = Folder::new("exam-certificates");
    let path = folder.file("certificate");
    let mut found = String::new();
    for game in ["tixtax", "tixtax-count"] {
        let entry = registry::find(game).unwrap();
        for position in Suite::of_game(entry).unwrap().positions.iter().step_by(40) {
            let (mut bytes, mut checksum) = (0, crc32fast::Hasher::new());
            for (mv, value) in &position.values {
                let mut board = entry.open();
                board.set_position(&StartPosition::Fen(&position.fen), &[mv]).unwrap();
                if board.outcome().is_some() {
                    continue;
                }
                let proven = match value {
                    Value::Win => "loss",
                    Value::Draw => "draw",
                    Value::Loss => "win",
                };
                assert_eq!(certify(game, &board.fen(), &path, &[]), proven);
                let (claim, _) = check(&path).unwrap();
                assert_eq!(claim, format!("{game} {proven} {proven} {}", board.fen()));
                let certificate = fs::read(&path).unwrap();
                bytes += certificate.len();
                checksum.update(&certificate);
            }
            found += &format!("{game} {} {bytes} {:08x}\n", position.id, checksum.finalize());
        }
    }
    assert_eq!(found, include_str!("data/exam-certificates.txt"));
}
