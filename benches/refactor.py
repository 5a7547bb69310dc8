"""Refactors random items of a real workspace, and compares what `asof` says with the compiler.

    python3 benches/refactor.py run target/debug/asof COPY --what rename --count 60 --seed 1 --out all.jsonl
    python3 benches/refactor.py run … --peer rust-analyzer
    python3 benches/refactor.py table all.jsonl

COPY is a checkout that may be written, with its dependencies fetched. Each change is applied, checked
with cargo, and undone; then every file must have the bytes that it had. Cargo checks the packages
that the change reaches. A line of JSON for each change is added to the file, with one of these
outcomes:

    proven, compiles     the aim
    proven, fails        a defect of asof
    look at, …           it listed places
    …, tests fail        with `--tests`: it compiles, and a test or an example fails that passed
    refused              with the reason

`--tests 'cargo test -q --offline'` is the second oracle: the tests must pass before, and after each
change that compiles. The share of obligations that are open is in the table.

`--what`: `rename`, `delete`, `move`, `signature`. Half of the deletions are of functions that were inserted for it,
one in two of them with an import. `--clash SHARE` gives that share of renames a name that the
workspace has already.

With `--peer`, one process of rust-analyzer gets the same renames, at the name of each definition, in
a checkout that stays as it is. Its edits are compared line by line with those of asof that are proven
and compile; if they differ, cargo checks them.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from lsp_client import Server

KINDS = [
    "function", "method", "struct", "enum", "trait", "field", "variant", "const", "static",
    "type_alias", "assoc_type", "assoc_const", "module", "macro", "local",
]

ITEMS = """
?[path, kind, name, signature, file_path, name_start] := *file{path: file_path @ $at},
    laid_out[file_path, id, _p, _s, _e, _l, _m, name_start, _n, _t, _c],
    *node{id, path, kind, name, signature, made: false @ $at}, path != null
"""


def texts(root):
    """The Rust files of a checkout."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("target", ".asof", ".git")]
        for name in names:
            if name.endswith(".rs"):
                path = pathlib.Path(folder, name)
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def changed_lines(before, after):
    """What each changed line becomes, by file and line; a file that moved is one line."""
    found = {}
    for path in before.keys() | after.keys():
        if path not in before or path not in after:
            found[path, 0] = str(path in after)
        elif before[path] != after[path]:
            old, new = before[path].split(b"\n"), after[path].split(b"\n")
            if len(old) != len(new):
                found[path, 0] = "other lines"
                continue
            for at, (one, other) in enumerate(zip(old, new), 1):
                if one != other:
                    found[path, at] = other.decode(errors="replace")
    return found


def is_code(text):
    return not text.lstrip().startswith("//")


class Workspace:
    def __init__(self, given):
        self.root, self.check = given.root.resolve(), given.check
        self.tests = given.tests
        self.program = str(given.program.resolve())
        self.name = self.root.name

    def asof(self, *args):
        """Exit code, answer, seconds and peak memory in MB of one command."""
        command = [self.program, "-C", str(self.root), "--format", "json", *args]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            begin = time.monotonic()
            child = subprocess.Popen(command, stdout=out, stderr=err)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            took = time.monotonic() - begin
            out.seek(0), err.seek(0)
            said = out.read() or err.read()
        try:
            answer = json.loads(said)
        except json.JSONDecodeError:
            answer = {"error": {"message": said.decode(errors="replace")}}
        return child.returncode, answer, took, usage.ru_maxrss / 1024

    def compiles(self):
        """None, or the errors of the compiler."""
        done = subprocess.run(self.check, shell=True, cwd=self.root, capture_output=True, text=True)
        if done.returncode == 0:
            return None
        lines = done.stderr.split("\n")
        first = next((at for at, line in enumerate(lines) if line.startswith("error")), 0)
        return "\n".join(lines[first : first + 25])

    def fails(self):
        """None, or what the tests say last, if there are tests to run and one fails."""
        if not self.tests:
            return None
        done = subprocess.run(self.tests, shell=True, cwd=self.root, capture_output=True, text=True)
        return None if done.returncode == 0 else (done.stdout + done.stderr)[-1500:]

    def items(self):
        code, answer, *_ = self.asof("query", ITEMS, "--limit", "0")
        if code != 0:
            sys.exit(str(answer))
        by_kind = collections.defaultdict(list)
        for path, kind, name, signature, file, at in sorted(answer["items"], key=json.dumps):
            if not re.fullmatch(r"[A-Za-z_]\w*", name or "") or name == "main":
                continue
            item = {"path": path, "kind": kind, "name": name, "file": file, "at": at}
            by_kind[kind].append(item)
            if kind in ("function", "method"):
                item["params"] = parameters(signature or "")
                for local in re.findall(r"[(,]\s*(?:mut )?([a-z_]\w*):", signature or ""):
                    item = {"path": path, "kind": "local", "name": local, "file": file, "at": at}
                    by_kind["local"].append(item)
        return by_kind

    def restore(self, before):
        for path, text in texts(self.root).items():
            if path not in before:
                (self.root / path).unlink()
            elif before[path] != text:
                (self.root / path).write_bytes(before[path])
        for path in before:
            if not (self.root / path).exists():
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_bytes(before[path])


