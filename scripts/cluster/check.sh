#!/usr/bin/env bash
# What every change of this package must pass: format, lints, types, tests. Installs what it needs below target/.
# The program is target/release/zermelo, or what ZERMELO names. TRAIN_PYTHON names an interpreter with what
# scripts/train/requirements.txt lists; without it the test of `train` is left out.
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
