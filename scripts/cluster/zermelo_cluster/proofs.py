"""`solve`: the value of one position, proven by many workers who each get a leaf of the proof tree."""

from __future__ import annotations

import argparse
import functools
import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, Site, Ticker, check_interrupt, say
from zermelo_cluster.crew import Crew, Done, Event, Grown, Lost
from zermelo_cluster.failure import Failure
from zermelo_cluster.job import Job
from zermelo_cluster.parts import ATTEMPTS
from zermelo_cluster.tree import DRAW, LOSS, VALUES, WIN, Expansion, Node, Tree, check

# The others are solved at once.
GAMES = ("tixtax", "tixtax-open")
# What a job brings that brings nothing.
NOTHING = {"at_least": "loss", "at_most": "win", "nodes": 0, "seconds": 0.0, "verified": None, "best": None}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fen", metavar="FEN", required=True, help="the position")
    parser.add_argument("--game", choices=GAMES, default=GAMES[0], help="its game (%(default)s)")
    parser.add_argument("--tree", metavar="FILE", type=Path, required=True, help="where the proof tree is kept")
    parser.add_argument(
        "--slice",
        metavar="S",
        type=command.seconds,
        default=10,
        help="seconds for a leaf; one that takes longer gets its moves as leaves (%(default)s)",
    )
    parser.add_argument("--time", metavar="S", type=command.seconds, help="stop after so many seconds")
    parser.add_argument(
        "--memory", metavar="MB", type=command.positive, default=1024, help="of each worker (%(default)s)"
    )
    parser.add_argument("--verify", action="store_true", help="look twice: at each leaf's proof, then at the tree")


class Expander:
    """The program, asked for moves; it keeps running."""

    def __init__(self, path: Path, game: str) -> None:
        arguments = ["solve", "--expand", "--game", game, "--file", "-"]
        self._process = subprocess.Popen(
            [path, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Expander:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def __call__(self, fen: str) -> Expansion:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(fen + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Failure("the program that tells the moves has ended")
        found: Expansion = json.loads(line)
        return found


def run(options: argparse.Namespace) -> None:
    with command.connect(options) as site:
        # A position that is none is refused here, before anything waits for an answer.
        root = json.loads(site.run(["solve", "--expand", "--game", options.game, "--fen", options.fen]))
        tree = Tree(options.tree, root, options.game)
        try:
            with Expander(site.path, options.game) as expand:
                Proof(site, tree, expand, options, root).prove()
        finally:
            tree.close()


class Proof:
    """The work on a tree."""

    def __init__(self, site: Site, tree: Tree, expand: Expander, options: argparse.Namespace, root: Expansion) -> None:
        self._tree = tree
        self._expand = expand
        self._options = options
        self._asked = root
        self._workers = site.workers
        self._program = site.program
        # A second look may take longer than the first.
        self._crew: Crew = site.crew({}, 60 + 20 * options.slice)
        self._failures: Counter[int] = Counter()
        self._began = time.monotonic()
        self._ticker = Ticker()

    def prove(self) -> None:
        interrupted = False
        nodes, once = 0, list[Node]()
        try:
            self._work(self._hand_out)
            while self._options.verify and self._tree.is_settled:
                nodes, once = check(self._tree, self._expand)
                if not once or self._is_late():
                    break
                # Settled by a run that did not look twice.
                self._work(functools.partial(self._hand_out_again, list(once)))
        except Interrupted:
            interrupted = True
        finally:
            self._crew.forget()
            self._ticker.clear()
        self._tell()
        if interrupted:
            raise Failure("interrupted; the same command goes on")
        if not self._tree.is_settled:
            raise Failure("the value is not proven yet; the same command goes on")
        if once:
            raise Failure(f"{len(once)} proofs were not looked at twice yet; the same command goes on")
        if self._options.verify:
            say(f"the proof was walked through again, {nodes} nodes")

    def _work(self, hand_out: Callable[[], None]) -> None:
        """Until there is nothing to hand out, or no time."""
        while not self._is_late():
            check_interrupt()
            hand_out()
            if not len(self._crew):
                break
            for event in self._crew.events(0.5):
                self._take_in(event)
            self._ticker.tell(self._state)

    def _is_late(self) -> bool:
        limit = self._options.time
        return limit is not None and time.monotonic() - self._began >= limit

    def _hand_out(self) -> None:
        if self._tree.is_settled:
            self._crew.forget()
            return
        while len(self._crew) < self._workers() and (leaf := self._tree.take()):
            self._begin(leaf, ["--time", f"{self._options.slice:f}"])

    def _hand_out_again(self, leaves: list[Node]) -> None:
        """For a second look, however long that takes: each was proven in time before."""
        while leaves and len(self._crew) < self._workers():
            self._begin(leaves.pop(), [])

    def _begin(self, leaf: Node, words: list[str]) -> None:
        options = self._options
        arguments = ["solve", "--json", "--game", options.game, "--fen", leaf.fen, "--memory", str(options.memory)]
        arguments += words + (["--verify"] if options.verify else [])
        self._crew.begin(str(leaf.id), Job(self._program, tuple(arguments)))

    def _take_in(self, event: Event) -> None:
        leaf = self._tree.node(int(event.key))
        match event:
            case Done(_, output):
                self._failures[leaf.id] = 0
                self._tree.learn(leaf.id, json.loads(output), self._expand)
                return
            case Lost(_, reason):
                pass
            case Grown():
                return
        self._failures[leaf.id] += 1
        self._ticker.clear()
        if self._failures[leaf.id] < ATTEMPTS:
            say(f"{leaf.fen} is given out again, {reason}")
            self._tree.put_back(leaf.id)
        elif leaf.value is None:
            say(f"{leaf.fen} gets its moves as leaves, {reason}")
            self._tree.learn(leaf.id, NOTHING, self._expand)
        else:
            raise Failure(f"nobody can look twice at the proof of {leaf.fen}, {reason}")

    def _state(self) -> str:
        root = self._tree.node(self._tree.root)
        tree = self._tree
        between = f"between {VALUES[root.least]} and {VALUES[root.most]}"
        jobs = f"{tree.tries} jobs done, {len(self._crew)} under way"
        return f"{between}, {jobs}, {len(tree)} nodes, {tree.looked_at} positions looked at"

    def _tell(self) -> None:
        """A line as `zermelo solve` writes it."""
        root = self._tree.node(self._tree.root)
        value = "unknown" if root.value is None else VALUES[root.value]
        nodes, seconds = self._tree.looked_at, self._tree.seconds
        command.tell(f"{value} - {self._tree.best_move(self._asked) or '-'} {nodes} {seconds:.3f} {self._asked['fen']}")
        if root.value is None and (root.least, root.most) != (LOSS, WIN):
            say("at least a draw is known" if root.least == DRAW else "at most a draw is known")
