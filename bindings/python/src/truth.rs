//! Exact values: from the oracle of a solved game, otherwise by proof if the game is near its end.

use zermelo::rules::{Game, Record, Value};
use zermelo::search::SearchControl;
use zermelo::solve::{Oracle, OutOfMemory, Prover, UniformGuide};

use crate::running::refuse;

/// Values as numbers, NaN where they are unknown.
pub(crate) type Values = Result<Vec<f32>, OutOfMemory>;

/// The most plies left for which values are proven: the time grows exponentially.
const MAX_PLIES: u32 = 30;

/// The size of the prover's table, which late positions do not fill.
const PROVER_BYTES: usize = 16 << 20;

/// Finds exact values.
pub(crate) struct Truth<G: Game, O> {
    oracle: O,
    /// Allocated when it is needed.
    prover: Option<Prover<G, UniformGuide>>,
}

impl<G: Game, O: Oracle<G>> Default for Truth<G, O> {
    fn default() -> Self {
        Self { oracle: O::default(), prover: None }
    }
}

impl<G: Game, O: Oracle<G>> Truth<G, O> {
    /// The value of a position for the side to move; `None` if the game is not solved and more than
    /// `max_plies` plies may be left, or if the work is stopped.
    pub(crate) fn value(
        &mut self,
        record: &Record<G>,
        max_plies: u32,
        control: &SearchControl,
    ) -> Result<Option<Value>, OutOfMemory> {
        let pos = record.position();
        if let Some(outcome) = record.outcome() {
            return Ok(Some(outcome.value_for(pos.side())));
        }
        if O::IS_SOLVED {
            return Ok(Some(self.oracle.exact(pos).value()));
        }
        if pos.max_plies_left().is_none_or(|left| left > max_plies) {
            return Ok(None);
        }
        let prover = match &mut self.prover {
            Some(prover) => prover,
            None => self.prover.insert(Prover::new(UniformGuide, PROVER_BYTES)?),
        };
        prover.age();
        Ok(prover.prove(pos, u64::MAX, &mut || control.is_stopped()).value())
    }
}

/// A value as a number: -1, 0 or 1.
pub(crate) fn as_number(value: Value) -> f32 {
    value.half_points() as f32 - 1.0
}

/// Refuses more plies than can be proven in passing.
pub(crate) fn check_plies(name: &str, plies: u32) -> pyo3::PyResult<()> {
    if plies <= MAX_PLIES {
        return Ok(());
    }
    let advice = "use solve for earlier positions";
    Err(refuse(format_args!("{name} {plies}, expected at most {MAX_PLIES}: {advice}")))
}
