"""The top of a proof tree, in a file of SQLite.

A node is a class of positions: all images of one under the symmetries of the board, so that none is searched
twice. It stores bounds on the value for the side to move and, for the two goals "win" and "at least a draw",
proof and disproof numbers (Allis 1994). Many leaves are worked on at once (job-level proof-number search: Wu et
al. 2011).

The numbers are also the guess: where the proof number is the smaller one, the side to move is expected to reach the
goal, by the move with the smallest disproof number of the counter-goal. A guess costs nothing to change: once that
move is refuted, or looks harder than another, the numbers above it change and the search goes elsewhere.

Every result is written to the file before anything else happens, so a killed driver can be resumed.

The file holds the whole tree. Memory holds the nodes that can be reached from the root through open nodes; those that
can be reached only through settled nodes are read from the file when needed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo_cluster.failure import BadInput, Failure

LOSS, DRAW, WIN = range(3)
VALUES = ("loss", "draw", "win")
INFINITE = 1 << 62

# The JSON objects of `zermelo solve --expand` and `zermelo solve --json`.
Expansion = dict[str, Any]
Solution = dict[str, Any]

SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists node (
    id integer primary key, class text not null unique, fen text not null, depth integer not null,
    least integer not null, most integer not null,
    win_proof integer not null, win_disproof integer not null,
    draw_proof integer not null, draw_disproof integer not null,
    expanded integer not null default 0
);
create table if not exists edge (
    parent integer not null references node, child integer not null references node, move text not null,
    primary key (parent, child)
) without rowid;
create table if not exists job (
    id integer primary key, node integer not null references node, goal integer not null,
    expected integer not null, slice real, seconds real not null, nodes integer not null,
    least integer not null, most integer not null, verified integer, best text
);
create index if not exists job_node on job (node);
"""
VERSION = "zermelo-proof 3"
NODE_COLUMNS = (
    "node.id, class, fen, depth, node.least, node.most, win_proof, win_disproof, draw_proof, draw_disproof, expanded"
)


@dataclass(slots=True)
class Node:
    """A class of positions."""

    id: int
    # The name of the class, which all its positions share.
    name: str
    fen: str
    # Plies below the root.
    depth: int
    # Bounds on the value for the side to move, both included.
    least: int
    most: int
    # Proof and disproof numbers by goal: WIN, or DRAW for at least a draw.
    numbers: dict[int, tuple[int, int]]
    expanded: bool = False
    # Neighbours in memory. A settled node has no children there.
    children: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    # The searches below this node, by goal and whether alternatives count, that have found no idle leaf since the last
    # change. `None` instead of an empty set, to save memory.
    exhausted: set[tuple[int, bool]] | None = None

    @property
    def value(self) -> int | None:
        return self.least if self.least == self.most else None

    def answer(self, goal: int) -> bool | None:
        """Returns whether the side to move reaches the goal, or `None` if that is open."""
        return answer_within(self.least, self.most, goal)

    def expects(self, goal: int) -> bool:
        """Returns whether the side to move is expected to reach the goal."""
        proof, disproof = self.numbers[goal]
        return proof < disproof


@dataclass(frozen=True)
class LeafTask:
    """A leaf to work on, and the goal of its side to move that is to be proven or disproven."""

    node: Node
    goal: int


def ordered_goals(node: Node) -> list[int]:
    """Returns the goals in the order in which to settle them: if a win or a loss is expected, first the goal that would
    settle the other one too; otherwise the one closer to being settled either way."""
    if node.expects(WIN):
        return [WIN, DRAW]
    if not node.expects(DRAW):
        return [DRAW, WIN]
    return sorted((WIN, DRAW), key=lambda goal: min(node.numbers[goal]))


def answer_within(least: int, most: int, goal: int) -> bool | None:
    """Returns whether a value within these bounds reaches the goal, or `None` if that is open."""
    return True if least >= goal else False if most < goal else None


def counter(goal: int) -> int:
    """Returns the opponent's goal that is reached exactly if ours is missed."""
    return WIN + DRAW - goal


