"""Renames random items of a real workspace, and compares what `asof rename` says with the compiler.

    python3 benches/rename.py target/debug/asof COPY --count 40 --seed 1

COPY is a checkout that may be written, with a `.git` folder or without. Each rename is applied,
checked with `cargo check --workspace --all-targets`, and undone; then every file must have the bytes
that it had. Prints a line for each rename, and a table:

    proven, compiles     the aim
    proven, fails        a defect of asof
    to look at, …        it listed places
    refused              with the reason

`--clash SHARE` gives that share of renames a name that the workspace has already.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import time

KINDS = [
    "function", "method", "struct", "enum", "trait", "field", "variant", "const", "static",
    "type_alias", "assoc_type", "assoc_const", "module", "macro", "local",
]


def sources(root):
    found = {}
    for path in sorted(root.rglob("*.rs")):
        parts = path.relative_to(root).parts
        if "target" not in parts and ".asof" not in parts:
            found["/".join(parts)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def asof(program, root, *args):
    command = [program, "-C", str(root), "--format", "json", *args]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        answer = json.loads(done.stdout or done.stderr)
    except json.JSONDecodeError:
        answer = {"error": {"message": done.stdout + done.stderr}}
    return done.returncode, answer


def items(program, root):
    script = "?[path, kind, name, signature] := *node{kind, name, path, signature}, path != null"
    code, answer = asof(program, root, "query", script, "--limit", "0")
    if code != 0:
        sys.exit(str(answer))
    by_kind = collections.defaultdict(list)
    for row in sorted(map(json.dumps, answer["items"])):
        path, kind, name, signature = json.loads(row)
        if not path or not re.fullmatch(r"[A-Za-z_]\w*", name or "") or name == "main":
            continue
        by_kind[kind].append((path, name, signature))
        if kind in ("function", "method"):
            for local in re.findall(r"[(,]\s*(?:mut )?([a-z_]\w*):", signature):
                by_kind["local"].append((path, local, None))
    return by_kind


def new_name(name, taken, chance, clash):
    if chance.random() < clash:
        alike = [other for other in taken if other[:1].isupper() == name[:1].isupper()]
        return chance.choice(alike)
    if name.isupper():
        return name + "_XYZ"
    return name + ("Xyz" if name[:1].isupper() else "_xyz")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clash", type=float, default=0.1)
    parser.add_argument("--check", default="cargo check --workspace --all-targets --offline -q")
    parser.add_argument("--kind", action="append")
    given = parser.parse_args()
    root, program = given.root.resolve(), str(pathlib.Path(given.program).resolve())
    chance = random.Random(given.seed)
    asof(program, root, "index")
    by_kind = items(program, root)
    kinds = [kind for kind in given.kind or KINDS if by_kind[kind]]
    taken = sorted({name for rows in by_kind.values() for _, name, _ in rows})
    check = lambda: subprocess.run(given.check, shell=True, cwd=root, capture_output=True, text=True)
    if check().returncode != 0:
        sys.exit("the workspace does not compile before any rename")
    before = sources(root)
    table, reasons, times = collections.Counter(), collections.Counter(), []
    for number in range(given.count):
        kind = kinds[number % len(kinds)]
        path, name, signature = chance.choice(by_kind[kind])
        new = new_name(name, taken, chance, given.clash)
        args = ["rename", path, new]
        if kind == "local":
            args = ["rename", path, new, "--local", name]
        elif kind != "local":
            args += ["--kind", kind]
        begin = time.monotonic()
        code, answer = asof(program, root, *args)
        took = time.monotonic() - begin
        shown = f"{kind:<11} {path}{' ' + name if kind == 'local' else ''} -> {new}"
        if code != 0:
            says = str(answer.get("error", answer).get("message", answer)).strip()
            table["refused"] += 1
            reasons[re.sub(r"`[^`]*`|\S+\.rs(:\d+)?", "…", says.split("\n")[0])[:90]] += 1
            print(f"refused      {shown}: {says[:400]!r}", flush=True)
            if sources(root) != before:
                sys.exit("a refused rename has written something")
            continue
        times.append(took)
        proof = answer["proof"]
        said = "proven" if proof["proven"] else "to look at"
        checked = check()
        compiles = "compiles" if checked.returncode == 0 else "fails"
        table[f"{said}, {compiles}"] += 1
        print(f"{said}, {compiles}  {shown}: {proof['rewritten']} places, {took:.2f} s", flush=True)
        if compiles == "fails":
            print("\n".join(checked.stderr.split("\n")[:30]), flush=True)
        if said != "proven":
            for place in proof["look_at"][:5]:
                print(f"    {place['file_path']}:{place['line']} {place['reason']} {place['rewritten']}")
        undone, answer = asof(program, root, "edit", "undo")
        if undone != 0 or sources(root) != before:
            sys.exit(f"the undo of {shown} is not exact: {answer}")
    print(json.dumps({"root": root.name, "seed": given.seed, **table}))
    for reason, count in reasons.most_common():
        print(f"  {count:>3} {reason}")
    if times:
        times.sort()
        print(f"  median {times[len(times) // 2]:.2f} s, longest {times[-1]:.2f} s")


if __name__ == "__main__":
    main()
