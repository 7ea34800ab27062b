"""Time slices of jobs, which adapt to what leaves take.

A leaf that runs out of its slice is split, and the slice is lost. A slice that is too long keeps one worker on a leaf
that many could share. So slices are chosen by ply such that most leaves are settled by their first job.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict, deque

from zermelo_cluster import command

# A slice is MARGIN times the SHARE quantile of the times of the last LAST jobs at the same ply. If fewer than that
# share settled their leaves, it is MARGIN times the longest job that did not.
MARGIN = 2.0
SHARE = 0.75
LAST = 20
# With fewer jobs at a ply, the shortest slice is used.
MIN_LEAVES = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    shortest = "shortest time slice of a job; a leaf that takes longer is split (%(default)s)"
    command.option(parser, "--slice S", command.seconds, shortest, default=10)
    longest = "longest time slice: slices grow to twice what most leaves at a ply take (%(default)s)"
    command.option(parser, "--max-slice S", command.seconds, longest, default=600)


class Slices:
    """Chooses the time slice of a leaf by its depth in the tree."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = max(shortest, longest)
        # The seconds of the last jobs by depth, and whether they settled their leaves.
        self._jobs: dict[int, deque[tuple[float, bool]]] = defaultdict(lambda: deque(maxlen=LAST))

    def record(self, depth: int, seconds: float, is_settled: bool) -> None:
        """Records a job."""
        self._jobs[depth].append((seconds, is_settled))

    def slice(self, depth: int) -> float:
        """Returns the time slice of a leaf in seconds."""
        jobs = self._jobs[depth]
        if len(jobs) < MIN_LEAVES:
            return self._shortest
        needed = sorted(seconds if is_settled else math.inf for seconds, is_settled in jobs)
        usual = needed[math.ceil(SHARE * len(jobs)) - 1]
        if math.isinf(usual):
            usual = max(seconds for seconds, is_settled in jobs if not is_settled)
        return min(max(MARGIN * usual, self._shortest), self._longest)
