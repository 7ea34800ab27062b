"""Rules: every game against plain rules in Python, and what users of python-chess expect of a board."""

import copy
import os
import pickle
import random

import numpy as np
import plain_rules
import pytest
import zermelo


@pytest.mark.parametrize("game", zermelo.games())
def test_random_games_agree_with_the_plain_rules(game):
    chance = random.Random(1)
    for _ in range(10_000 // len(zermelo.games())):
        plain, board = plain_rules.GAMES[game](), zermelo.Board(game)
        while True:
            legal = sorted(plain.moves())
            assert sorted(board.legal_moves) == legal, board.fen()
            assert [board.action_name(action) for action in board.legal_actions] == board.legal_moves
            outcome = board.outcome()
            assert (outcome.result if outcome else None) == plain.result(), board.fen()
            assert board.is_game_over() == (not legal)
            if not legal:
                break
            assert board.turn == plain.turn
            move = chance.choice(legal)
            plain.play(move)
            board.push(move)


@pytest.mark.parametrize("game", zermelo.games())
def test_moves_are_taken_back(game):
    chance = random.Random(2)
    board = zermelo.Board(game)
    fens = [board.fen()]
    while not board.is_game_over():
        board.push(chance.choice(board.legal_moves))
        fens.append(board.fen())
    assert board.ply == len(board.move_stack) == len(fens) - 1
    while board.ply:
        assert board.fen() == fens.pop()
        last = board.peek()
        assert board.pop() == last
    assert board == zermelo.Board(game)
    with pytest.raises(IndexError, match="no move was played"):
        board.pop()


@pytest.mark.parametrize("game", zermelo.games())
def test_boards_are_copied_pickled_and_compared(game):
    board = zermelo.Board(game)
    board.push(board.legal_moves[0])
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other == board and other.key() == board.key() and other.move_stack == board.move_stack
        other.push(other.legal_moves[0])
        assert other != board and board.ply == 1
    assert board != 1
    assert repr(board) == f'Board("{game}", "{board.fen()}")'
    assert str(board) == board.ascii()


def test_boards_of_other_games_differ():
    assert zermelo.Board("tixtax") != zermelo.Board("tixtax-count")
    with pytest.raises(TypeError, match="unhashable"):
        hash(zermelo.Board())


@pytest.mark.parametrize("game", zermelo.games())
def test_random_games_have_the_moves_asked_for(game):
    for seed in range(200):
        board = zermelo.Board.random(game, seed=seed, plies=6)
        assert board.ply == len(board.move_stack) == 6 and not board.is_game_over()
    assert board == zermelo.Board.random(game, seed=seed, plies=6) != zermelo.Board.random(game, seed=1, plies=6)


@pytest.mark.parametrize("game", zermelo.games())
def test_symmetries_map_moves_and_actions(game):
    chance = random.Random(3)
    images = zermelo.action_symmetries(game)
    board = zermelo.Board(game)
    for _ in range(8):
        for symmetry, row in enumerate(images):
            image = board.image(symmetry)
            assert image.turn == board.turn
            if board.ply:
                assert sorted(image.legal_actions) == sorted(row[board.legal_actions].tolist())
        if board.is_game_over():
            break
        board.push(chance.choice(board.legal_moves))
    assert (images[0] == np.arange(images.shape[1])).all()


def test_perft_counts_leaves():
    assert zermelo.Board("tixtax").perft(4) == 55_080
    assert zermelo.Board("tictactoe").perft(9) == 127_872


def test_planes_show_the_board():
    board = zermelo.Board("tixtax")
    for move in ["e5", "d6", "a9"]:
        board.push(move)
    own, other, own_boards, other_boards, playable = board.planes()
    assert own.sum() == 1 and own[4, 0] == 1
    assert other.sum() == 2 and other[4, 4] == 1 and other[0, 0] == 1
    assert own_boards.sum() == other_boards.sum() == 0
    assert playable.sum() == 9 and (playable[0] == 1).all()
    picture = zermelo.grid(board.planes())
    assert picture.shape == (5, 9, 9) and picture[1, 4, 4] == 1 and picture[0, 3, 3] == 1


def test_boards_are_drawn():
    board = zermelo.Board("tictactoe")
    info = zermelo.Engine().analyse(board, multipv=9)
    for svg in (board._repr_svg_(), board.svg(info.lines)):
        assert svg.startswith("<svg") and "var(--" not in svg
    assert ">D</text>" in board.svg(info.lines) and ">D</text>" not in board.svg()


def test_records_are_written_and_read(tmp_path):
    board = zermelo.Board("tictactoe")
    for move in ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"]:
        board.push(move)
    record = zermelo.Record(board, ("first", "second"))
    path = tmp_path / "games.pgn"
    path.write_text(str(record) + str(record))
    read = zermelo.Record.read(path)
    assert [(one.game, one.players, one.moves, one.result) for one in read] == 2 * [
        ("tictactoe", ("first", "second"), board.move_stack, "1/2-1/2")
    ]
    assert read[0].board() == board and read[0].termination == "normal"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zermelo.Board("chess"), 'unknown game "chess"'),
        (lambda: zermelo.Board("tixtax", "9/9 x 1 -"), "invalid FEN"),
        (lambda: zermelo.Board().push("z9"), "z9"),
        (lambda: zermelo.Board().push(""), "expected a cell"),
        (lambda: zermelo.Board().push_action(81), "81 is not an action of tixtax"),
        (lambda: zermelo.Board().push_action(-1), "-1 is not an action"),
        (lambda: zermelo.Board().image(8), "symmetry 8, expected 0 to 7"),
        (lambda: zermelo.Board().image(-1), "symmetry -1, expected 0 to 7"),
        (lambda: zermelo.Board.random(seed=-1), "seed -1, expected at least 0"),
        (lambda: zermelo.Board.random(seed=1, plies=-1), "plies -1, expected at least 0"),
        (lambda: zermelo.Board.random(seed=1, plies=81), "plies 81: 1000 random games were over by then"),
        (lambda: zermelo.Board().perft(-1), "depth -1, expected 0 to 100"),
        (lambda: zermelo.Record.read(__file__), "test_rules.py: game 1"),
        (lambda: zermelo.grid(np.zeros(80)), r"expected \(…, 81\)"),
    ],
)
def test_errors_say_what_would_be_right(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_files_of_records_are_named_and_never_waited_for(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.pgn"):
        zermelo.Record.read(tmp_path / "nowhere.pgn")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(ValueError, match="pipe: a pipe, expected a file"):
            zermelo.Record.read(tmp_path / "pipe")


def test_a_refused_move_changes_nothing():
    board = zermelo.Board()
    board.push("e5")
    before = board.fen()
    with pytest.raises(ValueError, match="legal here: d4 d5"):
        board.push("a1")
    assert board.fen() == before and board.ply == 1
