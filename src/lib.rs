//! Zermelo plays ultimate tic-tac-toe under three rules, tic-tac-toe, Pong Hau K'i and a Nim played with pieces
//! on an 8×8 board; `program` makes the same of a game of yours. Start with [`rules`], [`games`], [`solve`],
//! [`search`] and [`thinking`].
//!
//! The crate is built in layers, each of which uses only those above it:
//!
//! - [`printing`]: text from outside and numbers, as people read them
//! - [`browser`]: boards and charts in web pages
//! - [`language`]: the languages of texts for people
//! - [`document`]: documents as text, Markdown and HTML
//! - [`platform`]: clock, jobs and memory, natively and in WebAssembly
//! - [`rules`]: the `Game` trait, values, perft
//! - [`conformance`]: checks a game against the definitions of the trait
//! - [`games`]: the games
//! - [`solve`]: exact values by minimax, retrograde analysis, Sprague-Grundy theory and proof-number
//!   search
//! - [`search`]: alpha-beta and Monte-Carlo tree search
//! - [`reasons`]: why a move is good, bad or illegal
//! - [`analysis`]: studies of each game
//! - [`eval`]: static evaluations
//! - [`protocol`]: parsing and formatting of UCI and UGI
//! - [`thinking`]: the specification of a game, the list of games, a game whose type is chosen at run
//!   time, and what can be asked about a position
//! - [`engine`]: sessions, options and the input loop
//! - [`records`]: games on disk
//! - [`viewer`]: games replayed on a page
//! - [`teaching`]: what every move of a game kept or lost; lessons
//! - [`statistics`], [`scale`]: Elo from results, and the scale of ratings
//! - `arena`: matches and tournaments between engines
//! - [`exam`]: moves where the truth is known
//! - [`interact`]: what terminal and page share
//! - [`terminal`]: playing at the terminal
//! - [`gui`]: the board in the browser
//! - `cli`: the command line
//!
//! # The rules
//!
//! Positions are small, `Copy` and have no history. They parse from and format as FEN.
//!
//! ```
//! use zermelo::games::TixTax;
//! use zermelo::rules::{Game, GameNotation, perft};
//!
//! let mut pos = TixTax::start();
//! let mv = pos.parse_move("e5")?;
//! pos.play(mv)?;
//! assert_eq!(pos.to_string(), "9/9/9/9/4x4/9/9/9/9 o 1 e5");
//! assert_eq!(pos.legal_moves().len(), 8);
//! assert_eq!(perft(&TixTax::start(), 3), 6336);
//!
//! let error = "9/9/9/9/9/9/9/9/9 o 1 -".parse::<TixTax>().unwrap_err();
//! assert!(error.to_string().contains("the other side is to move"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Solving
//!
//! An exact solver returns the exact value of any position; `rank_moves` ranks the moves of a game in
//! progress.
//!
//! ```
//! use zermelo::games::TicTacToe;
//! use zermelo::rules::{ExactValue, Game, Record};
//! use zermelo::solve::{Minimax, ExactSolver, rank_moves};
//!
//! let mut exact_solver = Minimax::<TicTacToe>::default();
//! assert_eq!(exact_solver.exact(&TicTacToe::start()), ExactValue::Draw);
//!
//! let mut record = Record::new(TicTacToe::start());
//! record.push_text("a3")?;
//! record.push_text("b3")?;
//! let (_, best) = rank_moves(&mut exact_solver, &record)[0];
//! assert_eq!(best, ExactValue::Win(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Searching
//!
//! A searcher searches a task up to its limits and reports scored principal variations.
//!
//! ```
//! use zermelo::eval::Net;
//! use zermelo::games::TixTax;
//! use zermelo::rules::{Game, Record};
//! use zermelo::search::{AlphaBeta, Limits, SearchControl, SearchTask, Searcher};
//!
//! let pos = TixTax::start();
//! let limits = Limits { depth: Some(5), ..Limits::default() };
//! let task = SearchTask { limits, multi_pv: 2, ..SearchTask::new(Record::new(pos)) };
//! let mut searcher = AlphaBeta::new(Net::embedded()?, 16)?;
//! let report = searcher.search(&task, &SearchControl::default(), &mut |_| {});
//! assert_eq!(report.depth, 5);
//! assert_eq!(report.lines.len(), 2);
//! assert!(pos.is_legal(report.best_move().unwrap()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games of another crate
//!
//! A type that implements [`rules::Game`], and by their defaults [`rules::GameNotation`],
//! [`rules::GameDrawing`] and [`rules::GameEncoding`], becomes a program with everything that Zermelo's own
//! games have (feature `cli`).
//!
//! ```no_run
//! use zermelo::games::TicTacToe as MyGame;
//! use zermelo::thinking::GameSpec;
//!
//! let exit_code = zermelo::program([GameSpec::new::<MyGame>().build()]);
//! ```

#[cfg(feature = "interface")]
pub mod analysis;
#[cfg(feature = "cli")]
pub mod arena;
#[cfg(feature = "interface")]
pub mod browser;
#[cfg(feature = "cli")]
pub mod cli;
pub mod conformance;
#[cfg(feature = "interface")]
pub mod document;
pub mod engine;
pub mod eval;
#[cfg(feature = "interface")]
pub mod exam;
mod files;
pub mod games;
#[cfg(feature = "interface")]
pub mod gui;
#[cfg(feature = "interface")]
pub mod interact;
#[cfg(feature = "interface")]
pub mod language;
pub mod platform;
pub mod printing;
pub mod protocol;
pub mod reasons;
#[cfg(feature = "interface")]
pub mod records;
pub mod rules;
#[cfg(feature = "interface")]
pub mod scale;
pub mod search;
pub mod solve;
#[cfg(feature = "interface")]
pub mod statistics;
mod sync;
#[cfg(feature = "interface")]
pub mod teaching;
#[cfg(feature = "interface")]
pub mod terminal;
pub mod thinking;
#[cfg(feature = "interface")]
pub mod viewer;

#[cfg(feature = "cli")]
pub use cli::program;
