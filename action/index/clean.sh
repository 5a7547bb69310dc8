#!/usr/bin/env bash
# Removes entries of the cache of $REPOSITORY that begin with $PREFIX and belong to $REF, but the newest
# $ENTRIES. Entries of other versions of asof on $REF go, too. A token that may not is no failure.
set -euo pipefail

entries=${ENTRIES:-10}
list() {
    gh cache list --repo "$REPOSITORY" --ref "$REF" --key "$1" --sort created_at --order desc \
        --limit 1000 --json id,key --jq "$2"
}
old() {
    list "$PREFIX" ".[$entries:][].id" || return
    # Of this folder, as the rest of the key is a commit.
    local folder=${PREFIX#asof-index-*-}
    list asof-index- ".[] | select(.key | test(\"^asof-index-[0-9.]+-${folder}[0-9a-f]{40,64}$\"))
        | select(.key | startswith(\"$PREFIX\") | not) | .id"
}
if ! ids=$(old); then
    echo "::notice::entries of the cache could not be listed"
    exit
fi
for id in $ids; do
    gh cache delete "$id" --repo "$REPOSITORY" > /dev/null || {
        echo "::notice::old entries of the cache stay: give a token with actions:write"
        exit
    }
done
