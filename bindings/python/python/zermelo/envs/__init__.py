"""Environments for reinforcement learning: `zermelo.envs.pettingzoo` for two agents, `zermelo.envs.gymnasium` against the engine."""
