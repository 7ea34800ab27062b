//! The library for Python. Rules, searches and texts are those of the library; what is here converts arguments
//! and results, lets other threads of Python run during a search, and answers Ctrl-C.

mod arrays;
mod batch;
mod board;
mod data;
mod engine;
mod own_game;
mod results;
mod running;
mod study;
mod yardstick;

use pyo3::prelude::*;

/// The extension module, which the package `zermelo` exports.
#[pymodule]
mod _zermelo {
    #[pymodule_export]
    use super::batch::Games;
    #[pymodule_export]
    use super::board::{Board, action_symmetries, games};
    #[pymodule_export]
    use super::data::{read_samples, selfplay};
    #[pymodule_export]
    use super::engine::{Analysis, Engine};
    #[pymodule_export]
    use super::own_game::OwnRules;
    #[pymodule_export]
    use super::study::{Record, puzzles, reasons, review, solve};
    #[pymodule_export]
    use super::yardstick::{Scale, exam_positions, grade_exam, openings};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
