#!/usr/bin/env bash
# Indexes the workspace $ROOT, beginning with the nearest bundle in $BUNDLES if one fits. If $SAVE is
# true and the cache did not have the index of HEAD ($HIT), its bundle takes the place of the others.
# Says in $GITHUB_OUTPUT whether it is to be saved.
set -euo pipefail

asof=${ASOF:-asof}
mkdir -p "$BUNDLES"
"$asof" --root "${ROOT:-.}" index --from "$BUNDLES" --fallback --verify "${VERIFY:-sample}"
if [ "${SAVE:-}" = true ] && [ "${HIT:-}" != true ]; then
    "$asof" --root "${ROOT:-.}" backup bundle "$BUNDLES" --keep 1
    echo "saves=true" >> "${GITHUB_OUTPUT:?}"
fi
