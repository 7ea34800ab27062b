"""Every docstring has a text, and what the pages, docstrings and examples show runs as it is typed."""

import ast
import doctest
import inspect
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

import pytest
import zermelo

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "python"
PAGES = [ROOT / "docs" / "python.md", ROOT / "bindings" / "python" / "README.md"]


def documented():
    for name in zermelo.__all__:
        thing = getattr(zermelo, name)
        if name == "__version__":
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or inspect.isdatadescriptor(value)):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize(("name", "thing"), list(documented()))
def test_docstrings_run(name, thing):
    assert thing.__doc__, f"{name} has no docstring"
    run(thing.__doc__, name, vars(zermelo).copy())


def run(text, name, names):
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0
    return results.attempted


def test_modules_run():
    import zermelo.envs.gymnasium
    import zermelo.envs.pettingzoo

    modules = [zermelo, zermelo.envs.gymnasium, zermelo.envs.pettingzoo]
    try:
        import zermelo.openspiel

        modules.append(zermelo.openspiel)
    except ImportError:
        assert "CI" not in os.environ
    for module in modules:
        assert run(module.__doc__, module.__name__, {})
        for name, thing in vars(module).items():
            if inspect.isclass(thing) and thing.__module__ == module.__name__:
                assert thing.__doc__, name
                run(thing.__doc__, name, vars(module).copy())


class Typist:
    """Types a word that is no move, then legal moves."""

    def __init__(self, names):
        self.names, self.typed = names, 0

    def readline(self):
        self.typed += 1
        return ("nonsense" if self.typed == 1 else self.names["board"].legal_moves[-1]) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_the_pages_runs(page, monkeypatch):
    blocks = re.findall(r"^```(pycon|python)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    names = {}
    monkeypatch.setattr(sys, "stdin", Typist(names))
    for kind, block in blocks:
        if kind == "python":
            exec(compile(block, page.name, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, None, 0)
        test.globs = names
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed == 0
    assert "board" in names


def shell_lines():
    """The commands of the pages and of the docstrings of the examples, without what is optional in these."""
    found = []
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
            found += block.splitlines()
    for example in sorted(EXAMPLES.glob("*.py")):
        docstring = ast.get_docstring(ast.parse(example.read_text(encoding="utf-8")))
        lines = [line.strip() for line in docstring.splitlines()]
        lines = [line for line in lines if line.startswith(("python3 ", "zermelo ", "pip "))]
        assert lines, f"{example.name} does not say how it is run"
        found += [re.sub(r"\s+#.*|\s*\[[^]]*]", "", line) for line in lines]
    return list(dict.fromkeys(found))


#: What a command prints at least; some would run for minutes or until they are stopped.
PRINTED = {
    "pip install": "already satisfied",
    "python3 examples/python/train_network.py": "playing 10000 games",
    "python3 train_network.py": "playing 10000 games",
    "python3 train_table.py": "20000 games: .* right",
    "python3 first_moves.py": "best: .* first.svg",
    "python3 puzzle_sheet.py": "6 puzzles in puzzles.html",
    "python3 hexapawn.py": r"Solution\(loss, b1b2\)|^$",
    "zermelo match --engine": "^python3 against level-5",
    "zermelo match --game ugi": "^exact against mcts",
    "zermelo rate": "^game 2: ",
    "zermelo exam": "python3 chose a move in 2000 of 2000 positions",
    "zermelo gui": "http://",
}
#: `check release` builds the package as README says.
BUILD = ["bindings/python/build target/wheels", "pip install target/wheels/*.whl"]


def program():
    found = [ROOT / "target" / profile / "zermelo" for profile in ("debug", "release")]
    for path in [*map(pathlib.Path, filter(None, [os.environ.get("ZERMELO")])), *found]:
        if path.exists():
            return path
    assert "CI" not in os.environ, "the program is not built"
    return None


@pytest.mark.skipif(os.name == "nt", reason="the commands are for a shell of Unix")
@pytest.mark.parametrize("command", [line for line in shell_lines() if line not in BUILD])
def test_the_commands_of_the_pages_run(command, tmp_path):
    expected = [printed for start, printed in PRINTED.items() if command.startswith(start)]
    assert len(expected) == 1, f"what does {command} print?"
    zermelo_program = program()
    if command.startswith("zermelo ") and zermelo_program is None:
        pytest.skip("the program is not built")
    folder = tmp_path / "examples" / "python"
    shutil.copytree(EXAMPLES, folder)
    subprocess.run(
        [sys.executable, "-c", "from train_network import Network; Network().save('network.npz')"],
        cwd=folder,
        check=True,
    )
    path = [os.path.dirname(sys.executable), *([str(zermelo_program.parent)] if zermelo_program else [])]
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=tmp_path if "examples/python/" in command else folder,
        env={**os.environ, "PATH": os.pathsep.join([*path, os.environ["PATH"]]), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    # Nothing of it may stay behind.
    alarm = threading.Timer(240, os.killpg, (process.pid, signal.SIGKILL))
    alarm.start()
    text = ""
    try:
        for line in process.stdout:
            text += line
            if re.search(expected[0], text, re.M):
                return
        assert process.wait() == 0 and re.search(expected[0], text, re.M), text
    finally:
        alarm.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()
        process.wait()


def test_the_pages_say_how_the_package_is_built():
    tutorial, readme = (page.read_text(encoding="utf-8") for page in PAGES)
    assert "```sh\n" + "\n".join(BUILD) + "\n```" in readme
    assert all(f"`{command}`" in tutorial for command in BUILD)
