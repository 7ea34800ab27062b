//! The commands, one file or folder each.

mod analyze;
mod annotate;
mod bench;
mod codingame;
mod completions;
mod compliance;
mod convert;
mod datagen;
mod exam;
#[cfg(feature = "gui")]
mod gui;
mod manual;
mod r#match;
mod openings;
mod perft;
mod play;
mod puzzles;
mod rate;
mod review;
mod solve;

use std::path::Path;

use clap::Subcommand;

use super::error::CliError;
use super::game_flag::resolve_game;
use crate::arena::games::game_choice::GameChoice;

/// In the order of the help: what people do, then what generates and measures.
#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    Play(play::Arguments),
    #[cfg(feature = "gui")]
    Gui(gui::Arguments),
    Match(Box<r#match::Arguments>),
    Rate(rate::Arguments),
    Exam(exam::Arguments),
    Solve(solve::Arguments),
    Analyze(analyze::Arguments),
    Review(review::Arguments),
    /// Add the value of each move and the best line to a record, and report mistakes
    Annotate(annotate::Arguments),
    Compliance(compliance::Arguments),
    Codingame(codingame::Arguments),
    Puzzles(puzzles::Arguments),
    /// Generate opening positions for matches
    Openings(openings::Arguments),
    /// Generate training data for the evaluation of ultimate tic-tac-toe by self-play
    Datagen(datagen::Arguments),
    /// Convert positions and move lists between notations, line by line
    Convert(convert::Arguments),
    /// Count the leaf nodes of the game tree
    Perft(perft::Arguments),
    /// Search fixed positions to fixed depths; prints node counts and speed
    Bench,
    Completions(completions::Arguments),
    Man(manual::Arguments),
}

impl CliCommand {
    /// The flags and paths of the files that a command writes; the log must not overwrite them.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        match self {
            Self::Solve(solve) => solve.output_files(),
            Self::Analyze(analyze) => analyze.output_files(),
            Self::Annotate(annotate) => annotate.output_files(),
            Self::Review(review) => review.output_files(),
            Self::Datagen(datagen) => datagen.output_files(),
            Self::Exam(exam) => exam.files(),
            _ => Vec::new(),
        }
    }

    /// Runs the command for the game of `--game`; `log` is the file of `--log`.
    pub(super) fn run(self, game: Option<GameChoice>, log: Option<&str>) -> Result<(), CliError> {
        match self {
            Self::Bench => bench::run(resolve_game(game, None)?),
            Self::Perft(perft) => perft::run(resolve_game(game, None)?, &perft),
            Self::Solve(solve) => solve::run(resolve_game(game, None)?, &solve),
            Self::Analyze(analyze) => analyze::run(game, &analyze),
            Self::Openings(openings) => openings::run(resolve_game(game, None)?, &openings),
            Self::Puzzles(puzzles) => puzzles::run(resolve_game(game, None)?, &puzzles),
            Self::Convert(convert) => convert::run(resolve_game(game, None)?, &convert),
            Self::Annotate(annotate) => annotate::run(game, &annotate),
            Self::Review(review) => review::run(game, &review),
            Self::Completions(completions) => completions::run(&completions),
            Self::Man(manual) => manual::run(&manual),
            Self::Play(play) => play::run(game, &play),
            Self::Codingame(bot) => codingame::run(game, &bot),
            #[cfg(feature = "gui")]
            Self::Gui(gui) => gui::run(game, &gui),
            Self::Match(settings) => r#match::run(game, &settings, log),
            Self::Datagen(datagen) => datagen::run(game, &datagen),
            Self::Compliance(compliance) => compliance::run(game, &compliance),
            Self::Rate(rate) => rate::run(game, &rate, log),
            Self::Exam(exam) => exam::run(game, &exam),
        }
    }
}
