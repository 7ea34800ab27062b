//! Chinese.

use super::{Blunder, Message, Who, expected, some};
use crate::search::{PlyCount, ProvenValue, Score};

pub(super) fn say(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => title(game).to_owned(),
        Message::AskOpponent => "和谁下？电脑还是真人？[电脑 engine/真人 person] ".to_owned(),
        Message::AskFirst => "谁先走？你还是电脑？[我 me/电脑 engine] ".to_owned(),
        Message::NoAnswer(found) => {
            format!("{} 不是方括号里的选项；直接回车选第一项，quit 退出。", quoted(found))
        }
        Message::Player(Who::Engine, level) => format!("电脑（zermelo，{level} 级）"),
        Message::Player(who, _) => player(who).to_owned(),
        Message::ToMove(who) => format!("轮到{}下。", player(who)),
        Message::PlayIn([board]) => format!("须下在第 {board} 个小棋盘。"),
        Message::PlayIn(boards) => format!("可下在这些小棋盘：{}。", boards.join("、")),
        Message::LastMove(who, mv) => format!("{}下了 {mv}。", player(who)),
        Message::Gaps => "每列上方的数字是两子之间的空格数。".to_owned(),
        Message::HelpIsThere => {
            "输入着法，或：提示 悔棋 重做 换边 着法 评估 棋盘 保存 读取 级别 新局 帮助 退出"
                .to_owned()
        }
        Message::Prompt => "你的着法> ".to_owned(),
        Message::Thinking => "电脑正在思考（Ctrl-C：立即走棋）".to_owned(),
        Message::Looking => "电脑正在分析（Ctrl-C：立即回答）".to_owned(),
        Message::LookingOver => "正在复盘（Ctrl-C：跳过）".to_owned(),
        Message::Seed(seed) => format!("随机开局（种子 {seed}），用 --random {seed} 可重现。"),
        Message::Unreadable(found, example) => format!(
            "{} 既不是着法也不是命令。着法的写法如 {example}；输入“帮助”查看说明。",
            quoted(found)
        ),
        Message::Ambiguous(found, moves) => {
            format!("{} 可以是 {moves} 中的任何一个；请输入其中之一，或盘号和格号。", quoted(found))
        }
        Message::Illegal(found, legal) => {
            format!("现在不能走 {}。可走：{}", quoted(found), some(legal, " 等"))
        }
        Message::IsOver(found) => {
            format!("不能走 {}，对局已经结束；“悔棋”可以退回，“新局”重新开始。", quoted(found))
        }
        Message::GameOver => "对局已经结束；“悔棋”可以退回，“新局”重新开始。".to_owned(),
        Message::HowToMove(game) => how_to_move(game),
        Message::Commands => COMMANDS.to_owned(),
        Message::Hint(mv, score, line) => {
            let go_on = if line.len() < 2 {
                String::new()
            } else {
                format!("后续：{}。", line[1..].join(" "))
            };
            format!("{mv}：{}。{go_on}", worth(score))
        }
        Message::Eval(score) => format!("对轮到走的一方而言：{}。", worth(score)),
        Message::Moves(moves) => format!("共 {} 种着法：{}", moves.len(), moves.join(" ")),
        Message::NothingToUndo => "没有可以悔的棋。".to_owned(),
        Message::NothingToRedo => "没有可以重走的棋。".to_owned(),
        Message::Undone(plies) => format!("悔了 {plies} 手棋。"),
        Message::Redone(plies) => format!("重走了 {plies} 手棋。"),
        Message::Flipped => "已交换双方。".to_owned(),
        Message::NothingToFlip => "双方都是真人，无法换边。".to_owned(),
        Message::Level(level) => format!("从现在起电脑为 {level} 级。"),
        Message::LevelIs(level) => {
            format!("电脑为 {level} 级；“级别 N”可改，0（初学者）到 20（全力）。")
        }
        Message::NoLevel(found) => {
            format!("{} 不是级别，请输入 0（初学者）到 20（全力）之间的数字。", quoted(found))
        }
        Message::NoFile(command) => format!("{command} 需要文件名，例如：{command} game.pgn"),
        Message::AskReplace(path) => {
            format!("{} 已经存在，要覆盖吗？[否 no/是 yes] ", quoted(path))
        }
        Message::NotSaved => "没有保存。".to_owned(),
        Message::Saved(path) => format!("棋谱已保存到 {}。", quoted(path)),
        Message::CannotSave(path, reason) => format!("无法写入 {}（{reason}）", quoted(path)),
        Message::Loaded(path, game, plies) => {
            format!("{}：{}，共 {plies} 手。", quoted(path), title(game))
        }
        Message::NoGame(path) => format!("{} 里没有棋谱。", quoted(path)),
        Message::CannotLoad(path, reason) => format!("无法读取 {}（{reason}）", quoted(path)),
        Message::CannotThink(reason) => format!("电脑无法思考（{reason}）"),
        Message::Won(who, game) => won(who, game),
        Message::Drawn => "和棋：谁也赢不了了。".to_owned(),
        Message::Repeated => "和棋：同一局面第三次出现。".to_owned(),
        Message::ThrownAway(blunder) => thrown_away(blunder),
        Message::NothingThrownAway(true) => "双方都没有失误。".to_owned(),
        Message::NothingThrownAway(false) => "没有发现可以确认的败着。".to_owned(),
        Message::AskAnother => "再来一局？[是 yes/否 no] ".to_owned(),
        Message::ReallyQuit => "再按一次 Ctrl-C 退出，或输入 quit。".to_owned(),
        Message::Bye => "再见。".to_owned(),
    }
}

