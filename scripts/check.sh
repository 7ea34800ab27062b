#!/usr/bin/env bash
# Checks that every change must pass: formatting, lints and documentation with warnings denied, loom models, the page in a
# real browser with the native engine and as a static site, fuzz targets, all tests. The last lines name what failed.
# Needs the Rust toolchain, a C++ compiler and Python 3 with pip and venv; packages of Python and Node.js are installed below
# target/, and Chromium and Node.js with apt where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

program=target/debug/zermelo
browser_log=target/browser-checks.log
browser_checks=
now="installing Python packages"
end() {
    code=$?
    [ -z "$browser_checks" ] || kill -- "-$browser_checks" 2>/dev/null || true
    [ $code = 0 ] || printf "\nFAILED (exit code %s, after %s s): %s\n" $code $SECONDS "$now"
}
trap end EXIT
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

for manifest in Cargo.toml scripts/web/bindgen/Cargo.toml scripts/web/engine/Cargo.toml tests/certificate/Cargo.toml tests/fuzz/Cargo.toml tests/loom/Cargo.toml; do
    step cargo fmt --check --manifest-path $manifest
done
# Builds the program together with the smallest test target: a plain build selects other dependency features, so the
# dependencies would be compiled twice.
step cargo test --quiet --locked --test interleavings --no-run
step $program -- "position startpos" "go depth 9"
step python3 -m compileall -q scripts/*.py

# The browser checks mostly wait, so they run beside the compilers, which have a lower priority.
run_browser_checks() {
    step scripts/gui_check --program $program
    # The other cluster tests take minutes: they start clusters and kill parts of them.
    ZERMELO="$PWD/$program" step scripts/cluster/check.sh tests/test_tree.py tests/test_costs.py
    ZERMELO="$PWD/$program" step scripts/frontier/check.sh
    step scripts/web/check --program $program
}
set -m
run_browser_checks >$browser_log 2>&1 &
browser_checks=$!
set +m

low() { step nice -n 5 "$@"; }
low cargo clippy --locked --all-targets -- --deny warnings
low cargo clippy --locked --all-targets --no-default-features --features cli -- --deny warnings
low cargo clippy --locked --lib --no-default-features -- --deny warnings
low cargo clippy --locked --manifest-path tests/certificate/Cargo.toml --target-dir target/certificate -- --deny warnings
RUSTDOCFLAGS="--deny warnings" low cargo doc --locked --no-deps
low cargo test --locked --no-run
low cargo run --quiet --release --locked --manifest-path tests/loom/Cargo.toml --target-dir target/loom
# Ten seconds each, one per core at a time; the tests share their build.
low scripts/fuzz --seconds 10 --jobs "$(nproc)"

now="waiting for the browser checks"
if ! wait $browser_checks; then
    browser_checks=
    cat $browser_log
    now=$(sed -n 's/^== \(.*\) (after .*/\1/p' $browser_log | tail -1)
    exit 1
fi
browser_checks=
cat $browser_log
step cargo test --locked --no-fail-fast -- --include-ignored
