#!/usr/bin/env bash
# Installs the release $VERSION of $REPOSITORY into a folder and adds that to the PATH of later
# steps. `latest` is the newest release. Without a version, it only tells whether $ASOF is there.
set -euo pipefail

if [ -z "${VERSION:-}" ]; then
    command -v "${ASOF:-asof}" > /dev/null || {
        echo "::error::there is no program ${ASOF:-asof}: give a version, or install it in an earlier step"
        exit 1
    }
    exit
fi
if [ "$VERSION" = latest ]; then
    VERSION=$(gh release view --repo "$REPOSITORY" --json tagName --jq .tagName)
fi
version=${VERSION#v}
case $(uname -s)-$(uname -m) in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) echo "::error::no release of asof runs on $(uname -s) $(uname -m)"; exit 1 ;;
esac
name=asof-$target-v$version
folder=${RUNNER_TEMP:?}/asof-$version
mkdir -p "$folder"
cd "$folder"
gh release download "v$version" --repo "$REPOSITORY" --clobber \
    --pattern "$name.tar.gz" --pattern "$name.tar.gz.sha256"
# The checksum tells a damaged file; who built it, the attestation.
{ sha256sum --check --quiet "$name.tar.gz.sha256" 2> /dev/null || shasum -a 256 --check --quiet "$name.tar.gz.sha256"; } ||
    { echo "::error::$name.tar.gz is damaged"; exit 1; }
gh attestation verify "$name.tar.gz" --repo "$REPOSITORY"
tar -xzf "$name.tar.gz"
echo "$folder/$name" >> "$GITHUB_PATH"
