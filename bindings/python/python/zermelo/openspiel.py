"""OpenSpiel's ultimate tic-tac-toe and tic-tac-toe: plays them with the engine, and compares their rules.

>>> import pyspiel, zermelo.openspiel
>>> state = pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()
>>> bot = zermelo.openspiel.EngineBot(zermelo.Engine(), nodes=1000)
>>> state.apply_action(bot.step(state))
"""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional

try:
    import pyspiel
except ImportError as error:
    raise ImportError("zermelo.openspiel needs OpenSpiel: pip install open_spiel") from error

from ._zermelo import Board, Engine

_GAMES = {"ultimate_tic_tac_toe": "tixtax", "tic_tac_toe": "tictactoe"}


def board_of(state: pyspiel.State) -> Board:
    """The board of a state. Where the choice of the small board is free, OpenSpiel chooses it with an action of its own; between
    that and the choice of the cell, the board is that before the move."""
    board = Board(_game(state))
    actions = state.history()
    while actions:
        move = _take_move(board, actions)
        if move is None:
            break
        board.push_action(move)
    return board


def _game(state: pyspiel.State) -> str:
    name = state.get_game().get_type().short_name
    if name not in _GAMES:
        raise ValueError(f"{name} is not a game of Zermelo, expected one of: {', '.join(_GAMES)}")
    return _GAMES[name]


def _is_free(board: Board) -> bool:
    """Whether OpenSpiel asks for a small board first."""
    return board.game == "tixtax" and _chosen(board) is None


def _chosen(board: Board) -> Optional[int]:
    """The small board that has to be played on."""
    boards = {action // 9 for action in board.legal_actions}
    last = board.action(board.peek()) % 9 if board.ply else None
    return last if boards == {last} else None


def _take_move(board: Board, actions: List[int]) -> Optional[int]:
    """Takes the actions of the next move; None if only its small board is chosen."""
    if board.game == "tictactoe":
        return actions.pop(0)
    if not _is_free(board):
        chosen = _chosen(board)
        assert chosen is not None
        return 9 * chosen + actions.pop(0)
    if len(actions) < 2:
        actions.clear()
        return None
    return 9 * actions.pop(0) + actions.pop(0)


class EngineBot(pyspiel.Bot):
    """Plays with the engine. Limits are those of `Engine.play`."""

    def __init__(self, engine: Optional[Engine] = None, **limits: Any) -> None:
        super().__init__()
        self.engine = engine or Engine()
        self.limits: Dict[str, Any] = limits or {"time": 0.1}

    def step(self, state: pyspiel.State) -> int:
        board = board_of(state)
        if board.game == "tictactoe":
            return board.action(self.engine.play(board, **self.limits))
        legal = state.legal_actions()
        history = state.history()
        chosen = _pending_board(board, history)
        if chosen is None:
            action = board.action(self.engine.play(board, **self.limits))
            return action // 9 if _is_free(board) else action % 9
        # The small board is chosen already: the best cell on it.
        moves = [board.action_name(9 * chosen + cell) for cell in legal]
        found = self.engine.analyse(board, moves=moves, **self.limits)
        return board.action(found[0].moves[0]) % 9

    def restart(self) -> None:
        pass

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing is kept from one move to the next but the tables of the engine."""

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        pass


def _pending_board(board: Board, history: List[int]) -> Optional[int]:
    """The small board that was chosen without a cell yet."""
    replayed, left = Board(board.game), list(history)
    while left:
        last = left[-1]
        move = _take_move(replayed, left)
        if move is None:
            return last
        replayed.push_action(move)
    return None


def compare_rules(game: str = "ultimate_tic_tac_toe", count: int = 1000, seed: int = 0) -> int:
    """Plays random games by both rules and returns the number of positions compared.

    Raises AssertionError where legal moves, the side to move or the outcome differ.
    """
    chance = random.Random(seed)
    positions = 0
    for _ in range(count):
        state = pyspiel.load_game(game).new_initial_state()
        board = Board(_game(state))
        while not board.is_game_over():
            assert not state.is_terminal() and state.current_player() == board.turn, board.fen()
            if board.game == "tictactoe":
                legal = state.legal_actions()
            elif _is_free(board):
                legal = [
                    9 * small + cell for small in state.legal_actions() for cell in state.child(small).legal_actions()
                ]
            else:
                chosen = _chosen(board)
                assert chosen is not None, board.fen()
                legal = [9 * chosen + cell for cell in state.legal_actions()]
            assert sorted(legal) == sorted(board.legal_actions), board.fen()
            action = chance.choice(legal)
            if board.game == "tictactoe":
                state.apply_action(action)
            else:
                if _is_free(board):
                    state.apply_action(action // 9)
                state.apply_action(action % 9)
            board.push_action(action)
            positions += 1
        outcome = board.outcome()
        assert outcome is not None and state.is_terminal(), board.fen()
        expected = {None: [0.0, 0.0], 0: [1.0, -1.0], 1: [-1.0, 1.0]}[outcome.winner]
        assert list(state.returns()) == expected, board.fen()
    return positions
