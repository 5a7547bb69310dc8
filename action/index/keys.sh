#!/usr/bin/env bash
# Writes to $GITHUB_OUTPUT under which key the index of HEAD is in the cache, and under which keys
# others are that it can begin with: those of the commit where HEAD left $BASE and of the commits
# before it, the nearest first, then any. An entry has the folder of a workspace in its key.
set -euo pipefail

cd "${ROOT:-.}"
version=$("${ASOF:-asof}" --version)
folder=$(git rev-parse --show-prefix)
prefix=asof-index-${version##* }-${folder//\//-}
head=$(git rev-parse HEAD)
base=$head
if [ -n "${BASE:-}" ]; then
    # A shallow clone has no merge base; the newest entry may still fit.
    base=$(git merge-base "$BASE" HEAD || echo "$head")
fi
# The cache takes ten keys.
commits=$(git rev-list --first-parent --max-count=8 "$base")
end=asof-$RANDOM$RANDOM
{
    echo "prefix=$prefix"
    echo "key=$prefix$head"
    echo "restore-keys<<$end"
    for commit in $commits; do echo "$prefix$commit"; done
    echo "$prefix"
    echo "$end"
} >> "${GITHUB_OUTPUT:?}"
