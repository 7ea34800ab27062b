//! The texts about each game, one record per game and language. A test checks that every game of the
//! registry has them.

use super::Language;
use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxOpen};
use crate::rules::Game;

/// The texts about a game in one language. All but the title and the win reason are sentences.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameText<'a> {
    pub(super) title: &'a str,
    /// How moves are typed.
    pub(super) typing: &'a str,
    /// How the game is won.
    pub(super) rules: &'a str,
    /// Why a finished game was won: "You win: …".
    pub(super) win_reason: &'a str,
    /// What the numbers around the board mean if they change with the position; otherwise empty.
    pub(super) extra_labels: &'a str,
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

const GAMES: &[GameTexts] = &[
    GameTexts {
        id: TixTax::ID,
        english: GameText {
            title: "TixTax: ultimate tic-tac-toe",
            typing: TIXTAX_TYPING_ENGLISH,
            rules: "Your cell decides which board the opponent plays in; if that board is closed, \
                any open one may be chosen. Won and full boards are closed. Three boards in a row \
                win.",
            win_reason: "three boards in a row",
            extra_labels: "",
        },
        chinese: GameText {
            title: "终极井字棋",
            typing: TIXTAX_TYPING_CHINESE,
            rules: "你下的格子决定对手下一步在哪个小棋盘落子；若该小棋盘已关闭，对手可任选。\
                已分胜负或下满的小棋盘即关闭。三个小棋盘连成一线者胜。",
            win_reason: "三个小棋盘连成一线",
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
            extra_labels: "",
        },
        chinese: GameText {
            title: "井字棋",
            typing: "输入格子，如 b2；或从左上角数起的编号 1 到 9。",
            rules: "三子连成一线者胜。",
            win_reason: "三子连成一线",
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
            extra_labels: "",
        },
        chinese: GameText {
            title: "区字棋",
            typing: "输入要走到空点的棋子，如 a3；或起点和终点，如 a3b2。",
            rules: "无路可走者负；同一局面第三次出现为和棋。",
            win_reason: "对方无路可走",
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
            extra_labels: "The number above a file is its gap.",
        },
        chinese: GameText {
            title: "尼姆（棋盘版）",
            typing: "输入列和前进的格数，如 c 2；或棋子要到的格子，如 c3。",
            rules: "双方棋子相向而行，不能越子；走最后一步者胜。",
            win_reason: "对方已无棋可走",
            extra_labels: "每列上方的数字是两子之间的空格数。",
        },
    },
    GameTexts {
        id: TixTaxOpen::ID,
        english: GameText {
            title: "TixTax, won boards stay open",
            typing: TIXTAX_TYPING_ENGLISH,
            rules: "Your cell decides which board the opponent plays in; if that board is full, \
                any other may be chosen. A won board shows its owner on the frame and is still \
                played in. Three boards in a row win.",
            win_reason: "three boards in a row",
            extra_labels: "",
        },
        chinese: GameText {
            title: "终极井字棋（赢下的小棋盘不关闭）",
            typing: TIXTAX_TYPING_CHINESE,
            rules: "你下的格子决定对手下一步在哪个小棋盘落子；若该小棋盘已下满，对手可任选其他。\
                赢下的小棋盘在边框上标出归属，仍可落子。三个小棋盘连成一线者胜。",
            win_reason: "三个小棋盘连成一线",
            extra_labels: "",
        },
    },
];

/// The texts about a game. A game without texts is called by its id.
pub(super) fn game_text(id: &str, language: Language) -> GameText<'_> {
    let texts = GAMES.iter().find(|texts| texts.id == id);
    match (language, texts) {
        (Language::English, Some(texts)) => texts.english,
        (Language::Chinese, Some(texts)) => texts.chinese,
        (_, None) => {
            GameText { title: id, typing: "", rules: "", win_reason: "", extra_labels: "" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::registry;

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
                for required in [text.title, text.typing, text.rules, text.win_reason] {
                    assert!(!required.is_empty(), "{} in {code}", entry.id);
                }
                assert_eq!(!text.extra_labels.is_empty(), has_extra_labels, "{}", entry.id);
            }
        }
        assert_eq!(GAMES.len(), registry::GAMES.len(), "texts about a game that does not exist");
    }
}
