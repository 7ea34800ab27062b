"""`datagen`: self-play games, split into shards and merged by their numbers."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Sequence
from pathlib import Path

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, ProgressLine, check_interrupt, log, option
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job, digest, games_in
from zermelo_cluster.shards import Shard, ShardFolder, ShardRunner, default_shard_size, existing_shard_size, split

# The largest default number of games per shard.
MAX_SHARD_GAMES = 1000
# Shards merged per call of the program.
MERGE_BATCH = 500
# Evaluations that need no file.
BUILT_IN = ("embedded", "handcrafted")
EVALUATION = "evaluation.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    option(parser, "--out FILE", Path, "output file", required=True)
    option(parser, "--games N", command.positive, "number of games", required=True)
    option(parser, "--nodes N", command.positive, "nodes per move", default=1000)
    option(parser, "--evaluation WHAT", str, "embedded, handcrafted or a network file", default=BUILT_IN[0])
    option(parser, "--seed S", command.natural, "random seed", default=0)
    option(parser, "--folder DIR", Path, "folder for the shards (OUT.shards)")
    option(parser, "--shard-games N", command.positive, "games per shard")
    stall = "restart a shard after this many seconds without a new game (%(default)s)"
    option(parser, "--restart-after S", command.seconds, stall, default=600)


def merge(run: Callable[[Sequence[str]], str], files: list[Path], out: Path) -> str:
    """Merges the games of files, since the number of arguments is limited in batches; returns what is said last."""
    output = ""
    for at in range(0, len(files), MERGE_BATCH):
        output = run(["datagen", "--merge", *map(str, files[at : at + MERGE_BATCH]), f"--out={out}"])
    return output


def run(options: argparse.Namespace) -> None:
    files, evaluation = {}, options.evaluation
    if evaluation not in BUILT_IN:
        try:
            files[EVALUATION] = Path(evaluation).read_bytes()
        except OSError as error:
            expected = f"expected {', '.join(BUILT_IN)} or a file"
            raise BadInput(f"--evaluation {evaluation}: {error.strerror}, {expected}") from error
        evaluation = EVALUATION
    command.check_writable(options.out)
    how = ("--nodes", str(options.nodes), "--evaluation", evaluation, "--seed", str(options.seed))
    with command.connect(options) as cluster:
        path = options.folder or command.with_ending(options.out, ".shards")
        size = (
            options.shard_games
            or existing_shard_size(path)
            or default_shard_size(options.games, cluster.workers(), MAX_SHARD_GAMES)
        )
        digests = {name: digest(content) for name, content in files.items()}
        # The number of games is not part of the plan: a later run may ask for more.
        plan = {"program": cluster.program.digest, "files": digests, "settings": list(how), "size": size}
        folder = ShardFolder(path, plan)
        shards = split(0, options.games - 1, size, ".samples")

        def job(shard: Shard) -> Job:
            games = ("--from-game", str(shard.first), "--games", str(shard.last + 1))
            return Job(cluster.program, ("datagen", "--out", shard.name, *games, *how), shard.name)

        pool, progress = cluster.worker_pool(files, options.restart_after), ProgressLine(options.progress)
        played = 0
        try:
            for news in ShardRunner(pool, folder, cluster.workers, job).run(shards):
                check_interrupt()
                if news.remark:
                    progress.clear()
                    log(news.remark)
                played += games_in(news.piece)
                text = "{games} games in this run, target {of}"
                progress.update(text, functools.partial(dict, games=played, of=options.games))
        except Interrupted:
            raise Failure("interrupted; run the same command to resume") from None
        finally:
            pool.abandon()
            progress.clear()
        # Only now, since OUT holds the games in the order of their numbers.
        output = merge(cluster.run, folder.files(shards), options.out)
        command.print_result(output.strip())
        if int(output.split()[0]) < options.games:
            raise Failure(f"fewer games than the {options.games} requested; run the same command to resume")
