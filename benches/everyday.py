#!/usr/bin/env python3
"""Everyday questions in any repository, judged by what its text and Git say.

    benches/everyday.py ASOF REPOSITORY... [--items N] [--commits N] [--seed N]

Each REPOSITORY is a clone with its history; it is copied. Items are chosen by the seed. An answer is
*right* if the text of the files and Git agree with it as far as they can tell, else *wrong*; every wrong
one is printed. Prints right, wrong, median bytes of the answer as text, and median milliseconds, by
question. Standard library only.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time

MASKED = re.compile(r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|"(?:[^"\\]|\\.)*"', re.S)


class Repository:
    def __init__(self, asof, source, folder, commits):
        self.asof, self.name = asof, pathlib.Path(source).resolve().parts[-2:]
        self.root = pathlib.Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(source), str(self.root)], check=True)
        self.run("index", "-q")
        self.run("index", "--history", "--max", str(commits), "-q")
        self.files = self.git("ls-files", "*.rs").split("\n")
        self.texts = {path: (self.root / path).read_text(errors="replace") for path in self.files if path}
        blank = lambda found: re.sub(r"[^\n]", " ", found[0])
        self.code = {path: MASKED.sub(blank, text) for path, text in self.texts.items()}
        query = ("?[path, name, kind, file, start, end] := *node{id, kind, name, path, in_test, made @ 'NOW'}, "
                 "span[id, file, _s, _e, start, end], !in_test, !made, !is_null(path), "
                 "is_in(kind, ['function', 'method', 'struct', 'enum', 'trait', 'const'])")
        rows = self.json("query", query, "--limit", "0")["items"]
        names = collections.Counter(row[1] for row in rows)
        self.items = [dict(zip(("path", "name", "kind", "file", "start", "end"), row)) for row in rows
                      if names[row[1]] == 1 and len(row[1]) > 5]

    def git(self, *args):
        return subprocess.run(["git", *args], cwd=self.root, capture_output=True, text=True).stdout.strip()

    def run(self, *args):
        return subprocess.run([self.asof, "-C", str(self.root), *args], capture_output=True, text=True)

    def json(self, *args):
        return json.loads(self.run(*args, "--format", "json").stdout)

    def places(self, word):
        """Lines of code with a word, outside of comments and texts in quotes."""
        pattern = re.compile(rf"(?<![\w]){re.escape(word)}(?![\w])")
        return {(path, number) for path, text in self.code.items()
                for number, line in enumerate(text.split("\n"), 1) if pattern.search(line)}

    def line(self, path, number):
        return self.texts[path].split("\n")[number - 1]


# Each question takes a repository and an item, and gives the arguments and whether the answer is right.

def show(repo, item):
    args = ["show", item["path"]]
    found = repo.run(*args).stdout
    lines = repo.texts[item["file"]].split("\n")[item["start"] - 1:item["end"]]
    return args, all(line.strip() in found for line in lines)


def show_line(repo, item):
    args = ["show", f"{item['file']}:{item['end']}"]
    return args, item["name"] in repo.run(*args).stdout


def resolve(repo, item):
    args = ["resolve", item["name"]]
    return args, item["path"] in repo.run(*args).stdout


def outline(repo, item):
    args = ["outline", item["file"], "--depth", "1", "--limit", "0"]
    found = repo.run(*args).stdout
    named = re.findall(r"^(?:pub(?:\([^)]*\))? )?(?:fn|struct|enum|trait) (\w+)", repo.code[item["file"]], re.M)
    return args, all(name in found for name in named)


def refs(repo, item):
    """Lines that have the name of an item that is alone in having it."""
    args = ["refs", item["path"], "--limit", "0", "--any-cfg"]
    answer = repo.json(*args)
    ours = {(one["file_path"], one["line"]) for one in answer["items"]}
    theirs = repo.places(item["name"])
    definitions = {place for place in theirs if re.search(
        rf"\b(fn|struct|enum|trait|const|mod|let|type|static|macro_rules!) +(mut +)?{item['name']}\b", repo.line(*place))}
    variables = bool(re.search(rf"\b{item['name']}\s*:[^:]", "\n".join(repo.code.values())))
    if variables or len(definitions) != 1:
        return args, None
    # In macros and attributes a name is text.
    missing = {place for place in theirs - ours - definitions if "!" not in repo.line(*place)}
    return args, not missing


def callers(repo, item):
    if item["kind"] not in ("function", "method"):
        return ["callers", item["path"]], None
    args = ["callers", item["path"], "--limit", "0"]
    found = repo.json(*args)["items"]
    places = repo.places(item["name"])
    sites = [one["site"] for one in found if one["depth"] == 1]
    return args, all((site["file_path"], site["line"]) in places for site in sites)


def implementations(repo, item):
    if item["kind"] != "trait":
        return ["implementations", item["path"]], None
    args = ["implementations", item["path"], "--limit", "0"]
    answer = repo.json(*args)
    pattern = re.compile(rf"^\s*(?:unsafe )?impl\b[^\n{{]*\b{item['name']}\b[^\n{{]*\bfor\b", re.M)
    written = sum(len(pattern.findall(text)) for text in repo.code.values())
    return args, answer["total"] >= written


def history(repo, item):
    args = ["history", item["path"]]
    found = [one for one in repo.json(*args)["items"] if one.get("commit") and not one.get("present_at_start")]
    touched = lambda one: repo.git("show", "--name-only", "--format=", "-m", one["commit"]).split("\n")
    return args, all(one["file_path"] in touched(one) for one in found)


def blame(repo, item):
    args = ["blame", item["file"], "--first-parent"]
    found = repo.json(*args)["items"]
    commits = set(repo.git("log", "--format=%H", "--follow", "-m", "--first-parent", "--", item["file"]).split("\n"))
    mine = [one for one in found if one.get("commit") and not one.get("present_at_start")]
    # What moved here from another file changed there.
    moved = any("moved" in one["classes"] for one in found)
    return args, moved or all(one["commit"] in commits for one in mine)


def diff(repo, _):
    number = random.randrange(1, 12)
    args = ["diff", f"HEAD~{number}..HEAD~{number - 1}", "--all", "--limit", "0"]
    answer = repo.json(*args)
    ours = {path for one in answer["items"] for path in (one["file_path"], one.get("previous_file_path")) if path}
    theirs = set(repo.git("diff", "--name-only", "--no-renames", f"HEAD~{number}", f"HEAD~{number - 1}", "--", "*.rs").split("\n")) - {""}
    return args, ours <= theirs


def unused(repo, _):
    args = ["unused", "--limit", "0"]
    found = repo.json(*args)["items"]
    names = [one["path"].rsplit("::", 1)[-1] for one in found if one["kind"] in ("function", "const", "struct")]
    return args, all(len(repo.places(name)) <= 1 + names.count(name) for name in set(names))


def search(repo, item):
    words = " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+", item["name"])).lower()
    args = ["search", words]
    return args, item["name"] in repo.run(*args).stdout


def context(repo, item):
    docs = repo.texts[item["file"]].split("\n")[item["start"] - 1].strip()
    if not docs.startswith("///") or len(docs.split()) < 6:
        return ["context"], None
    args = ["context", docs.lstrip("/ ").replace("`", "")]
    return args, item["file"] in repo.run(*args).stdout


def impact(repo, item):
    args = ["impact", item["path"]]
    found = repo.run(*args)
    uses = len(repo.places(item["name"])) > 1
    return args, found.returncode == 0 and (not uses or "0 items" not in found.stdout)


QUESTIONS = [show, show_line, resolve, outline, refs, callers, implementations, history, blame, diff, unused,
             search, context, impact]
ONCE = (diff, unused)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asof")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--items", type=int, default=6)
    parser.add_argument("--commits", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    asof = str(pathlib.Path(args.asof).resolve())
    random.seed(args.seed)
    counts = collections.defaultdict(lambda: [0, 0, [], []])
    for source in args.repositories:
        with tempfile.TemporaryDirectory() as folder:
            repo = Repository(asof, source, folder, args.commits)
            traits = [item for item in repo.items if item["kind"] == "trait"]
            items = random.sample(repo.items, min(args.items, len(repo.items)))
            items += random.sample(traits, min(2, len(traits)))
            for question in QUESTIONS:
                for item in items[:1] if question in ONCE else items:
                    began = time.monotonic()
                    try:
                        asked, is_right = question(repo, item)
                    except (json.JSONDecodeError, KeyError, TypeError) as error:
                        asked, is_right = [question.__name__, item["path"], repr(error)], False
                    if is_right is None:
                        continue
                    ms = (time.monotonic() - began) * 1e3
                    text = repo.run(*asked[:4]).stdout
                    count = counts[question.__name__]
                    count[0 if is_right else 1] += 1
                    count[2].append(len(text))
                    count[3].append(ms)
                    if not is_right:
                        print("wrong", "/".join(repo.name), " ".join(asked), flush=True)
    print(f"{'question':16}{'right':>6}{'wrong':>6}{'bytes':>8}{'ms':>7}")
    for question in QUESTIONS:
        right, wrong, sizes, times = counts[question.__name__]
        if right + wrong:
            print(f"{question.__name__:16}{right:6}{wrong:6}{statistics.median(sizes):8.0f}{statistics.median(times):7.0f}")
    print(f"{'all':16}{sum(c[0] for c in counts.values()):6}{sum(c[1] for c in counts.values()):6}")


main()
