"""Resuming, and files that are refused."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from zermelo_frontier.records import Records, RecordsError, read

SETTINGS = {"what": "curve", "seed": 1}


class Resuming(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "results.jsonl"

    def test_results_survive_and_a_line_that_was_cut_off_is_removed(self) -> None:
        records = Records(self.path, SETTINGS)
        records.append({"type": "position", "ply": 50})
        records.close()
        with self.path.open("ab") as file:
            file.write(b'{"type": "posi')
        records = Records(self.path, SETTINGS)
        self.assertEqual(records.lines, [{"type": "position", "ply": 50}])
        records.append({"type": "position", "ply": 48})
        records.close()
        self.assertEqual([line["ply"] for line in read(self.path)[1]], [50, 48])

    def test_other_settings_are_refused(self) -> None:
        Records(self.path, SETTINGS).close()
        with self.assertRaisesRegex(RecordsError, "other settings: {'seed': 1}, expected {'seed': 2}"):
            Records(self.path, {**SETTINGS, "seed": 2})

    def test_a_second_run_is_refused(self) -> None:
        records = Records(self.path, SETTINGS)
        with self.assertRaisesRegex(RecordsError, "another run"):
            Records(self.path, SETTINGS)
        records.close()

    def test_a_foreign_file_is_refused_and_left_alone(self) -> None:
        for content in (b"a text\n", b"a text without an end"):
            self.path.write_bytes(content)
            with self.assertRaises(RecordsError):
                Records(self.path, SETTINGS)
            self.assertEqual(self.path.read_bytes(), content)
