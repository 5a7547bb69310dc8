"""Compares the answers of `asof-spark` on a cluster with those of DuckDB."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import duckdb
import pyarrow.parquet

import asof_spark
from asof_spark import Edges, NoTables, NotPrepared, Tables, levels, statements

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "tables"))
import check as duck
import small
from cluster import Cluster, wait

ITEMS = 2
MOMENTS = int(os.environ.get("ASOF_MOMENTS", "2"))
DEEP = ("callers", "callees", "impact")
compared = {}


def headers():
    """Each question of queries/sql/ is there, with the same parameters and columns."""
    names = sorted(name.removesuffix(".sql") for name in os.listdir(duck.SQL))
    names.remove("open")
    for name in names:
        with open(os.path.join(duck.SQL, f"{name}.sql")) as source:
            theirs = source.read()
        ours = statements.text(name)
        for tag in ("name", "param", "column"):
            lines = [[re.split(r"  +", line)[0] for line in re.findall(rf"^-- @{tag} +(.*)", text, re.M)]
                     for text in (theirs, ours)]
            assert lines[0] == lines[1], f"{name}: @{tag} {lines}"
    return names


def same(name, found, expected):
    """Rows and their order."""
    found, expected = [tuple(row) for row in found], [tuple(row) for row in expected]
    if found != expected:
        missing = [row for row in expected if row not in set(found)][:5]
        extra = [row for row in found if row not in set(expected)][:5]
        raise SystemExit(f"{name}: {len(found)} rows, expected {len(expected)}\n missing {missing}\n extra {extra}")
    questions, rows, seconds = compared.get(name, (0, 0, 0.0))
    compared[name] = questions + 1, rows + len(found), seconds


class Asked:
    """Both engines over the same tables."""

    def __init__(self, spark, folder, work):
        self.tables = Tables(spark, folder)
        self.lake = duck.Lake(folder)
        self.edges = Edges.prepare(self.tables, os.path.join(work, "edges"), buckets=16)
        self.work = os.path.join(work, "levels")

    def ask(self, name, **params):
        expected = self.lake.ask(name, **params)
        begin = time.monotonic()
        if name in DEEP:
            found = self.deep(name, params).rows.collect()
        else:
            found = getattr(asof_spark, name)(self.tables, **params).collect()
        seconds = time.monotonic() - begin
        same(name, found, expected)
        questions, rows, before = compared[name]
        compared[name] = questions, rows, before + seconds
        return expected

    def deep(self, name, params, **how):
        return getattr(asof_spark, name)(self.tables, **params, edges=self.edges, work=self.work, **how)


def questions(asked):
    """Every question, at moments over the whole history."""
    lake = asked.lake
    times = [at for (at,) in lake.sql('SELECT DISTINCT "at" FROM revision ORDER BY 1')]
    picked = sorted({times[(i + 1) * (len(times) - 1) // MOMENTS] for i in range(MOMENTS)})
    for at in picked:
        paths = [path for path, _ in lake.sql(f"""SELECT d.path, count(*) FROM definition d JOIN linked u ON u.target = d.symbol
            WHERE d.valid_from <= {at} AND {at} < d.valid_to AND u.valid_from <= {at} AND {at} < u.valid_to
            AND d.path IS NOT NULL GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT {ITEMS}""")]
        for path in [*paths, "no::such::item"]:
            used = asked.ask("where_used", path=path, at=at)
            same("where_used with edges", asof_spark.where_used(asked.tables, path, at, asked.edges).collect(), used)
            for name in DEEP:
                asked.ask(name, path=path, at=at, depth=64, min_confidence=0.5)
                params = {"path": path, "at": at, "depth": 2, "min_confidence": 0.0}
                expected = asked.ask(name, **params)
                same(f"{name} by levels", asked.deep(name, params, method="levels").rows.collect(), expected)
            # Without prepared edges, on the tables themselves.
            answer = getattr(asof_spark, name)(asked.tables, **params)
            assert answer.method == "statement", answer.method
            same(f"{name} without edges", answer.rows.collect(), expected)
        for path in paths:
            asked.ask("item_history", path=path)
        asked.ask("unused_public", at=at, min_confidence=0.5)
    for path, _ in lake.sql('SELECT e.text, count(*) FROM external e JOIN "use" u ON u.target = e.symbol WHERE known '
                            "GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 2"):
        step = max(1, (times[-1] - times[0]) // 5)
        asked.ask("where_used", path=path, at=times[-1])
        rows = asked.ask("adoption", path=path, first=times[0], last=times[-1], step=step)
        assert rows[-1][2] > 0, rows
    assert asked.ask("adoption", path="no::such::api", first=times[0], last=times[-1], step=step)[0][1:] == (0, 0, 0)
    assert asked.ask("adoption", path="std", first=times[-1], last=times[0], step=step) == []
    (package, _), = lake.sql("SELECT dependency, count(DISTINCT version) FROM dependency GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1")
    for first, last in [("0", "9999"), ("0.3.0", "0.4"), ("1.0.5-beta.1", "1.0.x")]:
        asked.ask("users_of_version_range", package=package, from_version=first, before_version=last)
    asked.ask("collisions")
    return picked[-1]


def only_what_is_listed(spark, folder, asked):
    """Files that no export lists are not read, whatever they are."""
    (listed,), = asked.lake.sql("SELECT path FROM export WHERE \"table\" = 'use' AND rows > 0 LIMIT 1")
    source = os.path.join(folder, listed)
    extra = os.path.join(os.path.dirname(source), "99999999-open-000000000000.parquet")
    half = os.path.join(os.path.dirname(source), "99999998-open-000000000000.parquet")
    shutil.copy(source, extra)
    with open(half, "wb") as out:
        out.write(b"PAR1 half")
    tables = Tables(spark, folder)
    expected, = asked.lake.sql('SELECT count(*) FROM "use"')[0]
    assert tables.table("use").count() == expected
    os.remove(extra)
    os.remove(half)
    try:
        Tables(spark, os.path.join(folder, "use"))
        raise SystemExit("a folder without exports was opened")
    except NoTables:
        pass


def hostile_listing(spark, folder, work):
    """A listing that leads out of the folder, or names a pattern, is refused by both engines."""
    listings = os.path.join(folder, "export")
    (project, *_) = os.listdir(listings)
    (newest,) = sorted(os.listdir(os.path.join(listings, project)))[-1:]
    rows = pyarrow.parquet.read_table(os.path.join(listings, project, newest), partitioning=None)
    for n, path in enumerate(["use/../../secret.parquet", "/secret.parquet", f"use/{project}/*.parquet",
                              f"definition/{project}/00000001-open-0.parquet", f"use/{project}/a.parquet\n"]):
        bad = os.path.join(work, f"bad{n}")
        paths = [path if table == "use" else listed for table, listed in
                 zip(rows["table"].to_pylist(), rows["path"].to_pylist())]
        changed = rows.set_column(rows.schema.get_field_index("path"), "path", [paths])
        os.makedirs(os.path.join(bad, "export", project))
        pyarrow.parquet.write_table(changed, os.path.join(bad, "export", project, newest))
        for reader, error in (lambda: Tables(spark, bad), NoTables), (lambda: duck.Lake(bad), duckdb.Error):
            try:
                reader()
            except error as refused:
                assert " lists " in str(refused), refused
            else:
                raise SystemExit(f"a listing of `{path}` was believed")


def other_ways(asked, at):
    """Long frontiers are joined, short ones are literals: the same rows. A statement that reaches
    Spark's limit of rows becomes levels."""
    path, = asked.lake.sql(f"""SELECT d.path FROM definition d JOIN linked u ON u.target = d.symbol
        WHERE d.valid_from <= {at} AND {at} < d.valid_to AND d.path IS NOT NULL
        GROUP BY ALL ORDER BY count(*) DESC, 1 LIMIT 1""")[0]
    params = {"path": path, "at": at, "depth": 3, "min_confidence": 0.0}
    expected = asked.lake.ask("impact", **params)
    assert len(expected) > 2, expected
    literals = levels.LITERALS
    levels.LITERALS = 0
    same("impact with joins", asked.deep("impact", params, method="levels").rows.collect(), expected)
    levels.LITERALS = literals
    conf, limit = asked.tables.spark.conf, "spark.sql.cteRecursionRowLimit"
    before = conf.get(limit)
    conf.set(limit, "2")
    answer = asked.deep("impact", params)
    conf.set(limit, before)
    assert answer.method == "levels", answer.method
    same("impact beyond the limit", answer.rows.collect(), expected)
    answer.discard()
    assert answer.work is None


