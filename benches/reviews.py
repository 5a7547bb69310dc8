#!/usr/bin/env python3
"""How much of the commits that people made `asof review` proves, and what it takes.

    benches/reviews.py ASOF REPOSITORY... [--sample N] [--last N] [--files N] [--seed N] [--large N]

REPOSITORY is a Git repository with its history; ASOF is the program. Of the commits with one parent
among the last ones that change Rust files, a seeded sample is reviewed, in a clone without a database:
the share of changed items that are proven, by lines of the Rust diff. `--files` asks for commits of at
least so many Rust files. With `--large`, the commits with most files are reviewed, each in a workspace that is indexed
at it, and the time is compared with that of the index, which is a cold one. Interrupted, it prints the figures so far.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import subprocess
import tempfile
import time

BINS = [20, 100, 500, None]


def git(repo, *args):
    done = subprocess.run(["git", "-C", str(repo), *args], capture_output=True)
    return done.stdout.decode(errors="replace")


def commits(repo, last, least):
    """Commits with one parent: hash, Rust files and lines of the Rust diff."""
    log = git(repo, "log", f"--max-count={last}", "--no-merges", "--numstat", "--format=%x00%H %P",
              "--", "*.rs")
    for part in log.split("\0")[1:]:
        head, *rows = part.strip().splitlines()
        rows = [row.split("\t") for row in rows if row]
        rows = [row for row in rows if row[0].isdigit()]
        if len(head.split()) == 2 and len(rows) >= least:
            yield head.split()[0], len(rows), sum(int(row[0]) + int(row[1]) for row in rows)


def run(args, folder, *words):
    started = time.time()
    done = subprocess.run([args.asof, "--root", str(folder), *words, "--quiet"], capture_output=True,
                          timeout=300)
    return done, time.time() - started


def timed(args, folder, *words):
    """Seconds of the clock, and of the processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = run(args, folder, *words)[1]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def label(lines):
    for at, most in enumerate(BINS):
        if most is None or lines <= most:
            least = BINS[at - 1] + 1 if at else 1
            return f"{least:>4} to {most}" if most else f"from {least}"


def add(figures, name, counts, lines):
    one = figures.setdefault(name, collections.Counter())
    one["commits"] += 1
    one["changed"] += counts["changed"]
    one["proven"] += counts["proven"]
    one["lines"] += lines
    one["all proven"] += counts["changed"] > 0 and counts["read"] == 0


def show(figures):
    for name in sorted(figures):
        one = figures[name]
        share = one["proven"] / one["changed"] if one["changed"] else 0
        print(f"  {name}: {one['commits']} commits, {one['proven']} of {one['changed']} items proven "
              f"({share:.2f}), {one['all proven']} commits as a whole; {one['lines']} lines")


def review(args, clone, commit, figures, reasons, lines):
    done, took = run(args, clone, "review", f"{commit}~1..{commit}", "--format", "json")
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        print(f"  failed: {commit[:10]}: {done.stderr.decode(errors='replace').strip()[:200]}")
        return None
    summary = found["summary"]
    names = ["changed", "proven", "read"]
    counts = {name: summary[name] + summary["tests"][name] for name in names}
    for name in (label(lines), "all"):
        add(figures, name, counts, lines)
    for one in found["read"]:
        reasons.update({f"read: {reason['reason']}" for reason in one["reasons"]})
    for one in found["proven"]:
        reasons.update({f"proven: {what}" for what in one["what"][:1]})
    return took


def large(args, clone, every):
    for commit, files, lines in sorted(every, key=lambda one: -one[1])[:args.large]:
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "state"
            git(".", "clone", "-q", "--shared", str(clone), str(state))
            git(state, "checkout", "-q", commit)
            cold, cold_cpu = timed(args, state, "index")
            took, cpu = timed(args, state, "review", "HEAD~1..HEAD", "--format", "json")
        print(f"  {commit[:10]}: {files} files, {lines} lines: review {took:.2f} s, cold index {cold:.2f} s, "
              f"ratio {took / cold:.2f}; of processors {cpu:.2f}, {cold_cpu:.2f}, {cpu / cold_cpu:.2f}",
              flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("asof")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--sample", type=int, default=20, help="commits of a repository")
    parser.add_argument("--last", type=int, default=1000)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.asof = str(pathlib.Path(args.asof).resolve())
    figures, reasons, times = {}, collections.Counter(), []
    try:
        for repo in args.repositories:
            every = list(commits(repo, args.last, args.files))
            chosen = random.Random(args.seed).sample(every, min(args.sample, len(every)))
            print(f"{repo}: {len(chosen)} of {len(every)} commits", flush=True)
            with tempfile.TemporaryDirectory() as folder:
                clone = pathlib.Path(folder) / "clone"
                git(".", "clone", "-q", "--shared", str(pathlib.Path(repo).resolve()), str(clone))
                for commit, _, lines in chosen:
                    took = review(args, clone, commit, figures, reasons, lines)
                    times += [took] if took else []
                large(args, clone, every)
    finally:
        show(figures)
        print("  " + ", ".join(f"{name} {count}" for name, count in reasons.most_common()))
        if times:
            times.sort()
            print(f"  seconds of a review: median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}")


if __name__ == "__main__":
    main()
