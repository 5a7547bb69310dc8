#!/usr/bin/env python3
"""Measures how well `link` (queries/sql/open.sql) connects crates that were indexed one by one.

    python3 benches/links.py ASOF WORK CRATE…       folders of packages that depend on each other
    python3 benches/links.py ASOF WORK WORKSPACE    one workspace: its members are taken apart

All packages are indexed twice: as one workspace, in which they depend on each other by path, and
each by itself, without the others. What the workspace has as a use of one package's item by another
is compared with what `link` makes of the single exports. A pair is a source item, a kind of use and
a target item, by their canonical paths. Needs duckdb.

Prints the share of the workspace's pairs that are linked, and how many of the linked pairs the
workspace has, too; then classes of what is missing and what is more, with examples.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tomllib

import duckdb

SQL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "queries", "sql")
OPEN = 2**63 - 1
TABLES = ("dependencies", "dev-dependencies", "build-dependencies")


def manifest(folder):
    with open(os.path.join(folder, "Cargo.toml"), "rb") as source:
        return tomllib.load(source)


def members(root):
    """Packages of a workspace, but for its root package."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in ("target", ".git", ".asof", "fuzz")]
        if folder != root and "Cargo.toml" in files and "package" in manifest(folder):
            found.append(folder)
    return found


def apart(folders, to):
    """Copies of the packages, each where the others are not."""
    made = {}
    for folder in folders:
        name = manifest(folder)["package"]["name"]
        target = os.path.join(to, name)
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns("target", ".git", ".asof"))
        path = os.path.join(target, "Cargo.toml")
        with open(path) as source:
            text = source.read()
        # A path leads to nothing here, as in what is published.
        text = re.sub(r'(\{[^}\n]*?), *path *= *"[^"]*"', r"\1", text)
        with open(path, "w") as out:
            out.write(re.sub(r'^path *= *"\.\.[^"]*"\n', "", text, flags=re.M))
        made[name] = target
    return made


def together(folders, to):
    """One workspace of the packages; dependencies on each other have a path."""
    made = {}
    for name, folder in folders.items():
        made[name] = os.path.join(to, name)
        shutil.copytree(folder, made[name], ignore=shutil.ignore_patterns(".asof"))
    for name, folder in made.items():
        path, found = os.path.join(folder, "Cargo.toml"), manifest(folder)
        with open(path) as source:
            text = source.read()
        # Published manifests have one table for each dependency.
        for head in re.findall(r"^\[((?:target\..*\.)?(?:" + "|".join(TABLES) + r")\..+)\]$", text, re.M):
            key = head.rsplit(".", 1)[1].strip('"')
            at, keys = found, tomllib.loads(f"[{head}]")
            while keys:
                (step, keys), = keys.items()
                at = at[step]
            package = at.get("package", key)
            if package in made and "path" not in at:
                text = text.replace(f"[{head}]\n", f'[{head}]\npath = "../{package}"\n', 1)
        text = re.sub(r"^\[workspace\]\n", "", text, flags=re.M)
        with open(path, "w") as out:
            out.write(text)
    with open(os.path.join(to, "Cargo.toml"), "w") as out:
        out.write("[workspace]\nmembers = [" + ", ".join(f'"{name}"' for name in made) + ']\nresolver = "2"\n')


class Lake:
    def __init__(self, folder):
        self.db = duckdb.connect()
        self.db.execute(f"SET VARIABLE tables = '{folder}'")
        self.db.execute(open(os.path.join(SQL, "open.sql")).read())

    def rows(self, text):
        return self.db.execute(text).fetchall()


# Sources and targets without a path (impls, macro calls) have no name in both.
PAIRS = f"""SELECT DISTINCT s.package, s.path, u.kind, t.package, t.path, t.kind
    FROM {{uses}} u
    JOIN definition s ON s.project = u.project AND s.symbol = u.source
    JOIN definition t ON t.symbol = u.target {{more}}
    WHERE u.valid_to = {OPEN} AND s.valid_to = {OPEN} AND t.valid_to = {OPEN}
      AND u.confidence >= 0.5 AND s.path IS NOT NULL AND t.path IS NOT NULL AND s.package <> t.package"""


def share(part, whole):
    return f"{part} of {whole}, {part / max(1, whole):.1%}"


