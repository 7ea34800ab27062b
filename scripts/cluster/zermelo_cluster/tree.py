"""The top of a proof tree, in a file of SQLite.

A node is a class of positions: all images of one under the symmetries of the board, so that none is searched
twice. It stores bounds on the value for the side to move and, for the two goals "win" and "at least a draw",
proof and disproof numbers (Allis 1994). Many leaves are worked on at once (job-level proof-number search: Wu et
al. 2011): first the most-proving leaf; while it is busy, the next one below the same moves, since all replies to a
good move must be settled anyway.

Every result is written to the file before anything else happens, so a killed driver can be resumed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo_cluster.failure import BadInput, Failure

LOSS, DRAW, WIN = range(3)
VALUES = ("loss", "draw", "win")
NEVER = 1 << 62

# The JSON objects of `zermelo solve --expand` and `zermelo solve --json`.
Expansion = dict[str, Any]
Solution = dict[str, Any]

SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists node (
    id integer primary key, class text not null unique, fen text not null,
    least integer not null, most integer not null,
    win_proof integer not null, win_disproof integer not null,
    draw_proof integer not null, draw_disproof integer not null,
    expanded integer not null default 0, tries integer not null default 0,
    nodes integer not null default 0, seconds real not null default 0,
    own_least integer not null default 0, own_most integer not null default 2, verified integer,
    best text
);
create table if not exists edge (
    parent integer not null references node, child integer not null references node, move text not null,
    primary key (parent, child)
) without rowid;
"""
VERSION = "zermelo-proof 1"


@dataclass
class Node:
    """A class of positions."""

    id: int
    fen: str
    # Bounds on the value for the side to move, both included.
    least: int
    most: int
    # Proof and disproof numbers by goal: WIN, or DRAW for at least a draw.
    numbers: dict[int, tuple[int, int]]
    expanded: bool = False
    children: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    @property
    def value(self) -> int | None:
        return self.least if self.least == self.most else None

    def answer(self, goal: int) -> bool | None:
        """Returns whether the side to move reaches the goal, or `None` if that is open."""
        if self.least >= goal:
            return True
        return False if self.most < goal else None


def counter(goal: int) -> int:
    """Returns the opponent's goal that is reached exactly if ours is missed."""
    return WIN + DRAW - goal


