//! Chinese.

use super::{Message, Who, expected, some};
use crate::rules::Exact;
use crate::search::Score;

pub(super) fn say(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => title(game).to_owned(),
        Message::AskOpponent => "和谁下？电脑还是真人？[电脑 engine/真人 person] ".to_owned(),
        Message::AskFirst => "谁先走？你还是电脑？[我 me/电脑 engine] ".to_owned(),
        Message::NoAnswer(found) => {
            format!("{found}不在方括号里的选项之中；直接回车选第一项，quit 退出。")
        }
        Message::Player(Who::Engine, level) => format!("zermelo，{level} 级"),
        Message::Player(who, _) => player(who).to_owned(),
        Message::ToMove(who) => format!("轮到{}走。", player(who)),
        Message::PlayIn([board]) => format!("须下在第 {board} 盘。"),
        Message::PlayIn(boards) => format!("可下在这些盘中：{}。", boards.join(" ")),
        Message::LastMove(who, mv) => format!("{}走了 {mv}。", player(who)),
        Message::Gaps => "每列上方的数字是两子之间的空格数。".to_owned(),
        Message::Ply(plies) => format!("第 {} 手", plies + 1),
        Message::HelpIsThere => {
            "输入着法，或：提示 悔棋 重做 换边 着法 评估 保存 读取 级别 新局 帮助 退出".to_owned()
        }
        Message::Prompt => "你的着法> ".to_owned(),
        Message::Thinking => "zermelo 正在思考（Ctrl-C：立即走子）".to_owned(),
        Message::LookingOver => "正在复盘（Ctrl-C：跳过）".to_owned(),
        Message::Seed(seed) => format!("随机开局 {seed}；用 --random {seed} 可重现。"),
        Message::Unreadable(found, example) => {
            format!("{found}既不是着法也不是命令。着法的写法如 {example}；输入 帮助 查看说明。")
        }
        Message::Illegal(found, legal) => {
            format!("这里不能走 {found}。可走：{}", some(legal, " 等"))
        }
        Message::IsOver(found) => format!("不能走 {found}，对局已经结束；悔棋可以退回。"),
        Message::HowToMove(game) => how_to_move(game).to_owned(),
        Message::Commands => COMMANDS.to_owned(),
        Message::Hint(mv, score, line) => {
            let go_on = if line.len() < 2 {
                String::new()
            } else {
                format!("后续：{}。", line[1..].join(" "))
            };
            format!("{mv}：{}。{go_on}", worth(score))
        }
        Message::Eval(score) => format!("对走棋方而言：{}。", worth(score)),
        Message::Moves(moves) => format!("共 {} 种着法：{}", moves.len(), moves.join(" ")),
        Message::NothingToUndo => "没有可以悔的棋。".to_owned(),
        Message::NothingToRedo => "没有可以重做的棋。".to_owned(),
        Message::Undone(plies) => format!("退回了 {plies} 手。"),
        Message::Redone(plies) => format!("重做了 {plies} 手。"),
        Message::Flipped => "已交换双方。".to_owned(),
        Message::NothingToFlip => "双方都是真人，无法换边。".to_owned(),
        Message::Level(level) => format!("从现在起电脑为 {level} 级。"),
        Message::NoLevel(found) => {
            format!("{found}不是级别，请输入 0（初学者）到 20（全力）之间的数字。")
        }
        Message::NoFile(command) => format!("{command} 需要文件名，例如：{command} game.pgn"),
        Message::AskReplace(path) => format!("{path} 已经存在，要覆盖吗？[否 no/是 yes] "),
        Message::NotSaved => "没有保存。".to_owned(),
        Message::Saved(path) => format!("对局已保存到 {path}。"),
        Message::CannotSave(path, reason) => format!("无法写入 {path}：{reason}"),
        Message::Loaded(path, plies) => format!("{path} 中的对局，共 {plies} 手。"),
        Message::CannotLoad(path, reason) => format!("无法读取 {path}：{reason}"),
        Message::CannotThink(reason) => format!("电脑无法思考：{reason}"),
        Message::Won(who, game) => won(who, game),
        Message::Drawn => "和棋：谁也赢不了了。".to_owned(),
        Message::Repeated => "和棋：同一局面第三次出现。".to_owned(),
        Message::ThrownAway(ply, who, mv, got, had, best) => {
            let instead = best.map_or(String::new(), |best| format!("正着是 {best}。"));
            format!(
                "转折点是第 {ply} 手，{}的 {mv}：由{}变成{}。{instead}",
                player(who),
                value(had),
                value(got)
            )
        }
        Message::NothingThrownAway => "没有发现丢掉胜负的着法。".to_owned(),
        Message::AskAnother => "再来一局？[是 yes/否 no] ".to_owned(),
        Message::ReallyQuit => "再按一次 Ctrl-C 退出，或输入 quit。".to_owned(),
        Message::Bye => "再见。".to_owned(),
    }
}

