//! Compares what the checker and the program read in the FEN of a claim.

use zermelo::rules::Game;

/// The checker, which shares no code with the engine.
#[allow(dead_code)]
#[path = "src/main.rs"]
pub(crate) mod checker;

/// Whether the checker reads a text, and reads it as the same position as the program; the checker
/// has to read all that the program writes.
pub(crate) fn is_read_alike<G: Game>(fen: &str) -> bool {
    let program: Option<G> = fen.parse().ok().filter(|pos: &G| pos.to_string() == fen);
    let read = checker::Position::parse(G::ID, fen);
    let name = |(board, cell): (usize, usize)| {
        let (column, row) = (board % 3 * 3 + cell % 3, board / 3 * 3 + cell / 3);
        format!("{}{}", char::from(b'a' + column as u8), 9 - row)
    };
    // The checker asks for the moves of games that are not over.
    let moves = read.map(|pos| match pos.final_result(0, true) {
        Some(_) => Vec::new(),
        None => pos.moves().map(name).collect(),
    });
    let legal = |pos: G| pos.legal_moves().into_iter().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, program.map(legal), "{} {fen:?}", G::ID);
    moves.is_some()
}
