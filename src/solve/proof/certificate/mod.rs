//! Certificates: proofs that a small program can check by the rules alone (`docs/certificates.md`).
//!
//! The file lists the proving side's answers, depth first; from the rules the checker knows to which
//! positions they belong. The proof of a position is written once. Later answers only refer to it, and
//! a count before the proof says how many do, so that the checker needs no table of positions.

mod expanded;
mod output;

use std::io::{self, Write};

use self::expanded::ExpandedPositions;
use self::output::CertificateOutput;
use super::{ProofNumberHeuristic, Prover, ValueBounds};
use crate::rules::random::mix64;
use crate::rules::{Game, Side, Value};
use crate::solve::OutOfMemory;

/// Marks an answer that leads to a position expanded before.
const REFERENCE: u8 = 128;
/// The fraction (1/4) of the memory that holds the latest part of the certificate.
const BUFFER_DIVISOR: usize = 4;
/// The start of every certificate, including the format version.
const MAGIC: &str = "zermelo certificate 1";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CertificateSize {
    pub bytes: u64,
    pub answers: u64,
    /// The number of positions after an answer whose proof is written out.
    pub expanded: u64,
}

/// Why a certificate was not written.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    #[error("the proof is wrong: no move keeps the value at {0}")]
    WrongProof(String),
    #[error("interrupted before the certificate was complete")]
    Stopped,
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// "`side` reaches at least `target`": a half of what a certificate proves.
#[derive(Debug, Clone, Copy)]
struct Claim {
    side: Side,
    target: Value,
}

impl Claim {
    /// Whether the rules alone decide that the claim holds in `pos`, and how.
    fn result_by_rules<G: Game>(self, pos: &G) -> Option<bool> {
        let Self { side, target } = self;
        if let Some(outcome) = pos.outcome() {
            return Some(outcome.value_for(side) >= target);
        }
        let is_safe = match target {
            Value::Loss => true,
            Value::Draw => !pos.can_still_win(side.other()),
            Value::Win => pos.has_secured_win(side),
        };
        (is_safe || pos.side() == side && pos.wins_at_once()).then_some(true)
    }
}

impl<G: Game, H: ProofNumberHeuristic<G>> Prover<G, H> {
    /// Writes a certificate that the value of a position lies within `bounds`. Where the table no longer
    /// has the proof, it is searched again. `bytes` is the memory for finding positions that were written
    /// before; with less of it the certificate becomes longer. `watch` is called regularly with the number
    /// of answers written and returns whether to stop.
    ///
    /// # Errors
    /// Fails if the proof is wrong, the work is stopped, the memory is not available or the output
    /// cannot be written.
    pub fn write_certificate(
        &mut self,
        pos: &G,
        bounds: ValueBounds,
        bytes: usize,
        output: &mut dyn Write,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<CertificateSize, CertificateError> {
        let out_of_memory = |()| OutOfMemory { mebibytes: bytes >> 20 };
        let buffer = bytes / BUFFER_DIVISOR;
        let mover = pos.side();
        let mut writer = CertificateWriter {
            prover: self,
            expanded: ExpandedPositions::new(bytes - buffer).map_err(out_of_memory)?,
            output: CertificateOutput::new(output, buffer).map_err(out_of_memory)?,
            claim: Claim { side: mover, target: bounds.lower },
            size: CertificateSize::default(),
            watch,
        };
        let ValueBounds { lower, upper } = bounds;
        writer.output.push_header(&format!("{MAGIC} {} {lower} {upper} {pos}", G::ID))?;
        writer.prove(pos)?;
        writer.claim = Claim { side: mover.other(), target: upper.flip() };
        writer.prove(pos)?;
        let CertificateWriter { output, size, .. } = writer;
        Ok(CertificateSize { bytes: output.finish()?, ..size })
    }
}

struct CertificateWriter<'a, G: Game, H> {
    prover: &'a mut Prover<G, H>,
    expanded: ExpandedPositions,
    output: CertificateOutput<'a>,
    claim: Claim,
    size: CertificateSize,
    watch: &'a mut dyn FnMut(u64) -> bool,
}

impl<G: Game, H: ProofNumberHeuristic<G>> CertificateWriter<'_, G, H> {
    fn prove(&mut self, pos: &G) -> Result<(), CertificateError> {
        match self.claim.result_by_rules(pos) {
            Some(true) => Ok(()),
            Some(false) => Err(CertificateError::WrongProof(pos.to_string())),
            None if pos.side() == self.claim.side => self.write_answer(pos),
            None => pos.legal_moves().into_iter().try_for_each(|mv| self.prove(&pos.after(mv))),
        }
    }

    /// Writes a move of the proving side that keeps the claim, and the proof of the position after it.
    fn write_answer(&mut self, pos: &G) -> Result<(), CertificateError> {
        self.size.answers += 1;
        if self.size.answers.is_multiple_of(1024) && (self.watch)(self.size.answers) {
            return Err(CertificateError::Stopped);
        }
        let moves = pos.legal_moves();
        let index = self.choose_answer(pos, &moves)?;
        let (answer, next) = (index as u8, pos.after(moves[index]));
        if self.claim.result_by_rules(&next).is_some() {
            return Ok(self.output.push(answer)?);
        }
        let key = self.key(&next);
        if let Some(offset) = self.find_expanded(key) {
            self.output.count(offset);
            return Ok(self.output.push(answer | REFERENCE)?);
        }
        self.output.push(answer)?;
        self.expanded.insert(key, self.output.size(), next.max_plies_left().unwrap_or(u32::MAX));
        self.size.expanded += 1;
        self.output.push(0)?;
        self.prove(&next)
    }

    /// The offset of the count of a position that may be referred to.
    fn find_expanded(&self, key: u64) -> Option<u64> {
        self.expanded.find(key).filter(|offset| self.output.is_countable(*offset))
    }

    /// The key of a position with the opponent to move, distinct for both claims.
    fn key(&self, pos: &G) -> u64 {
        pos.value_key() ^ mix64(self.claim.side as u64)
    }

    /// Returns the index of a move that keeps the claim: one that needs no more proof, or else one
    /// whose proof is written already, or else any.
    fn choose_answer(&mut self, pos: &G, moves: &G::Moves) -> Result<usize, CertificateError> {
        let mut known = None;
        for (index, mv) in moves.iter().enumerate() {
            let next = pos.after(*mv);
            match self.claim.result_by_rules(&next) {
                Some(true) => return Ok(index),
                Some(false) => {}
                None if known.is_none() && self.find_expanded(self.key(&next)).is_some() => {
                    known = Some(index);
                }
                None => {}
            }
        }
        if let Some(index) = known {
            return Ok(index);
        }
        let answers = self.size.answers;
        let mut stop = || (self.watch)(answers);
        let answer = self.prover.find_answer(pos, self.claim.target, &mut stop);
        let answer = answer.and_then(|mv| moves.iter().position(|other| *other == mv));
        answer.ok_or_else(|| {
            if (self.watch)(self.size.answers) {
                CertificateError::Stopped
            } else {
                CertificateError::WrongProof(pos.to_string())
            }
        })
    }
}
