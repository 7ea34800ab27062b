"""The games as Gymnasium environments against a level of the engine.

Importing this module registers `zermelo/tixtax-v0` and the other games:

>>> import gymnasium
>>> import zermelo.envs.gymnasium
>>> env = gymnasium.make("zermelo/tictactoe-v0", level=5)
>>> observation, info = env.reset(seed=1)
>>> envs = gymnasium.make_vec("zermelo/tixtax-v0", num_envs=8, level=0)
>>> observations, infos = envs.reset(seed=1)
>>> observations["action_mask"].shape
(8, 81)

Observations have the planes of the position, as `Board.planes` describes them, and the legal actions as `action_mask`, which `info` has, too. A win is
worth 1 and a loss −1; an illegal action ends the game and costs 1.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("zermelo.envs.gymnasium needs Gymnasium 1.1 or newer: pip install gymnasium") from error
import numpy as np

from .._zermelo import Board, Engine, Games, games
from ._picture import picture
from ._spaces import action_mask, spaces

#: The nodes of the strongest level, which weaker ones do not reach.
_NODES = 262_144


def _check(level: Optional[int], nodes: Optional[int], first: Optional[bool]) -> None:
    if level is not None:
        Engine(level)
    if nodes is not None and nodes < 1:
        raise ValueError(f"nodes {nodes}, expected at least 1")
    if first is not None and not isinstance(first, (bool, np.bool_)):
        raise ValueError(f"first {first!r}, expected True, False or None")


class AgainstEngine(gymnasium.Env):
    """A game against the engine: `gymnasium.make("zermelo/tixtax-v0", level=3)`.

    - `level`: that of the engine from 0 to 20; None for random moves
    - `nodes`: a limit for its search, which weakens the levels that search more; by default none but that of the level
    - `first`: whether you begin; by default that is chosen at random
    - `opening_plies`: the number of random moves before the game
    - `render_mode`: `ansi` for a text, `human`, which prints it, or `rgb_array` for a picture
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: str = "tixtax",
        level: Optional[int] = 0,
        nodes: Optional[int] = None,
        first: Optional[bool] = None,
        opening_plies: int = 0,
        render_mode: Optional[str] = None,
    ) -> None:
        _check(level, nodes, first)
        self.board = Board(game)
        self.level = level
        self.nodes = nodes
        self.first = first
        self.opening_plies = opening_plies
        self.render_mode = render_mode
        self.observation_space, actions = spaces(self.board)
        self.action_space, self._actions = actions, int(actions.n)
        self.side = 0
        self.engine = self._opponent(0)

    def _opponent(self, seed: int) -> Engine:
        if self.level is None:
            return Engine(searcher="random", hash=1, seed=seed)
        return Engine(self.level, hash=1, seed=seed)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        super().reset(seed=seed)
        while True:
            number = int(self.np_random.integers(2**31))
            self.board = Board.random(self.board.game, seed=number, plies=self.opening_plies)
            self.engine = self._opponent(number)
            begins = bool(self.np_random.integers(2)) if self.first is None else self.first
            self.side = self.board.turn if begins else 1 - self.board.turn
            self._reply()
            # The engine may win by its first move after long openings.
            if not self.board.is_game_over():
                return self._state()

    def _reply(self) -> None:
        if self.board.turn != self.side and not self.board.is_game_over():
            self.board.push(self.engine.play(self.board, nodes=self.nodes or _NODES))

    def _state(self) -> Tuple[Dict[str, np.ndarray], Dict[str, Any]]:
        """The observation and the info."""
        mask = action_mask(self.board, self._actions)
        return {"observation": self.board.planes(), "action_mask": mask}, {"action_mask": mask, "side": self.side}

    def action_masks(self) -> np.ndarray:
        """Whether each action is legal, for `MaskablePPO` of sb3-contrib."""
        return action_mask(self.board, self._actions).astype(bool)

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

    def render(self) -> Any:
        if self.render_mode == "rgb_array":
            return picture(self.board)
        text = self.board.ascii()
        if self.render_mode == "human":
            print(text)
            return None
        return text


