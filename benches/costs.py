#!/usr/bin/env python3
"""Where the time of imported commits goes, by phase.

    benches/costs.py ASOF REPOSITORY [--max N] [--out FILE]

REPOSITORY is cloned into a temporary folder and stays as it is. `asof index --history --max N` runs
there with `ASOF_LOG`. Printed are the milliseconds from one commit to the next, of each but the first, which
is a cold index; and those of spans: how long one was busy, less the spans in it. The counters are those
of the event `resolved again`: files and bodies that were resolved again, and how many of them differ. What `lookahead` and `prepare` do runs beside the commits before, as do parts of
`parse` and `expand`, and `matches` beside those that follow, so the spans of a commit may take longer than the commit. `--out` adds a line of JSON
for each commit.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

LEVELS = "asof_engine=debug,asof_index=debug,asof_resolve=debug,asof_query=debug,asof_store=debug"
LINE = re.compile(r"^\S+ +DEBUG (.*?): (asof_\w+)(?:::\w+)*: (.*)$")
BUSY = re.compile(r"close time\.busy=([\d.]+)(ns|µs|ms|s) ")
COUNTS = re.compile(r"(\w+)=(\d+)")
WAITING = ("commit", "refresh", "wide")
# On threads of their own: those that resolve the next commits, for which a commit waits in `next_state`,
# and matches of the commits before.
BESIDE = ("lookahead", "prepare", "matches")
# What is done for `prepare` on threads of a pool.
PREPARED = ("item_index", "library_index")
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0, "s": 1e3}


def names(path):
    """The spans around, outermost first, without their fields; programs by their names."""
    path = re.sub(r'program\{name="([^"]*)"', r"\1{", path)
    path = re.sub(r"\{[^{}]*\}", "", path)
    return tuple(part.strip() for part in path.split(":") if part.strip())


def commits(lines):
    """For each commit, milliseconds by span, and the counters. `whole`: from one commit to the next."""
    busy, counts, whole = collections.Counter(), collections.Counter(), 0.0
    for line in lines:
        found = LINE.match(line)
        if not found:
            continue
        path, _, rest = found.groups()
        spans = names(path)
        if "resolved again" in rest:
            counts.update({name: int(number) for name, number in COUNTS.findall(rest)})
            continue
        close = BUSY.match(rest)
        if not close or not spans:
            continue
        ms = float(close[1]) * UNITS[close[2]]
        if spans[0] in PREPARED:
            spans = ("prepare", *spans)
        busy[spans] += ms
        if spans in (("commit",), ("next_state",)):
            whole += ms
        # On another thread, for which the refresh waits.
        is_root = len(spans) == 1 and spans[0] in ("commit", "next_state", *BESIDE)
        around = spans[:-1] if is_root or len(spans) > 1 else WAITING
        if around:
            busy[around] -= ms
        if spans == ("commit",):
            own = collections.Counter(whole=whole)
            for at, time in busy.items():
                own[f"{at[0]}: {at[-1]}" if at[0] in BESIDE else at[-1]] += time
            yield own, counts
            busy, counts, whole = collections.Counter(), collections.Counter(), 0.0


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    args.add_argument("asof", type=pathlib.Path)
    args.add_argument("repository", type=pathlib.Path)
    args.add_argument("--max", type=int, default=200)
    args.add_argument("--out", type=pathlib.Path)
    args = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", "--shared", args.repository, clone], check=True)
        command = [args.asof.resolve(), "-q", "-C", clone, "index", "--history", "--max", str(args.max)]
        run = subprocess.run(command, env={"ASOF_LOG": LEVELS, "PATH": "/usr/bin:/bin"},
                             stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        if run.returncode:
            sys.exit(run.stderr[-2000:])
        found = list(commits(run.stderr.splitlines()))
    if len(found) < 2:
        sys.exit("no commit was imported after the first")
    first, rest = found[0], found[1:]
    if args.out:
        with args.out.open("a") as out:
            for own, counts in rest:
                out.write(json.dumps({"ms": own, "counts": counts}) + "\n")
    total = first[0].pop("whole")
    each = [own.pop("whole") for own, _ in rest]
    print(f"cold {total:.0f} ms; {len(rest)} commits: mean {statistics.mean(each):.1f} ms "
          f"({statistics.mean(each) / total:.3f} of it), median {statistics.median(each):.1f}, "
          f"most {max(each):.0f}")
    phases = collections.Counter()
    counts = collections.Counter()
    for own, counted in rest:
        phases.update(own)
        counts.update(counted)
    for phase, time in phases.most_common(24):
        print(f"{phase:<24}{time / len(rest):>10.2f} ms{time / sum(each):>8.1%}")
    for name in ("files", "bodies"):
        if counts[name]:
            differing = max(counts[f"differing_{name}"], 1)
            print(f"{name} resolved again: {counts[name]}, differing: {counts[f'differing_{name}']} "
                  f"({counts[name] / differing:.1f} : 1)")


if __name__ == "__main__":
    main()
