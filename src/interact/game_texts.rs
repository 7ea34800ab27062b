//! The texts about each game, one record per game and language. A test checks that every game of the
//! registry has them.

use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use crate::language::Language;
use crate::rules::Game;

/// The texts about a game in one language. All but the title and the win reason are sentences.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GameText<'a> {
    pub(crate) title: &'a str,
    /// How moves are typed.
    pub(crate) typing: &'a str,
    /// How the game is won.
    pub(crate) rules: &'a str,
    /// Why a finished game was won: "You win: …".
    pub(crate) win_reason: &'a str,
    /// What is counted where counting decides the game; otherwise empty.
    pub(crate) counted: &'a str,
    /// Examples of moves and of how the game ends, each on a line.
    pub(crate) examples: &'a [&'a str],
    /// What the numbers around the board mean if they change with the position; otherwise empty.
    pub(crate) extra_labels: &'a str,
}

struct GameTexts {
    id: &'static str,
    english: GameText<'static>,
    chinese: GameText<'static>,
}

const TIXTAX_TYPING_ENGLISH: &str = "Type a move as a square of the large board, such as e5, or as \
    board and cell, counted from the top left, such as 5 3. In the board you are sent to, the cell \
    alone is enough.";
const TIXTAX_TYPING_CHINESE: &str = "输入大棋盘上的格子，如 e5；或小棋盘和格子的编号（从左上角数起），\
    如 5 3；小棋盘已指定时，只输入格子的编号即可。";

// Examples that hold under every rule of ultimate tic-tac-toe.
const SENDING_ENGLISH: &str = "e5 plays the centre of board 5 and sends the opponent to board 5.";
const SENDING_CHINESE: &str = "e5 下在第 5 个小棋盘的中心，对手须到第 5 个小棋盘落子。";
const LINE_ENGLISH: &str =
    "Boards 1, 5 and 9 are a line: a player who wins all three wins the game.";
const LINE_CHINESE: &str = "第 1、5、9 个小棋盘连成一线：三个都赢下者胜。";

