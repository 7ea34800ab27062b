//! Chinese messages.

use super::games::{GameText, game_text};
use super::{Language, Message, Mistake, PlayerLabel, expected_percent, join_moves};
use crate::printing::signed;
use crate::search::{PlyCount, ProvenValue, Score};

pub(super) fn render(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => text(game).title.to_owned(),
        Message::AskOpponent => "和谁下，电脑 (e) 还是真人 (h)？[E/h] ".to_owned(),
        Message::AskFirstMover => "谁先走，你 (y) 还是电脑 (e)？[Y/e] ".to_owned(),
        Message::InvalidAnswer(found, answers) => {
            let default = answers.first().map_or("", String::as_str);
            let (found, answers) = (quoted(found), answers.join("或"));
            format!("无法识别{found}，请输入{answers}（直接回车：{default}）。")
        }
        Message::Player(PlayerLabel::Engine, level) => format!("电脑（zermelo，{level} 级）"),
        Message::Player(player, _) => name(player).to_owned(),
        Message::ToMove(player) => format!("轮到{}走棋。", name(player)),
        Message::PlayableBoards([board], _) => match board_name(*board) {
            Some(place) => format!("请在第 {board} 个小棋盘（{place}）落子。"),
            None => format!("请在第 {board} 个小棋盘落子。"),
        },
        Message::PlayableBoards(_, true) => "可在任意位置落子。".to_owned(),
        Message::PlayableBoards(boards, false) => {
            let boards: Vec<String> = boards.iter().map(usize::to_string).collect();
            format!("可在任一未关闭的小棋盘落子：{}。", boards.join("、"))
        }
        Message::LastMove(player, mv) => format!("{}下了 {mv}。", name(player)),
        Message::ExtraLabels(game) => text(game).extra_labels.to_owned(),
        Message::CommandList => {
            "请输入着法或命令：提示 悔棋 重走 换边 着法 评估 棋盘 保存 读取 级别 新局 帮助 退出"
                .to_owned()
        }
        Message::Prompt => "请走棋> ".to_owned(),
        Message::Thinking => "电脑正在思考（Ctrl-C：立即走棋）".to_owned(),
        Message::Analysing => "电脑正在分析（Ctrl-C：立即回答）".to_owned(),
        Message::Reviewing => "正在复盘（Ctrl-C：跳过）".to_owned(),
        Message::RandomSeed(seed) => {
            format!("随机开局，种子 {seed}；用 --random {seed} 可重现此局面。")
        }
        Message::Unrecognised(found, example) => {
            format!(
                "{}既不是着法也不是命令。着法形如 {example}；输入“帮助”查看说明。",
                quoted(found)
            )
        }
        Message::Ambiguous(found, moves) => {
            format!("{}有歧义，可能是 {moves}；请输入其中之一。", quoted(found))
        }
        Message::IllegalMove(found, legal) => {
            format!("现在不能走{}。可走：{}", quoted(found), join_moves(legal, " 等"))
        }
        Message::MoveAfterEnd(found) => format!("不能走{}：{GAME_OVER}", quoted(found)),
        Message::GameOver => GAME_OVER.to_owned(),
        Message::HowToPlay(game) => [text(game).typing, text(game).rules].concat(),
        Message::Help => HELP.to_owned(),
        Message::Hint(mv, score, line) => {
            let rest = match line {
                [] | [_] => String::new(),
                [_, rest @ ..] => format!("后续：{}。", rest.join(" ")),
            };
            format!("{mv}：{}。{rest}", describe(score))
        }
        Message::Evaluation(mover, score) => format!("轮到 {mover} 走棋：{}。", describe(score)),
        Message::LegalMoves(moves) => format!("共 {} 种着法：{}", moves.len(), moves.join(" ")),
        Message::NothingToUndo => "没有可悔的棋。".to_owned(),
        Message::NothingToRedo => "没有可重走的棋。".to_owned(),
        Message::Undone(plies) => format!("悔了 {plies} 步棋。"),
        Message::Redone(plies) => format!("重走了 {plies} 步棋。"),
        Message::SidesSwitched => "已换边。".to_owned(),
        Message::NoSidesToSwitch => "双方都是真人，只有和电脑下才能换边。".to_owned(),
        Message::LevelSet(level) => format!("电脑的级别已改为 {level}。"),
        Message::CurrentLevel(level) => {
            format!("电脑现在是 {level} 级。输入“级别 N”可更改，从 0（初学者）到 20（全力）。")
        }
        Message::InvalidLevel(found) => {
            format!("{}不是级别，请输入 0（初学者）到 20（全力）之间的数字。", quoted(found))
        }
        Message::FileNameMissing(command) => {
            format!("{command} 需要文件名，例如：{command} game.pgn")
        }
        Message::AskOverwrite(path) => format!("{}已存在，要覆盖吗？[y/N] ", quoted(path)),
        Message::NotSaved => "未保存。".to_owned(),
        Message::Saved(path) => format!("棋谱已保存到{}。", quoted(path)),
        Message::CannotSave(path, reason) => format!("无法写入{}：{reason}", quoted(path)),
        Message::Loaded(path, number, game, plies) => {
            let number = number.map_or(String::new(), |number| format!("第 {number} 局"));
            format!("已读取{}{number}：{}，共 {plies} 步。", quoted(path), text(game).title)
        }
        Message::FirstGameTaken(path, number, numbers) => format!(
            "{}中有对局 {numbers}，现读取第 {number} 局。读取其他对局：读取 文件 局号。",
            quoted(path)
        ),
        Message::AskGame(path, numbers, first) => {
            format!("{}中有对局 {numbers}，读取哪一局？[{first}] ", quoted(path))
        }
        Message::InvalidGameNumber(found, numbers) => {
            format!("{}不是局号，请输入其中之一：{numbers}。", quoted(found))
        }
        Message::CannotLoad(path, reason) => format!("无法读取{}：{reason}", quoted(path)),
        Message::CannotSearch(reason) => format!("电脑无法思考：{reason}"),
        Message::Won(winner, game) => format!("{}赢了：{}。", name(winner), text(game).win_reason),
        Message::Drawn => "和棋：双方都已无法取胜。".to_owned(),
        Message::Repetition => "和棋：同一局面第三次出现。".to_owned(),
        Message::Mistake(mistake) => describe_mistake(mistake),
        Message::NoMistakes(true) => "双方都没有失误。".to_owned(),
        Message::NoMistakes(false) => "没有发现确定的失误。".to_owned(),
        Message::AskPlayAgain => "再来一局？[Y/n] ".to_owned(),
        Message::ConfirmQuit => "再按一次 Ctrl-C 退出，或输入 quit。".to_owned(),
        Message::Goodbye => "再见。".to_owned(),
    }
}

