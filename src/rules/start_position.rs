/// Where a game starts, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartPosition<'a> {
    Initial,
    Fen(&'a str),
    Random {
        seed: u64,
        /// The number of random plies; `None` for the game's default.
        plies: Option<u32>,
    },
}

impl<'a> StartPosition<'a> {
    /// Interprets a text as `startpos` or a FEN.
    #[must_use]
    pub fn from_text(text: &'a str) -> Self {
        if text == "startpos" { Self::Initial } else { Self::Fen(text) }
    }
}
