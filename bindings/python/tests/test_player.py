"""A function as an engine: the lines of a match runner."""

import io
import random

import pytest
import zermelo


def talk(lines, player=lambda board, limits: board.legal_moves[0]):
    output = io.StringIO()
    zermelo.serve(player, "tester", input=io.StringIO("\n".join(lines) + "\n"), output=output)
    return output.getvalue().splitlines()


def test_the_handshake_names_player_and_games():
    answer = talk(["uci", "isready", "quit", "isready"])
    assert answer[0] == "id name tester" and answer[-2:] == ["uciok", "readyok"]
    assert "var tixtax-count" in " ".join(answer)
    assert talk(["ugi"])[-1] == "ugiok"


def test_positions_are_set_and_searched():
    seen = []

    def player(board, limits):
        seen.append((board.game, board.move_stack, limits))
        return board.legal_moves[-1]

    lines = [
        "setoption name UCI_Variant value tixtax-count",
        "position startpos moves e5 d6",
        "go movetime 50",
        "position fen 9/9/9/9/4x4/9/9/9/9 o 1 e5",
        "go wtime 1000 btime 2000",
    ]
    assert talk(lines, player) == ["bestmove c7", "bestmove f4"]
    assert seen == [
        ("tixtax-count", ["e5", "d6"], {"time": 0.05}),
        ("tixtax-count", [], {"time": 0.05}),
    ]


def test_queries_are_answered():
    over = ["setoption name UCI_Variant value tictactoe", "position fen xxx/oo1/3 o"]
    queries = ["query gameover", "query p1turn", "query result"]
    assert talk([*over, *queries, "go"]) == ["response true", "response false", "response p1win", "bestmove 0000"]
    assert talk(queries) == ["response false", "response true", "response none"]


def test_errors_are_reported_and_change_nothing():
    answers = talk(["position startpos moves e5 a1", "position fen nonsense", "query weather", "go"])
    assert all(answer.startswith("info string error: ") for answer in answers[:3]) and answers[3] == "bestmove a9"


def test_random_lines_do_not_stop_it():
    chance = random.Random(1)
    words = "uci go position startpos moves e5 fen query setoption name value \x00 é -1 wtime".split(" ")
    lines = [" ".join(chance.choices(words, k=chance.randint(0, 6))) for _ in range(2000)]
    assert talk([*lines, "isready"])[-1] == "readyok"


def test_a_player_may_take_only_the_board():
    assert talk(["go"], lambda board: "e5") == ["bestmove e5"]
    assert talk(["go nodes 5"], zermelo.Engine().play)[0].startswith("bestmove ")


def test_wrong_answers_are_named():
    assert talk(["position startpos moves e5", "go"], lambda board: "a1") == [
        "info string error: the player answered a1, which is not legal",
        "bestmove a1",
    ]
    output = io.StringIO()
    with pytest.raises(TypeError, match="answered 40, expected a move"):
        zermelo.serve(lambda board: 40, input=io.StringIO("go\n"), output=output)
    assert output.getvalue().startswith("info string error: TypeError: the player answered 40")
    with pytest.raises(TypeError, match="answered None"):
        zermelo.exam(lambda board: None, count=3)
    assert zermelo.exam(lambda board: "z9", count=3).illegal == 3
    assert zermelo.rate(lambda board: "z9", max_games=4).illegal == 4
