"""The command line: `python -m zermelo_cluster match|datagen|train|solve …`.

Exit codes are those of the program: 0 done, 1 a run failed, 2 bad usage or bad input.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys

from zermelo_cluster import command, datagen, matches, proofs, training
from zermelo_cluster.command import say
from zermelo_cluster.failure import Failure

MATCH = """\
All other words are those of `zermelo match`. Example:
  python -m zermelo_cluster match --engine name=new --engine name=old cmd=./old --take old \\
      --each nodes=20000 --openings random=6 --rounds 500 --sprt elo0=0 elo1=5 --record games.pgn
"""


def parser() -> argparse.ArgumentParser:
    every = argparse.ArgumentParser(
        prog="python -m zermelo_cluster",
        description="Zermelo on the machines of a Ray cluster.",
        allow_abbrev=False,
    )
    commands = every.add_subparsers(dest="command", required=True)

    def add(name: str, text: str, epilog: str = "") -> argparse.ArgumentParser:
        form = argparse.RawDescriptionHelpFormatter
        one = commands.add_parser(
            name, help=text, description=text, epilog=epilog, formatter_class=form, allow_abbrev=False
        )
        command.add_options(one)
        return one

    matches.add_options(add("match", "Plays a tournament in parts", MATCH))
    datagen.add_options(add("datagen", "Plays games for training in parts"))
    training.add_options(add("train", "Trains the evaluation, other words are those of train.py"))
    proofs.add_options(add("solve", "Proves the value of a position"))
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
            case "solve":
                proofs.run(options)
    except Failure as failure:
        say(str(failure))
        return failure.code
    except command.Interrupted:
        say("interrupted")
        return 1
    except KeyboardInterrupt:
        say("interrupted before anything was begun")
        return 1
    except (OSError, sqlite3.Error) as error:
        say(f"{error}; the same command goes on")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
