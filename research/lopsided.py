#!/usr/bin/env python3
"""Chooses openings in which one side stands better, so that fewer pairs of games are drawn twice. Needs the package `zermelo-engine`
(bindings/python).

    research/lopsided.py [--game tixtax] [--count 1000] [--plies 8] [--nodes 100000] > scripts/lopsided-tixtax.fen
"""

import argparse

import zermelo

# The better side's expected result.
LEAST, MOST = 0.55, 0.80


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="tixtax")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=100_000)
    arguments = parser.parse_args()
    engine, seen, found, seed = zermelo.Engine(), set(), 0, 0
    symmetries = range(len(zermelo.action_symmetries(arguments.game)))
    print(f"# {arguments.count} positions of {arguments.plies} random plies in which a search of {arguments.nodes} nodes expects {LEAST} to {MOST} for one side.")
    while found < arguments.count:
        seed += 1
        board = zermelo.Board.random(arguments.game, seed=seed, plies=arguments.plies)
        key = min(board.image(symmetry).fen() for symmetry in symmetries)
        if key in seen:
            continue
        seen.add(key)
        expected = engine.analyse(board, nodes=arguments.nodes)[0].expected
        if LEAST <= max(expected, 1 - expected) <= MOST:
            print(board.fen(), flush=True)
            found += 1


if __name__ == "__main__":
    main()
