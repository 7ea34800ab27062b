"""Confidence intervals: of a share, and of the mean of a skewed distribution."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

RESAMPLES = 1000
GROUP, MIN_GROUPS = 4, 5


def wilson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Returns the Wilson score interval of a share."""
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, scale = successes / trials, 1 + z * z / trials
    center = (share + z * z / (2 * trials)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low, high = max(0.0, center - half), min(1.0, center + half)
    return (low if successes else 0.0), (high if successes < trials else 1.0)


def mean_interval(values: Sequence[float], level: float = 0.9, seed: int = 0) -> tuple[float, float]:
    """Returns an interval of the mean of independent costs: the smallest that contains both the bootstrap interval and
    Cox's.

    Costs are skewed: most probes are cheap, and the rare expensive ones carry the sum. In a small sample some of those
    are missing, and any bootstrap is then too low: of 20 log-normal values with a standard deviation of 2 in the
    logarithm, 53 % (percentiles) or 71 % (studentized) of the 90 % intervals contain the mean. Cox's interval for
    log-normal values is right there, but a few very cheap probes make it far too wide; so both take the means of
    groups of four where there are enough values.
    """
    groups = len(values) // GROUP
    if groups >= MIN_GROUPS:
        values = [fmean(values[group::groups]) for group in range(groups)]
    low, high = bootstrap(values, level, seed)
    if len(values) < 3 or min(values) <= 0:
        return low, high
    other_low, other_high = cox(values, level)
    return min(low, other_low), max(high, other_high)


def cox(values: Sequence[float], level: float) -> tuple[float, float]:
    """Returns Cox's interval of the mean of log-normal values (Zhou and Gao 1997)."""
    logarithms = [math.log(value) for value in values]
    count, variance = len(values), stdev(logarithms) ** 2
    center = fmean(logarithms) + variance / 2
    half = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(variance / count + variance**2 / (2 * (count - 1)))
    return math.exp(center - half), math.exp(min(700.0, center + half))


def bootstrap(values: Sequence[float], level: float = 0.9, seed: int = 0) -> tuple[float, float]:
    """Returns the studentized bootstrap interval of the logarithm of the mean."""
    count = len(values)
    if count < 2:
        return 0.0, math.inf
    center = fmean(values)
    if not center:
        return 0.0, math.inf
    error = stdev(values) / math.sqrt(count) / center
    if not error:
        return center, center
    generator = random.Random(seed)
    ratios = []
    for _ in range(RESAMPLES):
        drawn = generator.choices(values, k=count)
        mean = fmean(drawn)
        own_error = stdev(drawn) / math.sqrt(count) / mean if mean else 0.0
        if own_error:
            ratios.append(math.log(mean / center) / own_error)
    if not ratios:
        return 0.0, math.inf
    ratios.sort()
    low, high = (quantile(ratios, share) for share in ((1 + level) / 2, (1 - level) / 2))
    return center * math.exp(-low * error), center * math.exp(min(700.0, -high * error))


def quantile(ordered: Sequence[float], share: float) -> float:
    """Returns a quantile of sorted values, interpolated."""
    at = share * (len(ordered) - 1)
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])
