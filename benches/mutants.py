#!/usr/bin/env python3
"""Whether the tests that `asof impact --diff` selects include every test that a change breaks.

    benches/mutants.py ASOF CRATE [--mutants N] [--seed N] [--timeout SECONDS]

CRATE is the folder of one package in a clean Git checkout with a library; ASOF is the program. One
mutant at a time is written to `src`: a flipped operator, or a function body replaced by a default.
`cargo test --tests --no-fail-fast` tells which tests fail, and the selection is compared with them.
Mutants that do not compile, run too long or that no test notices do not count. Documentation tests
are not run. The checkout is as before afterwards.
"""

import argparse
import json
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess

OPERATORS = [
    (" == ", " != "), (" != ", " == "), (" <= ", " > "), (" >= ", " < "), (" < ", " >= "),
    (" > ", " <= "), (" + ", " - "), (" - ", " + "), (" += ", " -= "), (" -= ", " += "),
    (" && ", " || "), (" || ", " && "), (" & ", " | "), (" | ", " & "), (" << ", " >> "),
    (" >> ", " << "), (" |= ", " &= "), (" &= ", " |= "),
]
DEFAULTS = {"bool": ["true", "false"], "usize": ["0", "1"], "": ["()"], "String": ["String::new()"]}
HEAD = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:unsafe |const )*fn \w+.*\)\s*(?:->\s*(.+?))?\s*\{$")


def mutants(root):
    """File, first line, end, new lines."""
    for path in sorted((root / "src").rglob("*.rs")):
        lines = path.read_text().split("\n")
        tests = (i for i, line in enumerate(lines) if line.strip() in ("#[test]", "#[cfg(test)]"))
        end = next(tests, len(lines))
        for i, line in enumerate(lines[:end]):
            text = line.strip()
            if text.startswith(("//", "#", "use ", "pub ", "impl", "where", "fn ", "type ")):
                head = HEAD.match(line)
                close = head and next((j for j in range(i, end) if lines[j] == head[1] + "}"), None)
                for value in DEFAULTS.get((head[2] or "").strip(), []) if close else []:
                    yield path, i + 1, close, [f"{head[1]}    {value}"]
                continue
            for old, new in OPERATORS:
                at = line.find(old)
                if at >= 0:
                    yield path, i, i + 1, [line[:at] + new + line[at + len(old):]]


def run_tests(root, seconds):
    """Exit code, and per crate the state of each test; `None` if it took too long."""
    command = ["cargo", "test", "--tests", "--no-fail-fast"]
    child = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, errors="replace", start_new_session=True)
    try:
        output, _ = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return None, {}
    states, crate = {}, None
    for line in output.split("\n"):
        if found := re.search(r"Running (unittests )?(\S+) \(", line):
            name = pathlib.Path(found[2]).stem
            kind = "test" if not found[1] else "bin" if name == "main" else "lib"
            crate = (kind, name if kind == "test" else None)
        elif (found := re.match(r"test (\S+)(?: - should panic)? \.\.\. (\w+)", line)) and crate:
            states[crate, found[1]] = found[2]
    return child.returncode, {test: state for test, state in states.items() if state != "ignored"}


def covers(entry, test):
    (kind, target), name = test
    if entry["target_kind"] != kind or target not in (None, entry["target"]):
        return False
    own = entry.get("name")
    return own is None or name == own or name.startswith(own + "::")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("asof")
    parser.add_argument("crate", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=60, help="that a test notices")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=120)
    given = parser.parse_args()
    root = given.crate.resolve()
    code, known = run_tests(root, 1800)
    if code != 0 or not known:
        raise SystemExit("the tests do not pass as they are")
    waiting = list(mutants(root))
    random.Random(given.seed).shuffle(waiting)
    shares, missed, everything = [], 0, 0
    for path, start, end, new in waiting:
        if len(shares) == given.mutants:
            break
        before = path.read_text()
        lines = before.split("\n")
        path.write_text("\n".join(lines[:start] + new + lines[end:]))
        try:
            code, states = run_tests(root, given.timeout)
            # Without a state for each, it did not compile, or a crate ended early.
            if code in (None, 0) or set(states) != set(known):
                continue
            failed = [test for test, state in states.items() if state == "FAILED"]
            command = [given.asof, "impact", "--diff", "HEAD", "--limit", "0", "--format", "json", "-q"]
            answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        finally:
            path.write_text(before)
        tests = json.loads(answer.stdout)["tests"]
        selected = tests["selected"]
        left_out = [test for test in failed if not any(covers(one, test) for one in selected)]
        everything += bool(tests["run_everything"])
        shares.append(sum(any(covers(one, test) for one in selected) for test in known) / len(known))
        if left_out and not tests["run_everything"]:
            missed += 1
            print(f"missed: {path.relative_to(root)}:{start + 1}: {new[0].strip()}: {left_out}")
        print(f"{len(shares):4}  {len(failed)} fail, {shares[-1]:.0%} selected", flush=True)
    if shares:
        median, mean = statistics.median(shares), statistics.mean(shares)
        print(f"{len(shares)} mutants, {missed} missed, {everything} run everything; "
              f"selected of {len(known)} tests: median {median:.0%}, mean {mean:.0%}")


if __name__ == "__main__":
    main()
