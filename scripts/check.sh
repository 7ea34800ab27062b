#!/usr/bin/env bash
# What every change must pass: formatting, lints and documentation with warnings denied, all tests.
# Needs the Rust toolchain and Python 3 with pip; what Python needs is installed below target/.
set -euo pipefail
cd "$(dirname "$0")/.."

packages="$PWD/target/python-packages"
if ! PYTHONPATH="$packages" python3 -c 'import chess.engine' 2>/dev/null; then
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
        --target "$packages" --requirement scripts/requirements.txt
fi
export PYTHONPATH="$packages"

step() { printf '\n== %s\n' "$*"; "$@"; }
step cargo fmt --check
step cargo build --release --locked
step cargo clippy --locked --all-targets -- --deny warnings
RUSTDOCFLAGS="--deny warnings" step cargo doc --locked --no-deps
# Those that start clusters and kill what is in them take minutes: scripts/cluster/check.sh runs them, too.
step scripts/cluster/check.sh tests/test_tree.py
step cargo test --locked -- --include-ignored
# Behind the tests, with which it shares what is built; ten seconds each, as many at a time as there are cores.
step cargo fmt --check --manifest-path tests/fuzz/Cargo.toml
step scripts/fuzz --seconds 10 --jobs "$(nproc)"