def parameters(signature):
    """Names of the parameters of a function, or their places, without `self`."""
    found, depth, part, inside = [], 0, "", False
    begin = re.search(r"\bfn\s+\w+", signature)
    rest = signature[begin.end():] if begin else ""
    last = ""
    for at, c in enumerate(rest):
        if c in "(<[{":
            depth += 1
            if depth == 1 and c == "(":
                part, inside = "", True
                continue
        elif c in ")]}" or c == ">" and last != "-":
            depth -= 1
            if depth == 0 and c == ")":
                found.append(part)
                break
        elif c == "," and depth == 1 and inside:
            found.append(part)
            part, last = "", c
            continue
        part, last = part + c, c
    found = [one.strip() for one in found if one.strip()]
    found = [one for one in found if not re.match(r"(&\s*('\w+\s*)?)?(mut\s+)?self\b", one)]
    names = []
    for at, one in enumerate(found):
        name = re.match(r"(?:mut\s+)?(?:r#)?([A-Za-z_]\w*)\s*:", one)
        names.append(name[1] if name and name[1] != "_" else str(at))
    return names


def renames(by_kind, chance, given, _workspace):
    kinds = [kind for kind in given.kind or KINDS if by_kind[kind]]
    taken = sorted({item["name"] for items in by_kind.values() for item in items})
    for number in range(given.count):
        item = chance.choice(by_kind[kinds[number % len(kinds)]])
        name = item["name"]
        if chance.random() < given.clash:
            new = chance.choice([one for one in taken if one[:1].isupper() == name[:1].isupper()])
        elif name.isupper():
            new = name + "_XYZ"
        else:
            new = name + ("Xyz" if name[:1].isupper() else "_xyz")
        of = ["--local", name] if item["kind"] == "local" else ["--kind", item["kind"]]
        yield {**item, "new": new}, ["rename", item["path"], new, *of], None


