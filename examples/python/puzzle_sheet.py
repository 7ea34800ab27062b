#!/usr/bin/env python3
"""Writes a sheet of puzzles as a page to print, with the solutions at the end.

python3 puzzle_sheet.py [GAME] [--count N] [--difficulty 1-5] [--out puzzles.html]
"""

import argparse
import html

import zermelo

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font-family: sans-serif; max-width: 60rem; margin: auto }}
figure {{ display: inline-block; margin: 1rem; break-inside: avoid }}
svg {{ width: 17rem; height: auto }}
h2 {{ break-before: page }}
</style>
<h1>{title}</h1>
{puzzles}
<h2>Solutions</h2>
<ol>
{solutions}
</ol>
</html>
"""


def task(puzzle):
    player = ["The first player", "The second player"][puzzle.board().turn]
    goal = "wins" if puzzle.value == "win" else "draws"
    return f"{player} moves and {goal}."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="tixtax", choices=zermelo.games())
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--difficulty", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="puzzles.html")
    arguments = parser.parse_args()
    found = zermelo.puzzles(arguments.game, arguments.count, difficulty=arguments.difficulty, seed=arguments.seed)
    figures, solutions = [], []
    for number, puzzle in enumerate(found, 1):
        board = puzzle.board()
        reasons = zermelo.reasons(board, puzzle.solution)
        figures.append(f"<figure>{board.svg()}<figcaption>{number}. {task(puzzle)}</figcaption></figure>")
        solutions.append(f"<li>{' '.join(puzzle.line)}: {puzzle.solution} {html.escape(reasons)}.</li>")
    title = f"Puzzles: {arguments.game}"
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(PAGE.format(title=title, puzzles="\n".join(figures), solutions="\n".join(solutions)))
    print(f"{len(found)} puzzles in {arguments.out}")


if __name__ == "__main__":
    main()
