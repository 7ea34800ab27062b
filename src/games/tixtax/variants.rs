//! The three rules of ultimate tic-tac-toe.

use std::fmt;
use std::hash::Hash;

use super::Ultimate;

/// The difference between the variants.
pub trait Rule: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// Whether a won board is closed; a full board always is.
    const WON_CLOSES: bool;
    /// Whether the player with more boards wins when all boards are closed and nobody has a line;
    /// otherwise that is a draw.
    const COUNT_DECIDES: bool;
    const ID: &'static str;
    /// Other accepted names.
    const ALIASES: &'static [&'static str];
}

/// Won and full boards are closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClosedRule;

impl Rule for ClosedRule {
    const WON_CLOSES: bool = true;
    const COUNT_DECIDES: bool = false;
    const ID: &'static str = "tixtax";
    const ALIASES: &'static [&'static str] = &["uttt", "ultimate"];
}

/// Only full boards are closed; a won board keeps its first owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpenRule;

impl Rule for OpenRule {
    const WON_CLOSES: bool = false;
    const COUNT_DECIDES: bool = false;
    const ID: &'static str = "tixtax-open";
    const ALIASES: &'static [&'static str] = &["uttt-open"];
}

/// Won and full boards are closed; without a line of boards, the player with more boards wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CountRule;

impl Rule for CountRule {
    const WON_CLOSES: bool = true;
    const COUNT_DECIDES: bool = true;
    const ID: &'static str = "tixtax-count";
    const ALIASES: &'static [&'static str] = &["codingame"];
}

/// Ultimate tic-tac-toe as it is usually played.
pub type TixTax = Ultimate<ClosedRule>;

/// Ultimate tic-tac-toe where only full boards are closed.
pub type TixTaxOpen = Ultimate<OpenRule>;

/// Ultimate tic-tac-toe where the number of boards decides a game without a line.
pub type TixTaxCount = Ultimate<CountRule>;
