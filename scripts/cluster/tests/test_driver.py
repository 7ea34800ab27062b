"""What a driver finds before any work starts, and merging, without a cluster."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from common import PROGRAM, FolderCase

from zermelo_cluster import __main__ as main
from zermelo_cluster import datagen
from zermelo_cluster.command import ProgressLine, check_address, check_token
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.shards import ShardFolder, split


class DriverTest(FolderCase):
    def test_a_dead_head_is_named_with_the_remedy(self) -> None:
        with mock.patch.dict(os.environ, RAY_TMPDIR=str(self.folder)):
            check_address("")
            (self.folder / "ray").mkdir()
            (self.folder / "ray/ray_current_cluster").write_text("127.0.0.1:1")
            began = time.monotonic()
            said = "no answer from 127.0.0.1:1: .*ray_current_cluster names it: run `ray stop`"
            with self.assertRaisesRegex(Failure, said):
                check_address("auto")
            assert time.monotonic() - began < 15

    def test_a_missing_token_is_one_line_at_once(self) -> None:
        words = ["datagen", "--program", str(PROGRAM), "--games", "4", "--out"]
        with mock.patch.dict(os.environ, {"HOME": str(self.folder), "RAY_AUTH_MODE": "token"}, clear=True):
            errors, began = io.StringIO(), time.monotonic()
            with contextlib.redirect_stderr(errors):
                self.assertEqual(main.main([*words, str(self.folder / "out")]), 1)
            assert time.monotonic() - began < 60
            self.assertRegex(errors.getvalue(), r"^zermelo_cluster: no token: .*\n$")
            os.environ["RAY_AUTH_TOKEN"] = "secret"
            check_token()

    def test_shards_of_another_program_are_refused(self) -> None:
        ShardFolder(self.folder / "shards", {"size": 4, "program": "p"})
        with self.assertRaisesRegex(BadInput, "shards of different work, with program p instead of q"):
            ShardFolder(self.folder / "shards", {"size": 4, "program": "q"})

    def test_progress_is_appended_as_lines_of_json(self) -> None:
        with mock.patch.object(ProgressLine, "FILE_INTERVAL", 0):
            progress = ProgressLine(self.folder / "progress")
            for games in (1, 2):
                progress.update("{games} of {of}", functools.partial(dict, games=games, of=2))
        lines = [json.loads(line) for line in (self.folder / "progress").read_text().splitlines()]
        self.assertEqual([(line["games"], line["of"]) for line in lines], [(1, 2), (2, 2)])
        self.assertLess(time.time() - lines[1]["time"], 60)

    def test_twenty_thousand_shards_are_merged(self) -> None:
        words = ["--game", "tictactoe", "--engine", "name=a", "--engine", "name=b", "option.Seed=1", "--rounds", "1"]
        self.run_program("match", *words, "--each", "nodes=1", "option.Searcher=random", "--jsonl", "whole")
        head, *games = (self.folder / "whole").read_bytes().splitlines(keepends=True)
        folder, shards = ShardFolder(self.folder / "shards", {}), split(1, 20_000, 1, ".json")
        head = head.replace(b'"rounds":1,', b'"rounds":10000,')
        for shard in shards:
            game = json.loads(games[(shard.first - 1) % 2])
            game |= {"number": shard.first, "round": (shard.first + 1) // 2, "pair": (shard.first + 1) // 2}
            (folder.path / shard.name).write_bytes(head + json.dumps(game).encode() + b"\n")
        assert folder.join(shards, self.folder / "joined")
        merged = self.run_program("match", "--merge", "joined", "--summary-json")
        self.assertEqual(json.loads(merged.splitlines()[-1])["games"], 20_000)

    def test_training_games_are_merged_in_batches(self) -> None:
        calls: list[Sequence[str]] = []

        def count(arguments: Sequence[str]) -> str:
            calls.append(arguments)
            return "20000 games, 1 position\n"

        paths = [self.folder / str(number) for number in range(20_000)]
        datagen.merge(count, paths, self.folder / "out")
        self.assertEqual(sum(len(call) for call in calls), 20_000 + 3 * len(calls))
        self.assertLess(max(sum(map(len, call)) for call in calls), 100_000)

        def run(arguments: Sequence[str]) -> str:
            return self.run_program(*arguments)

        words = ["datagen", "--nodes", "9", "--games"]
        self.run_program(*words, "5", "--out", "alone")
        for first in range(5):
            self.run_program(*words, str(first + 1), "--from-game", str(first), "--out", str(first))
        with mock.patch.object(datagen, "MERGE_BATCH", 2):
            self.assertTrue(datagen.merge(run, paths[:5], Path("out")).startswith("5 games, "))
        self.assertEqual(*((self.folder / name).read_bytes() for name in ("alone", "out")))

    def run_program(self, *words: str) -> str:
        return subprocess.run([PROGRAM, *words], cwd=self.folder, check=True, capture_output=True, text=True).stdout
