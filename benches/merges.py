#!/usr/bin/env python3
"""How `asof merge` does on the merges that people made, beside Git.

    benches/merges.py ASOF REPOSITORY... [--last N] [--sample N] [--predict N] [--again N]
                     [--check N] [--minutes N] [--seed N]

REPOSITORY is a Git repository with its history; ASOF is the program. Of the merges with two parents
among the last N commits, a seeded sample is taken. Each Rust file that both sides changed is merged by
`git merge-file` (with the algorithm of `git merge`) and by `asof merge`, and compared with what was
committed. A *regression* is a file that Git merges cleanly and for which the bytes are others, or the
merge is called a conflict although Git's bytes were committed. With `--predict`, `asof merge --predict`
is asked about so many of the merges, in a clone: conflicts of names that it lists in merges whose files
were committed as Git merged them are *alarms*, to be looked at. With `--again`, so many merges of Rust
files that both sides changed are made by `git merge` in a clone, with and without the driver: where Git is
clean, another tree is a regression. With `--check`, so many merges of which both sides change Rust files are
made by `git merge` with and without the driver, and `cargo check --workspace --all-targets` says which of the
trees build, beside the one that people committed. Merges of which the committed tree does not build with the
toolchain and the dependencies of this machine are not counted. All checks of a repository share a target folder;
dependencies come from Cargo's cache and registry. No check begins after `--minutes`.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time


def git(repo, *args):
    return subprocess.run(["git", "-C", str(repo), *args], capture_output=True).stdout


def lines(repo, *args):
    return git(repo, *args).decode(errors="replace").splitlines()


def changed(repo, base, side):
    """Rust files that differ, with both blobs, where both have the file."""
    found = {}
    for line in lines(repo, "diff", "--raw", "--no-renames", "--abbrev=40", base, side):
        head, path = line.split("\t", 1)
        fields = head.split()
        if path.endswith(".rs") and fields[4] == "M":
            found[path] = (fields[2], fields[3])
    return found


def merges(repo, last):
    """Merges with two parents and one base: commit, both parents, base."""
    for line in lines(repo, "rev-list", "--merges", "--parents", f"--max-count={last}", "HEAD"):
        commit, *parents = line.split()
        if len(parents) != 2:
            continue
        bases = lines(repo, "merge-base", "--all", *parents)
        if len(bases) == 1 and bases[0] not in parents:
            yield commit, *parents, bases[0]


def merge_files(args, repo, found, counts):
    """Merges the files that both sides of a merge changed; whether all were committed as merged."""
    commit, ours, theirs, base = found
    mine, others = changed(repo, base, ours), changed(repo, base, theirs)
    as_merged = True
    for path in sorted(mine.keys() & others.keys()):
        if mine[path][1] == others[path][1]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            blobs = {"base": mine[path][0], "ours": mine[path][1], "theirs": others[path][1]}
            for name, blob in blobs.items():
                (folder / f"{name}.rs").write_bytes(git(repo, "cat-file", "blob", blob))
            names = ["ours.rs", "base.rs", "theirs.rs"]
            by_git = subprocess.run(["git", "merge-file", "-p", "--diff-algorithm=histogram", *names],
                                    cwd=folder, capture_output=True)
            program = [args.asof, "merge", "base.rs", "ours.rs", "theirs.rs", "--print", "--path", path]
            by_asof = subprocess.run(program, cwd=folder, capture_output=True)
        real = git(repo, "cat-file", "blob", f"{commit}:{path}")
        is_git, is_asof = by_git.returncode == 0, by_asof.returncode == 0
        counts["files"] += 1
        as_merged &= by_asof.stdout == real
        if is_git:
            counts["git clean"] += 1
            counts["git clean, as committed"] += by_git.stdout == real
            if by_asof.stdout != by_git.stdout or (not is_asof and by_git.stdout == real):
                counts["REGRESSIONS"] += 1
                print(f"  regression: {commit[:10]} {path}: {by_asof.stderr.decode().strip()}")
            elif not is_asof:
                counts["git clean, called a conflict"] += 1
                print(f"  called a conflict: {commit[:10]} {path}: {by_asof.stderr.decode().strip()}")
        elif is_asof:
            counts["git conflict, ours clean"] += 1
            counts["git conflict, ours as committed"] += by_asof.stdout == real
            if by_asof.stdout != real:
                print(f"  other than committed: {commit[:10]} {path}")
        else:
            counts["both conflict"] += 1
            sizes = [text.count(b"\n<<<<<<< ") for text in (by_asof.stdout, by_git.stdout)]
            counts["both conflict, ours fewer"] += sizes[0] < sizes[1]
    return as_merged


def predict(args, repo, found, as_merged, counts, times):
    _, ours, theirs, _ = found
    started = time.time()
    program = [args.asof, "--root", str(repo), "merge", "--predict", theirs, "--into", ours,
               "--format", "json", "--quiet"]
    try:
        done = subprocess.run(program, capture_output=True, timeout=300)
        answer = json.loads(done.stdout)
    except (json.JSONDecodeError, subprocess.TimeoutExpired) as error:
        counts["failed predictions"] += 1
        print(f"  failed: {found[0][:10]}: {str(error)[:200]}")
        return
    times.append(time.time() - started)
    counts["predictions"] += 1
    counts["uses that follow a rename"] += answer["summary"]["adapted"]
    counts["predictions with conflicts of names"] += bool(answer["semantic"])
    for one in answer["semantic"] if as_merged else []:
        counts["alarms"] += 1
        print(f"  alarm: {found[0][:10]} {one['file_path']}:{one['line']} {one['kind']} "
              f"{one['name']}: {one['was']} | {one['is']}")


def checkout(clone, commit):
    for line in (["merge", "--abort"], ["reset", "-q", "--hard"], ["clean", "-fdqx", "-e", ".asof"],
                 ["checkout", "-q", "--detach", commit]):
        git(clone, *line)


def tree(args, clone, ours, theirs, option):
    """The tree of a merge made by Git; none if it has conflicts."""
    checkout(clone, ours)
    subprocess.run([args.asof, "--root", str(clone), "merge", option], capture_output=True)
    names = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    git(clone, *names, "merge", "--no-edit", theirs)
    is_merged = git(clone, "log", "-1", "--format=%P").decode().split() == [ours, theirs]
    return git(clone, "rev-parse", "HEAD^{tree}") if is_merged else None


def again(args, clone, found, counts):
    commit, ours, theirs, _ = found
    by_git, by_asof = (tree(args, clone, ours, theirs, option) for option in ("--uninstall", "--install"))
    counts["made again"] += 1
    counts["made again, Git clean"] += by_git is not None
    counts["made again, only ours clean"] += by_git is None and by_asof is not None
    if by_git is not None and by_asof != by_git:
        counts["REGRESSIONS"] += 1
        print(f"  regression: {commit[:10]} made again")


def builds(clone, target):
    """Why the tree that is checked out does not build; none if it does."""
    program = ["cargo", "check", "--workspace", "--all-targets", "--quiet", "--color", "never"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": "--cap-lints=warn"}
    try:
        done = subprocess.run(program, cwd=clone, env=environment, capture_output=True, timeout=900)
    except subprocess.TimeoutExpired:
        return "no end after 15 minutes"
    errors = [line for line in done.stderr.decode(errors="replace").splitlines()
              if line.startswith("error")]
    return (errors or ["error"])[0] if done.returncode else None


def check(args, clone, target, found, counts):
    """Which trees of a merge build: what people committed, what Git merges, and what we do."""
    commit, ours, theirs, _ = found
    checkout(clone, commit)
    known = {git(clone, "rev-parse", "HEAD^{tree}"): builds(clone, target)}
    (committed, why), = known.items()
    if why:
        counts["check: the committed tree does not build here"] += 1
        return
    counts["checked"] += 1
    for name, option in (("Git", "--uninstall"), ("ours", "--install")):
        merged = tree(args, clone, ours, theirs, option)
        if merged is None:
            counts[f"checked, {name}: conflict"] += 1
            continue
        if merged not in known:
            known[merged] = builds(clone, target)
        as_committed = "as committed" if merged == committed else "another tree"
        result = "does not build" if known[merged] else f"builds, {as_committed}"
        counts[f"checked, {name}: {result}"] += 1
        if known[merged]:
            print(f"  does not build: {commit[:10]} merged by {name}: {known[merged]}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("asof")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--last", type=int, default=2000, help="merges of a repository")
    parser.add_argument("--sample", type=int, default=60, help="of these, taken by the seed")
    parser.add_argument("--predict", type=int, default=0, help="predictions of a repository")
    parser.add_argument("--again", type=int, default=0, help="merges made again by git merge")
    parser.add_argument("--check", type=int, default=0, help="merges of which the trees are built")
    parser.add_argument("--minutes", type=float, default=1e9, help="when the last check may begin")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.asof = str(pathlib.Path(args.asof).resolve())
    total, started = collections.Counter(), time.time()
    for repo in args.repositories:
        counts, times = collections.Counter(), []
        every = list(merges(repo, args.last))
        rng = random.Random(args.seed)
        chosen = rng.sample(every, min(args.sample, len(every)))
        print(f"{repo}: {len(chosen)} of {len(every)} merges", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            clone = pathlib.Path(folder) / "clone"
            target = pathlib.Path(folder) / "target"
            if args.predict or args.again or args.check:
                git(".", "clone", "-q", "--shared", str(pathlib.Path(repo).resolve()), str(clone))
            for number, one in enumerate(chosen):
                as_merged = merge_files(args, repo, one, counts)
                if number < args.predict:
                    predict(args, clone, one, as_merged, counts, times)
                _, ours, theirs, base = one
                both = changed(repo, base, ours).keys() & changed(repo, base, theirs).keys()
                if both and counts["made again"] < args.again:
                    again(args, clone, one, counts)
                is_in_time = time.time() - started < 60 * args.minutes
                each = changed(repo, base, ours) and changed(repo, base, theirs)
                if each and counts["checked"] < args.check and is_in_time:
                    check(args, clone, target, one, counts)
        counts["merges"] = len(chosen)
        for name in sorted(counts):
            print(f"  {name}: {counts[name]}")
        if times:
            times.sort()
            print(f"  seconds of a prediction: median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}")
        total.update(counts)
    print("all")
    for name in sorted(total):
        print(f"  {name}: {total[name]}")


if __name__ == "__main__":
    main()