const GAMES: &[GameTexts] = &[
    GameTexts {
        id: TixTax::ID,
        english: GameText {
            title: "TixTax: ultimate tic-tac-toe",
            typing: TIXTAX_TYPING_ENGLISH,
            rules: "Your cell decides which board the opponent plays in; if that board is closed, \
                the opponent may choose any open one. Won and full boards are closed. Three boards \
                in a row win.",
            win_reason: "three boards in a row",
            counted: "",
            examples: &[
                SENDING_ENGLISH,
                "g2 plays the middle left cell of board 9 and sends the opponent to board 4.",
                "If board 4 has been won or is full, the opponent may choose any open board.",
                LINE_ENGLISH,
            ],
            extra_labels: "",
        },
        chinese: GameText {
            title: "终极井字棋",
            typing: TIXTAX_TYPING_CHINESE,
            rules: "你下的格子决定对手下一步在哪个小棋盘落子；若该小棋盘已关闭，对手可任选。\
                已分胜负或下满的小棋盘即关闭。三个小棋盘连成一线者胜。",
            win_reason: "三个小棋盘连成一线",
            counted: "",
            examples: &[
                SENDING_CHINESE,
                "g2 下在第 9 个小棋盘的左中格，对手须到第 4 个小棋盘落子。",
                "若第 4 个小棋盘已分胜负或下满，对手可任选未关闭的小棋盘。",
                LINE_CHINESE,
            ],
            extra_labels: "",
        },
    },
    GameTexts {
        id: TicTacToe::ID,
        english: GameText {
            title: "Tic-tac-toe",
            typing: "Type a move as a cell, such as b2, or as a number from 1 to 9, counted from \
                the top left.",
            rules: "Three in a row win.",
            win_reason: "three in a row",
            counted: "",
            examples: &[
                "b2 (or 5) plays the centre, a3 (or 1) the top left corner.",
                "x on a3, b2 and c1 wins: three on a diagonal.",
                "If all cells are taken and nobody has three in a row, the game is drawn.",
            ],
            extra_labels: "",
        },
        chinese: GameText {
            title: "井字棋",
            typing: "输入格子，如 b2；或从左上角数起的编号 1 到 9。",
            rules: "三子连成一线者胜。",
            win_reason: "三子连成一线",
            counted: "",
            examples: &[
                "b2（或 5）下在中心，a3（或 1）下在左上角。",
                "x 占据 a3、b2、c1 即获胜：斜线上三子相连。",
                "九格下满而无人连成三子，则为和棋。",
            ],
            extra_labels: "",
        },
    },
    GameTexts {
        id: PongHauKi::ID,
        english: GameText {
            title: "Pong Hau K'i",
            typing: "Type a move as the piece that goes to the empty point, such as a3, or as both \
                points, such as a3b2.",
            rules: "A player who cannot move loses; the third occurrence of a position is a draw.",
            win_reason: "the opponent cannot move",
            counted: "",
            examples: &[
                "The first move of the game is a3b2: the left piece moves to the centre.",
                "Lines run along the top, the left and the bottom, and from b2 to every corner. There \
                is no line between c3 and c1.",
                "With x on b2 and a3, o on a1 and c1, and c3 empty, o cannot move and has lost.",
            ],
            extra_labels: "",
        },
        chinese: GameText {
            title: "区字棋",
            typing: "输入要走到空点的棋子，如 a3；或起点和终点，如 a3b2。",
            rules: "无路可走者负；同一局面第三次出现为和棋。",
            win_reason: "对方无路可走",
            counted: "",
            examples: &[
                "第一步必须走 a3b2：左边的棋子走到中心。",
                "上、左、下三边各有一条线，b2 与四角各有一条线；c3 与 c1 之间没有线。",
                "若 x 在 b2 和 a3，o 在 a1 和 c1，只有 c3 空着，则 o 无路可走，x 获胜。",
            ],
            extra_labels: "",
        },
    },
    GameTexts {
        id: Nim::ID,
        english: GameText {
            title: "Nim on the board",
            typing: "Type a move as a file and a number of steps, such as c 2, or as the square \
                the piece goes to, such as c3.",
            rules: "Pieces move towards each other and never jump; the player who makes the last \
                move wins.",
            win_reason: "no moves are left",
            counted: "",
            examples: &[
                "c 2 moves your piece in file c two squares forward; its target square, such as c3, \
                means the same.",
                "A piece may go as far as the square before the opponent's piece.",
                "If every gap is 0, the side to move cannot move and has lost.",
            ],
            extra_labels: "The number above a file is its gap.",
        },
        chinese: GameText {
            title: "尼姆（棋盘版）",
            typing: "输入列和前进的格数，如 c 2；或棋子要到的格子，如 c3。",
            rules: "双方棋子相向而行，不能越子；走最后一步者胜。",
            win_reason: "对方已无棋可走",
            counted: "",
            examples: &[
                "c 2 把 c 列的己方棋子前进两格；也可输入目标格。",
                "棋子最远可走到对方棋子前面的一格。",
                "所有空格数都为 0 时，轮到走棋的一方无棋可走，判负。",
            ],
            extra_labels: "每列上方的数字是两子之间的空格数。",
        },
    },
    GameTexts {
        id: TixTaxOpen::ID,
        english: GameText {
            title: "TixTax, won boards stay open",
            typing: TIXTAX_TYPING_ENGLISH,
            rules: "Your cell decides which board the opponent plays in; if that board is full, \
                the opponent may choose any other. A won board shows its owner on the frame and \
                stays open. Three boards in a row win.",
            win_reason: "three boards in a row",
            counted: "",
            examples: &[
                SENDING_ENGLISH,
                "Board 5 stays open after it is won; its first owner keeps it.",
                LINE_ENGLISH,
            ],
            extra_labels: "",
        },
        chinese: GameText {
            title: "终极井字棋（赢下的小棋盘不关闭）",
            typing: TIXTAX_TYPING_CHINESE,
            rules: "你下的格子决定对手下一步在哪个小棋盘落子；若该小棋盘已下满，对手可任选其他。\
                赢下的小棋盘在边框上标出归属，仍可落子。三个小棋盘连成一线者胜。",
            win_reason: "三个小棋盘连成一线",
            counted: "",
            examples: &[SENDING_CHINESE, "第 5 个小棋盘赢下后仍可落子，归属不变。", LINE_CHINESE],
            extra_labels: "",
        },
    },
    GameTexts {
        id: TixTaxCount::ID,
        english: GameText {
            title: "TixTax, boards counted",
            typing: TIXTAX_TYPING_ENGLISH,
            rules: "Your cell decides which board the opponent plays in; if that board is closed, \
                the opponent may choose any open one. Won and full boards are closed. Three boards \
                in a row win; if all boards are closed and nobody has three in a row, the player \
                with more boards wins.",
            win_reason: "three boards in a row",
            counted: "boards",
            examples: &[
                SENDING_ENGLISH,
                "If board 5 has been won or is full, the opponent may choose any open board.",
                LINE_ENGLISH,
                "All boards closed, no line, 5 boards to 3: the player with 5 wins; 4 to 4 is a draw.",
            ],
            extra_labels: "",
        },
        chinese: GameText {
            title: "终极井字棋（多盘者胜）",
            typing: TIXTAX_TYPING_CHINESE,
            rules: "你下的格子决定对手下一步在哪个小棋盘落子；若该小棋盘已关闭，对手可任选。\
                已分胜负或下满的小棋盘即关闭。三个小棋盘连成一线者胜；所有小棋盘都已关闭而无人连成一线时，\
                赢得小棋盘较多者胜。",
            win_reason: "三个小棋盘连成一线",
            counted: "小棋盘",
            examples: &[
                SENDING_CHINESE,
                "若第 5 个小棋盘已分胜负或下满，对手可任选未关闭的小棋盘。",
                LINE_CHINESE,
                "小棋盘全部关闭、无人连成一线、5 比 3：赢得 5 个者胜；4 比 4 为和棋。",
            ],
            extra_labels: "",
        },
    },
];

/// The texts about a game. A game without texts is called by its id.
pub(crate) fn game_text(id: &str, language: Language) -> GameText<'_> {
    let texts = GAMES.iter().find(|texts| texts.id == id);
    match (language, texts) {
        (Language::English, Some(texts)) => texts.english,
        (Language::Chinese, Some(texts)) => texts.chinese,
        (_, None) => GameText {
            title: id,
            typing: "",
            rules: "",
            win_reason: "",
            counted: "",
            examples: &[""],
            extra_labels: "",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thinking::registry;

    #[test]
    fn every_game_has_texts_in_every_language() {
        for entry in registry::GAMES {
            assert_eq!(
                GAMES.iter().filter(|texts| texts.id == entry.id).count(),
                1,
                "{}",
                entry.id
            );
            let has_extra_labels = !entry.open().extra_labels().is_empty();
            for (code, language) in Language::ALL {
                let text = game_text(entry.id, language);
                let texts = [text.title, text.typing, text.rules, text.win_reason];
                for required in texts {
                    assert!(!required.is_empty(), "{} in {code}", entry.id);
                }
                assert!(text.examples.len() > 2, "{} in {code}", entry.id);
                assert_eq!(!text.extra_labels.is_empty(), has_extra_labels, "{}", entry.id);
            }
        }
        assert_eq!(GAMES.len(), registry::GAMES.len(), "texts about a game that does not exist");
    }
}
