"""The proof tree on its own: selecting leaves, recording results, surviving bad files."""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo_cluster.failure import BadInput
from zermelo_cluster.proofs import Expander
from zermelo_cluster.tree import DRAW, LOSS, VALUES, WIN, Expansion, Node, Tree, Unsound, check

# Late enough to be proven in an instant, but with a choice of moves.
LATE = [
    ("win", "1o1x4x/xoo1x2o1/1x3oo1o/o2xxxx2/4oo3/x1x5x/o1o3oox/3o3x1/x1x3o2 x 17 a6"),
    ("draw", "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6"),
    ("loss", "4xooxx/oxx1o3x/3o2o1x/2xooox2/xx4oxo/2ox1xx1o/5o1xo/ooo2o2x/xx5xo x 21 -"),
]


def solve(program: Path, fen: str, game: str = "tixtax") -> dict[str, Any]:
    command = [str(program), "solve", "--json", "--verify", "--game", game, "--fen", fen]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def unknown() -> dict[str, Any]:
    """The result of a job that ran out of time."""
    return {"at_least": "loss", "at_most": "win", "nodes": 1, "seconds": 0.1, "verified": None, "best": None}


def grow(tree: Tree, expand: Callable[[str], Expansion], settle: Callable[[Node], dict[str, Any]]) -> int:
    """Works on a tree until it is settled; returns the number of jobs."""
    jobs = 0
    while not tree.is_settled:
        leaf = tree.take()
        assert leaf is not None
        tree.record_result(leaf.id, settle(leaf), expand)
        jobs += 1
    return jobs


@pytest.mark.parametrize(("value", "fen"), LATE)
def test_a_tree_finds_the_value_that_one_proof_finds(tmp_path: Path, program: Path, value: str, fen: str) -> None:
    dice = random.Random(1)
    jobs = itertools.count()

    def settle(leaf: Node) -> dict[str, Any]:
        # The first jobs run out of time, and later every third.
        too_short = next(jobs) < 8 or dice.random() < 0.3
        return unknown() if too_short else solve(program, leaf.fen)

    with Expander(program, "tixtax") as expand:
        root = expand(fen)
        tree = Tree(tmp_path / "tree", root, "tixtax")
        assert grow(tree, expand, settle) > 8
        found = tree.node(tree.root).value
        assert found is not None and VALUES[found] == value == solve(program, fen)["value"]
        nodes, unverified = check(tree, expand)
        assert nodes > 4 and not unverified
        best = tree.best_move(root)
        assert best is not None
        after = json.loads(
            subprocess.run(
                [program, "solve", "--expand", "--fen", fen], capture_output=True, check=True, text=True
            ).stdout
        )
        child = next(branch["fen"] for branch in after["moves"] if branch["move"] == best)
        assert VALUES.index(solve(program, child)["value"]) == WIN - found


def test_tictactoe_is_solved_by_expansion_alone(tmp_path: Path, program: Path) -> None:
    """Every job fails, so the tree grows down to the ends of the game."""
    with Expander(program, "tictactoe") as expand:
        tree = Tree(tmp_path / "tree", expand("3/3/3 x"), "tictactoe")
        grow(tree, expand, lambda leaf: unknown())
        assert tree.node(tree.root).value == DRAW
        # There are 765 classes, not all of which are needed.
        assert 50 < len(tree) < 765
        nodes, unverified = check(tree, expand)
        assert nodes > 20 and not unverified
        for name, id in tree._classes.items():
            if (value := tree.node(id).value) is not None:
                assert VALUES[value] == solve(program, name, "tictactoe")["value"], name


def test_a_reopened_tree_selects_the_same_leaves(tmp_path: Path, program: Path) -> None:
    """A tree closed after every job selects the same leaves as one that stays open."""
    with Expander(program, "tictactoe") as expand:
        root = expand("3/3/3 x")
        whole = Tree(tmp_path / "whole", root, "tictactoe")
        jobs = 0
        while not whole.is_settled:
            torn = Tree(tmp_path / "torn", root, "tictactoe")
            assert len(torn) == len(whole)
            leaf, same = whole.take(), torn.take()
            assert leaf and same and (leaf.fen, leaf.numbers) == (same.fen, same.numbers)
            for tree in (whole, torn):
                tree.record_result(leaf.id, unknown(), expand)
            torn.close()
            jobs += 1
        assert jobs > 20


def test_busy_leaves_are_not_selected_again(tmp_path: Path, program: Path) -> None:
    with Expander(program, "tixtax") as expand:
        tree = Tree(tmp_path / "tree", expand("9/9/9/9/9/9/9/9/9 x 1 -"), "tixtax")
        first = tree.take()
        assert first is not None
        assert tree.take() is None
        tree.record_result(first.id, unknown(), expand)
        taken = [leaf.fen for leaf in iter(tree.take, None)]
        # The first moves fall into fifteen classes.
        assert len(taken) == len(set(taken)) == 15
        again = tree.find(expand(taken[3])["class"])
        assert again is not None
        tree.release(again.id)
        assert tree.take() is again


def test_a_file_that_is_not_this_tree_is_refused(tmp_path: Path, program: Path) -> None:
    with Expander(program, "tictactoe") as expand:
        root, other = expand("3/3/3 x"), expand("3/1x1/3 o")
        Tree(tmp_path / "tree", root, "tictactoe").close()
        with pytest.raises(BadInput, match="another proof: its root is"):
            Tree(tmp_path / "tree", other, "tictactoe")
        (tmp_path / "text").write_text("not a tree at all, but long enough to be looked at\n" * 100)
        with pytest.raises(BadInput, match="cannot be used as a proof tree"):
            Tree(tmp_path / "text", root, "tictactoe")
        held = Tree(tmp_path / "held", root, "tictactoe")
        with pytest.raises(BadInput, match="cannot be used as a proof tree"):
            Tree(tmp_path / "held", root, "tictactoe")
        held.close()


@pytest.mark.parametrize("wrong", ["value", "edge", "verified"])
def test_a_wrong_tree_is_detected(tmp_path: Path, program: Path, wrong: str) -> None:
    """Verification trusts neither the values nor the moves in the file."""
    value, fen = LATE[2]
    with Expander(program, "tixtax") as expand:
        root = expand(fen)
        tree = Tree(tmp_path / "tree", root, "tixtax")
        grow(tree, expand, lambda leaf: unknown() if leaf.id < 4 else solve(program, leaf.fen))
        assert tree.node(tree.root).value == LOSS and value == "loss"
        check(tree, expand)
        tree.close()
        with sqlite3.connect(tmp_path / "tree") as file:
            match wrong:
                case "value":
                    file.execute("update node set own_least = 0, own_most = 2 where expanded = 0")
                case "edge":
                    # The root is settled though one of its moves is not.
                    file.execute(
                        "update node set least = 0, most = 2 where id ="
                        " (select child from edge where parent = ? order by child limit 1)",
                        [tree.root],
                    )
                case "verified":
                    file.execute("update node set verified = null")
        file.close()
        tree = Tree(tmp_path / "tree", root, "tixtax")
        if wrong == "verified":
            nodes, unverified = check(tree, expand)
            assert unverified and all(leaf.value is not None for leaf in unverified)
            # Once they are verified the proof holds.
            for leaf in unverified:
                tree.record_result(leaf.id, solve(program, leaf.fen), expand)
            assert check(tree, expand) == (nodes, [])
        else:
            with pytest.raises(Unsound):
                check(tree, expand)
