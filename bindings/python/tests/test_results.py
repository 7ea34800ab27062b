"""Results are data: they compare, copy, pickle and become dicts. So do boards, records, games and engines, as far as that makes sense."""

import copy
import json
import pickle

import pytest
import zermelo


def finished_board():
    board = zermelo.Board("tictactoe")
    for move in ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"]:
        board.push(move)
    return board


class Pile:
    def __init__(self, left=3):
        self.left = left

    def legal_moves(self):
        return [str(number) for number in (1, 2) if number <= self.left]

    def play(self, move):
        return Pile(self.left - int(move))

    def outcome(self):
        return None if self.left else "loss"

    def key(self):
        return self.left


def one():
    """A result of each kind."""
    board = zermelo.Board("tictactoe")
    info = zermelo.Engine().analyse(board, nodes=100, multipv=2)
    review = zermelo.review(finished_board(), nodes=100)
    return {
        "Outcome": finished_board().outcome(),
        "Info": info,
        "Line": info[0],
        "Solution": zermelo.solve(board),
        "Review": review,
        "MoveReview": review.moves[1],
        "Puzzle": zermelo.puzzles("tictactoe", 1)[0],
        "Record": zermelo.Record(finished_board(), ("one", "two")),
        "ExamResult": zermelo.exam(lambda board: board.legal_moves[0], count=5),
        "Rating": zermelo.rate(lambda board: board.legal_moves[0], max_games=2),
        "MatchResult": zermelo.OwnGame(Pile).match("exact", "random", games=2),
    }


RESULTS, AGAIN = one(), one()


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_data(name):
    result = RESULTS[name]
    assert type(result).__name__ == name
    for other in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert other == result and type(other) is type(result) and repr(other) == repr(result)
        assert str(other) == str(result)
    data = result.to_dict()
    assert json.loads(json.dumps(data)).keys() == data.keys() and "lines" not in data or data["lines"][0]["moves"]
    assert result != None and result != 1  # noqa: E711
    if "time" not in data:
        assert result == AGAIN[name]
    with pytest.raises(AttributeError):
        setattr(result, next(iter(data)), None)


def test_other_results_differ():
    info = RESULTS["Info"]
    assert info[0] != info[1] and info != zermelo.Engine().analyse(zermelo.Board("tictactoe"), nodes=100)
    assert RESULTS["Record"] != zermelo.Record(finished_board(), ("one", "three"))


@pytest.mark.parametrize("game", zermelo.games())
@pytest.mark.parametrize("auto_reset", [True, False])
def test_games_are_copied_and_pickled(game, auto_reset):
    games = zermelo.Games(game, 6, seed=3, opening_plies=2, auto_reset=auto_reset, planes=True)
    for _ in range(40):
        games.step(games.random_actions())
    copies = [games.copy(), copy.copy(games), copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    for other in copies:
        for name in ("legal", "planes", "turns", "rewards", "dones"):
            assert (getattr(other, name) == getattr(games, name)).all(), name
        assert other == games and [board.move_stack for board in other] == [board.move_stack for board in games]
    for _ in range(20):
        actions = [one.random_actions() for one in (games, *copies)]
        assert all((other == actions[0]).all() for other in actions)
        for one in (games, *copies):
            one.step(actions[0])
    assert all(other == games for other in copies)
    assert games != zermelo.Games(game, 5) and games != zermelo.Games("tixtax" if game == "nim" else "nim", 6)


def test_engines_are_copied_and_pickled():
    engine = zermelo.Engine(level=3, seed=7, threads=2, hash=2, searcher="mcts")
    board = zermelo.Board()
    move = engine.play(board, nodes=100)
    for other in (copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        assert repr(other) == repr(engine) and other.__getnewargs_ex__() == engine.__getnewargs_ex__()
        assert other.play(board, nodes=100) == move