class Tree:
    """A proof tree with its file."""

    def __init__(self, path: Path, root: Expansion, game: str, program: str) -> None:
        """Opens the tree of a position for resuming, creating it if missing; all its jobs are those of one program."""
        self._path = path
        try:
            # Absolute, since SQLite gives names such as ":memory:" a special meaning.
            self._file = sqlite3.connect(path.absolute(), isolation_level=None, timeout=0)
            self._file.execute("pragma journal_mode = wal")
            # A killed driver loses nothing; a power failure may cost the last results, but not the file.
            self._file.execute("pragma synchronous = normal")
            # Keeps a second run from using the same tree.
            self._file.execute("pragma locking_mode = exclusive")
            self._file.execute("begin exclusive")
            for statement in SCHEMA.split(";"):
                self._file.execute(statement)
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise BadInput(f"{path} is being used by another run") from error
            raise BadInput(f"{path} cannot be used as a proof tree: {error}") from error
        # The nodes in memory, by id and by class.
        self._nodes: dict[int, Node] = {}
        self._classes: dict[str, int] = {}
        self._busy: set[int] = set()
        try:
            self._resume(root, game, program)
            self._file.execute("commit")
        except (sqlite3.DatabaseError, KeyError, TypeError) as error:
            self.close()
            raise BadInput(f"{path} is corrupt: {error}") from error
        except BadInput:
            # A refused file stays as it was.
            self.close()
            raise

    def _resume(self, root: Expansion, game: str, program: str) -> None:
        for name, wanted in {"version": VERSION, "game": game, "root": root["class"], "program": program}.items():
            found = self._file.execute("select value from about where name = ?", [name]).fetchone()
            if found is None:
                self._file.execute("insert into about values (?, ?)", [name, wanted])
            elif found[0] != wanted:
                raise BadInput(f"{self._path} holds another proof: its {name} is {found[0]}, expected {wanted}")
        # Totals over all jobs: their number, the positions searched, the seconds taken.
        self.jobs, self.positions, self.seconds = self._file.execute(
            "select count(*), coalesce(sum(nodes), 0), coalesce(sum(seconds), 0) from job"
        ).fetchone()
        self._length: int = self._file.execute("select count(*) from node").fetchone()[0]
        known = self.find(root["class"])
        if known is not None:
            self.root = known.id
            self._load(known.id)
        else:
            self.root = self._insert(root, 0).id

    def __len__(self) -> int:
        """Returns the number of nodes in the file."""
        return self._length

    # Reading nodes.

    def _select(self, statement: str, *values: int | str) -> Iterator[Any]:
        """Yields rows of the file. Damage may not show up before they are read."""
        try:
            yield from self._file.execute(statement, values)
        except sqlite3.OperationalError:
            # Not damage: the disk cannot be read, for instance.
            raise
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{self._path} is corrupt: {error}") from error

    def _read(self, column: str, value: int | str) -> Node | None:
        """Reads a node from the file, without its neighbours."""
        row = next(self._select(f"select {NODE_COLUMNS} from node where {column} = ?", value), None)
        return None if row is None else self._parse(row)

    def _parse(self, row: Sequence[Any]) -> Node:
        id, name, fen, depth, least, most, *numbers, expanded = row
        if (
            not all(isinstance(value, int) for value in (depth, least, most, *numbers))
            or not LOSS <= least <= most <= WIN
        ):
            raise BadInput(f"{self._path} is corrupt: node {id}")
        goals = {WIN: (numbers[0], numbers[1]), DRAW: (numbers[2], numbers[3])}
        return Node(id, name, fen, depth, least, most, goals, bool(expanded))

    def node(self, id: int) -> Node:
        node = self._nodes.get(id) or self._read("id", id)
        if node is None:
            raise BadInput(f"{self._path} is corrupt: node {id} is missing")
        return node

    def find(self, name: str) -> Node | None:
        """Finds the node of a class."""
        id = self._classes.get(name)
        return self._read("class", name) if id is None else self._nodes[id]

    def children(self, node: Node) -> list[Node]:
        """Returns the children of a node in order of id, also those that are only in the file."""
        return [self.node(child) for child in self._child_ids(node)]

    def _child_ids(self, node: Node) -> list[int]:
        rows = self._select("select child from edge where parent = ? order by child", node.id)
        return [child for (child,) in rows]

    # Loading and dropping nodes.

    def _load(self, id: int) -> Node:
        """Loads a node and what lies below it, as far as it is open."""
        if id in self._nodes:
            return self._nodes[id]
        node = self.node(id)
        self._keep(node)
        if node.expanded and node.value is None:
            for child in self._child_ids(node):
                self._link(node, self._load(child))
            # Jobs may have finished below while the node was only in the file.
            if self._recompute(node):
                self._write(node)
        return node

    def _keep(self, node: Node) -> None:
        self._nodes[node.id] = node
        self._classes[node.name] = node.id

    def _link(self, parent: Node, child: Node) -> None:
        parent.children.append(child.id)
        child.parents.append(parent.id)

    def _drop_below(self, node: Node) -> None:
        """Drops from memory what only settled nodes lead to."""
        settled = [node]
        while settled:
            above = settled.pop()
            for child in map(self.node, above.children):
                child.parents.remove(above.id)
                if not child.parents and child.id != self.root:
                    del self._nodes[child.id], self._classes[child.name]
                    settled.append(child)
            above.children.clear()

    def _insert(self, found: Expansion, depth: int) -> Node:
        """Creates the node of a position."""
        numbers = {goal: pair(found[VALUES[goal]]) for goal in (WIN, DRAW)}
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        cursor = self._file.execute(
            "insert into node (class, fen, depth, least, most, win_proof, win_disproof, draw_proof, draw_disproof)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [found["class"], found["fen"], depth, least, most, *numbers[WIN], *numbers[DRAW]],
        )
        assert cursor.lastrowid is not None
        node = Node(cursor.lastrowid, found["class"], found["fen"], depth, least, most, numbers)
        self._keep(node)
        self._length += 1
        return node

    @property
    def is_settled(self) -> bool:
        return self.node(self.root).value is not None

    # Selecting leaves.

    def take(self) -> LeafTask | None:
        """Returns the idle leaf to work on next and marks it as busy."""
        root = self.node(self.root)
        goals = [goal for goal in ordered_goals(root) if root.answer(goal) is None]
        # First the leaves that the guess needs; if all of them are busy, also those of other moves.
        for alternatives in (False, True):
            for goal in goals:
                task = self._find_idle_leaf(self.root, goal, alternatives)
                if task is not None:
                    self._busy.add(task.node.id)
                    return task
        return None

    def _find_idle_leaf(self, id: int, goal: int, alternatives: bool) -> LeafTask | None:
        node = self.node(id)
        if (node.exhausted and (goal, alternatives) in node.exhausted) or node.answer(goal) is not None:
            return None
        if not node.expanded:
            return None if id in self._busy else LeafTask(node, goal)
        # The move closest to a proof first: the one whose counter-goal has the smallest disproof number.
        against = counter(goal)
        children = sorted(node.children, key=lambda child: (self.node(child).numbers[against][1], child))
        if node.expects(goal) and not alternatives:
            # One move reaches the goal; to miss it, all moves have to be refuted.
            children = children[:1]
        for child in children:
            task = self._find_idle_leaf(child, against, alternatives)
            if task is not None:
                return task
        node.exhausted = (node.exhausted or set()) | {(goal, alternatives)}
        return None

    def is_needed(self, task: LeafTask) -> bool:
        """Returns whether the answer of a leaf is still open and can matter."""
        node = self._nodes.get(task.node.id)
        return node is not None and node.answer(task.goal) is None

    def release(self, task: LeafTask) -> None:
        """Marks a leaf as idle."""
        self._busy.discard(task.node.id)
        self._reopen(task.node)

    def _reopen(self, node: Node) -> None:
        """Lets searches for idle leaves visit a node and its ancestors again."""
        if node.id not in self._nodes:
            return
        queue, seen = [node.id], {node.id}
        while queue:
            here = self.node(queue.pop())
            here.exhausted = None
            queue += [parent for parent in here.parents if parent not in seen]
            seen.update(here.parents)

    # Recording results.

    def record_result(
        self, task: LeafTask, found: Solution, expand: Callable[[str], Expansion], slice: float | None = None
    ) -> bool:
        """Stores the result of a job with this time slice, and splits the leaf if the goal is still open. Returns
        whether the job settled the goal."""
        node, goal = self.node(task.node.id), task.goal
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        if max(node.least, least) > min(node.most, most):
            raise Unsound(f"two results contradict each other at {node.fen}: start a new --tree")
        answer = answer_within(least, most, goal)
        # A leaf is split only if its result is still needed. Expanded before anything is stored, since the program may
        # fail.
        moves = expand(node.fen)["moves"] if answer is None and self.is_needed(task) else []
        self._busy.discard(node.id)
        self.jobs += 1
        self.positions += found["nodes"]
        self.seconds += found["seconds"]
        self._file.execute("begin")
        self._file.execute(
            "insert into job (node, goal, expected, slice, seconds, nodes, least, most, verified, best)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(node.id, goal, node.expects(goal), slice, found["seconds"], found["nodes"]),
                *(least, most, found["verified"], found["best"]),
            ],
        )
        node.least, node.most = max(node.least, least), min(node.most, most)
        self._grow(node, moves)
        self._file.execute("commit")
        return answer is not None

    def expand(self, task: LeafTask, expand: Callable[[str], Expansion]) -> None:
        """Expands a leaf without a job."""
        self._busy.discard(task.node.id)
        if not self.is_needed(task):
            return
        node = self.node(task.node.id)
        moves = expand(node.fen)["moves"]
        self._file.execute("begin")
        self._grow(node, moves)
        self._file.execute("commit")

    def _grow(self, node: Node, moves: list[Expansion]) -> None:
        """Adds the moves of a node, if there are any, and updates it and its ancestors."""
        # Before the update, which may drop the node.
        self._reopen(node)
        for branch in moves:
            known = self.find(branch["class"])
            child = self._load(known.id) if known else self._insert(branch, node.depth + 1)
            self._file.execute("insert into edge values (?, ?, ?)", [node.id, child.id, branch["move"]])
            self._link(node, child)
        if moves:
            node.expanded = True
            self._file.execute("update node set expanded = 1 where id = ?", [node.id])
        self._normalize(node)
        self._recompute(node)
        self._write(node)
        self._update_ancestors(node)

    def _update_ancestors(self, node: Node) -> None:
        """Recomputes all ancestors of a node."""
        # In order of change, each queued at most once, since paths transpose.
        changed = {node.id: node}
        while changed:
            below = changed.pop(next(iter(changed)))
            # A copy, since a parent that is settled leaves the list.
            for above in [self.node(parent) for parent in below.parents]:
                if self._recompute(above):
                    self._write(above)
                    changed.setdefault(above.id, above)

    def _recompute(self, node: Node) -> bool:
        """Recomputes a node from its children by the minimax rule, and drops these once it is settled. Returns whether
        anything changed."""
        if not node.children:
            # A leaf, or a settled node, whose children are not in memory.
            return False
        before = (node.least, node.most, dict(node.numbers))
        children = [self.node(child) for child in node.children]
        node.least = max(node.least, max(WIN - child.most for child in children))
        node.most = min(node.most, max(WIN - child.least for child in children))
        for goal in (WIN, DRAW):
            answers = [child.numbers[counter(goal)] for child in children]
            proof = min(disproof for _, disproof in answers)
            disproof = min(sum(proof for proof, _ in answers), INFINITE)
            node.numbers[goal] = (proof, disproof)
        self._normalize(node)
        if node.value is not None:
            self._drop_below(node)
        return (node.least, node.most, node.numbers) != before

    def _normalize(self, node: Node) -> None:
        """Gives settled goals their final numbers, and open ones at least 1."""
        for goal, (proof, disproof) in node.numbers.items():
            match node.answer(goal):
                case True:
                    node.numbers[goal] = (0, INFINITE)
                case False:
                    node.numbers[goal] = (INFINITE, 0)
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
        # Jobs settled the root without expanding it.
        rows = self._select(
            "select best from job join node on job.node = node.id where node.id = ? and fen = ? and best is not null"
            " order by job.least desc limit 1",
            self.root,
            root["fen"],
        )
        return next((str(best) for (best,) in rows), None)

    def proven_answer(self, id: int, goal: int) -> tuple[bool | None, bool]:
        """Returns the answer that jobs on this node found for a goal, and whether it is verified."""
        rows = self._select(
            "select least, most, verified from job where node = ? and (least >= ? or most < ?)"
            " order by verified is null limit 1",
            id,
            goal,
            goal,
        )
        row = next(rows, None)
        return (answer_within(row[0], row[1], goal), row[2] is not None) if row else (None, False)

    def job_times(self) -> Iterator[tuple[int, float, bool]]:
        """Yields the depth and seconds of all jobs in the order of their results, and whether they settled the goal."""
        rows = self._select(
            "select depth, seconds, goal, job.least, job.most from job join node on job.node = node.id order by job.id"
        )
        for depth, seconds, goal, least, most in rows:
            yield depth, seconds, answer_within(least, most, goal) is not None

    def close(self) -> None:
        self._file.close()


