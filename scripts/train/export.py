"""Quantizes a network to 16-bit integers and writes the file that the program reads."""

import zlib
from pathlib import Path

import numpy as np
import torch

import features
from net import Net

HEADER = b"zermelo-eval 4\n"
# The scale of the first layer's sums, and its largest weight.
ONE, LIMIT = 181, 2700
# The scale of the hidden units' sums: eight times as large. Products with first-layer units (on the scale
# ONE * ONE) lose their lower 16 bits; before that, the sum of the products with the units of one view must fit
# in 32 bits.
HIDDEN = 8 * ONE
WEIGHT, INNER_LIMIT, SUM_LIMIT = HIDDEN * 2**16 / ONE**2, 2**15 - 1, 2**16 - 1
# The largest weight of a head, and of its skip connection from the first layer.
HEAD_LIMIT, SKIP_LIMIT = 127, 4095


def quantized(values: torch.Tensor, scale: float, limit: int) -> np.ndarray:
    numbers = torch.round(values.detach().cpu() * scale)
    clipped = (numbers.abs() > limit).sum().item()
    if clipped:
        print(f"{clipped} of {numbers.numel()} weights are clipped at {limit / scale:.1f}")
    return numbers.clamp(-limit, limit).numpy().astype("<i2")


def packed(numbers: np.ndarray) -> bytes:
    """The sign goes into the lowest bit; then the low bytes of all come first, and then the high ones."""
    bits = (numbers << 1 ^ numbers >> 15).astype("<u2")
    return (bits & 255).astype(np.uint8).tobytes() + (bits >> 8).astype(np.uint8).tobytes()


def unpacked(content: bytes) -> np.ndarray:
    low, high = np.frombuffer(content, np.uint8).astype("<u2").reshape(2, -1)
    bits = low | high << 8
    return (bits >> 1).astype("<i2") ^ -(bits & 1).astype("<i2")


def read(net: Net, path: Path) -> None:
    """Loads a weights file into a network of the same sizes, the inverse of `write`. The whole
    first layer is loaded into the free rows; the shared weights contribute nothing at first."""
    content = path.read_bytes()
    if not content.startswith(HEADER) or zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
        raise SystemExit(f"{path} is not a weights file, or it is damaged")
    views, (units, hidden) = features.SYMMETRIES, net.inner.weight.T.shape
    scales = np.frombuffer(content, "<f4", count=4, offset=len(HEADER))
    numbers = torch.from_numpy(
        unpacked(content[len(HEADER) + scales.nbytes : -4]).astype(np.float32)
    )
    sizes = [hidden, units, hidden, units, hidden, units * hidden, units * hidden, units]
    *parts, rows = numbers.split([*sizes, len(numbers) - sum(sizes)])
    with torch.no_grad():
        for head in range(2):
            scale = 1 / (ONE**2 * scales[2 * head].item())
            net.head.weight[head] = parts[2 * head] / scale
            net.skip.weight[head] = parts[2 * head + 1] / (views * scale)
            net.head.bias[head] = scales[2 * head + 1].item() / views
        net.inner.bias.copy_(parts[4] / HIDDEN)
        net.inner.weight.copy_(parts[5].reshape(units, hidden).T / WEIGHT)
        net.context.weight.copy_(parts[6].reshape(units, hidden).T / (views * WEIGHT))
        net.bias.copy_(parts[7] / ONE)
        net.rows.shared.zero_()
        net.rows.own.copy_(rows.reshape(-1, units) / ONE)


def check_sums(inner: np.ndarray) -> None:
    """Fails early if the sums of hidden units could overflow 32 bits, which the program would refuse
    (`EvalFile::check`)."""
    beyond = abs(inner.astype(int)).sum(axis=0) > SUM_LIMIT
    if beyond.any():
        raise SystemExit(f"the weights of hidden units {np.flatnonzero(beyond)} are too large")


def write(net: Net, path: Path) -> None:
    # The network sums the first layer over the views, the program takes the mean.
    views = features.SYMMETRIES
    scales, heads = [], []
    for weights, bias, skip in zip(net.head.weight, net.head.bias, net.skip.weight, strict=True):
        scale = HEAD_LIMIT / weights.abs().max().item()
        heads.append(quantized(weights, scale, HEAD_LIMIT))
        heads.append(quantized(skip, views * scale, SKIP_LIMIT))
        # The network adds this bias once per view.
        scales += [1 / (ONE**2 * scale), views * bias.item()]
    inner_bias = quantized(net.inner.bias, HIDDEN, INNER_LIMIT)
    inner = quantized(net.inner.weight.T, WEIGHT, INNER_LIMIT)
    context = quantized(net.context.weight.T, views * WEIGHT, INNER_LIMIT)
    check_sums(inner)
    numbers = [*heads, inner_bias, inner, context, quantized(net.bias, ONE, LIMIT), quantized(net.rows(), ONE, LIMIT)]
    parts = [
        HEADER,
        np.array(scales, dtype="<f4").tobytes(),
        packed(np.concatenate([part.ravel() for part in numbers])),
    ]
    content = b"".join(parts)
    path.write_bytes(content + zlib.crc32(content).to_bytes(4, "little"))
