#!/usr/bin/env python3
"""What a refresh costs after one change, by the kind of the change, against a cold index.

    benches/changes.py ASOF WORKSPACE [--changes N] [--seed N] [--check N] [--kinds A,B] [--tell N]
                       [--out FILE]

WORKSPACE is copied twice into a temporary folder and stays as it is. Seeded random changes are
applied to one copy, one after the other, and `asof index` runs as a process after each: its CPU time
(user and system) and what it did. After every N-th change (`--check`, 0 for never) the other copy,
with the same files, is indexed from scratch, and the rows of both at NOW are compared; a difference
ends the run with exit code 1. The cold index is the median of those runs. `--out` adds a line of JSON
for each change.

Items are found with `rust_source.py`, not with `asof`. A renamed item is renamed at its definition
only, or wherever its name is a word: in its own file, and in all others if nothing else is defined
with it.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from rust_source import code_only, items

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "schema"
FIELD = re.compile(r"^\s+(?:pub(?:\([^)]*\))? )?([a-z_]\w*): [A-Z&\[(]?[\w:<>&', ]+,$", re.M)
USE = re.compile(r"^(?:pub )?use (?:crate|super|std|core)::[\w:]+;$", re.M)
GLOB = re.compile(r"^\s*(?:pub )?use ([\w:]+)::\*;$", re.M)
MIRRORS = [("item_tree", ["path", "data"]), ("fingerprint", ["path", "ids", "fingerprints", "names"]),
           ("reads", ["path", "reads"]), ("search_terms", ["path", "terms"])]
TYPES = ("struct", "enum", "union", "trait", "type")


class Workspace:
    """The Rust files of a copy, by path, and what was changed in it."""

    def __init__(self, root, rng):
        self.root, self.rng, self.made = root, rng, 0
        self.texts = {}
        for path in sorted(root.rglob("*.rs")):
            if path.is_file() and not path.is_symlink() and "target" not in path.parts:
                try:
                    self.texts[path.relative_to(root).as_posix()] = path.read_text()
                except UnicodeDecodeError:
                    continue
        self.known = {}
        self.changed = set()

    def items(self, path):
        text = self.texts[path]
        if path not in self.known or self.known[path][0] != text:
            self.known[path] = (text, items(text))
        return self.known[path][1]

    def put(self, path, text):
        self.texts[path] = text
        self.changed.add(path)

    def remove(self, path):
        del self.texts[path]
        self.changed.add(path)

    def fresh_name(self, stem):
        self.made += 1
        return f"{stem}_{self.made}"

    def pick(self, wanted):
        """A random item that fits, as (path, item); files are weighted by their items."""
        paths = list(self.texts)
        for _ in range(2000):
            path = self.rng.choice(paths)
            fitting = [item for item in self.items(path) if wanted(item)]
            # Half of the files of a few items are passed over, so that items are about equally likely.
            if fitting and self.rng.random() < min(1, len(fitting) / 20):
                return path, self.rng.choice(fitting)
        raise LookupError("no such item")

    def write(self, roots):
        """Writes what changed to each of the copies."""
        for path in self.changed:
            for root in roots:
                full = root / path
                if path in self.texts:
                    full.parent.mkdir(parents=True, exist_ok=True)
                    full.write_text(self.texts[path])
                elif full.exists():
                    full.unlink()
        changed, self.changed = sorted(self.changed), set()
        return changed


def lines_of(workspace, path):
    return workspace.texts[path].split("\n")


def put_lines(workspace, path, lines):
    workspace.put(path, "\n".join(lines))


def body(item):
    return item.kind == "fn" and item.last > item.first + 1


def in_impl(workspace, path, item):
    around = item.container
    return around is not None and workspace.items(path)[around].kind == "impl"


def edit_body(workspace):
    """A statement in a function's body."""
    path, item = workspace.pick(body)
    lines = lines_of(workspace, path)
    at = next(n for n in range(item.first - 1, item.last) if lines[n].rstrip().endswith("{"))
    called = workspace.pick(lambda other: other.kind == "fn")[1].name
    lines.insert(at + 1, workspace.rng.choice(
        [f"        let _ = {called}();", "        let _text = String::new();", "        assert!(1 < 2);"]))
    put_lines(workspace, path, lines)
    return f"{path}: body of {item.name}"


