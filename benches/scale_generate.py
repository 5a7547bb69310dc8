#!/usr/bin/env python3
"""Makes tables of many projects, shaped like exported ones, to measure engines on.

    asof project index-all CRATES --tables real
    python3 benches/scale_generate.py real OUT --projects 1000 --edges 10000000 [--places]
    python3 benches/scale_generate.py real OUT --shape     # only compares the shapes

Needs duckdb, numpy and pyarrow. A generated project is made of copies of a real one: uses, kinds,
rules, degrees and what depends on what inside it are those of the real project, with new keys.
Projects come in families: one copy of each real project, whose dependencies on each other are those
of the real ones. A third of the projects use the first family's libraries instead of their own, so
that some libraries have many users. Standard names (`std::option::Option::map`) are the same in all
projects. A project that has to be larger has several copies; a fifth of the uses inside a copy have
the target in the first copy instead, so that a project hangs together. Each project has 100
revisions; for a tenth of the items there is an older version of their uses, which has ended.

`--places` writes `occurrence` and `place`, too; else they are empty.
"""
import argparse
import hashlib
import os
import sys
import time

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

SQL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "queries", "sql")
OPEN = 2**63 - 1
FIRST, YEARS = 1_600_000_000_000_000, 3
REVISIONS = 100
ENDED, CORE, SHARED = 0.1, 0.2, 1 / 3
TABLES = ("project revision symbol definition use occurrence place external public_path package "
          "dependency item_match metric").split()


def mix(keys, salt):
    """Keys as if hashed again: SplitMix64."""
    x = keys.astype(np.uint64) ^ np.uint64(salt)
    with np.errstate(over="ignore"):
        x += np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return (x ^ (x >> np.uint64(31))).astype(np.int64)


def salt(*parts):
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest())


class Real:
    """Exported tables, as DuckDB opens them."""

    def __init__(self, folder):
        self.db = duckdb.connect(config={"threads": 2, "memory_limit": "4GB"})
        self.db.execute(f"SET VARIABLE tables = '{folder}'")
        self.db.execute(open(os.path.join(SQL, "open.sql")).read())

    def arrow(self, text):
        return self.db.sql(text).to_arrow_table()

    def rows(self, text):
        return self.db.execute(text).fetchall()


class Template:
    """The newest state of a real project."""

    def __init__(self, real, project, libraries):
        held = f"project = '{project}' AND valid_to = {OPEN}"
        self.name = project
        for name in ("use", "occurrence", "place", "definition", "public_path", "dependency", "package"):
            rows = real.arrow(f'SELECT * EXCLUDE (project, valid_from, valid_to) FROM "{name}" WHERE {held}')
            setattr(self, name, rows)
        self.external = real.arrow(f"SELECT * EXCLUDE (project) FROM external WHERE project = '{project}'")
        linked = pc.is_in(self.external["crate"], value_set=pa.array(sorted(libraries)))
        self.linked = linked
        self.outside = np.sort(self.external["symbol"].to_numpy())
        self.moved = np.sort(self.external.filter(linked)["symbol"].to_numpy())

    def parts(self, keys):
        """Which keys are external, and which of these are of other projects of the family."""
        return np.isin(keys, self.outside), np.isin(keys, self.moved)


def renamed(column, suffix):
    """Paths with a suffix at their crate's name."""
    return pc.replace_substring_regex(column, r"^(\w+)", rf"\1{suffix}")


def put(table, name, column):
    return table.set_column(table.schema.get_field_index(name), name, column)


