#!/usr/bin/env python3
"""Whether `asof merge --predict` finds conflicts that no line shows.

    benches/planted.py ASOF CRATE... [--each N] [--seed N]

CRATE is the folder of a package with `src/lib.rs`; ASOF is the program. Each round takes an item of the
crate, changes it on one branch, and on the other adds new code in a new file that the change breaks:

- `renamed`: a new use of a function that the other side renames; it has to follow or be listed
- `deleted`: a new use of a function that the other side deletes
- `twice`: both sides add an item of one name to one module, in files of their own
- `override`: a new impl of a trait whose method the other side renames; it has to follow or be listed
- `variant`: a new exhaustive `match` on an enum to which the other side adds a variant
- `required`: a new impl of a trait to which the other side adds a required method

The same additions beside a change that breaks nothing have to be silent: anything listed is a false
alarm. Prints both by kind.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

TRAIT = "pub trait Planted { fn first(&self) -> u8; }\n"
GONE = "pub fn gone() -> u8 { 1 }\n"
ENUM = "pub enum Planted { One, Two }\n"
KINDS = ["renamed", "deleted", "twice", "override", "variant", "required"]


def git(folder, *args):
    options = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *options, *args], cwd=folder, check=True, capture_output=True)


class Round:
    def __init__(self, asof, crate, folder):
        self.asof, self.folder = asof, folder
        ignore = shutil.ignore_patterns("target", ".git", ".asof")
        shutil.copytree(crate, folder, dirs_exist_ok=True, ignore=ignore)
        git(folder, "init", "-q", "-b", "main")

    def run(self, *args):
        return subprocess.run([self.asof, "-C", str(self.folder), *args], capture_output=True, text=True)

    def append(self, path, text):
        path = self.folder / path
        path.parent.mkdir(exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)

    def commit(self, message):
        git(self.folder, "add", "-A", "-f", ".", ":!.asof")
        git(self.folder, "commit", "-q", "-m", message)

    def predict(self):
        found = self.run("merge", "--predict", "topic", "--into", "main", "--format", "json")
        answer = json.loads(found.stdout)
        if answer["summary"]["conflicts"]:
            raise ValueError("lines conflict")
        return answer


def functions(asof, crate):
    """Free functions of a crate outside of tests: path and name."""
    with tempfile.TemporaryDirectory() as temporary:
        round = Round(asof, crate, pathlib.Path(temporary))
        round.run("index", "-q")
        query = ("?[path, name, visibility] := "
                 "*node{kind: 'function', path, name, visibility, in_test, made, cfg, file_path, "
                 "module_id, parent_id: module_id @ 'NOW'}, "
                 "!in_test, !made, cfg == '', !is_null(path), starts_with(file_path, 'src/'), "
                 "file_path != 'src/main.rs', !starts_with(file_path, 'src/bin/')")
        answer = round.run("query", query, "--format", "json", "--limit", "0")
        rows = json.loads(answer.stdout)["items"]
        # Those that every module of the crate can name.
        return [(path, name) for path, name, visibility in rows
                if visibility in ("pub", "pub(crate)") or path.count("::") == 1]


def plant(round, kind, breaks, function):
    """Makes the base and both branches. `breaks`: whether one side breaks the other."""
    path, name = function
    ours_module = "\n#[allow(dead_code)]\nmod planted_ours;\n"
    theirs_module = "\n#[allow(dead_code)]\nmod planted_theirs;\n"
    base = {"override": TRAIT, "required": TRAIT, "variant": ENUM, "deleted": GONE}.get(kind)
    lib = "src/lib.rs"
    if base:
        round.append("src/planted.rs", base)
        round.append(lib, "\npub mod planted;\n")
    # Lines of both sides are apart, so that none conflict.
    text = (round.folder / lib).read_text()
    found = re.search(r"^(pub |use |mod |#\[|extern |fn )", text, re.M)
    at = found.start() if found else len(text)
    round.commit("base")
    git(round.folder, "checkout", "-q", "-b", "topic")
    if kind == "twice":
        round.append("src/planted_theirs.rs", "impl crate::Shared { pub fn added(&self) {} }\n")
    elif not breaks:
        round.append("src/planted_theirs.rs", "pub fn unrelated() -> u8 { 7 }\n")
        (round.folder / lib).write_text(text[:at] + theirs_module + text[at:])
    elif kind == "renamed":
        round.run("index", "-q")
        done = round.run("rename", path, f"{name}_planted")
        if done.returncode:
            raise ValueError(done.stderr.strip().splitlines()[:1])
    else:
        new = {"override": TRAIT.replace("first", "other"),
               "required": TRAIT.replace("u8; }", "u8; fn second(&self); }"),
               "deleted": "pub fn other() -> u8 { 2 }\n",
               "variant": ENUM.replace("Two", "Two, Three")}[kind]
        (round.folder / "src/planted.rs").write_text(new)
    if kind == "twice":
        source = (round.folder / lib).read_text()
        (round.folder / lib).write_text(source[:at] + theirs_module + source[at:])
    round.commit("theirs")
    git(round.folder, "checkout", "-q", "main")
    inner = path.split("::", 1)[1]
    code = {
        "renamed": f"pub fn user() {{ let _ = crate::{inner}; }}\n",
        "deleted": "pub fn user() { let _ = crate::planted::gone(); }\n",
        "override": "pub struct S;\nimpl crate::planted::Planted for S { fn first(&self) -> u8 { 1 } }\n",
        "required": "pub struct S;\nimpl crate::planted::Planted for S { fn first(&self) -> u8 { 1 } }\n",
        "variant": "use crate::planted::Planted;\npub fn f(p: &Planted) -> u8 {\n    match p {\n"
                   "        Planted::One => 1,\n        Planted::Two => 2,\n    }\n}\n",
        "twice": f"impl crate::Shared {{ pub fn {'added' if breaks else 'other'}(&self) {{}} }}\n",
    }[kind]
    round.append("src/planted_ours.rs", code)
    round.append(lib, ours_module)
    round.commit("ours")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asof")
    parser.add_argument("crates", nargs="+", type=pathlib.Path)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    asof = str(pathlib.Path(args.asof).resolve())
    random.seed(args.seed)
    every = {crate: functions(asof, crate) for crate in args.crates}
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])
    for kind in KINDS:
        for breaks in (True, False):
            done = tries = 0
            while done < args.each and tries < 4 * args.each:
                tries += 1
                crate = random.choice(args.crates)
                function = random.choice(every[crate])
                with tempfile.TemporaryDirectory() as temporary:
                    round = Round(asof, crate, pathlib.Path(temporary))
                    if kind == "twice":
                        round.append("src/lib.rs", "\npub struct Shared;\n")
                    try:
                        plant(round, kind, breaks, function)
                        answer = round.predict()
                    except ValueError as error:
                        print("skipped", kind, function[0], error, flush=True)
                        continue
                done += 1
                told = bool(answer["semantic"]) or bool(answer["adapted"])
                counts[kind][0 if breaks else 2] += told
                counts[kind][1 if breaks else 3] += 1
                if told != breaks:
                    print("wrong", kind, breaks, function[0], json.dumps(answer["semantic"]), flush=True)
    for kind in KINDS:
        found, planted, alarms, silent = counts[kind]
        print(f"{kind:9} found {found} of {planted}, false alarms {alarms} of {silent}")
    sums = [sum(one[n] for one in counts.values()) for n in range(4)]
    print(f"all       found {sums[0]} of {sums[1]}, false alarms {sums[2]} of {sums[3]}")


main()