def add_function(workspace):
    """A function beside another."""
    path, item = workspace.pick(body)
    name = workspace.fresh_name("added") if workspace.rng.random() < 0.7 else \
        workspace.pick(lambda other: other.kind == "fn")[1].name
    receiver = "&self" if in_impl(workspace, path, item) else ""
    lines = lines_of(workspace, path)
    lines.insert(item.last, f"    pub fn {name}({receiver}) -> usize {{\n        0\n    }}")
    put_lines(workspace, path, lines)
    return f"{path}: new function {name}"


def after_imports(lines):
    at = [n for n, line in enumerate(lines) if re.match(r"(pub )?use .*;$", line)]
    if at:
        return at[0] + 1
    return next((n for n, line in enumerate(lines) if line and not line.startswith(("//", "#!", " "))), 0)


def add_use(workspace):
    """A `use` that another file has, too, or that was not there."""
    path, _ = workspace.pick(lambda item: True)
    other, _ = workspace.pick(lambda item: True)
    found = USE.findall(workspace.texts[other]) or ["use std::collections::BTreeMap;"]
    lines = lines_of(workspace, path)
    one = workspace.rng.choice(found)
    lines.insert(after_imports(lines), one)
    put_lines(workspace, path, lines)
    return f"{path}: {one}"


def glob_import(workspace):
    """A glob import more or less."""
    if workspace.rng.random() < 0.4:
        having = [path for path, text in workspace.texts.items() if GLOB.search(text)]
        path = workspace.rng.choice(having)
        match = workspace.rng.choice(list(GLOB.finditer(workspace.texts[path])))
        text = workspace.texts[path]
        workspace.put(path, text[:match.start()] + text[match.end():])
        return f"{path}: without {match[0].strip()}"
    path, _ = workspace.pick(lambda item: True)
    others = [m for text in workspace.texts.values() for m in GLOB.findall(text)] or ["super"]
    lines = lines_of(workspace, path)
    one = workspace.rng.choice(["super", workspace.rng.choice(others)])
    lines.insert(after_imports(lines), f"use {one}::*;")
    put_lines(workspace, path, lines)
    return f"{path}: use {one}::*"


