//! Chinese messages.

use std::borrow::Cow;

use super::chinese_problems::{self as problems, quoted};
use super::games::{GameText, game_text};
use super::{Language, Message, Mistake, PlayerLabel, expected_percent, join_moves};
use crate::analysis::reasons::{Reason, phrases};
use crate::interact::advice::{Explanation, MoveAdvice};
use crate::interact::levels::{NAMED_LEVELS, NamedLevel, level_names};
use crate::printing::signed;
use crate::rules::Value;
use crate::rules::drawing::{Piece, PieceColour};
use crate::search::{PlyCount, ProvenValue, Score};
use crate::teaching::puzzles::MAX_DIFFICULTY;
use crate::thinking::registry::{GAMES, GameEntry};

pub(super) fn render(message: &Message<'_>) -> String {
    match *message {
        Message::Title(game) => text(game).title.to_owned(),
        Message::GameList => game_list(),
        Message::AskWhichGame => "下什么棋？请输入编号或名称。[1] ".to_owned(),
        Message::UnknownGame(found, games) => {
            format!("没有{}这种棋，请输入其中之一：{games}。", quoted(found))
        }
        Message::LevelList => level_list(),
        Message::AskLevel(default) => format!("电脑的级别，0 到 20 或名称？[{default}] "),
        Message::AskOpponent => "和谁下，电脑 (e) 还是真人 (h)？[E/h] ".to_owned(),
        Message::AskFirstMover => "谁先走，你 (y) 还是电脑 (e)？[Y/e] ".to_owned(),
        Message::InvalidAnswer(found, answers) => {
            let default = answers.first().map_or("", String::as_str);
            let (found, answers) = (quoted(found), answers.join("或"));
            format!("无法识别{found}，请输入{answers}（直接回车：{default}）。")
        }
        Message::Player(PlayerLabel::Engine, level) => format!("电脑（zermelo，{level} 级）"),
        Message::Player(player, _) => name(player).into_owned(),
        Message::WindowTooNarrow(columns) => {
            format!("窗口太窄：请加宽到 {columns} 列，再按回车。")
        }
        Message::ToMove(player) => format!("轮到{}走棋。", name(player)),
        Message::PlayableBoards([board], _) => {
            format!("请在{}落子。", phrases::chinese_board(*board))
        }
        Message::PlayableBoards(_, true) => "可在任意位置落子。".to_owned(),
        Message::PlayableBoards(boards, false) => {
            let boards: Vec<String> = boards.iter().map(usize::to_string).collect();
            format!("可在任一未关闭的小棋盘落子：{}。", boards.join("、"))
        }
        Message::LastMove(player, mv) => format!("{}下了 {mv}。", name(player)),
        Message::ExtraLabels(game) => text(game).extra_labels.to_owned(),
        Message::CommandList => {
            "请输入着法或命令：提示 解释 着法 评估 悔棋 重走 换边 棋盘 复盘 规则 保存 读取 级别 新局 认输 帮助 退出"
                .to_owned()
        }
        Message::Prompt => "请走棋> ".to_owned(),
        Message::Thinking => "电脑正在思考（Ctrl-C：立即走棋）".to_owned(),
        Message::Analysing => "电脑正在分析（Ctrl-C：立即回答）".to_owned(),
        Message::Reviewing => "正在复盘（Ctrl-C：跳过）".to_owned(),
        Message::RandomSeed(seed) => {
            format!("随机开局，种子 {seed}；用 --random {seed} 可重现此局面。")
        }
        Message::Unrecognized(found, example) => {
            format!(
                "{}既不是着法也不是命令。着法形如 {example}；输入“帮助”查看说明。",
                quoted(found)
            )
        }
        Message::NotAMove(found, example) => {
            format!("{}不是着法。着法形如 {example}。", quoted(found))
        }
        Message::Ambiguous(found, moves) => {
            format!("{}有歧义，可能是 {moves}；请输入其中之一。", quoted(found))
        }
        Message::IllegalMove(found, reason, legal) => {
            let reason = reason.map_or(String::new(), |reason| {
                format!("：{}", phrases::chinese_broken_rule(reason))
            });
            let listed = match legal {
                [] => String::new(),
                legal => format!("可走：{}", join_moves(legal, " 等")),
            };
            format!("现在不能走{}{reason}。{listed}", quoted(found))
        }
        Message::MoveAfterResult(found) => format!("不能走{}：对局已结束。", quoted(found)),
        Message::MoveAfterEnd(found) => format!("不能走{}：{GAME_OVER}", quoted(found)),
        Message::GameOver => GAME_OVER.to_owned(),
        Message::Objective(game) => text(game).rules.to_owned(),
        Message::HowToPlay(game) => [text(game).typing, text(game).rules].concat(),
        Message::Rules(game) => {
            let text = text(game);
            format!("{}\n{}{}\n{}", text.title, text.typing, text.rules, text.examples.join("\n"))
        }
        Message::Help => HELP.to_owned(),
        Message::Hint(advice, []) => describe_move(advice),
        Message::Hint(advice, line) => {
            format!("{}后续：{}。", describe_move(advice), line.join(" "))
        }
        Message::Explanation(explanation) => describe_explanation(explanation),
        Message::Warning(explanation) => format!(
            "注意：这步棋使预期得分减少 {:.2}。{}",
            explanation.loss(),
            describe_explanation(explanation)
        ),
        Message::AskTakeBack => "收回这步棋吗？[Y/n] ".to_owned(),
        Message::MoveMissing(example) => format!("“解释”后面需要着法，例如：解释 {example}"),
        Message::Evaluation(mover, score) => format!("轮到 {mover} 走棋：{}。", describe(score)),
        Message::MoveCount(moves, is_exact) => {
            let unit = if is_exact { "（步数为双方合计）" } else { "" };
            format!("共 {moves} 种着法，从好到坏{unit}：")
        }
        Message::MoveValue(mv, score) => format!("{mv} {}", describe_briefly(score)),
        Message::NothingToUndo => "没有可悔的棋。".to_owned(),
        Message::NothingToRedo => "没有可重走的棋。".to_owned(),
        Message::Undone(plies) => format!("悔了 {plies} 步棋。"),
        Message::Redone(plies) => format!("重走了 {plies} 步棋。"),
        Message::SidesSwitched => "已换边。".to_owned(),
        Message::NoSidesToSwitch => "双方都是真人，只有和电脑下才能换边。".to_owned(),
        Message::LevelSet(level) => format!("电脑的级别已改为 {level}。"),
        Message::CurrentLevel(level) => {
            format!("电脑现在是 {level} 级。输入“级别 N”可更改，从 0（初学者）到 20（全力），也可输入名称。")
        }
        Message::InvalidLevel(found, similar) => {
            let similar = similar.map_or(String::new(), |name| format!("是不是想输入“{name}”？"));
            format!(
                "{}不是级别。{similar}请输入 0（初学者）到 20（全力）之间的数字，或名称：{}。",
                quoted(found),
                level_names(Language::Chinese).replace(", ", "、")
            )
        }
        Message::FileNameMissing(command) => {
            format!("{command} 需要文件名，例如：{command} game.pgn")
        }
        Message::AskOverwrite(path) => format!("{}已存在，要覆盖吗？[y/N] ", quoted(path)),
        Message::NotSaved => "未保存。".to_owned(),
        Message::Saved(path) => format!("棋谱已保存到{}。", quoted(path)),
        Message::CannotSave(path, problem) => {
            format!("无法写入{}：{}", quoted(path), problems::describe_file(problem))
        }
        Message::Loaded(path, number, game, plies) => {
            let number = number.map_or(String::new(), |number| format!("第 {number} 局"));
            format!("已读取{}{number}：{}，共 {plies} 步。", quoted(path), text(game).title)
        }
        Message::FirstGameTaken(path, number, numbers) => format!(
            "{}中有对局 {numbers}，现读取第 {number} 局。读取其他对局：读取 文件 局号。",
            quoted(path)
        ),
        Message::AskGame(path, numbers) => {
            format!("{}中有对局 {numbers}，读取哪一局？（直接回车：不读取）", quoted(path))
        }
        Message::NotLoaded => "未读取。".to_owned(),
        Message::InvalidGameNumber(found, numbers) => {
            format!("{}不是局号，请输入其中之一：{numbers}。", quoted(found))
        }
        Message::CannotLoad(path, error) => {
            format!("无法读取{}：{}", quoted(path), problems::describe_load(error))
        }
        Message::CannotSearch(error) => {
            format!("电脑无法思考：{}", problems::describe_engine(error))
        }
        Message::Won(winner, game) => format!("{}赢了：{}。", name(winner), text(game).win_reason),
        Message::WonOnCount(winner, game, [own, other]) => {
            format!("{}赢了：{}数 {own} 比 {other}。", name(winner), text(game).counted)
        }
        Message::Resigned([loser, winner]) => {
            format!("{}认输，{}获胜。", name(loser), name(winner))
        }
        Message::ResignationWithdrawn => "对局继续。".to_owned(),
        Message::SeriesScore([one, other], scores, games) => {
            let [left, right] = scores.map(|half_points| f64::from(half_points) / 2.0);
            format!("{games} 局后比分：{} {left}，{} {right}。", name(one), name(other))
        }
        Message::Drawn => "和棋：双方都已无法取胜。".to_owned(),
        Message::DrawnOnCount(game, each) => format!("和棋：双方各赢 {each} 个{}。", text(game).counted),
        Message::Repetition => "和棋：同一局面第三次出现。".to_owned(),
        Message::Mistake(mistake) => describe_mistake(mistake),
        Message::CostliestMistake(mistake) => describe_costliest(mistake),
        Message::EarlyResignation(player, score) => {
            format!("{}认输过早：当时的局面是{}。", name(player), value_name(score))
        }
        Message::NoMistakes(true) => "双方都没有失误。".to_owned(),
        Message::NoMistakes(false) => "没有发现转折点。".to_owned(),
        Message::Accuracy([(first, one), (second, other)]) => {
            format!("准确率：{} {one:.0}%，{} {other:.0}%。", name(first), name(second))
        }
        Message::ReviewHint => "输入“复盘”查看每一步。".to_owned(),
        Message::NothingToReview => "没有可复盘的棋。".to_owned(),
        Message::AskPlayAgain => "再来一局？[Y/n] ".to_owned(),
        Message::FindingPuzzle => "正在寻找题目（Ctrl-C：退出）".to_owned(),
        Message::NoMorePuzzles => "没有更多题目了。".to_owned(),
        Message::PuzzleGoal(value) => puzzle_goal(value),
        Message::Puzzle(number, difficulty, value) => {
            let goal = puzzle_goal(value);
            format!("第 {number} 题，难度 {difficulty}/{MAX_DIFFICULTY}：{goal}")
        }
        Message::PuzzleCommands => "请输入着法或命令：跳过 退出".to_owned(),
        Message::PuzzleSolved(line) => format!("正确：{}。", line_text(line)),
        Message::PuzzleMissed(mv, line) => {
            format!("{mv} 不对。唯一正确的着法是 {}。", line_text(line))
        }
        Message::PuzzleSolution(line) => format!("唯一正确的着法是 {}。", line_text(line)),
        Message::PuzzleScore(solved, tried) => format!("{tried} 题中解出 {solved} 题。"),
        Message::ConfirmQuit => "再按一次 Ctrl-C 退出，或输入 quit。".to_owned(),
        Message::Goodbye => "再见。".to_owned(),
    }
}