const GAME_OVER: &str = "对局已结束。输入“悔棋”可退回，输入“新局”可另开一局。";

const HELP: &str = "\
提示 hint         给出最佳着法
悔棋 undo         退回上一步
重走 redo         重走悔掉的棋
换边 flip         与电脑交换先后手
着法 moves        列出所有合法着法
评估 eval         评估当前局面
棋盘 board        显示棋盘（或直接回车）
保存 save 文件    保存棋谱
读取 load 文件    读取棋谱并继续对局（读取 文件 N：第 N 局）
级别 level N      设置电脑级别，0 到 20
新局 new          重新开局
帮助 help         显示本说明
退出 quit         退出（或 Ctrl-D）
Ctrl-C 让电脑立即走棋。";

fn text(game: &str) -> GameText<'_> {
    game_text(game, Language::Chinese)
}

/// The place of a board, numbered from the top left.
fn board_name(number: usize) -> Option<&'static str> {
    const NAMES: [&str; 9] =
        ["左上", "中上", "右上", "左中", "正中", "右中", "左下", "中下", "右下"];
    NAMES.get(number.checked_sub(1)?).copied()
}

fn name(player: PlayerLabel) -> &'static str {
    match player {
        PlayerLabel::You => "你",
        PlayerLabel::Engine => "电脑",
        PlayerLabel::First => "先手",
        PlayerLabel::Second => "后手",
    }
}

fn describe(score: Score) -> String {
    let moves = |plies: PlyCount| match plies {
        PlyCount::Distance(plies) => format!("{plies} 步（双方合计）"),
        // The length of the proven line, not the distance with best play.
        PlyCount::LineLength(plies) => format!("所得变化共 {plies} 步（双方合计）"),
    };
    match score {
        Score::Proven(ProvenValue::Win(PlyCount::Distance(1))) => "一步即胜".to_owned(),
        Score::Proven(ProvenValue::Win(plies)) => format!("必胜，{}", moves(plies)),
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(0))) => "已输".to_owned(),
        Score::Proven(ProvenValue::Loss(plies)) => format!("必败，{}", moves(plies)),
        Score::Proven(ProvenValue::Draw) => "必和".to_owned(),
        Score::Estimate(points) => {
            let (percent, units) = (expected_percent(score), signed(f64::from(points) / 100.0, 2));
            format!("预期得分约 {percent:.0}%（{units}）")
        }
    }
}

fn describe_mistake(mistake: &Mistake<'_>) -> String {
    let Mistake { is_first, ply, player, mv, before, after, better_move } = *mistake;
    let opening = if is_first { "转折点" } else { "最后的转折点" };
    let (player, before, after) = (name(player), value_name(before), value_name(after));
    let better = better_move.map_or(String::new(), |mv| format!("正确的着法是 {mv}。"));
    format!("{opening}是第 {ply} 步，{player}的 {mv}：{before}变成了{after}。{better}")
}

fn value_name(score: Score) -> &'static str {
    match score {
        Score::Proven(ProvenValue::Win(_)) => "必胜",
        Score::Proven(ProvenValue::Draw) => "和棋",
        Score::Proven(ProvenValue::Loss(_)) => "必败",
        Score::Estimate(_) => "形势不明",
    }
}

/// Replaces the quotation marks that [`quote`](crate::printing::quote) puts around a text.
fn quoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    format!("“{}”", inner.unwrap_or(text))
}
