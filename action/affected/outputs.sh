#!/usr/bin/env bash
# Writes what $RANGE, or a pull request from where $HEAD left $BASE, can reach to $GITHUB_OUTPUT.
set -euo pipefail

asof=${ASOF:-asof}
range=${RANGE:-}
if [ -z "$range" ]; then
    [ -n "${BASE:-}" ] || { echo "::error::this is no pull request: give a range"; exit 1; }
    range=$BASE...$HEAD
fi
packages=$("$asof" affected "$range" --packages --explain)
tests=$("$asof" affected "$range" --tests --quiet)
nextest=$("$asof" affected "$range" --nextest --quiet)
end=asof-$RANDOM$RANDOM
{
    echo "packages=$packages"
    echo "nextest=$nextest"
    printf 'tests<<%s\n%s\n%s\n' "$end" "$tests" "$end"
} >> "${GITHUB_OUTPUT:?}"
