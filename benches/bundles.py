#!/usr/bin/env python3
"""A first index that begins with a bundle, against one that parses every file.

    benches/bundles.py ASOF REPOSITORY... [--back 0,1,10,100] [--runs N]

Each REPOSITORY is a Git repository, bare or not; it is cloned. For each number of commits back along
first parents, the bundle of that commit is made, and both ways of indexing HEAD run in turn, each in a
folder without a database: medians of N runs of wall and processor time, and their ratios to the cold
index of the same turn. Then what it costs to make a bundle. Standard library only.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time


def git(root, *args):
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def measure(command, root):
    """Wall and processor seconds of a command that succeeds."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{command} failed")
    return wall, usage.ru_utime + usage.ru_stime


def median(pairs):
    return [statistics.median(column) for column in zip(*pairs)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("asof")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--back", default="0,1,10,100")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    asof = str(pathlib.Path(args.asof).resolve())
    print("repository  back  differ  bundle   way         wall s   CPU s   wall ratio  CPU ratio")
    for source in args.repositories:
        source = pathlib.Path(source).resolve()
        name = source.name if source.name != "repo" else source.parent.name.split("+")[-1]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / name
            subprocess.run(["git", "clone", "-q", str(source), str(root)], check=True)
            state = root / ".asof"

            def index(*more):
                shutil.rmtree(state, ignore_errors=True)
                return measure([asof, "index", "-q", *more], root)

            for back in map(int, args.back.split(",")):
                bundle = pathlib.Path(folder) / f"{back}.bundle"
                shutil.rmtree(state, ignore_errors=True)
                subprocess.run([asof, "backup", "bundle", "-q", str(bundle), "--commit", f"HEAD~{back}"],
                               cwd=root, check=True, stdout=subprocess.DEVNULL)
                differ = len(git(root, "diff", "--name-only", f"HEAD~{back}", "HEAD", "--", "*.rs").split())
                ways = {"cold": [], "sample": [], "none": []}
                for _ in range(args.runs):
                    ways["cold"].append(index())
                    for verify in ("sample", "none"):
                        ways[verify].append(index("--from", str(bundle), "--verify", verify))
                cold = median(ways["cold"])
                for way, runs in ways.items():
                    wall, cpu = median(runs)
                    size = bundle.stat().st_size / 1e6
                    print(f"{name:<11} {back:>4}  {differ:>6}  {size:>3.1f} MB   {way:<9} {wall:>7.2f} {cpu:>7.2f}"
                          f"   {wall / cold[0]:>9.2f}  {cpu / cold[1]:>9.2f}", flush=True)
            made = {"without a database": [], "from the database": []}
            for number in range(args.runs):
                for way, runs in made.items():
                    if way == "from the database":
                        index("--from", str(pathlib.Path(folder) / f"{args.back.split(',')[0]}.bundle"))
                    else:
                        shutil.rmtree(state, ignore_errors=True)
                    out = pathlib.Path(folder) / f"{number} {way}"
                    runs.append(measure([asof, "backup", "bundle", "-q", str(out)], root))
            for way, runs in made.items():
                wall, cpu = median(runs)
                print(f"{name:<11} bundle made {way}: {wall:.2f} s, {cpu:.2f} s CPU")


if __name__ == "__main__":
    main()
