#!/usr/bin/env python3
"""`asof lsp` and rust-analyzer side by side: whether they agree, and what each of them costs.

    benches/lsp.py agree ASOF CRATE [--positions N] [--references M] [--seed N] [--out FILE]
                                    [--known FILE]
    benches/lsp.py speed ASOF CRATE [--requests N] [--keys N] [--runs N] [--seed N]
                                    [--out FILE]
    benches/lsp.py show FILE [--class C] [--kind K] [--area A] [--number N] [--seed N]

`agree` asks both for the definition of random names of all Rust files of the workspace, as
`rust_tokens.py` finds them, and for the references of random definitions. `--out` gets a line of JSON
for each, `show` prints some of them, and `--known` takes the answers of rust-analyzer from such a file
of the same seed. Two answers are the same if their first places are in the same file and line; they
overlap if one list has the first place of the other.

`speed` measures the time from the start of a process to the first right definition, memory after
random requests, the time of each kind of request, and that of an edit of an open document: from each
key in the largest file, if it has 2,000 lines, to its symbols. The right definition is that of a type
whose name is defined once, so it is known without a server. `.asof` of the workspace is removed.

rust-analyzer is that of the toolchain (or `--peer`), with all features and all targets. It writes to a
temporary target folder. `asof` writes its database into the workspace.
"""
import argparse
import collections
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from urllib.parse import unquote, urlparse

from lsp_client import Client
from rust_tokens import File

