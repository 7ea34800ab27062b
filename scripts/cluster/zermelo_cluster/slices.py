"""Time slices of jobs, which adapt to what leaves take."""

from __future__ import annotations

import bisect
from collections import defaultdict

# A slice is this many times the 90th percentile of what leaves took that were settled at the same ply. Most leaves are
# then settled by their first job, and one that takes far longer than its peers is split, which gives more workers
# something to do.
MARGIN = 3.0
QUANTILE = 0.9
# Fewer leaves say nothing about a ply.
MIN_LEAVES = 5


class Slices:
    """Chooses the time slice of a leaf by its depth in the tree."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = max(shortest, longest)
        # Sorted.
        self._seconds: dict[int, list[float]] = defaultdict(list)

    def settled(self, depth: int, seconds: float) -> None:
        """Takes note of a leaf that a job has settled."""
        bisect.insort(self._seconds[depth], seconds)

    def slice(self, depth: int) -> float:
        """Returns the time slice of a leaf in seconds."""
        seconds = self._seconds[depth]
        if len(seconds) < MIN_LEAVES:
            return self._shortest
        usual = seconds[int(QUANTILE * (len(seconds) - 1))]
        return min(max(MARGIN * usual, self._shortest), self._longest)
