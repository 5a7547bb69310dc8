#!/usr/bin/env python3
"""Whether `asof review` proves true refactorings, and calls no hidden mutation proven.

    benches/review.py ASOF CRATE... [--rounds N] [--refactorings N] [--mutants N] [--seed N]
                     [--signatures SHARE]

CRATE is the folder of a package, which is copied; ASOF is the program. In each round, items that are
chosen by the seed are renamed and moved by `asof rename` and `asof move`, a share of the functions gets its
parameters in another order, or one more, by `asof change-signature`, and the result is reviewed: the share of changed items that are proven is that of true refactorings. Then one mutation at a time
is put into an item that was proven, or beside it, and the result is reviewed again. A mutant is
*called proven* if the review does not list the item, or, for what is around items, lists nothing
more than before.
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

KINDS = ["function", "method", "struct", "enum", "trait", "const", "field", "variant", "module"]
HOLDERS = ["impl", "module", "trait"]
MASKED = re.compile(r'//[^\n]*|/\*|b?r(#*)".*?"\1|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'', re.S)
WORD = r"[A-Za-z_][A-Za-z_0-9]*"
OPERATORS = {" == ": " != ", " != ": " == ", " <= ": " < ", " >= ": " > ", " < ": " <= ",
             " > ": " >= ", " + ": " - ", " - ": " + ", " * ": " / ", " && ": " || ",
             " || ": " && ", " & ": " | ", " | ": " & ", " += ": " -= ", " << ": " >> "}
METHODS = {"len": "capacity", "is_some": "is_none", "is_none": "is_some", "min": "max",
           "max": "min", "iter": "into_iter", "first": "last", "last": "first", "any": "all",
           "all": "any", "unwrap": "unwrap_or_default", "push": "push_back", "next": "next_back",
           "is_empty": "is_ascii", "as_ref": "as_mut", "start": "end", "end": "start"}


def masked(text):
    """The text with comments and texts in quotes blanked; bytes keep their places."""
    out, at = [], 0
    while found := MASKED.search(text, at):
        end = found.end()
        depth = found[0] == "/*"
        while depth and (mark := re.compile(r"/\*|\*/").search(text, end)):
            depth, end = depth + (1 if mark[0] == "/*" else -1), mark.end()
        out += [text[at:found.start()], re.sub(r"[^\n]", " ", text[found.start():end])]
        at = end
    return "".join(out) + text[at:]


def replace(text, match, new, group=0):
    return text[:match.start(group)] + new + text[match.end(group):]


def places(pattern, code):
    return list(re.finditer(pattern, code))


# Each mutation of an item takes its text and that text without comments, and gives changed texts.

def operator(text, code):
    for old, new in OPERATORS.items():
        for m in places(re.escape(old), code):
            yield replace(text, m, new)


def constant(text, code):
    for m in places(r"(?<![\w.'])(\d+)(?![\w.])", code):
        yield replace(text, m, str(int(m[1]) + 1))


def suffix(text, code):
    for m in places(r"(?<![\w.'])\d+(?![\w.])", code):
        yield replace(text, m, m[0] + "u8")


def arguments(text, code):
    for m in places(rf"\b{WORD}\(({WORD}), ({WORD})\)", code):
        if m[1] != m[2]:
            yield text[:m.start(1)] + f"{m[2]}, {m[1]}" + text[m.end(2):]


def dropped_try(text, code):
    for m in places(r"\)(\?)", code):
        yield replace(text, m, "", 1)


def other_method(text, code):
    for m in places(rf"\.({WORD})\(", code):
        if m[1] in METHODS:
            yield replace(text, m, METHODS[m[1]], 1)


def swapped_fields(text, code):
    for m in places(rf"({WORD}): ({WORD}), ({WORD}): ({WORD})(?=[,\s}}])", code):
        if m[2] != m[4]:
            yield text[:m.start(2)] + f"{m[4]}, {m[3]}: {m[2]}" + text[m.end(4):]


def other_field(text, code):
    fields = sorted(set(re.findall(rf"\bself\.({WORD})\b(?!\()", code)))
    for m in places(rf"\bself\.({WORD})\b(?!\()", code):
        for other in fields:
            if other != m[1]:
                yield replace(text, m, other, 1)


def shadowed(text, code):
    for m in places(rf"\n(\s+)let ({WORD}) = [^;]*;", code):
        yield text[:m.end()] + f"{m[1]}let {m[2]} = Default::default();" + text[m.end():]


def dropped_statement(text, code):
    for m in places(r"\n\s+(?!let)[a-z][\w.:]*\([^;{}]*\);", code):
        yield replace(text, m, "")


def attribute(text, code):
    yield "#[cold]\n" + text


def condition(text, code):
    yield "#[cfg(windows)]\n" + text


def qualifier(text, code):
    for m in places(r"\bfn ", code)[:1]:
        if "unsafe" not in code[:m.start()]:
            yield replace(text, m, "unsafe fn ")
        if "const" not in code[:m.start()]:
            yield replace(text, m, "const fn ")


def visibility(text, code):
    for m in places(r"\bpub(?! *\()", code)[:1]:
        yield replace(text, m, "pub(crate)")
    for m in places(r"\bpub\(crate\)", code)[:1]:
        yield replace(text, m, "pub")


def bound(text, code):
    for m in places(rf"<({WORD}): ({WORD})", code)[:1]:
        yield text[:m.end()] + " + Send" + text[m.end():]


def lifetime(text, code):
    for m in places(r"&'[a-z]\w* ", code):
        yield replace(text, m, "&'static ")


def arms(text, code):
    for m in places(r"\n( +)([^\n{}=]+ => [^\n{}]+,)\n\1([^\n{}=]+ => [^\n{}]+,)(?=\n)", code):
        first, second = (text[m.start(n):m.end(n)] for n in (2, 3))
        yield text[:m.start(2)] + second + "\n" + m[1] + first + text[m.end(3):]


def other_type(text, code):
    for old, new in (("usize", "u32"), ("u8", "u16"), ("String", "Box<str>"), ("bool", "u8")):
        for m in places(rf"(: |-> )({old})\b", code):
            yield replace(text, m, new, 2)


def derive(text, code):
    for m in places(rf"#\[derive\(({WORD}), ", code):
        yield replace(text, m, "#[derive(")


def mutability(text, code):
    for m in places(r"&mut ", code):
        yield replace(text, m, "&")


ITEM = [operator, constant, suffix, arguments, dropped_try, other_method, swapped_fields, other_field,
        shadowed, dropped_statement, attribute, condition, qualifier, visibility, bound, lifetime,
        arms, other_type, derive, mutability]


# Each mutation of a file takes its text, and what it imports; what is read has to grow.

def other_import(text, code):
    """A name from elsewhere, of the same kind of path."""
    for m in places(rf"\nuse ((?:{WORD}::)+)({WORD});", code):
        if len(re.findall(rf"\b{m[2]}\b", code)) > 1 and m[2] != "self":
            yield replace(text, m, f"\nuse elsewhere::{m[1]}{m[2]};")


def file_attribute(text, code):
    if not re.match(r"\s*#!\[", text):
        yield "#![no_implicit_prelude]\n" + text


FILE = [other_import, file_attribute]


class Crate:
    def __init__(self, program, source, folder, rng, signatures):
        self.program, self.rng, self.signatures = program, rng, signatures
        self.root = pathlib.Path(folder) / source.name
        shutil.copytree(source, self.root, ignore=shutil.ignore_patterns(".git", "target", ".asof"))
        for line in (["init", "-q"], ["add", "-Af"], ["commit", "-qm", "base"]):
            self.git(*line)
        self.asof("index")

    def git(self, *args):
        names = ["-c", "user.name=review", "-c", "user.email=review@localhost"]
        subprocess.run(["git", *names, *args], cwd=self.root, check=True, capture_output=True)

    def asof(self, *args):
        done = subprocess.run([self.program, *args], cwd=self.root, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def json(self, *args):
        code, out, err = self.asof(*args, "--format", "json")
        if code != 0:
            raise RuntimeError(f"{args}: {code}: {err}")
        return json.loads(out)

    def items(self):
        script = """?[path, kind, file, start, end, in_test, signature] :=
            *node{id, kind, path, in_test, made, signature @ 'NOW'},
            !is_null(path), !made, span[id, file, start, end, _a, _b]"""
        return self.json("query", script, "--limit", "0")["items"]

    def review(self):
        return self.json("review", "HEAD", "--limit", "0")

    def refactor(self, wanted):
        """Renames and moves items; the commands that were carried out."""
        done = []
        for _ in range(wanted * 4):
            if len(done) == wanted:
                break
            rows = [row for row in self.items() if not row[5] and "<" not in row[0]
                    and "::" in row[0] and row[2].startswith("src/")]
            if not rows:
                break
            path, kind = (row := self.rng.choice(rows))[:2]
            modules = [r[0] for r in rows if r[1] == "module"] + [path.split("::")[0] + "::moved_here"]
            if self.signatures:
                functions = [row for row in rows if row[1] in ("function", "method")]
                if functions and self.rng.random() < self.signatures:
                    line = self.other_parameters(self.rng.choice(functions))
                    if self.asof(*line)[0] == 0:
                        done.append(" ".join(line))
                    continue
            if kind in ("function", "struct", "enum", "trait", "const") and self.rng.random() < 0.5:
                line = ["move", path, self.rng.choice(modules)]
            elif kind in KINDS:
                name = path.rsplit("::", 1)[1]
                new = f"renamed_{name}" if name[0].islower() else f"Renamed{name.title().replace('_', '')}"
                line = ["rename", path, new.upper() if name.isupper() else new]
            else:
                continue
            code, _, _ = self.asof(*line)
            if code == 0:
                done.append(" ".join(line))
        return done

    def other_parameters(self, row):
        """Gives a function its parameters in another order, or one more."""
        names = re.findall(r"[(,]\s*(?:mut\s+)?([a-z_]\w*)\s*:(?!:)", row[6])
        if len(names) > 1 and self.rng.random() < 0.6:
            self.rng.shuffle(names)
            return ["change-signature", row[0], "--order", ",".join(names)]
        return ["change-signature", row[0], "--add", "added_here: bool = false"]


def key(item):
    return item["path"], tuple(sorted((one["reason"], one["what"]) for one in item["reasons"]))


def mutate(crate, proven, baseline, stats, wanted, log):
    rng = crate.rng
    spans = {row[0]: row for row in crate.items()}
    # Of each kind as many as of others.
    tried = 0
    for _ in range(wanted * 10):
        if tried == wanted:
            break
        mutation = rng.choice(ITEM + FILE)
        item = rng.choice([one for one in proven if one["kind"] not in HOLDERS] or proven)
        row = spans.get(item["path"])
        if row is None:
            continue
        place = crate.root / row[2]
        before = place.read_bytes()
        if mutation in FILE:
            text = before.decode()
            options = list(mutation(text, masked(text)))
        else:
            text = before[row[3]:row[4]].decode()
            head = re.match(r"(?:\s*(?:///[^\n]*|//[^\n]*|/\*.*?\*/))*\s*", text, re.S).end()
            options = [text[:head] + one for one in mutation(text[head:], masked(text[head:]))]
        if not options:
            continue
        new = rng.choice(options)
        after = new.encode() if mutation in FILE else before[:row[3]] + new.encode() + before[row[4]:]
        place.write_bytes(after)
        try:
            found = crate.review()
        except RuntimeError as error:
            stats["failed", mutation.__name__] += 1
            print("failed:", error, file=log)
            continue
        finally:
            place.write_bytes(before)
        tried += 1
        stats["mutants", mutation.__name__] += 1
        read = found["read"]
        paths = {one["path"] for one in read}
        more = {key(one) for one in read} - baseline
        caught = bool(more) if mutation in FILE else item["path"] in paths
        # A mutated type is read where it is written: the item, or what it was taken for.
        if not caught and mutation not in FILE and any(item["path"] in one[0] for one in more):
            caught = True
        if not caught:
            stats["proven", mutation.__name__] += 1
            print(f"CALLED PROVEN: {mutation.__name__} in {item['path']} ({crate.root.name})", file=log)
            print("\n".join(difference(text, new)), file=log)


def difference(old, new):
    import difflib
    return list(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=1))[2:12]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("asof")
    parser.add_argument("crates", nargs="+", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--refactorings", type=int, default=4)
    parser.add_argument("--mutants", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signatures", type=float, default=0)
    given = parser.parse_args()
    program = str(pathlib.Path(given.asof).resolve())
    stats, reasons = collections.Counter(), collections.Counter()
    import sys
    rounds = [(source, number) for source in given.crates for number in range(given.rounds)]
    try:
        for source, number in rounds:
            rng = random.Random(f"{given.seed} {source.name} {number}")
            with tempfile.TemporaryDirectory() as folder:
                crate = Crate(program, source, folder, rng, given.signatures)
                done = crate.refactor(given.refactorings)
                if not done:
                    continue
                found = crate.review()
                counts = [found["summary"], found["summary"]["tests"]]
                stats["refactorings", ""] += len(done)
                for name in ("changed", "proven"):
                    stats["items " + name, ""] += sum(one[name] for one in counts)
                kinds = {one["reason"] for item in found["read"] for one in item["reasons"]}
                stats["rounds", ""] += 1
                stats["rounds whole", ""] += not found["read"]
                for item in found["read"]:
                    reasons.update({one["reason"] for one in item["reasons"]})
                    print(f"  to read: {item['path']}: {item['reasons'][0]['reason']}: "
                          f"{item['reasons'][0]['what']}")
                print(f"{source.name}: {'; '.join(done)}: "
                      f"{counts[0]['proven']} of {counts[0]['changed']} proven", flush=True)
                if found["proven"]:
                    baseline = {key(one) for one in found["read"]}
                    mutate(crate, found["proven"], baseline, stats, given.mutants, sys.stdout)
    except KeyboardInterrupt:
        print("stopped: the figures are those of the rounds so far")
    print()
    for name in ("rounds", "rounds whole", "refactorings", "items changed", "items proven"):
        print(f"{name:16}{stats[name, '']:6}")
    if stats["items changed", ""]:
        print(f"{'share proven':16}{stats['items proven', ''] / stats['items changed', '']:6.3f}")
    print("reasons of those that are not:", dict(reasons.most_common()))
    print(f"\n{'mutation':20}{'mutants':>8}{'called proven':>15}{'failed':>8}")
    for mutation in ITEM + FILE:
        row = [stats[name, mutation.__name__] for name in ("mutants", "proven", "failed")]
        print(f"{mutation.__name__:20}{row[0]:8}{row[1]:15}{row[2]:8}")
    total = [sum(n for (name, _), n in stats.items() if name == of) for of in ("mutants", "proven", "failed")]
    print(f"{'all':20}{total[0]:8}{total[1]:15}{total[2]:8}")


if __name__ == "__main__":
    main()
