"""`solve`: the value of one position, proven by many workers who each get a leaf of the proof tree."""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections import Counter
from pathlib import Path
from types import TracebackType

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, Site, Ticker, interruptible, say
from zermelo_cluster.crew import Crew, Done, Event, Grown, Lost
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job
from zermelo_cluster.parts import ATTEMPTS
from zermelo_cluster.tree import DRAW, LOSS, VALUES, WIN, Expansion, Tree, check


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fen", metavar="FEN", required=True, help="the position")
    parser.add_argument("--game", metavar="ID", default="tixtax", help="its game (%(default)s)")
    parser.add_argument("--tree", metavar="FILE", type=Path, required=True, help="where the proof tree is kept")
    parser.add_argument(
        "--slice",
        metavar="S",
        type=float,
        default=10,
        help="seconds for a leaf; one that takes longer gets its moves as leaves (%(default)s)",
    )
    parser.add_argument("--time", metavar="S", type=float, help="stop after so many seconds")
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
    with interruptible(), command.site(options) as site:
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
        self._crew: Crew = site.crew(60 + 20 * options.slice)
        self._failures: Counter[int] = Counter()
        self._given_up: set[int] = set()
        self._ticker = Ticker()

    def prove(self) -> None:
        began = time.monotonic()
        interrupted = False
        try:
            while not self._is_over(began):
                self._hand_out()
                if not len(self._crew):
                    break
                for event in self._crew.events(0.5):
                    self._take_in(event)
                self._ticker.tell(self._state())
        except Interrupted:
            interrupted = True
        finally:
            self._crew.stop()
            self._ticker.clear()
        self._tell()
        if interrupted:
            raise Failure("interrupted; the same command goes on")
        if not self._tree.is_settled:
            lost = f"{len(self._given_up)} leaves were given up, " if self._given_up else ""
            raise Failure(f"{lost}the value is not proven yet; the same command goes on")
        if self._options.verify:
            say(f"the proof was walked through again, {check(self._tree, self._expand)} nodes")

    def _is_over(self, began: float) -> bool:
        limit = self._options.time
        return self._tree.is_settled or (limit is not None and time.monotonic() - began >= limit)

    def _hand_out(self) -> None:
        while len(self._crew) < self._workers and (leaf := self._tree.take()):
            options = self._options
            arguments = [
                "solve",
                "--json",
                "--game",
                options.game,
                "--fen",
                leaf.fen,
                "--time",
                str(options.slice),
            ]
            arguments += ["--memory", str(options.memory)] + (["--verify"] if options.verify else [])
            self._crew.begin(str(leaf.id), Job(self._program, tuple(arguments)))

    def _take_in(self, event: Event) -> None:
        leaf = self._tree.node(int(event.key))
        match event:
            case Done(_, output) if output.code == 0:
                self._failures[leaf.id] = 0
                self._tree.learn(leaf.id, json.loads(output.output), self._expand)
                return
            case Done(_, output) if output.code == 2:
                raise BadInput(output.errors.strip())
            case Done(_, output):
                reason = f"on node {output.node}: {output.errors.strip()} (exit code {output.code})"
            case Lost(_, reason):
                pass
            case Grown():
                return
        self._failures[leaf.id] += 1
        self._ticker.clear()
        if self._failures[leaf.id] < ATTEMPTS:
            say(f"{leaf.fen} is given out again, {reason}")
            self._tree.put_back(leaf.id)
        else:
            # It stays taken.
            self._given_up.add(leaf.id)
            say(f"{leaf.fen} is given up, {reason}")

    def _state(self) -> str:
        root = self._tree.node(self._tree.root)
        tries, nodes, _ = self._tree.effort()
        between = f"between {VALUES[root.least]} and {VALUES[root.most]}"
        jobs = f"{tries} jobs done, {len(self._crew)} under way"
        return f"{between}, {jobs}, {len(self._tree)} nodes, {nodes} positions looked at"

    def _tell(self) -> None:
        """A line as `zermelo solve` writes it."""
        root = self._tree.node(self._tree.root)
        value = "unknown" if root.value is None else VALUES[root.value]
        _, nodes, seconds = self._tree.effort()
        command.tell(f"{value} - {self._tree.best_move(self._asked) or '-'} {nodes} {seconds:.3f} {self._asked['fen']}")
        if root.value is None and (root.least, root.most) != (LOSS, WIN):
            say("at least a draw is known" if root.least == DRAW else "at most a draw is known")
