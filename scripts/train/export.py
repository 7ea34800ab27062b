"""Writes a net as the file that the program reads, in whole numbers of 16 bits."""

import zlib
from pathlib import Path

import numpy as np
import torch

import features
from net import Net

HEADER = b"zermelo-eval 3\n"
# What stands for one in the first layer's sums, and the greatest weight there.
ONE, LIMIT = 181, 2700
# What stands for one in the sums of the hidden units: eight times as much. Products with units of the
# first layer, where one is ONE * ONE, lose their lower 16 bits; with all bits the sum of those with the
# units of one view has to fit 32.
HIDDEN = 8 * ONE
WEIGHT, INNER_LIMIT, SUM_LIMIT = HIDDEN * 2**16 / ONE**2, 2**15 - 1, 2**16 - 1
# The greatest weight of a head, and of its short cut to the first layer.
HEAD_LIMIT, SHORT_LIMIT = 127, 4095


def quantised(values: torch.Tensor, scale: float, limit: int) -> np.ndarray:
    numbers = torch.round(values.detach().cpu() * scale)
    lost = (numbers.abs() > limit).sum().item()
    if lost:
        print(f"{lost} of {numbers.numel()} weights are cut off at {limit / scale:.1f}")
    return numbers.clamp(-limit, limit).numpy().astype("<i2")


def check_sums(inner: np.ndarray) -> None:
    """The program refuses hidden units whose sums could leave 32 bits (`EvalFile::check`): better to
    know it here."""
    beyond = abs(inner.astype(int)).sum(axis=0) > SUM_LIMIT
    if beyond.any():
        raise SystemExit(f"the weights of hidden units {np.flatnonzero(beyond)} are too great")


def write(net: Net, path: Path) -> None:
    # Where the net takes the sum of the first layer over the views, the program takes the mean.
    views = features.SYMMETRIES
    scales, heads = [], []
    for weights, bias, short in zip(net.head.weight, net.head.bias, net.short.weight, strict=True):
        scale = HEAD_LIMIT / weights.abs().max().item()
        heads.append(quantised(weights, scale, HEAD_LIMIT))
        heads.append(quantised(short, views * scale, SHORT_LIMIT))
        # The net adds this bias once for each view.
        scales += [1 / (ONE**2 * scale), views * bias.item()]
    inner_bias = quantised(net.inner.bias, HIDDEN, INNER_LIMIT)
    inner = quantised(net.inner.weight.T, WEIGHT, INNER_LIMIT)
    context = quantised(net.context.weight.T, views * WEIGHT, INNER_LIMIT)
    check_sums(inner)
    parts = [
        HEADER,
        np.array(scales, dtype="<f4").tobytes(),
        *(head.tobytes() for head in heads),
        inner_bias.tobytes(),
        inner.tobytes(),
        context.tobytes(),
        quantised(net.bias, ONE, LIMIT).tobytes(),
        quantised(net.rows(), ONE, LIMIT).tobytes(),
    ]
    content = b"".join(parts)
    path.write_bytes(content + zlib.crc32(content).to_bytes(4, "little"))
