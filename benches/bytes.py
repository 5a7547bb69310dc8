#!/usr/bin/env python3
"""Rows and bytes of each relation, by line of code. usage: bytes.py WORKSPACE
Bytes are those of keys and values, before SQLite's own overhead. Standard library only."""
import collections, pathlib, re, sqlite3, sys

root = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).resolve().parent.parent
# The engine numbers relations in the order of their creation, from 1: that of the schema's files.
names = [re.search(r":create (\w+)", f.read_text())[1] for f in sorted((here / "schema").glob("*.cozo"))]
db = sqlite3.connect(root / ".asof" / "asof.db")
rows, size = collections.Counter(), collections.Counter()
for key, value in db.execute("select k, v from cozo"):
    number = int.from_bytes(key[:8], "big")
    rows[number] += 1
    size[number] += len(key) + len(value or b"")
for key, part in db.execute("select k, v from large"):
    size[int.from_bytes(key[:8], "big")] += len(part)
lines = 0
for path in root.rglob("*.rs"):
    lines += path.read_bytes().count(b"\n")
print(f"{'relation':20} {'rows':>8} {'rows/line':>10} {'bytes':>10} {'bytes/line':>10}")
for number, bytes_ in size.most_common():
    name = names[number - 1] if number else "(engine)"
    print(f"{name:20} {rows[number]:8} {rows[number] / lines:10.3f} {bytes_:10} {bytes_ / lines:10.1f}")
print(f"{'all':20} {sum(rows.values()):8} {sum(rows.values()) / lines:10.3f} {sum(size.values()):10} {sum(size.values()) / lines:10.1f}")
