"""From nothing to a weights file: generation after generation of games, each played with what was
learned from the one before.

    python run.py --zermelo ../../target/release/zermelo --folder /somewhere/with/room

Started again after it was cut off, it goes on where it was. The last generation's weights are put
where the program embeds them from.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EMBEDDED = HERE.parent.parent / "src" / "eval" / "tixtax.eval"

# Games of each generation, and the nodes of a move. The first is judged by hand-set values.
GENERATIONS = [
    (170_000, 700), (100_000, 800), (100_000, 800), (250_000, 800), (200_000, 800), (310_000, 800),
]  # fmt: skip
# Positions from so many generations back are trained on, too: they are many, if less well played.
MEMORY = 4


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", type=Path, required=True, help="the program, release build")
    parser.add_argument("--folder", type=Path, required=True, help="where data and weights go")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", type=float, default=1.0, help="play only this part of the games")
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--keep", action="store_true", help="leave the embedded weights alone")
    return parser.parse_args()


def run(*words: object) -> None:
    print("+", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True)


def generation(number: int, games: int, nodes: int, options: argparse.Namespace) -> Path:
    """Plays the games of a generation and trains on them; returns its weights."""
    folder: Path = options.folder
    weights = folder / f"generation{number}.eval"
    if weights.exists():
        return weights
    judge = folder / f"generation{number - 1}.eval" if number else "hand-set"
    data = folder / f"generation{number}.samples"
    run(
        options.zermelo, "datagen", "--out", data, "--games", max(1, int(games * options.part)),
        "--nodes", nodes, "--seed", number + 1, "--threads", options.threads, "--evaluation", judge,
    )  # fmt: skip
    oldest = max(0, number - MEMORY)
    files = [folder / f"generation{earlier}.samples" for earlier in range(oldest, number + 1)]
    part = weights.with_suffix(".part")
    run(
        sys.executable, HERE / "train.py", "--data", *files, "--out", part,
        "--epochs", options.epochs, "--threads", options.threads,
    )  # fmt: skip
    # It has to be one that the program takes.
    run(options.zermelo, "--", f"setoption name EvalFile value {part}")
    part.rename(weights)
    return weights


def remember(options: argparse.Namespace) -> None:
    """What is in the folder must have been made in the same way."""
    note = options.folder / "settings"
    settings = f"part {options.part:g} epochs {options.epochs:g}\n"
    if not note.exists():
        note.write_text(settings)
    elif note.read_text() != settings:
        sys.exit(f"{options.folder} was begun with {note.read_text().strip()}: choose another")


def main() -> None:
    options = arguments()
    options.zermelo = options.zermelo.resolve(strict=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    remember(options)
    for number, (games, nodes) in enumerate(GENERATIONS):
        weights = generation(number, games, nodes, options)
    if not options.keep:
        shutil.copyfile(weights, EMBEDDED)
        print(f"{EMBEDDED} holds the new weights; build again to embed them")


if __name__ == "__main__":
    main()
