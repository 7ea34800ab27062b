"""Many games at once: against single boards, exact values against plain search, and arrays of the wrong kind."""

import array
import pickle

import numpy as np
import pytest
import zermelo
from test_engine import plain_value


@pytest.mark.parametrize("game", zermelo.games())
def test_batches_play_as_boards_do(game):
    games = zermelo.Games(game, n=20, seed=1, planes=True)
    boards = [games[index] for index in range(20)]
    for _ in range(150):
        for index, board in enumerate(boards):
            assert np.flatnonzero(games.legal[index]).tolist() == sorted(board.legal_actions), board
            assert (games.planes[index] == board.planes()).all()
            assert games.turns[index] == board.turn
        actions = games.random_actions()
        movers = games.turns.copy()
        games.step(actions)
        for index, board in enumerate(boards):
            board.push_action(int(actions[index]))
            outcome = board.outcome()
            assert games.dones[index] == (outcome is not None)
            reward = 0 if not outcome or outcome.winner is None else 1 if outcome.winner == movers[index] else -1
            assert games.rewards[index] == reward
            if outcome:
                boards[index] = games[index]
                assert boards[index].ply == 0


def test_finished_games_wait_without_automatic_resets():
    games = zermelo.Games("tictactoe", n=50, seed=2, auto_reset=False)
    for _ in range(9):
        games.step(games.random_actions())
    assert games.dones.all() and not games.legal.any() and (games.random_actions() == -1).all()
    games.step(np.full(50, 3))
    assert (games.rewards == 0).all()
    games.reset([index < 10 for index in range(50)])
    assert games.dones.sum() == 40 and games.legal[:10].all()


def test_openings_are_random_and_repeatable():
    fens = [[board.fen() for board in zermelo.Games("tixtax", 50, seed=seed, opening_plies=6)] for seed in (1, 1, 2)]
    assert fens[0] == fens[1] != fens[2] and len(set(fens[0])) == 50


def test_long_openings_stop_before_the_end():
    games = zermelo.Games("tictactoe", 200, opening_plies=40)
    assert not any(games[index].is_game_over() for index in range(200)) and games.legal.any(axis=1).all()


def test_afterstates_are_the_positions_after_all_moves():
    games = zermelo.Games("tictactoe", 30, seed=8, opening_plies=5)
    planes, results = games.afterstates()
    rows = list(zip(*np.nonzero(games.legal)))
    assert len(rows) == len(planes) == len(results)
    for row, (index, action) in enumerate(rows):
        board = games[int(index)]
        mover = board.turn
        board.push_action(int(action))
        assert (planes[row] == board.planes()).all()
        outcome = board.outcome()
        result = np.nan if not outcome else 0 if outcome.winner is None else 1 if outcome.winner == mover else -1
        assert results[row] == result or np.isnan(results[row]) and np.isnan(result)


def test_copies_go_their_own_way():
    games = zermelo.Games("tixtax", 20, seed=9, planes=True)
    games.step(games.random_actions())
    copy = games.copy()
    assert (copy.planes == games.planes).all() and (copy.legal == games.legal).all()
    assert (copy.random_actions() == games.random_actions()).all()
    before = games.legal.copy()
    copy.step(copy.random_actions())
    assert (games.legal == before).all() and not (copy.legal == before).all()


def test_boards_are_set():
    games = zermelo.Games("tictactoe", 2)
    board = zermelo.Board("tictactoe", "xx1/oo1/3 x")
    games[1] = board
    assert games[-1] == board and games.legal[1].sum() == 5
    games.step(np.array([0, 2]))
    assert games.rewards.tolist() == [0, 1] and games.dones.tolist() == [False, True]
    with pytest.raises(ValueError, match="expected one of tictactoe"):
        games[0] = zermelo.Board("nim")
    with pytest.raises(IndexError):
        games[2]


