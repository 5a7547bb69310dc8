"""What is reached over edges: level by level for deep questions, in one statement for shallow ones.

Each level is written as Parquet and read back. A level that is only cached on the workers would be
lost with one of them, and the job with it; a file is read again by another worker.
"""

import time
import uuid
from dataclasses import dataclass, field

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from .edges import NotPrepared
from .tables import LITERALS, among, rows_of

# Up to this depth one statement answers, without prepared edges.
SHALLOW = 3
# Larger frontiers are not copied to all workers.
BROADCAST = 2_000_000


@dataclass
class Answer:
    """Rows as the question's header says, and how they were found."""

    rows: object
    method: str
    # One for each level: level, frontier, buckets, reached, seconds.
    levels: list = field(default_factory=list)
    # Folder that `rows` are read from, until `discard`.
    work: str | None = None

    def discard(self):
        """Removes the folder that `rows` are read from. They cannot be read any more."""
        if self.work is None:
            return
        context = self.rows.sparkSession.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(self.work)
        path.getFileSystem(context._jsc.hadoopConfiguration()).delete(path, True)
        self.work = None


def callers(tables, path, at, depth, min_confidence, **how):
    """Functions that call an item, transitively. `how`: see `_ask`."""
    return _ask(tables, "by_target", True, path, at, depth, min_confidence, **how)


def callees(tables, path, at, depth, min_confidence, **how):
    """What an item calls, transitively. `how`: see `_ask`."""
    return _ask(tables, "by_source", True, path, at, depth, min_confidence, **how)


def impact(tables, path, at, depth, min_confidence, **how):
    """What depends on an item, transitively, by uses of every kind. `how`: see `_ask`."""
    return _ask(tables, "by_target", False, path, at, depth, min_confidence, **how)


def _ask(tables, direction, calls, path, at, depth, min_confidence,
         edges=None, work=None, method="auto"):
    """`method` is "levels", "statement", or "auto": a statement up to a depth of 3 or, if that has
    too many rows, levels. Levels need `edges`, and `work`: a folder that all workers write to. Rows
    are read from it."""
    definition = tables.table("definition")
    held = definition.where((F.col("path") == path) & _held(at))
    seeds = sorted(row.symbol for row in held.select("symbol").distinct().collect())
    found = None
    if method == "statement" or (method == "auto" and depth <= SHALLOW):
        try:
            found = _statement(tables, direction, calls, seeds, at, depth, min_confidence, edges)
        except (PySparkException, Py4JJavaError) as error:
            # Raised while the statement runs, it is an error of Java that has no condition to ask.
            too_many = "RECURSION_ROW_LIMIT_EXCEEDED" in str(error)
            if method == "statement" or not too_many or edges is None or work is None:
                raise
    if found is None:
        if edges is None or work is None:
            raise NotPrepared("a question of this depth needs prepared edges and a folder for levels")
        found = _levels(edges, direction, calls, seeds, at, depth, min_confidence, work)
    found.rows.createOrReplaceTempView("reached")
    found.rows = tables.sql("reached", at=at)
    return found


def _held(at):
    return (F.col("valid_from") <= at) & (F.lit(at) < F.col("valid_to"))


def _edges(rows, calls, at, min_confidence):
    rows = rows.where(_held(at) & (F.col("confidence") >= min_confidence))
    return rows.where("call") if calls else rows


def _statement(tables, direction, calls, seeds, at, depth, min_confidence, edges):
    if edges is not None:
        rows = edges.rows(direction)
    else:
        here, there = ("target", "source") if direction == "by_target" else ("source", "target")
        rows = tables.table("linked").select(
            F.col(here).alias("here"), F.col(there).alias("there"), "confidence", "valid_from",
            "valid_to", F.col("kind").isin("call", "method_call", "implicit").alias("call"))
    rows = _edges(rows, calls, at, min_confidence).select("here", "there").distinct()
    rows.createOrReplaceTempView("edge")
    rows_of(tables.spark, seeds).createOrReplaceTempView("seed")
    begin = time.monotonic()
    # Spark 4.3 fails with an internal error if it prunes partitions dynamically in the step.
    pruning = "spark.sql.optimizer.dynamicPartitionPruning.enabled"
    before = tables.spark.conf.get(pruning)
    tables.spark.conf.set(pruning, "false")
    try:
        # Counted, so that a limit of the recursion is met here. What a lost worker had in its cache
        # is computed again.
        rows = tables.sql("shallow", depth=depth).cache()
        size = rows.count()
    finally:
        tables.spark.conf.set(pruning, before)
    level = {"level": depth, "reached": size, "seconds": time.monotonic() - begin}
    return Answer(rows, "statement", [level])


def _levels(edges, direction, calls, seeds, at, depth, min_confidence, work):
    spark = edges.spark
    work = f"{str(work).rstrip('/')}/{uuid.uuid4().hex}"
    every = _edges(edges.rows(direction), calls, at, min_confidence)

    def read(level):
        return spark.read.schema("symbol BIGINT").parquet(f"{work}/level={level}")

    def write(level, rows):
        rows.write.option("compression", "zstd").parquet(f"{work}/level={level}")

    write(0, rows_of(spark, seeds).coalesce(1))
    levels, level = [], 0
    while level < depth:
        begin = time.monotonic()
        frontier = read(level)
        bucket = F.pmod("symbol", F.lit(edges.buckets)).cast("int")
        size, buckets = frontier.agg(F.count("*"), F.collect_set(bucket)).first()
        if size == 0:
            break
        # Literals: a join alone would read every bucket.
        rows = every.where(F.col("bucket").isin(sorted(buckets)))
        if size <= LITERALS:
            rows = among(rows, "here", [row.symbol for row in frontier.collect()])
        else:
            wanted = frontier.withColumnRenamed("symbol", "here")
            rows = rows.join(F.broadcast(wanted) if size <= BROADCAST else wanted, "here", "left_semi")
        reached = rows.select(F.col("there").alias("symbol")).distinct()
        known = spark.read.schema("symbol BIGINT").parquet(
            *(f"{work}/level={before}" for before in range(level + 1)))
        write(level + 1, reached.join(known, "symbol", "left_anti"))
        level += 1
        levels.append({"level": level, "frontier": size, "buckets": len(buckets),
                       "reached": read(level).count(), "seconds": time.monotonic() - begin})
    rows = read(0).withColumn("depth", F.lit(0).cast("bigint"))
    for step in levels:
        found = read(step["level"]).withColumn("depth", F.lit(step["level"]).cast("bigint"))
        rows = rows.unionByName(found)
    return Answer(rows, "levels", levels, work)
