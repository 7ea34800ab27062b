"""The programs of examples/python, with small settings."""

import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parents[3] / "examples" / "python"


def run(folder, script, *arguments, lines=None):
    command = [sys.executable, str(FOLDER / script), *arguments]
    done = subprocess.run(command, cwd=folder, input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shares(output):
    return [float(line.split("%")[0].split()[-1]) for line in output.splitlines() if "%" in line]


def test_the_table_learns(tmp_path):
    right = shares(run(tmp_path, "train_table.py", "--games", "4000"))
    assert len(right) == 11 and right[-1] > 90 > right[0]


def test_the_network_learns_and_plays(tmp_path):
    right = shares(
        run(
            tmp_path,
            "train_network.py",
            "--games",
            "60",
            "--nodes",
            "50",
            "--epochs",
            "3",
            "--positions",
            "60",
            "--plot",
            "right.svg",
        )
    )
    assert len(right) == 4 and (tmp_path / "right.svg").read_text().count("<path") > 5
    answers = run(tmp_path, "network_engine.py", lines="uci\nposition startpos moves e5\ngo movetime 10\nquit\n")
    assert "uciok" in answers and answers.splitlines()[-1].split()[1] in "d4 d5 d6 e4 e6 f4 f5 f6".split()


def test_puzzles_are_printed(tmp_path):
    assert "3 puzzles" in run(tmp_path, "puzzle_sheet.py", "--count", "3")
    page = (tmp_path / "puzzles.html").read_text()
    assert page.count("<svg") == 3 and page.count("<li>") == 3


def test_hexapawn_is_solved_and_played(tmp_path):
    assert run(tmp_path, "hexapawn.py") == "Solution(loss, b1b2)\n"
    answers = run(tmp_path, "hexapawn.py", "exact", lines="ugi\nposition startpos moves b1b2\ngo\nquit\n")
    assert answers.splitlines()[-1] in ("bestmove a1b2", "bestmove c1b2")


def test_first_moves_are_studied(tmp_path):
    assert "best: " in run(tmp_path, "first_moves.py", "--game", "tictactoe", "--seconds", "0.1")
    assert (tmp_path / "first.svg").read_text().startswith("<svg")
