#!/usr/bin/env python3
"""Compares `asof diff` of commits without a database with the answers after an import.

    python3 benches/diff_pairs.py --asof target/release/asof --pairs 150 REPOSITORY ...

Each repository is cloned twice below a temporary folder. In one clone the newest commits are
imported, in the other none. Prints how many pairs of neighbouring commits have equal answers (items
with ids, classes and patches, and the summary), the items of each unequal pair, and the CPU time of
the answers without a database. Exits with 1 if a pair is unequal.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def run(command, cwd):
    """Standard output and CPU seconds of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{command} in {cwd}: {done.stderr.strip()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, cpu


def facts(asof, cwd, pair):
    """What a difference says, without its basis and the time that it took."""
    options = ["--all", "--patch", "-n", "0", "-q", "--format", "json", "--no-refresh"]
    text, cpu = run([asof, "diff", *pair, *options], cwd)
    answer = json.loads(text)
    return (answer["items"], answer["summary"], answer["folded"]), cpu


def unequal(one, other):
    """Paths of items that only one of two answers has."""
    texts = [{json.dumps(item, sort_keys=True) for item in answer[0]} for answer in (one, other)]
    return sorted({json.loads(item)["path"] for item in texts[0] ^ texts[1]})


def compare(asof, repository, pairs, work):
    name = Path(repository).resolve().name
    bare, imported = work / f"{name}-a" / "clone", work / f"{name}-b" / "clone"
    for clone in (bare, imported):
        clone.parent.mkdir()
        run(["git", "clone", "--quiet", str(Path(repository).resolve()), str(clone)], work)
    run([asof, "index", "--history", "--max", str(pairs + 1), "-q"], imported)
    line, _ = run(["git", "rev-list", "--first-parent", "--max-count", str(pairs + 1), "HEAD"], bare)
    commits = line.split()
    equal, items, seconds = 0, 0, []
    for later, earlier in zip(commits, commits[1:]):
        without, cpu = facts(asof, bare, (earlier, later))
        with_database, _ = facts(asof, imported, (earlier, later))
        seconds.append(cpu)
        items += len(without[0])
        if without == with_database:
            equal += 1
        else:
            print(f"{earlier[:10]}..{later[:10]}: {unequal(without, with_database)}")
    whole, cpu = facts(asof, bare, (commits[min(50, len(commits) - 1)], commits[0]))
    print(
        f"{name}: {equal} of {len(seconds)} pairs equal, {items} items; CPU s: "
        f"median {statistics.median(seconds):.2f}, {cpu:.2f} over 50 commits ({len(whole[0])} items)"
    )
    return equal == len(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--asof", required=True)
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("repositories", nargs="+")
    args = parser.parse_args()
    asof = str(Path(args.asof).resolve())
    with tempfile.TemporaryDirectory() as work:
        done = [compare(asof, r, args.pairs, Path(work)) for r in args.repositories]
    sys.exit(0 if all(done) else 1)


if __name__ == "__main__":
    main()
