"""The command line: `research/frontier/run curve|chart|price|validate …`.

Exit codes: 0 success, 1 failed or interrupted, 2 bad usage or bad input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from zermelo_frontier import curve, price, records, validate
from zermelo_frontier.chart import draw
from zermelo_frontier.program import ProgramError, find_program


def parser() -> argparse.ArgumentParser:
    every = argparse.ArgumentParser(
        prog="frontier", description="How far the prover reaches, and the price of the rest."
    )
    commands = every.add_subparsers(dest="command", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        form = argparse.ArgumentDefaultsHelpFormatter
        one = commands.add_parser(name, help=text, description=text, formatter_class=form)
        one.add_argument("--program", type=Path, metavar="PATH", help="zermelo binary (default: the release build)")
        return one

    add_curve_options(add("curve", "Prove positions of self-play games by ply"))
    one = add("chart", "Draw the results of curve as an SVG, and print them as a table")
    one.add_argument("file", type=Path, help="results of curve")
    one.add_argument("--svg", type=Path, metavar="FILE", help="picture to write")
    price.add_options(add("price", "Estimate the cost of proving a position by a frontier of leaf proofs"))
    validate.add_options(add("validate", "Compare estimates with completely enumerated trees"))
    return every


def add_curve_options(one: argparse.ArgumentParser) -> None:
    one.add_argument("--out", type=Path, metavar="FILE", required=True, help="results; an existing file is resumed")
    one.add_argument("--games", type=int, default=16, metavar="N", help="number of games")
    one.add_argument("--seed", type=int, default=1, metavar="S", help="random seed of the games")
    one.add_argument("--nodes", type=int, default=50_000, metavar="N", help="nodes per move of the games")
    one.add_argument("--limit", type=float, default=600, metavar="S", help="CPU seconds per position")
    one.add_argument("--memory", type=int, default=4096, metavar="MB", help="memory per proof")
    one.add_argument(
        "--last-ply", type=int, default=curve.LAST_PLY, metavar="N", help="earliest ply; late plies are measured first"
    )


def measure(options: argparse.Namespace) -> None:
    settings = curve.Settings(options.seed, options.nodes, options.limit, options.memory)
    results = curve.Curve(options.out, find_program(options.program), settings, options.games, options.last_ply)
    for tasks in results.tasks():
        for task in tasks:
            line = results.record(task, results.prove(task))
            print("{ply} {game} {value} {nodes} {seconds:.3f} {fen}".format(**line), flush=True)


def chart(options: argparse.Namespace) -> None:
    settings, lines = records.read(options.file)
    points = curve.summarize(lines, settings["limit"])
    if not points:
        raise records.RecordsError(f"{options.file}: no ply is complete")
    if options.svg:
        games = sum(line["type"] == "game" for line in lines)
        options.svg.write_text(draw(points, games))
    times = sorted({point.time for point in points})
    print("| plies played | positions | " + " | ".join(f"{time:g} s" for time in times) + " | median |")
    print("|---" * (len(times) + 3) + "|")
    for ply in sorted({point.ply for point in points}, reverse=True):
        row = [point for point in points if point.ply == ply]
        median = curve.median_seconds(lines, ply)
        shares = " | ".join(f"{point.proven}" for point in row)
        print(f"| {ply} | {row[0].positions} | {shares} | {'open' if median is None else f'{median:.3g} s'} |")


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    runs = {"curve": measure, "chart": chart, "price": price.run, "validate": validate.run}
    try:
        runs[options.command](options)
    except (ProgramError, records.RecordsError) as error:
        print(f"frontier: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("frontier: interrupted; run the same command to resume", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