def main():
    asof, work, given = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]

    def run(*args):
        subprocess.run([asof, *args], check=True, stdout=subprocess.DEVNULL)

    os.makedirs(work)
    single, whole = os.path.join(work, "single"), os.path.join(work, "whole")
    if len(given) == 1 and "workspace" in manifest(given[0]):
        folders = apart(members(given[0]), single)
        shutil.copytree(given[0], whole, ignore=shutil.ignore_patterns("target", ".git", ".asof"))
    else:
        folders = apart(given, single)
        together(folders, whole)
    run("index", whole, "-q")
    run("export", "tables", "--out", os.path.join(work, "whole-tables"), "-C", whole, "--no-refresh", "-q")
    run("project", "index-all", single, "--jobs", "1", "--tables", os.path.join(work, "single-tables"))
    one, many = Lake(os.path.join(work, "whole-tables")), Lake(os.path.join(work, "single-tables"))
    truth = set(one.rows(PAIRS.format(uses='"use"', more="AND t.project = u.project")))
    truth = {pair for pair in truth if pair[0] in folders and pair[3] in folders}
    uses = '(SELECT l.symbol AS target, u.* EXCLUDE (target) FROM "use" u JOIN link l ON l.project = u.project AND l.external = u.target)'
    found = set(many.rows(PAIRS.format(uses=uses, more="")))
    # Sources that only one of the two indexes has cannot be compared.
    sources = {(package, path) for package, path in many.rows("SELECT package, path FROM definition")}
    known = {(package, path) for package, path in one.rows("SELECT package, path FROM definition")}
    truth = {pair for pair in truth if pair[:2] in sources and pair[3:5] in sources}
    found = {pair for pair in found if pair[:2] in known and pair[3:5] in known}
    right = truth & found
    print(f"{len(folders)} packages; {len(truth)} uses across packages in the workspace")
    print(f"linked: {share(len(right), len(truth))}")
    print(f"right of what is linked: {share(len(right), len(found))}")
    kinds = collections.Counter(pair[2] for pair in truth)
    good = collections.Counter(pair[2] for pair in right)
    print("by kind: " + "; ".join(f"{kind} {share(good[kind], n)}" for kind, n in kinds.most_common(8)))
    # Why a pair is not linked: is there an external name in the source that could be it?
    names = collections.defaultdict(set)
    for package, path, text, known_there in many.rows(f"""SELECT s.package, s.path, e.text, e.known FROM "use" u
            JOIN external e ON e.project = u.project AND e.symbol = u.target
            JOIN definition s ON s.project = u.project AND s.symbol = u.source AND s.valid_to = {OPEN}
            WHERE u.valid_to = {OPEN} AND s.path IS NOT NULL"""):
        names[package, path].add((text, known_there))
    classes, examples = collections.Counter(), {}
    for pair in sorted(truth - found):
        last = pair[4].rsplit("::", 1)[-1]
        texts = [(text, there) for text, there in names[pair[:2]] if text.rsplit("::", 1)[-1] == last]
        if any(there for _, there in texts):
            label = "the full name is known, no public path or member has it"
        elif texts:
            label = "only the last segment of the name is known"
        else:
            label = "no such name: a receiver of unknown type, a glob, a macro"
        classes[label] += 1
        examples.setdefault(label, []).append((pair, texts[:2]))
    for label, n in classes.most_common():
        print(f"missing: {label}: {n}")
        for pair, texts in examples[label][:: max(1, n // 4)][:4]:
            print(f"    {pair[1]} -{pair[2]}-> {pair[4]} {texts}")
    wrong = sorted(found - truth)
    targets = collections.defaultdict(set)
    for pair in truth:
        targets[pair[:3]].add(pair[4])
    classes, examples = collections.Counter(), {}
    for pair in wrong:
        others = targets[pair[:3]]
        last = pair[4].rsplit("::", 1)[-1]
        same = sorted(other for other in others if other.rsplit("::", 1)[-1] == last)
        if same:
            label = "the workspace has another item of this name"
            pair = (*pair, same[0])
        else:
            label = "the workspace has nothing of this name"
        classes[label] += 1
        examples.setdefault(label, []).append(pair)
    for label, n in classes.most_common():
        print(f"more: {label}: {n}")
        for pair in examples[label][:: max(1, n // 4)][:4]:
            print(f"    {pair[1]} -{pair[2]}-> {pair[4]}", *pair[6:])


main()
