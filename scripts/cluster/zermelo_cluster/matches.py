"""`match`: the games of a tournament, shared out in parts, put together by their numbers."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo_cluster import command
from zermelo_cluster.command import Interrupted, Site, Ticker, check_interrupt, say
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Files, Job
from zermelo_cluster.parts import Folder, Part, Work, cut, known_size, size_for

# Words of `zermelo match` that make no sense here, with what does.
REFUSED = {
    "--concurrency": "each worker plays one game at a time, --workers says how many there are",
    "--resume": "the same command goes on by itself",
    "--rescore": "there is nothing to share out",
    "--merge": "there is nothing to share out",
    "--plan": "there is nothing to share out",
    "--only": "parts are cut by --part-games",
}
# Games of a part, if nobody says: so few that not much is played in vain when a test decides.
MOST = 50
# Putting together what there is takes no more than this part of the time.
MERGING = 0.1


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--record", metavar="FILE", type=Path, required=True, help="where the games go")
    parser.add_argument("--json", metavar="FILE", type=Path, help="the games as lines of JSON, too")
    parser.add_argument("--report", metavar="FILE.html", type=Path, help="a page with tables, plots and a board")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where parts are kept (RECORD.parts)")
    parser.add_argument(
        "--part-games",
        metavar="N",
        type=command.positive,
        help="games of a part: an even number, or pairs are torn",
    )
    parser.add_argument(
        "--take", metavar="FILE", type=Path, action="append", default=[], help="a file that the engines need"
    )
    parser.add_argument(
        "--give-up",
        metavar="S",
        type=float,
        default=3600,
        help="a part without a new game for so many seconds is given out again (%(default)s)",
    )


@dataclass
class Score:
    """How it stands."""

    games: int = 0
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    llr: float | None = None
    decision: str | None = None

    def __str__(self) -> str:
        text = f"{self.games} games"
        if self.wins is not None:
            text += f", +{self.wins} ={self.draws} -{self.losses}"
        if self.llr is not None:
            text += f", llr {self.llr:.2f}"
        return text


@dataclass
class Merger:
    """Puts together what came in, now and then."""

    site: Site
    folder: Folder
    parts: list[Part]
    options: argparse.Namespace
    score: Score = field(default_factory=Score)
    table: str = ""
    _next: float = 0.0

    def look(self) -> None:
        """Puts together what there is, unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            self.merge()

    def merge(self, last: bool = False) -> None:
        """Before the last time nothing is written."""
        files = self.folder.files(self.parts)
        if not files:
            return
        began = time.monotonic()
        arguments = ["match", "--merge", *map(str, files), "--verdict"]
        for name in ("record", "json", "report") if last else ():
            path = getattr(self.options, name)
            arguments += [f"--{name}={path}"] if path else []
        # What is missing on the way is no news.
        *table, verdict = self.site.run(arguments, remarks=last).splitlines()
        known: dict[str, Any] = json.loads(verdict)
        self.table = "\n".join(table)
        self.score = Score(**{name: known[name] for name in Score.__dataclass_fields__})
        self._next = time.monotonic() + max(1.0, (time.monotonic() - began) / MERGING)


def files_of(setup: dict[str, Any], options: argparse.Namespace) -> Files:
    """The files that a part needs beside the programs: openings, nets, what is named."""
    openings = setup["openings"]
    named = list(options.take)
    if isinstance(openings, dict) and "file" in openings:
        named.append(Path(openings["file"]["path"]))
    for engine in setup["engines"]:
        if engine.get("stderr"):
            raise BadInput(f"stderr={engine['stderr']} would stay on a node, leave it out")
        named += [Path(value) for name, value in engine.get("options", []) if name.lower() == "evalfile" and value]
    for path in named:
        if path.is_absolute() or ".." in path.parts:
            raise BadInput(f"{path} cannot travel, expected a file below this folder, named from here")
        if not path.is_file():
            raise BadInput(f"{path} is no file")
    return {str(path): path.read_bytes() for path in named}


def spoilt(piece: bytes) -> str:
    """A node on which an engine does not start is no reason to lose a game."""
    return "an engine did not start" if b'"termination":"start"' in piece else ""


def remarks(said: str) -> list[str]:
    """What engines say against their settings: it stands with the games, between the title and the table."""
    body = said.partition("\n\n")[0].splitlines()[1:]
    return [line for line in body if not line.startswith("game ")]


def run(options: argparse.Namespace, words: list[str]) -> None:
    for word in words:
        if why := REFUSED.get(word.split("=")[0]):
            raise BadInput(f"{word} has no place here: {why}")
    if options.part_games and options.part_games % 2:
        raise BadInput(f"--part-games {options.part_games} tears pairs apart, expected an even number")
    for place in (options.record, options.json, options.report):
        if place:
            command.check_place(place)
    with command.connect(options) as site:
        plan = json.loads(site.run(["match", *words, "--plan"]))
        if not plan["divisible"]:
            raise BadInput("who plays whom depends on results here, expected a round robin or a gauntlet")
        play(site, plan, options)


def play(site: Site, plan: dict[str, Any], options: argparse.Namespace) -> None:
    head = plan["head"]
    setup = json.loads(head)["setup"]
    if setup["concurrency"] > 1:
        raise BadInput(f"concurrency {setup['concurrency']} has no place here: {REFUSED['--concurrency']}")
    files = files_of(setup, options)
    path = options.folder or command.beside(options.record, ".parts")
    size = options.part_games or known_size(path) or size_for(plan["games"], site.workers(), MOST)
    # What plays is what played before, to the last byte of a net.
    digests = {name: Folder.digest(content) for name, content in files.items()}
    bench = site.program.signature
    folder = Folder(path, {"bench": bench, "files": digests, "settings": head, "games": plan["games"], "size": size})
    parts = cut(1, plan["games"], size, ".json")
    merger = Merger(site, folder, parts, options)

    def job(part: Part) -> Job:
        games = ["--only", f"{part.first}-{part.last}"]
        return Job(site.program, ("match", "--resume", "--json", part.name, *games), part.name)

    crew = site.crew(files, options.give_up)
    work = Work(crew, folder, site.workers, job, head.encode() + b"\n", spoilt, remarks)
    ticker = Ticker()
    interrupted = False
    failure: Failure | None = None
    try:
        merger.merge()
        news = work.do(parts) if merger.score.decision is None else iter(())
        for piece in news:
            check_interrupt()
            if piece.remark:
                ticker.clear()
                say(piece.remark)
            if piece.piece:
                merger.look()
            ticker.tell(lambda: f"{merger.score} of {plan['games']}")
            if merger.score.decision:
                break
    except Interrupted:
        interrupted = True
    except Failure as error:
        failure = error
    crew.forget()
    ticker.clear()
    merger.merge(last=True)
    if merger.table:
        command.tell(merger.table)
    if failure:
        raise failure
    if interrupted:
        raise Failure(f"interrupted after {merger.score}; the same command goes on")
    if merger.score.decision is None and merger.score.games < plan["games"]:
        raise Failure(f"{merger.score.games} of {plan['games']} games are there; the same command goes on")
