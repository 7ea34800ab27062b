"""Games of one's own: values, searches, matches, the server, and classes that break the rules."""

import io
import itertools
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest
import zermelo
from own_games import Hexapawn, TicTacToe, Walk, negamax

WORDS = {1: "win", 0: "draw", -1: "loss"}


@pytest.mark.parametrize("rules", [TicTacToe, Hexapawn, Walk])
def test_sound_games_pass_the_kit(rules):
    zermelo.OwnGame(rules).check()


@pytest.mark.parametrize(("rules", "expected"), [(TicTacToe, "draw"), (Hexapawn, "loss")])
def test_values_are_those_of_plain_negamax(rules, expected):
    game = zermelo.OwnGame(rules)
    assert game.solve().value == expected
    chance = random.Random(1)
    for _ in range(30):
        position = rules()
        for _ in range(chance.randint(3, 7)):
            if position.legal_moves():
                position = position.play(chance.choice(position.legal_moves()))
        value, plies = negamax(position)
        solution = game.solve(position)
        assert (solution.value, solution.plies) == (WORDS[value], plies if value else None)
        if position.legal_moves():
            assert negamax(position.play(solution.move))[0] == -value


def test_a_game_with_cycles_has_a_value():
    game = zermelo.OwnGame(Walk)
    assert [game.solve(Walk(place)).value for place in range(5)] == ["draw", "draw", "draw", "win", "loss"]
    assert game.best_move(Walk(3)) == "right"


def test_the_search_finds_the_best_move():
    game = zermelo.OwnGame(TicTacToe)
    info = game.analyse(playouts=300, seed=3)
    assert info.nodes == 300 and len(info.lines) == 9
    assert game.analyse(playouts=300, seed=3)[0].moves == info[0].moves
    assert game.best_move(TicTacToe("xx.oo....")) == "3"
    assert game.analyse(TicTacToe("xx.oo....")).value == "win"
    assert game.analyse(time=0.05).time < 1
    assert game.analyse(playouts=10**6, max_positions=100).nodes < 1000


def test_methods_may_be_properties_and_iterators():
    class Loose(TicTacToe):
        key = property(TicTacToe.key)

        def legal_moves(self):
            return iter(super().legal_moves())

    game = zermelo.OwnGame(Loose)
    game.check()
    assert game.solve().value == "draw" and game.match("random", "random", 2)


def test_rules_may_search_another_game():
    class Nested(TicTacToe):
        def outcome(self):
            zermelo.OwnGame(Walk).solve()
            return super().outcome()

    assert zermelo.OwnGame(Nested).analyse(playouts=20).nodes == 20


def test_matches_count_for_the_first_player():
    game = zermelo.OwnGame(Hexapawn)
    assert game.match("exact", "exact", 4) == zermelo.MatchResult(2, 0, 2, (0, 0))
    result = game.match("exact", "random", 20, seed=1)
    assert result.wins > 12 and result.draws == 0 and result.wins + result.losses == 20
    assert str(game.match("mcts", lambda position: position.legal_moves()[0], 2)).startswith("2 won")
    assert game.match(lambda position: "z9", "mcts", 2) == zermelo.MatchResult(0, 0, 2, (2, 0))
    assert zermelo.OwnGame(Walk).match(lambda position: position.legal_moves()[0], "exact", 2).draws == 2
    with pytest.raises(ValueError, match="unknown player 'best', expected a function or one of: mcts, exact, random"):
        game.match("best", "mcts")
    with pytest.raises(TypeError, match="answered 7, expected a move"):
        game.match(lambda position: 7, "mcts")
    with pytest.raises(ValueError, match="opening_plies 9: the game is over by then"):
        game.match("mcts", "mcts", opening_plies=9)


def talk(rules, lines, player="mcts"):
    output = io.StringIO()
    zermelo.OwnGame(rules).serve(player, input=io.StringIO("\n".join(lines) + "\n"), output=output)
    return output.getvalue().splitlines()


