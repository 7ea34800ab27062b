"""Fixtures: the program, and a cluster of two nodes on this machine."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from common import PROGRAM

# No usage reports, and no token for this private cluster.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_AUTH_MODE", "disabled")

from ray.cluster_utils import Cluster  # noqa: E402


@pytest.fixture(scope="session")
def program() -> Path:
    """The program."""
    return PROGRAM


@pytest.fixture(scope="session")
def all_nodes() -> Iterator[Cluster]:
    """Two nodes with one worker each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def cluster(all_nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """The cluster, which every test must leave as it was."""
    monkeypatch.setenv("RAY_ADDRESS", all_nodes.address)
    before = set(folders())
    yield all_nodes
    assert len(all_nodes.list_all_nodes()) == 2
    # Jobs leave no folders behind, however they end.
    end = time.monotonic() + 30
    while left := set(folders()) - before:
        assert time.monotonic() < end, left
        time.sleep(0.1)


def folders() -> list[Path]:
    """The folders of running jobs."""
    return list(Path(tempfile.gettempdir()).glob("zermelo-job-*"))