@pytest.mark.parametrize("game", ["tixtax", "tixtax-count", "tixtax-open"])
def test_exact_values_are_those_of_a_plain_search(game):
    games = zermelo.Games(game, 60, seed=5, auto_reset=False)
    compared = 0
    for _ in range(81):
        values, actions = games.values(8), games.action_values(8)
        for index in range(len(games)):
            board = games[index]
            if board.max_plies_left > 8:
                assert np.isnan(values[index])
                continue
            assert values[index] == plain_value(board)
            compared += 1
            if not board.is_game_over():
                assert np.nanmax(actions[index]) == values[index]
                assert np.flatnonzero(~np.isnan(actions[index])).tolist() == sorted(board.legal_actions)
        games.step(games.random_actions())
    assert compared > 300


def test_values_of_solved_games_need_no_bound():
    games = zermelo.Games("tictactoe", 3)
    assert games.values().tolist() == [0, 0, 0]
    assert (games.action_values()[0] == 0).all()
    nim = zermelo.Games("nim", 10, seed=1)
    assert set(np.abs(nim.values())) == {1}


def test_symmetric_images_have_the_same_values():
    games = zermelo.Games("tixtax", 200, seed=3, auto_reset=False, planes=True)
    while np.isnan(games.values(14)).all():
        games.step(games.random_actions())
    images = zermelo.action_symmetries("tixtax")
    for index in np.flatnonzero(~np.isnan(games.values(14)))[:5]:
        board = games[int(index)]
        planes = board.planes().reshape(5, 81)
        for symmetry, row in enumerate(images):
            image = board.image(symmetry)
            moved = np.empty_like(planes)
            moved[:, row] = planes
            assert (image.planes().reshape(5, 81) == moved).all()
            assert zermelo.solve(image, memory=64).value == zermelo.solve(board, memory=64).value


GAMES = zermelo.Games("tixtax", 4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: GAMES.step(np.zeros(4, np.float32)),
            TypeError,
            "actions: an array of float32, expected an array of int",
        ),
        (lambda: GAMES.step(np.ones(4, bool)), TypeError, "actions: an array of bool, expected an array of integers"),
        (lambda: GAMES.step("nonsense"), ValueError, r"actions: an array of shape \[\], expected one dimension"),
        (lambda: GAMES.step([0, [1], 2, 3]), TypeError, "actions: .*, expected an array of integers"),
        (lambda: GAMES.step(None), ValueError, "actions"),
        (lambda: GAMES.step(np.zeros((4, 1), np.int64)), ValueError, "expected one dimension"),
        (lambda: GAMES.step(np.zeros(3, np.int64)), ValueError, "3 values, expected one for each of 4 games"),
        (lambda: GAMES.step(np.zeros(4, np.int64), [True]), ValueError, "chosen: 1 values"),
        (lambda: GAMES.step(np.zeros(4, np.int64), np.zeros(4)), TypeError, "chosen: an array of float64"),
        (lambda: GAMES.step(np.array([0, 0, 81, 0])), ValueError, "game 2: 81 is not an action"),
        (lambda: GAMES.step(np.array([0, 0, 0, -1])), ValueError, "game 3: -1 is not an action"),
        (lambda: GAMES.reset([True]), ValueError, "chosen: 1 values, expected one for each of 4 games"),
        (lambda: GAMES.values(60), ValueError, "max_plies 60, expected 0 to 30: use solve"),
        (lambda: GAMES.values(-1), ValueError, "max_plies -1, expected 0 to 30"),
        (lambda: GAMES.play_engine(21), ValueError, "level 21, expected 0 to 20"),
        (lambda: GAMES.play_engine(nodes=0), ValueError, "nodes 0, expected at least 1"),
        (lambda: zermelo.Games("tixtax", -1), ValueError, "n -1, expected 1 to 1048576"),
        (lambda: zermelo.Games(seed=-1), ValueError, "seed -1, expected at least 0"),
        (lambda: zermelo.Games(opening_plies=41), ValueError, "opening_plies 41, expected 0 to 40"),
        (lambda: GAMES.planes, ValueError, "planes=True"),
        (lambda: zermelo.Board("ponghauki").perft(10**6), ValueError, "depth 1000000"),
        (lambda: zermelo.Games("tixtax", 0), ValueError, "n 0, expected 1 to"),
        (lambda: zermelo.Games("tixtax", 10**12), ValueError, "n 1000000000000, expected"),
        (lambda: zermelo.Games("go", 1), ValueError, "unknown game"),
    ],
)
def test_errors_leave_the_games_unchanged(call, error, message):
    before = GAMES.legal.copy()
    with pytest.raises(error, match=message):
        call()
    assert (GAMES.legal == before).all() and [board.ply for board in (GAMES[index] for index in range(4))] == [0] * 4