def deletions(by_kind, chance, given, workspace):
    """Items as they are, and functions that are inserted."""
    kinds = [kind for kind in KINDS if by_kind[kind] and kind not in ("local", "module")]
    functions = [one for one in by_kind["function"] if "::tests::" not in one["path"]]
    for number in range(given.count):
        if number % 2 == 0:
            item = chance.choice(by_kind[kinds[number // 2 % len(kinds)]])
            yield item, ["delete", item["path"], "--kind", item["kind"]], None
            continue
        beside = chance.choice(functions)
        name = f"asof_unused_{number}"
        path = "::".join([*beside["path"].split("::")[:-1], name])
        text = f"\n/// Unused.\npub(crate) fn {name}() {{\n    let _ = 1;\n}}\n"
        own = [beside["file"], text]
        wanted = {**beside, "path": path, "name": name, "kind": "inserted"}
        if number % 4 == 1:
            yield wanted, ["delete", path, "--if-unused"], [own]
        else:
            crate, _, rest = path.partition("::")
            own[1] += f"#[allow(unused_imports)]\nuse self::{name} as asof_other_{number};\n"
            yield wanted, ["delete", path, "--with-uses"], [own]


def moves(by_kind, chance, given, _workspace):
    """Items of modules, to other modules of the crate; one in four to a new one."""
    modules = sorted({one["path"] for one in by_kind["module"]})
    is_test = lambda path: "tests" in path.split("::")
    above = lambda path: path.rsplit("::", 1)[0]
    of_module = {}
    for kind in ("function", "struct", "enum", "trait", "const", "static", "type_alias", "module"):
        of_module[kind] = [one for one in by_kind[kind] if above(one["path"]) in modules]
    kinds = [kind for kind in of_module if of_module[kind]]
    for number in range(given.count):
        item = chance.choice(of_module[kinds[number % len(kinds)]])
        path, own = item["path"], above(item["path"])
        others = [one for one in modules if one != own and one.split("::")[0] == path.split("::")[0]]
        alike = [one for one in others if is_test(one) == is_test(path) and not one.startswith(path)]
        to = f"{own}::fresh" if not alike or number % 4 == 3 else chance.choice(alike)
        yield {**item, "new": to}, ["move", item["path"], to, "--kind", item["kind"]], None


def signatures(by_kind, chance, given, _workspace):
    """Parameters added at both ends, exchanged, renamed, and removed if the body does not use them."""
    functions = by_kind["function"] + by_kind["method"]
    with_params = [one for one in functions if one["params"]]
    with_several = [one for one in functions if len(one["params"]) > 1]
    for number in range(given.count):
        how = ["add", "add_first", "order", "remove", "rename"][number % 5]
        pool = {"order": with_several, "remove": with_params, "rename": with_params}.get(how, functions)
        if not pool:
            continue
        item = chance.choice(pool)
        params = item["params"]
        if how == "add":
            args = ["--add", "_asof_extra: u8 = 7"]
        elif how == "add_first":
            args = ["--add", "_asof_extra: Option<u8> = None"]
            args += ["--before", params[0]] if params else []
        elif how == "order":
            order = params[:]
            while order == params:
                chance.shuffle(order)
            args = ["--order", ",".join(order)]
        elif how == "remove":
            args = ["--remove", chance.choice(params)]
        else:
            name = chance.choice(params)
            args = ["--rename", f"{name}={name}_xyz"]
        kind = ["--kind", item["kind"]]
        yield {**item, "new": how}, ["change-signature", item["path"], *args, *kind], None


WHAT = {"rename": renames, "delete": deletions, "move": moves, "signature": signatures}


def outcome(workspace, before, args):
    """What asof and the compiler say of one change, and the changed lines. It is undone."""
    code, answer, took, memory = workspace.asof(*args)
    done = {"seconds": round(took, 2), "memory": round(memory)}
    if code != 0:
        error = answer.get("error", answer)
        said = error.get("message", error) if isinstance(error, dict) else error
        if texts(workspace.root) != before:
            sys.exit(f"{args}: was refused, and has written something")
        return {**done, "outcome": "refused", "says": str(said).strip()[:600]}, {}
    proof = answer["proof"]
    lines = changed_lines(before, texts(workspace.root))
    errors = workspace.compiles()
    said = "proven" if proof["proven"] else "look at"
    done["outcome"] = f"{said}, {'compiles' if errors is None else 'fails'}"
    done["places"], done["look_at"] = proof["rewritten"], proof["look_at"][:8]
    done["open"] = [one["obligation"] for one in proof.get("obligations", []) if one["open"]]
    if errors is None and (errors := workspace.fails()) is not None:
        done["outcome"] = f"{said}, tests fail"
    if errors is not None:
        done["errors"] = errors
    undone, answer, *_ = workspace.asof("edit", "undo")
    if undone != 0 or texts(workspace.root) != before:
        sys.exit(f"{args}: the undo is not exact: {answer}")
    return done, lines


def peer(workspace, before, all_done, given, write):
    """The same renames by rust-analyzer, in a copy that stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, workspace.root.name)
        leave_out = shutil.ignore_patterns("target", ".asof", ".git")
        shutil.copytree(workspace.root, copy, ignore=leave_out, symlinks=True)
        features = "all" if "--all-features" in workspace.check else []
        server = Server(given.peer, copy, workspace.root / "target", features)
        ready = None
        for wanted, mine, lines in all_done:
            at = wanted["at"]
            text = before[wanted["file"]]
            if wanted["kind"] == "local":
                found = re.search(rb"[(,]\s*(?:mut )?(" + wanted["name"].encode() + rb")\s*:", text[at:])
                if not found:
                    continue
                at += found.start(1)
            if text[at : at + 2] == b"r#":
                at += 2
            begin = time.monotonic()
            answer = server.rename(wanted["file"], text, at, wanted["new"])
            took = time.monotonic() - begin
            ready = ready or time.monotonic() - server.begin
            theirs = {"peer": given.peer, "path": wanted["path"], "kind": wanted["kind"]}
            theirs |= {"crate": workspace.name, "what": given.what, "name": wanted["name"]}
            theirs |= {"seconds": round(took, 2), "ready": round(ready, 1), "ours": mine["outcome"]}
            theirs["memory"] = round(server.memory("VmHWM"))
            if isinstance(answer, str):
                theirs |= {"outcome": "refused", "says": answer[:300]}
            else:
                after = server.applied(answer, before)
                here = changed_lines(before, after)
                same = {key for key in lines if here.get(key) == lines[key]}
                code = {key for key in lines if is_code(lines[key])}
                theirs["lines"], theirs["lines_same"] = len(lines), len(same)
                theirs["code"], theirs["code_same"] = len(code), len(code & same)
                theirs["others"] = len(here.keys() - lines.keys())
                if here == lines and "compiles" in mine["outcome"]:
                    theirs["outcome"] = "same, compiles"
                elif mine["outcome"] == "refused":
                    theirs["outcome"] = "edits what asof refuses"
                else:
                    for path, text in after.items():
                        if before.get(path) != text:
                            (workspace.root / path).parent.mkdir(parents=True, exist_ok=True)
                            (workspace.root / path).write_bytes(text)
                    for path in before.keys() - after.keys():
                        (workspace.root / path).unlink()
                    errors = workspace.compiles()
                    workspace.restore(before)
                    how = "compiles" if errors is None else "fails"
                    theirs["outcome"] = f"{'same' if here == lines else 'other'}, {how}"
                    if errors is not None:
                        theirs["errors"] = errors
            write(theirs)
        server.stop()


def run(given):
    workspace = Workspace(given)
    chance = random.Random(given.seed)
    workspace.asof("index")
    if workspace.compiles() is not None:
        sys.exit("the workspace does not compile before any change")
    if workspace.fails() is not None:
        sys.exit("the tests fail before any change")
    before = texts(workspace.root)
    requests = list(WHAT[given.what](workspace.items(), chance, given, workspace))

    def write(line):
        with open(given.out, "a") as out:
            out.write(json.dumps(line) + "\n")
        says = line.get("says") or line.get("errors") or ""
        new = line.get("new", "")
        print(f"{line['outcome']:<17} {line['kind']:<11} {line['path']} {line['name']} {new} "
              f"{line['seconds']} s {says.splitlines()[:1]}", flush=True)

    all_done = []
    for number, (wanted, args, inserted) in enumerate(requests):
        if number < given.skip:
            continue
        now = before
        if inserted:
            for file, text in inserted:
                path = workspace.root / file
                path.write_bytes(before[file].rstrip(b"\n") + b"\n" + text.encode())
            workspace.asof("index")
            now = texts(workspace.root)
        done, lines = outcome(workspace, now, args)
        if inserted:
            workspace.restore(before)
        head = {"crate": workspace.name, "what": given.what, "seed": given.seed, "number": number}
        write({**head, **wanted, "args": args, **done})
        all_done.append((wanted, done, lines))
    if given.peer:
        peer(workspace, before, all_done, given, write)


def table(given):
    rows = collections.defaultdict(list)
    for file in given.files:
        for line in map(json.loads, open(file)):
            rows[line["what"], line.get("peer", "asof"), line["crate"]].append(line)
    names = ["what", "by", "crate", "number", "outcomes", "seconds", "first (s)", "memory (MB)", "lines"]
    print(" | ".join(names))
    for (what, by, crate), lines in sorted(rows.items()):
        outcomes = collections.Counter(line["outcome"] for line in lines)
        times = sorted(line["seconds"] for line in lines if line["outcome"] != "refused")
        right = [line for line in lines if line.get("ours") == "proven, compiles"]
        share = lambda part: f"{sum(one.get(part + '_same', 0) for one in right)}/{sum(one.get(part, 0) for one in right)}"
        print(" | ".join(map(str, [
            what, by, crate, len(lines), dict(outcomes.most_common()),
            times[len(times) // 2] if times else "", lines[0].get("ready", ""),
            max(line["memory"] for line in lines),
            f"{share('lines')}, of code {share('code')}" if right else "",
        ])))
    opened = collections.Counter(
        (line["what"], obligation)
        for lines in rows.values() for line in lines for obligation in line.get("open", [])
    )
    for (what, obligation), count in opened.most_common():
        print(f"{count:>4} {what} open: {obligation}")
    reasons = collections.Counter(
        (line["what"], re.sub(r"`[^`]*`|\S+\.rs(:\d+)?", "…", line["says"].split("\n")[0])[:100])
        for lines in rows.values() for line in lines if "says" in line and "peer" not in line
    )
    for (what, reason), count in reasons.most_common():
        print(f"{count:>4} {what} {reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("program", type=pathlib.Path)
    one.add_argument("root", type=pathlib.Path)
    one.add_argument("--what", choices=WHAT, default="rename")
    one.add_argument("--count", type=int, default=60)
    one.add_argument("--skip", type=int, default=0)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--clash", type=float, default=0.1)
    one.add_argument("--check", default="cargo check --workspace --all-targets --offline -q")
    one.add_argument("--tests", help="a command that must go on passing")
    one.add_argument("--kind", action="append")
    one.add_argument("--peer")
    one.add_argument("--out", type=pathlib.Path, default=pathlib.Path("refactor.jsonl"))
    one.set_defaults(does=run)
    all_of = commands.add_parser("table")
    all_of.add_argument("files", nargs="+")
    all_of.set_defaults(does=table)
    given = parser.parse_args()
    given.does(given)


if __name__ == "__main__":
    main()
