"""The environments by the tests of their own libraries, and OpenSpiel's rules."""

import warnings

import gymnasium
import numpy as np
import pytest
import zermelo
import zermelo.envs.gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from zermelo.envs import pettingzoo


@pytest.mark.parametrize("game", zermelo.games())
def test_pettingzoo_accepts_the_environment(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(game), num_cycles=300)
        seed_test(lambda: pettingzoo.env(game, opening_plies=2), num_cycles=50)


@pytest.mark.parametrize("game", zermelo.games())
def test_gymnasium_accepts_the_environment(game):
    check_env(gymnasium.make(f"zermelo/{game}-v0").unwrapped, skip_render_check=True)


def test_two_agents_play_to_the_end():
    env = pettingzoo.env("tixtax", render_mode="ansi")
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    results = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        results[agent] = reward
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(chance.choice(np.flatnonzero(mask))))
    assert sum(results.values()) == 0
    assert "9 " in env.render()


def test_an_illegal_action_costs_its_player():
    env = pettingzoo.env("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True} and env.rewards["player_1"] == -1
    with pytest.raises(ValueError, match="illegal move"):
        raw = pettingzoo.raw_env("tictactoe")
        raw.reset()
        raw.step(4)
        raw.step(4)


def test_a_vector_of_games_is_played_against_the_engine():
    envs = gymnasium.make_vec("zermelo/tixtax-v0", num_envs=4, level=0, nodes=20)
    observations, _ = envs.reset(seed=3)
    chance = np.random.default_rng(3)
    ended = 0
    for _ in range(150):
        masks = observations["action_mask"]
        actions = [int(chance.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        observations, rewards, terminations, _, _ = envs.step(np.array(actions))
        ended += int(terminations.sum())
        assert set(rewards) <= {-1, 0, 1}
    assert ended >= 4


def test_the_engine_beats_random_moves():
    env = gymnasium.make("zermelo/tictactoe-v0", level=20)
    chance = np.random.default_rng(4)
    for seed in range(30):
        observation, info = env.reset(seed=seed)
        assert observation["action_mask"].sum() == (9 if info["side"] == 0 else 8)
        done, reward = False, 0
        while not done:
            action = chance.choice(np.flatnonzero(observation["action_mask"]))
            observation, reward, done, _, _ = env.step(int(action))
        assert reward <= 0


def test_an_illegal_action_loses_against_the_engine():
    env = gymnasium.make("zermelo/tictactoe-v0", first=True)
    env.reset(seed=1)
    action = int(np.flatnonzero(env.step(4)[0]["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(action)
    assert reward == -1 and terminated and "illegal" in info["illegal"]


def test_openspiel_agrees_about_the_rules():
    openspiel = pytest.importorskip("zermelo.openspiel")
    assert openspiel.compare_rules("ultimate_tic_tac_toe", 200) > 8000
    assert openspiel.compare_rules("tic_tac_toe", 200) > 1000


def test_the_engine_plays_in_openspiel():
    openspiel = pytest.importorskip("zermelo.openspiel")
    import pyspiel

    for name in ("ultimate_tic_tac_toe", "tic_tac_toe"):
        state = pyspiel.load_game(name).new_initial_state()
        bot = openspiel.EngineBot(nodes=200)
        chance = np.random.default_rng(5)
        actions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            action = bot.step(state) if actions % 3 else int(chance.choice(legal))
            assert action in legal
            state.apply_action(action)
            actions += 1
    with pytest.raises(ValueError, match="go is not a game"):
        openspiel.board_of(pyspiel.load_game("go").new_initial_state())
