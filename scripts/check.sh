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
# The cluster's tests wait more than they work: they run while others compile.
step cargo build --release --locked
mkdir -p target/cluster-check
scripts/cluster/check.sh >target/cluster-check/log 2>&1 &
cluster=$!
step cargo clippy --locked --all-targets -- --deny warnings
RUSTDOCFLAGS="--deny warnings" step cargo doc --locked --no-deps
step cargo test --locked --no-run
printf '\n== scripts/cluster/check.sh\n'
wait "$cluster" || { cat target/cluster-check/log; exit 1; }
tail -n 1 target/cluster-check/log
step cargo test --locked -- --include-ignored
