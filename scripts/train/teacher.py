"""Trains a teacher for the evaluation and labels positions with its predictions.

    python teacher.py --data a.samples b.samples

The teacher is a transformer, far too slow for a search. Its predictions are better targets than the results
of games, which are noisy. It labels each position and a random successor of it, and writes the labels beside
the samples, here to `a.labels` and `b.labels`, for the trainer's `--labels`. The files may be of both games: the
teacher learns them together. It takes minutes on a GPU, a day on a CPU.
"""

import argparse
import math
import time
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn

import features
from positions import GAMES, Positions, prepare, random_batches, successors

# Weight decay of the matrices.
WEIGHT_DECAY = 0.05
# Gradients are clipped to this norm.
MAX_GRADIENT = 1.0
# The number of positions that are labelled at a time.
LABEL_BATCH = 16_384
# The start of a file of labels, and the number that stands for no move.
HEADER, NO_MOVE = b"zermelo-labels 1\n", 81


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="sample files, of one game or both"
    )
    parser.add_argument("--width", type=int, default=256, help="channels of a token")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--epochs", type=float, default=2.5)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=1e-3, help="maximum learning rate")
    parser.add_argument("--share", type=float, default=0.75, help="weight of results relative to scores")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    return parser.parse_args()


class Block(nn.Module):
    """A transformer layer, normalized before each part."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width)
        )
        # At first a layer changes nothing.
        nn.init.zeros_(self.attended.weight)
        nn.init.zeros_(self.mlp[-1].weight)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        batch, count, width = tokens.shape
        inner = self.queries_keys_values(self.before_attention(tokens))
        query, key, value = inner.view(batch, count, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attended = nn.functional.scaled_dot_product_attention(query, key, value)
        tokens = tokens + self.attended(attended.transpose(1, 2).reshape(batch, count, width))
        return tokens + self.mlp(self.before_mlp(tokens))


class Teacher(nn.Module):
    """One token per board: its contents as the sum of a free vector and those of its lines, its place, and
    whether the mover must play there. The big board's token also encodes the game."""

    def __init__(self, width: int, layers: int, heads: int) -> None:
        super().__init__()
        table, count = features.classes()
        for name, constant in {
            "class_of_contents": torch.from_numpy(table),
            "images_of_contents": torch.from_numpy(features.content_images()),
            "images_of_boards": torch.from_numpy(features.board_images()),
            "line_parts": torch.from_numpy(features.lines_of_classes()),
        }.items():
            self.register_buffer(name, constant, persistent=False)
        # Small boards share the first table; the big board has the second.
        self.lines = nn.Parameter(torch.randn(2, self.line_parts.shape[1], width) * 0.1)
        self.own = nn.Parameter(torch.zeros(2, count, width))
        self.place = nn.Parameter(torch.randn(features.BOARDS, width) * 0.1)
        self.forced = nn.Parameter(torch.randn(width) * 0.1)
        self.game = nn.Parameter(torch.randn(width) * 0.1)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last_norm = nn.LayerNorm(width)
        self.head = nn.Sequential(
            nn.Linear(2 * width, width), nn.GELU(approximate="tanh"), nn.Linear(width, 2)
        )

    def forward(self, places: torch.Tensor, symmetry: torch.Tensor, game: torch.Tensor) -> torch.Tensor:
        """Takes places, (batch, 11) indices board * CONTENTS + contents, the forced board last. Returns
        (batch, 2): the log-odds of the expected score, and those of the share of draws relative to the largest
        share that this score allows. `symmetry` is the image of each position to see,
        `game` the index of its game."""
        places = places.long()
        contents = places[:, :-1] % features.CONTENTS
        to_play = places[:, -1:] // features.CONTENTS
        seen = self.class_of_contents[self.images_of_contents[symmetry[:, None], contents]]
        is_big = torch.arange(features.BOARDS, device=places.device) == features.BIG
        is_forced = torch.arange(features.BOARDS, device=places.device) == to_play
        table = (self.own + self.line_parts @ self.lines).flatten(0, 1)
        where = nn.functional.one_hot(self.images_of_boards[symmetry], features.BOARDS).float()
        tokens = (
            nn.functional.embedding(seen + is_big * self.own.shape[1], table)
            + where @ self.place
            + is_forced[:, :, None] * self.forced
            + (game[:, None] * is_big)[:, :, None] * self.game
        )
        if tokens.is_cuda:
            tokens = tokens.bfloat16()
        for block in self.blocks:
            tokens = block(tokens)
        tokens = self.last_norm(tokens)
        return self.head(torch.cat([tokens[:, features.BIG], tokens.mean(dim=1)], dim=1)).float()


def draw_probability(out: torch.Tensor) -> torch.Tensor:
    """Returns the draw probability for outputs of the teacher: a share of the largest one that the
    expected score allows. Its gradient leaves the expected score alone."""
    mean = torch.sigmoid(out[:, 0].detach())
    return 2 * torch.minimum(mean, 1 - mean) * torch.sigmoid(out[:, 1])


