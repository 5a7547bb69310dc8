#!/usr/bin/env python3
"""Times the questions of exported tables, and counts the bytes that they read.

    python3 benches/scale_measure.py duckdb TABLES [PATH]
    python3 benches/scale_measure.py spark TABLES WORK [PATH]     # edges and levels go to WORK

DuckDB has two threads and 4 GB, Spark two cores and 2 GB, in one process each. PATH is the item
that is asked for; without it, that with the most calls from other projects. `cpu` is processor time of
the process, which other load on the machine changes less than `seconds`. Bytes are those that the process asked the system
for (DuckDB) and that the tasks counted as input (Spark): the page cache of the system is warm. Needs
duckdb; pyspark and the package in `spark/`.
"""
import json
import os
import resource
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SQL = os.path.join(HERE, "..", "queries", "sql")
HOT = "std::option::Option::map"


def line(**values):
    print(json.dumps(values), flush=True)


def read_bytes():
    with open("/proc/self/io") as source:
        return int(source.readline().split()[1])


def cpu(pid="self"):
    """Seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat") as source:
        after = source.read().rsplit(")", 1)[1].split()
    return (int(after[11]) + int(after[12])) / os.sysconf("SC_CLK_TCK")


class Duck:
    def __init__(self, folder):
        import duckdb

        self.db = duckdb.connect(config={"threads": 2, "memory_limit": "4GB"})
        # Each question reads what it needs itself.
        self.db.execute("SET enable_external_file_cache = false")
        self.set("tables", folder)
        self.timed("open", self.text("open"))

    def set(self, name, value):
        self.db.execute(f'SET VARIABLE "{name}" = {value!r}')

    def text(self, name):
        with open(os.path.join(SQL, f"{name}.sql")) as source:
            return source.read()

    def rows(self, text):
        return self.db.execute(text).fetchall()

    def timed(self, label, text, **more):
        before, used, begin = read_bytes(), cpu(), time.monotonic()
        rows = self.db.execute(text).fetchall()
        line(engine="duckdb", what=label, rows=len(rows), seconds=round(time.monotonic() - begin, 2),
             cpu=round(cpu() - used, 2), bytes=read_bytes() - before, **more)
        return rows

    def ask(self, name, label=None, **params):
        for key, value in params.items():
            self.set(key, value)
        return self.timed(label or name, self.text(name))


# The item with the most uses from other projects, and how many.
WANTED = """WITH l AS (SELECT DISTINCT project, external, symbol FROM link),
    n AS (SELECT l.symbol, count(*) AS n FROM "use" u JOIN l ON l.project = u.project AND l.external = u.target
          WHERE u.kind IN ('call', 'method_call') AND valid_to = 9223372036854775807 GROUP BY 1)
    SELECT d.path, d.symbol, n.n FROM n JOIN definition d ON d.symbol = n.symbol AND d.path IS NOT NULL
    ORDER BY n DESC, d.path LIMIT 1"""
# The item of a path.
GIVEN = "SELECT path, symbol, 0 AS n FROM definition WHERE path = '{path}' LIMIT 1"


def duck(folder, path):
    lake = Duck(folder)
    (size, edges), = lake.rows("SELECT sum(bytes), sum(rows) FROM export WHERE \"table\" = 'use'")
    (total,), = lake.rows("SELECT sum(bytes) FROM export")
    line(engine="duckdb", what="tables", edges=int(edges), bytes_of_use=int(size), bytes_an_edge=round(size / edges, 2),
         bytes_of_all=int(total))
    (at,), = lake.rows("SELECT min(newest) FROM project")
    (path, symbol, uses), = lake.timed("find the item", path and GIVEN.format(path=path) or WANTED)
    line(engine="duckdb", what="item", path=path, uses_from_other_projects=uses)
    held = f"valid_from <= {at} AND {at} < valid_to"
    lake.timed("uses of one target, by its key", f'SELECT source FROM "use" WHERE target = {symbol} AND {held}')
    lake.timed("the same without pruning", f'SELECT source FROM "use" WHERE target + 0 = {symbol} AND {held}')
    (places,), = lake.rows("SELECT count(*) FROM (FROM occurrence LIMIT 1)")
    if places:
        lake.ask("where_used", f"where_used {HOT}", path=HOT, at=at)
        lake.ask("where_used", "where_used of the item", path=path, at=at)
    lake.ask("adoption", f"adoption of {HOT}", path=HOT, first=at - 10**13, last=at, step=10**12)
    depths = [1, 4, 16, 64]
    for depth in depths:
        rows = lake.ask("impact", f"impact to depth {depth}", path=path, at=at, depth=depth, min_confidence=0.5)
    levels = {}
    for row in rows:
        levels[row[1]] = levels.get(row[1], 0) + 1
    line(engine="duckdb", what="levels", rows=[levels[level] for level in sorted(levels)])
    lake.ask("unused_public", at=at, min_confidence=0.5)
    (package,), = lake.rows("SELECT dependency FROM dependency GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1")
    lake.ask("users_of_version_range", package=package, from_version="0", before_version="9999")
    line(engine="duckdb", what="memory", peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def folder_bytes(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder)
               for name in names if name.endswith(".parquet"))


def spark(folder, work, path):
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    sys.path.insert(0, os.path.join(HERE, "..", "spark", "src"))
    from pyspark.sql import functions as F

    import asof_spark
    from asof_spark.tables import rows_of

    session = asof_spark.session("local[2]", **{
        "spark.driver.memory": "2g", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "8",
        "spark.local.dir": os.path.join(work, "local")})
    context = session.sparkContext
    context.setLogLevel("ERROR")

    def read():
        context._jsc.sc().listenerBus().waitUntilEmpty()
        found = context._jsc.sc().statusStore().executorList(False)
        return sum(found.apply(n).totalInputBytes() for n in range(found.size()))

    jvm = context._gateway.proc.pid

    def timed(label, do, **more):
        before, used, begin = read(), cpu(jvm), time.monotonic()
        answer = do()
        seconds = time.monotonic() - begin
        rows = len(answer) if isinstance(answer, list) else None
        line(engine="spark", what=label, rows=rows, seconds=round(seconds, 2), cpu=round(cpu(jvm) - used, 2),
             bytes=read() - before, **more)
        return answer

    timed("first job", lambda: session.range(1).collect())
    tables = timed("open", lambda: asof_spark.Tables(session, folder))
    at = session.sql("SELECT min(newest) FROM project").first()[0]
    (path, symbol, _), = timed("find the item", lambda: session.sql(
        path and GIVEN.format(path=path) or WANTED.replace('"use"', "`use`")).collect())
    edges = timed("prepare", lambda: asof_spark.Edges.prepare(tables, os.path.join(work, "edges"), 64))
    for direction in ("by_target", "by_source"):
        rows = edges.rows(direction).count()
        size = folder_bytes(os.path.join(edges.folder, direction))
        line(engine="spark", what=direction, rows=rows, bytes=size, bytes_an_edge=round(size / rows, 2))
    held = (F.col("valid_from") <= at) & (F.lit(at) < F.col("valid_to"))
    rows = edges.rows("by_target").where(held)
    wanted = rows_of(session, [symbol]).withColumnRenamed("symbol", "here")
    step = rows.select("here", "there", "bucket")
    timed("uses of one target: bucket and key as literals",
          lambda: step.where((F.col("bucket") == symbol % edges.buckets) & (F.col("here") == symbol)).collect())
    timed("uses of one target: bucket as a literal, key by a join",
          lambda: step.where(F.col("bucket") == symbol % edges.buckets).join(F.broadcast(wanted), "here").collect())
    wanted = wanted.withColumn("bucket", F.pmod("here", F.lit(edges.buckets)).cast("int"))
    timed("uses of one target: by a join on bucket and key",
          lambda: step.join(F.broadcast(wanted), ["bucket", "here"]).collect())
    timed("uses of one target: in the exported tables, key as a literal",
          lambda: tables.table("linked").where((F.col("target") == symbol) & held).select("source").collect())
    begin, used, before = time.monotonic(), cpu(jvm), read()
    answer = asof_spark.impact(tables, path, at, 64, 0.5, edges=edges, work=os.path.join(work, "levels"))
    for level in answer.levels:
        line(engine="spark", what="level", **{**level, "seconds": round(level["seconds"], 2)})
    line(engine="spark", what="impact to depth 64, levels", seconds=round(time.monotonic() - begin, 2),
         cpu=round(cpu(jvm) - used, 2), bytes=read() - before)
    timed("impact: names of what is reached", lambda: answer.rows.collect())
    timed("impact to depth 3, one statement",
          lambda: asof_spark.impact(tables, path, at, 3, 0.5, edges=edges, method="statement").rows.collect())
    timed(f"adoption of {HOT}", lambda: asof_spark.adoption(tables, HOT, at - 10**13, at, 10**12).collect())
    timed("unused_public", lambda: asof_spark.unused_public(tables, at, 0.5).collect())
    session.stop()


if sys.argv[1] == "duckdb":
    duck(sys.argv[2], (sys.argv[3:] or [None])[0])
else:
    spark(sys.argv[2], sys.argv[3], (sys.argv[4:] or [None])[0])