class Writer:
    def __init__(self, folder, project):
        self.folder, self.project, self.listed = folder, project, []

    def write(self, name, part, table):
        path = f"{name}/project={self.project}/00000001-{part}-generated.parquet"
        os.makedirs(os.path.dirname(os.path.join(self.folder, path)), exist_ok=True)
        # As `asof` writes: src/tables/files.rs.
        pq.write_table(table, os.path.join(self.folder, path), compression="zstd", compression_level=6,
                       row_group_size=1 << 18, dictionary_pagesize_limit=4 << 20, write_page_index=True)
        size = os.path.getsize(os.path.join(self.folder, path))
        self.listed.append((name, part, path, table.num_rows, size))

    def finish(self, at):
        rows = [*self.listed, ("export", "all", "", 0, 0)]
        columns = list(zip(*rows))
        table = pa.table({
            "sequence": [1] * len(rows), "at": [at] * len(rows), "chain": ["generated"] * len(rows),
            "table": columns[0], "part": columns[1], "path": columns[2], "rows": columns[3],
            "bytes": columns[4], "digest": [""] * len(rows)})
        folder = os.path.join(self.folder, "export", f"project={self.project}")
        os.makedirs(folder, exist_ok=True)
        pq.write_table(table, os.path.join(folder, f"{1:020}.parquet"), compression="zstd")


def sorted_by(table, *names):
    order = np.lexsort([table[name].to_numpy() for name in reversed(names)])
    return table.take(order)