def test_it_serves():
    assert talk(Hexapawn, ["ugi"]) == [
        "id name hexapawn",
        "id author zermelo.serve",
        "option name UCI_Variant type combo default hexapawn var hexapawn",
        "ugiok",
    ]
    lines = [
        "position startpos moves 1 4 2 5",
        "query p1turn",
        "query result",
        "go nodes 50",
        "position startpos moves 1 4 2 5 3",
    ]
    answers = ["response true", "response none", "bestmove 3", "response true", "response p1win", "bestmove 0000"]
    assert talk(TicTacToe, [*lines, "query gameover", "query result", "go"]) == answers
    assert talk(
        TicTacToe, ["position startpos moves 1 1", "position fen x", "go movetime 9"], lambda position: "7"
    ) == [
        "info string error: illegal move '1', legal here: 2 3 4 5 6 7 8 9",
        "info string error: positions of this game have no FEN: send startpos and moves",
        "bestmove 7",
    ]
    steps = ["right left"] * 2
    assert talk(Walk, [f"position startpos moves {' '.join(steps)}", "query result"])[-1] == "response draw"


def test_a_game_has_a_name_of_one_word():
    names = [zermelo.OwnGame(TicTacToe), zermelo.OwnGame(lambda: TicTacToe()), zermelo.OwnGame(TicTacToe, "Three")]
    assert [game.name for game in names] == ["tictactoe", "own", "Three"]
    assert repr(names[0]) == "OwnGame(tictactoe)"
    for name in ("", "three in a row"):
        with pytest.raises(ValueError, match=f"name '{name}', expected one word"):
            zermelo.OwnGame(TicTacToe, name)


def test_a_class_without_the_methods_is_refused():
    with pytest.raises(TypeError, match="expected a class or function whose call"):
        zermelo.OwnGame(TicTacToe())
    with pytest.raises(TypeError, match="object has no legal_moves, expected all of: legal_moves, play, outcome, key"):
        zermelo.OwnGame(object)
    with pytest.raises(AttributeError, match="'str' object has no attribute 'key'"):
        zermelo.OwnGame(TicTacToe).solve("start")


class Counting(TicTacToe):
    """It never ends."""

    def __init__(self, count=0):
        self.count = count

    def legal_moves(self):
        return ["up"]

    def play(self, move):
        return Counting(self.count + 1)

    def outcome(self):
        return None

    def key(self):
        return self.count


class Stuck(TicTacToe):
    def outcome(self):
        return super().outcome() if "." in self.cells else None


class Raising(TicTacToe):
    def legal_moves(self):
        if self.cells.count(".") == 6:
            raise ZeroDivisionError("six\ncells")
        return super().legal_moves()


class Forgetful(TicTacToe):
    """Its key tells only how many cells are taken."""

    def key(self):
        return self.cells.count(".")


class Unhashable(TicTacToe):
    def key(self):
        return list(self.cells)


class Absolute(TicTacToe):
    def outcome(self):
        return {"loss": 1, "draw": 0, None: None}[super().outcome()]


class Mutable(TicTacToe):
    def play(self, move):
        self.cells = super().play(move).cells


class Aliased(TicTacToe):
    def play(self, move):
        self.cells = super().play(move).cells
        return TicTacToe(self.cells)


class Numbered(TicTacToe):
    def legal_moves(self):
        return [int(move) for move in super().legal_moves()]


class Restless(TicTacToe):
    """The game is over, but moves are left."""

    def legal_moves(self):
        return [str(place + 1) for place, cell in enumerate(self.cells) if cell == "."]


class Twice(TicTacToe):
    def legal_moves(self):
        return super().legal_moves() + super().legal_moves()[:1]


class Unsteady(TicTacToe):
    def key(self):
        return random.random()


class Endless(TicTacToe):
    def legal_moves(self):
        return itertools.repeat("1")


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        (Counting, r"outcome: the game has not ended after 5000 moves \(position 'start( up){100} …'\)"),
        (Stuck, r"outcome: no outcome, but no legal moves \(position 'start( \d){9}'\)"),
        (Raising, r"legal_moves: it raises ZeroDivisionError: six\ncells \(position 'start \d \d \d'\)"),
        (Forgetful, r"key: 'start( \d)*' has the same one, but other legal moves \(position 'start( \d)*'\)"),
        (Unhashable, r"key: \['.', .*\] is not hashable, expected a text, a number or a tuple \(position 'start'\)"),
        (
            Absolute,
            r"outcome: it is [01], expected None, 'win', 'draw' or 'loss' for the player to move \(position 'start .*'\)",
        ),
        (Mutable, r"play: \d gives None, expected a new object, for the position after the move \(position 'start'\)"),
        (Aliased, r"play: \d changes the position that it is played in \(position 'start'\)"),
        (Numbered, r"legal_moves: the move 1 is not a text of one word \(position 'start'\)"),
        (Restless, r"legal_moves: the game is over, but there are \d legal moves \(position 'start .*'\)"),
        (Unsteady, r"key: two calls give different keys \(position 'start'\)"),
        (Endless, r"legal_moves: there are more than 65534 \(position 'start'\)"),
        (Twice, r"legal_moves: a move is listed twice \(position 'start'\)"),
    ],
)
def test_the_kit_names_method_position_and_rule(rules, fault):
    with pytest.raises(ValueError, match=fault) as caught:
        zermelo.OwnGame(rules).check()
    assert isinstance(caught.value.__cause__, ZeroDivisionError if rules is Raising else type(None))


