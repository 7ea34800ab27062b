"""`datagen`: self-play games, split into shards and merged by their numbers."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, ProgressLine, check_interrupt, log
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
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="output file")
    parser.add_argument("--games", metavar="N", type=command.positive, required=True, help="number of games")
    parser.add_argument("--nodes", metavar="N", type=command.positive, default=1000, help="nodes per move")
    parser.add_argument(
        "--evaluation", metavar="WHAT", default=BUILT_IN[0], help="embedded, handcrafted or a network file"
    )
    parser.add_argument("--seed", metavar="S", type=command.natural, default=0, help="random seed")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="folder for the shards (OUT.shards)")
    parser.add_argument("--shard-games", metavar="N", type=command.positive, help="games per shard")
    parser.add_argument(
        "--restart-after",
        metavar="S",
        type=command.seconds,
        default=600,
        help="restart a shard after this many seconds without a new game (%(default)s)",
    )


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
            games = ("--first", str(shard.first), "--games", str(shard.last + 1))
            return Job(cluster.program, ("datagen", "--out", shard.name, *games, *how), shard.name)

        pool, progress = cluster.worker_pool(files, options.restart_after), ProgressLine()
        played = 0
        try:
            for news in ShardRunner(pool, folder, cluster.workers, job).run(shards):
                check_interrupt()
                if news.remark:
                    progress.clear()
                    log(news.remark)
                played += games_in(news.piece)
                progress.update(functools.partial("{} games in this run, target {}".format, played, options.games))
        except Interrupted:
            raise Failure("interrupted; run the same command to resume") from None
        finally:
            pool.abandon()
            progress.clear()
        # Only now, since OUT holds the games in the order of their numbers.
        shard_files = folder.files(shards)
        for at in range(0, len(shard_files), MERGE_BATCH):
            batch = shard_files[at : at + MERGE_BATCH]
            output = cluster.run(["datagen", "--merge", *map(str, batch), f"--out={options.out}"])
        command.print_result(output.strip())
        if int(output.split()[0]) < options.games:
            raise Failure(f"fewer games than the {options.games} requested; run the same command to resume")
