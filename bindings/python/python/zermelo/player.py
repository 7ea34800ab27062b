"""Makes a function in Python an engine that match runners can start."""

from __future__ import annotations

import sys
from typing import Callable, Dict, List, Optional, TextIO

from ._zermelo import Board, games

#: Chooses a move; the second argument has the limits of `go`, such as {"movetime": 100}.
Player = Callable[[Board, Dict[str, int]], str]


def serve(
    player: Player, name: str = "player", *, input: Optional[TextIO] = None, output: Optional[TextIO] = None
) -> None:
    """Answers a match runner in UGI and UCI over stdin and stdout, until it says `quit`.

    ``zermelo match --engine cmd="python3 my_agent.py" --engine name=zermelo`` plays it, and ``zermelo rate`` and
    ``zermelo exam`` measure it. Print nothing to stdout yourself: that is where the answers go.
    """
    lines = input or sys.stdin
    target = output or sys.stdout

    def send(text: str) -> None:
        target.write(text + "\n")
        target.flush()

    game, board = "tixtax", Board("tixtax")
    for line in lines:
        words = line.split()
        command, rest = (words[0], words[1:]) if words else ("", [])
        try:
            if command in ("uci", "ugi"):
                send(f"id name {name}")
                send("id author zermelo.serve")
                send("option name UCI_Variant type combo default tixtax " + " ".join(f"var {one}" for one in games()))
                send(command + "ok")
            elif command == "isready":
                send("readyok")
            elif command == "setoption":
                wanted = _option(rest)
                if wanted is not None:
                    game, board = wanted, Board(wanted)
            elif command in ("ucinewgame", "uginewgame"):
                board = Board(game)
            elif command == "position":
                board = _position(game, rest)
            elif command == "query":
                send("response " + _answer(board, rest))
            elif command == "go":
                move = player(board.copy(), _limits(rest)) if board.legal_moves else "0000"
                send(f"bestmove {move}")
            elif command == "quit":
                return
        except ValueError as error:
            send(f"info string error: {error}")


def _option(words: List[str]) -> Optional[str]:
    """The game that `setoption` selects."""
    text = " ".join(words)
    name, _, value = text.partition(" value ")
    return Board(value.strip()).game if name.lower() in ("name variant", "name uci_variant") else None


def _position(game: str, words: List[str]) -> Board:
    setup, _, moves = " ".join(words).partition(" moves ")
    board = Board(game) if setup in ("startpos", "") else Board(game, setup[4:] if setup.startswith("fen ") else setup)
    for move in moves.split():
        board.push(move)
    return board


def _limits(words: List[str]) -> Dict[str, int]:
    return {name: int(value) for name, value in zip(words, words[1:]) if value.lstrip("-").isdigit()}


def _answer(board: Board, words: List[str]) -> str:
    question = words[0] if words else ""
    outcome = board.outcome()
    if question == "gameover":
        return "true" if outcome else "false"
    if question == "p1turn":
        return "true" if board.turn == 0 else "false"
    if question == "result":
        results = {None: "none", "1-0": "p1win", "0-1": "p2win", "1/2-1/2": "draw"}
        return results[outcome.result if outcome else None]
    raise ValueError(f"unknown query {question!r}, expected one of: gameover p1turn result")
