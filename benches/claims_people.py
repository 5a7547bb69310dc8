#!/usr/bin/env python3
"""Checks `asof verify` with true claims in the words of people: none may be refuted.

    python3 benches/claims_people.py ASOF OUT SOURCES

SOURCES is a folder with the crates that claims_people.jsonl names, such as Cargo's registry
(`~/.cargo/registry/src/*/`); they are copied to OUT and indexed there.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import sys

asof, out, sources = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
claims = [json.loads(line) for line in pathlib.Path(__file__).with_name("claims_people.jsonl").open()]
counts, refuted = collections.Counter(), 0
for crate in sorted({claim["crate"] for claim in claims}):
    root = out / crate
    if not root.exists():
        shutil.copytree(sources / crate, root)
    subprocess.run([asof, "-q", "-C", root, "index"], check=True, stdout=subprocess.DEVNULL)
    traces = "".join(json.dumps(claim) + "\n" for claim in claims if claim["crate"] == crate)
    files = [out / f"{crate}.{end}.jsonl" for end in ("golden", "failed")]
    batch = ["verify", "--batch", "-", "--out", files[0], "--failed", files[1]]
    subprocess.run([asof, "-q", "-C", root, "--no-refresh", *batch], input=traces, text=True, check=True, stdout=subprocess.DEVNULL)
    for row in (json.loads(line) for path in files for line in path.open()):
        verdict = row["verdict"]
        name = verdict if isinstance(verdict, str) else next(iter(verdict))
        counts["verified" if row["golden"] else name] += 1
        if not row["golden"]:
            refuted += name not in ("CannotVerify", "SubsetMatch")
            print(f"{crate}: {row['query']}\n  {row['answer']!r}\n  {verdict}")
print(f"{len(claims)} true claims:", ", ".join(f"{name} {n}" for name, n in counts.most_common()))
sys.exit(1 if refuted else 0)
