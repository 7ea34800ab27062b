"""`match`: the games of a tournament, split into shards and merged by their numbers."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo_cluster import command
from zermelo_cluster.command import Cluster, Interrupted, ProgressLine, check_interrupt, log, option
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Files, Job, digest
from zermelo_cluster.shards import Shard, ShardFolder, ShardRunner, default_shard_size, existing_shard_size, split

# Flags of `zermelo match` that do not apply here, with the reason.
REFUSED = {
    "--concurrency": "each worker plays one game at a time; set the number of workers with --workers",
    "--check-record": "it plays no games",
    "--merge": "it plays no games",
    "--dry-run": "it plays no games",
    "--game-range": "--shard-games sets the size of the shards",
}
# The largest default number of games per shard; small, so that few games are wasted when the SPRT decides.
MAX_SHARD_GAMES = 50
# The largest share of the time that merging may take.
MERGE_TIME_SHARE = 0.1


def add_options(parser: argparse.ArgumentParser) -> None:
    option(parser, "--record FILE", Path, "output record", required=True)
    option(parser, "--json FILE", Path, "also write the games as JSON lines")
    option(parser, "--report FILE.html", Path, "also write an HTML report")
    option(parser, "--folder DIR", Path, "folder for the shards (RECORD.shards)")
    option(parser, "--shard-games N", command.positive, "games per shard, an even number to keep pairs together")
    option(parser, "--take FILE", Path, "file that the engines need (repeatable)", action="append", default=[])
    stall = "restart a shard after this many seconds without a new game (%(default)s)"
    option(parser, "--restart-after S", command.seconds, stall, default=3600)


@dataclass
class Score:
    """The score so far."""

    games: int = 0
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    llr: float | None = None
    decision: str | None = None
    # Why the SPRT stopped without a decision.
    stopped: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether more games do not change the result of the SPRT."""
        return self.decision is not None or self.stopped is not None

    def __str__(self) -> str:
        text = f"{self.games} games"
        if self.wins is not None:
            text += f", +{self.wins} ={self.draws} -{self.losses}"
        if self.llr is not None:
            text += f", llr {self.llr:.2f}"
        return text


@dataclass
class Merger:
    """Merges the shards at intervals."""

    cluster: Cluster
    folder: ShardFolder
    shards: list[Shard]
    options: argparse.Namespace
    score: Score = field(default_factory=Score)
    table: str = ""
    _next: float = 0.0

    def merge_if_due(self) -> None:
        """Merges the shards, unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            self.merge()

    def merge(self, last: bool = False) -> None:
        """Updates the score and the record; the last time, also writes JSON and report."""
        began = time.monotonic()
        # One file, since the number of arguments is limited. All shards begin with the same line.
        whole = self.folder.path / "whole"
        if not self.folder.join(self.shards, whole):
            return
        arguments = ["match", "--merge", str(whole), "--summary-json"]
        for name in ("record", "json", "report") if last else ("record",):
            path = getattr(self.options, name)
            arguments += [f"--{name}={path}"] if path else []
        # Until the end, remarks about missing games are noise.
        *table, verdict = self.cluster.run(arguments, remarks=last).splitlines()
        known: dict[str, Any] = json.loads(verdict)
        self.table = "\n".join(table)
        self.score = Score(**{name: known[name] for name in Score.__dataclass_fields__})
        self._next = time.monotonic() + max(1.0, (time.monotonic() - began) / MERGE_TIME_SHARE)


def files_of(setup: dict[str, Any], options: argparse.Namespace) -> Files:
    """Reads the files that a shard needs besides the program: openings, networks and `--take`."""
    openings = setup["openings"]
    named = list(options.take)
    if isinstance(openings, dict) and "file" in openings:
        named.append(Path(openings["file"]["path"]))
    for engine in setup["engines"]:
        if engine.get("stderr"):
            raise BadInput(f"stderr={engine['stderr']} is not supported: the file would stay on a node")
        named += [Path(value) for name, value in engine.get("options", []) if name.lower() == "evalfile" and value]
    for path in named:
        if path.is_absolute() or ".." in path.parts:
            raise BadInput(f"{path} cannot be sent, expected a relative path below the current folder")
        if not path.is_file():
            raise BadInput(f"{path} is not a file")
    return {str(path): path.read_bytes() for path in named}


def invalid_reason(piece: bytes) -> str:
    """Returns why a piece must not count, or "": an engine that does not start is the node's fault, not its own."""
    return "an engine did not start" if b'"termination":"start-failure"' in piece else ""


def remarks(output: str) -> list[str]:
    """Returns the remarks about engines, printed between the title and the table."""
    body = output.partition("\n\n")[0].splitlines()[1:]
    return [line for line in body if not line.startswith("game ")]


def run(options: argparse.Namespace, words: list[str]) -> None:
    for word in words:
        if why := REFUSED.get(word.split("=")[0]):
            raise BadInput(f"{word} is not supported: {why}")
    if options.shard_games and options.shard_games % 2:
        raise BadInput(f"--shard-games {options.shard_games} would split pairs, expected an even number")
    for place in (options.record, options.json, options.report):
        if place:
            command.check_writable(place)
    with command.connect(options) as cluster:
        plan = json.loads(cluster.run(["match", *words, "--dry-run"]))
        play(cluster, plan, words, options)


def play(cluster: Cluster, plan: dict[str, Any], words: list[str], options: argparse.Namespace) -> None:
    head = plan["head"]
    setup = json.loads(head)["setup"]
    if setup["concurrency"] > 1:
        raise BadInput(f"concurrency {setup['concurrency']} is not supported: {REFUSED['--concurrency']}")
    files = files_of(setup, options)
    path = options.folder or command.with_ending(options.record, ".shards")
    size = (
        options.shard_games
        or existing_shard_size(path)
        or default_shard_size(plan["games"], cluster.workers(), MAX_SHARD_GAMES)
    )
    # The plan fixes everything that plays, down to the bytes of the networks.
    digests = {name: digest(content) for name, content in files.items()}
    program = cluster.program.digest
    folder = ShardFolder(
        path, {"program": program, "files": digests, "settings": head, "games": plan["games"], "size": size}
    )
    shards = split(1, plan["games"], size, ".json")
    merger = Merger(cluster, folder, shards, options)

    def job(shard: Shard) -> Job:
        games = ["--game-range", f"{shard.first}-{shard.last}"]
        return Job(cluster.program, ("match", *words, "--jsonl", shard.name, *games), shard.name)

    pool = cluster.worker_pool(files, options.restart_after)
    runner = ShardRunner(pool, folder, cluster.workers, job, head.encode() + b"\n", invalid_reason, remarks)
    progress = ProgressLine(options.progress)
    interrupted = False
    failure: Failure | None = None
    try:
        merger.merge()
        updates = iter(()) if merger.score.is_final else runner.run(shards)
        for update in updates:
            check_interrupt()
            if update.remark:
                progress.clear()
                log(update.remark)
            if update.piece:
                merger.merge_if_due()
            progress.update(f"{merger.score} of {plan['games']}", lambda: {"of": plan["games"], **vars(merger.score)})
            if merger.score.is_final:
                break
    except Interrupted:
        interrupted = True
    except Failure as error:
        failure = error
    pool.abandon()
    progress.clear()
    merger.merge(last=True)
    if merger.table:
        command.print_result(merger.table)
    if failure:
        raise failure
    if interrupted:
        raise Failure(f"interrupted after {merger.score}; run the same command to resume")
    if not merger.score.is_final and merger.score.games < plan["games"]:
        raise Failure(f"{merger.score.games} of {plan['games']} games finished; run the same command to resume")