const GAME_OVER: &str = "对局已结束。输入“悔棋”可退回，输入“新局”可另开一局。";

const HELP: &str = "\
提示 hint         给出最佳着法及理由
解释 explain 着法 说明着法的好坏和最佳应着
悔棋 undo         退回上一步
重走 redo         重走悔掉的棋
换边 flip         与电脑交换先后手
着法 moves        列出所有合法着法及其价值
评估 eval         评估当前局面
棋盘 board        显示棋盘（或直接回车）
复盘 review       评价已走的每一步
保存 save 文件    保存棋谱
读取 load 文件    读取棋谱并继续对局（读取 文件 N：第 N 局）
级别 level N      设置电脑级别，0 到 20 或名称
规则 rules        显示规则和示例
认输 resign       认输
新局 new          重新开局（新局 名称：换一种棋）
帮助 help         显示本说明
退出 quit         退出（或 Ctrl-D）
Ctrl-C 让电脑立即走棋。";

fn text(game: &str) -> GameText<'_> {
    game_text(game, Language::Chinese)
}

/// The games by number, with id and title.
fn game_list() -> String {
    let line = |(number, entry): (usize, &GameEntry)| {
        format!("{number}  {:<13} {}\n", entry.id, text(entry.id).title)
    };
    (1..).zip(GAMES).map(line).collect()
}