@pytest.mark.parametrize(
    ("rules", "error", "message"),
    [
        (Counting, ValueError, "outcome: the game has not ended after 5000 moves"),
        (Stuck, ValueError, "legal_moves: there are none, but outcome is None"),
        (Raising, ZeroDivisionError, "six"),
        (Unhashable, ValueError, "key: .* is not hashable"),
        (Absolute, ValueError, "outcome: it is 1, expected None"),
        (Mutable, ValueError, "play: . gives None"),
        (Numbered, ValueError, "legal_moves: the move 1 is not a text"),
    ],
)
def test_broken_rules_end_a_search_with_an_error(rules, error, message):
    game = zermelo.OwnGame(rules)
    for work in (game.solve, game.analyse, lambda: game.match("random", "random")):
        with pytest.raises(error, match=message):
            work()
    if rules is Raising:
        with pytest.raises(ZeroDivisionError) as caught:
            game.analyse()
        assert caught.traceback[-1].name == "legal_moves"
        if sys.version_info >= (3, 11):
            assert "raised by legal_moves (position 'start" in caught.value.__notes__[0]


def test_searches_notice_a_wrong_key():
    for work in (zermelo.OwnGame(Forgetful).solve, zermelo.OwnGame(Forgetful).analyse):
        with pytest.raises(ValueError, match="key: 'start .*' has the same one, but other legal moves"):
            work()


def test_a_server_reports_errors_of_the_rules():
    answers = talk(Raising, ["position startpos moves 1 2 3", "isready"])
    assert answers == ["info string error: ZeroDivisionError: six cells", "readyok"]
    output = io.StringIO()
    with pytest.raises(ZeroDivisionError):
        zermelo.OwnGame(Raising).serve(input=io.StringIO("go nodes 50"), output=output)
    assert output.getvalue() == "info string error: ZeroDivisionError: six cells\n"


def test_numbers_out_of_range_are_named():
    game = zermelo.OwnGame(Hexapawn)
    for call, message in (
        (lambda: game.analyse(playouts=0), "playouts 0, expected at least 1"),
        (lambda: game.analyse(max_positions=-1), "max_positions -1, expected at least 1"),
        (lambda: game.solve(max_positions=0), "max_positions 0, expected at least 1"),
        (lambda: game.match("mcts", "mcts", 0), "games 0, expected at least 1"),
        (lambda: game.match("mcts", "mcts", opening_plies=-1), "opening_plies -1, expected at least 0"),
        (lambda: game.analyse(time=-1), "time: -1 is not a time in seconds"),
        (lambda: game.best_move(Hexapawn(own=())), "the game is over: there is no move to play"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert game.best_move(seed=-1)


def test_too_many_positions_are_refused():
    with pytest.raises(ValueError, match="more than max_positions=1000 positions: too many to solve"):
        zermelo.OwnGame(TicTacToe).solve(max_positions=1000)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "work", ["game.analyse(time=60)", "game.solve(max_positions=10**8)", "[game.check() for _ in range(99)]"]
)
def test_ctrl_c_ends_the_work(work):
    program = f"""
import signal, time, zermelo
from own_games import TicTacToe
signal.signal(signal.SIGINT, signal.default_int_handler)
class Large(TicTacToe):
    def __init__(self, cells="." * 36):
        self.cells = cells
game = zermelo.OwnGame(Large)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print(time.time(), flush=True)
"""
    folder = pathlib.Path(__file__).parent
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        stopped = float(process.communicate(timeout=30)[0])
    # Other processes may keep this one from running.
    assert stopped - sent < (1 if os.getloadavg()[0] > 2 else 0.2)