CAPABILITIES = {
    "textDocument": {
        "definition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "window": {"workDoneProgress": True},
    "experimental": {"serverStatusNotification": True},
}
CLASSES = ["same", "overlap", "different", "only rust-analyzer", "only asof", "neither"]
MODIFIED = (-32801, -32802, -32800)
NEVER = 900


class Asof(Client):
    name = "asof"

    def __init__(self, program, root, *_):
        super().__init__([program, "lsp", "--from-scratch"], root, CAPABILITIES, None)

    def wait(self):
        """Until it answers: there is nothing else to wait for."""
        self.ask("workspace/symbol", {"query": "main"}, NEVER)


class RustAnalyzer(Client):
    name = "rust-analyzer"

    def __init__(self, program, root, target):
        self.quiet_since = None
        options = {"cargo": {"features": "all", "allTargets": True}, "checkOnSave": False}
        target = {"CARGO_TARGET_DIR": str(target)}
        super().__init__([program], root, CAPABILITIES, options, target)

    def told(self, method, params):
        if method == "experimental/serverStatus":
            self.quiet_since = time.monotonic() if params["quiescent"] else None

    def wait(self):
        """Until it has had nothing to do for some seconds."""
        while time.monotonic() - self.begin < NEVER:
            if self.quiet_since and time.monotonic() - self.quiet_since > 4:
                return
            time.sleep(0.2)
        sys.exit("rust-analyzer is not ready in time")


def peer_of(given):
    if given.peer:
        return given.peer
    which = ["rustup", "which", "rust-analyzer"]
    return subprocess.run(which, capture_output=True, text=True, check=True).stdout.strip()


def rust_files(root):
    """The Rust files that Git knows, without links."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "*.rs"], capture_output=True, check=True
    )
    found = []
    for path in sorted(filter(None, listing.stdout.decode().split("\0"))):
        full = root / path
        if full.is_file() and not full.is_symlink():
            try:
                found.append(File(path, full.read_bytes().decode()))
            except UnicodeDecodeError:
                continue
    return found


def at(root, file, place):
    """The parameters of a request about a place."""
    return {
        "textDocument": {"uri": (root / file).as_uri()},
        "position": {"line": place[0], "character": place[1]},
    }


def asked(server, method, params, limit=120):
    """An answer, asked again while the server is changing; and whether it is an error."""
    for _ in range(20):
        answer = server.ask(method, params, limit)
        if "error" not in answer:
            return answer["result"], None
        if answer["error"].get("code") not in MODIFIED:
            break
        time.sleep(0.3)
    return None, answer["error"]["message"]


def places(root, result):
    """(file, line, column) of an answer, in its order; files inside of the workspace relative."""
    result = result or []
    found = []
    for one in result if isinstance(result, list) else [result]:
        uri = one.get("targetUri") or one["uri"]
        begin = (one.get("targetSelectionRange") or one["range"])["start"]
        path = pathlib.Path(unquote(urlparse(uri).path))
        path = path.resolve() if path.exists() else path
        path = path.relative_to(root) if path.is_relative_to(root) else path
        place = [str(path), begin["line"], begin["character"]]
        if place not in found:
            found.append(place)
    return found


def same_or_not(theirs, ours):
    theirs, ours = [tuple(one[:2]) for one in theirs], [tuple(one[:2]) for one in ours]
    if not theirs and not ours:
        return "neither"
    if not ours:
        return "only rust-analyzer"
    if not theirs:
        return "only asof"
    if theirs[0] == ours[0]:
        return "same"
    return "overlap" if theirs[0] in ours or ours[0] in theirs else "different"


def area(path):
    """Whose source a place is."""
    if not path.startswith("/"):
        return "workspace"
    return "std" if "/rustlib/src/" in path else "dependency"


def kind_of(file, name, places_of_both):
    """What a name is, with the place that it leads to."""
    if name.kind not in ("other name", "call", "name with capital", "field of literal or pattern"):
        return name.kind
    line, column = file.place(name.at)
    for path, to_line, to_column in places_of_both[:1]:
        if path != file.path:
            continue
        found = [other for other in file.names if file.place(other.at) == (to_line, to_column)]
        if found and found[0].function is not None and found[0].function == name.function \
                and found[0].kind == "other name":
            return "local"
    return name.kind


def rules(program, root, path):
    """[(rule, confidence in percent)] of what `asof` has stored, by the first byte of the use."""
    args = ["query", "--name", "inspect/file_uses", "-p", f"file_path={path}", "--format", "json"]
    run = subprocess.run([program, "-C", root, *args, "--timeout", "60"], capture_output=True)
    found = collections.defaultdict(list)
    if run.returncode == 0:
        for _, start, refs in json.loads(run.stdout)["items"]:
            for _, (_, rule, confidence, _, occurrences, *_) in refs:
                for offset in occurrences[::3]:
                    found[start + offset].append((rule, confidence))
    return found


class Live:
    """Answers of a server."""

    def __init__(self, server, root):
        self.server, self.root, self.name = server, root, server.name

    def definition(self, file, place):
        return self.ask("textDocument/definition", at(self.root, file, place))

    def references(self, file, place):
        params = at(self.root, file, place) | {"context": {"includeDeclaration": False}}
        return self.ask("textDocument/references", params)

    def ask(self, method, params):
        begin = time.monotonic()
        result, error = asked(self.server, method, params, 300)
        took = (time.monotonic() - begin) * 1000
        return places(self.root, result), error, round(took, 1)


class Known:
    """What rust-analyzer answered in an earlier run."""

    name = RustAnalyzer.name

    def __init__(self, file):
        self.records = {}
        for line in open(file):
            one = json.loads(line)
            self.records[one["what"], one["file"], one["line"], one["column"]] = one

    def definition(self, file, place):
        return self.of("definition", file, place)

    def references(self, file, place):
        return self.of("references", file, place)

    def of(self, what, file, place):
        one = self.records.get((what, file, *place))
        if one is None:
            sys.exit(f"{file}:{place[0] + 1}: not in the earlier run")
        return one[self.name], one.get("errors", {}).get(self.name), one["ms"][self.name]


def of_both(servers, what, file, place):
    """The answers of both, what went wrong, and the time."""
    answers, errors, took = {}, {}, {}
    for server in servers:
        found, error, took[server.name] = getattr(server, what)(file, place)
        answers[server.name] = found
        if error:
            errors[server.name] = error
    return answers, errors, took


def definitions(root, files, servers, wanted, rng, write, program):
    """Asks for the definition of random names; records."""
    everything = [(file, name) for file in files for name in file.names]
    chosen = rng.sample(everything, min(wanted, len(everything)))
    records, stored = [], {}
    for number, (file, name) in enumerate(chosen):
        place = file.place(name.at)
        answers, errors, took = of_both(servers, "definition", file.path, place)
        theirs, ours = answers["rust-analyzer"], answers["asof"]
        record = {
            "what": "definition", "file": file.path, "line": place[0], "column": place[1],
            "name": name.text, "kind": kind_of(file, name, theirs or ours),
            "in_macro": name.in_macro, "class": same_or_not(theirs, ours),
            "area": area((theirs or ours)[0][0]) if theirs or ours else "none",
            "source": file.line(place[0]), **answers, "ms": took,
        }
        if ours:
            if file.path not in stored:
                stored[file.path] = rules(program, root, file.path)
            byte = len(file.text[:name.at].encode())
            record["rules"] = stored[file.path].get(byte, [])
        keep(record, errors, records, write)
        if number % 100 == 99:
            print(f"{number + 1} of {len(chosen)}", file=sys.stderr)
    return records


def keep(record, errors, records, write):
    """Adds a record, with the errors of its answers if there are any."""
    if errors:
        record["errors"] = errors
    records.append(record)
    write(record)


def references(files, servers, wanted, rng, write):
    """Asks for the references of random definitions, about as many of each kind."""
    by_kind = collections.defaultdict(list)
    for file in files:
        for item in file.items:
            by_kind[item.kind].append((file, item))
    kinds = [kind for kind in ("fn", "method", "struct", "enum", "trait", "field", "const", "variant")
             if by_kind[kind]]
    for kind in kinds:
        rng.shuffle(by_kind[kind])
    chosen = []
    while len(chosen) < wanted and any(by_kind[kind] for kind in kinds):
        chosen += [by_kind[kind].pop() for kind in kinds if by_kind[kind]]
    texts = {file.path: file for file in files}
    records = []
    for number, (file, item) in enumerate(chosen[:wanted]):
        place = file.place(item.at)
        answers, errors, took = of_both(servers, "references", file.path, place)
        inside = {name: [one for one in found if area(one[0]) == "workspace"]
                  for name, found in answers.items()}
        theirs, ours = ({tuple(one) for one in inside[name]} for name in ("rust-analyzer", "asof"))
        shown = lambda some: [[*one, texts[one[0]].line(one[1]) if one[0] in texts else ""]
                              for one in sorted(some)]
        record = {
            "what": "references", "file": file.path, "line": place[0], "column": place[1],
            "name": item.text, "kind": item.kind, "source": file.line(place[0]),
            "both": len(theirs & ours), "only rust-analyzer": shown(theirs - ours),
            "only asof": shown(ours - theirs), **inside, "ms": took,
        }
        keep(record, errors, records, write)
        if number % 20 == 19:
            print(f"references: {number + 1} of {wanted}", file=sys.stderr)
    return records


def certain(record):
    """Whether all that `asof` has stored for the place is certain; so are names without a rule:
    definitions, variables."""
    return all(confidence == 100 for _, confidence in record.get("rules", []))


def per(part, whole):
    return f"{part / whole:.3f}" if whole else "–"


def table_of_definitions(records, by, out=sys.stdout):
    print(f"| {by} | positions | " + " | ".join(CLASSES) + " | agree | answered |", file=out)
    print("|---" * (len(CLASSES) + 4) + "|", file=out)
    groups = collections.defaultdict(list)
    for record in records:
        groups[record[by]].append(record)
    rows = sorted(groups.items(), key=lambda group: -len(group[1])) + [("all", records)]
    for name, group in rows:
        count = collections.Counter(record["class"] for record in group)
        agree = count["same"] + count["overlap"]
        both = agree + count["different"]
        ours = both + count["only asof"]
        # Positions without an answer of either are no names of anything.
        any_answer = len(group) - count["neither"]
        cells = [name, len(group), *(count[one] for one in CLASSES), per(agree, both),
                 per(ours, any_answer)]
        print("| " + " | ".join(map(str, cells)) + " |", file=out)


def table_of_references(records, out=sys.stdout):
    print("| kind | items | both | only rust-analyzer | only asof | recall | precision |", file=out)
    print("|---" * 7 + "|", file=out)
    groups = collections.defaultdict(list)
    for record in records:
        groups[record["kind"]].append(record)
    for name, group in [*sorted(groups.items()), ("all", records)]:
        both = sum(record["both"] for record in group)
        theirs = sum(len(record["only rust-analyzer"]) for record in group)
        ours = sum(len(record["only asof"]) for record in group)
        cells = [name, len(group), both, theirs, ours, per(both, both + theirs), per(both, both + ours)]
        print("| " + " | ".join(map(str, cells)) + " |", file=out)


def agree(given):
    root, rng = given.crate.resolve(), random.Random(given.seed)
    files = rust_files(root)
    lines = open(given.out, "w") if given.out else None

    def write(record):
        if lines:
            lines.write(json.dumps(record) + "\n")
            lines.flush()

    with tempfile.TemporaryDirectory() as folder:
        asof = Asof(given.asof, root)
        running, servers = [asof], [Live(asof, root)]
        if given.known:
            servers.append(Known(given.known))
        else:
            peer = RustAnalyzer(peer_of(given), root, given.target or folder)
            running.append(peer)
            servers.append(Live(peer, root))
        for server in running:
            server.wait()
        found = definitions(root, files, servers, given.positions, rng, write, given.asof)
        used = references(files, servers, given.references, rng, write)
        for server in running:
            server.stop()
    for by in ("kind", "area"):
        table_of_definitions(found, by)
        print()
    table_of_references(used)
    sure = [one for one in found if one["asof"] and one["rust-analyzer"] and certain(one)]
    wrong = sum(one["class"] == "different" for one in sure)
    print(f"\nAnswers of both at confidence 1.0: {len(sure)}, different: {wrong}")


# What is asked, and how often among 20.
MIXED = {
    "textDocument/definition": 5, "textDocument/hover": 4, "textDocument/documentHighlight": 3,
    "textDocument/references": 2, "textDocument/documentSymbol": 2, "workspace/symbol": 1,
    "textDocument/implementation": 1, "textDocument/typeDefinition": 1,
    "textDocument/foldingRange": 1,
}
TYPED = "\nlet typed = other.method(first, &second[1..])?;"


def mixed(root, files, wanted, rng):
    """[(method, parameters)], random, at random names."""
    everything = [(file, name) for file in files for name in file.names]
    methods = rng.choices(list(MIXED), MIXED.values(), k=wanted)
    for method in methods:
        file, name = rng.choice(everything)
        document = {"textDocument": {"uri": (root / file.path).as_uri()}}
        if method == "workspace/symbol":
            yield method, {"query": name.text}
        elif method in ("textDocument/documentSymbol", "textDocument/foldingRange"):
            yield method, document
        else:
            params = at(root, file.path, file.place(name.at))
            if method == "textDocument/references":
                params["context"] = {"includeDeclaration": False}
            yield method, params


def probes(files, rng):
    """Uses of types whose name is defined once, so that the right answer is known: (file, place of the
    use, file and line of the definition)."""
    defined, uses = collections.defaultdict(list), []
    for file in files:
        for name in file.names:
            if name.kind == "definition":
                defined[name.text].append((file, name))
    once = {text: found[0] for text, found in defined.items() if len(found) == 1}
    types = {item.text for file in files for item in file.items
             if item.kind in ("struct", "enum", "trait")}
    for file in files:
        for name in file.names:
            if name.text in types & once.keys() and name.kind == "name with capital" \
                    and not name.in_macro and once[name.text][0] is not file:
                to, definition = once[name.text]
                uses.append((file.path, file.place(name.at), (to.path, to.place(definition.at)[0])))
    rng.shuffle(uses)
    return uses


def is_right(server, root, probe):
    file, place, expected = probe
    result, _ = asked(server, "textDocument/definition", at(root, file, place), NEVER)
    return expected in [tuple(one[:2]) for one in places(root, result)]


def first_right(start, root, probe):
    """Seconds from the start of a process to the right answer."""
    server = start()
    while not is_right(server, root, probe):
        if time.monotonic() - server.begin > NEVER:
            sys.exit(f"{server.name} has no right answer in time")
        time.sleep(0.02)
    took = time.monotonic() - server.begin
    server.stop()
    return took


def keystrokes(server, root, file, keys):
    """Milliseconds from each change to the symbols of the document; how often these were wrong."""
    opener = {end: begin for begin, end in file.pairs.items()}
    middle = len(file.text) // 2
    bodies = [(abs(begin - middle), opener[end]) for begin, end in file.functions if end in opener]
    line, column = file.place(file.tokens[min(bodies)[1]].at + 1)
    document = {"uri": (root / file.path).as_uri()}
    server.tell("textDocument/didOpen", {
        "textDocument": {**document, "languageId": "rust", "version": 0, "text": file.text},
    })

    def last_line(symbols):
        return max((max(one["selectionRange"]["start"]["line"], last_line(one.get("children") or []))
                    for one in symbols), default=-1)

    def last():
        result, _ = asked(server, "textDocument/documentSymbol", {"textDocument": document})
        return last_line(result or [])

    before, new_lines, took, wrong = last(), 0, [], 0
    for number in range(keys):
        key = TYPED[number % len(TYPED)]
        here = {"line": line, "character": column}
        begin = time.monotonic()
        server.tell("textDocument/didChange", {
            "textDocument": {**document, "version": number + 1},
            "contentChanges": [{"range": {"start": here, "end": here}, "text": key}],
        })
        if key == "\n":
            line, column, new_lines = line + 1, 0, new_lines + 1
        else:
            column += 1
        after = last()
        took.append((time.monotonic() - begin) * 1000)
        wrong += after != before + new_lines
    server.tell("textDocument/didClose", {"textDocument": document})
    return took, wrong


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def speed(given):
    root, rng = given.crate.resolve(), random.Random(given.seed)
    files = rust_files(root)
    found = {"crate": root.name, "seed": given.seed}
    with tempfile.TemporaryDirectory() as folder:
        target = given.target or folder
        forget = lambda: shutil.rmtree(root / ".asof", ignore_errors=True)
        starts = {
            "asof": lambda: Asof(given.asof, root),
            "rust-analyzer": lambda: RustAnalyzer(peer_of(given), root, target),
        }
        wanted = list(mixed(root, files, given.requests, rng))
        candidates = probes(files, rng)[:40]
        largest = max(files, key=lambda file: len(file.starts))
        answered, times = {}, collections.defaultdict(dict)
        for name, start in starts.items():
            server = start()
            server.wait()
            answered[name] = [is_right(server, root, probe) for probe in candidates]
            by_method = collections.defaultdict(list)
            for method, params in wanted:
                begin = time.monotonic()
                asked(server, method, params, NEVER)
                by_method[method].append((time.monotonic() - begin) * 1000)
            for method, values in by_method.items():
                times[method][name] = values
            found[name] = {"rss": server.memory("VmRSS"), "peak": server.memory("VmHWM")}
            if len(largest.starts) >= 2000:
                typed, wrong = keystrokes(server, root, largest, given.keys)
                found[name]["key p50"], found[name]["key p99"] = (
                    percentile(typed, 0.5), percentile(typed, 0.99))
                found[name]["key wrong"] = wrong
            server.stop()
        right = [probe for probe, *both in zip(candidates, *answered.values()) if all(both)]
        if not right:
            sys.exit("no type that both find")
        found["probe"] = right[0]
        for name, start in starts.items():
            runs = [first_right(start, root, right[0]) for _ in range(given.runs)]
            found[name]["first"] = statistics.median(runs)
        cold = []
        for _ in range(given.runs):
            forget()
            cold.append(first_right(starts["asof"], root, right[0]))
        found["asof"]["first without database"] = statistics.median(cold)
    found["methods"] = {
        method: {name: [len(values), percentile(values, 0.5), percentile(values, 0.99)]
                 for name, values in both.items()}
        for method, both in times.items()
    }
    if given.out:
        with open(given.out, "a") as out:
            out.write(json.dumps(found) + "\n")
    table_of_speed(found, largest)


def table_of_speed(found, largest):
    ours, theirs = found["asof"], found["rust-analyzer"]
    print(f"| {found['crate']} | asof | rust-analyzer | ratio |")
    print("|---|---|---|---|")
    rows = [
        ("first right definition (s)", "first", "first"),
        ("the same, without a database (s)", "first without database", "first"),
        (f"memory after the requests (MB)", "rss", "rss"),
        ("peak memory (MB)", "peak", "peak"),
        (f"key to symbols, p50 (ms), {largest.path}, {len(largest.starts)} lines",
         "key p50", "key p50"),
        ("key to symbols, p99 (ms)", "key p99", "key p99"),
        ("keys with wrong symbols", "key wrong", "key wrong"),
    ]
    for label, mine, other in rows:
        if mine in ours:
            print(f"| {label} | {ours[mine]:.3g} | {theirs[other]:.3g} | "
                  f"{per(ours[mine], theirs[other])} |")
    print("\n| method | requests | asof p50 (ms) | p99 | rust-analyzer p50 (ms) | p99 |")
    print("|---|---|---|---|---|---|")
    for method, both in found["methods"].items():
        number, *mine = both["asof"]
        cells = [*mine, *both["rust-analyzer"][1:]]
        print(f"| {method} | {number} | " + " | ".join(f"{one:.1f}" for one in cells) + " |")


def show(given):
    records = [json.loads(line) for line in open(given.file)]
    records = [one for one in records if one["what"] == "definition"]
    for by in ("class", "kind", "area"):
        if getattr(given, by):
            records = [one for one in records if one[by] == getattr(given, by)]
    print(len(records))
    random.Random(given.seed).shuffle(records)
    place = lambda one: f"{one[0]}:{one[1] + 1}:{one[2] + 1}"
    for one in records[:given.number]:
        macro = " in a macro" if one["in_macro"] else ""
        print(f"{place([one['file'], one['line'], one['column']])} `{one['name']}` "
              f"({one['class']}, {one['kind']}{macro}, {one['area']})")
        print(f"    {one['source']}")
        for server in ("rust-analyzer", "asof"):
            print(f"    {server}: {', '.join(map(place, one[server])) or '–'}")
        if one.get("rules"):
            print("    stored:", ", ".join(f"{rule} {sure / 100}" for rule, sure in one["rules"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("agree", "speed"):
        command = commands.add_parser(name)
        command.add_argument("asof")
        command.add_argument("crate", type=pathlib.Path)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--out")
        command.add_argument("--peer", help="another rust-analyzer")
        command.add_argument("--target", type=pathlib.Path,
                             help="a target folder to keep what rust-analyzer builds")
        if name == "agree":
            command.add_argument("--positions", type=int, default=2000)
            command.add_argument("--references", type=int, default=200)
            command.add_argument("--known", help="what an earlier run wrote: rust-analyzer's answers")
        else:
            command.add_argument("--requests", type=int, default=1000)
            command.add_argument("--keys", type=int, default=200)
            command.add_argument("--runs", type=int, default=3)
    command = commands.add_parser("show")
    command.add_argument("file")
    for by in ("class", "kind", "area"):
        command.add_argument(f"--{by}")
    command.add_argument("--number", type=int, default=20)
    command.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.command != "show":
        # It runs in the folder of the crate.
        given.asof = str(pathlib.Path(shutil.which(given.asof) or given.asof).resolve())
        given.target = given.target and given.target.resolve()
    {"agree": agree, "speed": speed, "show": show}[given.command](given)


if __name__ == "__main__":
    main()
