#!/usr/bin/env python3
"""`asof api --diff` against the test crates of cargo-semver-checks.

    python3 benches/semver_lints.py ASOF CHECKOUT [--show PAIR]

CHECKOUT is a checkout of cargo-semver-checks. Each folder of `test_crates` with `old` and `new` is a
pair of versions of a crate; the snapshots of the lints say what each reports about each pair. For each
lint, printed is how many of the items that it reports have a change of at least its level, at the
item or at a member of it. A change of the level `major` that no lint reports, at an item of which none
reports anything, is counted as unreported, by its rule.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile


def git(folder, *args):
    options = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *options, *args], cwd=folder, check=True, capture_output=True)


def commit_both(folder, old, new):
    git(folder, "init", "-q")
    for version in (old, new):
        for entry in folder.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        # With new times: Git takes files of the same size and times for unchanged.
        copied = dict(dirs_exist_ok=True, ignore=shutil.ignore_patterns("target"), copy_function=shutil.copy)
        shutil.copytree(version, folder, **copied)
        git(folder, "add", "-A", "-f")
        git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def reported(text):
    """What a snapshot reports: pair -> paths."""
    found = collections.defaultdict(list)
    for section in re.split(r'"\./test_crates/', text)[1:]:
        pair = section.split("/", 1)[0]
        for path in re.findall(r'"path": List\(\[([^\]]*)\]\)', section):
            found[pair].append("::".join(re.findall(r'String\("([^"]*)"\)', path)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asof")
    parser.add_argument("checkout")
    parser.add_argument("--show")
    args = parser.parse_args()
    root = pathlib.Path(args.checkout)
    asof = str(pathlib.Path(args.asof).resolve())
    truth = collections.defaultdict(dict)
    for snapshot in sorted((root / "test_outputs" / "query_execution").glob("*.snap")):
        lint_file = root / "src" / "lints" / f"{snapshot.stem}.ron"
        if not lint_file.is_file():
            continue
        level = re.search(r"required_update: (\w+)", lint_file.read_text()).group(1).lower()
        for pair, paths in reported(snapshot.read_text()).items():
            truth[pair][snapshot.stem] = (level, paths)
    lints = collections.defaultdict(lambda: [0, 0])
    unreported = collections.Counter()
    majors = pairs = errors = 0
    for folder in sorted((root / "test_crates").iterdir()):
        pair, old, new = folder.name, folder / "old", folder / "new"
        if not (old.is_dir() and new.is_dir()) or args.show not in (None, pair):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            work = pathlib.Path(temporary)
            commit_both(work, old, new)
            command = [asof, "-C", str(work), "api", "--diff", "HEAD~1..HEAD", "--full", "--format", "json"]
            run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            errors += 1
            print("error", pair, run.stderr.strip().splitlines()[:1])
            continue
        pairs += 1
        changes = [c for p in json.loads(run.stdout)["items"] for c in p["changes"]]
        every = set()
        for lint, (level, paths) in truth[pair].items():
            strong = [c["path"] for c in changes if c["level"] == "major" or level == "minor"]
            for path in paths:
                every.add(path)
                hit = any(c == path or c.startswith(path + "::") for c in strong)
                lints[lint, level][0] += hit
                lints[lint, level][1] += 1
                if args.show and not hit:
                    print("missed", lint, level, path)
        for change in changes:
            if change["level"] != "major":
                continue
            majors += 1
            path = change["path"]
            known = any(path == p or path.startswith(p + "::") or p.startswith(path + "::") for p in every)
            if not known:
                unreported[change["rule"].split(" ")[0]] += 1
                if args.show:
                    print("unreported", json.dumps(change))
    found = total = 0
    for (lint, level), (hits, all_) in sorted(lints.items(), key=lambda x: x[1][0] - x[1][1]):
        print(f"{hits:4}/{all_:<4} {level:5} {lint}")
        found, total = found + hits, total + all_
    print(f"{found} of {total} reports found, {pairs} pairs, {errors} errors")
    print(f"{sum(unreported.values())} of {majors} major changes unreported:", dict(unreported))


main()
