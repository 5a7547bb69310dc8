#!/usr/bin/env python3
"""Rows and bytes of each relation, by line of code, and those of past versions. usage: bytes.py WORKSPACE
Bytes are those of keys and values, before SQLite's own overhead: the last line has the whole file.
A version is past if it is not the newest of its fact, or a retraction. Standard library only."""
import collections, pathlib, re, sqlite3, sys

root = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).resolve().parent.parent
# The engine numbers relations in the order of their creation, from 1: that of the schema's files.
schema = "\n".join(f.read_text() for f in sorted((here / "schema").glob("*.cozo")))
names = re.findall(r"^:create (\w+)", schema, re.M)
versioned = {part.split()[0] for part in re.split(r"^:create ", schema, flags=re.M)[1:] if "at: Validity" in part}
db = sqlite3.connect(root / ".asof" / "asof.db")
large = collections.Counter()
for key, size in db.execute("select k, sum(length(v)) from large group by k"):
    large[key] = size
rows, size, past_rows, past_size, differences = (collections.Counter() for _ in range(5))
fact = None
for key, value in db.execute("select k, v from cozo order by k"):
    number = int.from_bytes(key[:8], "big")
    name = names[number - 1] if number else "(engine)"
    bytes_ = len(key) + len(value or b"") + large[key]
    rows[name] += 1
    size[name] += bytes_
    if name in versioned:
        if key[:-10] == fact or key[-1] == 1:
            past_rows[name] += 1
            past_size[name] += bytes_
            differences[name] += value[:1] == b"\xfc"
        fact = key[:-10]
lines = sum(path.read_bytes().count(b"\n") for path in root.rglob("*.rs")) or 1
head = ("relation", "rows", "rows/line", "bytes", "bytes/line", "past rows", "differences", "past bytes")
print("{:24} {:>8} {:>10} {:>10} {:>10} {:>10} {:>12} {:>10}".format(*head))
def line(name, *n):
    print("{:24} {:8} {:10.3f} {:10} {:10.1f} {:10} {:12} {:10}".format(name, n[0], n[0] / lines, n[1], n[1] / lines, *n[2:]))
for name, _ in size.most_common():
    line(name, rows[name], size[name], past_rows[name], differences[name], past_size[name])
line("all", *(sum(c.values()) for c in (rows, size, past_rows, differences, past_size)))
pages, free = (db.execute(f"pragma {what}").fetchone()[0] for what in ("page_count", "freelist_count"))
print(f"file: {pages * 16384} bytes, {free * 16384} of them free pages")
try:
    for table, pages, unused, cells in db.execute(
            "select name, sum(pgsize), sum(unused), sum(ncell) from dbstat group by name"):
        print(f"{table}: {pages} bytes of pages, {unused} unused, {cells} cells")
except sqlite3.OperationalError:
    pass  # This SQLite has no `dbstat`.
