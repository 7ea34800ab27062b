#!/usr/bin/env bash
# Checks that every change must pass: formatting, lints and documentation with warnings denied, loom models, the page in a
# real browser, fuzz targets, all tests. The last lines name what failed.
# Needs the Rust toolchain, a C++ compiler and Python 3 with pip and venv; packages of Python and Node.js are installed below
# target/, and Chromium and Node.js with apt where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

now="installing Python packages"
trap 'code=$?; [ $code = 0 ] || printf "\nFAILED (exit code %s, after %s s): %s\n" $code $SECONDS "$now"' EXIT
step() {
    now="$*"
    printf '\n== %s (after %s s)\n' "$now" $SECONDS
    "$@"
}

packages="$PWD/target/python-packages"
if ! PYTHONPATH="$packages" python3 -c 'import chess.engine' 2>/dev/null; then
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
        --target "$packages" --requirement scripts/requirements.txt
fi
export PYTHONPATH="$packages"

for manifest in Cargo.toml tests/certificate/Cargo.toml tests/fuzz/Cargo.toml tests/loom/Cargo.toml; do
    step cargo fmt --check --manifest-path $manifest
done
step cargo build --release --locked
step cargo clippy --locked --all-targets -- --deny warnings
step cargo clippy --locked --all-targets --no-default-features --features cli -- --deny warnings
step cargo clippy --locked --lib --no-default-features -- --deny warnings
step cargo clippy --locked --manifest-path tests/certificate/Cargo.toml --target-dir target/certificate -- --deny warnings
RUSTDOCFLAGS="--deny warnings" step cargo doc --locked --no-deps
step cargo run --quiet --release --locked --manifest-path tests/loom/Cargo.toml --target-dir target/loom
# The other cluster tests take minutes: they start clusters and kill parts of them.
step scripts/cluster/check.sh tests/test_tree.py
step scripts/gui_check
# Ten seconds each, one per core at a time; the tests share their build.
step scripts/fuzz --seconds 10 --jobs "$(nproc)"
step cargo test --locked --no-fail-fast -- --include-ignored
