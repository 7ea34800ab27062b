//! The numbers of the selective search that matches tune. They are constants, except with the feature `tuning`,
//! which makes each an option of the engine, for `research/spsa.py`. An option has to be set before the first
//! search.

/// Defines a function for each number.
macro_rules! parameters {
    ($($(#[$comment:meta])* $name:ident = $value:literal, $range:expr;)*) => {
        $(
            $(#[$comment])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub(super) const fn $name() -> i32 {
                const { assert!(*$range.start() <= $value && $value <= *$range.end()) }
                $value
            }

            $(#[$comment])*
            #[cfg(feature = "tuning")]
            pub(super) fn $name() -> i32 {
                tuned::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)]
        mod tuned {
            use std::sync::atomic::AtomicI32;

            $(pub(super) static $name: AtomicI32 = AtomicI32::new($value);)*
        }

        /// All numbers.
        #[cfg(feature = "tuning")]
        pub static PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $value,
                range: $range,
                value: &tuned::$name,
            },)*
        ];
    };
}

/// A number as an option of the engine.
#[cfg(feature = "tuning")]
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub default: i32,
    pub range: std::ops::RangeInclusive<i32>,
    pub value: &'static std::sync::atomic::AtomicI32,
}

parameters! {
    /// Margin of reverse futility pruning per ply: how much of an advantage a ply may cost.
    rfp_margin = 58, 10..=200;
    /// Late move pruning searches this many moves, in hundredths.
    lmp_moves = 317, 100..=1000;
    /// … and this many more for the square of the depth.
    lmp_moves_per_squared_depth = 62, 10..=300;
    /// Late move reductions: the constant, in thousandths of a ply.
    lmr_base = 443, 0..=2000;
    /// The factor of the logarithms of depth and move number, in thousandths of a ply.
    lmr_factor = 725, 100..=2000;
    /// How much less late moves are reduced in PV nodes, in thousandths of a ply.
    lmr_pv_node = 872, 0..=3000;
    /// The same without a TT entry.
    lmr_no_tt_entry = 246, 0..=3000;
    /// The same for the best history; with the worst, moves are reduced as much more.
    lmr_history = 145, 0..=3000;
    /// How much worse all other moves must score for the TT move to be singular, per ply and in hundredths.
    singular_margin = 300, 0..=2000;
    /// How far below the singular margin they must score for the TT move to be extended by two plies.
    double_extension_margin = 14, 0..=200;
    /// The bonus of a move for the square of the depth, in thousandths.
    history_bonus = 1375, 100..=8000;
    /// The largest bonus. 32 times it must not exceed the limit of the history.
    history_max_bonus = 415, 10..=511;
    /// Half the width of the aspiration window, in points.
    aspiration_margin = 34, 5..=200;
}
