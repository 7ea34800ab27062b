"""The games as Gymnasium environments against a level of the engine.

Importing this module registers `zermelo/tixtax-v0` and the other games:

>>> import gymnasium
>>> import zermelo.envs.gymnasium
>>> env = gymnasium.make("zermelo/tictactoe-v0", level=5)
>>> observation, info = env.reset(seed=1)
>>> envs = gymnasium.make_vec("zermelo/tixtax-v0", num_envs=8, level=0)
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import gymnasium
import numpy as np

from .._zermelo import Board, Engine, games
from ._spaces import action_mask, spaces


class AgainstEngine(gymnasium.Env):
    """A game against the engine; who begins is chosen at random, or set by `first`.

    An illegal action ends the game and costs 1. `info["action_mask"]` and the observation have the legal ones.
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        game: str = "tixtax",
        level: int = 0,
        nodes: int = 1000,
        first: Optional[bool] = None,
        opening_plies: int = 0,
        render_mode: Optional[str] = None,
    ) -> None:
        self.board = Board(game)
        self.level = level
        self.engine = Engine(level, hash=1)
        self.nodes = nodes
        self.first = first
        self.opening_plies = opening_plies
        self.render_mode = render_mode
        self.observation_space, actions = spaces(self.board)
        self.action_space, self._actions = actions, int(actions.n)
        self.side = 0

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        super().reset(seed=seed)
        game, number = self.board.game, int(self.np_random.integers(2**31))
        self.board = Board.random(game, seed=number, plies=self.opening_plies) if self.opening_plies else Board(game)
        self.engine = Engine(self.level, hash=1, seed=number)
        begins = bool(self.np_random.integers(2)) if self.first is None else self.first
        self.side = self.board.turn if begins else 1 - self.board.turn
        self._reply()
        return self._state()

    def _reply(self) -> None:
        if self.board.turn != self.side and not self.board.is_game_over():
            self.board.push(self.engine.play(self.board, nodes=self.nodes))

    def _state(self) -> Tuple[Dict[str, np.ndarray], Dict[str, Any]]:
        """The observation and the info."""
        mask = action_mask(self.board, self._actions)
        return {"observation": self.board.planes(), "action_mask": mask}, {"action_mask": mask, "side": self.side}

    def step(self, action: Any) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        if self.board.is_game_over():
            raise ValueError("the game is over, expected reset()")
        try:
            self.board.push_action(int(action))
        except ValueError as error:
            observation, info = self._state()
            return observation, -1.0, True, False, {**info, "illegal": str(error)}
        self._reply()
        outcome = self.board.outcome()
        reward = 0.0 if outcome is None or outcome.winner is None else 1.0 if outcome.winner == self.side else -1.0
        observation, info = self._state()
        return observation, reward, outcome is not None, False, info

    def render(self) -> Optional[str]:
        text = self.board.ascii()
        if self.render_mode == "human":
            print(text)
            return None
        return text


for _game in games():
    gymnasium.register(
        f"zermelo/{_game}-v0", entry_point="zermelo.envs.gymnasium:AgainstEngine", kwargs={"game": _game}
    )
