"""What the tests that need no cluster share; they need nothing but Python."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[3]
# $ZERMELO, else the release build.
PROGRAM = Path(os.environ.get("ZERMELO") or ROOT / "target/release/zermelo").resolve()


class FolderCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.assertTrue(shutil.which(PROGRAM), f"{PROGRAM} is not a program: build it, or set ZERMELO")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
