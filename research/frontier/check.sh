#!/usr/bin/env bash
# Checks that every change of this package must pass: format, lints, types, tests. Installs its tools below target/.
# Tests target/release/zermelo, or $ZERMELO.
set -euo pipefail
cd "$(dirname "$0")"
target=../../target/frontier-check
if [ ! -e "$target/installed" ]; then
    python3 -m venv "$target"
    "$target/bin/python" -m pip install --quiet --disable-pip-version-check mypy==2.4.1 ruff==0.17.6
    touch "$target/installed"
fi
"$target/bin/ruff" format --check .
"$target/bin/ruff" check .
"$target/bin/mypy"
python3 -m unittest discover --top-level-directory . --start-directory tests
