"""Certificates: each leaf's proof is checked on this machine before it counts, and all of them are joined into one."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from zermelo_cluster import command
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import digest
from zermelo_cluster.tree import LOSS, VALUES, WIN, CheckedProof, LeafTask, answer_within

ROOT = Path(__file__).parents[3]
# Shares no code with the program.
CHECKER = ROOT / "target/certificate/release/zermelo-certificate"
GAMES = ("tixtax", "tixtax-open", "tixtax-count")
# What a certificate is called in the folder of its job.
FILE = "certificate"


class Certificates:
    """The certificates of a proof: one for the whole, and a folder with those of the leaves."""

    def __init__(self, whole: Path, game: str) -> None:
        if game not in GAMES:
            raise BadInput(f"--certificates is not supported for {game}, only for {', '.join(GAMES)}")
        if not CHECKER.is_file():
            build = f"cargo build --release --manifest-path {ROOT}/tests/certificate/Cargo.toml"
            raise BadInput(f"the checker is missing: {build} --target-dir {ROOT}/target/certificate")
        command.check_writable(whole)
        self._whole = whole
        self._game = game
        self._leaves = command.with_ending(whole, ".leaves")
        self._leaves.mkdir(exist_ok=True)

    def begin(self, key: str) -> None:
        """Forgets what an earlier attempt of a job has sent."""
        self._arriving(key).unlink(missing_ok=True)

    def add(self, key: str, piece: bytes) -> None:
        """Stores a piece of the certificate of a running job."""
        with self._arriving(key).open("ab") as file:
            file.write(piece)

    def refusal(self, key: str, fen: str, found: dict[str, Any]) -> str:
        """Returns why the result of a job must not count, or "" after keeping its certificate."""
        least, most = found["at_least"], found["at_most"]
        if (least, most) == (VALUES[LOSS], VALUES[WIN]):
            return ""
        claim = f"{least} {most} {fen}"
        if reason := self._objection(self._arriving(key), claim):
            return reason
        self._arriving(key).replace(self._leaf(claim))
        return ""

    def find(self, task: LeafTask, answer: bool) -> str | None:
        """Returns the name of a checked certificate that gives this answer, if there is one."""
        for least in range(LOSS, WIN + 1):
            for most in range(least, WIN + 1):
                path = self._leaf(f"{VALUES[least]} {VALUES[most]} {task.node.fen}")
                if answer_within(least, most, task.goal) is answer and path.exists():
                    return path.name
        return None

    def join(self, program: Path, fen: str, proof: CheckedProof, memory: int) -> None:
        """Writes the certificate of a whole proof, whose leaves have theirs, and checks it."""
        claim = f"{VALUES[proof.value]} {VALUES[proof.value]} {fen}"
        parts = [f"certificate {self.find(task, answer)}" for task, answer, _ in proof.leaves]
        plan = self._leaves / "plan"
        plan.write_text("".join(f"{line}\n" for line in (claim, *proof.claims, *parts)))
        words = ["--join", str(plan), f"--certificate={self._whole}", "--memory", str(memory)]
        command.run_program(program, ["solve", "--game", self._game, *words])
        if reason := self._objection(self._whole, claim):
            raise Failure(f"{self._whole} is wrong: {reason}")
        command.log(f"{self._whole} is accepted by the checker")

    def _objection(self, path: Path, claim: str) -> str:
        """Returns why a file is no certificate of a claim, or ""."""
        checked = subprocess.run([CHECKER, path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if checked.returncode:
            return f"its certificate is wrong: {checked.stderr.strip()}"
        if not checked.stdout.startswith(f"proven: {self._game} {claim} ("):
            return f"its certificate proves something else: {checked.stdout.strip()}"
        return ""

    def _arriving(self, key: str) -> Path:
        return self._leaves / f"{key}.part"

    def _leaf(self, claim: str) -> Path:
        return self._leaves / digest(f"{self._game} {claim}".encode())
