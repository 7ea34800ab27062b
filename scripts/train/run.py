#!/usr/bin/env python3
"""Trains a network from scratch: generations of games, each played with the network of the previous one.

    cargo build --release --bin zermelo --example train
    scripts/train/run.py --folder /path/with/space
    scripts/train/run.py --folder /path/with/space --game tixtax-count

The first games of tixtax-count are played with the network of tixtax, which is trained first, or with the
weights file that `--start` names.

With `--teacher` the last network is trained on the labels of a teacher (teacher.py): stronger, but without a
GPU it takes a day longer, and it needs the packages of requirements.txt.

An interrupted run resumes with the same command. The last generation's weights are copied to the file that
the program embeds.
"""

import argparse
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
EVALUATIONS = HERE.parent.parent / "data" / "weights"

# Games and nodes per move of each generation. The first one plays with the handcrafted evaluation in
# tixtax, with the network of tixtax in tixtax-count.
GENERATIONS = {
    "tixtax": [(170_000, 700), (100_000, 800), (250_000, 800), (620_000, 1000)],
    "tixtax-count": [(270_000, 1000), (250_000, 1000), (310_000, 1000)],
}
# Earlier generations whose positions are also trained on: weaker play, but many positions.
MEMORY = 2


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--build", type=Path, default=HERE.parent.parent / "target" / "release", help="folder of the programs"
    )
    parser.add_argument("--folder", type=Path, required=True, help="folder for data and weights")
    parser.add_argument("--game", choices=list(GENERATIONS), default="tixtax")
    parser.add_argument("--start", type=Path, help="weights that play the first games of tixtax-count")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", type=float, default=1.0, help="play only this fraction of the games")
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument(
        "--teacher", action="store_true", help="train the last network on the labels of a teacher"
    )
    parser.add_argument("--keep", action="store_true", help="do not replace the embedded weights")
    return parser.parse_args()


def run(*words: object) -> None:
    print("+", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True)


def generation(
    number: int, game: str, start: Path | None, folder: Path, options: argparse.Namespace
) -> Path:
    """Plays the games of a generation and trains on them; returns the weights file."""
    games, nodes = GENERATIONS[game][number]
    weights = folder / f"generation{number}.eval"
    if weights.exists():
        return weights
    judge = folder / f"generation{number - 1}.eval" if number else start or "handcrafted"
    data = folder / f"generation{number}.samples"
    run(
        options.build / "zermelo", "datagen", "--game", game, "--out", data,
        "--games", max(1, int(games * options.part)), "--nodes", nodes, "--seed", number + 1,
        "--threads", options.threads, "--evaluation", judge,
    )  # fmt: skip
    oldest = max(0, number - MEMORY)
    files = [folder / f"generation{earlier}.samples" for earlier in range(oldest, number + 1)]
    has_teacher = options.teacher and number == len(GENERATIONS[game]) - 1
    if has_teacher and not all(file.with_suffix(".labels").exists() for file in files):
        run(sys.executable, HERE / "teacher.py", "--data", *files, "--threads", options.threads)
    part = weights.with_suffix(".part")
    run(
        options.build / "examples" / "train", "--data", *files, "--out", part, "--epochs", options.epochs,
        "--threads", options.threads, *(["--labels"] if has_teacher else []),
    )  # fmt: skip
    # The program must accept it.
    run(options.build / "zermelo", "--game", game, "--", f"setoption name EvalFile value {part}")
    part.rename(weights)
    return weights


def train_game(game: str, start: Path | None, options: argparse.Namespace) -> Path:
    """Trains all generations of a game in a folder of its own; returns the last weights file."""
    folder: Path = options.folder / game
    folder.mkdir(parents=True, exist_ok=True)
    check_settings(folder, start, options)
    for number in range(len(GENERATIONS[game])):
        weights = generation(number, game, start, folder, options)
    return weights


def check_settings(folder: Path, start: Path | None, options: argparse.Namespace) -> None:
    """Stores the settings in a new folder; refuses a folder made with different ones."""
    note = folder / "settings"
    settings = f"part {options.part:g} epochs {options.epochs:g}" + " teacher" * options.teacher
    settings += f" start {zlib.crc32(start.read_bytes()):08x}\n" if start else "\n"
    if not note.exists():
        note.write_text(settings)
    elif note.read_text() != settings:
        sys.exit(f"{folder} was made with {note.read_text().strip()}: choose another folder")


def main() -> None:
    options = arguments()
    options.build = options.build.resolve(strict=True)
    if options.game == "tixtax":
        if options.start:
            sys.exit("--start is for tixtax-count: the first games of tixtax are played without a network")
        weights = train_game("tixtax", None, options)
    else:
        start = options.start or train_game("tixtax", None, options)
        weights = train_game(options.game, start, options)
    if not options.keep:
        embedded = EVALUATIONS / f"{options.game}.eval"
        shutil.copyfile(weights, embedded)
        print(f"{embedded} has the new weights; rebuild to embed them")


if __name__ == "__main__":
    main()
