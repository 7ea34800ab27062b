//! A game of another crate with the whole program of Zermelo. See `docs/own-game.md`.

mod connect_four;

use std::process::ExitCode;

use connect_four::ConnectFour;
use zermelo::solve::ExactSearch;
use zermelo::thinking::GameSpec;

fn main() -> ExitCode {
    let connect_four =
        GameSpec::new::<ConnectFour>().exact_solver::<ExactSearch<ConnectFour>>().build();
    zermelo::program([connect_four])
}

#[test]
fn the_game_conforms_and_is_a_draw() {
    use zermelo::rules::{Game, Value, perft};

    zermelo::conformance::check::<ConnectFour>().unwrap();
    assert_eq!(perft(&ConnectFour::start(), 6), 46_650);
    assert_eq!(ExactSearch::default().value(&ConnectFour::start()), Value::Draw);
}
