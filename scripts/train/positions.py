"""Positions of sample files as tensors, encoded for the teacher."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

import features
import samples

# A factor of ten in the odds is 400 points, as in the program.
POINTS_PER_LOGIT = 400 / math.log(10)
# The number of positions at the end of each game's files that are held out for validation.
HELD_OUT = 100_000
# The number of positions that are encoded at a time.
CHUNK = 1_000_000
GAMES = ["tixtax", "tixtax-count"]


def prepare(seed: int, threads: int) -> torch.device:
    """Sets the random seed and the number of threads; returns the device to train on."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def encoded(boards: np.ndarray, forced: np.ndarray) -> np.ndarray:
    """Takes the contents of the small boards and the number of the forced one. Returns (count, 11) indices
    board * CONTENTS + contents, those of the forced board last."""
    contents = np.concatenate([boards, features.big_contents(boards)[:, None]], axis=1).astype(np.int32)
    forced = forced.astype(np.int32)
    to_play = forced * features.CONTENTS + contents[np.arange(len(forced)), forced]
    placed = contents + np.arange(features.BOARDS, dtype=np.int32) * features.CONTENTS
    return np.concatenate([placed, to_play[:, None]], axis=1)


def after_moves(places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the position after a move in each, whether the game goes on there, and the move, board * 9 + cell. It
    is chosen by a hash of the position, so it is always the same."""
    states, cells, rows = features.states(), features.cells_of_contents(), np.arange(len(places))
    boards, forced = places[:, : features.BIG] % features.CONTENTS, places[:, -1] // features.CONTENTS
    may_play = (forced[:, None] == features.BIG) | (forced[:, None] == np.arange(features.BIG))
    may_play &= states[boards] == features.OPEN
    legal = ((cells[boards] == 0) & may_play[:, :, None]).reshape(len(places), -1)
    numbers = legal.cumsum(axis=1, dtype=np.uint8)
    factors = np.random.default_rng(0).integers(2**63, size=places.shape[1], dtype=np.uint64)
    chosen = (places.astype(np.uint64) * factors).sum(axis=1, dtype=np.uint64) // 2**32 % numbers[:, -1]
    moves = (legal & (numbers == chosen[:, None] + 1)).argmax(axis=1)
    board, cell = np.divmod(moves, 9)
    after = boards.copy()
    after[rows, board] += 3**cell
    after = features.swapped()[after]
    is_closed = states[after] != features.OPEN
    big_state = states[features.big_contents(after)]
    is_over = (big_state == features.WON) | (big_state == features.LOST) | is_closed.all(axis=1)
    return encoded(after, np.where(is_closed[rows, cell], features.BIG, cell)), ~is_over, moves


def successors(places: torch.Tensor) -> tuple[torch.Tensor, np.ndarray, np.ndarray]:
    """Returns a random successor of each position, whether the game goes on there, and the move to it."""
    chunks = [after_moves(chunk.cpu().numpy()) for chunk in places.split(CHUNK)]
    after, goes_on, moves = (np.concatenate(parts) for parts in zip(*chunks, strict=True))
    return torch.from_numpy(after).to(places.device), goes_on, moves


class Positions:
    """All positions of some files, in the order of their games."""

    def __init__(self, files: list[Path], device: torch.device) -> None:
        parts = [samples.read(file) for file in files]
        for file, part in zip(files, parts, strict=True):
            print(f"{file}: {len(part)} positions", flush=True)
        # The number of positions of each file.
        self.sizes = [len(part) for part in parts]
        # The CRC-32 of the positions of each file.
        self.checksums = [samples.checksum(part) for part in parts]
        games = np.array([GAMES.index(samples.game(file)) for file in files], dtype=np.uint8)
        records = np.concatenate(parts)
        chunks = [
            encoded(chunk["boards"], chunk["forced"])
            for chunk in np.split(records, range(CHUNK, len(records), CHUNK))
        ]
        points = torch.from_numpy(records["points"].astype(np.float32))
        self.places = torch.from_numpy(np.concatenate(chunks)).to(device)
        self.score = torch.sigmoid(points / POINTS_PER_LOGIT).to(device)
        self.result = torch.from_numpy((records["result"].astype(np.float32) + 1) / 2).to(device)
        # The index of each position's game in `GAMES`.
        self.game = torch.from_numpy(np.repeat(games, self.sizes)).to(device)

    def __len__(self) -> int:
        return len(self.result)

    def targets(self, share: float) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the expected scores, in which results have this weight relative to scores, and whether
        each game was drawn."""
        return share * self.result + (1 - share) * self.score, (self.result == 0.5).float()

    def split(self) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Returns the positions to train on, and those held out of each game."""
        of_games = [torch.nonzero(self.game == game).squeeze(1) for game in range(len(GAMES))]
        of_games = [numbers for numbers in of_games if len(numbers)]
        held_out = [numbers[-min(HELD_OUT, max(1, len(numbers) // 10)) :] for numbers in of_games]
        trained = [numbers[: -len(held)] for numbers, held in zip(of_games, held_out, strict=True)]
        return torch.cat(trained), held_out


def random_batches(numbers: torch.Tensor, size: int) -> Iterator[torch.Tensor]:
    """Yields batches without end, each epoch in a new order; the rest of an epoch is dropped."""
    while True:
        order = numbers[torch.randperm(len(numbers)).to(numbers.device)]
        batches = order.split(min(size, len(numbers)))
        yield from (batch for batch in batches if len(batch) == len(batches[0]))
