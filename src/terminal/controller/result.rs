//! The end of a game: resignation, the result, the review and the score of the series.

use super::{Console, Controller, PlayError};
use crate::interact::situation::result_text;
use crate::interact::{PlayGame, PlayerKind, PlayerLabel};
use crate::language::Values;
use crate::rules::{Outcome, Side};

/// The games played to the end since the program was started.
#[derive(Debug, Default)]
pub(super) struct Series {
    /// Whether the game was between two human players, and the winner; `None` for a draw.
    results: Vec<(bool, Option<PlayerLabel>)>,
}

impl Series {
    fn add(&mut self, game: &PlayGame, outcome: Outcome) {
        let winner = match outcome {
            Outcome::Win(side) => Some(game.label(side)),
            Outcome::Draw => None,
        };
        self.results.push((game.is_between_humans(), winner));
    }

    /// Forgets the last result, because its game goes on.
    pub(super) fn remove_last(&mut self) {
        self.results.pop();
    }

    /// The scores of both sides of a game, in half points, and the number of games, among games
    /// between the same players.
    fn scores(&self, game: &PlayGame) -> ([u32; 2], u32) {
        let is_same = |result: &&(bool, _)| result.0 == game.is_between_humans();
        let games = || self.results.iter().filter(is_same);
        let half_points = |side: Side| {
            let label = game.label(side);
            games().map(|(_, winner)| winner.map_or(1, |own| 2 * u32::from(own == label))).sum()
        };
        ([Side::P1, Side::P2].map(half_points), games().count() as u32)
    }
}

impl<C: Console> Controller<'_, C> {
    /// The user at the prompt gives the game up.
    pub(super) fn resign(&mut self) -> Result<(), PlayError> {
        debug_assert_eq!(self.game.player_to_move(), PlayerKind::Human);
        self.game.resign(self.game.position.side());
        Ok(())
    }

    /// Announces the result and reviews the game.
    pub(super) fn announce_result(&mut self) -> Result<(), PlayError> {
        let Some(outcome) = self.game.outcome() else { return Ok(()) };
        let language = self.options.language;
        let label = |side| self.game.label(side);
        self.print(&result_text(&self.game, outcome, label, language))?;
        if self.game.plies() > 0 {
            self.sum_up_game()?;
        }
        self.series.add(&self.game, outcome);
        let (scores, games) = self.series.scores(&self.game);
        let [first, second] =
            [Side::P1, Side::P2].map(|side| language.player(self.game.label(side)));
        let [left, right] = scores.map(|half_points| f64::from(half_points) / 2.0);
        let values: &Values<'_> = &[
            ("games", &games),
            ("first", &first),
            ("left", &left),
            ("second", &second),
            ("right", &right),
        ];
        self.say("result.series", values)
    }
}