def test_arrays_cannot_be_resized():
    games = zermelo.Games("tixtax", 4)
    with pytest.raises(ValueError, match="resize"):
        games.turns.resize(100, refcheck=False)


@pytest.mark.parametrize("kind", ["b", "B", "h", "H", "i", "I", "l", "q", "Q"])
def test_actions_may_be_integers_of_any_type(kind):
    expected = zermelo.Games("tixtax", 4)
    actions = np.array([0, 40, 80, 3])
    expected.step(actions)
    rows = np.zeros((4, 2), kind)
    rows[:, 0] = actions
    given = [rows[:, 0], memoryview(array.array(kind, actions.tolist())), Wrapped(rows[:, 0].copy())]
    for shape in [*given, actions.tolist()]:
        games = zermelo.Games("tixtax", 4)
        games.step(shape)
        assert games == expected


class Wrapped:
    """An array of a library that knows DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("n", [1, 3, 4096])
def test_arrays_are_aligned_for_other_libraries(n):
    games = zermelo.Games("tixtax", n, planes=True)
    for one in (games, games.copy(), pickle.loads(pickle.dumps(games))):
        for shared in (one.legal, one.planes, one.turns, one.rewards, one.dones):
            assert shared.ctypes.data % 64 == 0 and shared.flags["C_CONTIGUOUS"] and shared.flags["WRITEABLE"]
            assert np.from_dlpack(shared).ctypes.data == shared.ctypes.data


def test_torch_shares_the_arrays():
    torch = pytest.importorskip("torch")
    games = zermelo.Games("tixtax", 8, planes=True)
    assert torch.from_numpy(games.planes).data_ptr() == games.planes.ctypes.data
    for kind in (torch.int64, torch.int32, torch.uint8):
        games.step(torch.full((8,), 40, dtype=kind))
        games.reset(torch.ones(8, dtype=torch.bool))
        assert games == zermelo.Games("tixtax", 8)


def test_jax_shares_the_arrays():
    jax = pytest.importorskip("jax")
    games = zermelo.Games("tixtax", 8, planes=True)
    for shared in (games.planes, games.legal, games.rewards):
        assert jax.dlpack.from_dlpack(shared, copy=False).unsafe_buffer_pointer() == shared.ctypes.data
    games.step(jax.numpy.full(8, 40))
    games.reset(jax.numpy.ones(8, bool))
    assert games == zermelo.Games("tixtax", 8)


def test_the_chosen_games_are_stepped():
    games = zermelo.Games("tictactoe", 3)
    games[0] = games[1] = zermelo.Board("tictactoe", "xx1/oo1/3 x")
    chosen = np.array([True, False, True])
    games.step([2, -1, 4], chosen)
    assert games.rewards.tolist() == [1, 0, 0] and games.dones.tolist() == [True, False, False]
    assert [board.ply for board in games] == [0, 0, 1] and games[1].fen() == "xx1/oo1/3 x"
    games.step([0, 2, 0], ~chosen)
    # What is not chosen keeps its result.
    assert games.rewards.tolist() == [1, 1, 0] and games.dones.tolist() == [True, True, False]


def test_the_engine_plays_all_games_as_it_plays_one():
    games = zermelo.Games("tixtax", 30, seed=3, opening_plies=20, auto_reset=False)
    boards = list(games)
    twin, alone = games.copy(), games.copy()
    actions = games.play_engine(nodes=300, threads=2)
    assert (twin.play_engine(nodes=300, threads=1) == actions).all() and twin == games
    for index, board in enumerate(boards):
        assert board.action(zermelo.Engine(hash=1).play(board, nodes=300)) == actions[index]
    assert (alone.play_engine(20, 300, np.arange(30) < 10)[10:] == -1).all()
    assert [board.ply for board in alone] == 10 * [1 + boards[0].ply] + 20 * [boards[0].ply]


def test_levels_in_a_batch_are_those_of_an_engine():
    """Level 3 of the batch and level 3 of `Engine` score evenly, and both lose to level 9."""
    count = 60
    score = {level: batch_score(level, count) for level in (3, 9)}
    assert 0.3 < score[3] < 0.7 and score[9] > 0.75, score


def batch_score(level, count):
    """What the batch at a level scores against engines of level 3."""
    games = zermelo.Games("tixtax", count, seed=level, opening_plies=4, auto_reset=False)
    points = 0.5 * count
    while not games.dones.all():
        mover = np.arange(count) % 2 == games.turns
        games.play_engine(level, chosen=mover)
        points += 0.5 * games.rewards[mover & games.dones].sum()
        finished = games.dones.copy()
        actions = [
            -1 if done or own else board.action(zermelo.Engine(3, hash=1, seed=index).play(board, nodes=10**6))
            for index, (board, done, own) in enumerate(zip(games, finished, mover))
        ]
        games.step(actions, ~mover & ~finished)
        points -= 0.5 * games.rewards[~mover & ~finished & games.dones].sum()
    return points / count


def test_memory_stays_flat():
    resource = pytest.importorskip("resource")  # not on Windows

    games = zermelo.Games("tixtax", 1000, planes=True)

    def play(steps):
        for _ in range(steps):
            games.step(games.random_actions())
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(100)
    assert play(1000) - before < 20_000
    for seed in range(1000):
        zermelo.Engine(level=1, hash=1, seed=seed).play(games[0], nodes=20)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


def test_training_data_is_played_and_read(tmp_path):
    path = tmp_path / "games.samples"
    games, positions = zermelo.selfplay(path, 3, nodes=1000, seed=8)
    assert games == 3
    samples = zermelo.read_samples(path)
    assert {name: array.shape for name, array in samples.items()} == {
        "game": (positions,),
        "stones": (positions, 9, 9),
        "forced": (positions,),
        "score": (positions,),
        "expected": (positions,),
        "result": (positions,),
    }
    assert set(samples["game"]) == {0, 1, 2} and set(np.unique(samples["stones"])) == {-1, 0, 1}
    balance = samples["stones"].sum(axis=(1, 2))
    assert set(np.unique(balance)) <= {-1, 0} and set(np.unique(samples["result"])) <= {-1, 0, 1}
    more = zermelo.read_samples(path, planes=True, exact_plies=20)
    values, planes = more["value"], more["planes"]
    assert (planes[:, 0] - planes[:, 1] == samples["stones"]).all() and planes.shape == (positions, 5, 9, 9)
    forced = samples["forced"] >= 0
    assert (planes[forced, 4].sum(axis=(1, 2)) == 9).all() and (
        (samples["expected"] > 0.5) == (samples["score"] > 0)
    ).all()
    known = ~np.isnan(values)
    assert known.sum() > 5 and not known.all() and set(values[known]) <= {-1, 0, 1}
    # The games of the engine seldom end otherwise than they should.
    assert (values[known] == samples["result"][known]).mean() > 0.8
    assert zermelo.selfplay(path, 3, nodes=1000, seed=8) == (games, positions)
    assert zermelo.selfplay(path, 2, nodes=1000, seed=8) == (games, positions)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(ValueError, match="its last game is cut off: `selfplay` with the same settings"):
        zermelo.read_samples(path)
    assert zermelo.selfplay(path, 3, nodes=1000, seed=8) == (games, positions) and path.read_bytes() == whole
    with pytest.raises(ValueError, match="other settings|played with"):
        zermelo.selfplay(path, 4, nodes=60, seed=8)
    with pytest.raises(ValueError, match="nodes -1, expected at least 1"):
        zermelo.selfplay(path, 4, nodes=-1)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        zermelo.read_samples(tmp_path / "nowhere")
    path.write_text("nonsense")
    with pytest.raises(ValueError, match="not a training data file"):
        zermelo.read_samples(path)
