//! Illegal moves and the rules that they break, for every interface that names the rule.

/// A game, a position, a move that is illegal there, and why, in the words of the protocol.
pub(crate) const ILLEGAL_MOVES: [(&str, &str, &str, &str); 12] = [
    ("tictactoe", "3/1x1/3 o", "b2", "b2 is occupied"),
    ("tictactoe", "3/1x1/3 o", "5", "b2 is occupied"),
    ("tixtax", "9/9/9/9/4x4/9/9/9/9 o 1 e5", "a1", "the mover was sent to the centre board"),
    (
        "tixtax",
        "1x6o/1x1o1xxxx/1x1ooo1oo/1xo3ooo/8x/1x1ooo3/2x1x1oxx/2xoxo2x/2o1xx1ox o 20 -",
        "a9",
        "the top left board has been won",
    ),
    ("tixtax-open", "9/9/9/9/4x4/9/9/9/9 o 1 e5 .........", "e5", "e5 is occupied"),
    ("ponghauki", "xx/1/oo x 0", "c3b2", "the first move must be the left piece, a3"),
    ("ponghauki", "1x/x/oo o 1", "b2a3", "the mover has no piece on b2"),
    ("ponghauki", "xo/x/o1 x 4", "a3c3", "c3 is occupied"),
    ("ponghauki", "ox/x/o1 x 4", "c3c1", "no line leads from c3 to c1"),
    ("nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b", "c8c7", "the mover has no piece on c8"),
    ("nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b", "c1c8", "the piece on c8 is in the way"),
    ("nim", "rrrrrrrr/8/8/8/8/2b5/8/bb1bbbbb b", "c3c1", "pieces only move forward"),
];