def lost_worker(cluster, asked, at):
    """A worker is killed after the second level; the rows are the same, and so is all that follows."""
    lake = asked.lake
    # The item with the longest way up, of those that are used most.
    paths = [path for path, _ in lake.sql(f"""SELECT d.path, count(*) FROM definition d JOIN linked u ON u.target = d.symbol
        WHERE d.valid_from <= {at} AND {at} < d.valid_to AND d.path IS NOT NULL GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 20""")]
    deepest = {path: max((row[1] for row in lake.ask("impact", path=path, at=at, depth=64, min_confidence=0.0)), default=0)
               for path in paths}
    path = max(deepest, key=deepest.get)
    assert deepest[path] >= 3, deepest
    params = {"path": path, "at": at, "depth": 64, "min_confidence": 0.0}
    expected = lake.ask("impact", **params)
    shutil.rmtree(asked.work, ignore_errors=True)
    killed = []

    def kill():
        def second_level():
            runs = os.listdir(asked.work) if os.path.isdir(asked.work) else []
            return any(os.path.exists(os.path.join(asked.work, run, "level=2", "_SUCCESS")) for run in runs)

        wait(second_level, "the second level")
        cluster.kill_worker()
        killed.append(time.monotonic())

    killer = threading.Thread(target=kill)
    killer.start()
    begin = time.monotonic()
    answer = asked.deep("impact", params, method="levels")
    rows, end = answer.rows.collect(), time.monotonic()
    killer.join()
    assert killed and killed[0] < end and len(answer.levels) >= 3, (killed, end, answer.levels)
    same("impact with a worker lost", rows, expected)
    assert cluster.executors() == 1
    print(f"worker killed {killed[0] - begin:.1f} s after the start, answered after {end - begin:.1f} s: "
          f"{len(answer.levels)} levels, {len(rows)} rows of {path}")
    asked.ask("unused_public", at=at, min_confidence=0.5)