def binding_goals(value: int) -> list[int]:
    """Returns the goals whose answers prove a value."""
    return {LOSS: [DRAW], DRAW: [DRAW, WIN], WIN: [WIN]}[value]


def pair(numbers: list[int | None]) -> tuple[int, int]:
    """Reads proof numbers of the program, in which null means infinity."""
    proof, disproof = (INFINITE if number is None else number for number in numbers)
    return proof, disproof


class Unsound(Failure):
    """The stored proof is wrong."""


@dataclass(frozen=True)
class CheckedProof:
    """The proof of the root's value."""

    value: int
    nodes: int
    # Each with whether the goal is reached, and whether its own proof is verified.
    leaves: list[tuple[LeafTask, bool, bool]]
    # The claims of the nodes above them that were reached by an answer, as in a certificate.
    claims: list[str]

    @property
    def unverified(self) -> list[LeafTask]:
        """The leaves whose own proofs are not verified yet."""
        return [task for task, _, is_verified in self.leaves if not is_verified]


def check(tree: Tree, expand: Callable[[str], Expansion]) -> CheckedProof:
    """Verifies the proof of the root's value: one move suffices where a goal is reached, every legal move must
    fail where it is missed. Moves and game results are recomputed by the rules."""
    root = tree.node(tree.root)
    if root.value is None:
        raise Unsound("the root is not settled")
    claims = [(root, goal, root.value >= goal) for goal in binding_goals(root.value)]
    visited = set()
    leaves, refuted = [], []
    while claims:
        node, goal, holds = claims.pop()
        if (node.id, goal) in visited:
            continue
        visited.add((node.id, goal))
        found = expand(node.fen)
        same = tree.find(found["class"])
        if same is None or same.id != node.id:
            raise Unsound(f"{node.fen} does not belong to its class")
        least, most = VALUES.index(found["at_least"]), VALUES.index(found["at_most"])
        if (least >= goal) if holds else (most < goal):
            continue
        answer, verified = tree.proven_answer(node.id, goal)
        if answer is holds:
            leaves.append((LeafTask(node, goal), holds, verified))
            continue
        against = counter(goal)
        children = [tree.find(branch["class"]) for branch in found["moves"]]
        if holds:
            failing = [child for child in children if child and child.answer(against) is False]
            if not failing:
                raise Unsound(f"no move keeps the claimed value of {node.fen}")
            children = [failing[0]]
        elif not all(child and child.answer(against) for child in children):
            raise Unsound(f"an unrefuted move contradicts the claimed value of {node.fen}")
        else:
            refuted.append(f"{VALUES[LOSS]} {VALUES[goal - 1]} {node.fen}")
        claims += [(child, against, not holds) for child in children if child]
    return CheckedProof(root.value, len({id for id, _ in visited}), leaves, refuted)
