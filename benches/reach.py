#!/usr/bin/env python3
"""Compares `asof reach` with an independent closure of the text of a workspace.

    benches/reach.py WORKSPACE [--asof PROGRAM] [SET…]     sets are `unsafe` and `std::fs` unless given

The workspace must be indexed. The reference knows no names: a function is the text from `fn name` to the
end of its body, without comments and strings; it calls another if its text has `name(`, `self.name(`
or `Self::name(`, and the workspace has one function of that name alone, outside of traits and impls of
traits. Whatever reaches the set in it
must be a certain or a possible path of `asof`. Every step of every certain path is looked up in the text:
its line, or one of the two after it, must have the last name of what it uses. Exits with 1 if a step is
not there.
"""
import argparse, collections, json, pathlib, re, subprocess, sys, time

SEEDS = {"unsafe": re.compile(r"\bunsafe\s*\{"), "std::fs": re.compile(r"\b(std::)?fs::[a-zA-Z_:]+\s*\(|\bFile::(open|create)\s*\(")}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\\\'])\'', re.S)
# Calls of free functions, and of methods of the own type.
CALL = re.compile(r"(?:(?<![.:\w])|\bself\.|\bSelf::)(\w+)\s*\(")


def blank(text):
    """The text with comments and strings as spaces."""
    return TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def functions(text):
    """Name, line of the name, start and end of each function with a body, and whether a trait has it."""
    traits = []
    for head in re.finditer(r"\b(?:unsafe\s+)?(?:impl\b[^;{}]*?\bfor\b[^;{}]*|trait\s+\w[^;{}]*)\{", text):
        traits.append((head.start(), closing(text, head.end() - 1)))
    for head in re.finditer(r"\bfn\s+(\w+)", text):
        depth, at = 0, head.end()
        while at < len(text) and not (depth == 0 and text[at] in "{;"):
            depth += (text[at] in "([") - (text[at] in ")]")
            at += 1
        if at < len(text) and text[at] == "{":
            end = closing(text, at)
            of_trait = any(start < head.start() < stop for start, stop in traits)
            yield head.group(1), text.count("\n", 0, head.start(1)) + 1, at, end, of_trait


def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    return len(text)


def closure(files, seed):
    """Functions that reach the seed: file and line of each."""
    found, by_name = {}, collections.defaultdict(list)
    for path, text in files.items():
        all_of_file = list(functions(text))
        for name, line, start, end, of_trait in all_of_file:
            body = text[start:end]
            for _, _, a, b, _ in all_of_file:
                if start < a and b < end:
                    body = body[: a - start] + " " * (b - a) + body[b - start :]
            found[path, line] = (name, body)
            by_name[name].append((path, line, of_trait))
    unique = {name: (at[0][0], at[0][1]) for name, at in by_name.items() if len(at) == 1 and not at[0][2]}
    reached = {key for key, (_, body) in found.items() if seed.search(body)}
    calls = {key: {unique[name] for name in CALL.findall(body) if name in unique} for key, (_, body) in found.items()}
    while True:
        more = {key for key, to in calls.items() if key not in reached and to & reached}
        if not more:
            return reached, found
        reached |= more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workspace", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", default=list(SEEDS))
    parser.add_argument("--asof", default="asof")
    options = parser.parse_args()
    ask = lambda *args: json.loads(subprocess.run([options.asof, *args, "--format", "json"], cwd=options.workspace, capture_output=True, text=True, check=True).stdout)
    tracked = subprocess.run(["git", "ls-files", "*.rs"], cwd=options.workspace, capture_output=True, text=True, check=True).stdout.split()
    lines = {path: (options.workspace / path).read_text(errors="replace").split("\n") for path in tracked}
    files = {path: blank("\n".join(text)) for path, text in lines.items()}
    wrong = 0
    for name in options.sets:
        for guesses in ([], ["--guesses"]):
            began = time.time()
            public = ask("reach", name, "--limit", "0", *guesses)
            took = time.time() - began
            print(f"{name} {' '.join(guesses) or 'certain'}: {public['certain']} certain, {public['possible']} possible, {public['open']} open of {public['starts']} items; {public['unresolved']} calls unresolved, {public['outside']} outside; {took:.2f} s")
        folders = sorted({path.split("/")[0] for path in tracked if any(True for _ in functions(files[path]))})
        every = ask("reach", name, "--limit", "0", "--guesses", *[arg for folder in folders for arg in ("--from", folder)])
        steps = collections.Counter()
        for item in every["items"]:
            for step in item["steps"] if item["certain"] else []:
                last = re.split(r"::|\.", step["target"])[-1].rstrip("!")
                last = {"indexing": "[", "unsafe fn": "unsafe"}.get(step["target"], last)
                near = "\n".join(lines[step["file_path"]][step["line"] - 1 : step["line"] + 2])
                is_there = last in near or step["how"] == "implicit"
                steps[is_there] += 1
                if not is_there:
                    wrong += 1
                    print(f"  not in the text: {step}")
        print(f"  steps of certain paths in the text: {steps[True]} of {steps[True] + steps[False]}")
        if name not in SEEDS:
            continue
        reached, found = closure(files, SEEDS[name])
        sides = {True: set(), False: set()}
        for item in every["items"]:
            sides[item["certain"]].add((item["file_path"], item["line"]))
        certain, possible = reached & sides[True], (reached - sides[True]) & sides[False]
        print(f"  closure of the text: {len(reached)} functions; asof says certain of {len(certain)}, possible of {len(possible)}; {len(sides[True] - reached)} certain ones are asof's alone")
        for path, line in sorted(reached - certain - possible):
            print(f"  only in the text: {found[path, line][0]} {path}:{line}")
    sys.exit(wrong > 0)


main()
