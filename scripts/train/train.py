"""Trains the evaluation of tixtax on the files of `zermelo datagen`.

    python train.py --data g0.samples g1.samples --out tixtax.eval
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch

import export
import features
import samples
from net import KINDS, Net, loss

# A factor of ten in the odds is 400 points, as in the program.
POINTS_PER_LOGIT = 400 / math.log(10)
# The number of positions at the end that are held out for validation.
VALIDATION = 100_000
# The weights that a class has of its own, and Adam's epsilon for them.
OWN_WEIGHTS, OWN_EPSILON = {"rows.own", "rows.own_encoding"}, 1e-4


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="sample files")
    parser.add_argument("--out", type=Path, required=True, help="weights file to write")
    parser.add_argument("--kind", choices=list(KINDS), default="encoded", help="kind of first layer")
    parser.add_argument("--units", type=int, default=8, help="first-layer units; the program needs 8")
    parser.add_argument("--hidden", type=int, default=16, help="hidden units per image; the program needs 16")
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=3e-3, help="maximum learning rate")
    parser.add_argument("--share", type=float, default=0.75, help="weight of results relative to scores")
    parser.add_argument("--start", type=Path, help="weights file to fine-tune, of the same sizes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    return parser.parse_args()


class Data:
    """All positions, encoded for the network."""

    def __init__(self, files: list[Path], device: torch.device) -> None:
        parts = [samples.read(file) for file in files]
        for file, part in zip(files, parts, strict=True):
            print(f"{file}: {len(part)} positions", flush=True)
        records = np.concatenate(parts)
        boards = np.concatenate(
            [records["boards"], features.big_contents(records["boards"])[:, None]], axis=1
        ).astype(np.int32)
        forced = records["forced"].astype(np.int32)
        to_play = forced * features.CONTENTS + boards[np.arange(len(forced)), forced]
        placed = boards + np.arange(features.BOARDS, dtype=np.int32) * features.CONTENTS
        places = np.concatenate([placed, to_play[:, None]], axis=1)
        points = torch.from_numpy(records["points"].astype(np.float32))
        result = torch.from_numpy((records["result"].astype(np.float32) + 1) / 2)
        self.places = torch.from_numpy(places).to(device)
        self.score = torch.sigmoid(points / POINTS_PER_LOGIT).to(device)
        self.result = result.to(device)

    def __len__(self) -> int:
        return len(self.result)

    def loss(self, net: Net, chosen: torch.Tensor, share: float) -> torch.Tensor:
        out = net(self.places[chosen])
        return loss(out, self.score[chosen], self.result[chosen], share)


def mean_loss(net: Net, data: Data, chosen: torch.Tensor, share: float) -> float:
    with torch.no_grad():
        parts = [data.loss(net, part, share) * len(part) for part in chosen.split(10_000)]
    return sum(part.item() for part in parts) / len(chosen)


def parameter_groups(net: Net) -> list[dict]:
    """Separates the weights that a class has of its own. Adam would change those of rare classes as fast as
    all others; a larger epsilon leaves them near the values that the shared weights give."""
    own = {name: value for name, value in net.named_parameters() if name in OWN_WEIGHTS}
    shared = [value for name, value in net.named_parameters() if name not in own]
    return [{"params": shared}, {"params": list(own.values()), "eps": OWN_EPSILON}]


def train(net: Net, data: Data, options: argparse.Namespace) -> None:
    """Trains with Adam and a one-cycle learning rate; the last games are held out."""
    fresh = len(data) - min(VALIDATION, len(data) // 10)
    kept = torch.arange(fresh, len(data))
    # The one-cycle schedule needs some steps to rise and fall.
    steps = max(20, int(options.epochs * fresh / options.batch))
    optimizer = torch.optim.Adam(parameter_groups(net), lr=options.rate, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.rate, total_steps=steps, pct_start=0.1
    )
    order, at, began, recent = torch.randperm(fresh), 0, time.monotonic(), []
    for step in range(1, steps + 1):
        if at + options.batch > fresh:
            order, at = torch.randperm(fresh), 0
        value = data.loss(net, order[at : at + options.batch], options.share)
        at += options.batch
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        schedule.step()
        recent.append(value.item())
        if step % 250 == 0 or step == steps:
            print(
                f"step {step} of {steps}: loss {np.mean(recent):.4f}, on held-out games "
                f"{mean_loss(net, data, kept, options.share):.4f}, against results only "
                f"{mean_loss(net, data, kept, 1.0):.4f}, {time.monotonic() - began:.0f} s",
                flush=True,
            )
            recent = []


def main() -> None:
    options = arguments()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = Data(options.data, device)
    net = Net(options.units, options.hidden, options.kind).to(device)
    if options.start:
        export.read(net, options.start)
    train(net, data, options)
    export.write(net, options.out)
    print(f"{options.out}: {options.out.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
