"""Every docstring has a text, and the examples in docstrings and in docs/python.md run."""

import doctest
import inspect
import pathlib

import pytest
import zermelo

ROOT = pathlib.Path(__file__).parents[3]


def documented():
    for name in zermelo.__all__:
        thing = getattr(zermelo, name)
        if name == "__version__":
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize(("name", "thing"), list(documented()))
def test_docstrings_run(name, thing):
    owner = name.split(".")[0]
    is_field = owner in ("Outcome", "Line", "Info", "Solution", "MoveReview", "Review", "Puzzle")
    text = thing.__doc__ or ""
    assert text or is_field and "." in name, f"{name} has no docstring"
    run(text, name, vars(zermelo).copy())


def run(text, name, names):
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0
    return results.attempted


def test_modules_run():
    import zermelo.envs.gymnasium
    import zermelo.envs.pettingzoo

    for module in (zermelo, zermelo.envs.gymnasium, zermelo.envs.pettingzoo):
        assert run(module.__doc__, module.__name__, {})


def test_the_tutorial_runs():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = [block for block in page.split("```")[1::2] if block.startswith("pycon")]
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block.removeprefix("pycon\n"), names, "docs/python.md", None, 0)
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed == 0
        names = test.globs
