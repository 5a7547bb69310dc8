#!/usr/bin/env python3
"""Bytes of twenty answers as text and as JSON. usage: answers.py WORKSPACE ASOF [WORKSPACE ASOF]
Each workspace was indexed by its program, with `--history`. README.md says what it holds.
Standard library only."""
import os, subprocess, sys

TYPE, METHOD, FUNCTION = "grep_searcher::Searcher", "Searcher::search_path", "rg::run"
FILE, MODULE = "grep-searcher/src/searcher/mod.rs", "grep_searcher::searcher"
ANSWERS = [
    ["status"],
    ["resolve", TYPE],
    ["resolve", METHOD],
    ["show", METHOD],
    ["refs", TYPE],
    ["refs", TYPE, "--snippets"],
    ["refs", "std::io::Error"],
    ["lineage", TYPE],
    ["lineage", METHOD, "-d", "callers"],
    ["lineage", FUNCTION, "-d", "callees"],
    ["lineage", FUNCTION, "-d", "upstream"],
    ["impact", TYPE],
    ["inspect", "outline", FILE],
    ["inspect", "outline", MODULE],
    ["inspect", "unresolved"],
    ["history", TYPE],
    ["log"],
    ["blame", FILE],
    ["diff", "HEAD~1", "NOW"],
    ["diff", "HEAD~1", "NOW", "--patch"],
]


def size(root, asof, args):
    done = subprocess.run([asof, *args], cwd=root, capture_output=True)
    assert done.returncode == 0, (asof, args, done.stderr)
    return len(done.stdout)


arguments = [os.path.abspath(path) for path in sys.argv[1:]]
programs = list(zip(arguments[::2], arguments[1::2]))
print("| answer |" + " text | JSON |" * len(programs))
print("|---|" + "---:|---:|" * len(programs))
total = [0] * (2 * len(programs))
for args in ANSWERS:
    sizes = [size(*p, args + form) for p in programs for form in ([], ["--format", "json"])]
    total = [a + b for a, b in zip(total, sizes)]
    print(f"| `{' '.join(args)}` | " + " | ".join(f"{n:,}" for n in sizes) + " |")
print("| all | " + " | ".join(f"{n:,}" for n in total) + " |")