def born(sources, revisions, seed):
    """When the newest version of each source's rows began: most were there from the start."""
    # Two salts: a source must not decide both by the same bits.
    draw = (mix(sources, seed).astype(np.uint64) >> np.uint64(11)) / 2**53
    which = mix(sources, seed + 1).astype(np.uint64) % np.uint64(REVISIONS)
    old = (mix(sources, seed + 2).astype(np.uint64) >> np.uint64(11)) / 2**53 < ENDED
    which = np.where((draw < 0.6) & ~old, 0, np.maximum(which, old.astype(np.uint64))).astype(np.int64)
    return revisions[which], old, revisions[which // 2]


def timed(table, sources, revisions, seed):
    """Open and ended rows."""
    begin, old, older = born(sources, revisions, seed)
    now = table.append_column("valid_from", pa.array(begin))
    now = now.append_column("valid_to", pa.array(np.full(len(begin), OPEN)))
    was = table.filter(pa.array(old)).append_column("valid_from", pa.array(older[old]))
    return now, was.append_column("valid_to", pa.array(begin[old]))


def generate(real, template, libraries, folder, family, copies, places, empty):
    suffix = f"_{family}"
    project = template.name + suffix
    shared = (salt("shared", project) >> 8) % 1000 < 1000 * SHARED
    serves = 0 if shared else family
    step = YEARS * 365 * 86_400_000_000 // REVISIONS
    revisions = FIRST + step * np.arange(REVISIONS) + salt(project) % step
    seed = salt("time", project) % 2**62
    out = Writer(folder, project)

    def keys(column, copy):
        """The project's keys: its own are new ones in each copy, standard ones stay."""
        old = column.to_numpy()
        outside, moved = template.parts(old)
        own = mix(old, salt("own", family, copy))
        if copy:
            core = (mix(old, salt("core", family, copy)).astype(np.uint64) >> np.uint64(11)) / 2**53 < CORE
            own = np.where(core, mix(old, salt("own", family, 0)), own)
        return np.where(outside, np.where(moved, mix(old, salt("external", serves)), old), own)

    def copied(table, targets, own):
        """All copies of a table; `targets` may be in other copies, `own` may not."""
        made = []
        for copy in range(copies):
            one = table
            for name in targets:
                one = put(one, name, pa.array(keys(table[name], copy)))
            for name in own:
                column = table[name]
                fresh = pa.array(mix(column.fill_null(0).to_numpy(), salt("own", family, copy)))
                one = put(one, name, pc.if_else(pc.is_valid(column), fresh, None))
            if "package" in one.schema.names:
                one = put(one, "package", pc.binary_join_element_wise(one["package"], suffix, ""))
            if "path" in one.schema.names:
                one = put(one, "path", renamed(one["path"], suffix + (f"::m{copy}" if copy else "")))
            made.append(one)
        return pa.concat_tables(made)

    rows = 0
    for name, targets, own, order in (
        ("use", ["target"], ["source"], ("target", "source")),
        ("occurrence", ["target"], ["source"], ("target", "source", "offset")),
        ("place", [], ["symbol"], ("symbol",)),
        ("definition", [], ["symbol", "parent"], ("symbol",)),
    ):
        if name in ("occurrence", "place") and not places:
            out.write(name, "open", empty[name])
            continue
        made = copied(getattr(template, name), targets, own)
        anchor = "source" if "source" in own else "symbol"
        now, was = timed(made, made[anchor].to_numpy(), revisions, seed)
        if name == "use":
            rows = len(now) + len(was)
        for part, table in (("open", now), ("closed", was)):
            if len(table):
                out.write(name, part, sorted_by(table, *order))
    public = template.public_path
    public = put(public, "path", renamed(public["path"], suffix))
    # What is exported again is another crate's.
    public = put(public, "canonical_path", pc.if_else(
        pc.is_valid(public["symbol"]), renamed(public["canonical_path"], suffix),
        renamed(public["canonical_path"], f"_{serves}")))
    public = put(public, "package", pc.binary_join_element_wise(public["package"], suffix, ""))
    fresh = pa.array(mix(public["symbol"].fill_null(0).to_numpy(), salt("own", family, 0)))
    public = put(public, "symbol", pc.if_else(pc.is_valid(public["symbol"]), fresh, None))
    external = template.external
    external = put(external, "symbol", pa.array(keys(external["symbol"], 0)))
    for name in ("text", "crate"):
        external = put(external, name, pc.if_else(template.linked, renamed(external[name], f"_{serves}"), external[name]))
    dependency = template.dependency
    inside = pc.is_in(dependency["name"], value_set=pa.array(sorted(libraries)))
    for name in ("dependency", "name"):
        there = pc.binary_join_element_wise(dependency[name], f"_{serves}", "")
        dependency = put(dependency, name, pc.if_else(inside, there, dependency[name]))
    dependency = put(dependency, "package", pc.binary_join_element_wise(dependency["package"], suffix, ""))
    for name, table in (("public_path", public), ("dependency", dependency), ("package", template.package)):
        table = table.append_column("valid_from", pa.array(np.full(len(table), revisions[0])))
        table = table.append_column("valid_to", pa.array(np.full(len(table), OPEN)))
        out.write(name, "open", table.sort_by([(table.schema.names[0], "ascending")]))
    out.write("external", "all", external.sort_by([("symbol", "ascending")]))
    newest = int(revisions[-1])
    out.write("project", "all", pa.table({
        "source": [f"generated:{project}"], "namespace": pa.array([None], pa.string()), "tool_version": ["generated"],
        "schema_version": [""], "floor": pa.array([None], pa.int64()), "first": [int(revisions[0])], "newest": [newest]}))
    out.write("revision", "all", pa.table({
        "at": revisions, "id": [f"{project}-{n}" for n in range(REVISIONS)], "cause": ["commit"] * REVISIONS,
        "actor": pa.array([None] * REVISIONS, pa.string()), "message": pa.array([None] * REVISIONS, pa.string()),
        "commit": pa.array([None] * REVISIONS, pa.string()), "files": [1] * REVISIONS, "matched": [False] * REVISIONS}))
    for name in ("symbol", "item_match", "metric"):
        out.write(name, "all" if name != "metric" else "open", empty[name])
    out.finish(newest)
    return rows


def shape(folder):
    """What generated tables have to have in common with exported ones."""
    real = Real(folder)
    held = f"valid_to = {OPEN}"
    names = "SELECT DISTINCT project, symbol FROM external"
    lines = {}
    (projects, uses), = real.rows('SELECT count(DISTINCT project), count(*) FROM "use"')
    lines["projects"], lines["edges"] = projects, uses
    (size,), = real.rows("SELECT sum(bytes) / sum(rows) FROM export WHERE \"table\" = 'use'")
    lines["bytes an edge"] = f"{size:.1f}"
    quantiles = "[0.5, 0.9, 0.99, 0.999]"
    for label, what in (("uses of a source", "source"), ("uses of a target, in a project", "target")):
        (found, top), = real.rows(f'SELECT quantile_cont(n, {quantiles}), max(n) FROM (SELECT project, {what}, '
                                  f'count(*) n FROM "use" WHERE {held} GROUP BY ALL)')
        lines[f"{label}: 50, 90, 99, 99.9 %, most"] = ", ".join(f"{n:.0f}" for n in (*found, top))
    (share,), = real.rows(f'SELECT avg((e.symbol IS NOT NULL)::INT) FROM "use" u LEFT JOIN ({names}) e '
                          "ON e.project = u.project AND e.symbol = u.target")
    lines["uses of external names"] = f"{share:.1%}"
    (ended,), = real.rows(f'SELECT avg((valid_to < {OPEN})::INT) FROM "use"')
    lines["ended"] = f"{ended:.1%}"
    top = real.rows('SELECT n / sum(n) OVER () FROM (SELECT target, count(*) n FROM "use" GROUP BY 1) ORDER BY n DESC LIMIT 100')
    lines["uses of the most used target, of the 100 most used"] = f"{top[0][0]:.2%}, {sum(t for t, in top):.1%}"
    found = real.rows("""SELECT e.text, count(*) / (SELECT count(*) FROM "use") FROM "use" u JOIN external e
        ON e.project = u.project AND e.symbol = u.target WHERE e.text IN ('std::option::Option::Some', 'std::option::Option::map')
        GROUP BY 1 ORDER BY 1""")
    for text, share in found:
        lines[f"uses of `{text}`"] = f"{share:.2%}"
    real.db.execute("CREATE TEMP TABLE known_link AS SELECT DISTINCT project, external FROM link")
    (linked,), = real.rows('SELECT count(*) / (SELECT count(*) FROM "use") FROM "use" u '
                           "JOIN known_link l ON l.project = u.project AND l.external = u.target")
    lines["uses that are linked to another project"] = f"{linked:.2%}"
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real")
    parser.add_argument("out")
    parser.add_argument("--projects", type=int, default=1000)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--shape", action="store_true")
    given = parser.parse_args()
    if not given.shape:
        if os.path.exists(given.out):
            sys.exit(f"`{given.out}` exists")
        begin = time.monotonic()
        real = Real(given.real)
        libraries = {name for name, in real.rows("SELECT DISTINCT split_part(path, '::', 1) FROM public_path")}
        names = [name for name, in real.rows('SELECT project FROM "use" GROUP BY 1 ORDER BY count(*) DESC, 1')]
        empty = {}
        for name in TABLES:
            empty[name] = real.arrow(f'SELECT * EXCLUDE (project) FROM "{name}" LIMIT 0')
        (edges,), = real.rows(f'SELECT count(*) FROM "use" WHERE valid_to = {OPEN}')
        per_family = edges * (1 + ENDED)
        families = given.projects / len(names)
        copies = given.edges / (per_family * families)
        rng = np.random.default_rng(1)
        total = done = 0
        for name in names:
            template = Template(real, name, libraries)
            family = 0
            while family < int(families) + 1 and done < given.projects:
                if family >= families and names.index(name) >= round((families % 1) * len(names)):
                    break
                # As many copies on average: the whole part, and one more by chance.
                n = max(1, int(copies + rng.random()))
                total += generate(real, template, libraries, given.out, family, n, given.places, empty)
                done += 1
                family += 1
        print(f"{done} projects, {total} edges in {time.monotonic() - begin:.0f} s")
    one, other = shape(given.real), shape(given.out)
    print("| | real | generated |\n|---|---|---|")
    for label in dict.fromkeys([*one, *other]):
        print(f"| {label} | {one.get(label, '')} | {other.get(label, '')} |")


main()
