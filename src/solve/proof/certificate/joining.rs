//! Joining certificates: what others prove of positions below the root of a proof tree becomes a part
//! of one certificate.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::marker::PhantomData;

use super::super::MAX_FIRST_LINE;
use super::{Claim, MAGIC, REFERENCE, ValueBounds};
use crate::rules::random::mix64;
use crate::rules::{Game, Side, Value};

/// Positions after an answer that are proven elsewhere, known up to symmetry.
#[derive(Debug)]
pub struct JoinedProofs<G> {
    /// The values that the proofs have to reach, by side.
    targets: [Value; 2],
    keys: HashSet<u64>,
    game: PhantomData<G>,
}

impl<G: Game> JoinedProofs<G> {
    /// No proofs yet, for a certificate of these bounds of a position.
    #[must_use]
    pub fn new(pos: &G, bounds: ValueBounds) -> Self {
        let mut targets = [bounds.lower; 2];
        targets[pos.side().other().index()] = bounds.upper.flip();
        Self { targets, keys: HashSet::new(), game: PhantomData }
    }

    /// Adds a position whose bounds follow from other proofs that are added.
    pub fn add_claim(&mut self, pos: &G, bounds: ValueBounds) {
        self.add(pos, Claim { side: pos.side().other(), target: bounds.upper.flip() });
    }

    /// Adds what a certificate proves. It is not checked: a false one makes the joined one false.
    ///
    /// # Errors
    /// Fails if it is not a certificate of this game.
    pub fn add_certificate(&mut self, input: &mut dyn BufRead) -> io::Result<()> {
        let mut header = String::new();
        input.take(MAX_FIRST_LINE).read_line(&mut header)?;
        let claim = header.strip_prefix(&format!("{MAGIC} {} ", G::ID)).and_then(read_claim::<G>);
        let (bounds, pos) = claim.ok_or(io::ErrorKind::InvalidData)?;
        self.add_claim(&pos, bounds);
        for (side, target) in
            [(pos.side(), bounds.lower), (pos.side().other(), bounds.upper.flip())]
        {
            self.read(&pos, Claim { side, target }, input)?;
        }
        Ok(())
    }

    fn read(&mut self, pos: &G, claim: Claim, input: &mut dyn BufRead) -> io::Result<()> {
        if claim.result_by_rules(pos).is_some() {
            return Ok(());
        }
        let moves = pos.legal_moves();
        if pos.side() != claim.side {
            return moves.into_iter().try_for_each(|mv| self.read(&pos.after(mv), claim, input));
        }
        let answer = read_byte(input)?;
        let mv = moves.get(usize::from(answer & !REFERENCE)).ok_or(io::ErrorKind::InvalidData)?;
        let next = pos.after(*mv);
        if answer & REFERENCE != 0 || claim.result_by_rules(&next).is_some() {
            return Ok(());
        }
        read_byte(input)?;
        self.add(&next, claim);
        self.read(&next, claim, input)
    }

    fn add(&mut self, pos: &G, claim: Claim) {
        if claim.target >= self.targets[claim.side.index()] {
            self.keys.insert(Self::key(pos, claim.side));
        }
    }

    pub(super) fn contains(&self, pos: &G, side: Side) -> bool {
        !self.keys.is_empty() && self.keys.contains(&Self::key(pos, side))
    }

    /// A key that equivalent positions and their images share.
    fn key(pos: &G, side: Side) -> u64 {
        let keys = (0..G::SYMMETRIES).map(|symmetry| pos.image(symmetry).value_key());
        keys.min().unwrap_or_default() ^ mix64(side as u64)
    }
}

/// Reads a claim as in the first line of a certificate: `LOWER UPPER FEN`.
pub fn read_claim<G: Game>(text: &str) -> Option<(ValueBounds, G)> {
    let mut fields = text.trim_end().splitn(3, ' ');
    let mut value = || {
        let name = fields.next()?;
        [Value::Loss, Value::Draw, Value::Win].into_iter().find(|value| value.to_string() == name)
    };
    let bounds = ValueBounds { lower: value()?, upper: value()? };
    Some((bounds, fields.next()?.parse().ok()?))
}

fn read_byte(input: &mut dyn BufRead) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}
