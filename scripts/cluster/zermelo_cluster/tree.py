"""The top of a proof tree, in a file of SQLite.

A node is a class of positions: all images of one under the symmetries of the board, so none is worked at
twice. Its bounds say what is proven of its value for whoever is to move there. Two wishes are looked at, a
win and at least a draw, each with two numbers: how much is to be settled until it is proven, and until it is
disproven (proof-number search: Allis 1994). The leaves are handed out to many at a time (job-level proof-number
search: Wu et al. 2011): the one that matters most, and while that is being worked at the next one below the same
moves, for all replies to a good move have to be settled anyway.

What comes back is written down before anything else happens, so that a driver that is killed goes on from
the file.
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

# What `zermelo solve --expand` says of a position, and what `zermelo solve --json` does.
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
    # Between these, both included, the value lies for the mover.
    least: int
    most: int
    # Proof and disproof of a win and of at least a draw, by wish.
    numbers: dict[int, tuple[int, int]]
    expanded: bool = False
    children: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    @property
    def value(self) -> int | None:
        return self.least if self.least == self.most else None

    def answer(self, wish: int) -> bool | None:
        """Whether the mover gets this much, where that is known."""
        if self.least >= wish:
            return True
        return False if self.most < wish else None


def counter(wish: int) -> int:
    """What the opponent wishes for where we wish for this, to spoil it."""
    return WIN + DRAW - wish


class Tree:
    """A proof tree with its file."""

    def __init__(self, path: Path, root: Expansion, game: str) -> None:
        """Goes on with the tree of a position, or begins it."""
        self._path = path
        try:
            # Not a name that SQLite takes for something else than a file.
            self._file = sqlite3.connect(path.absolute(), isolation_level=None)
            self._file.execute("pragma journal_mode = wal")
            # Whoever is second shall not work on the same tree.
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
            # How often leaves were worked at, how many positions were looked at, how many seconds it took.
            self.tries, self.looked_at, self.seconds = self._file.execute(
                "select coalesce(sum(tries), 0), coalesce(sum(nodes), 0), coalesce(sum(seconds), 0) from node"
            ).fetchone()
            self._load()
            self.root = self._node(root)
            self._file.execute("commit")
        except (sqlite3.DatabaseError, KeyError, TypeError) as error:
            raise BadInput(f"{path} is damaged: {error}") from error

    def __len__(self) -> int:
        return len(self._nodes)

    def _load(self) -> None:
        rows = self._file.execute(
            "select id, class, fen, least, most, win_proof, win_disproof, draw_proof, draw_disproof, expanded from node"
        )
        for id, name, fen, least, most, *numbers, expanded in rows:
            if not all(isinstance(value, int) for value in (least, most, *numbers)) or not LOSS <= least <= most <= WIN:
                raise BadInput(f"{self._path} is damaged: node {id}")
            wishes = {WIN: (numbers[0], numbers[1]), DRAW: (numbers[2], numbers[3])}
            self._nodes[id] = Node(id, fen, least, most, wishes, bool(expanded))
            self._classes[name] = id
        for parent, child in self._file.execute("select parent, child from edge"):
            self._nodes[parent].children.append(child)
            self._nodes[child].parents.append(parent)

    def _node(self, found: Expansion) -> int:
        """The node of a position; a new one, if it is."""
        known = self._classes.get(found["class"])
        if known is not None:
            return known
        numbers = {wish: pair(found[VALUES[wish]]) for wish in (WIN, DRAW)}
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
        """The node of a class."""
        id = self._classes.get(name)
        return None if id is None else self._nodes[id]

    @property
    def is_settled(self) -> bool:
        return self.node(self.root).value is not None

    # What to do next.

    def take(self) -> Node | None:
        """The leaf to work at next, none that somebody has already; it counts as taken then."""
        root = self.node(self.root)
        wishes = [wish for wish in (WIN, DRAW) if root.answer(wish) is None]
        # The wish that is nearer to an answer, whichever that is, and then the other.
        for wish in sorted(wishes, key=lambda wish: min(root.numbers[wish])):
            leaf = self._idle_leaf(self.root, wish, set())
            if leaf is not None:
                self._busy.add(leaf)
                return self.node(leaf)
        return None

    def _idle_leaf(self, id: int, wish: int, seen: set[int]) -> int | None:
        node = self.node(id)
        if id in seen or node.answer(wish) is not None:
            return None
        seen.add(id)
        if not node.expanded:
            return None if id in self._busy else id
        # The move nearest to a proof first: where the opponent's wish is nearest to being disproven.
        against = counter(wish)
        for child in sorted(node.children, key=lambda child: (self.node(child).numbers[against][1], child)):
            leaf = self._idle_leaf(child, against, seen)
            if leaf is not None:
                return leaf
        return None

    def put_back(self, id: int) -> None:
        """Nobody works at a leaf any more."""
        self._busy.discard(id)

    # What came back.

    def learn(self, id: int, found: Solution, expand: Callable[[str], Expansion]) -> None:
        """Takes in what was found out about a leaf; if that does not settle it, it gets its moves."""
        self._busy.discard(id)
        self.tries += 1
        self.looked_at += found["nodes"]
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
            self._sum_up(node)
        else:
            self._settle(node)
        self._write(node)
        self._pass_on(node)
        self._file.execute("commit")

    def _pass_on(self, node: Node) -> None:
        """Brings the nodes above one up to date."""
        # In the order in which they changed, each once at a time: ways through the tree meet again.
        changed = {node.id: node}
        while changed:
            below = changed.pop(next(iter(changed)))
            for above in map(self.node, below.parents):
                if self._sum_up(above):
                    self._write(above)
                    changed.setdefault(above.id, above)

    def _sum_up(self, node: Node) -> bool:
        """Computes a node from its moves; whether that changed anything. A move leaves the opponent a value,
        ours is the best of what that leaves us."""
        before = (node.least, node.most, dict(node.numbers))
        children = [self.node(child) for child in node.children]
        node.least = max(node.least, max(WIN - child.most for child in children))
        node.most = min(node.most, max(WIN - child.least for child in children))
        for wish in (WIN, DRAW):
            answers = [child.numbers[counter(wish)] for child in children]
            proof = min(disproof for _, disproof in answers)
            disproof = min(sum(proof for proof, _ in answers), NEVER)
            node.numbers[wish] = (proof, disproof)
        self._settle(node)
        return (node.least, node.most, node.numbers) != before

    def _settle(self, node: Node) -> None:
        """What is known needs no more work, what is not needs some."""
        for wish, (proof, disproof) in node.numbers.items():
            match node.answer(wish):
                case True:
                    node.numbers[wish] = (0, NEVER)
                case False:
                    node.numbers[wish] = (NEVER, 0)
                case None:
                    node.numbers[wish] = (max(proof, 1), max(disproof, 1))

    def _write(self, node: Node) -> None:
        self._file.execute(
            "update node set least = ?, most = ?, win_proof = ?, win_disproof = ?, draw_proof = ?,"
            " draw_disproof = ? where id = ?",
            [node.least, node.most, *node.numbers[WIN], *node.numbers[DRAW], node.id],
        )

    # What there is.

    def best_move(self, root: Expansion) -> str | None:
        """A move that keeps the value of the root, once that is known; in the image of it that is given."""
        value = self.node(self.root).value
        for branch in root["moves"]:
            child = self.find(branch["class"])
            if value is not None and child and WIN - child.most >= value:
                return str(branch["move"])
        # Settled without its moves, by one job.
        row = self._file.execute("select best from node where id = ? and fen = ?", [self.root, root["fen"]])
        (best,) = row.fetchone() or (None,)
        return best

    def own_proof(self, id: int) -> tuple[int, int, bool]:
        """What was found out about a leaf by itself, and whether somebody looked at its proof twice."""
        row = self._file.execute("select own_least, own_most, verified from node where id = ?", [id]).fetchone()
        return row[0], row[1], row[2] is not None

    def close(self) -> None:
        self._file.close()


def pair(numbers: list[int | None]) -> tuple[int, int]:
    """Numbers of the program, in which null is never."""
    proof, disproof = (NEVER if number is None else number for number in numbers)
    return proof, disproof


class Unsound(Failure):
    """A proof does not hold."""


def check(tree: Tree, expand: Callable[[str], Expansion]) -> tuple[int, list[Node]]:
    """Walks through the proof of the root's value again: one move where a value is reached, all that the
    rules allow where no more than a value is. Moves and what the rules decide are asked for anew; of a leaf
    the program must have looked at the proof twice. Returns how many nodes that took, and the leaves at which
    nobody has looked twice yet."""
    root = tree.node(tree.root)
    if root.value is None:
        raise Unsound("the root is not settled")
    claims = [(root, wish, root.value >= wish) for wish in (WIN, DRAW)]
    walked = set()
    once: dict[int, Node] = {}
    while claims:
        node, wish, holds = claims.pop()
        if (node.id, wish) in walked:
            continue
        walked.add((node.id, wish))
        found = expand(node.fen)
        if tree.find(found["class"]) is not node:
            raise Unsound(f"{node.fen} is not the position of its class")
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        if (least >= wish) if holds else (most < wish):
            continue
        least, most, verified = tree.own_proof(node.id)
        if (least >= wish) if holds else (most < wish):
            if not verified:
                once[node.id] = node
            continue
        against = counter(wish)
        children = [tree.find(branch["class"]) for branch in found["moves"]]
        answers = [child and child.answer(against) for child in children]
        if holds:
            if False not in answers:
                raise Unsound(f"no move keeps what is claimed of {node.fen}")
            children = children[answers.index(False) :][:1]
        elif any(answer is not True for answer in answers):
            raise Unsound(f"a move against what is claimed of {node.fen} was left out")
        claims += [(child, against, not holds) for child in children if child]
    return len({id for id, _ in walked}), list(once.values())