def main():
    names = headers()
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "tables")
        roots = small.make(os.path.join(work, "made"))
        for n, given in enumerate(sys.argv[1:]):
            root = os.path.join(work, str(n), os.path.basename(os.path.abspath(given)))
            subprocess.run(["git", "clone", "-q", "--shared", given, root], check=True)
            roots.append(root)
        begin = time.monotonic()
        cluster = Cluster()
        print(f"cluster of {cluster.executors()} executors in {time.monotonic() - begin:.0f} s")
        try:
            for root in roots:
                duck.index(root)
            duck.export(roots[0], folder)
            first = Asked(cluster.spark, folder, work)
            for root in roots[1:]:
                report = duck.export(root, folder)
                print(f"{report['project']}: {report['rows']} rows")
            # Edges of other exports are not taken for those of the newest.
            try:
                Edges(Tables(cluster.spark, folder), os.path.join(work, "edges"))
                raise SystemExit("old edges were taken")
            except NotPrepared:
                pass
            assert first.tables.digest != Tables(cluster.spark, folder).digest
            asked = Asked(cluster.spark, folder, work)
            at = questions(asked)
            assert set(names) <= set(compared), sorted(set(names) - set(compared))
            only_what_is_listed(cluster.spark, folder, asked)
            hostile_listing(cluster.spark, folder, work)
            other_ways(asked, at)
            lost_worker(cluster, asked, at)
        finally:
            cluster.stop()
    for name, (asked_times, rows, seconds) in sorted(compared.items()):
        took = f", {seconds / asked_times:.1f} s each" if seconds else ""
        print(f"{name}: {asked_times} questions, {rows} rows equal{took}")


main()
