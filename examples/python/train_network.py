#!/usr/bin/env python3
"""Trains a small network for ultimate tic-tac-toe on games of the engine with itself, with NumPy alone, and measures it by exact
values while it learns. `network_engine.py` plays with the result, and `--plot` needs matplotlib.

    python3 train_network.py [--games N] [--epochs N] [--out network.npz] [--plot right.svg]
"""

import argparse
import os
import tempfile

import numpy as np
import zermelo

HIDDEN = 128


class Network:
    """One hidden layer: from the planes of a position to its value for the player to move, from -1 to 1."""

    def __init__(self, seed=1):
        chance = np.random.default_rng(seed)
        self.weights = [
            chance.normal(0, 0.05, (5 * 81, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            chance.normal(0, 0.1, HIDDEN).astype(np.float32),
            np.zeros(1, np.float32),
        ]
        self.moments = [(np.zeros_like(weights), np.zeros_like(weights)) for weights in self.weights]
        self.steps = 0

    def values(self, planes):
        hidden = np.maximum(planes.reshape(len(planes), -1) @ self.weights[0] + self.weights[1], 0)
        return np.tanh(hidden @ self.weights[2] + self.weights[3])

    def learn(self, planes, targets, rate=0.001):
        """One step of Adam on the squared error."""
        inputs = planes.reshape(len(planes), -1)
        hidden = np.maximum(inputs @ self.weights[0] + self.weights[1], 0)
        values = np.tanh(hidden @ self.weights[2] + self.weights[3])
        error = (values - targets) * (1 - values**2) / len(inputs)
        back = np.outer(error, self.weights[2]) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(keepdims=True)]
        self.steps += 1
        for weights, slope, (mean, square) in zip(self.weights, slopes, self.moments):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            scale = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weights -= rate * mean / (1 - 0.9**self.steps) / scale

    def choose(self, board):
        """The move after which the opponent's value is lowest."""
        after, moves = [], board.legal_moves
        for move in moves:
            board.push(move)
            outcome = board.outcome()
            if outcome and outcome.winner is not None:
                board.pop()
                return move
            after.append(board.planes())
            board.pop()
        return moves[int(np.argmin(self.values(np.stack(after))))]

    def save(self, path):
        np.savez(path, *self.weights)

    @classmethod
    def load(cls, path):
        network, stored = cls(), np.load(path)
        network.weights = [stored[name] for name in stored.files]
        return network


def read_data(games, nodes):
    print(f"playing {games} games of the engine against itself", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games")
        zermelo.selfplay(path, games, nodes=nodes, threads=os.cpu_count() or 1)
        samples = zermelo.read_samples(path, planes=True)
    # From -1 to 1: the score of the search, and half as much the result of the game.
    return samples["planes"], (2 * (2 * samples["expected"] - 1) + samples["result"]) / 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="games of the engine to learn from")
    parser.add_argument("--nodes", type=int, default=300, help="nodes per move in these games")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--positions", type=int, default=1000, help="positions of the exam to measure with")
    parser.add_argument("--out", default="network.npz")
    parser.add_argument("--plot", help="write a plot of the share of right moves to this file")
    arguments = parser.parse_args()

    planes, targets = read_data(arguments.games, arguments.nodes)
    targets = targets.astype(np.float32)
    print(f"{len(planes)} positions from {arguments.games} games")
    symmetries = zermelo.action_symmetries()
    network, chance, shares = Network(), np.random.default_rng(1), []
    for epoch in range(arguments.epochs + 1):
        result = zermelo.exam(network.choose, count=arguments.positions)
        shares.append(result.right)
        print(f"epoch {epoch:2}: {result.right:.1%} of the moves are right", flush=True)
        if epoch == arguments.epochs:
            break
        order = chance.permutation(len(planes))
        for start in range(0, len(order), 256):
            batch = order[start : start + 256]
            # Every symmetric image of a position is as good as the position.
            row = symmetries[chance.integers(len(symmetries))]
            images = np.empty_like(planes[batch]).reshape(len(batch), 5, 81)
            images[:, :, row] = planes[batch].reshape(len(batch), 5, 81)
            network.learn(images, targets[batch], rate=0.002 * 0.7**epoch)
    network.save(arguments.out)

    if arguments.plot:
        import matplotlib.pyplot as plot

        plot.plot(range(len(shares)), [100 * share for share in shares], marker="o")
        plot.xlabel("epoch")
        plot.ylabel("right moves in the exam, per cent")
        plot.savefig(arguments.plot)


if __name__ == "__main__":
    main()