const COMMANDS: &str = "\
提示 hint         最好的着法及理由
悔棋 undo         退回
重做 redo         重走退回的棋
换边 flip         交换双方
着法 moves        所有合法着法
评估 eval         局面的价值
保存 save 文件    把对局写成记录
读取 load 文件    接着记录下
级别 level N      电脑的水平，0 到 20
新局 new          重新开始
帮助 help         本说明
退出 quit         离开（或 Ctrl-D）
Ctrl-C 让电脑立即走子。";

fn title(game: &str) -> &str {
    match game {
        "tictactoe" => "井字棋",
        "ponghauki" => "区字棋",
        "tixtax" => "终极井字棋",
        "tixtax-open" => "终极井字棋（赢下的盘仍可落子）",
        "nim" => "棋盘尼姆",
        other => other,
    }
}

fn how_to_move(game: &str) -> &str {
    match game {
        "tictactoe" => "着法是一个格子：b2，或从左上角数起的 1 到 9。三子连成一线者胜。",
        "ponghauki" => "着法是走向空点的棋子：a3，或写出两点 a3b2。不能走者负。",
        "tixtax" | "tixtax-open" => {
            "着法是大棋盘上的格子 e5，或盘号和格号（都从左上角数起）5 3；被指定了盘时只写格号即可。\
             所下的格子决定对方下一手的盘。三盘连成一线者胜。"
        }
        "nim" => {
            "着法是列和步数：c 2，或写出两格 c1c3。双方棋子相向而行，不能跳过；走最后一步者胜。"
        }
        _ => "着法的写法见命令 着法。",
    }
}

fn player(who: Who) -> &'static str {
    match who {
        Who::You => "你",
        Who::Engine => "zermelo",
        Who::First => "先手",
        Who::Second => "后手",
    }
}

fn won(who: Who, game: &str) -> String {
    let how = match game {
        "nim" => "走完了最后一步",
        "ponghauki" => "对方无路可走",
        "tictactoe" => "三子连成一线",
        "tixtax" | "tixtax-open" => "三盘连成一线",
        _ => "胜负已定",
    };
    format!("{}赢了：{how}。", player(who))
}

fn worth(score: Score) -> String {
    match score {
        Score::Proven(Exact::Win(plies)) => format!("已证明，{plies} 手内必胜"),
        Score::Proven(Exact::Loss(0)) => "已输".to_owned(),
        Score::Proven(Exact::Loss(plies)) => format!("已证明，怎么走都会在 {plies} 手内输掉"),
        Score::Proven(Exact::Draw) => "已证明，双方走对则和棋".to_owned(),
        Score::Estimate(points) => {
            let share = expected(score);
            format!("未证明，预期得分 {share:.0}%（{:+.2}）", f64::from(points) / 100.0)
        }
    }
}

fn value(score: Score) -> &'static str {
    match score {
        Score::Proven(Exact::Win(_)) => "必胜",
        Score::Proven(Exact::Draw) => "和棋",
        Score::Proven(Exact::Loss(_)) => "必败",
        Score::Estimate(_) => "未定",
    }
}