/// The named levels with their strength.
fn level_list() -> String {
    let line = |own: &NamedLevel| format!("{:>4}  {:>4}  {}\n", own.level, own.elo(), own.chinese);
    "级别   Elo  名称\n".to_owned() + &NAMED_LEVELS.iter().map(line).collect::<String>()
}

fn name(player: PlayerLabel) -> Cow<'static, str> {
    match player {
        PlayerLabel::You => "你".into(),
        PlayerLabel::Engine => "电脑".into(),
        PlayerLabel::First => "先手".into(),
        PlayerLabel::Second => "后手".into(),
        PlayerLabel::Piece(Piece { colour: PieceColour::Black, .. }) => "黑方".into(),
        PlayerLabel::Piece(Piece { colour: PieceColour::Red, .. }) => "红方".into(),
        PlayerLabel::Piece(piece) => format!("{}方", piece.letter.to_uppercase()).into(),
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

/// A few words on a score. Counts of plies that are no distance are left out.
fn describe_briefly(score: Score) -> String {
    match score {
        Score::Proven(ProvenValue::Win(PlyCount::Distance(plies))) => format!("{plies} 步胜"),
        Score::Proven(ProvenValue::Loss(PlyCount::Distance(plies))) => format!("{plies} 步负"),
        Score::Proven(_) => value_name(score).to_owned(),
        Score::Estimate(_) => format!("{:.0}%", expected_percent(score)),
    }
}

/// The value of a move and its reasons.
fn describe_move(advice: &MoveAdvice) -> String {
    let MoveAdvice { mv, score, reasons } = advice;
    // The value already says that the move wins.
    let phrases = reasons.iter().filter(|reason| **reason != Reason::Wins).cloned();
    match &phrases::join(&phrases.collect::<Vec<_>>(), Language::Chinese)[..] {
        "" => format!("{mv}：{}。", describe(*score)),
        phrases => format!("{mv}：{}。{phrases}。", describe(*score)),
    }
}

/// A reason in brackets after a move.
fn in_brackets(reasons: &[Reason]) -> String {
    match &phrases::join(reasons, Language::Chinese)[..] {
        "" => String::new(),
        phrases => format!("（{phrases}）"),
    }
}

fn describe_explanation(explanation: &Explanation) -> String {
    let Explanation { chosen, reply, better } = explanation;
    let mut text = describe_move(chosen);
    if let Some(MoveAdvice { mv, reasons, .. }) = reply {
        text += &format!("最佳应着：{mv}{}。", in_brackets(reasons));
    }
    match better {
        Some(MoveAdvice { mv, score, reasons }) => {
            text + &format!("更好的着法：{mv}，{}{}。", describe(*score), in_brackets(reasons))
        }
        None if explanation.is_beyond_question() => text,
        None => text + "没有更好的着法。",
    }
}

fn describe_mistake(mistake: &Mistake<'_>) -> String {
    let opening = if mistake.is_first { "转折点" } else { "又一个转折点" };
    format!("{opening}是{}。{}", describe_loss(mistake), describe_better(mistake))
}

/// The move that cost the loser most.
fn describe_costliest(mistake: &Mistake<'_>) -> String {
    format!("损失最大的是{}。{}", describe_loss(mistake), describe_better(mistake))
}

fn describe_better(mistake: &Mistake<'_>) -> String {
    let verdict = if mistake.is_only { "正确的着法是" } else { "更好的着法是" };
    format!("{verdict} {}{}。", mistake.better_move, in_brackets(mistake.reasons))
}

/// A move, its player, and the values before and after it.
fn describe_loss(mistake: &Mistake<'_>) -> String {
    let Mistake { ply, mv, .. } = mistake;
    let player = name(mistake.player);
    let (before, after) = (value_name(mistake.before), value_name(mistake.after));
    format!("第 {ply} 步，{player}的 {mv}：{before}变成了{after}")
}

fn puzzle_goal(value: Value) -> String {
    format!("找出唯一{}的着法。", if value == Value::Win { "取胜" } else { "不败" })
}

fn value_name(score: Score) -> String {
    match score {
        Score::Proven(ProvenValue::Win(_)) => "必胜".to_owned(),
        Score::Proven(ProvenValue::Draw) => "和棋".to_owned(),
        Score::Proven(ProvenValue::Loss(_)) => "必败".to_owned(),
        Score::Estimate(_) => format!("约 {:.0}%", expected_percent(score)),
    }
}

/// The right move of a puzzle and the play after it.
fn line_text(line: &[String]) -> String {
    match line {
        [] => String::new(),
        [solution] => solution.clone(),
        [solution, rest @ ..] => format!("{solution}，接着 {}", rest.join(" ")),
    }
}
