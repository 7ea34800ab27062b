"""The proof tree on its own: selecting leaves, recording results, surviving bad files."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import PROGRAM, FolderCase

from zermelo_cluster.failure import BadInput
from zermelo_cluster.proofs import expander
from zermelo_cluster.slices import Slices
from zermelo_cluster.tree import (
    DRAW,
    LOSS,
    VALUES,
    WIN,
    Expansion,
    LeafTask,
    Node,
    Tree,
    Unsound,
    check,
    counter,
    ordered_goals,
)

# Late enough to be proven in an instant, but with a choice of moves.
LATE = [
    ("win", "1o1x4x/xoo1x2o1/1x3oo1o/o2xxxx2/4oo3/x1x5x/o1o3oox/3o3x1/x1x3o2 x 17 a6"),
    ("draw", "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6"),
    ("loss", "4xooxx/oxx1o3x/3o2o1x/2xooox2/xx4oxo/2ox1xx1o/5o1xo/ooo2o2x/xx5xo x 21 -"),
]


def solve(fen: str, game: str = "tixtax", goal: int | None = None, certificate: Path | None = None) -> dict[str, Any]:
    command = [str(PROGRAM), "solve", "--json", "--verify", "--game", game, "--fen", fen]
    command += ["--memory", "64"]
    command += [] if goal is None else ["--goal", VALUES[goal]]
    command += ["--certificate", str(certificate)] if certificate else []
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def unknown() -> dict[str, Any]:
    """The result of a job that ran out of time."""
    return {"at_least": "loss", "at_most": "win", "nodes": 1, "seconds": 0.1, "verified": None, "best": None}


def grow(tree: Tree, expand: Callable[[str], Expansion], settle: Callable[[LeafTask], dict[str, Any]]) -> int:
    """Works on a tree until it is settled; returns the number of jobs."""
    jobs = 0
    while not tree.is_settled:
        task = tree.take()
        assert task is not None
        tree.record_result(task, settle(task), expand)
        jobs += 1
    return jobs


def every_node(tree: Tree) -> list[Node]:
    """Returns all nodes in the file."""
    return [tree.node(id) for (id,) in tree._file.execute("select id from node").fetchall()]


class KeepsAll(Tree):
    """A tree that never drops a node from memory."""

    def _drop_below(self, node: Node) -> None:
        pass


class TreeTest(FolderCase):
    def test_one_job_can_settle_the_root(self) -> None:
        _, fen = LATE[0]
        with expander(PROGRAM, "tixtax") as expand:
            root = expand(fen)
            tree = Tree(self.folder / "tree", root, "tixtax", "p")
            assert tree.best_move(root) is None
            found = solve(fen, goal=WIN)
            # Proving the expected win first makes a second job needless.
            assert grow(tree, expand, lambda task: solve(fen, goal=task.goal)) == 1
            assert tree.node(tree.root).value == WIN and tree.best_move(root) == found["best"]
            proof = check(tree, expand)
            assert proof.nodes == 1 and not proof.unverified
            # Proven again, it turns out to be false: somebody lied.
            with self.assertRaisesRegex(Unsound, "two results contradict each other"):
                tree.record_result(LeafTask(tree.node(tree.root), WIN), unknown() | {"at_most": "draw"}, expand)

    def test_tictactoe_is_solved_by_expansion_alone(self) -> None:
        """Every job fails, so the tree grows down to the ends of the game."""
        with expander(PROGRAM, "tictactoe") as expand:
            tree = Tree(self.folder / "tree", expand("3/3/3 x"), "tictactoe", "p")
            grow(tree, expand, lambda task: unknown())
            assert tree.node(tree.root).value == DRAW
            # There are 765 classes, not all of which are needed.
            assert 50 < len(tree) < 765
            proof = check(tree, expand)
            assert proof.nodes > 20 and not proof.unverified
            for node in every_node(tree):
                if node.value is not None:
                    assert VALUES[node.value] == solve(node.name, "tictactoe")["value"], node

    def test_a_reopened_tree_selects_the_same_leaves(self) -> None:
        """A tree closed after every job selects the same leaves as one that stays open."""
        with expander(PROGRAM, "tictactoe") as expand:
            root = expand("3/3/3 x")
            whole = Tree(self.folder / "whole", root, "tictactoe", "p")
            jobs = 0
            while not whole.is_settled:
                torn = Tree(self.folder / "torn", root, "tictactoe", "p")
                assert len(torn) == len(whole)
                task, same = whole.take(), torn.take()
                assert task and same
                assert (task.node.fen, task.node.numbers, task.goal) == (same.node.fen, same.node.numbers, same.goal)
                whole.record_result(task, unknown(), expand)
                torn.record_result(same, unknown(), expand)
                torn.close()
                jobs += 1
            assert jobs > 20

    def test_memory_holds_what_open_nodes_lead_to(self) -> None:
        """A tree that drops settled subtrees selects the same leaves as one that keeps them, even if results arrive
        after their leaves were dropped."""
        dice = random.Random(3)
        most_dropped = late_results = 0
        with expander(PROGRAM, "tictactoe") as expand:
            root = expand("3/3/3 x")
            answers = {}
            for run in range(4):
                trees = [
                    Tree(self.folder / f"dropping {run}", root, "tictactoe", "p"),
                    KeepsAll(self.folder / f"keeping {run}", root, "tictactoe", "p"),
                ]
                busy: list[list[LeafTask]] = []
                while not trees[0].is_settled:
                    tasks = [tree.take() for tree in trees] if len(busy) < 16 else [None, None]
                    mine, other = tasks
                    if mine and other:
                        assert (mine.node.name, mine.goal) == (other.node.name, other.goal)
                        assert (mine.node.numbers, mine.node.depth) == (other.node.numbers, other.node.depth)
                        busy.append([mine, other])
                        continue
                    assert mine is other is None
                    pair = busy.pop(dice.randrange(len(busy)))
                    is_late = pair[0].node.id not in trees[0]._nodes
                    late_results += is_late
                    fen, goal = pair[0].node.fen, pair[0].goal
                    found = unknown()
                    # A dropped leaf would not be split, but one in memory would.
                    if is_late or dice.random() < 0.3:
                        if (fen, goal) not in answers:
                            answers[fen, goal] = solve(fen, "tictactoe", goal)
                        found = answers[fen, goal]
                    for tree, task in zip(trees, pair, strict=True):
                        tree.record_result(task, found, expand)
                    dropping, keeping = trees
                    reached, queue = {dropping.root}, [dropping.node(dropping.root)]
                    while queue:
                        node = queue.pop()
                        below = dropping.children(node) if node.value is None else []
                        queue += [child for child in below if child.id not in reached]
                        reached.update(child.id for child in below)
                    assert dropping._nodes.keys() == reached
                    for id in reached:
                        mine_now, other_now = dropping.node(id), keeping.find(dropping.node(id).name)
                        assert other_now and mine_now.numbers == other_now.numbers
                        assert (mine_now.least, mine_now.most) == (other_now.least, other_now.most)
                    most_dropped = max(most_dropped, len(dropping) - len(dropping._nodes))
                assert trees[0].node(trees[0].root).value == trees[1].node(trees[1].root).value == DRAW
                check(trees[0], expand)
                for tree in trees:
                    tree.close()
        assert most_dropped > 50 and late_results > 5

    def test_busy_leaves_are_not_selected_again(self) -> None:
        with expander(PROGRAM, "tixtax") as expand:
            tree = Tree(self.folder / "tree", expand("9/9/9/9/9/9/9/9/9 x 1 -"), "tixtax", "p")
            first = tree.take()
            assert first is not None
            assert tree.take() is None
            tree.record_result(first, unknown(), expand)
            taken = list(iter(tree.take, None))
            # The first moves fall into fifteen classes.
            assert len({task.node.fen for task in taken}) == len(taken) == 15
            tree.release(taken[3])
            assert tree.take() == taken[3]

    def test_only_leaves_of_the_guess_are_selected_while_one_is_idle(self) -> None:
        """Below a move that is expected to reach the goal all replies come before any other move."""
        with expander(PROGRAM, "tixtax") as expand:
            tree = Tree(self.folder / "tree", expand("9/9/9/9/9/9/9/9/9 x 1 -"), "tixtax", "p")
            for _ in range(4):
                for task in list(iter(tree.take, None)):
                    tree.expand(task, expand)
            goals = {task.goal for task in iter(tree.take, None)}
            assert goals == {WIN, DRAW}
            reopened = [tree.node(id) for id in list(tree._busy)]
            for node in reopened:
                tree.release(LeafTask(node, DRAW))
            root = tree.node(tree.root)
            goal = ordered_goals(root)[0]
            expected, needed = {(tree.root, goal)}, set()
            while expected:
                id, goal = expected.pop()
                node, against = tree.node(id), counter(goal)
                if not node.expanded:
                    needed.add(id)
                    continue
                children = sorted(node.children, key=lambda child: (tree.node(child).numbers[against][1], child))
                expected |= {(child, against) for child in (children[:1] if node.expects(goal) else children)}
            first = [task.node.id for task, _ in zip(iter(tree.take, None), range(len(needed)), strict=False)]
            assert len(needed) > 5 and set(first) == needed

    def test_a_file_that_is_not_this_tree_is_refused(self) -> None:
        with expander(PROGRAM, "tictactoe") as expand:
            root, other = expand("3/3/3 x"), expand("3/1x1/3 o")
            Tree(self.folder / "tree", root, "tictactoe", "p").close()
            with self.assertRaisesRegex(BadInput, "another proof: its root is"):
                Tree(self.folder / "tree", other, "tictactoe", "p")
            with sqlite3.connect(self.folder / "tree") as file:
                file.execute("update about set value = 'zermelo-proof 1' where name = 'version'")
            file.close()
            with self.assertRaisesRegex(BadInput, "its version is zermelo-proof 1, expected zermelo-proof 3"):
                Tree(self.folder / "tree", root, "tictactoe", "p")
            with sqlite3.connect(self.folder / "old") as file:
                file.execute("create table about (name text primary key, value text not null)")
                file.execute("insert into about values ('version', 'zermelo-proof 0')")
            file.close()
            with self.assertRaisesRegex(BadInput, "its version is zermelo-proof 0"):
                Tree(self.folder / "old", root, "tictactoe", "p")
            with sqlite3.connect(self.folder / "old") as file:
                tables = file.execute("select name from sqlite_master where type = 'table'").fetchall()
            file.close()
            assert tables == [("about",)], "a refused file stays as it was"
            (self.folder / "text").write_text("not a tree at all, but long enough to be looked at\n" * 100)
            with self.assertRaisesRegex(BadInput, "cannot be used as a proof tree"):
                Tree(self.folder / "text", root, "tictactoe", "p")
            held = Tree(self.folder / "held", root, "tictactoe", "p")
            with self.assertRaisesRegex(BadInput, "is being used by another run"):
                Tree(self.folder / "held", root, "tictactoe", "p")
            held.close()
            with self.assertRaisesRegex(BadInput, "another proof: its program is p, expected q"):
                Tree(self.folder / "held", root, "tictactoe", "q")

    def test_damage_that_is_found_late_is_reported(self) -> None:
        """A settled tree is opened without reading what lies below the root."""
        path = self.folder / "tree"
        with expander(PROGRAM, "tictactoe") as expand:
            root = expand("3/3/3 x")
            tree = Tree(path, root, "tictactoe", "p")
            grow(tree, expand, lambda task: unknown())
            tree.close()
            reopened = Tree(path, root, "tictactoe", "p")
            assert len(reopened._nodes) == 1 < len(reopened)
            reopened.close()
            with sqlite3.connect(path) as file:
                page_size = file.execute("pragma page_size").fetchone()[0]
                root_page = file.execute("select rootpage from sqlite_master where name = 'edge'").fetchone()[0]
                file.execute("pragma journal_mode = delete")
            file.close()
            content = bytearray(path.read_bytes())
            content[(root_page - 1) * page_size : root_page * page_size] = b"\xff" * page_size
            path.write_bytes(content)
            tree = Tree(path, root, "tictactoe", "p")
            with self.assertRaisesRegex(BadInput, "is corrupt: database disk image is malformed"):
                tree.children(tree.node(tree.root))
            tree.close()

    def test_a_wrong_tree_is_detected(self) -> None:
        """Verification trusts neither the values nor the moves in the file."""
        value, fen = LATE[2]
        path = self.folder / "tree"
        # The root is settled though one of its moves is not.
        first = "select child from edge where parent = 1 order by child limit 1"
        with expander(PROGRAM, "tixtax") as expand:
            root = expand(fen)
            tree = Tree(path, root, "tixtax", "p")
            grow(tree, expand, lambda task: unknown() if task.node.id < 4 else solve(task.node.fen))
            assert tree.node(tree.root).value == LOSS and value == "loss"
            whole = check(tree, expand)
            assert tree.root == 1 and not whole.unverified
            tree.close()
            right = path.read_bytes()
            for wrong in (
                "update job set least = 0, most = 2",
                f"update node set least = 0, most = 2 where id = ({first})",
                "update job set verified = null",
            ):
                path.write_bytes(right)
                with contextlib.closing(sqlite3.connect(path)) as file, file:
                    file.execute(wrong)
                tree = Tree(path, root, "tixtax", "p")
                if "verified" not in wrong:
                    with self.assertRaises(Unsound):
                        check(tree, expand)
                    tree.close()
            unverified = check(tree, expand).unverified
            assert unverified and all(task.node.answer(task.goal) is not None for task in unverified)
            # Once they are verified the proof holds.
            for task in unverified:
                tree.record_result(task, solve(task.node.fen, goal=task.goal), expand)
            again = check(tree, expand)
            assert again.nodes == whole.nodes and not again.unverified

    def test_slices_adapt_to_what_leaves_take(self) -> None:
        slices = Slices(2, 60)
        assert slices.slice(4) == 2
        for seconds in (1, 3, 5, 2, 4):
            slices.record(4, seconds, is_settled=True)
        assert slices.slice(4) == 8 and slices.slice(5) == 2
        # Half of the leaves run out of their slices: these double until most are settled.
        for seconds, longer in ((8, 16), (16, 32), (32, 60), (60, 60)):
            for _ in range(5):
                slices.record(4, seconds, is_settled=False)
            assert slices.slice(4) == longer
        for _ in range(15):
            slices.record(4, 10, is_settled=True)
        assert slices.slice(4) == 20
        # What is long ago does not count.
        for _ in range(20):
            slices.record(4, 0.1, is_settled=True)
        assert slices.slice(4) == 2
        assert Slices(10, 5).slice(0) == 10
