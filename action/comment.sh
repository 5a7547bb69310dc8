#!/usr/bin/env bash
# Comments the pull request $NUMBER of $REPOSITORY with what is left to read of it, and the items that
# differ between $HEAD and the commit where it left $BASE. A second run replaces the comment of the first.
set -euo pipefail

asof=${ASOF:-asof}
# A comment has at most 65,536 characters.
limit=60000
mark='<!-- asof diff -->'
text=$(mktemp)
review=$(mktemp)
trap 'rm -f "$text" "$review"' EXIT

base=$(git merge-base "$BASE" "$HEAD")
# The diff is of all items, so the review has none; a third of the comment is for it.
if [ "${REVIEW:-true}" = true ]; then
    { "$asof" review "$base..$HEAD" --format markdown --quiet && echo; } > "$review"
    if [ "$(wc -c < "$review")" -gt $((limit / 3)) ]; then
        first=$(head -n 1 "$review")
        printf '%s\n\nThe list does not fit into a comment: `asof review %s..%s`\n\n' \
            "$first" "${base:0:10}" "${HEAD:0:10}" > "$review"
    fi
fi
write() {
    { echo "$mark"; cat "$review"; "$asof" diff "$base" "$HEAD" --format markdown --quiet "$@"; } > "$text"
    [ "$(wc -c < "$text")" -le "$limit" ]
}
if [ "${PATCH:-true}" != true ] || ! write --patch --limit 0; then
    # The longest form that fits.
    write --limit 0 || write --limit 200 || write --limit 50 || write --limit 10
fi

comments="repos/$REPOSITORY/issues/$NUMBER/comments"
known=$(gh api "$comments" --paginate --jq ".[] | select(.body | startswith(\"$mark\")) | .id")
known=${known%%$'\n'*}
if [ -n "$known" ]; then
    gh api "repos/$REPOSITORY/issues/comments/$known" --method PATCH -F "body=@$text" > /dev/null
else
    gh api "$comments" --method POST -F "body=@$text" > /dev/null
fi
