"""The spaces that all environments share."""

from __future__ import annotations

from typing import Tuple

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from .._zermelo import Board, action_symmetries


def spaces(board: Board) -> Tuple[Dict, Discrete]:
    """The spaces of observations and actions of a game."""
    actions = action_symmetries(board.game).shape[1]
    planes = Box(0.0, 1.0, board.planes().shape, np.float32)
    return Dict({"observation": planes, "action_mask": Box(0, 1, (actions,), np.int8)}), Discrete(actions)


def action_mask(board: Board, actions: int) -> np.ndarray:
    """1 for each legal action."""
    mask = np.zeros(actions, np.int8)
    mask[board.legal_actions] = 1
    return mask
