"""The network: a sparse layer over the eight images of the board, a small dense one, and two heads.

A first-layer unit has a weight for each (board, class of contents), and another for each as the
forced board. The same units are applied to all eight images. The second layer sees
the units of one image and their sums over all. The heads see both layers and sum over the
images, so the network is symmetric by construction.
"""

import numpy as np
import scipy.sparse
import torch
from torch import nn

import features

ROWS, CLASSES = features.rows()
LAYER = features.BOARDS * CLASSES


class RowSums(torch.autograd.Function):
    """Sums the table rows of each bag. On a CPU the backward pass is a sparse matrix product, which is
    four times as fast as that of `embedding_bag`."""

    @staticmethod
    def forward(ctx, bags: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(bags)
        ctx.size = len(table)
        return nn.functional.embedding_bag(bags, table, mode="sum")

    @staticmethod
    def backward(ctx, grad: torch.Tensor):
        (bags,) = ctx.saved_tensors
        count, width = bags.shape
        ones = np.ones(bags.numel(), dtype=np.float32)
        ends = np.arange(0, bags.numel() + 1, width, dtype=np.int32)
        shape = (ctx.size, count)
        matrix = scipy.sparse.csc_matrix((ones, bags.numpy().reshape(-1), ends), shape=shape)
        return None, torch.from_numpy(matrix @ grad.numpy())


def row_sums(bags: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    if table.device.type == "cpu":
        return RowSums.apply(bags, table)
    return nn.functional.embedding_bag(bags, table, mode="sum")


class Contents(nn.Module):
    """One free row per (board, class of contents), and another for the forced board."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2 * LAYER, units) * 0.05)

    def forward(self) -> torch.Tensor:
        return self.weight


class Stones(nn.Module):
    """Rows that are sums over the stones on the board: one weight per stone, or a single one for a
    won, lost or drawn board."""

    def __init__(self, units: int) -> None:
        super().__init__()
        table, count = features.classes()
        cells = torch.from_numpy(features.cells_of_contents())
        parts = torch.zeros(count, 21)
        for contents in range(features.CONTENTS):
            kind = int(table[contents])
            if kind < 3:
                parts[kind, 18 + kind] = 1
            else:
                for cell in range(9):
                    stone = int(cells[contents, cell])
                    if stone:
                        parts[kind, 9 * (stone - 1) + cell] = 1
        self.register_buffer("parts", parts)
        self.weight = nn.Parameter(torch.randn(2 * features.BOARDS, 21, units) * 0.05)

    def forward(self) -> torch.Tensor:
        return torch.matmul(self.parts, self.weight).reshape(2 * LAYER, -1)


class Lines(nn.Module):
    """Free rows plus shared weights of their eight lines, so that rare contents are estimated by their
    lines. The program only sees the sums."""

    def __init__(self, units: int) -> None:
        super().__init__()
        parts = features.lines_of_classes()
        self.register_buffer("parts", torch.from_numpy(parts))
        self.units = units
        self.shared = nn.Parameter(torch.randn(parts.shape[1], 2 * features.BOARDS * units) * 0.02)
        self.own = nn.Parameter(torch.randn(2 * LAYER, units) * 0.01)

    def forward(self) -> torch.Tensor:
        shared = (self.parts @ self.shared).reshape(CLASSES, 2 * features.BOARDS, self.units)
        return shared.transpose(0, 1).reshape(2 * LAYER, self.units) + self.own


class Encoded(Lines):
    """The rows of `Lines` plus a projection of an encoding. All small boards share the encoding of their
    contents, so that what is learned on one board helps on the others; each has its own projection.
    The big board has an encoding of its own."""

    WIDTH = 16

    def __init__(self, units: int) -> None:
        super().__init__(units)
        self.line_encoding = nn.Parameter(torch.randn(2, self.parts.shape[1], self.WIDTH) * 0.1)
        self.own_encoding = nn.Parameter(torch.randn(2, CLASSES, self.WIDTH) * 0.05)
        # Zero projections give the rows of `Lines`, as `export.read` requires.
        self.projection = nn.Parameter(torch.zeros(2, features.BOARDS, self.WIDTH, units))

    def forward(self) -> torch.Tensor:
        small, big = self.own_encoding + self.parts @ self.line_encoding
        encodings = torch.stack([small] * features.BIG + [big])
        return super().forward() + (encodings @ self.projection).reshape(2 * LAYER, self.units)


KINDS = {"contents": Contents, "stones": Stones, "lines": Lines, "encoded": Encoded}


def clipped_square(values: torch.Tensor) -> torch.Tensor:
    return torch.clamp(values, 0, 1).square()


class Net(nn.Module):
    def __init__(self, units: int, hidden: int, kind: str) -> None:
        super().__init__()
        self.rows = KINDS[kind](units)
        self.bias = nn.Parameter(torch.full((units,), 0.1))
        self.inner = nn.Linear(units, hidden)
        self.context = nn.Linear(units, hidden, bias=False)
        self.head = nn.Linear(hidden, 2)
        self.skip = nn.Linear(units, 2, bias=False)
        nn.init.normal_(self.context.weight, std=0.02)
        nn.init.normal_(self.head.weight, std=0.05)
        # Added eight times, so the default initialization would dominate for a long time.
        nn.init.zeros_(self.head.bias)
        self.register_buffer("numbers", torch.from_numpy(ROWS).to(torch.int32), persistent=False)

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        """Takes (batch, 11) indices board * CONTENTS + contents, the forced board last. Returns
        (batch, 2): the log-odds of the expected score, and those of the share of draws relative to
        the largest share that this score allows."""
        views, batch, width = features.SYMMETRIES, *places.shape
        bags = self.numbers.index_select(1, places.reshape(-1)).reshape(views, batch, width)
        bags[:, :, -1] += LAYER
        sums = row_sums(bags.reshape(views * batch, width), self.rows())
        active = clipped_square(sums + self.bias).reshape(views, batch, -1)
        total = active.sum(dim=0)
        hidden = clipped_square(self.inner(active) + self.context(total))
        return self.head(hidden).sum(dim=0) + self.skip(total)


def draw_probability(out: torch.Tensor) -> torch.Tensor:
    """Returns the draw probability for outputs of a network: a share of the largest one that the
    expected score allows. Its gradient leaves the expected score alone."""
    mean = torch.sigmoid(out[:, 0].detach())
    return 2 * torch.minimum(mean, 1 - mean) * torch.sigmoid(out[:, 1])


def loss(out: torch.Tensor, expected: torch.Tensor, drawn: torch.Tensor) -> torch.Tensor:
    """Returns the cross entropy of the expected scores, 0 to 1, plus a quarter of that of the draws."""
    of_scores = nn.functional.binary_cross_entropy_with_logits(out[:, 0], expected)
    of_draws = nn.functional.binary_cross_entropy(draw_probability(out).clamp(1e-4, 1 - 1e-4), drawn)
    return of_scores + 0.25 * of_draws