const COMMANDS: &str = "\
提示 hint         最好的着法及理由
悔棋 undo         悔棋
重做 redo         恢复悔掉的棋
换边 flip         交换双方
着法 moves        所有合法着法
评估 eval         局面的价值
棋盘 board        再画一次棋盘（或直接回车）
保存 save 文件    保存棋谱
读取 load 文件    载入棋谱，接着下
级别 level N      电脑的水平，0 到 20
新局 new          重新开始
帮助 help         本说明
退出 quit         离开（或 Ctrl-D）
Ctrl-C 让电脑立即走棋。";

fn title(game: &str) -> &str {
    match game {
        "tictactoe" => "井字棋",
        "ponghauki" => "区字棋",
        "tixtax" => "终极井字棋",
        "tixtax-open" => "终极井字棋（赢下的盘仍可落子）",
        "nim" => "尼姆棋（棋盘版）",
        other => other,
    }
}

fn how_to_move(game: &str) -> String {
    const BOARDS: &str = "着法是大棋盘上的格子 e5，或盘号和格号（都从左上角数起）5 3；被指定了小棋盘时只写格号即可。\
        所下的格子决定对方下一手的小棋盘；该盘已关闭时可任选。";
    match game {
        "tictactoe" => "着法是一个格子：b2，或从左上角数起的 1 到 9。三子连成一线者胜。".to_owned(),
        "ponghauki" => "着法是走向空点的棋子：a3，或写出两点 a3b2。不能走者负；同一局面第三次出现为和棋。".to_owned(),
        "tixtax" => format!("{BOARDS}赢下或下满的小棋盘即关闭。三个小棋盘连成一线者胜。"),
        "tixtax-open" => format!("{BOARDS}下满的小棋盘才关闭；赢下的在边框上标出，仍可落子。三个小棋盘连成一线者胜。"),
        "nim" => "着法是列和前进的格数：c 2，或棋子要到的格子 c3。双方棋子相向而行，不能跳过；走最后一手者胜。".to_owned(),
        _ => "输入“着法”可查看写法。".to_owned(),
    }
}

fn player(who: Who) -> &'static str {
    match who {
        Who::You => "你",
        Who::Engine => "电脑",
        Who::First => "先手",
        Who::Second => "后手",
    }
}

fn won(who: Who, game: &str) -> String {
    let how = match game {
        "nim" => "走完了最后一手",
        "ponghauki" => "对方无路可走",
        "tictactoe" => "三子连成一线",
        "tixtax" | "tixtax-open" => "三个小棋盘连成一线",
        _ => "胜负已定",
    };
    format!("{}赢了：{how}。", player(who))
}

fn worth(score: Score) -> String {
    match score {
        Score::Proven(ProvenValue::Win(PlyCount::Distance(1))) => "已证明，这一手就赢".to_owned(),
        Score::Proven(ProvenValue::Win(PlyCount::Distance(plies))) => {
            format!("已证明，{plies} 手可胜（双方合计）")
        }
        Score::Proven(ProvenValue::Win(PlyCount::LineLength(plies))) => {
            format!("已证明必胜，所示变化共 {plies} 手（双方合计）")
        }
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(0))) => "已输".to_owned(),
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(plies))) => {
            format!("已证明，怎么走都会输，{plies} 手（双方合计）")
        }
        Score::Proven(ProvenValue::Loss(PlyCount::LineLength(plies))) => {
            format!("已证明，怎么走都会输，所示变化共 {plies} 手（双方合计）")
        }
        Score::Proven(ProvenValue::Draw) => "已证明，双方走对则和棋".to_owned(),
        Score::Estimate(points) => {
            let (share, units) = (expected(score), f64::from(points) / 100.0);
            format!("未证明，预期得分 {share:.0}%（{units:+.2}）")
        }
    }
}

fn thrown_away(blunder: &Blunder<'_>) -> String {
    let Blunder { is_first, ply, who, mv, had, got, right } = *blunder;
    let right = right.map_or(String::new(), |right| format!("正着是 {right}。"));
    let turned = if is_first { "转折点" } else { "最后的转折点" };
    format!(
        "{turned}是第 {ply} 手，{}的 {mv}：由{}变成{}。{right}",
        player(who),
        value(had),
        value(got)
    )
}

fn value(score: Score) -> &'static str {
    match score {
        Score::Proven(ProvenValue::Win(_)) => "必胜",
        Score::Proven(ProvenValue::Draw) => "和棋",
        Score::Proven(ProvenValue::Loss(_)) => "必败",
        Score::Estimate(_) => "未定",
    }
}

/// What stands in straight quotes, in Chinese ones.
fn quoted(text: &str) -> String {
    format!("“{}”", text.trim_matches('"'))
}