def renamed(workspace, path, line, name, new):
    """Renames what a line defines, and its uses or not."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    lines = lines_of(workspace, path)
    lines[line] = word.sub(new, lines[line], count=1)
    put_lines(workspace, path, lines)
    if workspace.rng.random() < 0.4:
        return f"{path}: {name} to {new}, its uses not"
    workspace.put(path, word.sub(new, workspace.texts[path]))
    defined = sum(item.name == name for other in workspace.texts for item in workspace.items(other))
    if defined == 0:
        for other, text in list(workspace.texts.items()):
            if word.search(text):
                workspace.put(other, word.sub(new, text))
    return f"{path}: {name} to {new}, its uses too{'' if defined == 0 else ' in this file'}"


def rename(kinds, fits=lambda workspace, path, item: True):
    def change(workspace):
        for _ in range(500):
            path, item = workspace.pick(lambda item: item.kind in kinds)
            if fits(workspace, path, item):
                stem = item.name if item.name[0].isupper() else item.name.rstrip("_")
                return renamed(workspace, path, item.first - 1, item.name, workspace.fresh_name(stem))
        raise LookupError("nothing to rename")
    return change


def rename_field(workspace):
    for _ in range(500):
        path, item = workspace.pick(lambda item: item.kind == "struct" and item.last > item.first)
        lines = lines_of(workspace, path)
        fields = [(n, FIELD.match(lines[n])) for n in range(item.first, item.last)]
        fields = [(n, match[1]) for n, match in fields if match]
        if fields:
            line, name = workspace.rng.choice(fields)
            return renamed(workspace, path, line, name, workspace.fresh_name(name))
    raise LookupError("no field")


def rename_module(workspace):
    """A file's module, its declaration and often its uses."""
    files = [path for path in workspace.texts if not path.endswith(("/mod.rs", "/lib.rs", "/main.rs"))]
    for _ in range(2000):
        path = workspace.rng.choice(files)
        folder, name = path.rsplit("/", 1) if "/" in path else ("", path)
        name = name[:-3]
        for parent in (f"{folder}/mod.rs", f"{folder}/lib.rs", f"{folder}.rs"):
            declared = re.search(rf"^\s*(?:pub(?:\([^)]*\))? )?mod {name};$", workspace.texts.get(parent, ""), re.M)
            if declared and not any(other.startswith(f"{folder}/{name}/") for other in workspace.texts):
                new = workspace.fresh_name(name)
                text = workspace.texts[parent]
                line = declared[0].replace(f"mod {name};", f"mod {new};")
                workspace.put(parent, text[:declared.start()] + line + text[declared.end():])
                workspace.put(f"{folder}/{new}.rs", workspace.texts[path])
                workspace.remove(path)
                if workspace.rng.random() < 0.5:
                    word = re.compile(rf"\b{name}::")
                    workspace.put(parent, word.sub(f"{new}::", workspace.texts[parent]))
                return f"{path}: module to {new}"
    raise LookupError("no module")


def remove_item(workspace):
    path, item = workspace.pick(lambda item: item.kind not in ("mod", "impl"))
    lines = lines_of(workspace, path)
    del lines[item.lead - 1:item.last]
    put_lines(workspace, path, lines)
    return f"{path}: without {item.kind} {item.name}"


def implementation(workspace):
    """An impl more or less: of a trait of the workspace, of one outside, or of none."""
    if workspace.rng.random() < 0.4:
        path, item = workspace.pick(lambda item: item.kind == "impl")
        lines = lines_of(workspace, path)
        head = lines[item.first - 1].strip()
        del lines[item.lead - 1:item.last]
        put_lines(workspace, path, lines)
        return f"{path}: without {head}"
    path, item = workspace.pick(
        lambda item: item.kind in ("struct", "enum") and item.container is None)
    trait = workspace.pick(lambda item: item.kind == "trait")[1].name
    head = workspace.rng.choice([
        f"impl {trait} for {item.name} {{}}",
        f"impl Clone for {item.name} {{\n    fn clone(&self) -> Self {{ loop {{}} }}\n}}",
        f"impl std::ops::Deref for {item.name} {{\n    type Target = u8;\n    fn deref(&self) -> &u8 {{ loop {{}} }}\n}}",
        f"impl {item.name} {{\n    pub fn {workspace.fresh_name('made')}(&self) -> Self {{ loop {{}} }}\n}}",
    ])
    lines = lines_of(workspace, path)
    lines.insert(item.last, head)
    put_lines(workspace, path, lines)
    first_line = head.split("\n")[0]
    return f"{path}: {first_line}"


def change_signature(workspace):
    for _ in range(500):
        path, item = workspace.pick(lambda item: item.kind == "fn")
        lines = lines_of(workspace, path)
        line = lines[item.first - 1]
        if workspace.rng.random() < 0.5 and re.search(r"-> [^{]+ \{$", line):
            lines[item.first - 1] = re.sub(r"-> ([^{]+) \{$", r"-> Option<\1> {", line)
        elif re.search(rf"fn {item.name}\(", line):
            receiver = re.search(rf"(fn {item.name}\((?:&?(?:'\w+ )?(?:mut )?self(?:, )?)?)", line)
            comma = ", " if receiver[1].endswith("self") else ""
            lines[item.first - 1] = line.replace(receiver[1], f"{receiver[1]}{comma}_more: u32" + (
                "" if comma or line[line.index(receiver[1]) + len(receiver[1])] == ")" else ", "), 1)
        else:
            continue
        put_lines(workspace, path, lines)
        return f"{path}: signature of {item.name}"
    raise LookupError("no signature")


