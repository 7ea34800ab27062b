"""Self-play games: the engine against itself from balanced random openings.

The six plies of an opening are random, drawn by `zermelo openings --balanced` (near zero by a short search). From
there both sides play the best move of a search of a fixed number of nodes. The seed alone determines the games.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from zermelo_frontier.program import ProgramError, Searcher

OPENING_PLIES = 6


def openings(program: Path, count: int, seed: int) -> list[str]:
    """Returns the FENs after the openings; more openings begin with the same ones."""
    words = ["--game", "tixtax", "--count", str(count), "--plies", str(OPENING_PLIES), "--seed", str(seed)]
    done = subprocess.run([program, "openings", *words, "--balanced"], capture_output=True, text=True)
    if done.returncode:
        raise ProgramError(done.stderr.strip())
    return done.stdout.splitlines()


def play(searcher: Searcher, opening: str) -> list[str]:
    """Plays a game; returns its unfinished positions, of which the first has `OPENING_PLIES` plies."""
    positions = []
    fen = opening
    while move := searcher.best_move(fen):
        positions.append(fen)
        fen = searcher.after(fen, move)
    return positions