class Tree:
    """A proof tree with its file."""

    def __init__(self, path: Path, root: Expansion, game: str) -> None:
        """Opens the tree of a position for resuming, creating it if missing."""
        self._path = path
        try:
            # Absolute, since SQLite gives names such as ":memory:" a special meaning.
            self._file = sqlite3.connect(path.absolute(), isolation_level=None)
            self._file.execute("pragma journal_mode = wal")
            # Keeps a second run from using the same tree.
            self._file.execute("pragma locking_mode = exclusive")
            self._file.executescript(SCHEMA)
            self._file.execute("begin exclusive")
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{path} cannot be used as a proof tree: {error}") from error
        about = {"version": VERSION, "game": game, "root": root["class"]}
        for name, wanted in about.items():
            found = self._file.execute("select value from about where name = ?", [name]).fetchone()
            if found is None:
                self._file.execute("insert into about values (?, ?)", [name, wanted])
            elif found[0] != wanted:
                raise BadInput(f"{path} holds another proof: its {name} is {found[0]}, expected {wanted}")
        self._nodes: dict[int, Node] = {}
        self._classes: dict[str, int] = {}
        self._busy: set[int] = set()
        try:
            # Totals over all jobs: their number, the positions searched, the seconds taken.
            self.tries, self.positions, self.seconds = self._file.execute(
                "select coalesce(sum(tries), 0), coalesce(sum(nodes), 0), coalesce(sum(seconds), 0) from node"
            ).fetchone()
            self._load()
            self.root = self._node(root)
            self._file.execute("commit")
        except (sqlite3.DatabaseError, KeyError, TypeError) as error:
            raise BadInput(f"{path} is corrupt: {error}") from error

    def __len__(self) -> int:
        return len(self._nodes)

    def _load(self) -> None:
        rows = self._file.execute(
            "select id, class, fen, least, most, win_proof, win_disproof, draw_proof, draw_disproof, expanded from node"
        )
        for id, name, fen, least, most, *numbers, expanded in rows:
            if not all(isinstance(value, int) for value in (least, most, *numbers)) or not LOSS <= least <= most <= WIN:
                raise BadInput(f"{self._path} is corrupt: node {id}")
            goals = {WIN: (numbers[0], numbers[1]), DRAW: (numbers[2], numbers[3])}
            self._nodes[id] = Node(id, fen, least, most, goals, bool(expanded))
            self._classes[name] = id
        for parent, child in self._file.execute("select parent, child from edge"):
            self._nodes[parent].children.append(child)
            self._nodes[child].parents.append(parent)

    def _node(self, found: Expansion) -> int:
        """Returns the node of a position, creating it if new."""
        known = self._classes.get(found["class"])
        if known is not None:
            return known
        numbers = {goal: pair(found[VALUES[goal]]) for goal in (WIN, DRAW)}
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        cursor = self._file.execute(
            "insert into node (class, fen, least, most, win_proof, win_disproof, draw_proof, draw_disproof)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            [found["class"], found["fen"], least, most, *numbers[WIN], *numbers[DRAW]],
        )
        id = cursor.lastrowid
        assert id is not None
        self._nodes[id] = Node(id, found["fen"], least, most, numbers)
        self._classes[found["class"]] = id
        return id

    def node(self, id: int) -> Node:
        return self._nodes[id]

    def find(self, name: str) -> Node | None:
        """Finds the node of a class."""
        id = self._classes.get(name)
        return None if id is None else self._nodes[id]

    @property
    def is_settled(self) -> bool:
        return self.node(self.root).value is not None

    # Selecting leaves.

    def take(self) -> Node | None:
        """Returns the idle leaf to work on next and marks it as busy."""
        root = self.node(self.root)
        goals = [goal for goal in (WIN, DRAW) if root.answer(goal) is None]
        # First the goal that is closer to being settled either way.
        for goal in sorted(goals, key=lambda goal: min(root.numbers[goal])):
            leaf = self._find_idle_leaf(self.root, goal, set())
            if leaf is not None:
                self._busy.add(leaf)
                return self.node(leaf)
        return None

    def _find_idle_leaf(self, id: int, goal: int, seen: set[int]) -> int | None:
        node = self.node(id)
        if id in seen or node.answer(goal) is not None:
            return None
        seen.add(id)
        if not node.expanded:
            return None if id in self._busy else id
        # The move closest to a proof first: the one whose counter-goal has the smallest disproof number.
        against = counter(goal)
        for child in sorted(node.children, key=lambda child: (self.node(child).numbers[against][1], child)):
            leaf = self._find_idle_leaf(child, against, seen)
            if leaf is not None:
                return leaf
        return None

    def release(self, id: int) -> None:
        """Marks a leaf as idle."""
        self._busy.discard(id)

    # Recording results.

    def record_result(self, id: int, found: Solution, expand: Callable[[str], Expansion]) -> None:
        """Stores the result of a job on a leaf, and expands the leaf if that does not settle it."""
        self._busy.discard(id)
        self.tries += 1
        self.positions += found["nodes"]
        self.seconds += found["seconds"]
        node = self.node(id)
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        moves = expand(node.fen)["moves"] if least != most else []
        self._file.execute("begin")
        self._file.execute(
            "update node set tries = tries + 1, nodes = nodes + ?, seconds = seconds + ?,"
            " own_least = ?, own_most = ?, verified = ?, best = ? where id = ?",
            [found["nodes"], found["seconds"], least, most, found["verified"], found["best"], id],
        )
        node.least, node.most = max(node.least, least), min(node.most, most)
        for branch in moves:
            child = self._node(branch)
            self._file.execute("insert into edge values (?, ?, ?)", [id, child, branch["move"]])
            node.children.append(child)
            self._nodes[child].parents.append(id)
        if moves:
            node.expanded = True
            self._file.execute("update node set expanded = 1 where id = ?", [id])
            self._recompute(node)
        else:
            self._normalize(node)
        self._write(node)
        self._update_ancestors(node)
        self._file.execute("commit")

    def _update_ancestors(self, node: Node) -> None:
        """Recomputes all ancestors of a node."""
        # In order of change, each queued at most once, since paths transpose.
        changed = {node.id: node}
        while changed:
            below = changed.pop(next(iter(changed)))
            for above in map(self.node, below.parents):
                if self._recompute(above):
                    self._write(above)
                    changed.setdefault(above.id, above)

    def _recompute(self, node: Node) -> bool:
        """Recomputes a node from its children by the minimax rule; returns whether anything changed."""
        before = (node.least, node.most, dict(node.numbers))
        children = [self.node(child) for child in node.children]
        node.least = max(node.least, max(WIN - child.most for child in children))
        node.most = min(node.most, max(WIN - child.least for child in children))
        for goal in (WIN, DRAW):
            answers = [child.numbers[counter(goal)] for child in children]
            proof = min(disproof for _, disproof in answers)
            disproof = min(sum(proof for proof, _ in answers), NEVER)
            node.numbers[goal] = (proof, disproof)
        self._normalize(node)
        return (node.least, node.most, node.numbers) != before

    def _normalize(self, node: Node) -> None:
        """Gives settled goals their final numbers, and open ones at least 1."""
        for goal, (proof, disproof) in node.numbers.items():
            match node.answer(goal):
                case True:
                    node.numbers[goal] = (0, NEVER)
                case False:
                    node.numbers[goal] = (NEVER, 0)
                case None:
                    node.numbers[goal] = (max(proof, 1), max(disproof, 1))

    def _write(self, node: Node) -> None:
        self._file.execute(
            "update node set least = ?, most = ?, win_proof = ?, win_disproof = ?, draw_proof = ?,"
            " draw_disproof = ? where id = ?",
            [node.least, node.most, *node.numbers[WIN], *node.numbers[DRAW], node.id],
        )

    # Reading results.

    def best_move(self, root: Expansion) -> str | None:
        """Returns a move that keeps the proven value of the root, in the orientation of the given position."""
        value = self.node(self.root).value
        for branch in root["moves"]:
            child = self.find(branch["class"])
            if value is not None and child and WIN - child.most >= value:
                return str(branch["move"])
        # One job settled the root without expanding it.
        row = self._file.execute("select best from node where id = ? and fen = ?", [self.root, root["fen"]])
        (best,) = row.fetchone() or (None,)
        return best

    def leaf_proof(self, id: int) -> tuple[int, int, bool]:
        """Returns the bounds that a leaf's own job proved, and whether they were verified."""
        row = self._file.execute("select own_least, own_most, verified from node where id = ?", [id]).fetchone()
        return row[0], row[1], row[2] is not None

    def close(self) -> None:
        self._file.close()