def loss(out: torch.Tensor, expected: torch.Tensor, drawn: torch.Tensor) -> torch.Tensor:
    """Returns the cross entropy of the expected scores, 0 to 1, plus a quarter of that of the draws."""
    of_scores = nn.functional.binary_cross_entropy_with_logits(out[:, 0], expected)
    of_draws = nn.functional.binary_cross_entropy(draw_probability(out).clamp(1e-4, 1 - 1e-4), drawn)
    return of_scores + 0.25 * of_draws


def predict(teacher: nn.Module, places: torch.Tensor, game: torch.Tensor) -> torch.Tensor:
    """Returns the outputs for some positions, each seen under a random symmetry."""
    symmetry = torch.randint(0, features.SYMMETRIES, game.shape, device=places.device)
    with torch.autocast(places.device.type, torch.bfloat16, enabled=places.is_cuda):
        return teacher(places, symmetry, game)


def batch_loss(
    teacher: nn.Module,
    positions: Positions,
    targets: tuple[torch.Tensor, torch.Tensor],
    chosen: torch.Tensor,
) -> torch.Tensor:
    expected, drawn = targets
    out = predict(teacher, positions.places[chosen], positions.game[chosen])
    return loss(out, expected[chosen], drawn[chosen])


def rate_at(done: float) -> float:
    """Returns the factor of the learning rate after a part of the training: a short rise, then a cosine."""
    return min(1.0, done / 0.03) * 0.5 * (1 + math.cos(math.pi * done))


def parameter_groups(teacher: Teacher) -> list[dict]:
    """Separates the matrices, whose weights decay, from tables, biases and norms."""
    matrices = [
        value
        for name, value in teacher.named_parameters()
        if name.startswith(("blocks", "head")) and value.ndim > 1
    ]
    known = {id(value) for value in matrices}
    others = [value for value in teacher.parameters() if id(value) not in known]
    return [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": others, "weight_decay": 0.0}]


def train(teacher: Teacher, positions: Positions, options: argparse.Namespace) -> None:
    trained, held_out = positions.split()
    targets = positions.targets(options.share)
    # Even a small data set is split into batches.
    size = min(options.batch, max(1, len(trained) // 8))
    steps = max(20, int(options.epochs * len(trained) / size))
    optimizer = torch.optim.AdamW(parameter_groups(teacher), lr=options.rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at((step + 1) / (steps + 1)))
    compiled = torch.compile(teacher) if positions.places.is_cuda else teacher
    batches, began, recent = random_batches(trained, size), time.monotonic(), []
    for step, chosen in zip(range(1, steps + 1), batches, strict=False):
        value = batch_loss(compiled, positions, targets, chosen)
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), MAX_GRADIENT)
        optimizer.step()
        schedule.step()
        recent.append(value.detach())
        if step % 500 == 0 or step == steps:
            mean, seconds = torch.stack(recent).mean().item(), time.monotonic() - began
            print(f"step {step} of {steps}: loss {mean:.4f}, {seconds:.0f} s", flush=True)
            recent = []
    for numbers in held_out:
        with torch.no_grad():
            parts = [
                batch_loss(teacher, positions, targets, part).item() * len(part)
                for part in numbers.split(LABEL_BATCH)
            ]
        game = GAMES[int(positions.game[numbers[0]])]
        print(f"{game}: loss on held-out games {sum(parts) / len(numbers):.4f}", flush=True)


def labels_of(teacher: Teacher, places: torch.Tensor, game: torch.Tensor) -> np.ndarray:
    """Returns the expected score and the draw probability of each position, in units of 1/65535."""
    parts = []
    with torch.no_grad():
        for batch in zip(places.split(LABEL_BATCH), game.split(LABEL_BATCH), strict=True):
            out = predict(teacher, *batch)
            part = torch.stack([torch.sigmoid(out[:, 0]), draw_probability(out)], dim=1)
            parts.append((part * 65535).round().cpu().numpy().astype("<u2"))
    return np.concatenate(parts)


def write_labels(teacher: Teacher, positions: Positions, files: list[Path]) -> None:
    """Writes the labels of each file: a header, the CRC-32 of the positions, and for each position five 16-bit
    numbers: its expected score and draw probability, the move to its random successor, or 81 if there is none,
    and the same two numbers of that."""
    parts = (positions.places.split(positions.sizes), positions.game.split(positions.sizes))
    for file, checksum, places, game in zip(files, positions.checksums, *parts, strict=True):
        after, goes_on, moves = successors(places)
        moves = np.where(goes_on, moves, NO_MOVE).astype("<u2")[:, None]
        labels = [labels_of(teacher, places, game), moves, labels_of(teacher, after, game)]
        part_file = file.with_suffix(".part")
        with part_file.open("wb") as out:
            out.write(HEADER + checksum.to_bytes(4, "little") + np.concatenate(labels, axis=1).tobytes())
        print(f"{part_file.rename(file.with_suffix('.labels'))}: {len(places)} positions", flush=True)


def main() -> None:
    options = arguments()
    device = prepare(options.seed, options.threads)
    positions = Positions(options.data, device)
    teacher = Teacher(options.width, options.layers, options.heads).to(device)
    train(teacher, positions, options)
    write_labels(teacher.eval(), positions, options.data)


if __name__ == "__main__":
    main()
