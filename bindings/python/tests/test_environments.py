"""The environments by the tests of their own libraries, and OpenSpiel's rules."""

import copy
import pickle
import subprocess
import sys
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
    assert isinstance(envs.unwrapped, zermelo.envs.gymnasium.AgainstEngineVector)
    observations, info = envs.reset(seed=3)
    assert observations in envs.observation_space and set(info["side"]) == {0, 1}
    chance, ended, kept = np.random.default_rng(3), 0, observations["observation"].copy()
    first = observations
    for _ in range(150):
        masks = observations["action_mask"]
        actions = [int(chance.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        observations, rewards, terminations, _, _ = envs.step(np.array(actions))
        ended += int(terminations.sum())
        assert set(rewards) <= {-1, 0, 1} and not rewards[~terminations].any()
    assert ended >= 4 and (first["observation"] == kept).all()
    assert [envs.unwrapped.games[index].fen() for index in range(4)] == [
        replayed.fen() for replayed in replay(150, seed=3)
    ]


def replay(steps, seed):
    """The same games again."""
    envs = gymnasium.make_vec("zermelo/tixtax-v0", num_envs=4, level=0, nodes=20)
    observations, _ = envs.reset(seed=seed)
    chance = np.random.default_rng(seed)
    for _ in range(steps):
        masks = observations["action_mask"]
        actions = [int(chance.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        observations, *_ = envs.step(np.array(actions))
    return envs.unwrapped.games


@pytest.mark.parametrize("level", [None, 2])
def test_a_vector_plays_by_the_rules(level):
    """Every position of a vector follows from the one before by the agent's move and a reply."""
    envs = gymnasium.make_vec("zermelo/tictactoe-v0", num_envs=50, level=level)
    observations, info = envs.reset(seed=1)
    chance, ended = np.random.default_rng(1), np.zeros(50, bool)
    for _ in range(40):
        boards, sides = list(envs.unwrapped.games), envs.unwrapped.sides.copy()
        masks = envs.unwrapped.action_masks()
        assert (masks == observations["action_mask"]).all()
        actions = np.array([chance.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        illegal = chance.random(50) < 0.05
        actions[illegal] = 8 - masks[illegal][:, ::-1].argmin(axis=1)
        illegal &= ~masks[np.arange(50), actions]
        observations, rewards, terminations, truncations, info = envs.step(actions)
        assert not truncations.any()
        for index, (before, after) in enumerate(zip(boards, envs.unwrapped.games)):
            if ended[index]:
                assert rewards[index] == 0 and not terminations[index] and after.ply < 2
            elif illegal[index]:
                assert rewards[index] == -1 and terminations[index] and after == before
            else:
                before.push_action(int(actions[index]))
                assert after.move_stack[: before.ply] == before.move_stack and after.ply - before.ply < 2
                outcome = after.outcome()
                assert terminations[index] == (outcome is not None)
                won = None if outcome is None else outcome.winner
                assert rewards[index] == (0 if won is None else 1 if won == sides[index] else -1)
            if not terminations[index]:
                assert after.turn == envs.unwrapped.sides[index]
        ended = terminations
    with pytest.raises(ValueError, match=r"shape \(3,\), expected \(50,\)"):
        envs.step(np.zeros(3, int))


def make(name):
    if name == "pettingzoo":
        env = pettingzoo.env("tixtax", opening_plies=2)
        env.reset(seed=1)
    elif name == "vector":
        env = gymnasium.make_vec("zermelo/tixtax-v0", num_envs=3, level=2, opening_plies=2)
        env.reset(seed=1)
    else:
        env = gymnasium.make("zermelo/tixtax-v0", level=2, opening_plies=2)
        env.reset(seed=1)
    return env


def step(env, name):
    """Plays the first legal action; returns what is seen then."""
    if name == "pettingzoo":
        env.step(int(env.last()[0]["action_mask"].argmax()))
        return env.last()[0]["observation"]
    masks = env.unwrapped.action_masks()
    return env.step(masks.argmax(axis=-1))[0]["observation"]


@pytest.mark.parametrize("name", ["gymnasium", "vector", "pettingzoo"])
def test_environments_are_copied_and_pickled(name):
    env = make(name)
    step(env, name)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    seen = [[step(one, name) for _ in range(3)] for one in (env, *copies)]
    for other in seen[1:]:
        assert all((own == same).all() for own, same in zip(seen[0], other))


@pytest.mark.parametrize("game", zermelo.games())
def test_positions_are_drawn_in_pixels(game):
    env = gymnasium.make(f"zermelo/{game}-v0", render_mode="rgb_array", first=True, level=None)
    env.reset(seed=1)
    empty = env.render()
    env.step(int(env.unwrapped.action_masks().argmax()))
    played = env.render()
    assert empty.dtype == np.uint8 and empty.ndim == 3 and empty.shape[2] == 3 and empty.shape == played.shape
    assert (empty != played).any(axis=2).sum() > 20
    two = pettingzoo.env(game, render_mode="rgb_array")
    two.reset(seed=1)
    assert two.render().shape == empty.shape


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 21}, "level 21, expected 0 to 20"),
        ({"nodes": 0}, "nodes 0, expected at least 1"),
        ({"first": 2}, "first 2, expected True, False or None"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    for made in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(ValueError, match=message):
            made("zermelo/tixtax-v0", **settings)


def test_levels_keep_their_strength():
    """By default a level searches as many nodes as everywhere else."""
    env = gymnasium.make("zermelo/tixtax-v0", level=15, first=False).unwrapped
    env.reset(seed=4)
    engine = zermelo.Engine(15, hash=1, seed=env.engine.__getnewargs_ex__()[1]["seed"])
    assert env.board.move_stack == [engine.play(zermelo.Board(), nodes=10**9)]


@pytest.mark.parametrize(
    ("module", "package"),
    [("envs.gymnasium", "gymnasium"), ("envs.pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")],
)
def test_a_missing_package_is_named(module, package):
    code = f"import sys; sys.modules['{package}'] = None; import zermelo.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"ImportError: zermelo.{module} needs " in done.stderr and ": pip install " in done.stderr


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
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    returns = evaluate_bots(state, [openspiel.EngineBot(), openspiel.EngineBot(nodes=100)], np.random)
    assert list(returns) == [0, 0]
    with pytest.raises(ValueError, match="go is not a game"):
        openspiel.board_of(pyspiel.load_game("go").new_initial_state())
