#!/usr/bin/env python3
"""Rates public engines with `zermelo rate`, one after the other; prints the list of docs/rating.md and draws it.

    research/rating_list.py FOLDER rate [--program PROGRAM] [--precision ELO] [--max-games N] [NAME…]
    research/rating_list.py FOLDER list
    research/rating_list.py FOLDER picture > docs/ratings.svg

FOLDER holds the engines that research/README.md lists, and keeps the records, so the same command resumes.
"""

import argparse
import itertools
import json
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "target/release/zermelo"
PEER = f"cmd={HERE / 'peers.py'} proto=ugi"
OPENSPIEL = f"cmd=openspiel/bin/python args={HERE / 'openspiel_engine.py'}"
# Some think a little longer than they are asked to, ultimattt until a depth is done.
BOT = "proto=codingame st=0.1 firsttime=1 timemargin=300"
TIME = "st=0.1 timemargin=300"
PATIENT = "st=0.1 timemargin=60000"

# The rule, the words for --engine besides the name, and where the engine comes from.
ENGINES = {
    "crossfish": ("tixtax-count", f"cmd=./crossfish {BOT}", "nathanWolo/crossfish 0c3637c"),
    "crossfish-hce": ("tixtax-count", f"cmd=./crossfish-hce {BOT}", "nathanWolo/crossfish 0c3637c, without its network"),
    "dimasta": ("tixtax-count", f"cmd=./dimasta {BOT}", "DiMasta/TicTacToe 42d1078"),
    "uriopass": ("tixtax-count", f"cmd=./uriopass {BOT}", "Uriopass/MCTSUTTT bd9536b"),
    "ultimattt": ("tixtax", f"{PEER} args='ultimattt ./ultimattt' {PATIENT}", "nelhage/ultimattt 9193fbb"),
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


def ratings(folder):
    """By rule, the strongest first."""
    found = [json.loads(path.read_text()) for path in (folder / "records").glob("*.json")]
    return sorted(found, key=lambda rating: (rating["game"], -rating["elo"]))


def show(folder):
    print("| engine | rule | Elo | games | limit | faults |\n|---|---|---|---|---|---|")
    for rating in ratings(folder):
        low, high = rating["interval"]
        faults = ", ".join(f"{fault} {count}" for fault, count in rating["faults"].items()) or "–"
        elo = f"{rating['elo']:.0f} ± {(high - low) / 2:.0f}"
        print(f"| {ENGINES[rating['engine']][2]} | `{rating['game']}` | {elo} | {rating['games']} | {rating['limits']} | {faults} |")


# What the picture shows besides the engines: the levels whose strength it marks.
LEVELS = (0, 4, 8, 12, 16, 20)
LOWEST, HIGHEST, LEFT, WIDTH = 600, 3200, 150, 760
STYLE = """text { font: 13px sans-serif; fill: #1f2328; }
.back { fill: #ffffff; } .grid { stroke: #d1d9e0; } .axis, .small { fill: #59636e; } .small { font-size: 11px; }
.bar { stroke: #0969da; stroke-width: 3; } .dot { fill: #0969da; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.back { fill: #0d1117; } .grid { stroke: #3d444d; } .axis, .small { fill: #9198a1; }
.bar { stroke: #4493f8; } .dot { fill: #4493f8; }
}"""


def draw(folder):
    def place(elo):
        return round(LEFT + (elo - LOWEST) / (HIGHEST - LOWEST) * (WIDTH - LEFT - 20), 1)

    parts, top = [], 10
    for game, group in itertools.groupby(ratings(folder), key=lambda rating: rating["game"]):
        group = list(group)
        bottom = top + 62 + 24 * len(group)
        parts.append(f'<text x="10" y="{top + 20}">{game}</text>')
        levels = {reference["name"]: reference["elo"] for reference in group[0]["references"]}
        for level in LEVELS:
            x = place(levels[f"level-{level}"])
            parts.append(f'<line class="grid" x1="{x}" y1="{top + 26}" x2="{x}" y2="{bottom - 26}"/>')
            parts.append(f'<text class="small" x="{x}" y="{top + 20}" text-anchor="middle">level {level}</text>')
        for row, rating in enumerate(group):
            y = top + 46 + 24 * row
            low, high = rating["interval"]
            parts.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{rating["engine"]}</text>')
            parts.append(f'<line class="bar" x1="{place(low)}" y1="{y}" x2="{place(high)}" y2="{y}"/>')
            parts.append(f'<circle class="dot" cx="{place(rating["elo"])}" cy="{y}" r="5"/>')
        for elo in range(1000, HIGHEST, 500):
            parts.append(f'<text class="axis" x="{place(elo)}" y="{bottom - 10}" text-anchor="middle">{elo}</text>')
        top = bottom + 10
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}">')
    print(f"<title>Elo of public engines, with 95 % intervals</title>\n<style>\n{STYLE}\n</style>")
    print(f'<rect class="back" width="{WIDTH}" height="{top}"/>', *parts, "</svg>", sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", choices=["rate", "list", "picture"])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--precision", type=float, default=50)
    parser.add_argument("--max-games", type=int, default=600)
    parser.add_argument("--concurrency", type=int, default=2)
    options = parser.parse_intermixed_args()
    options.program = options.program.resolve()
    if options.what != "rate":
        {"list": show, "picture": draw}[options.what](options.folder)
        return
    unknown = set(options.names) - set(ENGINES)
    if unknown:
        raise SystemExit(f"no engine {' or '.join(sorted(unknown))}, expected {', '.join(ENGINES)}")
    for name in options.names or ENGINES:
        rate(options.folder, name, options)


if __name__ == "__main__":
    main()
