#!/usr/bin/env bash
# Checks that every change of this package must pass: format, lints, types, tests. Installs its tools below target/.
# Tests target/release/zermelo, or $ZERMELO, and the trainer beside it (examples/train); without that the test of `train`
# is skipped.
set -euo pipefail
cd "$(dirname "$0")"
target=../../target/cluster-check
if [ ! -e "$target/installed" ] || [ pyproject.toml -nt "$target/installed" ]; then
    python3 -m venv "$target"
    "$target/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[check]'
    touch "$target/installed"
fi
"$target/bin/ruff" format --check .
"$target/bin/ruff" check .
"$target/bin/mypy"
"$target/bin/python" -m pytest --quiet "$@"
