#!/usr/bin/env python3
"""A perfect tic-tac-toe engine by UGI: `zermelo compliance` checks it, `zermelo match` lets it play."""
import functools
import re
import sys

CELLS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def is_won(board):
    return any(board[a] != "." and board[a] == board[b] == board[c] for a, b, c in LINES)

def legal(board):
    return [] if is_won(board) else [cell for cell in range(9) if board[cell] == "."]

def play(board, cell):
    return board[:cell] + "ox"[board.count(".") % 2] + board[cell + 1 :]

@functools.cache
def value(board):
    """1, 0 or -1 for the side to move."""
    return max((-value(play(board, cell)) for cell in legal(board)), default=-is_won(board))

def set_up(text):
    """The board of `startpos` or `fen BOARD MOVER`, after moves. Raises ValueError for bad input."""
    start, _, moves = text.replace("startpos", "fen 3/3/3 x").partition(" moves ")
    fen = re.fullmatch(r"fen ([123xo/]+) [xo]", start)
    board = re.sub(r"\d", lambda digit: "." * int(digit[0]), fen[1].replace("/", "")) if fen else ""
    if len(board) != 9 or board.count("x") - board.count("o") not in (0, 1):
        raise ValueError(text)
    for cell in map(CELLS.index, moves.split()):
        if cell not in legal(board):
            raise ValueError(text)
        board = play(board, cell)
    return board

board, pending = "." * 9, None
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "ugi":
        print("id name Tiny\nid author Zermelo\nugiok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "position":
        try:
            board = set_up(rest)
        except ValueError as error:
            print("info string error: bad position:", error, flush=True)
    elif command == "query":
        result = ["p1win", "p2win"][board.count(".") % 2] if is_won(board) else "draw"
        over, p1_turn = not legal(board), board.count(".") % 2 == 1
        answers = {"gameover": str(over).lower(), "p1turn": str(p1_turn).lower()}
        print("response", answers.get(rest, result if over else "none"), flush=True)
    elif command == "go" and legal(board):
        best = max(legal(board), key=lambda cell: -value(play(board, cell)))
        print(f"info depth 9 score cp {100 * value(board)} pv {CELLS[best]}", flush=True)
        pending = f"bestmove {CELLS[best]}"
    elif command == "quit":
        break
    # An infinite search answers only when it is stopped.
    if pending and (command == "stop" or (command == "go" and rest not in ("", "infinite"))):
        print(pending, flush=True)
        pending = None
