"""What a driver finds before any work starts, and merging, without a cluster."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from zermelo_cluster.command import check_address, check_token
from zermelo_cluster.failure import Failure
from zermelo_cluster.shards import ShardFolder, split


def test_a_dead_head_is_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    check_address("")
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray/ray_current_cluster").write_text("127.0.0.1:1")
    began = time.monotonic()
    with pytest.raises(Failure, match="no answer from 127.0.0.1:1: .*ray_current_cluster names it: run `ray stop`"):
        check_address("auto")
    assert time.monotonic() - began < 15


def test_a_missing_token_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    with pytest.raises(Failure, match="no token"):
        check_token()
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    check_token()


def test_twenty_thousand_shards_are_merged(tmp_path: Path, program: Path) -> None:
    words = ["--game", "tictactoe", "--engine", "name=a", "--engine", "name=b", "option.Seed=1", "--rounds", "10000"]
    words += ["--each", "nodes=1", "option.Searcher=random", "--openings", "random=2", "--no-repeat"]
    subprocess.run([program, "match", *words, "--json", "whole"], cwd=tmp_path, check=True, capture_output=True)
    head, *games = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    folder, shards = ShardFolder(tmp_path / "shards", {}), split(1, 20_000, 1, ".json")
    for shard, game in zip(shards, games, strict=True):
        (folder.path / shard.name).write_bytes(head + game)
    assert folder.join(shards, tmp_path / "joined")
    merge = [str(program), "match", "--merge", "joined", "--verdict"]
    done = subprocess.run(merge, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout.splitlines()[-1])["games"] == 20_000