def pair(numbers: list[int | None]) -> tuple[int, int]:
    """Reads proof numbers of the program, in which null means infinity."""
    proof, disproof = (NEVER if number is None else number for number in numbers)
    return proof, disproof


class Unsound(Failure):
    """The stored proof is wrong."""


def check(tree: Tree, expand: Callable[[str], Expansion]) -> tuple[int, list[Node]]:
    """Verifies the proof of the root's value: one move suffices where a goal is reached, every legal move must
    fail where it is missed. Moves and game results are recomputed by the rules. Returns the number of nodes
    visited and the leaves whose own proofs are not verified yet."""
    root = tree.node(tree.root)
    if root.value is None:
        raise Unsound("the root is not settled")
    claims = [(root, goal, root.value >= goal) for goal in (WIN, DRAW)]
    visited = set()
    unverified: dict[int, Node] = {}
    while claims:
        node, goal, holds = claims.pop()
        if (node.id, goal) in visited:
            continue
        visited.add((node.id, goal))
        found = expand(node.fen)
        if tree.find(found["class"]) is not node:
            raise Unsound(f"{node.fen} does not belong to its class")
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        if (least >= goal) if holds else (most < goal):
            continue
        least, most, verified = tree.leaf_proof(node.id)
        if (least >= goal) if holds else (most < goal):
            if not verified:
                unverified[node.id] = node
            continue
        against = counter(goal)
        children = [tree.find(branch["class"]) for branch in found["moves"]]
        answers = [child and child.answer(against) for child in children]
        if holds:
            if False not in answers:
                raise Unsound(f"no move keeps the claimed value of {node.fen}")
            children = children[answers.index(False) :][:1]
        elif any(answer is not True for answer in answers):
            raise Unsound(f"an unrefuted move contradicts the claimed value of {node.fen}")
        claims += [(child, against, not holds) for child in children if child]
    return len({id for id, _ in visited}), list(unverified.values())
