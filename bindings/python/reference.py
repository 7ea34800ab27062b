#!/usr/bin/env python3
"""Writes docs/python-reference.md from the docstrings of the installed package and the signatures of its stubs.

bindings/python/reference.py [--check]    # whether the page is that of the package
"""

import ast
import inspect
import sys
from pathlib import Path

import zermelo

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python-reference.md"
HEAD = """# Python reference

Everything in the package `zermelo`, from its docstrings; [the tutorial](python.md) shows how it is used. `bindings/python/reference.py` writes
this page.
"""
# What the package has, in the order of the page.
GROUPS = {
    "Boards": ["Board", "Outcome", "games", "openings", "grid", "action_symmetries"],
    "Playing and analysing": ["Engine", "Analysis", "Info", "Line"],
    "Exact values": ["solve", "Solution", "reasons"],
    "Reviews and puzzles": ["review", "Review", "MoveReview", "Record", "puzzles", "Puzzle"],
    "Many games": ["Games", "selfplay", "read_samples"],
    "Measuring a player": ["rate", "Rating", "exam", "ExamResult"],
    "A game of your own": ["OwnGame", "MatchResult", "serve"],
}


def signatures():
    """The parameters of functions and methods by name, such as `Board.push`, and the types of properties."""
    found = {}
    package = Path(zermelo.__file__).parent
    trees = [
        ast.parse((package / name).read_text())
        for name in ("_zermelo.pyi", "__init__.py", "measure.py", "own_game.py", "player.py")
    ]

    def visit(node, prefix):
        for child in node.body:
            if isinstance(child, ast.ClassDef):
                visit(child, child.name + ".")
            elif isinstance(child, ast.FunctionDef):
                name = prefix + child.name
                kept = [argument for argument in child.args.args if argument.arg not in ("self", "cls")]
                child.args.args[:] = kept
                result = f" → {ast.unparse(child.returns)}" if child.returns else ""
                is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in child.decorator_list)
                found[name] = (
                    f": {ast.unparse(child.returns)}" if is_property else f"({ast.unparse(child.args)}){result}"
                )
            elif isinstance(child, ast.AnnAssign) and prefix:
                found[prefix + child.target.id] = f": {ast.unparse(child.annotation)}"

    for tree in trees:
        visit(tree, "")
    return {name: text.replace("npt.NDArray", "NDArray").replace("np.", "") for name, text in found.items()}


def text_of(thing):
    """The docstring, its examples as blocks of code."""
    lines, block = [], False
    for line in inspect.cleandoc(thing.__doc__ or "").splitlines():
        if line.startswith(">>>") and not block:
            lines.append("```pycon")
            block = True
        if block and not line:
            lines.append("```")
            block = False
        lines.append(line)
    return "\n".join(lines + ["```"] * block)


def page():
    names = [name for group in GROUPS.values() for name in group]
    if sorted(names) != sorted(name for name in zermelo.__all__ if not name.startswith("__")):
        sys.exit("GROUPS lists other names than the package has")
    # Of two names with the same anchor, the link leads to the first.
    linked = {name.lower(): name for name in reversed(names)}
    link = {name: f"[{name}](#{name.lower()})" if linked[name.lower()] == name else f"`{name}`" for name in names}
    contents = [f"- {group}: {', '.join(link[name] for name in listed)}\n" for group, listed in GROUPS.items()]
    known, parts = signatures(), [HEAD, "".join(contents)]
    for name in names:
        thing = getattr(zermelo, name)
        if not inspect.isclass(thing):
            parts.append(f"## {name}\n\n`{name}{known[name]}`\n\n{text_of(thing)}\n")
            continue
        constructor = known.get(f"{name}.__new__", known.get(f"{name}.__init__", "")).split(" → ")[0]
        heading = f"`{name}{constructor}`\n\n" if constructor else ""
        parts.append(f"## {name}\n\n{heading}{text_of(thing)}\n")
        fields = []
        for member in [member for member in known if member.startswith(name + ".")]:
            short = member.split(".")[1]
            if short.startswith("_"):
                continue
            value = getattr(thing, short, None)
            text = (
                text_of(value)
                if value is not None and inspect.getdoc(value) and not isinstance(value, (int, float))
                else ""
            )
            if known[member].startswith(":") and "\n" not in text:
                fields.append(f"- `{short}{known[member]}`{': ' * bool(text)}{text}\n")
            else:
                parts += ["".join(fields)] if fields else []
                fields = []
                parts.append(f"**`{short}{known[member]}`**\n\n{text}\n")
        parts += ["".join(fields)] if fields else []
    return "\n".join(parts)


if __name__ == "__main__":
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        sys.exit(f"{PAGE.name} is not that of the package: run bindings/python/reference.py")
