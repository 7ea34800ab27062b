#!/usr/bin/env python3
"""Writes docs/python-reference.md from the docstrings and signatures of the installed package, and the docstrings into the stub.

bindings/python/reference.py [--check]    # whether page and stub are those of the package
"""

import ast
import inspect
import sys
from pathlib import Path

import zermelo
import zermelo.envs.gymnasium
import zermelo.envs.pettingzoo
import zermelo.openspiel

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
    "Environments": [
        "envs.gymnasium.AgainstEngine",
        "envs.gymnasium.AgainstEngineVector",
        "envs.pettingzoo.env",
        "envs.pettingzoo.raw_env",
    ],
    "OpenSpiel": ["openspiel.EngineBot", "openspiel.board_of", "openspiel.compare_rules"],
    "A game of your own": ["OwnGame", "MatchResult", "serve"],
}
STUB = Path(__file__).resolve().parent / "python" / "zermelo" / "_zermelo.pyi"
# The files with signatures, and what comes before the names in them.
SOURCES = {
    "_zermelo.pyi": "",
    "__init__.py": "",
    "measure.py": "",
    "own_game.py": "",
    "player.py": "",
    "results.py": "",
    "envs/gymnasium.py": "envs.gymnasium.",
    "envs/pettingzoo.py": "envs.pettingzoo.",
    "openspiel.py": "openspiel.",
}


# What is said about the fields of data classes.
FIELDS = {}


def signatures():
    """The parameters of functions and methods by name, such as `Board.push`, and the types of properties."""
    found = {}
    package = Path(zermelo.__file__).parent

    def visit(node, prefix, lines):
        for child in node.body:
            if isinstance(child, ast.ClassDef):
                visit(child, prefix + child.name + ".", lines)
            elif isinstance(child, ast.FunctionDef):
                name = prefix + child.name
                kept = [argument for argument in child.args.args if argument.arg not in ("self", "cls")]
                child.args.args[:] = kept
                result = f" → {ast.unparse(child.returns)}" if child.returns else ""
                is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in child.decorator_list)
                found[name] = (
                    f": {ast.unparse(child.returns)}" if is_property else f"({ast.unparse(child.args)}){result}"
                )
            elif isinstance(child, ast.AnnAssign) and isinstance(node, ast.ClassDef):
                found[prefix + child.target.id] = f": {ast.unparse(child.annotation)}"
                comment = []
                for line in reversed(lines[: child.lineno - 1]):
                    if not line.strip().startswith("#:"):
                        break
                    comment.insert(0, line.strip().removeprefix("#:").strip())
                FIELDS[prefix + child.target.id] = " ".join(comment)

    for name, prefix in SOURCES.items():
        text = (package / name).read_text(encoding="utf-8")
        visit(ast.parse(text), prefix, text.splitlines())
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


def find(name):
    thing = zermelo
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def described(text):
    """The functions and classes of the stub that have a docstring at run time: node, docstring."""

    def visit(node, owner):
        for child in node.body:
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)) and not child.name.startswith("_"):
                thing = getattr(owner, child.name)
                yield child, inspect.getdoc(thing)
                if isinstance(child, ast.ClassDef):
                    yield from visit(child, thing)

    return [(node, text) for node, text in visit(ast.parse(text), zermelo._zermelo) if text]


def stub():
    """The stub with the docstrings of the extension; Ruff formats it."""
    lines = STUB.read_text(encoding="utf-8").splitlines()
    for node, docstring in reversed(described("\n".join(lines))):
        indent = " " * (node.col_offset + 4)
        if ast.get_docstring(node) is not None:
            old = node.body[0]
            del lines[old.lineno - 1 : old.end_lineno]
        first, *rest = docstring.splitlines()
        written = [indent + line if line else "" for line in rest]
        written = [f'{indent}"""{first}', *written, indent + '"""'] if rest else [f'{indent}"""{first}"""']
        if isinstance(node, ast.FunctionDef):
            end = node.end_lineno - 1 if ast.get_docstring(node) is None else node.body[0].lineno - 2
            lines[end] = lines[end].removesuffix(" ...")
            lines[end + 1 : end + 1] = written
        else:
            lines[node.lineno : node.lineno] = written
    return "\n".join(lines) + "\n"


def page():
    names = [name for group in GROUPS.values() for name in group]
    own = [name for name in names if "." not in name]
    if sorted(own) != sorted(name for name in zermelo.__all__ if not name.startswith("__")):
        sys.exit("GROUPS lists other names than the package has")
    # Of two names with the same anchor, the link leads to the first.
    anchor = {name: name.lower().replace(".", "") for name in names}
    linked = {anchor[name]: name for name in reversed(names)}
    link = {name: f"[{name}](#{anchor[name]})" if linked[anchor[name]] == name else f"`{name}`" for name in names}
    contents = [f"- {group}: {', '.join(link[name] for name in listed)}\n" for group, listed in GROUPS.items()]
    known, parts = signatures(), [HEAD, "".join(contents)]
    for name in names:
        thing = find(name)
        if not inspect.isclass(thing):
            parts.append(f"## {name}\n\n`{name}{known[name]}`\n\n{text_of(thing)}\n")
            continue
        constructor = known.get(f"{name}.__new__", known.get(f"{name}.__init__", "")).split(" → ")[0]
        heading = f"`{name}{constructor}`\n\n" if constructor else ""
        parts.append(f"## {name}\n\n{heading}{text_of(thing)}\n")
        fields = []
        for member in [member for member in known if member.startswith(name + ".")]:
            short = member.removeprefix(name + ".")
            value = getattr(thing, short, None)
            if short.startswith("_") or short == "metadata":
                continue
            is_documented = callable(value) or inspect.isdatadescriptor(value)
            text = FIELDS.get(member, "") or (text_of(value) if is_documented else "")
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
        STUB.write_text(stub(), encoding="utf-8")
        sys.exit()
    if PAGE.read_text(encoding="utf-8") != text:
        sys.exit(f"{PAGE.name} is not that of the package: run bindings/python/reference.py")
    for node, docstring in described(STUB.read_text(encoding="utf-8")):
        if ast.get_docstring(node) != docstring:
            sys.exit(
                f"{STUB.name}: the docstring of {node.name} is not that of the package: run bindings/python/reference.py"
            )
