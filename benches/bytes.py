#!/usr/bin/env python3
"""Rows and bytes of each relation, by line of code. usage: bytes.py WORKSPACE
Bytes are those of keys and values as they are stored, before SQLite's own overhead, which the last
lines give: pages, what of them is unused, and cells. Standard library only."""
import collections, pathlib, re, sqlite3, sys

root = pathlib.Path(sys.argv[1])
db = sqlite3.connect(root / ".asof" / "asof.db")
here = pathlib.Path(__file__).resolve().parent.parent
# The engine numbers relations in the order of their creation, from 1: that of the schema's files.
files = sorted((here / "schema").glob("*.cozo"))
names = ["(engine)"] + [name for file in files for name in re.findall(r"^:create (\w+)", file.read_text(), re.M)]
rows = collections.Counter()
keys, values = collections.Counter(), collections.Counter()
for key, value in db.execute("select k, v from cozo"):
    relation = int.from_bytes(key[:8], "big")
    rows[relation] += 1
    keys[relation] += len(key)
    values[relation] += len(value or b"")
for key, part in db.execute("select k, v from large"):
    values[int.from_bytes(key[:8], "big")] += len(part)
lines = 0
for path in root.rglob("*.rs"):
    lines += path.read_bytes().count(b"\n")
size = keys + values


def line(name, rows, keys, values):
    per_line = (keys + values) / lines
    print(f"{name:24} {rows:8} {rows / lines:10.3f} {keys:10} {values:10} {keys + values:10} {per_line:10.1f}")


print(f"{'relation':24} {'rows':>8} {'rows/line':>10} {'keys':>10} {'values':>10} {'bytes':>10} {'bytes/line':>10}")
for relation, _ in size.most_common():
    line(names[relation], rows[relation], keys[relation], values[relation])
line("all", sum(rows.values()), sum(keys.values()), sum(values.values()))
try:
    for table, pages, unused, cells in db.execute(
            "select name, sum(pgsize), sum(unused), sum(ncell) from dbstat group by name"):
        print(f"{table}: {pages} bytes of pages, {unused} unused, {cells} cells")
except sqlite3.OperationalError:
    pass  # This SQLite has no `dbstat`.
