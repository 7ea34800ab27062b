"""`datagen`: games of the engine against itself, shared out in parts, put together by their numbers."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, Ticker, check_interrupt, say
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job, games_in
from zermelo_cluster.parts import Folder, Part, Work, cut, known_size, size_for

# Games of a part, if nobody says.
MOST = 1000
# So many parts are joined at a time.
BATCH = 500
# What judges without a file.
BUILT_IN = ("embedded", "hand-set")
EVALUATION = "evaluation.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="where the games go")
    parser.add_argument("--games", metavar="N", type=command.positive, required=True, help="how many there shall be")
    parser.add_argument("--nodes", metavar="N", type=command.positive, default=1000, help="positions to visit a move")
    parser.add_argument("--evaluation", metavar="WHAT", default=BUILT_IN[0], help="embedded, hand-set or a file")
    parser.add_argument("--seed", metavar="S", type=command.natural, default=0, help="where the random choices begin")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where parts are kept (OUT.parts)")
    parser.add_argument("--part-games", metavar="N", type=command.positive, help="games of a part")
    parser.add_argument(
        "--give-up",
        metavar="S",
        type=command.seconds,
        default=600,
        help="a part without a new game for so many seconds is given out again (%(default)s)",
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
    command.check_place(options.out)
    how = ("--nodes", str(options.nodes), "--evaluation", evaluation, "--seed", str(options.seed))
    with command.connect(options) as site:
        path = options.folder or command.beside(options.out, ".parts")
        size = options.part_games or known_size(path) or size_for(options.games, site.workers(), MOST)
        digests = {name: Folder.digest(content) for name, content in files.items()}
        # More games may be asked for later: the parts before stay what they are.
        plan = {"bench": site.program.signature, "files": digests, "settings": list(how), "size": size}
        folder = Folder(path, plan)
        parts = cut(0, options.games - 1, size, ".samples")

        def job(part: Part) -> Job:
            games = ("--first", str(part.first), "--games", str(part.last + 1))
            return Job(site.program, ("datagen", "--out", part.name, *games, *how), part.name)

        crew, ticker = site.crew(files, options.give_up), Ticker()
        played = 0
        try:
            for news in Work(crew, folder, site.workers, job).do(parts):
                check_interrupt()
                if news.remark:
                    ticker.clear()
                    say(news.remark)
                played += games_in(news.piece)
                ticker.tell(functools.partial("{} games in this run, {} shall be there".format, played, options.games))
        except Interrupted:
            raise Failure("interrupted; the same command goes on") from None
        finally:
            crew.forget()
            ticker.clear()
        # Not before all is there: the games of OUT stand in the order of their numbers.
        begun = folder.files(parts)
        for at in range(0, len(begun), BATCH):
            batch = begun[at : at + BATCH]
            said = site.run(["datagen", "--merge", *map(str, batch), f"--out={options.out}"])
        command.tell(said.strip())
        if int(said.split()[0]) < options.games:
            raise Failure(f"{options.games} games were asked for; the same command goes on")
