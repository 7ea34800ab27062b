"""Certificates of leaves without a cluster: what counts, and how a tree becomes one."""

from __future__ import annotations

import itertools
import random
import subprocess
import zlib
from collections.abc import Callable

from common import PROGRAM, ROOT, FolderCase
from test_tree import LATE, grow, solve, unknown

from zermelo_cluster.certificates import CHECKER, Certificates
from zermelo_cluster.proofs import expander
from zermelo_cluster.tree import DRAW, VALUES, WIN, Expansion, LeafTask, Solution, Tree, check


class CertificatesTest(FolderCase):
    @classmethod
    def setUpClass(cls) -> None:
        manifest, target = ROOT / "tests/certificate/Cargo.toml", ROOT / "target/certificate"
        build = f"cargo build --quiet --release --manifest-path {manifest} --target-dir {target}"
        subprocess.run(build.split(), check=True)

    def certify(self, task: LeafTask) -> Solution:
        """Proves a leaf; the certificate arrives."""
        key, path = f"{task.node.id} {VALUES[task.goal]}", self.folder / "certificate"
        found = solve(task.node.fen, goal=task.goal, certificate=path)
        self.certificates.begin(key)
        self.certificates.add(key, path.read_bytes()[:10])
        self.certificates.add(key, path.read_bytes()[10:])
        self.assertEqual(self.certificates.refusal(key, task.node.fen, found), "")
        return found

    def test_a_tree_finds_and_certifies_the_value_that_one_proof_finds(self) -> None:
        for value, fen in LATE[:2]:
            with self.subTest(fen), expander(PROGRAM, "tixtax") as expand:
                self.certify_tree(value, fen, expand)

    def certify_tree(self, value: str, fen: str, expand: Callable[[str], Expansion]) -> None:
        dice, whole = random.Random(1), self.folder / f"{value}.certificate"
        self.certificates, jobs = Certificates(whole, "tixtax"), itertools.count()

        def settle(task: LeafTask) -> Solution:
            # The first jobs run out of time, and later every third.
            too_short = next(jobs) < 8 or dice.random() < 0.3
            return unknown() if too_short else self.certify(task)

        root = expand(fen)
        tree = Tree(self.folder / value, root, "tixtax", "p")
        self.addCleanup(tree.close)
        assert grow(tree, expand, settle) > 8
        proof = check(tree, expand)
        self.assertEqual(VALUES[proof.value], value)
        assert proof.nodes > 1 and proof.claims and len(proof.leaves) > 3 and not proof.unverified
        best = tree.best_move(root)
        child = next(branch["fen"] for branch in root["moves"] if branch["move"] == best)
        self.assertEqual(VALUES.index(solve(child)["value"]), WIN - proof.value)
        self.assertTrue(all(self.certificates.find(task, answer) for task, answer, _ in proof.leaves))
        self.certificates.join(PROGRAM, fen, proof, 64)
        checked = subprocess.run([CHECKER, whole], check=True, capture_output=True, text=True)
        self.assertTrue(checked.stdout.startswith(f"proven: tixtax {value} {value} {fen} ("))

    def test_a_false_certificate_is_refused(self) -> None:
        (_, fen), (_, other), _ = LATE
        path = self.folder / "certificate"
        self.certificates = Certificates(self.folder / "whole", "tixtax")
        with expander(PROGRAM, "tixtax") as expand:
            tree = Tree(self.folder / "tree", expand(fen), "tixtax", "p")
            task = LeafTask(tree.node(tree.root), WIN)
            tree.close()

        def refusal(content: bytes, least: str, most: str) -> str:
            self.certificates.begin("leaf")
            self.certificates.add("leaf", content)
            return self.certificates.refusal("leaf", fen, {"at_least": least, "at_most": most})

        solve(fen, certificate=path)
        true = path.read_bytes()
        title, proof = true[:-4].split(b"\n", 1)
        false = title.replace(b"win win", b"loss loss") + b"\n" + proof
        false += zlib.crc32(false).to_bytes(4, "little")
        self.assertIn("its certificate is wrong: ", refusal(false, "loss", "loss"))
        self.assertIn("its certificate is wrong: ", refusal(true[:-9], "win", "win"))
        self.assertIn("its certificate is wrong: ", refusal(b"", "win", "win"))
        self.assertIn("proves something else", refusal(true, "draw", "win"))
        solve(other, certificate=path)
        self.assertIn("proves something else", refusal(path.read_bytes(), "draw", "draw"))
        self.assertIsNone(self.certificates.find(task, True))
        self.assertEqual(refusal(true, "win", "win"), "")
        self.assertTrue(self.certificates.find(task, True))
        self.assertEqual(refusal(b"", "loss", "win"), "", "it claims nothing")
        self.assertIsNone(self.certificates.find(LeafTask(task.node, DRAW), False))
