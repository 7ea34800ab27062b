#!/usr/bin/env python3
"""Trains a table of values for tic-tac-toe by playing against itself, and measures it by exact values while it learns.

python3 train_table.py [--games N] [--out table.json]
"""

import argparse
import json
import random

import zermelo


def afterstate(board, move):
    """The position after a move, as a key: what the table has a value for."""
    board.push(move)
    key = min(board.image(symmetry).fen() for symmetry in range(8))
    outcome = board.outcome()
    board.pop()
    return key, outcome


def choose(table, board, explore=0.0):
    """The move with the best value for the player who makes it, and the key of the position after it."""
    if random.random() < explore:
        move = random.choice(board.legal_moves)
        return move, *afterstate(board, move)
    rated = [(move, *afterstate(board, move)) for move in board.legal_moves]
    return max(rated, key=lambda option: table.get(option[1], 0.0) + random.random() * 1e-6)


def play_and_learn(table, explore, rate=0.2):
    board, last = zermelo.Board("tictactoe"), {}
    while True:
        player = board.turn
        move, key, outcome = choose(table, board, explore)
        if player in last:
            # What was expected after the last own move should be what is expected now.
            old = table.get(last[player], 0.0)
            table[last[player]] = old + rate * (table.get(key, 0.0) - old)
        last[player] = key
        board.push(move)
        if outcome:
            reward = 0.0 if outcome.winner is None else 1.0
            table[key] = reward
            other = last.get(1 - player)
            if other:
                table[other] = table.get(other, 0.0) + rate * (-reward - table.get(other, 0.0))
            return


def right_share(table, boards):
    """How often the table chooses a move that keeps the exact value, where the choice matters."""
    right = 0
    for board in boards:
        move, _, _ = choose(table, board)
        right += move in best_moves(board)
    return right / len(boards)


def best_moves(board):
    lines = zermelo.Engine().analyse(board, multipv=9).lines
    best = max(line.expected for line in lines)
    return [line.move for line in lines if line.expected == best]


def positions_with_a_choice():
    boards = {}
    for seed in range(2000):
        board = zermelo.Board.random("tictactoe", seed=seed, plies=seed % 7)
        boards[board.key()] = board
    return [board for board in boards.values() if 0 < len(best_moves(board)) < len(board.legal_moves)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--out", default="table.json")
    arguments = parser.parse_args()
    random.seed(1)
    boards, table = positions_with_a_choice(), {}
    print(f"{len(boards)} positions in which the choice matters")
    for step in range(10):
        print(f"{step * arguments.games // 10:6} games: {right_share(table, boards):6.1%} right")
        for _ in range(arguments.games // 10):
            play_and_learn(table, explore=0.3)
    print(f"{arguments.games:6} games: {right_share(table, boards):6.1%} right")
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump(table, file)


if __name__ == "__main__":
    main()
