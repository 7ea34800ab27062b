"""`solve`: proves the value of one position; each job works on a leaf of the proof tree.

Above the frontier positions are expanded without jobs: the evaluation of each move guesses its value, and the leaves
at the frontier are those that a proof of the guess needs. A leaf that its job does not settle in its time slice is
split. A guess that a job disproves is repaired by the proof numbers: the search turns to the next best move.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import functools
import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from zermelo_cluster import certificates, command, slices
from zermelo_cluster.certificates import Certificates
from zermelo_cluster.command import Cluster, Interrupted, ProgressLine, check_interrupt, log, option
from zermelo_cluster.failure import Failure
from zermelo_cluster.job import Job, JobDone, JobEvent, JobLost, ShardProgress, digest
from zermelo_cluster.shards import ATTEMPTS
from zermelo_cluster.slices import Slices
from zermelo_cluster.tree import DRAW, LOSS, VALUES, WIN, CheckedProof, Expansion, LeafTask, Solution, Tree, check

STATE = (
    "between {at_least} and {at_most}, {jobs} jobs done, {running} running, {nodes} tree nodes, {positions} positions"
    " searched"
)
# The result of a job that proved nothing.
NO_RESULT = {"at_least": "loss", "at_most": "win", "nodes": 0, "seconds": 0.0, "verified": None, "best": None}


def add_options(parser: argparse.ArgumentParser) -> None:
    option(parser, "--fen FEN", str, "position", required=True)
    option(parser, "--game ID", str, "game of the position (%(default)s)", default="tixtax")
    option(parser, "--tree FILE", Path, "file of the proof tree", required=True)
    option(parser, "--frontier N", command.natural, "expand the first N plies without jobs (%(default)s)", default=0)
    slices.add_options(parser)
    option(parser, "--time S", command.seconds, "stop after this many seconds")
    option(parser, "--memory MB", command.positive, "memory per worker (%(default)s)", default=1024)
    parser.add_argument("--verify", action="store_true", help="verify each leaf's proof, then the tree")
    check = "check a certificate of each leaf on this machine before it counts, and write that of the whole proof"
    option(parser, "--certificates FILE", Path, check)


@contextlib.contextmanager
def expander(path: Path, game: str) -> Iterator[Callable[[str], Expansion]]:
    """Expands positions with a `zermelo solve --expand` process that keeps running."""
    words = [str(path), "solve", "--expand", "--game", game, "--file", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, start_new_session=True) as process:
        assert process.stdin and process.stdout
        stdin, stdout = process.stdin, process.stdout

        def expand(fen: str) -> Expansion:
            print(fen, file=stdin, flush=True)
            line = stdout.readline()
            if not line:
                raise Failure("`zermelo solve --expand` ended unexpectedly")
            found: Expansion = json.loads(line)
            return found

        try:
            yield expand
        finally:
            process.kill()


def run(options: argparse.Namespace) -> None:
    # A bad FEN or a tree in use is refused before a cluster is started.
    path = command.find_program(options.program)
    expansion = command.run_program(path, ["solve", "--expand", "--game", options.game, "--fen", options.fen])
    root = json.loads(expansion)
    own = Certificates(options.certificates, options.game) if options.certificates else None
    tree = Tree(options.tree, root, options.game, digest(path.read_bytes()))
    try:
        with command.connect(options) as cluster, expander(path, options.game) as expand:
            Proof(cluster, tree, expand, options, root, own).prove()
    finally:
        tree.close()


class Proof:
    """Proves a tree."""

    def __init__(
        self,
        cluster: Cluster,
        tree: Tree,
        expand: Callable[[str], Expansion],
        options: argparse.Namespace,
        root: Expansion,
        certificates: Certificates | None,
    ) -> None:
        self._certificates = certificates
        # Certificates that are being checked, with the job and its result.
        self._checks: dict[Future[str], tuple[JobDone, Solution]] = {}
        self._checkers = ThreadPoolExecutor(os.cpu_count())
        self._path = cluster.path
        self._tree = tree
        self._expand = expand
        self._options = options
        self._root_expansion = root
        self._workers = cluster.workers
        self._program = cluster.program
        # Verification may take longer than the proof.
        self._pool = cluster.worker_pool({}, 60 + 20 * max(options.slice, options.max_slice))
        self._tasks: dict[str, tuple[LeafTask, float | None]] = {}
        self._failures: Counter[str] = Counter()
        self._slices = Slices(options.slice, options.max_slice)
        for depth, seconds, is_settled in tree.job_times():
            self._slices.record(depth, seconds, is_settled)
        self._began = time.monotonic()
        self._progress = ProgressLine(options.progress)

    def prove(self) -> None:
        interrupted = False
        proof, unverified = CheckedProof(LOSS, 0, [], []), list[LeafTask]()
        try:
            self._work(self._start_jobs)
            while (self._options.verify or self._certificates) and self._tree.is_settled:
                proof = check(self._tree, self._expand)
                unverified = self._unverified(proof)
                if not unverified or self._is_late():
                    break
                # Proven by a run without --verify or --certificates.
                self._work(functools.partial(self._start_verifications, list(unverified)))
        except Interrupted:
            interrupted = True
        finally:
            self._pool.abandon()
            self._checkers.shutdown(cancel_futures=True)
            self._progress.clear()
        self._print_result()
        if interrupted:
            raise Failure("interrupted; run the same command to resume")
        if not self._tree.is_settled:
            raise Failure("the value is not proven yet; run the same command to resume")
        if unverified:
            raise Failure(f"{len(unverified)} proofs are not verified yet; run the same command to resume")
        if self._options.verify:
            log(f"proof verified, {proof.nodes} nodes")
        if self._certificates:
            self._certificates.join(self._path, self._root_expansion["fen"], proof, self._options.memory)

    def _unverified(self, proof: CheckedProof) -> list[LeafTask]:
        """Returns the leaves whose proofs lack what the options ask for."""
        known, verify = self._certificates, self._options.verify
        return [
            task
            for task, answer, is_verified in proof.leaves
            if (verify and not is_verified) or (known and not known.find(task, answer))
        ]

    def _work(self, start_jobs: Callable[[], None]) -> None:
        """Runs jobs until there are none left or the time is up."""
        while not self._is_late():
            check_interrupt()
            start_jobs()
            if not len(self._pool) and not self._checks:
                break
            for event in self._pool.events(0.5):
                self._handle(event)
            # Until the first check is done, if there is nothing else to wait for.
            patience = 0 if len(self._pool) else 0.5
            for checked in concurrent.futures.wait(self._checks, patience, "FIRST_COMPLETED").done:
                self._finish(*self._checks.pop(checked), checked.result())
            self._progress.update(STATE, self._state)

    def _is_late(self) -> bool:
        limit = self._options.time
        return limit is not None and time.monotonic() - self._began >= limit

    def _start_jobs(self) -> None:
        if self._tree.is_settled:
            self._pool.abandon()
            return
        while len(self._pool) < self._workers() and (task := self._tree.take()):
            if task.node.depth < self._options.frontier:
                self._tree.expand(task, self._expand)
                check_interrupt()
                self._progress.update(STATE, self._state)
            else:
                self._begin(task, self._slices.slice(task.node.depth))

    def _start_verifications(self, leaves: list[LeafTask]) -> None:
        """Starts verification jobs, without a time limit: each leaf was proven in time before."""
        while leaves and len(self._pool) < self._workers():
            self._begin(leaves.pop(), None)

    def _begin(self, task: LeafTask, slice: float | None) -> None:
        options, fen = self._options, task.node.fen
        arguments = ["solve", "--json", "--game", options.game, "--fen", fen, "--memory", str(options.memory)]
        arguments += ["--goal", VALUES[task.goal]]
        arguments += [] if slice is None else ["--time", f"{slice:f}"]
        arguments += ["--verify"] if options.verify else []
        key = f"{task.node.id} {VALUES[task.goal]}"
        self._tasks[key] = task, slice
        if self._certificates:
            arguments += ["--certificate", certificates.FILE]
            self._certificates.begin(key)
        self._pool.submit(key, Job(self._program, tuple(arguments), certificates.FILE if self._certificates else ""))

    def _handle(self, event: JobEvent) -> None:
        match event:
            case JobDone(key, output):
                try:
                    found = NO_RESULT | json.loads(output)
                except (ValueError, TypeError):
                    self._retry(key, "its answer cannot be read")
                    return
                if self._certificates:
                    fen = self._tasks[key][0].node.fen
                    self._checks[self._checkers.submit(self._certificates.refusal, key, fen, found)] = event, found
                else:
                    self._finish(event, found, "")
            case JobLost(key, reason):
                self._retry(key, reason)
            case ShardProgress(key, piece):
                if self._certificates:
                    self._certificates.add(key, piece)

    def _finish(self, done: JobDone, found: Solution, refusal: str) -> None:
        """Records the result of a job, unless there is a reason to refuse it."""
        if refusal:
            is_last = not self._pool.exclude(done.node)
            self._retry(done.key, refusal if is_last else f"{refusal}; node {done.node[:8]} gets no more jobs")
            return
        task, slice = self._tasks[done.key]
        self._failures[done.key] = 0
        is_settled = self._tree.record_result(task, found, self._expand, slice)
        self._slices.record(task.node.depth, found["seconds"], is_settled)

    def _retry(self, key: str, reason: str) -> None:
        """Restarts a job that brought no result, or splits its leaf."""
        task, slice = self._tasks[key]
        self._failures[key] += 1
        self._progress.clear()
        fen = task.node.fen
        is_open = self._tree.node(task.node.id).answer(task.goal) is None
        if is_open and not self._tree.is_needed(task):
            # Other results have made the leaf unnecessary.
            self._tree.release(task)
        elif self._failures[key] < ATTEMPTS:
            log(f"{fen} is restarted: {reason}")
            self._tree.release(task)
        elif is_open:
            log(f"{fen} is split: {reason}")
            self._tree.record_result(task, NO_RESULT, self._expand, slice)
        else:
            raise Failure(f"the proof of {fen} cannot be verified: {reason}")

    def _state(self) -> dict[str, object]:
        tree, root = self._tree, self._tree.node(self._tree.root)
        bounds = {"at_least": VALUES[root.least], "at_most": VALUES[root.most]}
        return bounds | {"jobs": tree.jobs, "running": len(self._pool), "nodes": len(tree), "positions": tree.positions}

    def _print_result(self) -> None:
        """Prints the result in the format of `zermelo solve`."""
        root = self._tree.node(self._tree.root)
        value = "unknown" if root.value is None else VALUES[root.value]
        nodes, seconds = self._tree.positions, self._tree.seconds
        best = self._tree.best_move(self._root_expansion) or "-"
        command.print_result(f"{value} - {best} {nodes} {seconds:.3f} {self._root_expansion['fen']}")
        if root.value is None and (root.least, root.most) != (LOSS, WIN):
            log("proven: at least a draw" if root.least == DRAW else "proven: at most a draw")