class AgainstEngineVector(VectorEnv):
    """Many games against the engine at once, on all cores: `gymnasium.make_vec("zermelo/tixtax-v0", num_envs=1024, level=3)`.

    The parameters are those of `AgainstEngine`. A game that has ended starts again with the next step, which ignores its action. With `copy=False` the
    observations are views of arrays that the next step writes again.
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "tixtax",
        level: Optional[int] = 0,
        nodes: Optional[int] = None,
        first: Optional[bool] = None,
        opening_plies: int = 0,
        render_mode: Optional[str] = None,
        copy: bool = True,
    ) -> None:
        _check(level, nodes, first)
        if render_mode is not None:
            raise ValueError(f"render_mode {render_mode!r}, expected None: gymnasium.make draws single games")
        self.num_envs = num_envs
        self.level = level
        self.nodes = nodes
        self.first = first
        self.render_mode = None
        self.copy = copy
        self.opening_plies = opening_plies
        self.games = self._new_games(game, 0)
        self.single_observation_space, self.single_action_space = spaces(self.games[0])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        #: The player that you are in each game.
        self.sides = np.zeros(num_envs, np.int8)
        self._ended = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**63))
        self.games = self._new_games(self.games.game, number)
        self._ended[:] = False
        self._begin(np.ones(self.num_envs, bool))
        return self._state()

    def _new_games(self, game: str, seed: int) -> Games:
        plies = self.opening_plies
        return Games(game, self.num_envs, seed=seed, opening_plies=plies, auto_reset=False, planes=True)

    def _begin(self, chosen: np.ndarray) -> None:
        """Starts the chosen games."""
        while chosen.any():
            self.games.reset(chosen)
            if self.first is None:
                begins = self.np_random.integers(2, size=self.num_envs, dtype=np.int8)
            else:
                begins = np.full(self.num_envs, self.first, np.int8)
            self.sides = np.where(chosen, self.games.turns ^ 1 ^ begins, self.sides)
            self._reply(chosen)
            # The engine may win by its first move after long openings.
            chosen = chosen & self.games.dones

    def _reply(self, chosen: np.ndarray) -> np.ndarray:
        """Lets the engine move in the chosen games where that is its turn; returns which they were."""
        waiting: np.ndarray = chosen & (self.games.turns != self.sides) & ~self.games.dones
        if not waiting.any():
            return waiting
        if self.level is None:
            self.games.step(self.games.random_actions(), waiting)
        else:
            self.games.play_engine(self.level, self.nodes, waiting)
        return waiting

    def action_masks(self) -> np.ndarray:
        """Whether each action is legal in each game."""
        return self.games.legal.astype(bool)

    def _state(self) -> Tuple[Dict[str, np.ndarray], Dict[str, Any]]:
        planes, mask = self.games.planes, self.games.legal.view(np.int8)
        if self.copy:
            planes, mask = planes.copy(), mask.copy()
        return {"observation": planes, "action_mask": mask}, {"action_mask": mask, "side": self.sides.copy()}

    def step(self, actions: Any) -> Tuple[Any, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"actions: an array of shape {chosen.shape}, expected ({self.num_envs},)")
        exists = (chosen >= 0) & (chosen < self.games.legal.shape[1])
        legal = exists & (self.games.legal[np.arange(self.num_envs), np.where(exists, chosen, 0)] == 1)
        starting, playing = self._ended, legal & ~self._ended
        illegal = ~legal & ~starting
        self.games.step(chosen, playing)
        rewards = np.where(playing, self.games.rewards, -1.0 * illegal)
        answered = self._reply(playing)
        rewards = np.where(answered, -self.games.rewards, rewards)
        self._ended = playing & self.games.dones | illegal
        self._begin(starting)
        observations, info = self._state()
        return observations, rewards, self._ended.copy(), np.zeros(self.num_envs, bool), info


for _game in games():
    gymnasium.register(
        f"zermelo/{_game}-v0",
        entry_point="zermelo.envs.gymnasium:AgainstEngine",
        vector_entry_point="zermelo.envs.gymnasium:AgainstEngineVector",
        kwargs={"game": _game},
    )