def change_visibility(workspace):
    path, item = workspace.pick(lambda item: item.kind not in ("impl", "macro"))
    lines = lines_of(workspace, path)
    line = lines[item.first - 1]
    without = re.sub(r"\bpub(\([^)]*\))? ", "", line, count=1)
    lines[item.first - 1] = without if without != line else re.sub(r"^(\s*)", r"\1pub ", line)
    put_lines(workspace, path, lines)
    return f"{path}: {lines[item.first - 1].strip()[:60]}"


def file_of_module(workspace):
    """A new file with a `mod` for it, or one less."""
    if workspace.rng.random() < 0.4:
        files = [path for path in workspace.texts if not path.endswith(("/mod.rs", "/lib.rs", "/main.rs"))]
        for _ in range(2000):
            path = workspace.rng.choice(files)
            if len(workspace.texts[path]) < 20_000:
                workspace.remove(path)
                return f"{path}: removed"
    path, _ = workspace.pick(lambda item: True)
    folder, name = path.rsplit("/", 1) if "/" in path else ("", path)
    inside = folder if name in ("mod.rs", "lib.rs", "main.rs") else f"{folder}/{name[:-3]}"
    new = workspace.fresh_name("part")
    lines = lines_of(workspace, path)
    lines.insert(after_imports(lines), f"mod {new};")
    put_lines(workspace, path, lines)
    workspace.put(f"{inside}/{new}.rs", "use super::*;\n\npub struct Part;\n\nimpl Part {\n"
                  "    pub fn new() -> Self {\n        Part\n    }\n}\n")
    return f"{inside}/{new}.rs: added"


KINDS = {
    "body": (edit_body, 2),
    "new function": (add_function, 2),
    "new use": (add_use, 2),
    "glob": (glob_import, 1),
    "rename function": (rename(("fn",), lambda w, p, i: not in_impl(w, p, i)), 2),
    "rename method": (rename(("fn",), in_impl), 3),
    "rename type": (rename(TYPES), 2),
    "rename field": (rename_field, 1),
    "rename macro": (rename(("macro",)), 1),
    "rename module": (rename_module, 1),
    "removed item": (remove_item, 2),
    "impl": (implementation, 2),
    "signature": (change_signature, 2),
    "visibility": (change_visibility, 1),
    "file": (file_of_module, 1),
}


