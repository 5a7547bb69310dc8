#!/usr/bin/env python3
"""`asof api --diff` against the test crates of cargo-semver-checks.

    python3 benches/semver_lints.py ASOF CHECKOUT [--show LINT]

CHECKOUT is a checkout of cargo-semver-checks. Each folder of `test_crates` that is named like a lint
holds an old and a new version of a crate. The snapshot of the lint lists where it reports something;
what is listed for the lint's own pair is the truth of the pair. Asked is, for each such place, whether
the answer has a change at that file and line, or at the path of the item, with at least the level of the
lint. Lints that need a build, or a manifest, are counted apart, by their name.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

# What the sources alone do not say, as docs/diff.md states.
BUILD = re.compile(r"auto_trait|sized_|object_safe|dyn_compat|layout|feature_|manifest|lint")


def git(folder, *args):
    options = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *options, *args], cwd=folder, check=True, capture_output=True)


def pair(folder, old, new):
    for version in (old, new):
        for entry in folder.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(version, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("target"))
        if not (folder / ".git").exists():
            git(folder, "init", "-q")
        git(folder, "add", "-A", "-f")
        git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def expected(snapshot, lint):
    """Places of the lint's own pair: (file, line, name)."""
    text = snapshot.read_text()
    # A section for each pair: `"./test_crates/NAME/": [ {String("span_begin_line"): Uint64(3) … } ]`
    start = text.find(f'"./test_crates/{lint}/"')
    if start < 0:
        return []
    end = text.find('"./test_crates/', start + 5)
    section = text[start : end if end > 0 else len(text)]
    places = []
    for entry in re.split(r"\n    \{|\n  \{|\n        \{", section)[1:]:
        line = re.search(r'"span_begin_line"\)?: (?:Uint64|Int64)\((\d+)\)', entry)
        file = re.search(r'"span_filename"\)?: String\("([^"]+)"\)', entry)
        names = re.findall(r'String\("([A-Za-z_]\w*)"\)', entry)
        if line and file:
            places.append((file.group(1), int(line.group(1)), names))
    return places


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asof")
    parser.add_argument("checkout")
    parser.add_argument("--show")
    args = parser.parse_args()
    root = pathlib.Path(args.checkout)
    asof = str(pathlib.Path(args.asof).resolve())
    outputs = root / "test_outputs" / "query_execution"
    table = collections.Counter()
    by_lint = {}
    for folder in sorted((root / "test_crates").iterdir()):
        lint, snapshot = folder.name, outputs / f"{folder.name}.snap"
        old, new = folder / "old", folder / "new"
        lint_file = root / "src" / "lints" / f"{lint}.ron"
        if not (old.is_dir() and new.is_dir() and snapshot.is_file() and lint_file.is_file()):
            continue
        if args.show and lint != args.show:
            continue
        level = re.search(r"required_update: (\w+)", lint_file.read_text()).group(1).lower()
        places = expected(snapshot, lint)
        with tempfile.TemporaryDirectory() as temporary:
            work = pathlib.Path(temporary)
            pair(work, old, new)
            command = [asof, "-C", str(work), "api", "--diff", "HEAD~1..HEAD", "--format", "json"]
            run = subprocess.run(command, capture_output=True, text=True)
        kind = "needs a build" if BUILD.search(lint) else "sources"
        if run.returncode != 0:
            table[kind, "error"] += 1
            by_lint[lint] = ("error", run.stderr.strip().splitlines()[:1])
            continue
        changes = [c for p in json.loads(run.stdout)["items"] for c in p["changes"]]
        strong = [c for c in changes if c["level"] == "major" or level == "minor"]
        if args.show:
            print(json.dumps(changes, indent=1))
            print(places)
        found = 0
        for file, line, names in places:
            at_place = any(c["file_path"] == file and c["line"] == line for c in strong)
            at_name = any(c["path"].split("::")[-1] in names or c["path"].split("::")[-2] in names for c in strong if "::" in c["path"])
            found += at_place or at_name
        table[kind, "places"] += len(places)
        table[kind, "found"] += found
        table[kind, "pairs"] += 1
        table[kind, "pairs with nothing expected"] += not places
        by_lint[lint] = (f"{found}/{len(places)}", level, kind)
    for lint, result in by_lint.items():
        print(lint, *result)
    for key in sorted(table):
        print(*key, table[key])


main()
