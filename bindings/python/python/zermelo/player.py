"""Makes a function in Python an engine that match runners can start."""

from __future__ import annotations

import inspect
import sys
from typing import Any, Callable, Dict, List, Optional, TextIO

from ._zermelo import Board, games

#: A function from a board to a move. One with a second parameter also gets the limits of the move: `time` in seconds, `nodes` or `depth`.
Player = Callable[..., str]

#: Calls a player with a board and limits, whether it takes them or not.
Asker = Callable[[Any, Dict[str, Any]], str]


def asker(player: Player) -> Asker:
    """Calls a player, with limits if it takes them, and checks that it answers with a text."""
    try:
        parameters = inspect.signature(player).parameters.values()
        positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        takes_limits = sum(one.default is one.empty for one in positional) > 1
    except ValueError:
        takes_limits = False

    def ask(board: Any, limits: Dict[str, Any]) -> str:
        move = player(board, limits) if takes_limits else player(board)
        if not isinstance(move, str):
            raise TypeError(
                f"the player answered {move!r}, expected a move such as 'e5' (board.action_name(action) names an action)"
            )
        return move

    return ask


def serve(
    player: Player, name: str = "player", *, input: Optional[TextIO] = None, output: Optional[TextIO] = None
) -> None:
    """Answers a match runner in UGI and UCI over stdin and stdout, until it says `quit`.

    The player is a function from a board to a move. One with a second parameter also gets the limits of the move: `time` in seconds, `nodes` or
    `depth`, as `Engine.play` takes them. Print nothing to stdout yourself: that is where the answers go.
    """
    ask = asker(player)
    converse(lambda board, limits: ask(board.copy(), limits), name, games(), Board, input, output)


def converse(
    ask: Asker,
    name: str,
    names: List[str],
    opened: Callable[..., Any],
    input: Optional[TextIO],
    output: Optional[TextIO],
) -> None:
    """Answers in UGI and UCI. A board of a game with one of the names is opened at its start or at a FEN."""
    lines = input or sys.stdin
    target = output or sys.stdout

    def send(text: str) -> None:
        # The text of an exception may have several lines.
        target.write(" ".join(text.split()) + "\n")
        target.flush()

    game = names[0]
    board = opened(game)
    for line in lines:
        words = line.split()
        command, rest = (words[0], words[1:]) if words else ("", [])
        if command == "go":
            send("bestmove " + (_move(ask, board, rest, send) if board.legal_moves else "0000"))
            continue
        try:
            if command in ("uci", "ugi"):
                send(f"id name {name}")
                send("id author zermelo.serve")
                variants = " ".join(f"var {one}" for one in names)
                send(f"option name UCI_Variant type combo default {names[0]} {variants}")
                send(command + "ok")
            elif command == "isready":
                send("readyok")
            elif command == "setoption":
                wanted = _option(rest)
                if wanted is not None:
                    board = opened(wanted)
                    game = wanted
            elif command in ("ucinewgame", "uginewgame"):
                board = opened(game)
            elif command == "position":
                board = _position(opened, game, rest)
            elif command == "query":
                send("response " + _answer(board, rest))
            elif command == "quit":
                return
        except ValueError as error:
            send(f"info string error: {error}")
        except Exception as error:  # The rules of a game of one's own may raise anything.
            send(f"info string error: {type(error).__name__}: {error}")


def _move(ask: Asker, board: Any, words: List[str], send: Callable[[str], None]) -> str:
    """The player's move. An exception ends the process after the runner was told; its log has the traceback."""
    try:
        move = ask(board, _limits(words, board.turn))
    except Exception as error:
        send(f"info string error: {type(error).__name__}: {error}")
        raise
    if not board.is_legal(move):
        send(f"info string error: the player answered {move}, which is not legal")
    return move


def _option(words: List[str]) -> Optional[str]:
    """The game that `setoption` selects."""
    text = " ".join(words)
    name, _, value = text.partition(" value ")
    return value.strip() if name.lower() in ("name variant", "name uci_variant") else None


def _position(opened: Callable[..., Any], game: str, words: List[str]) -> Any:
    setup, _, moves = " ".join(words).partition(" moves ")
    board = opened(game) if setup in ("startpos", "") else opened(game, setup.removeprefix("fen "))
    for move in moves.split():
        board.push(move)
    return board


def _limits(words: List[str], turn: int) -> Dict[str, Any]:
    """The limits of `go`; of a clock, a fortieth of the time that is left and half of the increment."""
    numbers = {name: int(value) for name, value in zip(words, words[1:]) if value.lstrip("-").isdigit()}
    limits: Dict[str, Any] = {name: max(numbers[name], 1) for name in ("nodes", "depth") if name in numbers}
    clock, increment = (("wtime", "winc"), ("btime", "binc"))[turn]
    if "movetime" in numbers:
        limits["time"] = max(numbers["movetime"], 1) / 1000
    elif clock in numbers:
        limits["time"] = max(numbers[clock] / 40 + numbers.get(increment, 0) / 2, 1) / 1000
    return limits


def _answer(board: Any, words: List[str]) -> str:
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
