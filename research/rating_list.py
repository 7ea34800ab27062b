#!/usr/bin/env python3
"""Rates public engines with `zermelo rate`, one after the other, and prints the list of docs/rating.md.

    research/rating_list.py FOLDER rate [--program PROGRAM] [--precision ELO] [--max-games N] [NAME…]
    research/rating_list.py FOLDER list

FOLDER holds the engines, built as research/README.md describes, and keeps the records, so the same command resumes.
"""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "target/release/zermelo"
PEER = f"cmd={HERE / 'peers.py'} proto=ugi"
OPENSPIEL = f"cmd=openspiel/bin/python args={HERE / 'openspiel_engine.py'}"
BOT = "proto=codingame st=0.1 first=1"
TIME = "st=0.1 timemargin=300"

# The rule, the words for --engine besides the name, and where the engine comes from.
ENGINES = {
    "crossfish": ("tixtax-count", f"cmd=./crossfish {BOT}", "nathanWolo/crossfish 0c3637c"),
    "crossfish-hce": ("tixtax-count", f"cmd=./crossfish-hce {BOT}", "nathanWolo/crossfish 0c3637c, without its network"),
    "dimasta": ("tixtax-count", f"cmd=./dimasta {BOT}", "DiMasta/TicTacToe 42d1078"),
    "uriopass": ("tixtax-count", f"cmd=./uriopass {BOT}", "Uriopass/MCTSUTTT bd9536b"),
    "ultimattt": ("tixtax", f"{PEER} args='ultimattt ./ultimattt' {TIME}", "nelhage/ultimattt 9193fbb"),
    "mcthouacbb": ("tixtax", f"{PEER} args='mcthouacbb ./mcthouacbb' {TIME}", "mcthouacbb/uttt 641a8f8"),
    "ai-ultimate": ("tixtax", f"{PEER} args='ai-ultimate ./ai-ultimate-tictactoe' {TIME}", "ai-ultimate-tictactoe 0.2.0, alpha-beta"),
    "ai-ultimate-mcts": (
        "tixtax",
        f"{PEER} args='ai-ultimate ./ai-ultimate-tictactoe mcts simulations 1000000' {TIME}",
        "ai-ultimate-tictactoe 0.2.0, PUCT",
    ),
    **{
        f"openspiel-{nodes}": ("tixtax", f"{OPENSPIEL} nodes={nodes}", f"OpenSpiel 2.0.2, MCTS, {nodes:,} simulations")
        for nodes in (1000, 10_000, 100_000)
    },
}


def rate(folder, name, options):
    game, words, _ = ENGINES[name]
    records = folder / "records"
    records.mkdir(exist_ok=True)
    command = [options.program, "rate", "--game", game, "--engine", f"name={name}", *shlex.split(words), "--json"]
    limits = ["--precision", options.precision, "--max-games", options.max_games, "--concurrency", options.concurrency]
    command += [*limits, "--record", records / f"{name}.pgn"]
    print(f"{name} …", file=sys.stderr, flush=True)
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, text=True)
    if done.returncode == 0:
        (records / f"{name}.json").write_text(done.stdout)
    else:
        print(f"{name}: exit code {done.returncode}", file=sys.stderr, flush=True)


def show(folder):
    print("| engine | rule | Elo | games | limit | faults |\n|---|---|---|---|---|---|")
    found = [json.loads(path.read_text()) for path in (folder / "records").glob("*.json")]
    for rating in sorted(found, key=lambda rating: (rating["game"], -rating["elo"])):
        low, high = rating["interval"]
        faults = ", ".join(f"{fault} {count}" for fault, count in rating["faults"].items()) or "-"
        elo = f"{rating['elo']:.0f} ± {(high - low) / 2:.0f}"
        print(f"| {ENGINES[rating['engine']][2]} | `{rating['game']}` | {elo} | {rating['games']} | {rating['limits']} | {faults} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", choices=["rate", "list"])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--precision", type=float, default=50)
    parser.add_argument("--max-games", type=int, default=600)
    parser.add_argument("--concurrency", type=int, default=2)
    options = parser.parse_intermixed_args()
    options.program = options.program.resolve()
    if options.what == "list":
        show(options.folder)
        return
    unknown = set(options.names) - set(ENGINES)
    if unknown:
        raise SystemExit(f"no engine {' or '.join(sorted(unknown))}, expected {', '.join(ENGINES)}")
    for name in options.names or ENGINES:
        rate(options.folder, name, options)


if __name__ == "__main__":
    main()
