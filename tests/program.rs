//! Tests of the program and its commands. They share one binary, because linking the library into each file's own takes longer
//! than the tests.

mod common;

mod analyze;
mod arena;
mod binary;
#[cfg(unix)]
mod bots;
mod brute_force;
mod certificates;
mod checkpoints;
mod codingame;
mod commands;
mod compliance;
mod datagen;
mod exam;
mod examples;
mod locked;
mod own_game;
mod pictures;
mod play;
mod printing;
mod puzzles;
mod rate;
mod review;
mod solve;
mod transcripts;
