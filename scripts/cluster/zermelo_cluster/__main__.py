"""The command line: `python -m zermelo_cluster match|datagen|train …`.

Exit codes are those of the program: 0 success, 1 failure during the run, 2 bad usage or bad input.
"""

from __future__ import annotations

import argparse
import sys

from zermelo_cluster import command, datagen, matches, training
from zermelo_cluster.command import log
from zermelo_cluster.failure import Failure

MATCH = """\
All other arguments are those of `zermelo match`. Example:
  python -m zermelo_cluster match --engine name=new --engine name=old cmd=./old --take old \\
      --each nodes=20000 --openings random=6 --rounds 500 --sprt elo0=0 elo1=5 --record games.pgn
"""


def parser() -> argparse.ArgumentParser:
    every = argparse.ArgumentParser(
        prog="python -m zermelo_cluster", description="Run Zermelo on a Ray cluster.", allow_abbrev=False
    )
    commands = every.add_subparsers(dest="command", required=True)

    def add(name: str, text: str, epilog: str = "") -> argparse.ArgumentParser:
        form = argparse.RawDescriptionHelpFormatter
        one = commands.add_parser(
            name, help=text, description=text, epilog=epilog, formatter_class=form, allow_abbrev=False
        )
        command.add_options(one)
        return one

    matches.add_options(add("match", "Play a tournament in shards", MATCH))
    datagen.add_options(add("datagen", "Play training games in shards"))
    training.add_options(add("train", "Train the evaluation; other arguments are those of the trainer"))
    return every


def main(arguments: list[str]) -> int:
    every = parser()
    options, words = every.parse_known_args(arguments)
    try:
        match options.command:
            case "match":
                matches.run(options, words)
            case "train":
                training.run(options, words)
            case _ if words:
                every.error(f"unrecognized arguments: {' '.join(words)}")
            case "datagen":
                datagen.run(options)
    except Failure as failure:
        log(str(failure))
        return failure.code
    except command.Interrupted:
        log("interrupted")
        return 1
    except KeyboardInterrupt:
        log("interrupted before any work was started")
        return 1
    except OSError as error:
        log(f"{error}; run the same command to resume")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
