"""Writes a net as the file that the program reads, in whole numbers of 16 bits."""

import zlib
from pathlib import Path

import numpy as np
import torch

from net import Net

HEADER = b"zermelo-eval 2\n"
# What stands for one in the first layer's sums, and the greatest weight there.
ONE, LIMIT = 181, 2700
# What stands for one in the sums of the hidden units: eight times as much. A product with a unit of the
# first layer, where one is ONE * ONE, loses its lower 16 bits.
HIDDEN = 8 * ONE
WEIGHT, INNER_LIMIT = HIDDEN * 2**16 / ONE**2, 2**15 - 1
# The greatest weight of a head.
HEAD_LIMIT = 127


def quantised(values: torch.Tensor, scale: float, limit: int) -> np.ndarray:
    numbers = torch.round(values.detach().cpu() * scale)
    lost = (numbers.abs() > limit).sum().item()
    if lost:
        print(f"{lost} of {numbers.numel()} weights are cut off at {limit / scale:.1f}")
    return numbers.clamp(-limit, limit).numpy().astype("<i2")


def write(net: Net, path: Path) -> None:
    scales, heads = [], []
    for weights, bias in zip(net.head.weight, net.head.bias, strict=True):
        scale = HEAD_LIMIT / weights.abs().max().item()
        heads.append(quantised(weights, scale, HEAD_LIMIT))
        # The bias is added for each of the eight views.
        scales += [1 / (ONE**2 * scale), 8 * bias.item()]
    parts = [
        HEADER,
        np.array(scales, dtype="<f4").tobytes(),
        *(head.tobytes() for head in heads),
        quantised(net.inner.bias, HIDDEN, INNER_LIMIT).tobytes(),
        quantised(net.inner.weight.T, WEIGHT, INNER_LIMIT).tobytes(),
        quantised(net.bias, ONE, LIMIT).tobytes(),
        quantised(net.rows(), ONE, LIMIT).tobytes(),
    ]
    content = b"".join(parts)
    path.write_bytes(content + zlib.crc32(content).to_bytes(4, "little"))