def run(command):
    """Output and CPU seconds of a process."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: {child.returncode}\n{err[-2000:]}")
    return out, usage.ru_utime + usage.ru_stime


def index(asof, root, *more):
    out, cpu = run([asof, "-C", root, "index", "--format", "json", *more])
    return json.loads(out), cpu


def relations():
    """Versioned relations with their columns."""
    for file in sorted(SCHEMA.glob("*.cozo")):
        text = re.sub(r"#[^\n]*", "", file.read_text())
        name = re.search(r":create (\w+)", text)[1]
        columns = re.findall(r"^\s*(\w+): ", text[text.index("{"):], re.M)
        if "at" in columns and "Validity" in text:
            yield name, [column for column in columns if column != "at"]


def asked(asof, root, name, columns):
    """The rows of a relation as lines."""
    columns = ", ".join(columns)
    out, _ = run([asof, "-C", root, "--no-refresh", "--format", "jsonl", "query",
                  f"?[{columns}] := *{name}{{{columns}}}",
                  "--limit", "0", "--timeout", "120", "--memory", "3000"])
    return out.splitlines()


def rows(asof, root):
    """The rows of every versioned relation at NOW."""
    found = {}
    for name, columns in relations():
        if name in ("revision", "changes", "git_commit", "git_ref", "item_match", "proposal"):
            continue
        found[name] = set(asked(asof, root, name, columns))
    for name, columns in MIRRORS:
        found[name] = set(asked(asof, root, name, columns))
    return found


def differences(first, second):
    told = []
    for name in first:
        told += [f"- {name} {row}" for row in sorted(first[name] - second[name])]
        told += [f"+ {name} {row}" for row in sorted(second[name] - first[name])]
    return told


def copied(source, into):
    def ignored(folder, names):
        return [name for name in names if name in (".git", "target", ".asof")]
    shutil.copytree(source, into, symlinks=True, ignore=ignored)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def report(done, cold, tell):
    print(f"\ncold index: {cold:.2f} CPU s\n")
    print(f"{'kind':18}{'n':>4}{'median':>9}{'p90':>9}{'max':>9}{'parsed':>9}   (CPU time / cold; median of files parsed)")
    by_kind = collections.defaultdict(list)
    for one in done:
        by_kind[one["kind"]].append(one)
    for kind, some in [*by_kind.items(), ("all", done)]:
        ratios = [one["cpu"] / cold for one in some]
        print(f"{kind:18}{len(some):4}{statistics.median(ratios):9.3f}{percentile(ratios, .9):9.3f}"
              f"{max(ratios):9.3f}{statistics.median(one['parsed'] for one in some):9.0f}")
    print()
    for one in sorted(done, key=lambda one: -one["cpu"])[:tell]:
        print(f"{one['cpu'] / cold:6.3f}  {one['parsed']:5} of {one['files']} files  {one['kind']}: {one['what']}")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("asof", type=pathlib.Path)
    args.add_argument("workspace", type=pathlib.Path)
    args.add_argument("--changes", type=int, default=200)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--check", type=int, default=10)
    args.add_argument("--kinds", default=",".join(KINDS))
    args.add_argument("--tell", type=int, default=20)
    args.add_argument("--out", type=pathlib.Path)
    args = args.parse_args()
    asof, rng = args.asof.resolve(), random.Random(args.seed)
    kinds = [kind for kind in args.kinds.split(",")]
    weights = [KINDS[kind][1] for kind in kinds]
    with tempfile.TemporaryDirectory() as folder:
        # The name of a project may be that of its folder.
        changed, fresh = [pathlib.Path(folder, side, args.workspace.resolve().name) for side in "ab"]
        copied(args.workspace, changed)
        copied(args.workspace, fresh)
        workspace = Workspace(changed, rng)
        colds = [index(asof, changed)[1]]
        done = []
        for number in range(1, args.changes + 1):
            kind = rng.choices(kinds, weights)[0]
            try:
                what = KINDS[kind][0](workspace)
            except LookupError as error:
                print(f"{number:4} {kind}: {error}")
                continue
            workspace.write([changed, fresh])
            answer, cpu = index(asof, changed)
            phases = [phase for phase, _ in answer["phases"]]
            one = {"number": number, "kind": kind, "what": what, "cpu": round(cpu, 3),
                   "parsed": answer["parsed"], "files": answer["files"],
                   "wide": "resolve" in phases, "phases": answer["phases"]}
            done.append(one)
            print(f"{number:4} {cpu:6.3f}  {one['parsed']:5} {'wide' if one['wide'] else 'narrow':6} {kind}: {what}", flush=True)
            if args.out:
                with open(args.out, "a") as out:
                    out.write(json.dumps(one) + "\n")
            if args.check and (number % args.check == 0 or number == args.changes):
                shutil.rmtree(fresh / ".asof", ignore_errors=True)
                colds.append(index(asof, fresh, "--from-scratch")[1])
                told = differences(rows(asof, changed), rows(asof, fresh))
                if told:
                    print(f"after change {number} the rows are not those of a fresh index:")
                    print("\n".join(line[:600] for line in told[:40]))
                    sys.exit(1)
        report(done, statistics.median(colds), args.tell)


if __name__ == "__main__":
    main()
