"""Trains the evaluation of tixtax on the files of `zermelo datagen`.

    python train.py --data g0.samples g1.samples --out tixtax.eval
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import export
from net import KINDS, Net, loss
from positions import Positions, prepare, random_batches, successors

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
    parser.add_argument(
        "--labels", action="store_true", help="train on the labels that teacher.py wrote beside the samples"
    )
    parser.add_argument("--start", type=Path, help="weights file to fine-tune, of the same sizes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    return parser.parse_args()


@dataclass
class Targets:
    """Positions with their expected scores and draw probabilities."""

    places: torch.Tensor
    expected: torch.Tensor
    drawn: torch.Tensor

    def loss(self, net: Net, chosen: torch.Tensor) -> torch.Tensor:
        return loss(net(self.places[chosen]), self.expected[chosen], self.drawn[chosen])

    def mean_loss(self, net: Net) -> float:
        numbers = torch.arange(len(self.places))
        with torch.no_grad():
            parts = [self.loss(net, part) * len(part) for part in numbers.split(10_000)]
        return sum(part.item() for part in parts) / len(numbers)


def played(positions: Positions, chosen: torch.Tensor, share: float) -> Targets:
    """Returns the scores and results of the games as targets."""
    expected, drawn = positions.targets(share)
    return Targets(positions.places[chosen], expected[chosen], drawn[chosen])


def labelled(positions: Positions, chosen: torch.Tensor, files: list[Path]) -> Targets:
    """Returns the labels of a teacher as targets, also for the positions' random successors."""
    parts = [np.load(file.with_suffix(".labels")) for file in files]
    for file, part, size in zip(files, parts, positions.sizes, strict=True):
        if len(part) != size:
            raise SystemExit(f"{file} has {size} positions, but its labels are for {len(part)}")
    labels = torch.from_numpy(np.concatenate(parts)).float().to(chosen.device)[chosen]
    places = positions.places[chosen]
    after, goes_on = successors(places)
    expected, drawn = torch.cat([labels[:, 0], labels[goes_on, 1]]).T
    return Targets(torch.cat([places, after[goes_on]]), expected, drawn)


def parameter_groups(net: Net) -> list[dict]:
    """Separates the weights that a class has of its own. Adam would change those of rare classes as fast as
    all others; a larger epsilon leaves them near the values that the shared weights give."""
    own = {name: value for name, value in net.named_parameters() if name in OWN_WEIGHTS}
    shared = [value for name, value in net.named_parameters() if name not in own]
    return [{"params": shared}, {"params": list(own.values()), "eps": OWN_EPSILON}]


def train(net: Net, positions: Positions, options: argparse.Namespace) -> None:
    """Trains with Adam and a one-cycle learning rate; the last games are held out."""
    trained, held_out = positions.split()
    if len(held_out) > 1:
        raise SystemExit("the samples are of several games; each has a network of its own")
    if options.labels:
        targets = labelled(positions, trained, options.data)
    else:
        targets = played(positions, trained, options.share)
    kept, results = (played(positions, held_out[0], share) for share in (options.share, 1.0))
    # The one-cycle schedule needs some steps to rise and fall.
    steps = max(20, int(options.epochs * len(targets.places) / options.batch))
    optimizer = torch.optim.Adam(parameter_groups(net), lr=options.rate, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.rate, total_steps=steps, pct_start=0.1
    )
    batches = random_batches(torch.arange(len(targets.places)), options.batch)
    began, recent = time.monotonic(), []
    for step, chosen in zip(range(1, steps + 1), batches, strict=False):
        value = targets.loss(net, chosen)
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        schedule.step()
        recent.append(value.item())
        if step % 250 == 0 or step == steps:
            print(
                f"step {step} of {steps}: loss {np.mean(recent):.4f}, on held-out games "
                f"{kept.mean_loss(net):.4f}, against results only "
                f"{results.mean_loss(net):.4f}, {time.monotonic() - began:.0f} s",
                flush=True,
            )
            recent = []


def main() -> None:
    options = arguments()
    device = prepare(options.seed, options.threads)
    positions = Positions(options.data, device)
    net = Net(options.units, options.hidden, options.kind).to(device)
    if options.start:
        export.read(net, options.start)
    train(net, positions, options)
    export.write(net, options.out)
    print(f"{options.out}: {options.out.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
