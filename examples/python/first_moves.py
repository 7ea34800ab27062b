#!/usr/bin/env python3
"""How good is each first move of ultimate tic-tac-toe? Searches one of each kind of symmetric moves and draws the board.

python3 first_moves.py [--game tixtax] [--seconds S] [--out first.svg]
"""

import argparse

import zermelo


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="tixtax", choices=zermelo.games())
    parser.add_argument("--seconds", type=float, default=1.0, help="for each kind of move")
    parser.add_argument("--out", default="first.svg")
    arguments = parser.parse_args()
    board, engine = zermelo.Board(arguments.game), zermelo.Engine(hash=64)
    symmetries, kinds = zermelo.action_symmetries(arguments.game), {}
    for action in board.legal_actions:
        kinds.setdefault(int(symmetries[:, action].min()), []).append(action)
    lines = []
    for kind, actions in kinds.items():
        info = engine.analyse(board, moves=[board.action_name(kind)], time=arguments.seconds)
        lines.append(info[0])
        print(f"{info[0].move}: expected {info[0].expected:.3f}, depth {info.depth}, {len(actions)} such moves")
    lines.sort(key=lambda line: -line.expected)
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(board.svg(lines))
    print(f"best: {lines[0].move}; the board is in {arguments.out}")


if __name__ == "__main__":
    main()
