"""The games as PettingZoo environments (AEC).

>>> from zermelo.envs import pettingzoo
>>> env = pettingzoo.env("tixtax")
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((5, 9, 9), 81)
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

try:
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("zermelo.envs.pettingzoo needs PettingZoo: pip install pettingzoo") from error
import numpy as np

from .._zermelo import Board
from ._picture import picture
from ._spaces import action_mask, spaces


def env(game: str = "tixtax", render_mode: Optional[str] = None, opening_plies: int = 0) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game and costs its player 1."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode, opening_plies), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # noqa: N801, the name that PettingZoo's users expect
    """The environment without wrappers: an illegal action raises ValueError. Each game begins with `opening_plies` random moves."""

    metadata: Dict[str, Any] = {
        "name": "zermelo_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        "is_parallelizable": False,
    }

    def __init__(self, game: str = "tixtax", render_mode: Optional[str] = None, opening_plies: int = 0) -> None:
        super().__init__()
        self.board = Board(game)
        self.metadata = {**self.metadata, "name": f"zermelo_{self.board.game}_v0"}
        self.render_mode = render_mode
        self.opening_plies = opening_plies
        self.possible_agents: List[str] = ["player_0", "player_1"]
        self.agents: List[str] = []
        observation_space, actions = spaces(self.board)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions.n) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        game = self.board.game
        self.board = Board.random(game, seed=int(self._random.integers(2**32)), plies=self.opening_plies)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._update()

    def _update(self) -> None:
        self.agent_selection = self.possible_agents[self.board.turn]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> np.ndarray:
        actions = int(self.action_spaces[agent].n)
        is_mover = agent == self.possible_agents[self.board.turn]
        return action_mask(self.board, actions) if is_mover else np.zeros(actions, np.int8)

    def observe(self, agent: str) -> Dict[str, np.ndarray]:
        return {"observation": self.board.planes(), "action_mask": self._mask(agent)}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"no action for {agent}, whose game goes on: expected a legal one")
        self.board.push_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self.board.outcome()
        if outcome:
            if outcome.winner is not None:
                self.rewards = {
                    one: 1.0 if index == outcome.winner else -1.0 for index, one in enumerate(self.possible_agents)
                }
            self.terminations = dict.fromkeys(self.agents, True)
        self._update()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without render_mode, expected one of: ansi human rgb_array")
            return None
        if self.render_mode == "rgb_array":
            return picture(self.board)
        text = self.board.ascii()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass
