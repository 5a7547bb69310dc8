#!/usr/bin/env python3
"""Which packages `asof affected` selects: how many, and whether it misses one that a change breaks.

    benches/affected.py commits ASOF REPOSITORY [--commits N] [--seed N] [--head REVISION]
    benches/affected.py mutants ASOF WORKSPACE [--mutants N] [--seed N] [--seconds N]

`commits` compares, for a sample of the commits before REVISION with one parent, the share of packages
that `asof affected C^..C` selects with that of the usual rule: the packages with a changed file, and
what depends on them directly or not; all packages if the manifest or the lock file of the root
differs, none for other files outside of every package.

`mutants` writes one mutant at a time (see mutants.py) to a library of a clean checkout of a workspace.
`cargo test --workspace --no-fail-fast` tells which targets fail, and each must be selected by
`asof affected HEAD`. The checkout is as before afterwards.
"""

import argparse
import fnmatch
import json
import pathlib
import random
import re
import statistics
import subprocess
import time
import tomllib

import mutants as single


def git(root, *args):
    return subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=True).stdout


def packages(root, commit):
    """Name and folders of dependencies of each member, by folder."""
    listed = git(root, "ls-tree", "-r", "--name-only", commit).splitlines()
    folders = {str(pathlib.PurePosixPath(path).parent) for path in listed if path.split("/")[-1] == "Cargo.toml"}
    read = lambda folder: tomllib.loads(git(root, "show", f"{commit}:{pathlib.PurePosixPath(folder) / 'Cargo.toml'}"))
    top = read(".")
    workspace = top.get("workspace", {})
    patterns = [pattern.strip("/").removeprefix("./") for pattern in workspace.get("members", [])]
    excluded = [path.strip("/") for path in workspace.get("exclude", [])]
    members = {folder for folder in folders for pattern in patterns
               if fnmatch.fnmatch(folder, pattern) and folder.count("/") == pattern.count("/")}
    members = {folder for folder in members if folder in patterns or folder not in excluded}
    if "package" in top:
        members.add(".")
    found = {}
    for folder in members:
        manifest = read(folder)
        tables = [manifest, *manifest.get("target", {}).values()]
        kinds = ("dependencies", "dev-dependencies", "build-dependencies")
        entries = {key: entry for table in tables for kind in kinds for key, entry in table.get(kind, {}).items()}
        uses = set()
        for key, entry in entries.items():
            base = folder
            if isinstance(entry, dict) and entry.get("workspace"):
                base, entry = ".", workspace.get("dependencies", {}).get(key, {})
            if isinstance(entry, dict) and "path" in entry:
                uses.add(str(pathlib.PurePosixPath(*normal(base, entry["path"]))))
        found[folder] = (manifest["package"]["name"], uses)
    return found


def normal(base, path):
    parts = []
    for part in [*pathlib.PurePosixPath(base).parts, *pathlib.PurePosixPath(path).parts]:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return parts


def usual(root, known, commit):
    """The names of the changed packages and of all that depend on them."""
    changed = set()
    for path in git(root, "diff", "--name-only", "--no-renames", f"{commit}^", commit).splitlines():
        if path in ("Cargo.toml", "Cargo.lock"):
            return {name for name, _ in known.values()}
        above = [str(folder) for folder in pathlib.PurePosixPath(path).parents]
        changed |= set(next(([folder] for folder in above if folder in known), []))
    while more := {folder for folder, (_, uses) in known.items() if uses & changed} - changed:
        changed |= more
    return {known[folder][0] for folder in changed}


def ask(asof, root, commits):
    command = [asof, "affected", commits, "--format", "json", "-q"]
    began = time.monotonic()
    answer = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(f"{commits}: {answer.stderr}")
    return json.loads(answer.stdout), time.monotonic() - began


def measure_commits(given):
    listed = git(given.root, "rev-list", "--min-parents=1", "--max-parents=1", "--first-parent",
                 "--max-count=1000", given.head).split()
    sample = random.Random(given.seed).sample(listed, min(given.commits, len(listed)))
    ours, theirs, targets, seconds, more = [], [], [], [], 0
    for commit in sample:
        known = packages(given.root, commit)
        found, took = ask(given.asof, given.root, f"{commit}^..{commit}")
        if found["packages"] != len(known):
            print(f"{commit[:9]}: {found['packages']} packages, not {len(known)}")
        names = {item["package"] for item in found["items"]}
        other = usual(given.root, known, commit)
        ours.append(len(names) / len(known))
        theirs.append(len(other) / len(known))
        targets.append(found["selected_targets"] / max(found["targets"], 1))
        seconds.append(took)
        more += not names <= other
        print(f"{commit[:9]}  {len(names):3} of {len(known)}, usual {len(other):3}  {took:.1f} s", flush=True)
    show = lambda shares: f"median {statistics.median(shares):.0%}, mean {statistics.mean(shares):.0%}"
    print(f"{len(sample)} commits: packages {show(ours)}; usual {show(theirs)}; targets {show(targets)}; "
          f"{more} with one that the usual rule leaves out; median {statistics.median(seconds):.1f} s")


def run_tests(root, seconds):
    """The targets that fail: package folder or crate, kind, name; `None` if nothing can be said."""
    command = ["cargo", "test", "--workspace", "--no-fail-fast", "--offline"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    output = done.stdout + done.stderr
    if done.returncode and "could not compile" in output:
        return None
    return set(re.findall(r"^    `-p (\S+) --(lib|doc|bin \S+|test \S+|example \S+)`$", output, re.M))


def measure_mutants(given):
    if run_tests(given.root, 3600) != set():
        raise SystemExit("the tests do not pass as they are")
    found = []
    for manifest in sorted(given.root.rglob("Cargo.toml")):
        if "target" not in manifest.parts and (manifest.parent / "src").is_dir():
            found += single.mutants(manifest.parent)
    random.Random(given.seed).shuffle(found)
    began, counted, missed, shares = time.monotonic(), 0, 0, []
    for path, start, end, new in found:
        if counted == given.mutants or time.monotonic() - began > given.seconds:
            break
        before = path.read_text()
        lines = before.split("\n")
        path.write_text("\n".join(lines[:start] + new + lines[end:]))
        try:
            failed = run_tests(given.root, 300)
            answer = ask(given.asof, given.root, "HEAD")[0] if failed else None
        finally:
            path.write_text(before)
        if not failed:
            continue
        selected = {(item["package"], target["kind"] + ("" if target["kind"] in ("lib", "doc") else " " + target["name"]))
                    for item in answer["items"] for target in item["targets"]}
        left_out = failed - {(package, kind.replace("proc_macro", "lib")) for package, kind in selected}
        counted, missed = counted + 1, missed + bool(left_out)
        shares.append(answer["selected_targets"] / answer["targets"])
        place = f"{path.relative_to(given.root)}:{start + 1}"
        print(f"{counted:4} {place}: {len(failed)} fail, {shares[-1]:.0%} selected", flush=True)
        if left_out:
            print(f"missed: {place}: {new[0].strip()}: {sorted(left_out)}", flush=True)
    if shares:
        print(f"{counted} mutants, {missed} missed; targets selected: median "
              f"{statistics.median(shares):.0%}, mean {statistics.mean(shares):.0%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    kinds = parser.add_subparsers(required=True)
    for name, run in [("commits", measure_commits), ("mutants", measure_mutants)]:
        kind = kinds.add_parser(name)
        kind.add_argument("asof")
        kind.add_argument("root", type=lambda path: pathlib.Path(path).resolve())
        kind.add_argument("--seed", type=int, default=1)
        kind.set_defaults(run=run)
    kinds.choices["commits"].add_argument("--commits", type=int, default=100)
    kinds.choices["commits"].add_argument("--head", default="HEAD")
    kinds.choices["mutants"].add_argument("--mutants", type=int, default=60, help="that a test notices")
    kinds.choices["mutants"].add_argument("--seconds", type=int, default=600)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
