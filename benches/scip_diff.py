#!/usr/bin/env python3
"""Compares the references of `asof` with a SCIP index of the same checkout, place by place.

    rust-analyzer scip PATH --output index.scip
    cargo run --release --example references -- PATH > refs.jsonl
    python3 benches/scip_diff.py index.scip PATH refs.jsonl [--show CLASS [N]]

A place is a file, a line and a column. Prints recall and precision of places at confidence 1.0
and below, the share that is right for each rule, call edges, and the classes of disagreement by
size. `--show` lists places of the classes whose names contain CLASS.

Only places that both sides cover count towards precision: rust-analyzer is silent in bodies of
macros and behind an inactive `cfg`. Definitions in the same call of a macro share a symbol there,
so a symbol with several definitions is right if the answer is one of them. Here a macro call stands
for all items that it makes. Of definitions under different `cfg`s the index knows one: the others
are counted as twins, neither right nor wrong. Fields of tuples have no definition in the index and
are left out. Of an operator with several bytes, and of the brackets of an index, the first counts.
"""
import bisect, collections, json, os, re, sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """Number and value of each field of a message; of length-delimited ones, the bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value = data[at : at + size]
            at += size
        else:
            size = 8 if key & 7 == 1 else 4
            value = data[at : at + size]
            at += size
        yield key >> 3, value


def numbers(data):
    at, found = 0, []
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def occurrences(index):
    """File, range, symbol, whether it is a definition, and the range of the whole item."""
    for number, document in fields(memoryview(open(index, "rb").read())):
        if number != 2:
            continue
        parts = list(fields(document))
        path = next((bytes(v).decode() for n, v in parts if n == 1), "")
        for _, occurrence in (part for part in parts if part[0] == 2):
            range_, symbol, roles, whole = [], "", 0, []
            for n, value in fields(occurrence):
                if n == 1:
                    range_ = numbers(value)
                elif n == 2:
                    symbol = bytes(value).decode()
                elif n == 3:
                    roles = value
                elif n == 7:
                    whole = numbers(value)
            yield path, range_, symbol, bool(roles & 1), whole


def last_name(path):
    return re.findall(r"\w+", path.split("(")[0].rstrip(":!/#.`"))[-1:] or [""]


def symbol_kind(symbol):
    if symbol.startswith("local "):
        return "local"
    for end, kind in (("().", "function"), ("!", "macro"), ("/", "module"), ("#", "type"), (".", "value"), ("]", "parameter")):
        if symbol.endswith(end):
            return kind
    return "other"


class Texts:
    def __init__(self, root):
        self.root, self.files = root, {}

    def lines(self, path):
        if path not in self.files:
            try:
                self.files[path] = open(os.path.join(self.root, path), "rb").read().split(b"\n")
            except OSError:
                self.files[path] = []
        return self.files[path]

    def line(self, place):
        lines = self.lines(place[0])
        return lines[place[1] - 1] if place[1] <= len(lines) else b""

    def name(self, place):
        found = re.match(rb"\w+", self.line(place)[place[2] - 1 :])
        return found.group().decode(errors="replace") if found else ""

    def continues(self, path, line, column):
        """Whether a place is in an operator, but not its first byte: the `]` of an index too, and the
        `.` of `.await`."""
        text, at = self.line((path, line)), column - 1
        here = text[at : at + 1]
        if here == b"]" or here.isspace() or re.match(rb"\.\s*await\b", text[at:]):
            return True
        operator = b"+-*/%&|^<>=!"
        return here in operator and at > 0 and text[at - 1 : at] in operator and here != b"*"

    def context(self, place):
        """How the text around the place looks."""
        line, start = self.line(place), place[2] - 1
        before, after = line[:start].rstrip(), line[start + len(self.name(place)) :].lstrip()
        if re.match(rb"\s*(pub(\(.*?\))?\s+)?use\b", line):
            return "use"
        if re.match(rb"\s*(pub(\(.*?\))?\s+)?mod\b", line):
            return "mod"
        if re.match(rb"\s*#!?\[", line):
            return "attribute"
        if before.endswith(b".") and not before.endswith(b".."):
            return "method" if after[:1] == b"(" or after[:3] == b"::<" else "field"
        if after[:1] == b"!" and after[1:2] != b"=":
            return "macro"
        if before.endswith(b"::"):
            return "call of a path" if after[:1] == b"(" else "path"
        if after[:2] == b"::":
            return "path start"
        return "call" if after[:1] == b"(" else "name"


def main():
    args = sys.argv[1:]
    show, count = None, 12
    if "--show" in args:
        at = args.index("--show")
        show = args[at + 1]
        count = int(args[at + 2]) if len(args) > at + 2 else count
        args = args[:at]
    index, root, answers = args
    texts = Texts(root)

    definitions = collections.defaultdict(set)  # symbol: file and line
    truth = collections.defaultdict(set)  # place: symbols
    functions = collections.defaultdict(list)  # file: ranges of functions
    for path, range_, symbol, defines, whole in occurrences(index):
        place = (path, range_[0] + 1, range_[1] + 1)
        if defines:
            if not symbol.startswith("local "):
                definitions[symbol].add((path, range_[0] + 1))
            if whole and symbol.endswith("()."):
                whole = whole if len(whole) == 4 else [whole[0], whole[1], whole[0], whole[2]]
                functions[path].append((whole[0] + 1, whole[2] + 1, range_[0] + 1))
        elif not texts.continues(*place):
            truth[place].add(symbol)

    ours = collections.defaultdict(list)
    for line in open(answers):
        row = json.loads(line)
        if row["kind"] == "overrides":
            continue
        target = row["target"]
        for number, column in row["places"]:
            ours[(row["file"], number, column)].append((row, target))

    package = lambda symbol: symbol.split(" ")[2] if symbol.count(" ") >= 3 else ""
    own = {package(symbol) for symbol in definitions}
    unplaced = 0

    def is_at(target, symbols):
        """Whether a definition of ours is one of these symbols."""
        places = {(target["file"], target["line"])}
        if target["kind"] == "module":
            places.add((target["text_file"], 1))
            places.add((target["text_file"], target["start"]))
        if target["made"] or target["kind"] == "macro_call":
            return place_in_call(target, symbols) is not None
        return any(definitions[symbol] & places for symbol in symbols)

    def place_in_call(target, symbols):
        """Where the index has an item that a call of a macro makes."""
        spread = range(target["line"], target["end"] + 1)
        named = [s for s in symbols if not target["made"] or target["name"] in s]
        places = [place for s in named for place in sorted(definitions[s])]
        return next((p for p in places if p[0] == target["file"] and p[1] in spread), None)

    def enclosing(place):
        found = [f for f in functions[place[0]] if f[0] <= place[1] <= f[1]]
        return (place[0], min(found, key=lambda f: f[1] - f[0])[2]) if found else None

    classes = collections.defaultdict(list)
    rules = collections.defaultdict(lambda: [0, 0])
    bands = {"1.0": [0, 0], "below": [0, 0]}
    edges_true, edges_ours = set(), collections.defaultdict(bool)
    recalled = [0, 0, 0]
    outside = collections.Counter()
    outside_rules = collections.defaultdict(lambda: [0, 0])
    for place in sorted(set(truth) | set(ours)):
        symbols = truth.get(place, set())
        inside = {s for s in symbols if not s.startswith("local ") and s in definitions}
        found = ours.get(place, [])
        nodes = [(row, target) for row, target in found if "path" in target]
        context = texts.context(place)
        name = texts.name(place)
        if name in ("self", "super", "crate", "Self") or name.isdigit():
            continue
        # In some macros of other crates the index has uses of items but no definitions.
        if any(s not in definitions and package(s) in own and not s.endswith(" crate/") for s in symbols):
            unplaced += 1
            continue
        if symbols and not symbols - {s for s in symbols if s.endswith("]")}:
            continue  # a generic parameter
        right = [row for row, target in nodes if is_at(target, inside)]
        if inside:
            recalled[2] += 1
            sure = [row for row in right if row["confidence"] == 100]
            recalled[0] += bool(sure)
            recalled[1] += bool(right)
            kind = symbol_kind(min(inside))
            if kind == "function" and context in ("method", "call", "call of a path"):
                for symbol in inside:
                    for definition in definitions[symbol]:
                        edges_true.add((enclosing(place), frozenset(definitions[symbol])))
            if not right:
                if nodes:
                    why = "another: " + nodes[0][0]["rule"]
                elif any("external" in target for _, target in found):
                    why = "said to be outside"
                elif found:
                    why = "unknown"
                else:
                    why = "nothing"
                classes[f"missed, {why}, {kind}, {context}"].append(place)
        for row, target in nodes:
            if not symbols:
                classes[f"not covered, {row['kind']}"].append(place)
                continue
            good = is_at(target, inside)
            if not good and any(is_at(t, inside) and t["path"] == target["path"] for _, t in nodes):
                classes[f"twin, {row['rule']}, {context}"].append(place)
                continue
            band = bands["1.0" if row["confidence"] == 100 else "below"]
            rules[row["rule"], row["confidence"]][0] += good
            rules[row["rule"], row["confidence"]][1] += 1
            band[0] += good
            band[1] += 1
            if row["kind"] in ("call", "method_call") and target["kind"] in ("function", "method"):
                at = place_in_call(target, inside) if target["made"] else None
                key = (enclosing(place), at or (target["file"], target["line"]))
                if row["confidence"] >= 50:
                    edges_ours[key] |= good
            if not good and right:
                classes[f"one too many, {row['rule']} {row['confidence']}, {context}"].append(place)
            elif not good and not inside:
                what = "local" if any(s.startswith("local ") for s in symbols) else "outside"
                classes[f"wrong, is {what}, {row['rule']} {row['confidence']}, {context}"].append(place)
            elif not good:
                classes[f"wrong, {row['rule']} {row['confidence']}, {context}"].append(place)
        away = {s for s in symbols - inside if not s.startswith("local ")}
        for row, target in found:
            if "external" in target and symbols and not inside:
                same = any(
                    last_name(target["external"]) == last_name(s) or s.endswith(" crate/") for s in away
                )
                names = re.findall(r"\w+", target["external"])[-2:]
                whole = any(set(names) <= set(re.findall(r"\w+", s)) for s in away)
                if context == "method":
                    kind = "of std" if re.match("(std|core|alloc)::", target["external"]) else "of a dependency"
                    outside_rules[row["rule"] + " " + kind][0] += whole
                    outside_rules[row["rule"] + " " + kind][1] += 1
                outside["same name" if same else "another name" if away else "local"] += 1
                if not same:
                    classes[f"outside, another name, {row['rule']} {context}"].append(place)
        if away and not inside and not any("external" in target for _, target in found):
            outside["not found"] += 1

    share = lambda a, b: f"{a}/{b} = {a / b:.4f}" if b else "none"
    print("recall of places, at 1.0:", share(recalled[0], recalled[2]), " at any:", share(recalled[1], recalled[2]))
    for band, (good, all_) in bands.items():
        print(f"precision of places, {band}:", share(good, all_))
    for (rule, confidence), (good, all_) in sorted(rules.items()):
        print(f"  {rule} {confidence}: {share(good, all_)}")
    hit = {(caller, definition) for (caller, definition), good in edges_ours.items() if good}
    found = sum(1 for caller, some in edges_true if any((caller, one) in hit for one in some))
    print("call edges: recall", share(found, len(edges_true)), " precision", share(len(hit), len(edges_ours)))
    print("places whose definition has no place in the index, left out:", unplaced)
    print("names of things outside:", dict(outside.most_common()))
    for name, (good, all_) in sorted(outside_rules.items()):
        print(f"  methods outside, {name}: type and name agree {share(good, all_)}")
    for name, places in sorted(classes.items(), key=lambda c: -len(c[1])):
        if show is None:
            print(f"{len(places):6} {name}")
        elif show in name:
            print(f"{len(places):6} {name}")
            for place in places[:: max(1, len(places) // count)][:count]:
                said = [t.get("path") or t.get("external") or t.get("unknown") for _, t in ours.get(place, [])]
                print(f"    {place[0]}:{place[1]}:{place[2]} {texts.line(place).decode(errors='replace').strip()[:100]}")
                print(f"        truth {sorted(s[:110] for s in truth.get(place, []))} ours {said}")


main()
