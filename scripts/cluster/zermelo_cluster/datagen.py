"""`datagen`: games of the engine against itself, shared out in parts, put together by their numbers."""

from __future__ import annotations

import argparse
from pathlib import Path

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, Ticker, interruptible, say
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import RECORD, Job
from zermelo_cluster.matches import known_size
from zermelo_cluster.parts import Folder, Part, Work, cut, size_for

# What judges without a file.
BUILT_IN = ("embedded", "hand-set")
EVALUATION = "evaluation.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="where the games go")
    parser.add_argument("--games", metavar="N", type=command.positive, required=True, help="how many there shall be")
    parser.add_argument("--nodes", metavar="N", type=command.positive, default=1000, help="positions to visit a move")
    parser.add_argument("--evaluation", metavar="WHAT", default=BUILT_IN[0], help="embedded, hand-set or a file")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="where the random choices begin")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where parts are kept (OUT.parts)")
    parser.add_argument("--part-games", metavar="N", type=command.positive, help="games of a part")
    parser.add_argument(
        "--give-up",
        metavar="S",
        type=float,
        default=600,
        help="a part without a new game for so many seconds is given out again (%(default)s)",
    )


def run(options: argparse.Namespace) -> None:
    files = {}
    evaluation = options.evaluation
    if evaluation not in BUILT_IN:
        try:
            files[EVALUATION] = Path(evaluation).read_bytes()
        except OSError as error:
            raise BadInput(
                f"--evaluation {evaluation}: {error.strerror}, expected {', '.join(BUILT_IN)} or a file"
            ) from error
        evaluation = EVALUATION
    how = ("--nodes", str(options.nodes), "--evaluation", evaluation, "--seed", str(options.seed))
    with interruptible(), command.site(options) as site:
        path = options.folder or options.out.with_name(options.out.name + ".parts")
        size = options.part_games or known_size(path) or size_for(options.games, site.workers)
        # More games may be asked for later: the parts before stay what they are.
        folder = Folder(path, {"how": list(how), "size": size})
        parts = cut(0, options.games - 1, size, ".samples")

        def job(part: Part, begun: bytes) -> Job:
            games = ("--first", str(part.first), "--games", str(part.last + 1))
            return Job(site.program, ("datagen", "--out", part.name, *games, *how), part.name, files)

        crew = site.crew(options.give_up)
        ticker = Ticker()
        positions = 0
        interrupted = False
        failure: Failure | None = None
        try:
            for news in Work(crew, folder, site.workers, job).do(parts):
                if news.remark:
                    ticker.clear()
                    say(news.remark)
                positions += len(news.piece) // RECORD
                done = sum(folder.is_done(part) for part in parts) if news.done or not positions else None
                if done is not None:
                    ticker.tell(f"{done} of {len(parts)} parts, {positions} positions in this run")
        except Interrupted:
            interrupted = True
        except Failure as error:
            failure = error
        crew.stop()
        ticker.clear()
        begun = folder.files(parts)
        if begun:
            command.tell(site.run(["datagen", "--merge", *map(str, begun), "--out", str(options.out)]).strip())
        if failure:
            raise failure
        if interrupted:
            raise Failure("interrupted; the same command goes on")
