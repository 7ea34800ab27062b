"""Trains a network from scratch: generations of games, each played with the network of the previous one.

    python run.py --zermelo ../../target/release/zermelo --folder /path/with/space

An interrupted run resumes with the same command. The last generation's weights are copied to the file that
the program embeds.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EMBEDDED = HERE.parent.parent / "src" / "eval" / "tixtax.eval"

# Games and nodes per move of each generation. The first uses the handcrafted evaluation.
GENERATIONS = [
    (170_000, 700), (100_000, 800), (100_000, 800), (250_000, 800), (200_000, 800), (310_000, 800),
]  # fmt: skip
# Earlier generations whose positions are also trained on: weaker play, but many positions.
MEMORY = 4


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", type=Path, required=True, help="the program, release build")
    parser.add_argument("--folder", type=Path, required=True, help="folder for data and weights")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", type=float, default=1.0, help="play only this fraction of the games")
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--keep", action="store_true", help="do not replace the embedded weights")
    return parser.parse_args()


def run(*words: object) -> None:
    print("+", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True)


def generation(number: int, games: int, nodes: int, options: argparse.Namespace) -> Path:
    """Plays the games of a generation and trains on them; returns the weights file."""
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
    # The program must accept it.
    run(options.zermelo, "--", f"setoption name EvalFile value {part}")
    part.rename(weights)
    return weights


def check_settings(options: argparse.Namespace) -> None:
    """Stores the settings in a new folder; refuses a folder made with different ones."""
    note = options.folder / "settings"
    settings = f"part {options.part:g} epochs {options.epochs:g}\n"
    if not note.exists():
        note.write_text(settings)
    elif note.read_text() != settings:
        sys.exit(f"{options.folder} was made with {note.read_text().strip()}: choose another folder")


def main() -> None:
    options = arguments()
    options.zermelo = options.zermelo.resolve(strict=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    check_settings(options)
    for number, (games, nodes) in enumerate(GENERATIONS):
        weights = generation(number, games, nodes, options)
    if not options.keep:
        shutil.copyfile(weights, EMBEDDED)
        print(f"{EMBEDDED} has the new weights; rebuild to embed them")


if __name__ == "__main__":
    main()
